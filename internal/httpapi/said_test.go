package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// atConsent opens a session of a new workflow.
func atConsent(t *testing.T, w *world, name string, change func(*wire.WorkflowSpec)) (id, token string) {
	t.Helper()
	e := editor{w, w.signIn()}
	file, draft := e.draft(t, name, change)
	read[wire.WorkflowVersion](t, e.publish(file.ID, draft.Revision), 200)
	id, link := w.create(w.key, map[string]any{"workflow": name})
	return id, w.open(link)
}

func consents(token, decision, about string) ask {
	version := "biometric-optional-2026-11-2"
	if about == "document" {
		version = "document-2026-11-2"
	}
	return ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": decision, "about": about, "text_version": version, "locale": "en"},
	}
}

func chooses(token string, body map[string]any) ask {
	return ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: body}
}

func TestWhoDeclinesBiometricsGoesOnWithTheDocument(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, token := atConsent(t, w, "optional", func(s *wire.WorkflowSpec) { s.FaceOptional = true })
	scenario{ask: consents(token, "declined", "blood"), status: 400, code: "request.malformed", field: "/about"}.run(t, w)
	scenario{ask: consents(token, "given", "document"), status: 409, code: "capture.out_of_order"}.run(t, w)
	for range 2 {
		a := w.do(consents(token, "declined", "biometrics")).want(t, 200, "")
		if field(a.body, "step") != "consent" || !strings.Contains(a.body, `"face_optional":true`) || !strings.Contains(a.body, `"notices":["face_not_compared"]`) {
			t.Fatalf("after declining: %s", a.body)
		}
	}
	w.do(consents(token, "given", "document")).want(t, 200, "")
	w.do(chooses(token, map[string]any{"document_kind": "passport", "country": "UTO"})).want(t, 200, "")
	if a := w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, ""); field(a.body, "state") != "wait" {
		t.Fatalf("after the passport: %s", a.body)
	}
	if got := w.wait(id); got != "in_review" {
		t.Fatalf("decided as %s", got)
	}
	report := w.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: w.key}).want(t, 200, "").body
	for _, has := range []string{`"face_not_compared"`, `"broken_by":"consent.biometrics_declined"`, `"said":{"country":"UTO","kind":"passport"}`} {
		if !strings.Contains(strings.ReplaceAll(report, `"kind":"passport","country":"UTO"`, `"country":"UTO","kind":"passport"`), has) {
			t.Errorf("the report lacks %s: %s", has, report)
		}
	}
	raised(problem.BiometricsDeclined.Code)
}

func TestTheCountriesThatAPersonMayLookFor(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	list := func(token string) map[string]wire.Issuer {
		out := map[string]wire.Issuer{}
		for _, one := range read[wire.Issuers](t, w.do(ask{method: "GET", path: "/v1/applicant/countries", bearer: token}), 200).Items {
			out[one.Code] = one
		}
		return out
	}
	_, token := atConsent(t, w, "two", func(s *wire.WorkflowSpec) { s.Countries, s.AcceptSpecimens = []string{"D", "GBD"}, false })
	got := list(token)
	for code, want := range map[string]wire.Issuer{
		"D":   {Code: "D", Region: "DE", Name: "Germany", Accepted: true},
		"FRA": {Code: "FRA", Region: "FR", Name: "France"},
		"RKS": {Code: "RKS", Region: "XK", Name: got["RKS"].Name},
		"GBD": {Code: "GBD", Name: got["GBD"].Name, Accepted: true},
	} {
		if got[code] != want {
			t.Errorf("%s: %+v", code, got[code])
		}
	}
	for _, code := range []string{"UTO", "XXA", "GBN"} {
		if one, listed := got[code]; listed {
			t.Errorf("%+v is listed", one)
		}
	}
	_, token = atConsent(t, w, "all", nil)
	if one := list(token)["UTO"]; !one.Accepted || len(list(token)) < 200 {
		t.Errorf("where everything is accepted: %+v of %d", one, len(list(token)))
	}
	scenario{ask: ask{method: "GET", path: "/v1/applicant/countries"}, status: 401, code: "auth.missing"}.run(t, w)
}

func TestACountryIsHeldAgainstTheWorkflow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token := atConsent(t, w, "two", func(s *wire.WorkflowSpec) { s.Countries = []string{"D", "UTO"} })
	scenario{ask: chooses(token, map[string]any{"document_kind": "passport", "country": "UTO"}), status: 409, code: "consent.missing"}.run(t, w)
	w.do(consents(token, "given", "biometrics")).want(t, 200, "")
	for name, c := range map[string]scenario{
		"not accepted": {
			ask: chooses(token, map[string]any{"document_kind": "passport", "country": "FRA"}), status: 422, code: "document.country_not_accepted",
			field: "/country",
		},
		"none": {
			ask: chooses(token, map[string]any{"document_kind": "passport", "country": "QQQ"}), status: 400, code: "request.malformed",
			field: "/country",
		},
		"longer than a code": {
			ask: chooses(token, map[string]any{"document_kind": "passport", "country": secret}), status: 400, code: "request.malformed",
			lacks: []string{secret},
		},
		"a number": {ask: chooses(token, map[string]any{"document_kind": "passport", "country": 7}), status: 400, code: "request.malformed"},
		"a mere status": {
			ask: chooses(token, map[string]any{"document_kind": "passport", "country": "XXA"}), status: 400, code: "request.malformed",
			field: "/country",
		},
	} {
		t.Run(name, func(t *testing.T) { c.run(t, w) })
	}
	a := w.do(chooses(token, map[string]any{"document_kind": "id_card", "country": "DEU"})).want(t, 200, "")
	if !strings.Contains(a.body, `"country":"D"`) || !strings.Contains(a.body, `"asks_country":true`) {
		t.Errorf("chosen: %s", a.body)
	}
	w.do(chooses(token, map[string]any{"document_kind": "passport", "country": "UTO"})).want(t, 200, "")
	w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	scenario{ask: chooses(token, map[string]any{"document_kind": "passport", "country": "D"}), status: 409, code: "capture.out_of_order"}.run(t, w)
}

func TestConsentIsTakenToATextThatWasShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, link := w.create(w.key, nil)
	token := w.open(link)
	answers := func(about, version, locale string) ask {
		body := map[string]any{"decision": "given", "text_version": version, "locale": locale}
		if about != "" {
			body["about"] = about
		}
		return ask{method: "POST", path: "/v1/applicant/consent", bearer: token, body: body}
	}
	for name, tt := range map[string]struct{ about, version, locale, field string }{
		"a version that never was":                {"", "biometric-2031-01-1", "en", "/text_version"},
		"a name for a version":                    {"", "Anna-Maria.Eriksson", "en", "/text_version"},
		"a language that no page speaks":          {"", "biometric-2026-11-3", "tlh", "/locale"},
		"a language of which no page has the tag": {"", "biometric-2026-11-3", "pt", "/locale"},
		"a name for a language":                   {"", "biometric-2026-11-3", "Eriksson", "/locale"},
		"biometrics by the text of the document":  {"biometrics", "document-2026-11-2", "en", "/text_version"},
		"the document by the text of biometrics":  {"document", "biometric-2026-11-3", "en", "/text_version"},
	} {
		w.run(t, name, func(t *testing.T) {
			a := w.do(answers(tt.about, tt.version, tt.locale)).want(t, 400, "request.malformed")
			if got := field(a.body, "field"); got != tt.field {
				t.Errorf("field %q, want %q", got, tt.field)
			}
			if strings.Contains(a.body, "Eriksson") || strings.Contains(a.body, "tlh") {
				t.Errorf("the answer repeats what was sent: %s", a.body)
			}
		})
	}
	w.do(answers("biometrics", "biometric-2026-11-3", "pt-BR")).want(t, 200, "")
}
