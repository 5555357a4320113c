package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

// checkpoint is the newest checkpoint of the log.
func (w *world) checkpoint() audit.Checkpoint {
	w.t.Helper()
	c, _, err := w.store.AuditCheckpoint(w.t.Context())
	must(w.t, err)
	return c
}

// entry is the id of an entry of the log.
func (w *world) entry() string {
	w.t.Helper()
	found, err := w.store.AuditPage(w.t.Context(), audit.Filter{Limit: 1})
	must(w.t, err)
	if len(found) != 1 {
		w.t.Fatal("the log is empty")
	}
	return string(found[0].ID)
}

func auditPage(w *world, cookie, query string) wire.AuditPage {
	w.t.Helper()
	var out wire.AuditPage
	a := w.do(ask{method: "GET", path: "/v1/console/audit/entries" + query, cookie: cookie}).want(w.t, 200, "")
	must(w.t, json.Unmarshal([]byte(a.body), &out))
	return out
}

func TestTheAuditLogIsReadFilteredAndProven(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	first, _ := w.create(w.key, map[string]any{"external_reference": "secretreference", "claimed": map[string]any{"family_name": "SECRETNAME"}})
	older := w.checkpoint()
	second, _ := w.create(w.live, nil)

	all := auditPage(w, cookie, "")
	if len(all.Items) < 4 || all.Items[0].Session != "" && string(all.Items[0].Session) != second || all.Next != "" {
		t.Fatalf("newest first: %+v", all)
	}
	w.run(t, "pages follow one another", func(t *testing.T) {
		var got []string
		after := ""
		for {
			p := auditPage(w, cookie, "?limit=1&after="+after)
			for _, e := range p.Items {
				got = append(got, string(e.ID))
			}
			if after = string(p.Next); after == "" {
				break
			}
		}
		if len(got) != len(all.Items) {
			t.Errorf("got %d entries one by one, %d at once", len(got), len(all.Items))
		}
	})
	for name, c := range map[string]struct {
		query string
		want  func(wire.AuditEntry) bool
	}{
		"by kind of actor": {"?actor=user", func(e wire.AuditEntry) bool { return e.Actor == audit.User && e.Name == "Ada" }},
		"by action":        {"?action=session.created", func(e wire.AuditEntry) bool { return e.Action == "session.created" }},
		"by session":       {"?about=" + first, func(e wire.AuditEntry) bool { return string(e.Session) == first }},
		"by day":           {"?to=2001-01-01", nil},
	} {
		w.run(t, name, func(t *testing.T) {
			p := auditPage(w, cookie, c.query)
			if (len(p.Items) == 0) != (c.want == nil) {
				t.Errorf("got %d entries", len(p.Items))
			}
			for _, e := range p.Items {
				if !c.want(e) {
					t.Errorf("got %+v", e)
				}
			}
		})
	}
	w.run(t, "each entry is proven offline", func(t *testing.T) {
		for _, e := range all.Items {
			a := w.do(ask{method: "GET", path: "/v1/console/audit/entries/" + string(e.ID), cookie: cookie}).want(t, 200, "")
			held, err := audit.CheckDocument([]byte(a.body))
			if err != nil || !strings.Contains(held.Statements[0], string(e.ID)) {
				t.Errorf("%s: %+v, %v", e.ID, held, err)
			}
		}
	})
	w.run(t, "the log only grew since an older checkpoint", func(t *testing.T) {
		a := w.do(ask{method: "GET", path: fmt.Sprintf("/v1/console/audit/consistency?from=%d", older.Size), cookie: cookie}).want(t, 200, "")
		if _, err := audit.CheckDocument([]byte(a.body)); err != nil {
			t.Error(err)
		}
		w.do(ask{method: "GET", path: "/v1/console/audit/consistency?from=999999", cookie: cookie}).want(t, 400, "request.malformed")
		w.do(ask{method: "GET", path: "/v1/console/audit/entries?after=evt_06c1q2m3n4p5r6s7t8v9w0x1y2", cookie: cookie}).want(t, 400, "request.malformed")
	})
	w.run(t, "nothing personal is in it", func(t *testing.T) {
		a := w.do(ask{method: "GET", path: "/v1/console/audit/entries", cookie: cookie})
		for _, secret := range []string{"SECRETNAME", "secretreference", ownerEmail, "127.0.0.1\""} {
			if strings.Contains(a.body, secret) {
				t.Errorf("it holds %s", secret)
			}
		}
	})
	w.run(t, "a reviewer reads none of it", func(t *testing.T) {
		w.roles.instead = []account.Role{account.Reviewer, account.SeniorReviewer, account.Developer}
		defer func() { w.roles.instead = nil }()
		for _, path := range []string{"/entries", "/entries/" + string(all.Items[0].ID), "/checkpoint", "/consistency?from=1"} {
			w.do(ask{method: "GET", path: "/v1/console/audit" + path, cookie: cookie}).want(t, 403, "auth.forbidden")
		}
	})
}
