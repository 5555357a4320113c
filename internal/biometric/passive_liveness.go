package biometric

import (
	"context"
	"errors"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// PassiveLiveness asks whether the selfie looks live, by one picture. It is a signal: one picture cannot show that somebody was there.
type PassiveLiveness struct{ card modelcard.Card }

// Kind is liveness.passive.
func (PassiveLiveness) Kind() idv.CheckKind { return idv.CheckPassiveLiveness }

// Needs the face of the selfie.
func (PassiveLiveness) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactSelfie} }

// Check reports the signal (0–1, higher is more live). It never fails: below the operating point it is undecided for liveness.failed. An
// error if the model did not run, or nobody measured it.
func (l PassiveLiveness) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	a, ok := ev.Best(idv.ArtifactSelfie)
	if !ok || !a.Present {
		return idv.DoesNotApply("There is no face to check."), nil
	}
	s, err := idv.ValueOf[idv.SelfieFace](a)
	if err != nil {
		return idv.Finding{}, err
	}
	if s.Liveness == nil {
		return idv.Finding{}, errors.New("passive liveness: the model did not run")
	}
	least, rates, err := l.operatingPoint()
	if err != nil {
		return idv.Finding{}, err
	}
	f := idv.Passed()
	if !(*s.Liveness >= least) {
		f = idv.Undecided(idv.Reason{Code: problem.LivenessFailed.Code})
		if s.Frame != nil {
			f.Places = []idv.FindingPlace{idv.FrameAt(*s.Frame, "live", *s.Liveness)}
		}
	}
	f.Score, f.Threshold, f.Inputs = s.Liveness, &least, a.Inputs
	f.Models, f.Rates = []idv.ModelRef{refOf(l.card)}, rates
	f.Note = "One signal: it can refer, and never declines."
	return f, nil
}

// operatingPoint is the signal below which the check refers, and how often it errs there: as measured for the model that this version
// comes with, or as the card of another model has it.
func (l PassiveLiveness) operatingPoint() (float64, *idv.ErrorRates, error) {
	known := liveness.Signals()
	if l.card.SHA256 != known.Model {
		c := l.card.Calibration
		if c == nil {
			return 0, nil, errors.New("passive liveness: the model's card has no calibration")
		}
		least := c.Points[0].Threshold
		apcer, bpcer := c.FMRAt(least), c.FNMRAt(least)
		return least, &idv.ErrorRates{APCER: &apcer, BPCER: &bpcer, DataSet: c.DataSet, Note: c.Measure}, nil
	}
	rates := ratesOf(known, idv.CheckPassiveLiveness)
	if all := known.OfPictures(); rates != nil && all.Of > 0 {
		acted, bpcer := known.Rates[idv.CheckPassiveLiveness].Doubted, all.Rate()
		rates.BPCER = &bpcer
		rates.Note = fmt.Sprintf("%d of %d pictures of people doubted, most of them published photographs; unmeasured on live people. Acted people: %d of %d. %s",
			all.Count, all.Of, acted.Count, acted.Of, rates.Note)
	}
	return known.Passive, rates, nil
}
