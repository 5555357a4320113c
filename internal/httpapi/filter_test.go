package httpapi_test

import (
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAListIsNotNarrowedToWhatCannotBe(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, narrowedLists)
}

func narrowedLists(t *testing.T, w *world) {
	cookie := w.signIn()
	w.create(w.key, nil)
	for query, field := range map[string]string{
		"country=ZZZ": "country", "country=DEU,Q7": "country", "reason=foo": "reason", "workflow=nope": "workflow", "state=asleep": "state",
		"outcome=maybe": "outcome", "document_kind=library_card": "document_kind", "from=2026-05-04&to=2026-05-03": "to",
	} {
		for _, a := range []ask{
			{method: "GET", path: "/v1/sessions?" + query, bearer: w.key},
			{method: "GET", path: "/v1/console/sessions?mode=test&" + query, cookie: cookie},
			{method: "GET", path: "/v1/console/exports/sessions?mode=test&" + query, cookie: cookie},
		} {
			scenario{ask: a, status: 400, code: "request.malformed", field: field}.run(t, w)
		}
	}
	for _, query := range []string{
		"country=D", "country=DEU", "country=UTO,DEU", "reason=capture.blurred", "workflow=" + idv.WorkflowDefault, "state=created", "outcome=approved",
	} {
		w.do(ask{method: "GET", path: "/v1/sessions?" + query, bearer: w.key}).want(t, 200, "")
	}
}

func TestFiguresAndLogsAreNotNarrowedToWhatCannotBe(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, narrowedFigures)
}

func narrowedFigures(t *testing.T, w *world) {
	cookie := w.signIn()
	w.create(w.key, nil)
	keys, err := w.accounts.Keys.List(t.Context(), idv.Live)
	must(t, err)
	const figures, calls, entries = "/v1/console/analytics?", "/v1/console/request-log?", "/v1/console/audit/entries?"
	for path, field := range map[string]string{
		figures + "workflow=nope": "workflow", figures + "mode=live&workflow=nope": "workflow", figures + "country=ZZZ": "country",
		calls + "problem=foo": "problem", calls + "key=nope": "key", calls + "key=key_06c1q2m3n4p5r6s7t8v9w0x1y2": "key",
		calls + "mode=test&key=" + string(keys[0].ID): "key",
		entries + "action=dance.started":              "action", entries + "action=session": "action",
		entries + "actor=nobody": "actor", entries + "from=2026-05-04&to=2026-05-03": "to",
		entries + "actor=cap_06c1q2m3n4p5r6s7t8v9w0x1y2": "actor",
	} {
		scenario{ask: ask{method: "GET", path: path, cookie: cookie}, status: 400, code: "request.malformed", field: field}.run(t, w)
	}
	for _, path := range []string{
		figures + "country=D", figures + "country=DEU", figures + "country=UTO", figures + "workflow=" + idv.WorkflowDefault,
		calls + "problem=not_found", calls + "mode=live&key=" + string(keys[0].ID),
		entries + "action=session.created", entries + "action=evidence.viewed",
		entries + "actor=system", entries + "actor=usr_06c1q2m3n4p5r6s7t8v9w0x1y2", entries + "about=anything",
	} {
		w.do(ask{method: "GET", path: path, cookie: cookie}).want(t, 200, "")
	}
}

func TestNobodyIsBornTomorrow(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	a := w.do(ask{
		method: "POST", path: "/v1/sessions", bearer: w.key, body: map[string]any{"claimed": map[string]string{"date_of_birth": "2999-01-01"}},
	}).want(t, 400, "request.malformed")
	if got := field(a.body, "field"); got != "/claimed/date_of_birth" || strings.Contains(a.body, "2999") {
		t.Errorf("field %q: %s", got, a.body)
	}
}
