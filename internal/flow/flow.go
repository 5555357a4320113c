// Package flow is the conductor: it knows which capture comes next, which extractor looks at it, which checks
// are ready to be asked and when there is enough for a report. It keeps no state and does no I/O of its own;
// the session use cases drive it with a store, and Verify drives it in memory.
package flow

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// ErrNeverRuns marks an error that no retry can mend: a model is missing or broken, or the evidence that a
// question needs was never asked for. The check is broken at once.
var ErrNeverRuns = errors.New("can never run")

// ErrNotSent marks an ErrNeverRuns where nobody sent what the question is about. Nothing is out of order then, and an operator need
// not know of it.
var ErrNotSent = fmt.Errorf("nothing was sent to ask it of: %w", ErrNeverRuns)

// Engine holds the gates, extractors and checkers of a deployment. It is safe for concurrent use when they are.
type Engine struct {
	gates      []idv.Gate
	extractors []idv.Extractor
	checkers   []idv.Checker
	judge      policy.Judge // keeps compiled rules
	decoding   *decoding
}

// New joins gates, extractors and checkers. There is at most one extractor a capture kind and one checker a
// check kind.
func New(gates []idv.Gate, extractors []idv.Extractor, checkers []idv.Checker, o Options) (*Engine, error) {
	reads := map[idv.CaptureKind]bool{}
	for _, x := range extractors {
		for _, k := range x.Reads() {
			if reads[k] {
				return nil, fmt.Errorf("two extractors read %s", k)
			}
			reads[k] = true
		}
	}
	asks := map[idv.CheckKind]bool{}
	for _, c := range checkers {
		if asks[c.Kind()] {
			return nil, fmt.Errorf("two checkers answer %s", c.Kind())
		}
		asks[c.Kind()] = true
	}
	return &Engine{gates: gates, extractors: extractors, checkers: checkers, decoding: newDecoding(o)}, nil
}

// Glance takes the quick looks at a capture. It returns a *problem.Error of severity retry where the capture
// cannot be used, and unavailable where too many pictures are being looked at; any other error means that the look could not be taken
// and says nothing about the capture.
func (e *Engine) Glance(ctx context.Context, c idv.Capture) (err error) {
	ctx, span := trace.Start(ctx, "glance", trace.Capture.Is(string(c.Kind)))
	defer span.Close(&err)
	leave, err := e.decoding.enter(ctx, c)
	if err != nil {
		return err
	}
	defer leave()
	for _, g := range e.gates {
		if !slices.Contains(g.Reads(), c.Kind) {
			continue
		}
		if err := g.Glance(ctx, c); err != nil {
			return err
		}
	}
	return nil
}

// Extract finds everything in one capture, when it is its turn. Each artifact kind that the capture could yield comes back settled.
func (e *Engine) Extract(ctx context.Context, c idv.Capture) (_ idv.Extraction, err error) {
	ctx, span := trace.Start(ctx, "extract", trace.Capture.Is(string(c.Kind)))
	defer span.Close(&err)
	leave, err := e.decoding.queue(ctx, c)
	if err != nil {
		return idv.Extraction{}, fmt.Errorf("wait for a turn to extract %s: %w", c.Kind, err)
	}
	defer leave()
	return e.extract(ctx, c)
}

// extract is Extract for a caller that has its turn.
func (e *Engine) extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	x, ok := e.extractorOf(c.Kind)
	if !ok {
		return idv.Extraction{}, fmt.Errorf("extract %s: no extractor: %w", c.Kind, ErrNeverRuns)
	}
	out, err := x.Extract(ctx, c)
	if err != nil {
		return idv.Extraction{}, fmt.Errorf("extract %s: %w", c.Kind, err)
	}
	if err := finiteClaims(out.Claims); err != nil {
		return idv.Extraction{}, fmt.Errorf("extract %s: %w", c.Kind, err)
	}
	for _, kind := range x.Yields() {
		if !slices.ContainsFunc(out.Artifacts, func(a idv.Artifact) bool { return a.Kind == kind }) {
			return idv.Extraction{}, fmt.Errorf("extract %s: artifact %s was left unsettled", c.Kind, kind)
		}
	}
	return out, nil
}

// Yields lists the artifacts that a capture of kind k settles.
func (e *Engine) Yields(k idv.CaptureKind) []idv.ArtifactKind {
	if x, ok := e.extractorOf(k); ok {
		return x.Yields()
	}
	return nil
}

// Needs lists the artifacts that check k rests on, those that need not be there included; none for a check without a checker.
func (e *Engine) Needs(k idv.CheckKind) []idv.ArtifactKind {
	c, ok := e.checkerOf(k)
	if !ok {
		return nil
	}
	if h, ok := c.(idv.Heeder); ok {
		return slices.Concat(c.Needs(), h.Heeds())
	}
	return c.Needs()
}

// Expected lists every check that a session of workflow w gets: those it requires, and those only recorded. A question
// about what the workflow never asks for, a selfie or its frames, is not among the latter.
func (e *Engine) Expected(w idv.WorkflowVersion) []idv.CheckKind {
	out := slices.Clone(w.Required)
	taken := []idv.CaptureKind{idv.DocumentImage}
	if slices.Contains(w.Steps, idv.StepSelfie) {
		taken = append(taken, idv.FaceImage)
	}
	if w.AsksLiveness() {
		taken = append(taken, idv.Frames)
	}
	for _, c := range e.checkers {
		if c.Kind().AboutChip() && !w.TakesChip() || c.Kind().AboutWallet() && !w.TakesWallet() || c.Kind().AboutScreening() || c.Kind().AboutSeen() {
			continue // the last two are required, or not asked at all
		}
		if !slices.Contains(out, c.Kind()) && e.askable(c, taken) {
			out = append(out, c.Kind())
		}
	}
	return out
}

// askable reports whether captures of these kinds can yield what a check rests on.
func (e *Engine) askable(c idv.Checker, taken []idv.CaptureKind) bool {
	for _, need := range c.Needs() {
		yields := func(k idv.CaptureKind) bool { return slices.Contains(e.Yields(k), need) }
		if !slices.ContainsFunc(taken, yields) && slices.ContainsFunc([]idv.CaptureKind{idv.DocumentImage, idv.FaceImage, idv.Frames}, yields) {
			return false
		}
	}
	return true
}

// Ready reports whether check k can be asked: each artifact that it needs is settled, present or absent, on
// every side that the flow asks for. A check without a checker is ready at once, so that it breaks at once.
func (e *Engine) Ready(k idv.CheckKind, w idv.WorkflowVersion, chosen idv.DocumentKind, settled []idv.Artifact) bool {
	c, ok := e.checkerOf(k)
	if !ok {
		return true
	}
	for _, need := range c.Needs() {
		for _, side := range e.sides(need, w, chosen) {
			there := func(a idv.Artifact) bool { return a.Kind == need && a.Side == side }
			if !slices.ContainsFunc(settled, there) {
				return false
			}
		}
	}
	return true
}

// Ask asks one question. An error means that it could not be asked.
func (e *Engine) Ask(ctx context.Context, k idv.CheckKind, ev idv.Evidence) (_ idv.Finding, err error) {
	ctx, span := trace.Start(ctx, "check", trace.Check.Is(string(k)))
	defer span.Close(&err)
	c, ok := e.checkerOf(k)
	if !ok {
		return idv.Finding{}, fmt.Errorf("check %s: no checker: %w", k, ErrNeverRuns)
	}
	for _, need := range c.Needs() {
		if unseen(ev, need) {
			return idv.Finding{}, fmt.Errorf("check %s: a picture that could hold %s could not be looked at: %w", k, need, ErrNeverRuns)
		}
		if _, ok := ev.Best(need); !ok && !ev.Workflow.TakesDocument() {
			if !heeds(c, idv.ArtifactWallet) {
				return idv.DoesNotApply("No document was photographed: a credential replaces it."), nil
			}
			continue
		} else if !ok {
			return idv.Finding{}, fmt.Errorf("check %s: no %s: %w", k, need, ErrNotSent)
		}
	}
	if h, ok := c.(idv.Heeder); ok {
		for _, heeded := range h.Heeds() {
			if unseen(ev, heeded) {
				return idv.Finding{}, fmt.Errorf("check %s: what could hold %s could not be looked at: %w", k, heeded, ErrNeverRuns)
			}
		}
	}
	f, err := c.Check(ctx, ev)
	if err != nil {
		return idv.Finding{}, fmt.Errorf("check %s: %w", k, err)
	}
	if err := finiteFinding(f); err != nil {
		return idv.Finding{}, fmt.Errorf("check %s: %w", k, err)
	}
	if f.Reasons == nil {
		f.Reasons = []idv.Reason{}
	}
	return f, nil
}

func heeds(c idv.Checker, k idv.ArtifactKind) bool {
	h, ok := c.(idv.Heeder)
	return ok && slices.Contains(h.Heeds(), k)
}

// unlooked settles everything that a capture could have yielded as absent because nobody could look at it. Every check
// that needs any of it is then broken: a picture that was not seen must not look like one that was not sent.
func (e *Engine) unlooked(c idv.Capture) []idv.Artifact {
	var out []idv.Artifact
	for _, kind := range e.Yields(c.Kind) {
		out = append(out, idv.AbsentArtifact(kind, c, problem.CheckNotRun.Code))
	}
	return out
}

func unseen(ev idv.Evidence, k idv.ArtifactKind) bool {
	return slices.ContainsFunc(ev.Artifacts, func(a idv.Artifact) bool {
		return a.Kind == k && !a.Present && a.Absent == problem.CheckNotRun.Code
	})
}

// sides lists where the flow will have an artifact of kind k.
func (e *Engine) sides(k idv.ArtifactKind, w idv.WorkflowVersion, chosen idv.DocumentKind) []idv.Side {
	var out []idv.Side
	for _, step := range w.StepsFor(chosen) {
		kind, side, ok := w.CaptureOf(step, idv.UsualPath)
		if ok && slices.Contains(e.Yields(kind), k) {
			out = append(out, side)
		}
	}
	return out
}

func (e *Engine) extractorOf(k idv.CaptureKind) (idv.Extractor, bool) {
	for _, x := range e.extractors {
		if slices.Contains(x.Reads(), k) {
			return x, true
		}
	}
	return nil, false
}

func (e *Engine) checkerOf(k idv.CheckKind) (idv.Checker, bool) {
	for _, c := range e.checkers {
		if c.Kind() == k {
			return c, true
		}
	}
	return nil, false
}
