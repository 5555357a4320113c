package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

func TestAVisaIsAcceptedOnlyWhereTheWorkflowNamesIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	begun := func(t *testing.T, name string, documents ...idv.DocumentKind) (token, accepts string) {
		_, token = atConsent(t, w, name, func(s *wire.WorkflowSpec) { s.Documents = append([]idv.DocumentKind{}, documents...) })
		return token, w.do(consents(token, "given", "biometrics")).want(t, 200, "").body
	}
	visa := map[string]any{"document_kind": "visa", "country": "UTO"}

	token, accepts := begun(t, "none_named")
	if !strings.Contains(accepts, `"accepts":["passport","id_card","residence_permit","driving_licence"]`) {
		t.Errorf("none is named: %s", accepts)
	}
	scenario{ask: chooses(token, visa), status: 422, code: "document.type_not_accepted", field: "/document_kind"}.run(t, w)
	w.do(chooses(token, map[string]any{"document_kind": "passport", "country": "UTO"})).want(t, 200, "")
	sticker := idvtest.Passport("anna")
	sticker.Kind = idv.Visa
	w.send(token, "document_front", sticker).want(t, 200, "")
	told := checked(t, w, token)
	for _, want := range []string{`"step":"choose"`, `"document.type_not_accepted"`, "Ask whoever sent the link which documents they accept."} {
		if !strings.Contains(told, want) {
			t.Errorf("%s is missing after a visa was sent as a passport: %s", want, told)
		}
	}
	for _, secret := range []string{sticker.Number, sticker.Family, sticker.Birth} {
		if strings.Contains(told, secret) {
			t.Errorf("%q is told in %s", secret, told)
		}
	}

	token, accepts = begun(t, "visa_named", idv.Passport, idv.Visa)
	if !strings.Contains(accepts, `"accepts":["passport","visa"]`) {
		t.Errorf("a visa is named: %s", accepts)
	}
	w.do(chooses(token, visa)).want(t, 200, "")
	w.send(token, "document_front", sticker).want(t, 200, "")
	if told := checked(t, w, token); field(told, "step") != "selfie" {
		t.Errorf("after the visa: %s", told)
	}
}

func TestNothingIsAskedWhereThereIsNothingToChoose(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	_, token := atConsent(t, w, "passports_of_utopia", func(s *wire.WorkflowSpec) {
		s.Documents, s.Countries = []idv.DocumentKind{idv.Passport}, []string{"UTO"}
	})
	wants := func(body string, all ...string) {
		t.Helper()
		for _, want := range all {
			if !strings.Contains(body, want) {
				t.Errorf("%s is missing in %s", want, body)
			}
		}
	}
	body := w.do(consents(token, "given", "biometrics")).want(t, 200, "").body
	wants(body, `"step":"document_front"`, `"position":2,"total":3`, `"document_kind":"passport"`, `"back":"consent"`)
	// A program that sends the choice all the same is right.
	body = w.do(chooses(token, map[string]any{"document_kind": "passport"})).want(t, 200, "").body
	wants(body, `"step":"document_front"`)
	w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	wants(checked(t, w, token), `"step":"selfie"`, `"position":3,"total":3`, `"back":"document"`)
	body = w.do(ask{method: "POST", path: "/v1/applicant/other-document", bearer: token, body: map[string]any{}}).want(t, 200, "").body
	wants(body, `"step":"document_front"`, `"back":"consent"`, `"document_kind":"passport"`)
	visa := idvtest.Passport("anna")
	visa.Kind = idv.Visa
	w.send(token, "document_front", visa).want(t, 200, "")
	wants(checked(t, w, token), `"step":"document_front"`, `"document.type_not_accepted"`)
}

// checked returns the task once the picture that was sent last has been read.
func checked(t *testing.T, w *world, token string) string {
	t.Helper()
	s := w.listen("/v1/applicant/events", token, "", "")
	for {
		switch e, ok := s.next(false); {
		case !ok:
			t.Fatal("the stream ended before the reading came")
		case !strings.Contains(e.data, `"checking"`):
			return e.data
		}
	}
}
