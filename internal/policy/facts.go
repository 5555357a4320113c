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

// Answer is the outcome of a check, or that it has none.
type Answer string

// The answers.
const (
	Passed       Answer = "pass"
	Failed       Answer = "fail"
	Inconclusive Answer = "inconclusive"
	Skipped      Answer = "skipped" // the question does not arise
	NotRun       Answer = "not_run"
)

// Facts is everything that a verdict rests on. It contains nothing that identifies a person and outlives the personal data,
// so that a decision can be reevaluated under other rules.
type Facts struct {
	At        time.Time // of the report
	Mode      idv.Mode
	Country   string // issuer, ICAO 9303-3 §5; empty if unknown
	Kind      idv.DocumentKind
	AgeBand   string           // "18-24", …; empty if unknown
	Confirmed idv.Confirmation // what confirms the document's reading as a whole; empty if nothing does
	Checks    []CheckFact
	Attempts  Attempts
	Document  idv.Source // where its pictures came from; empty if unknown
	Selfie    idv.Source // where the selfie, or the frames, came from; empty if unknown or none was taken

	Version int // of the stored form: FactsVersion, less in facts that are older
}

// FactsVersion is the stored form of this version. From 2 on reasons say what confirms them, and from 3 on document.facts says what
// confirms a document without zone and barcode, and from 4 on the facts say where captures came from; what is older says nothing of it.
const FactsVersion = 4

// CheckFact is the outcome of one check.
type CheckFact struct {
	Kind    idv.CheckKind    `json:"kind"`
	Answer  Answer           `json:"answer"`
	Reasons []idv.Reason     `json:"reasons,omitempty"` // of any answer but a pass; of NotRun only if the applicant declined the check
	Score   *float64         `json:"score,omitempty"`
	Model   string           `json:"model,omitempty"`   // ModelMark of the model that computed the score
	Trusted bool             `json:"trusted,omitempty"` // its false-alarm rate on real people is at most FraudFalseAlarmLimit
	Weakest idv.Confirmation `json:"weakest,omitempty"` // of document.facts: what confirms the settling fact that is confirmed most weakly
	Signed  bool             `json:"signed,omitempty"`  // of face.match: the portrait is one that a state signed
	Attacks *float64         `json:"attacks,omitempty"` // of liveness: the part of the worst attack that is accepted, upper end of the 95 % interval
	Others  int              `json:"others,omitempty"`  // of a check of idv.SeenChecks: sessions that have something in common with this one
	Bands   *Bands           `json:"bands,omitempty"`   // of velocity.counts
	Network *Network         `json:"network,omitempty"` // of a check of idv.NetworkChecks
}

// storedFacts is the stored form of Facts. Most checks pass, and of those it has only the names.
type storedFacts struct {
	Version   int              `json:"version,omitempty"`
	At        time.Time        `json:"at"`
	Mode      idv.Mode         `json:"mode"`
	Country   string           `json:"country,omitempty"`
	Kind      idv.DocumentKind `json:"kind,omitempty"`
	AgeBand   string           `json:"age_band,omitempty"`
	Confirmed idv.Confirmation `json:"confirmed,omitempty"`
	Passed    string           `json:"passed,omitempty"` // kinds of checks that passed without score or model, separated by spaces
	Checks    []CheckFact      `json:"checks,omitempty"` // the others
	Attempts  Attempts         `json:"tried"`
	Document  idv.Source       `json:"document_source,omitempty"`
	Selfie    idv.Source       `json:"selfie_source,omitempty"`
}

// MarshalJSON implements json.Marshaler.
func (f Facts) MarshalJSON() ([]byte, error) {
	k := storedFacts{
		Version: f.Version, At: f.At, Mode: f.Mode, Country: f.Country, Kind: f.Kind, AgeBand: f.AgeBand, Confirmed: f.Confirmed, Attempts: f.Attempts,
		Document: f.Document, Selfie: f.Selfie,
	}
	var passed []string
	for _, c := range f.Checks {
		if c.plain() {
			passed = append(passed, string(c.Kind))
		} else {
			k.Checks = append(k.Checks, c)
		}
	}
	k.Passed = strings.Join(passed, " ")
	return json.Marshal(k)
}

// UnmarshalJSON implements json.Unmarshaler.
func (f *Facts) UnmarshalJSON(b []byte) error {
	var k storedFacts
	if err := json.Unmarshal(b, &k); err != nil {
		return fmt.Errorf("read facts: %w", err)
	}
	*f = Facts{
		At: k.At, Mode: k.Mode, Country: k.Country, Kind: k.Kind, AgeBand: k.AgeBand, Confirmed: k.Confirmed, Attempts: k.Attempts, Version: k.Version,
		Document: k.Document, Selfie: k.Selfie,
	}
	f.Checks = make([]CheckFact, 0, len(k.Checks)+strings.Count(k.Passed, " ")+1)
	for kind := range strings.FieldsSeq(k.Passed) {
		f.Checks = append(f.Checks, CheckFact{Kind: idv.CheckKind(kind), Answer: Passed})
	}
	f.Checks = append(f.Checks, k.Checks...)
	return nil
}

// Attempts counts what the applicant did.
type Attempts struct {
	Steps     map[idv.Step]int `json:"steps,omitempty"` // attempts that count, by step
	Total     int              `json:"total,omitempty"` // attempts at all steps, including those that do not count
	FaceExtra bool             `json:"face_extra,omitempty"`
}

// Remaining returns which attempts a workflow leaves.
func (t Attempts) Remaining(w idv.WorkflowVersion) AttemptsLeft {
	if t.Total >= w.SessionAttempts {
		return AttemptsLeft{}
	}
	out := AttemptsLeft{Steps: map[idv.Step]int{}, FaceExtra: t.FaceExtra}
	for step, n := range t.Steps {
		out.Steps[step] = max(w.StepAttempts-n, 0)
	}
	return out
}

// FactsOf returns the facts of a report.
func FactsOf(r idv.Report, mode idv.Mode, tried Attempts) Facts {
	f := Facts{At: r.MadeAt, Mode: mode, Country: r.Document.Issuer, Kind: r.Document.Kind, Attempts: tried, Version: FactsVersion}
	f.Document, f.Selfie = r.SourceOf(idv.DocumentImage), r.SourceOf(idv.FaceImage, idv.Frames)
	if r.Document.MRZ != nil && r.Document.MRZ.Verified {
		f.Confirmed = idv.ByCheckDigits
	}
	for _, c := range r.Checks {
		if _, twice := f.find(c.Kind); !twice && c.Lifecycle != idv.CheckSuperseded {
			f.Checks = append(f.Checks, FactOf(c))
		}
	}
	if f.passed(idv.CheckChipAuthentic) && f.passed(idv.CheckChipZone) || f.walletAlone() {
		f.Confirmed = idv.BySignature
	}
	for _, c := range r.Claims {
		if c.Source == idv.FromBarcode && f.Confirmed == "" {
			f.Confirmed = idv.ByBarcode
		}
		if c.Name == idv.DateOfBirth && c.Source != idv.FromClaimed && f.AgeBand == "" {
			f.AgeBand = AgeBand(c.Value, r.MadeAt)
		}
	}
	return f
}

// modelDigits is how many digits of a model's digest are stored.
const modelDigits = 16

// FactOf returns the fact of a check.
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
	out.Score, out.Trusted = c.Finding.Score, fewFalseAlarms(c.Finding.Rates)
	out.setSeen(c.Finding.Seen)
	if out.Answer != Passed {
		out.Reasons = slices.Clone(c.Finding.Reasons)
	}
	out.Weakest, out.Signed = idv.Weakest(c.Finding.Confirmed), c.Finding.Portrait != ""
	if c.Kind == idv.CheckLiveness && c.Finding.Rates != nil {
		out.Attacks = c.Finding.Rates.APCERUpper
	}
	if c.Kind == idv.CheckFaceMatch && len(c.Finding.Models) > 0 {
		out.Model = ModelMark(string(c.Finding.Models[0].SHA256))
	}
	return out
}

// ModelMark returns the part of a model's digest that is stored.
func ModelMark(sha256 string) string { return sha256[:min(modelDigits, len(sha256))] }

func fewFalseAlarms(r *idv.ErrorRates) bool {
	return r != nil && r.OnPeople && r.BPCER != nil && *r.BPCER <= FraudFalseAlarmLimit
}

// confirmed reports whether something that may decline confirms the document's reading. Facts of versions that did not keep it count as
// confirmed: what was decided on them is not decided differently afterwards.
func (f Facts) confirmed() bool {
	facts, _ := f.find(idv.CheckFactsAgree)
	return f.Version < confirmedFinals || f.Confirmed.Declines() || facts.Weakest.Declines()
}

// find returns the fact of a check; false, and NotRun, without one.
func (f Facts) find(k idv.CheckKind) (CheckFact, bool) {
	for _, c := range f.Checks {
		if c.Kind == k {
			return c, true
		}
	}
	return CheckFact{Kind: k, Answer: NotRun}, false
}

// ageBands are the lower bounds of the bands in years.
var ageBands = []int{0, 18, 25, 35, 45, 55, 65, 75}

// AgeBands returns the bands, youngest first.
func AgeBands() []string {
	out := make([]string, len(ageBands))
	for i := range ageBands {
		out[i] = bandName(i)
	}
	return out
}

func bandName(i int) string {
	if i == len(ageBands)-1 {
		return strconv.Itoa(ageBands[i]) + "+"
	}
	return strconv.Itoa(ageBands[i]) + "-" + strconv.Itoa(ageBands[i+1]-1)
}

// AgeBand returns the band of a person's age. It returns "" if the year of birth is unknown or in the future, or if an
// unknown month or day leaves two bands possible.
func AgeBand(birth string, now time.Time) string {
	if len(birth) < 4 {
		return ""
	}
	year, err := strconv.Atoi(birth[:4])
	if err != nil {
		return ""
	}
	oldest := now.Year() - year // if the birthday has passed this year
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

// bandOf returns the band of an age in years, "" for a negative one.
func bandOf(age int) string {
	for i := len(ageBands) - 1; i >= 0; i-- {
		if age >= ageBands[i] {
			return bandName(i)
		}
	}
	return ""
}

// ageRange returns the bounds of a band in years, and false for a name that is none. The last band ends at oldest.
func ageRange(band string) (least, most int, ok bool) {
	for i := range ageBands {
		if bandName(i) != band {
			continue
		}
		if i == len(ageBands)-1 {
			return ageBands[i], oldest, true
		}
		return ageBands[i], ageBands[i+1] - 1, true
	}
	return 0, 0, false
}

// oldest is an age in years that nobody reaches.
const oldest = 150
