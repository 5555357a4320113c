// Package forgeries measures what verdicts make of edited documents.
//
// Specimens are forged as package forge does it, before they are printed and after they were photographed, and go through a
// whole verification. Beside them go the same documents as they are, photographed by the same camera: what is refused of a
// forgery counts only where its genuine document passed.
package forgeries

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/forge"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Options say what is forged and measured.
type Options struct {
	Documents int
	Seed      int64           // of the first document
	Families  []forge.Family  // empty: every family
	Kinds     []fixtures.Kind // in turn; empty: Kinds
	Camera    string          // phone or scan
	Suspects  Suspects        // nil where nothing reports regions
	Progress  func(done, total int)

	Known []Case             // of an earlier run: their documents are not measured again
	Keep  func([]Case) error // is given the cases of a document as soon as it was measured; nil: nobody is
}

// Suspects lists the regions of one side's picture that a report suspects, in parts of the picture.
type Suspects func(r idv.Report, side idv.Side) []idv.Box

// Kinds lists the kinds that are forged where none is asked for: those with code lines, and licences whose numbers are read twice.
func Kinds() []fixtures.Kind {
	return []fixtures.Kind{
		fixtures.Passport, fixtures.IDCard, fixtures.TD2Card, fixtures.Visa, fixtures.ResidencePermit, fixtures.PassportCard,
		fixtures.FrenchCard, fixtures.VisaB, fixtures.EULicence, fixtures.UKLicence,
	}
}

// Case is what came of one document.
type Case struct {
	Seed     int64               `json:"seed"`
	Kind     fixtures.Kind       `json:"kind"`
	Styled   bool                `json:"styled"` // not in the one look that the kind has of its own
	Family   forge.Family        `json:"family,omitempty"`
	Stage    Stage               `json:"stage"`
	Facts    []idv.ClaimName     `json:"facts,omitempty"` // changed
	How      []string            `json:"how,omitempty"`   // what the forger did, in words
	Changed  float64             `json:"changed"`         // part of the pictures' pixels that he changed, 0 to 1
	Approved bool                `json:"approved"`
	Outcome  idv.DecisionOutcome `json:"outcome,omitempty"` // empty where a picture was not accepted at all
	Rule     string              `json:"rule"`
	Reasons  []string            `json:"reasons,omitempty"` // check and reason of what did not pass
	Located  *float64            `json:"located,omitempty"` // greatest overlap of a suspected region with what was changed
}

// Generated forges documents in memory and verifies them. Cases come in the order of their seeds.
func Generated(ctx context.Context, e *flow.Engine, o Options) ([]Case, error) {
	if len(o.Kinds) == 0 {
		o.Kinds = Kinds()
	}
	if len(o.Families) == 0 {
		o.Families = forge.Families()
	}
	var (
		mu     sync.Mutex
		cases  = make([][]Case, o.Documents)
		failed error
		done   int
		wg     sync.WaitGroup
		next   = make(chan int)
	)
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for k := range next {
				got, known := o.known(o.Seed + int64(k))
				var err error
				if !known {
					got, err = o.document(ctx, e, o.Seed+int64(k))
				}
				mu.Lock()
				if err == nil && !known && o.Keep != nil {
					err = o.Keep(got)
				}
				cases[k], done = got, done+1
				if err != nil && failed == nil {
					failed = err
					cancel()
				}
				if o.Progress != nil {
					o.Progress(done, o.Documents)
				}
				mu.Unlock()
			}
		})
	}
	for k := 0; k < o.Documents && ctx.Err() == nil; k++ {
		next <- k
	}
	close(next)
	wg.Wait()
	if err := errors.Join(failed, context.Cause(ctx)); err != nil {
		return nil, fmt.Errorf("bench forgeries: %w", err)
	}
	return slices.Concat(cases...), nil
}

// known are the cases of a document that was measured before.
func (o Options) known(seed int64) ([]Case, bool) {
	var out []Case
	for _, c := range o.Known {
		if c.Seed == seed {
			out = append(out, c)
		}
	}
	return out, len(out) > 0
}

// document verifies one document and everything that is forged of it.
func (o Options) document(ctx context.Context, e *flow.Engine, seed int64) ([]Case, error) {
	subject, err := NewSubject(o.Kinds[int(seed)%len(o.Kinds)], seed, o.Camera)
	if err != nil {
		return nil, err
	}
	var out []Case
	try := func(c Case, shots Shots) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		c.Seed, c.Kind, c.Styled, c.Changed = seed, subject.Doc.Kind, subject.Styled, shots.changed()
		if err := c.verify(ctx, e, shots, o.Suspects); err != nil {
			return fmt.Errorf("document %d, %s %s: %w", seed, c.Family, c.Stage, err)
		}
		out = append(out, c)
		return nil
	}
	if err := try(Case{Stage: Genuine}, subject.Genuine); err != nil {
		return nil, err
	}
	twice, err := subject.SavedTwice()
	if err != nil {
		return nil, err
	}
	if err := try(Case{Stage: SavedTwice}, twice); err != nil {
		return nil, err
	}
	for _, family := range o.Families {
		for _, stage := range []Stage{BeforePrint, AfterCapture} {
			forged, err := subject.Forge(family, stage)
			if none := (forge.ErrNotForgeable{}); errors.As(err, &none) {
				continue
			}
			if err != nil {
				return nil, err
			}
			c := Case{Family: family, Stage: stage, Facts: forged.Plan.Facts, How: forged.Plan.Notes}
			if err := try(c, forged.Shots); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}

// validOn is the day on which specimens are shown; they are made valid on it.
var validOn = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// workflow asks for the document alone, accepts specimens, and confirms print as leniently as a workflow can.
func workflow() idv.WorkflowVersion {
	w := idv.PictureWorkflow(idv.Live)
	w.AcceptSpecimens, w.SettledBy = true, idv.SettledByTwoReaders
	w.Steps = slices.DeleteFunc(w.Steps, func(s idv.Step) bool { return s == idv.StepSelfie })
	w.Required = slices.DeleteFunc(w.Required, func(k idv.CheckKind) bool { return k == idv.CheckSelfieQuality || k == idv.CheckFaceMatch })
	return w
}

// verify runs the shots through a whole verification of the document, without a selfie.
func (c *Case) verify(ctx context.Context, e *flow.Engine, shots Shots, suspects Suspects) error {
	q := flow.Request{Mode: idv.Live, Now: validOn, Workflow: workflow(), Claimed: map[idv.ClaimName]string{}, Document: shots[idv.Front].Raw}
	if back, ok := shots[idv.Back]; ok {
		q.Back = back.Raw
	}
	return c.take(ctx, e, q, func(r idv.Report) {
		if suspects == nil || c.Family == "" {
			return
		}
		best := 0.
		for side, shot := range shots {
			for _, b := range suspects(r, side) {
				best = max(best, overlap(b, shot.Mask))
			}
		}
		c.Located = &best
	})
}

func (c *Case) take(ctx context.Context, e *flow.Engine, q flow.Request, look func(idv.Report)) error {
	res, err := e.Verify(ctx, q)
	if code, ok := notAccepted(err); ok {
		c.Rule, c.Reasons = "not accepted", []string{"capture: " + code}
		return nil
	}
	if err != nil {
		return fmt.Errorf("verify: %w", err)
	}
	c.Outcome, c.Rule = res.Verdict.Outcome, res.Verdict.Rule
	c.Approved = c.Outcome == idv.DecideApprove
	for _, k := range res.Report.Checks {
		if k.Required {
			c.Reasons = append(c.Reasons, reasonsOf(k)...)
		}
	}
	look(res.Report)
	return nil
}

// reasonsOf are check and reason of what did not pass.
func reasonsOf(k idv.Check) []string {
	switch {
	case k.Lifecycle == idv.CheckBroken:
		return []string{string(k.Kind) + ": not run"}
	case k.Finding == nil || k.Lifecycle == idv.CheckSkipped || k.Finding.Outcome == idv.Pass:
		return nil
	case len(k.Finding.Reasons) == 0:
		return []string{string(k.Kind) + ": " + string(k.Finding.Outcome)}
	}
	var out []string
	for _, r := range k.Finding.Reasons {
		if text := string(k.Kind) + ": " + r.Code; !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}

// overlap is what a box and the marked pixels of a mask share, as part of what they cover together: the box of the mask counts,
// since letters do not fill theirs.
func overlap(b idv.Box, mask *imaging.Gray) float64 {
	if mask == nil {
		return 0
	}
	m, ok := bounds(mask)
	if !ok {
		return 0
	}
	w, h := float64(mask.W), float64(mask.H)
	x := max(0, min(b.X+b.Width, float64(m.Max.X)/w)-max(b.X, float64(m.Min.X)/w))
	y := max(0, min(b.Y+b.Height, float64(m.Max.Y)/h)-max(b.Y, float64(m.Min.Y)/h))
	shared := x * y
	return shared / (b.Width*b.Height + float64(m.Dx())/w*float64(m.Dy())/h - shared)
}
