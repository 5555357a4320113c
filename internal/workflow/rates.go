package workflow

import (
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/policy"
)

// Rates are the measured error rates of everything that a workflow can rest on. Nothing in them is reckoned beyond what was
// measured, and each says on what.
type Rates struct {
	Face     *FaceRates // nil where the model in use has no measurement
	Liveness LivenessRates
	Signals  []SignalRates
	Signs    []SignRates
}

// Count is how many of how many.
type Count struct{ Count, Of int }

// FaceRates are those of comparing two faces.
type FaceRates struct {
	Model, Measure, DataSet, Date, Command string
	OnPeople                               bool
	Genuine, Impostors                     int         // pairs that were compared
	Points                                 []FacePoint // that a workflow can choose, the loosest first

	mark string
}

// FacePoint is a threshold and what it lets through and refuses.
type FacePoint struct {
	FMR       string // as a workflow names it
	Threshold float64
	FNMR      float64 // measured at Threshold
	Matches   int     // impostor pairs at or above it, about
	Refused   int     // genuine pairs below it, about
}

// falseMatchRates are those that a workflow can choose.
var falseMatchRates = []string{"1e-2", "3e-3", "1e-3", "3e-4", "1e-4", "3e-5", "1e-5"}

// FalseMatchRates returns the rates that a workflow can choose, the loosest first.
func FalseMatchRates() []string { return slices.Clone(falseMatchRates) }

// FaceRates returns the measurement of the model in use; nil where there is none.
func (s *Service) FaceRates() *FaceRates {
	card, ok := s.face()
	if !ok || card.Calibration == nil {
		return nil
	}
	c := card.Calibration
	last := c.Points[len(c.Points)-1]
	out := &FaceRates{
		Model: card.Name + " " + card.Version, Measure: c.Measure, DataSet: c.DataSet, Date: c.Date, Command: c.Command, OnPeople: true,
		Genuine: last.Genuine, Impostors: last.Impostors, mark: policy.ModelMark(card.SHA256),
	}
	for _, fmr := range falseMatchRates {
		rate, err := strconv.ParseFloat(fmr, 64)
		if err != nil {
			continue
		}
		if threshold, ok := c.ThresholdAt(rate); ok {
			out.Points = append(out.Points, pointAt(c, fmr, rate, threshold))
		}
	}
	return out
}

func pointAt(c *modelcard.Calibration, fmr string, rate, threshold float64) FacePoint {
	last := c.Points[len(c.Points)-1]
	fnmr := c.FNMRAt(threshold)
	return FacePoint{
		FMR: fmr, Threshold: threshold, FNMR: fnmr,
		Matches: int(math.Round(rate * float64(last.Impostors))), Refused: int(math.Round(fnmr * float64(last.Genuine))),
	}
}

func (r *FaceRates) point(fmr string) (FacePoint, bool) {
	i := slices.IndexFunc(r.Points, func(p FacePoint) bool { return p.FMR == fmr })
	if i < 0 {
		return FacePoint{}, false
	}
	return r.Points[i], true
}

func (r *FaceRates) reaches(fmr string) bool { _, ok := r.point(fmr); return ok }

// ThresholdAt implements policy.Scale.
func (r *FaceRates) ThresholdAt(fmr string) (float64, bool) {
	p, ok := r.point(fmr)
	return p.Threshold, ok
}

// ModelMark implements policy.Scale.
func (r *FaceRates) ModelMark() string { return r.mark }

// LivenessRates are those of the liveness challenge, at the one threshold that there is.
type LivenessRates struct {
	DataSet, Date, Command string
	OnPeople               bool
	Refused                Count // genuine people
	Attacks                []AttackRate
	Worst                  string
}

// AttackRate is how often one kind of attack succeeds.
type AttackRate struct {
	Attack  string
	Succeed Count
}

// SignalRates are those of a signal (idv.Signals), at the operating point that there is.
type SignalRates struct {
	Check                  idv.CheckKind
	DataSet, Date, Command string
	Acted                  Count         // acted people that it doubts
	Pictures               []PictureRate // of people; empty where a picture says nothing
	Attacks                []AttackRate  // that it does not doubt
	Worst                  string
	Unseen                 Count // acted people of whom it can say nothing, who go to a person as well; of none where that does not arise
}

// PictureRate is how often a signal doubts the pictures of a set.
type PictureRate struct {
	DataSet, Date, Command string
	Doubted                Count
}

// SignRates are those of one sign of a copy or an exchanged portrait.
type SignRates struct {
	Check                  idv.CheckKind
	Sign                   string
	DataSet, Date, Command string
	OnPeople               bool
	Threshold              float64
	Ranges                 []SignRange
}

// SignRange is how a sign errs on pages of at least From pixels a millimetre, up to the next range.
type SignRange struct {
	From        float64
	FalseAlarms Count
	Attacks     []AttackRate
}

// signChecks says which check a sign is of, and where it was measured.
var signChecks = []struct {
	sign     string
	check    idv.CheckKind
	measured func() forensic.Measured
}{
	{forensic.GridSign, idv.CheckDocumentOriginal, forensic.Rates}, {forensic.ColourSign, idv.CheckDocumentOriginal, forensic.Rates},
	{forensic.GrainSign, idv.CheckPortraitOriginal, forensic.Rates},
	{forensic.PortraitHistorySign, idv.CheckDocumentEdits, forensic.Edits}, {forensic.PrintHistorySign, idv.CheckDocumentEdits, forensic.Edits},
}

// Rates returns every measurement.
func (s *Service) Rates() Rates {
	out := Rates{Face: s.FaceRates(), Liveness: livenessRates(), Signals: signalRates()}
	for _, sc := range signChecks {
		m := sc.measured()
		sign, ok := m.Signs[sc.sign]
		if !ok {
			continue
		}
		r := SignRates{Check: sc.check, Sign: sc.sign, DataSet: m.DataSet, Date: m.Date, Command: m.Command, Threshold: sign.Threshold}
		for _, rg := range sign.Ranges {
			r.Ranges = append(r.Ranges, rangeOf(rg))
		}
		out.Signs = append(out.Signs, r)
	}
	return out
}

func rangeOf(r forensic.Range) SignRange {
	out := SignRange{From: r.From, FalseAlarms: Count{r.FalseAlarms, r.Genuine}}
	for _, name := range slices.Sorted(maps.Keys(r.Attacks)) {
		if c := r.Attacks[name]; c.Of > 0 {
			out.Attacks = append(out.Attacks, AttackRate{name, Count{c.Missed, c.Of}})
		}
	}
	return out
}

func livenessRates() LivenessRates {
	m := liveness.Calibration()
	out := LivenessRates{DataSet: m.DataSet, Date: m.Date, Command: m.Command, OnPeople: m.OnPeople, Refused: Count{m.Refused.Count, m.Refused.Of}}
	out.Worst, _ = m.Worst()
	for _, name := range slices.Sorted(maps.Keys(m.Accepted)) {
		c := m.Accepted[name]
		out.Attacks = append(out.Attacks, AttackRate{name, Count{c.Count, c.Of}})
	}
	for _, o := range m.Outside {
		out.Attacks = append(out.Attacks, AttackRate{o.Attack, Count{o.Count.Count, o.Of}})
	}
	return out
}

func signalRates() []SignalRates {
	m := liveness.Signals()
	var out []SignalRates
	for _, k := range idv.Signals() {
		if k == idv.CheckLight {
			out = append(out, lightRates())
			continue
		}
		r := m.Rates[k]
		row := SignalRates{Check: k, DataSet: m.DataSet, Date: m.Date, Command: m.Command, Acted: Count{r.Doubted.Count, r.Doubted.Of}}
		row.Worst, _ = r.Worst()
		for _, name := range slices.Sorted(maps.Keys(r.Passed)) {
			row.Attacks = append(row.Attacks, AttackRate{name, Count{r.Passed[name].Count, r.Passed[name].Of}})
		}
		if k == idv.CheckPassiveLiveness {
			for _, p := range m.Pictures {
				row.Pictures = append(row.Pictures, PictureRate{p.DataSet, p.Date, p.Command, Count{p.Doubted.Count, p.Doubted.Of}})
			}
		}
		out = append(out, row)
	}
	return out
}

func lightRates() SignalRates {
	m := liveness.Light()
	row := SignalRates{
		Check: idv.CheckLight, DataSet: m.DataSet, Date: m.Date, Command: m.Command, Acted: Count{m.Doubted.Count, m.Doubted.Of},
		Unseen: Count{m.Unseen.Count, m.Unseen.Of},
	}
	row.Worst, _ = m.Worst()
	for _, name := range slices.Sorted(maps.Keys(m.Passed)) {
		row.Attacks = append(row.Attacks, AttackRate{name, Count{m.Passed[name].Count, m.Passed[name].Of}})
	}
	return row
}
