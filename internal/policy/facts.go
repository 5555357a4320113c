package policy

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Answer is what became of a question: what it found, or that it was not asked.
type Answer string

// The answers.
const (
	Passed       Answer = "pass"
	Failed       Answer = "fail"
	Inconclusive Answer = "inconclusive"
	Skipped      Answer = "skipped" // the question does not arise
	NotRun       Answer = "not_run"
)

// Facts is everything that a verdict rests on, and nothing that identifies a person: it outlives the personal data, so that a
// decision can be made again under other rules.
type Facts struct {
	At      time.Time // of the report
	Mode    idv.Mode
	Country string // issuer, ICAO 9303-3 §5; empty if unknown
	Kind    idv.DocumentKind
	AgeBand string // "18-24", …; empty if unknown
	Checks  []CheckFact
	Tried   Tried
}

// CheckFact is what is known of one check.
type CheckFact struct {
	Kind    idv.CheckKind `json:"kind"`
	Answer  Answer        `json:"answer"`
	Reasons []idv.Reason  `json:"reasons,omitempty"` // of an answer that is no pass; why it was not run, where the applicant declined it
	Score   *float64      `json:"score,omitempty"`
	Model   string        `json:"model,omitempty"`   // beginning of the digest of the model that made the score
	Trusted bool          `json:"trusted,omitempty"` // it raises few false alarms on real people (FraudFalseAlarmLimit)
}

// kept is the form in which facts are kept: most checks pass, and then there is nothing but their names to keep.
type kept struct {
	At      time.Time        `json:"at"`
	Mode    idv.Mode         `json:"mode"`
	Country string           `json:"country,omitempty"`
	Kind    idv.DocumentKind `json:"kind,omitempty"`
	AgeBand string           `json:"age_band,omitempty"`
	Passed  string           `json:"passed,omitempty"` // kinds with nothing else to say, parted by spaces
	Checks  []CheckFact      `json:"checks,omitempty"` // the others
	Tried   Tried            `json:"tried"`
}

// MarshalJSON writes the facts as they are kept.
func (f Facts) MarshalJSON() ([]byte, error) {
	k := kept{At: f.At, Mode: f.Mode, Country: f.Country, Kind: f.Kind, AgeBand: f.AgeBand, Tried: f.Tried}
	var passed []string
	for _, c := range f.Checks {
		if c.Answer == Passed && c.Score == nil && c.Model == "" && !c.Trusted {
			passed = append(passed, string(c.Kind))
		} else {
			k.Checks = append(k.Checks, c)
		}
	}
	k.Passed = strings.Join(passed, " ")
	return json.Marshal(k)
}

// UnmarshalJSON reads what MarshalJSON wrote.
func (f *Facts) UnmarshalJSON(b []byte) error {
	var k kept
	if err := json.Unmarshal(b, &k); err != nil {
		return fmt.Errorf("read facts: %w", err)
	}
	*f = Facts{At: k.At, Mode: k.Mode, Country: k.Country, Kind: k.Kind, AgeBand: k.AgeBand, Tried: k.Tried}
	f.Checks = make([]CheckFact, 0, len(k.Checks)+strings.Count(k.Passed, " ")+1)
	for kind := range strings.FieldsSeq(k.Passed) {
		f.Checks = append(f.Checks, CheckFact{Kind: idv.CheckKind(kind), Answer: Passed})
	}
	f.Checks = append(f.Checks, k.Checks...)
	return nil
}

// Tried says what the applicant did.
type Tried struct {
	Steps     map[idv.Step]int `json:"steps,omitempty"` // tries that count, of every step that was taken
	Total     int              `json:"total,omitempty"` // tries of all steps, also those that do not count
	FaceExtra bool             `json:"face_extra,omitempty"`
}

// Left answers what the applicant may still repeat under a workflow.
func (t Tried) Left(w idv.WorkflowVersion) Tries {
	if t.Total >= w.SessionAttempts {
		return Tries{}
	}
	out := Tries{Left: map[idv.Step]int{}, FaceExtraLeft: t.FaceExtra}
	for step, n := range t.Steps {
		out.Left[step] = max(w.StepAttempts-n, 0)
	}
	return out
}

// FactsOf takes from a report what a verdict may rest on.
func FactsOf(r idv.Report, mode idv.Mode, tried Tried) Facts {
	f := Facts{At: r.MadeAt, Mode: mode, Country: r.Document.Issuer, Kind: r.Document.Kind, Tried: tried}
	for _, c := range r.Checks {
		if _, twice := f.check(c.Kind); !twice && c.Lifecycle != idv.CheckSuperseded {
			f.Checks = append(f.Checks, FactOf(c))
		}
	}
	for _, c := range r.Claims {
		if c.Name == idv.DateOfBirth && c.Source != idv.FromClaimed && f.AgeBand == "" {
			f.AgeBand = AgeBand(c.Value, r.MadeAt)
		}
	}
	return f
}

// modelDigits is how much is kept of a model's digest.
const modelDigits = 16

// FactOf is what is kept of a check.
func FactOf(c idv.Check) CheckFact {
	out := CheckFact{Kind: c.Kind, Answer: NotRun}
	switch {
	case c.Lifecycle == idv.CheckSkipped:
		out.Answer = Skipped
		return out
	case c.Lifecycle == idv.CheckBroken && c.BrokenBy == problem.BiometricsDeclined.Code:
		out.Reasons = []idv.Reason{{Code: c.BrokenBy}}
		return out
	case c.Lifecycle != idv.CheckSettled || c.Finding == nil:
		return out
	case c.Finding.Outcome == idv.Pass:
		out.Answer = Passed
	case c.Finding.Outcome == idv.Fail:
		out.Answer = Failed
	default:
		out.Answer = Inconclusive
	}
	out.Score, out.Trusted = c.Finding.Score, trusted(c.Finding.Rates)
	if out.Answer != Passed {
		out.Reasons = slices.Clone(c.Finding.Reasons)
	}
	if c.Kind == idv.CheckFaceMatch && len(c.Finding.Models) > 0 {
		out.Model = ModelMark(string(c.Finding.Models[0].SHA256))
	}
	return out
}

// ModelMark is what facts keep of a model's digest.
func ModelMark(sha256 string) string { return sha256[:min(modelDigits, len(sha256))] }

func trusted(r *idv.ErrorRates) bool {
	return r != nil && r.OnPeople && r.BPCER != nil && *r.BPCER <= FraudFalseAlarmLimit
}

// check finds what is known of a check.
func (f Facts) check(k idv.CheckKind) (CheckFact, bool) {
	for _, c := range f.Checks {
		if c.Kind == k {
			return c, true
		}
	}
	return CheckFact{Kind: k, Answer: NotRun}, false
}

// ageBands are the lower ends of the bands.
var ageBands = []int{0, 18, 25, 35, 45, 55, 65, 75}

// AgeBands lists the bands, youngest first.
func AgeBands() []string {
	out := make([]string, len(ageBands))
	for i := range ageBands {
		out[i] = bandAt(i)
	}
	return out
}

func bandAt(i int) string {
	if i == len(ageBands)-1 {
		return strconv.Itoa(ageBands[i]) + "+"
	}
	return strconv.Itoa(ageBands[i]) + "-" + strconv.Itoa(ageBands[i+1]-1)
}

// AgeBand coarsens a date of birth to the band of the age at a time. Empty where the year is unknown or lies ahead, and where
// an unknown month or day leaves two bands possible: nothing is guessed.
func AgeBand(birth string, now time.Time) string {
	if len(birth) < 4 {
		return ""
	}
	year, err := strconv.Atoi(birth[:4])
	if err != nil {
		return ""
	}
	oldest := now.Year() - year // of who had their birthday this year
	youngest := oldest - 1
	if born, err := time.Parse(time.DateOnly, birth); err == nil {
		if born.AddDate(oldest, 0, 0).After(now) {
			oldest--
		}
		youngest = oldest
	}
	if band := bandOf(oldest); band == bandOf(max(youngest, 0)) {
		return band
	}
	return ""
}

// bandOf is the band of an age in years; empty for one below nought.
func bandOf(age int) string {
	for i := len(ageBands) - 1; i >= 0; i-- {
		if age >= ageBands[i] {
			return bandAt(i)
		}
	}
	return ""
}

// ages answers the least and the most years of a band; no most for the last one. False for none.
func ages(band string) (least, most int, ok bool) {
	for i := range ageBands {
		if bandAt(i) != band {
			continue
		}
		if i == len(ageBands)-1 {
			return ageBands[i], oldest, true
		}
		return ageBands[i], ageBands[i+1] - 1, true
	}
	return 0, 0, false
}

// oldest is more than anybody's age.
const oldest = 150
