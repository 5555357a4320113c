package policy

import (
	"fmt"
	"slices"
	"sync"

	"cel.dev/cel-go/cel"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Limits of rules.
const (
	MaxRules       = 50
	MaxCondition   = 1000   // characters of a condition
	MaxRuleName    = 80     // characters
	MaxRuleReasons = 10     // codes
	maxNodes       = 400    // of a condition, macros expanded
	maxDepth       = 24     // of a condition
	maxNested      = 2      // comprehensions in one another
	maxRegex       = 200    // size of a regular expression's program
	maxCost        = 10_000 // of one evaluation, in CEL's units: some hundred times what a useful rule costs
)

// Variable is something that a rule can ask.
type Variable struct {
	Name   string
	Type   string   // bool, int, double, string, list(string) or timestamp
	Doc    string   // in words
	Values []string // what it can be, where that is a list
	Known  string   // the variable that says whether it is known; empty where it always is

	cel   *cel.Type
	value func(facts) (any, bool) // false: not known
}

// facts is what a rule can ask of one decision.
type facts struct {
	Facts
	required []CheckFact
	base     idv.Verdict // of the default policy
}

// Variables returns what a rule can ask, in the order in which an editor offers it.
func Variables() []Variable {
	out := slices.Concat(documentVariables(), chipVariables(), walletVariables(), screeningVariables(), seenVariables(), networkVariables(), sessionVariables())
	for _, k := range idv.CheckKinds() {
		out = append(out, checkVariables(k)...)
	}
	return out
}

func kinds(of []idv.DocumentKind) []string {
	out := make([]string, len(of))
	for i, k := range of {
		out[i] = string(k)
	}
	return out
}

func documentVariables() []Variable {
	band := func(f facts) (least, most int, ok bool) { return ageRange(f.AgeBand) }
	return []Variable{
		{Name: "document.country", Type: "string", Doc: "The issuer, by its three-letter code (Germany is \"D\").",
			Known: "document.country_known", cel: cel.StringType,
			value: func(f facts) (any, bool) { return CountryCode(f.Country), f.Country != "" }},
		{Name: "document.country_known", Type: "bool", Doc: "Whether the issuer was recognised.", cel: cel.BoolType,
			value: func(f facts) (any, bool) { return f.Country != "", true }},
		{Name: "document.kind", Type: "string", Doc: "The kind of document.", Known: "document.kind_known", Values: kinds(idv.DocumentKinds()), cel: cel.StringType,
			value: func(f facts) (any, bool) { return string(f.Kind), f.kindKnown() }},
		{Name: "document.kind_known", Type: "bool", Doc: "Whether the kind of document was recognised.", cel: cel.BoolType,
			value: func(f facts) (any, bool) { return f.kindKnown(), true }},
		sourceVariable("document.source", "Where the pictures of the document came from, as the applicant's page says; file where one of them did.",
			func(f facts) idv.Source { return f.Document }),
		knownSource("document.source_known", "Whether the page said where the pictures of the document came from.",
			func(f facts) idv.Source { return f.Document }),
		sourceVariable("selfie.source", "Where the selfie came from, as the applicant's page says; frames that answer a challenge come from the camera.",
			func(f facts) idv.Source { return f.Selfie }),
		knownSource("selfie.source_known", "Whether a selfie was taken and the page said where it came from.",
			func(f facts) idv.Source { return f.Selfie }),
		{Name: "person.age_band", Type: "string", Doc: "The band of the person's age when it was decided.",
			Known: "person.age_known", Values: AgeBands(), cel: cel.StringType,
			value: func(f facts) (any, bool) { return f.AgeBand, f.AgeBand != "" }},
		{Name: "person.age_from", Type: "int", Doc: "The least age of the band. The age itself is not kept; for a limit between bands use the workflow's " +
			"minimum age.", Known: "person.age_known", cel: cel.IntType,
			value: func(f facts) (any, bool) { least, _, ok := band(f); return least, ok }},
		{Name: "person.age_to", Type: "int", Doc: "The greatest age of the band; 150 in the last one.", Known: "person.age_known", cel: cel.IntType,
			value: func(f facts) (any, bool) { _, most, ok := band(f); return most, ok }},
		{Name: "person.age_known", Type: "bool", Doc: "Whether a date of birth was read.", cel: cel.BoolType,
			value: func(f facts) (any, bool) { _, _, ok := band(f); return ok, true }},
	}
}

func sourceVariable(name, doc string, of func(facts) idv.Source) Variable {
	return Variable{
		Name: name, Type: "string", Doc: doc, Known: name + "_known", cel: cel.StringType,
		Values: []string{string(idv.SourceCamera), string(idv.SourceFile)},
		value:  func(f facts) (any, bool) { s := of(f); return string(s), s != idv.SourceUnknown },
	}
}

func knownSource(name, doc string, of func(facts) idv.Source) Variable {
	return Variable{
		Name: name, Type: "bool", Doc: doc, cel: cel.BoolType,
		value: func(f facts) (any, bool) { return of(f) != idv.SourceUnknown, true },
	}
}

func (f Facts) kindKnown() bool { return f.Kind != "" && f.Kind != idv.UnknownKind }

// CountryCode is how rules and workflows spell an issuer: as ICAO 9303-3 §5 does, without fillers.
func CountryCode(code string) string {
	if s, ok := icao.StateByCode(code); ok {
		return s.Code
	}
	return code
}

func sessionVariables() []Variable {
	return []Variable{
		{Name: "default.outcome", Type: "string", Doc: "What would be decided without rules.", cel: cel.StringType,
			Values: []string{string(idv.DecideApprove), string(idv.DecideDecline), string(idv.DecideRefer)},
			value:  func(f facts) (any, bool) { return string(f.base.Outcome), true }},
		{Name: "default.reasons", Type: "list(string)", Doc: "Why it would be decided so: codes of the catalogue.", cel: cel.ListType(cel.StringType),
			value: func(f facts) (any, bool) { return codes(f.base.Reasons), true }},
		{Name: "reasons", Type: "list(string)", Doc: "The reasons of every check that did not pass, also of those that are only " +
			"recorded.", cel: cel.ListType(cel.StringType),
			value: func(f facts) (any, bool) { return f.reasons(), true }},
		{Name: "not_run", Type: "list(string)", Doc: "The required checks that did not run.", cel: cel.ListType(cel.StringType),
			value: func(f facts) (any, bool) { return f.notRun(), true }},
		{Name: "session.mode", Type: "string", Doc: "Live or test.", Values: []string{string(idv.Live), string(idv.Test)}, cel: cel.StringType,
			value: func(f facts) (any, bool) { return string(f.Mode), true }},
		{Name: "session.attempts", Type: "int", Doc: "Pictures that were sent, also those that were refused at once.", cel: cel.IntType,
			value: func(f facts) (any, bool) { return f.Attempts.Total, true }},
		{Name: "now", Type: "timestamp", Doc: "When the report was made (UTC).", cel: cel.TimestampType,
			value: func(f facts) (any, bool) { return f.At.UTC(), true }},
	}
}

func (f facts) reasons() []string {
	var all []idv.Reason
	for _, c := range f.Checks {
		all = append(all, c.Reasons...)
	}
	return codes(all)
}

func (f facts) notRun() []string {
	out := []string{}
	for _, c := range f.required {
		if c.Answer == NotRun {
			out = append(out, string(c.Kind))
		}
	}
	return out
}

func codes(of []idv.Reason) []string {
	out := []string{}
	for _, r := range of {
		if !slices.Contains(out, r.Code) {
			out = append(out, r.Code)
		}
	}
	return out
}

// scored are the checks that have a score, and what it is.
var scored = map[idv.CheckKind]string{
	idv.CheckDocumentReadable: "Sharpness of the page, in the reader's measure.",
	idv.CheckMRZVerified:      "Confidence of the reader, 0 to 1.",
	idv.CheckDocumentOriginal: "The strongest sign of a copy, in its own measure.",
	idv.CheckPortraitOriginal: "The strongest sign of an exchanged portrait, in its own measure.",
	idv.CheckDocumentEdits:    "The strongest sign of editing, in its own measure.",
	idv.CheckSelfieQuality:    "Sharpness of the face, in the reader's measure.",
	idv.CheckFaceMatch:        "Similarity of the two faces, -1 to 1, on the calibrated scale.",
	idv.CheckPassiveLiveness:  "A passive sign of a live face, 0 to 1; not measured on live people.",
	idv.CheckLiveness:         "Rules of the liveness challenge that were broken; 0 is best.",
	idv.CheckLight:            "How many times its error the face answers the colours of the screen by; higher is better.",
	idv.CheckHead:             "Signs that the face does not move as one head; 0 is best.",
	idv.CheckReplay:           "Part of the frames that were sent before, 0 to 1.",
}

// checkVariables are what can be asked of one check. What did not run has neither passed nor failed.
func checkVariables(k idv.CheckKind) []Variable {
	name := "checks." + string(k)
	of := func(f facts) CheckFact { c, _ := f.find(k); return c }
	ran := func(f facts) bool { return of(f).Answer != NotRun }
	out := []Variable{
		{Name: name + ".outcome", Type: "string", Doc: "What became of it.", cel: cel.StringType,
			Values: []string{string(Passed), string(Failed), string(Inconclusive), string(Skipped), string(NotRun)},
			value:  func(f facts) (any, bool) { return string(of(f).Answer), true }},
		{Name: name + ".ran", Type: "bool", Doc: "Whether it has an answer, also that the question does not arise.", cel: cel.BoolType,
			value: func(f facts) (any, bool) { return ran(f), true }},
		{Name: name + ".passed", Type: "bool", Doc: "Whether it passed, or the question does not arise.", Known: name + ".ran", cel: cel.BoolType,
			value: func(f facts) (any, bool) { a := of(f).Answer; return a == Passed || a == Skipped, ran(f) }},
		{Name: name + ".reasons", Type: "list(string)", Doc: "Why it did not pass.", Known: name + ".ran", cel: cel.ListType(cel.StringType),
			value: func(f facts) (any, bool) { return codes(of(f).Reasons), ran(f) }},
	}
	if doc, ok := scored[k]; ok {
		out = append(out,
			Variable{Name: name + ".score", Type: "double", Doc: doc, Known: name + ".scored", cel: cel.DoubleType,
				value: func(f facts) (any, bool) { s := of(f).Score; return deref(s), s != nil }},
			Variable{Name: name + ".scored", Type: "bool", Doc: "Whether it has a score.", cel: cel.BoolType,
				value: func(f facts) (any, bool) { return of(f).Score != nil, true }})
	}
	return out
}

func deref(p *float64) float64 {
	if p == nil {
		return 0
	}
	return *p
}

// dictionary finds variables by name.
var dictionary = sync.OnceValue(func() map[string]Variable {
	out := map[string]Variable{}
	for _, v := range Variables() {
		out[v.Name] = v
	}
	return out
})

// environment is the language of rules: CEL's standard definitions and our variables, nothing that reaches out.
var environment = sync.OnceValues(func() (*cel.Env, error) {
	opts := []cel.EnvOption{
		cel.EagerlyValidateDeclarations(true), cel.DefaultUTCTimeZone(true),
		cel.ParserExpressionSizeLimit(MaxCondition), cel.ParserRecursionLimit(maxDepth), cel.ParserErrorRecoveryLimit(5),
		cel.ExpressionNodeLimit(maxNodes), cel.ExpressionNestingDepthLimit(maxDepth), cel.RegexProgramSizeLimit(maxRegex),
		cel.ASTValidators(
			cel.ValidateRegexLiterals(), cel.ValidateDurationLiterals(), cel.ValidateTimestampLiterals(),
			cel.ValidateHomogeneousAggregateLiterals(), cel.ValidateComprehensionNestingLimit(maxNested),
		),
	}
	for _, v := range Variables() {
		opts = append(opts, cel.VariableWithDoc(v.Name, v.cel, v.Doc))
	}
	env, err := cel.NewEnv(opts...)
	if err != nil {
		return nil, fmt.Errorf("make the language of rules: %w", err)
	}
	return env, nil
})
