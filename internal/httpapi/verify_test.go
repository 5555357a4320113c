package httpapi_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func fails(err error) func(context.Context, flow.Request) (flow.Result, error) {
	return func(context.Context, flow.Request) (flow.Result, error) { return flow.Result{}, err }
}

func panics(context.Context, flow.Request) (flow.Result, error) { panic("of " + secret) }

func TestVerifyTakesPicturesAndAnswersAReport(t *testing.T) {
	w := newWorld(t)
	var got flow.Request
	w.verifier.answer = func(_ context.Context, q flow.Request) (flow.Result, error) {
		got = q
		return flow.Result{Verdict: idv.Verdict{Outcome: idv.DecideApprove, Rule: "every required check passed"}}, nil
	}
	a := w.do(ask{method: "POST", path: "/v1/verify", bearer: w.key, body: form{
		"document": []byte("front"), "back": []byte("back"), "selfie": []byte("face"), "claims": `{"family_name":"Zoe\u0308"}`,
	}}).want(t, 200, "")
	want := flow.Request{
		Document: []byte("front"), Back: []byte("back"), Selfie: []byte("face"), Mode: idv.Test,
		Claimed: map[idv.ClaimName]string{idv.FamilyName: "Zo\u00eb"}, Workflow: got.Workflow, Now: got.Now,
	}
	if got.Workflow.Name != idv.WorkflowDefault || got.Workflow.Mode != idv.Test {
		t.Errorf("the workflow is %s in %s mode", got.Workflow.Name, got.Workflow.Mode)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("request (-want +got):\n%s", diff)
	}
	for _, h := range []string{`"outcome":"approved"`, `"checks":[]`, `"claims":[]`, `"reasons":[]`, `"timings_ms":{}`} {
		if !strings.Contains(a.body, h) {
			t.Errorf("the answer lacks %s: %s", h, a.body)
		}
	}
}

func TestVerifyRefusesBadForms(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	verify := func(body any) ask {
		return ask{method: "POST", path: "/v1/verify", bearer: w.key, body: body}
	}
	doc := []byte("x")
	tests := map[string]scenario{
		"no document": {ask: verify(form{"selfie": doc}), status: 400, code: "request.malformed", field: "document"},
		"JSON":        {ask: verify(`{}`), status: 415, code: "request.unsupported_media"},
		"an unknown field": {
			ask: verify(form{"document": doc, "passport": []byte(secret)}), status: 400, code: "request.unknown_field", field: "passport",
		},
		"claims that are not JSON": {ask: verify(form{"document": doc, "claims": secret}), status: 400, code: "request.malformed", field: "claims"},
		"claims that are not texts": {
			ask: verify(form{"document": doc, "claims": `{"family_name":[1]}`}), status: 400, code: "request.malformed", field: "claims",
		},
		"a claim that nobody knows": {
			ask: verify(form{"document": doc, "claims": `{"shoe_size":"` + secret + `"}`}), status: 400, code: "request.unknown_field",
			field: "claims/shoe_size",
		},
		"a picture of more than 15 MiB": {
			ask: verify(form{"document": bytes.Repeat(doc, edge.MaxPictureBytes+1)}), status: 413, code: "request.too_large", field: "document",
		},
		"a workflow that is none": {ask: verify(form{"document": doc, "workflow": "nobody"}), status: 422, code: "workflow.not_published", field: "workflow"},
		"claims of more than 4 KiB": {
			ask: verify(form{"document": doc, "claims": strings.Repeat("x", 5000)}), status: 400, code: "request.malformed", field: "claims",
		},
	}
	for name, s := range tests {
		s.lacks = append(s.lacks, secret)
		w.run(t, name, func(t *testing.T) { s.run(t, w) })
	}
	w.run(t, "a picture that is none", func(t *testing.T) {
		w.verifier.answer = fails(problem.New(problem.CaptureNotAnImage).At("document_front"))
		scenario{ask: verify(form{"document": doc}), status: 422, code: "capture.not_an_image", field: "document_front"}.run(t, w)
	})
}

func TestVerifyIsBusyWhenEnoughRun(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) { o.VerifyAtOnce, o.VerifyWait = 1, 20*time.Millisecond })
	started, end := make(chan struct{}), make(chan struct{})
	w.verifier.answer = func(context.Context, flow.Request) (flow.Result, error) {
		close(started)
		<-end
		return flow.Result{}, nil
	}
	call := ask{method: "POST", path: "/v1/verify", bearer: w.key, body: form{"document": []byte("x")}}
	first := make(chan answer, 1)
	go func() { first <- w.do(call) }()
	<-started
	busy := w.do(call).want(t, 503, "unavailable")
	if busy.header.Get("Retry-After") == "" {
		t.Error("the answer does not say when to come back")
	}
	close(end)
	(<-first).want(t, 200, "")
}

func TestVerifyFollowsTheWorkflowThatIsNamed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	engine, err := flow.New(w.lab.Gates(), w.lab.Extractors(), w.lab.Checkers(), flow.Options{})
	must(t, err)
	w.verifier.answer = engine.Verify
	for name, want := range map[string]string{
		idv.WorkflowNoLiveness: `"outcome":"approved"`,
		idv.WorkflowLiveness:   `"outcome":"referred","reasons":[{"code":"check.not_run"}]`,
	} {
		a := w.do(ask{method: "POST", path: "/v1/verify", bearer: w.key, body: form{
			"document": idvtest.Picture(t, idvtest.Passport("anna")), "selfie": idvtest.Picture(t, idvtest.Selfie("anna")), "workflow": name,
		}}).want(t, 200, "")
		if !strings.Contains(a.body, want) {
			t.Errorf("%s: want %s in %s", name, want, a.body)
		}
	}
}
