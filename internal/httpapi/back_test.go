package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idvtest"
)

func TestADocumentIsPutAsideWhileTheTaskSaysSo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token := w.begun()
	back := func() answer {
		return w.do(ask{method: "POST", path: "/v1/applicant/other-document", bearer: token, body: map[string]any{}})
	}
	back().want(t, 409, "capture.out_of_order")
	anna := idvtest.Passport("anna")
	sent := w.send(token, "document_front", anna)
	sent.want(t, 200, "")
	if field(sent.body, "back") != "document" {
		t.Fatalf("after the picture: %s", sent.body)
	}
	got := back()
	got.want(t, 200, "")
	if field(got.body, "step") != "choose" || field(got.body, "back") != "consent" {
		t.Errorf("back at %s", got.body)
	}
	for _, secret := range []string{anna.Number, anna.Family, anna.Birth, `"captures"`, "cap_", "superseded", "score", "threshold", "sha256"} {
		if secret != "" && strings.Contains(got.body, secret) {
			t.Errorf("%q is told in %s", secret, got.body)
		}
	}
	w.send(token, "selfie", idvtest.Selfie("anna")).want(t, 409, "capture.out_of_order")
	back().want(t, 409, "capture.out_of_order")
	w.do(ask{method: "POST", path: "/v1/applicant/other-document", bearer: "nobody", body: map[string]any{}}).want(t, 401, "auth.invalid")
	w.work()
	_, decided := w.decided("anna")
	w.do(ask{method: "POST", path: "/v1/applicant/other-document", bearer: decided, body: map[string]any{}}).want(t, 409, "session.finished")
}
