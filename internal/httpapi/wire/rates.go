package wire

import (
	"cmp"
	"slices"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// ErrorRateTable is the measured error rates of everything that a workflow can rest on.
type ErrorRateTable struct {
	Face     *FaceErrorRates    `json:"face" doc:"null where the model in use has no measurement: faces are not compared then"`
	Liveness LivenessErrorRates `json:"liveness"`
	Signals  []SignalErrorRates `json:"signals" doc:"Signals that a workflow can require: their doubt refers"`
	Signs    []SignErrorRates   `json:"signs" doc:"Signs of a copy and of an exchanged portrait"`
}

// RateCount is how many of how many.
type RateCount struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// FaceErrorRates are those of comparing two faces, at the thresholds that a workflow can choose.
type FaceErrorRates struct {
	Model     string           `json:"model"`
	Measure   string           `json:"measure"`
	DataSet   string           `json:"data_set"`
	Date      string           `json:"date"`
	Command   string           `json:"command" doc:"How to repeat the measurement"`
	OnPeople  bool             `json:"on_people" doc:"Measured on real people"`
	Genuine   int              `json:"genuine" doc:"Pairs of one person that were compared"`
	Impostors int              `json:"impostors" doc:"Pairs of two persons that were compared"`
	Points    []FaceErrorPoint `json:"points" doc:"The loosest first"`
}

// FaceErrorPoint is a threshold and how it errs.
type FaceErrorPoint struct {
	FMR           string  `json:"fmr" example:"1e-4" doc:"As a workflow names it: the part of strangers that passes"`
	Threshold     float64 `json:"threshold" doc:"Similarity"`
	FNMR          float64 `json:"fnmr" doc:"The part of genuine pairs that does not reach it, 0 to 1"`
	FalseMatches  int     `json:"false_matches" doc:"Of the impostor pairs, about"`
	FalseRefusals int     `json:"false_refusals" doc:"Of the genuine pairs, about"`
}

// LivenessErrorRates are those of the liveness challenge. A workflow cannot choose its thresholds.
type LivenessErrorRates struct {
	DataSet  string            `json:"data_set"`
	Date     string            `json:"date"`
	Command  string            `json:"command"`
	OnPeople bool              `json:"on_people"`
	Refused  RateCount         `json:"refused" doc:"Genuine runs that were refused (BPCER)"`
	Attacks  []AttackErrorRate `json:"attacks" doc:"Attacks that were accepted (APCER)"`
	Worst    string            `json:"worst" doc:"The attack that was accepted most often"`
}

// AttackErrorRate is how often one kind of attack succeeds.
type AttackErrorRate struct {
	Attack  string    `json:"attack"`
	Succeed RateCount `json:"succeed"`
}

// SignalErrorRates are those of a signal that nobody was there. A workflow cannot choose its operating point.
type SignalErrorRates struct {
	Check    idv.CheckKind      `json:"check"`
	DataSet  string             `json:"data_set" doc:"Of acted people and of attacks"`
	Date     string             `json:"date"`
	Command  string             `json:"command"`
	Acted    RateCount          `json:"acted" doc:"Acted people that it doubts. How often it doubts live people is not measured"`
	Pictures []PictureErrorRate `json:"pictures" doc:"Single pictures of people that it doubts; empty where a picture says nothing"`
	Attacks  []AttackErrorRate  `json:"attacks" doc:"Attacks that it does not doubt"`
	Worst    string             `json:"worst" doc:"The attack that it doubts least often"`
	Unseen   RateCount          `json:"unseen" doc:"Acted people about whom it says nothing, who go to a person as well; of 0 where that does not arise"`
}

// PictureErrorRate is how often a signal doubts the pictures of a set.
type PictureErrorRate struct {
	DataSet string    `json:"data_set"`
	Date    string    `json:"date"`
	Command string    `json:"command"`
	Doubted RateCount `json:"doubted"`
}

// SignErrorRates are those of one sign.
type SignErrorRates struct {
	Check     idv.CheckKind     `json:"check"`
	Sign      string            `json:"sign"`
	DataSet   string            `json:"data_set"`
	Date      string            `json:"date"`
	Command   string            `json:"command"`
	OnPeople  bool              `json:"on_people"`
	Threshold float64           `json:"threshold"`
	Ranges    []SignErrorsRange `json:"ranges" doc:"By the resolution of the page, coarsest first"`
}

// SignErrorsRange is how a sign errs on pages of a range of resolutions.
type SignErrorsRange struct {
	From        float64           `json:"from" doc:"Pixels a millimetre, at least"`
	FalseAlarms RateCount         `json:"false_alarms"`
	Attacks     []AttackErrorRate `json:"attacks"`
}

// RuleLanguage is what an editor of workflows offers.
type RuleLanguage struct {
	Variables []RuleVariable `json:"variables" doc:"What a condition can ask"`
	Functions []RuleFunction `json:"functions" doc:"Operators, functions and macros of CEL"`
	Examples  []RuleExample  `json:"examples"`
	Limits    RuleLimits     `json:"limits"`
	Reasons   []RuleReason   `json:"reasons" doc:"What a rule can name as its reason"`

	Steps     []WorkflowStep     `json:"steps"`
	Documents []idv.DocumentKind `json:"documents"`
	Countries []WorkflowCountry  `json:"countries" doc:"Issuers, by name"`
	Checks    []WorkflowQuestion `json:"checks"`
	FaceFMR   []string           `json:"face_fmr" doc:"Rates that a workflow can choose, the loosest first"`
}

// RuleVariable is something that a condition can ask.
type RuleVariable struct {
	Name   string   `json:"name" example:"document.country"`
	Type   string   `json:"type" enum:"bool,int,double,string,list(string),timestamp"`
	Doc    string   `json:"doc"`
	Values []string `json:"values" doc:"What it can be, where that is a list; else empty"`
	Known  string   `json:"known" doc:"The variable that says whether it is known; empty where it always is. A condition that asks what is not known refers"`
}

// RuleFunction is an operator, a function or a macro.
type RuleFunction struct {
	Name      string `json:"name"`
	Signature string `json:"signature"`
	Doc       string `json:"doc"`
}

// RuleExample is a condition and what it says.
type RuleExample struct {
	When string `json:"when"`
	Doc  string `json:"doc"`
}

// RuleLimits are the limits of rules.
type RuleLimits struct {
	Rules     int `json:"rules" doc:"Of a version"`
	Condition int `json:"condition" doc:"Characters"`
	Name      int `json:"name" doc:"Characters"`
	Reasons   int `json:"reasons"`
}

// RuleReason is a row of the catalogue that a rule can name.
type RuleReason struct {
	Code     string `json:"code"`
	Text     string `json:"text" doc:"To reviewers"`
	Declines bool   `json:"declines" doc:"A rule that declines can name it"`
}

// WorkflowStep is a step that a workflow can ask for.
type WorkflowStep struct {
	Step   idv.Step `json:"step"`
	Always bool     `json:"always" doc:"No workflow goes without it"`
}

// WorkflowCountry is an issuer that a workflow can name.
type WorkflowCountry struct {
	Code string `json:"code" of:"state" doc:"As ICAO 9303-3 spells it: Germany is D"`
	ISO  string `json:"iso" doc:"ISO 3166-1 alpha-3; empty where there is none"`
	Name string `json:"name"`
}

// WorkflowQuestion is a check that a workflow can require.
type WorkflowQuestion struct {
	Check  idv.CheckKind `json:"check"`
	Always bool          `json:"always" doc:"No workflow goes without it"`
	Selfie bool          `json:"selfie" doc:"It needs the step selfie"`
	Signal bool          `json:"signal" doc:"It looks for one sign that nobody was there: its doubt refers and never declines"`
}

// ErrorRatesOf returns the wire form of the measured error rates.
func ErrorRatesOf(r workflow.Rates) ErrorRateTable {
	l := r.Liveness
	out := ErrorRateTable{Signs: []SignErrorRates{}, Signals: []SignalErrorRates{}, Liveness: LivenessErrorRates{
		DataSet: l.DataSet, Date: l.Date, Command: l.Command, OnPeople: l.OnPeople, Refused: RateCount(l.Refused), Attacks: attacksOf(l.Attacks), Worst: l.Worst,
	}}
	if f := r.Face; f != nil {
		out.Face = &FaceErrorRates{
			Model: f.Model, Measure: f.Measure, DataSet: f.DataSet, Date: f.Date, Command: f.Command, OnPeople: f.OnPeople, Genuine: f.Genuine,
			Impostors: f.Impostors, Points: []FaceErrorPoint{},
		}
		for _, p := range f.Points {
			out.Face.Points = append(out.Face.Points, FaceErrorPoint{
				FMR: p.FMR, Threshold: p.Threshold, FNMR: p.FNMR, FalseMatches: p.Matches, FalseRefusals: p.Refused,
			})
		}
	}
	for _, s := range r.Signals {
		row := SignalErrorRates{
			Check: s.Check, DataSet: s.DataSet, Date: s.Date, Command: s.Command, Acted: RateCount(s.Acted), Pictures: []PictureErrorRate{},
			Attacks: attacksOf(s.Attacks), Worst: s.Worst, Unseen: RateCount(s.Unseen),
		}
		for _, p := range s.Pictures {
			row.Pictures = append(row.Pictures, PictureErrorRate{DataSet: p.DataSet, Date: p.Date, Command: p.Command, Doubted: RateCount(p.Doubted)})
		}
		out.Signals = append(out.Signals, row)
	}
	for _, sign := range r.Signs {
		row := SignErrorRates{
			Check: sign.Check, Sign: sign.Sign, DataSet: sign.DataSet, Date: sign.Date, Command: sign.Command, OnPeople: sign.OnPeople,
			Threshold: sign.Threshold, Ranges: []SignErrorsRange{},
		}
		for _, rg := range sign.Ranges {
			row.Ranges = append(row.Ranges, SignErrorsRange{From: rg.From, FalseAlarms: RateCount(rg.FalseAlarms), Attacks: attacksOf(rg.Attacks)})
		}
		out.Signs = append(out.Signs, row)
	}
	return out
}

func attacksOf(in []workflow.AttackRate) []AttackErrorRate {
	out := []AttackErrorRate{}
	for _, a := range in {
		out = append(out, AttackErrorRate{Attack: a.Attack, Succeed: RateCount(a.Succeed)})
	}
	return out
}

// AllRuleLanguage returns everything that an editor of workflows can offer.
func AllRuleLanguage() RuleLanguage {
	out := RuleLanguage{
		Limits:    RuleLimits{Rules: policy.MaxRules, Condition: policy.MaxCondition, Name: policy.MaxRuleName, Reasons: policy.MaxRuleReasons},
		Documents: idv.DocumentKinds(), FaceFMR: workflow.FalseMatchRates(), Countries: countries(), Steps: []WorkflowStep{}, Checks: []WorkflowQuestion{},
		Variables: []RuleVariable{}, Functions: []RuleFunction{}, Examples: []RuleExample{}, Reasons: []RuleReason{},
	}
	for _, v := range policy.Variables() {
		out.Variables = append(out.Variables, RuleVariable{Name: v.Name, Type: v.Type, Doc: v.Doc, Values: NonNil(v.Values), Known: v.Known})
	}
	for _, f := range policy.Functions() {
		out.Functions = append(out.Functions, RuleFunction{Name: f.Name, Signature: f.Signature, Doc: f.Doc})
	}
	for _, e := range policy.Examples() {
		out.Examples = append(out.Examples, RuleExample(e))
	}
	for _, k := range problem.All() {
		if workflow.Nameable(k) {
			out.Reasons = append(out.Reasons, RuleReason{Code: k.Code, Text: k.Reviewer, Declines: k.Severity != problem.Retry})
		}
	}
	all, always := workflow.Steps()
	for _, step := range all {
		out.Steps = append(out.Steps, WorkflowStep{Step: step, Always: slices.Contains(always, step)})
	}
	for _, k := range idv.CheckKinds() {
		out.Checks = append(out.Checks, WorkflowQuestion{
			Check: k, Always: slices.Contains(workflow.Always(), k), Selfie: slices.Contains(idv.FaceChecks(), k), Signal: slices.Contains(idv.Signals(), k),
		})
	}
	return out
}

// countries lists who may issue documents, by name.
func countries() []WorkflowCountry {
	out := []WorkflowCountry{}
	for _, st := range icao.States() {
		if icao.MayIssue(st.Code) {
			out = append(out, WorkflowCountry{Code: st.Code, ISO: st.ISO, Name: st.Name})
		}
	}
	slices.SortFunc(out, func(a, b WorkflowCountry) int { return cmp.Compare(a.Name, b.Name) })
	return out
}
