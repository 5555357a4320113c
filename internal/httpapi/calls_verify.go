package httpapi

import (
	"context"
	"encoding/json"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func (s *Server) verify(ctx context.Context, _ *wire.None) (*wire.Answer[wire.VerifyResult], error) {
	leave, err := s.room.Enter(ctx, edge.HTTPRequest(ctx), "", edge.Pictures.MaxBytes())
	if err != nil {
		return nil, err
	}
	defer leave()
	q, err := s.readVerification(ctx)
	if err != nil {
		return nil, err
	}
	res, err := s.verifyInTurn(ctx, q)
	if err != nil {
		return nil, err
	}
	s.sayBroken(ctx, res)
	// All that is kept: who asked, when, and the outcome.
	if err := s.record(ctx, audit.Record{Action: "verification." + string(res.Verdict.Outcome), Subject: edge.RequestID(ctx)}); err != nil {
		return nil, err
	}
	return wire.Reply(verifyResultOf(res), nil)
}

// verifyInTurn runs a verification when it is its turn, and not at all when that takes too long.
func (s *Server) verifyInTurn(ctx context.Context, q flow.Request) (flow.Result, error) {
	leave, err := enter(ctx, s.verifying, s.verifyWait)
	if err != nil {
		return flow.Result{}, err
	}
	defer leave()
	return s.verifier.Verify(ctx, q)
}

// enter takes one of a number of places, and waits for one as long as it may. Problems: unavailable.
func enter(ctx context.Context, places chan struct{}, wait time.Duration) (leave func(), err error) {
	leave = func() { <-places }
	select {
	case places <- struct{}{}:
		return leave, nil
	default:
	}
	patience := time.NewTimer(wait)
	defer patience.Stop()
	select {
	case places <- struct{}{}:
		return leave, nil
	case <-patience.C:
		return nil, problem.New(problem.Unavailable).Saying("As many pictures as this server can look at are being verified.")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *Server) readVerification(ctx context.Context) (flow.Request, error) {
	form, err := edge.ReadForm(edge.HTTPRequest(ctx), verifyFields)
	if err != nil {
		return flow.Request{}, err
	}
	claimed, err := readClaims(form.Text["claims"])
	if err != nil {
		return flow.Request{}, err
	}
	mode := edge.KeyMode(ctx)
	w, err := s.sessions.Sessions.Workflow(ctx, mode, form.Text["workflow"])
	if p, ok := problem.As(err); ok {
		return flow.Request{}, p.At("workflow")
	}
	if err != nil {
		return flow.Request{}, err
	}
	return flow.Request{
		Document: form.Files["document"], Back: form.Files["back"], Selfie: form.Files["selfie"],
		Claimed: claimed, Workflow: w, Mode: mode, Now: s.now(),
	}, nil
}

// sayBroken tells the operator why checks could not run; the answer only says that they were not.
func (s *Server) sayBroken(ctx context.Context, res flow.Result) {
	for kind, err := range res.Broken {
		s.log.WarnContext(ctx, "check broken", "request_id", edge.RequestID(ctx), "check", kind, "error", err)
	}
}

func verifyResultOf(res flow.Result) wire.VerifyResult {
	out := wire.VerifyResult{Report: wire.ReportOf(res.Report), Verdict: res.Verdict, Timings: map[string]int64{}}
	out.Verdict.Reasons, out.Verdict.Redo = wire.NonNil(out.Verdict.Reasons), wire.NonNil(out.Verdict.Redo)
	for stage, d := range res.Timings {
		out.Timings[stage] = d.Round(time.Millisecond).Milliseconds()
	}
	return out
}

// readClaims reads the form's JSON object of facts.
func readClaims(raw string) (map[idv.ClaimName]string, error) {
	if raw == "" {
		return nil, nil
	}
	clean, err := wire.CleanJSON([]byte(raw))
	if err != nil {
		if p, ok := problem.As(err); ok {
			return nil, p.At("claims" + p.Field)
		}
		return nil, err
	}
	var out map[idv.ClaimName]string
	if err := json.Unmarshal(clean, &out); err != nil {
		return nil, wire.Malformed("claims", "A JSON object of texts.")
	}
	return out, wire.CheckClaimed("claims", out)
}
