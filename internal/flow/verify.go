package flow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// Request is one whole verification, all at once. Back and Selfie may be nil.
type Request struct {
	Document, Back, Selfie []byte
	Claimed                map[idv.ClaimName]string
	Workflow               idv.WorkflowVersion
	Mode                   idv.Mode
	Now                    time.Time
}

// Result is the answer to a Request.
type Result struct {
	Report     idv.Report
	Verdict    idv.Verdict
	Extraction idv.Extraction          // everything found, over all captures
	Broken     map[idv.CheckKind]error // why a check is broken, unless nothing was sent for it; for the operator, never part of the report
	Timings    map[string]time.Duration
}

// Verify runs a whole verification in memory. Nobody can be asked to try again, so the verdict is approved,
// declined or referred. A picture that cannot be opened at all is returned as a *problem.Error that names it;
// an extraction that breaks leaves its checks broken, and refers. Problems: unavailable where too many pictures are being looked at.
func (e *Engine) Verify(ctx context.Context, q Request) (Result, error) {
	res := Result{Timings: map[string]time.Duration{}, Broken: map[idv.CheckKind]error{}}
	for _, c := range capturesOf(q) {
		start := time.Now()
		x, err := e.extractInTurn(ctx, c)
		if problem.Has(err, problem.Unavailable) {
			return Result{}, err
		}
		if p, ok := problem.As(err); ok {
			return Result{}, p.At(string(c.Step))
		}
		if ctx.Err() != nil {
			return Result{}, fmt.Errorf("verify: %w", ctx.Err())
		}
		if err != nil {
			x = idv.Extraction{Artifacts: e.unlooked(c)}
		}
		res.Extraction.Artifacts = append(res.Extraction.Artifacts, x.Artifacts...)
		res.Extraction.Claims = append(res.Extraction.Claims, x.Claims...)
		res.Timings[string(c.Step)] = time.Since(start)
		for stage, d := range x.Timings {
			res.Timings[string(c.Step)+"."+stage] = d
		}
	}
	ev := evidenceOf(q, res.Extraction)
	report, err := Report(q.Workflow, ev, e.askAll(ctx, ev, res.Broken))
	if err != nil {
		return Result{}, err
	}
	res.Report = report
	sent := policy.Attempts{Steps: map[idv.Step]int{}}
	for _, c := range capturesOf(q) {
		sent.Steps[c.Step]++
		sent.Total++
	}
	res.Verdict = e.judge.Decide(policy.FactsOf(report, q.Mode, sent), q.Workflow, policy.AttemptsLeft{})
	return res, nil
}

// extractInTurn is Extract for a caller who waits for the answer. Problems: unavailable.
func (e *Engine) extractInTurn(ctx context.Context, c idv.Capture) (_ idv.Extraction, err error) {
	ctx, span := trace.Start(ctx, "extract", trace.Capture.Is(string(c.Kind)))
	defer span.Close(&err)
	leave, err := e.decoding.enter(ctx, c)
	if err != nil {
		return idv.Extraction{}, err
	}
	defer leave()
	return e.extract(ctx, c)
}

// askAll asks every question that the workflow has, once. A question that cannot be asked is broken.
func (e *Engine) askAll(ctx context.Context, ev idv.Evidence, broken map[idv.CheckKind]error) []idv.Check {
	var out []idv.Check
	for _, k := range e.Expected(ev.Workflow) {
		start := time.Now()
		f, err := e.Ask(ctx, k, ev)
		if err != nil && !errors.Is(err, ErrNotSent) {
			broken[k] = err
		}
		c := Settle(k, f, err)
		c.Required = ev.Workflow.Requires(k)
		c.Duration, c.SettledAt = time.Since(start), ev.Now
		out = append(out, c)
	}
	return out
}

// The words for why a check is broken. The cause itself goes to the operator's log.
const (
	BrokenMissing = "missing" // a model or the evidence is missing: no retry can mend it
	BrokenFailed  = "failed"  // it was tried and failed
)

// Settle turns the answer to a question into a check: settled, skipped where the question does not arise, or
// broken where it could not be asked.
func Settle(k idv.CheckKind, f idv.Finding, err error) idv.Check {
	switch {
	case errors.Is(err, ErrNeverRuns):
		return idv.Check{Kind: k, Lifecycle: idv.CheckBroken, BrokenBy: BrokenMissing}
	case err != nil:
		return idv.Check{Kind: k, Lifecycle: idv.CheckBroken, BrokenBy: BrokenFailed}
	case f.NotApply:
		return idv.Check{Kind: k, Lifecycle: idv.CheckSkipped, Finding: &f}
	default:
		return idv.Check{Kind: k, Lifecycle: idv.CheckSettled, Finding: &f}
	}
}

func capturesOf(q Request) []idv.Capture {
	var out []idv.Capture
	add := func(step idv.Step, raw []byte) {
		if raw == nil {
			return
		}
		kind, side, _ := step.KindOf()
		sum := sha256.Sum256(raw)
		out = append(out, idv.Capture{
			ID: idv.CaptureID(step), Step: step, Side: side, Kind: kind, SHA256: idv.Digest(hex.EncodeToString(sum[:])),
			Size: int64(len(raw)), CreatedAt: q.Now, Bytes: raw,
		})
	}
	add(idv.StepDocumentFront, q.Document)
	add(idv.StepDocumentBack, q.Back)
	add(idv.StepSelfie, q.Selfie)
	return out
}

func evidenceOf(q Request, x idv.Extraction) idv.Evidence {
	return idv.Evidence{
		Mode: q.Mode, Workflow: q.Workflow, Now: q.Now, Captures: capturesOf(q), Artifacts: x.Artifacts,
		Claims: append(x.Claims, idv.ClaimedFacts(q.Claimed)...),
	}
}
