package integrator

import (
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Verification answers the call that verifies pictures at once and stores nothing.
type Verification struct {
	sessions   *session.Service // knows the workflows
	verifier   Verifier
	room       *edge.Room
	verifying  chan struct{} // has room for as many verifications as may run at the same time
	verifyWait time.Duration
	record     func(context.Context, audit.Record) error
	now        func() time.Time
	log        *slog.Logger
}

// Routes returns the calls, in the order of the reference.
func (h *Verification) Routes() []edge.Route {
	return []edge.Route{
		{
			Method: http.MethodPost, Path: "/v1/verify", ID: "verify", Who: edge.Integrator, May: account.VerifyDirectly, Sends: edge.Pictures,
			Summary: "Verify pictures in one call",
			Description: "Pictures in, report out. Nothing is kept. There is no liveness challenge in this call, and the report says so. At most " +
				"a few run at the same time; more are answered with `unavailable`.",
			Form: verifyForm(), Bind: edge.Call(h.verify),
		},
	}
}

func (h *Verification) verify(ctx context.Context, _ *wire.None) (*wire.Answer[wire.VerifyResult], error) {
	leave, err := h.room.Enter(ctx, edge.HTTPRequest(ctx), "", edge.Pictures.MaxBytes())
	if err != nil {
		return nil, err
	}
	defer leave()
	q, err := h.read(ctx)
	if err != nil {
		return nil, err
	}
	res, err := h.verifyInTurn(ctx, q)
	if err != nil {
		return nil, err
	}
	h.logBroken(ctx, res)
	// All that is kept: who asked, when, and the outcome.
	if err := h.record(ctx, audit.Record{Action: "verification." + string(res.Verdict.Outcome), Subject: edge.RequestID(ctx)}); err != nil {
		return nil, err
	}
	return wire.Reply(verifyResultOf(res), nil)
}

// verifyInTurn runs a verification when there is room for one more. Problems: unavailable, when that takes longer than verifyWait.
func (h *Verification) verifyInTurn(ctx context.Context, q flow.Request) (flow.Result, error) {
	leave, err := enter(ctx, h.verifying, h.verifyWait)
	if err != nil {
		return flow.Result{}, err
	}
	defer leave()
	return h.verifier.Verify(ctx, q)
}

// enter takes one of a number of places and returns how to leave it, waiting at most that long for one. Problems: unavailable.
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

// read reads the form of a verification.
func (h *Verification) read(ctx context.Context) (flow.Request, error) {
	form, err := edge.ReadForm(edge.HTTPRequest(ctx), verifyFields)
	if err != nil {
		return flow.Request{}, err
	}
	claimed, err := readClaims(form.Text["claims"])
	if err != nil {
		return flow.Request{}, err
	}
	if born, ok := claimed[idv.DateOfBirth]; ok {
		if err := session.CheckDateOfBirth("claims/"+string(idv.DateOfBirth), born, h.now()); err != nil {
			return flow.Request{}, err
		}
	}
	mode := edge.KeyMode(ctx)
	w, err := h.sessions.Workflow(ctx, mode, form.Text["workflow"])
	if p, ok := problem.As(err); ok {
		return flow.Request{}, p.At("workflow")
	}
	if err != nil {
		return flow.Request{}, err
	}
	return flow.Request{
		Document: form.Files["document"], Back: form.Files["back"], Selfie: form.Files["selfie"],
		Claimed: claimed, Workflow: w, Mode: mode, Now: h.now(),
	}, nil
}

// logBroken logs why checks could not run; the answer only says that they did not.
func (h *Verification) logBroken(ctx context.Context, res flow.Result) {
	for kind, err := range res.Broken {
		h.log.WarnContext(ctx, "check broken", "request_id", edge.RequestID(ctx), "check", kind, "error", err)
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

// readClaims reads the form's JSON object of facts. Problems: request.malformed, request.unknown_field.
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

func verifyForm() *huma.Schema {
	longest, name := 4096, 64
	return wire.FormSchema([]string{"document"}, map[string]*huma.Schema{
		"document": wire.FileSchema("The side of the document with the portrait"),
		"back":     wire.FileSchema("The other side"),
		"selfie":   wire.FileSchema("The person's face"),
		"claims": {
			Type: huma.TypeString, MaxLength: &longest,
			Description: "A JSON object of facts to compare with the document, such as {\"family_name\": \"…\"}",
		},
		"workflow": {
			Type: huma.TypeString, MaxLength: &name,
			Description: "Name of a published workflow; the default one if left out. One that asks for liveness refers at best: nothing here can show it",
		},
	})
}

var verifyFields = map[string]edge.Field{
	"document": {File: true, Most: edge.MaxPictureBytes, Required: true},
	"back":     {File: true, Most: edge.MaxPictureBytes},
	"selfie":   {File: true, Most: edge.MaxPictureBytes},
	"claims":   {Most: 4096},
	"workflow": {Most: 64},
}

// Verifier runs a whole verification in memory (flow.Engine).
type Verifier interface {
	Verify(ctx context.Context, q flow.Request) (flow.Result, error)
}
