package httpapi_test

import (
	"log/slog"
	"net/http"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/vault"
)

func TestADatabaseThatIsGoneIsUnavailableAndNoMistake(t *testing.T) {
	t.Parallel()
	t.Run("the file of SQLite was moved", func(t *testing.T) {
		t.Parallel()
		w := newWorld(t)
		calls := callsOf(w)
		moved := w.store.File + ".moved"
		must(t, os.Rename(w.store.File, moved))
		for name, a := range calls {
			if a.method != "GET" || strings.HasSuffix(a.path, "readyz") { // what was read before may still be
				unavailable(t, name, w.do(a))
			} else if got := w.do(a); got.status != http.StatusOK && got.status != http.StatusServiceUnavailable {
				t.Errorf("%s: %d %s", name, got.status, got.body)
			}
		}
		must(t, os.Rename(moved, w.store.File))
		recovered(t, w, calls)
	})
	t.Run("PostgreSQL was stopped", func(t *testing.T) {
		t.Parallel()
		cluster := idvtest.PostgresToStop(t)
		w := newWorldOn(t, migratedIn(t, cluster))
		calls := callsOf(w)
		cluster.Stop(t)
		for name, a := range calls {
			unavailable(t, name, w.do(a))
		}
		cluster.Start(t)
		recovered(t, w, calls)
	})
}

// migratedIn makes a database in a cluster, ready for a world.
func migratedIn(t *testing.T, c *idvtest.Cluster) string {
	t.Helper()
	where := c.Empty(t)
	master, err := vault.OpenMaster(idvtest.Master(t))
	must(t, err)
	s, err := store.Open(t.Context(), where, store.Options{Master: master, Log: slog.New(slog.DiscardHandler)})
	must(t, err)
	must(t, s.Migrate(t.Context()))
	must(t, s.Close())
	return where
}

// callsOf are calls of every kind of caller, each of which answers 200 or 201.
func callsOf(w *world) map[string]ask {
	id, link := w.create(w.key, nil)
	token := w.open(link)
	cookie := w.signIn()
	return map[string]ask{
		"readiness":                {method: "GET", path: "/readyz"},
		"an integrator creates":    {method: "POST", path: "/v1/sessions", bearer: w.key, body: map[string]any{}},
		"an integrator reads":      {method: "GET", path: "/v1/sessions/" + id, bearer: w.key},
		"an integrator lists":      {method: "GET", path: "/v1/sessions", bearer: w.key},
		"an applicant asks":        {method: "GET", path: "/v1/applicant/task", bearer: token},
		"a member reads":           {method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie},
		"a member reads the audit": {method: "GET", path: "/v1/console/audit/entries", cookie: cookie},
		"a member signs in": {
			method: "POST", path: "/v1/console/login", body: map[string]any{"email": ownerEmail, "password": ownerPassword},
		},
	}
}

func unavailable(t *testing.T, name string, a answer) {
	t.Helper()
	if a.status != http.StatusServiceUnavailable {
		t.Errorf("%s: got %d %s, want 503", name, a.status, a.body)
	}
	if name != "readiness" && (a.code() != "unavailable" || a.header.Get("Retry-After") == "") {
		t.Errorf("%s: got %s, Retry-After %q", name, a.body, a.header.Get("Retry-After"))
	}
	for _, hidden := range []string{"/tmp", ".db", "SQLITE", "postgres", "socket", "connect", "bonafide-pg"} {
		if strings.Contains(a.body, hidden) {
			t.Errorf("%s tells %q: %s", name, hidden, a.body)
		}
	}
}

// recovered waits until readiness says so by itself, and expects every call to work again.
func recovered(t *testing.T, w *world, calls map[string]ask) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); w.do(calls["readiness"]).status != http.StatusOK; time.Sleep(50 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not ready again: %s", w.do(calls["readiness"]).body)
		}
	}
	for name, a := range calls {
		if got := w.do(a); got.status != http.StatusOK && got.status != http.StatusCreated {
			t.Errorf("%s, when it is back: %d %s", name, got.status, got.body)
		}
	}
}

func TestDamagedPagesAreToldByReadiness(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	must(t, os.Truncate(w.store.File, 8192)) // most of the pages are gone
	p, err := w.store.CheckPages(t.Context())
	if p.Found == "" {
		t.Fatalf("nothing was found: %v", err)
	}
	a := w.do(ask{method: "GET", path: "/readyz"})
	if a.status != http.StatusServiceUnavailable || !strings.Contains(a.body, `"detail":"`) || strings.Contains(a.body, w.store.File) {
		t.Errorf("got %d %s", a.status, a.body)
	}
	if got := w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: map[string]any{}}); got.status >= 500 {
		unavailable(t, "a call that meets the damage", got)
	}
}
