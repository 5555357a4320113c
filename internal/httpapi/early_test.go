package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

// What a reading says reaches the browser as an update of its own, and a question is answered once.
func TestTheReadingOfADocumentIsAnUpdateOfItsOwn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token := w.begun()
	reply := func(with string) answer {
		return w.do(ask{method: "POST", path: "/v1/applicant/reply", bearer: token, body: map[string]any{"reply": with}})
	}
	reply("continue").want(t, 409, "capture.out_of_order")
	card := idvtest.Passport("anna")
	card.Kind = idv.IDCard
	sent := w.send(token, "document_front", card)
	sent.want(t, 200, "")
	if field(sent.body, "checking") != "document_front" {
		t.Fatalf("right after the upload: %s", sent.body)
	}
	s := w.listen("/v1/applicant/events", token, "", "")
	if first, ok := s.next(false); !ok || first.name != "task" || field(first.data, "checking") != "document_front" {
		t.Fatalf("at once: %+v", first)
	}
	w.work()
	var told string
	for told == "" {
		e, ok := s.next(false)
		if !ok {
			t.Fatal("the stream ended before the reading came")
		}
		if e.name == "step.checked" {
			told = e.data
		}
	}
	for _, want := range []string{`"document.kind_differs"`, `"asks":true`, `"document_kind":"id_card"`} {
		if !strings.Contains(told, want) {
			t.Errorf("%s is missing in %s", want, told)
		}
	}
	for _, secret := range []string{card.Number, card.Family, card.Birth, "checking", "score", "liveness.", "threshold"} {
		if secret != "" && strings.Contains(told, `"`+secret) {
			t.Errorf("%s is told in %s", secret, told)
		}
	}
	reply("perhaps").want(t, 400, "request.malformed")
	next := reply("continue")
	next.want(t, 200, "")
	if field(next.body, "step") != "document_back" {
		t.Errorf("after the answer: %s", next.body)
	}
	reply("continue").want(t, 409, "capture.out_of_order")
}
