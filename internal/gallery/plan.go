package gallery

import (
	"errors"
	"fmt"
	"math"

	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// leastErrors is how many false matches have to have been counted before a rate is taken as measured: with 30, and independent pairs, the
// true rate lies within 30 % of the measured one nine times in ten (the rule of 30, Doddington et al. 2000).
const leastErrors = 30

// Beside is the false match rate at which a face counts if something else agrees: the date of birth, the name or the document.
const Beside = 1e-4

// agreeing bounds how likely something else agrees between two strangers whose faces are alike: about one in 22 000 shares a date of
// birth, and people whose faces are alike are of one age and region more often, for which a factor of ten is allowed.
const agreeing = 10.0 / 22_000

// Plan is how a gallery is searched. Its rates are those of the model's card: within one region, sex and age strangers are alike more
// often.
type Plan struct {
	Size      int     // other faces that are searched
	Target    float64 // part of the searches of strangers that may find somebody (FPIR)
	FMR       float64 // false match rate that this asks of one comparison
	Alone     float64 // similarity from which a face counts by itself; 0 where the measured rates do not reach FMR
	Beside    float64 // similarity from which it counts if something else agrees; 0 where even that would find too many strangers
	Strangers float64 // strangers expected in one search from Alone, or from Beside with something that agrees
	FNMR      float64 // part of the genuine pairs that Alone misses, or Beside where there is no Alone
	MostAlone int     // most faces among which one counts by itself
}

// Closed reports whether a face by itself counts no more.
func (p Plan) Closed() bool { return p.Alone == 0 }

// errNoRates is returned where nothing was measured.
var errNoRates = errors.New("gallery: the model has no measured error rates")

// PlanFor chooses the similarity from the number of faces: among n a stranger is found in about n·FMR searches (ISO/IEC 19795-1:2021,
// false-positive identification rate), so FMR is target/n, and never above Beside. It errs where target is no rate, or the calibration
// does not reach Beside.
func PlanFor(c *modelcard.Calibration, size int, target float64) (Plan, error) {
	if c == nil || len(c.Points) == 0 {
		return Plan{}, errNoRates
	}
	if !(target > 0 && target < 1) || size < 0 {
		return Plan{}, fmt.Errorf("gallery: %v of %d searches is no target", target, size)
	}
	beside, ok := reach(c, Beside)
	if !ok {
		return Plan{}, fmt.Errorf("gallery: the calibration does not reach a false match rate of %v", Beside)
	}
	n := math.Max(1, float64(size))
	p := Plan{Size: size, Target: target, FMR: math.Min(Beside, target/n), MostAlone: mostAlone(c, target)}
	if p.Alone, ok = reach(c, p.FMR); ok {
		p.Strangers = float64(size) * p.FMR
		p.FNMR = c.FNMRAt(p.Alone)
	}
	if strangers := float64(size) * Beside * agreeing; strangers <= target {
		p.Beside = beside
		if p.Closed() {
			p.Strangers, p.FNMR = strangers, c.FNMRAt(beside)
		}
	}
	return p, nil
}

// reach is the threshold of a rate; false where too few false matches were counted there.
func reach(c *modelcard.Calibration, fmr float64) (float64, bool) {
	t, ok := c.ThresholdAt(fmr)
	if !ok || fmr*float64(c.Points[len(c.Points)-1].Impostors) < leastErrors {
		return 0, false
	}
	return t, true
}

// mostAlone is the largest size for which reach succeeds.
func mostAlone(c *modelcard.Calibration, target float64) int {
	return int(target * float64(c.Points[len(c.Points)-1].Impostors) / leastErrors)
}
