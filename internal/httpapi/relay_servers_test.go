package httpapi_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/chiptest"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/services"
)

// besides is another server of the deployment: it shares nothing but the store.
func besides(w *world) string {
	w.t.Helper()
	own := services.New(w.store, w.store.Pictures(), nil, services.Options{Now: w.clock.now})
	api, err := httpapi.New(own, w.accounts, w.verifier, httpapi.Stores{Web: w.store, Idempotency: w.store.Replays(), Log: w.store, Requests: w.store},
		httpapi.Options{PublicURL: "http://localhost", Webhooks: w.hooks, Workflows: w.flows, Now: w.clock.now})
	must(w.t, err)
	server := httptest.NewServer(api.Handler())
	w.t.Cleanup(func() { api.Stop(); server.Close() })
	return server.URL
}

// progressAt asks a server how far the relay of a session is.
func progressAt(t *testing.T, url, token string) (p wire.ChipProgress) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url+"/v1/applicant/chip", nil)
	must(t, err)
	r.Header.Set("Authorization", "Bearer "+token)
	got, err := http.DefaultClient.Do(r)
	must(t, err)
	defer got.Body.Close() //nolint:errcheck // closing an answer that was read cannot lose anything
	raw, err := io.ReadAll(got.Body)
	must(t, err)
	if got.StatusCode != http.StatusOK {
		t.Fatalf("got %d: %s", got.StatusCode, raw)
	}
	must(t, json.Unmarshal(raw, &p))
	return p
}

func TestTheOtherServerShowsHowFarARelayIs(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		t.Helper()
		c := newChipsIn(t, w, idv.ChipRequired, everyChipCheck...)
		other := besides(w)
		id, token := c.begun()
		_, stranger := c.begun()
		at := func(want applicant.RelayState, when string) {
			t.Helper()
			if got := progressAt(t, other, token).State; got != want {
				t.Errorf("%s: the other server says %s, want %s", when, got, want)
			}
		}
		at(applicant.RelayNone, "before an app came")
		p := c.phone(t, token, chiptest.New(c.relayed(20_000)))
		var shown []wire.ChipProgress
		lost := false
		p.answer = func(m said, _ []string) any {
			w.clock.move(time.Second) // the bytes are due with each batch
			shown = append(shown, progressAt(t, other, token))
			if got := progressAt(t, other, stranger); got.State != applicant.RelayNone {
				t.Errorf("another session gets %+v", got)
			}
			if m.Reading == "DG2" && m.Read > 0 && !lost {
				lost = true
				return fields{"type": "lost", "id": m.ID}
			}
			return nil
		}
		p.start(zoneKey())
		if m := p.carry(); m.Type != "stopped" {
			t.Fatalf("a lost contact: %+v", m)
		}
		at(applicant.RelayStopped, "after contact was lost")
		p.send(fields{"type": "again"})
		if m := p.carry(); m.Type != "done" {
			t.Fatalf("the relay ends with %+v", m)
		}
		picture := false
		for i, got := range shown {
			picture = picture || got.State == applicant.RelayReading && got.Reading == "DG2" && got.Of > 20_000 && got.Read > 0
			if got.State != applicant.RelayReading {
				t.Errorf("during batch %d it says %+v", i, got)
			}
		}
		if !picture {
			t.Errorf("it never says how much of the picture is read: %+v", shown)
		}
		p.carryUntilGone()
		at(applicant.RelayNone, "after the chip was taken, "+id)
	})
}

func TestARelayOfAServerThatDiedIsForgotten(t *testing.T) {
	t.Parallel()
	c := newChips(t, idv.ChipRequired, everyChipCheck...)
	other := besides(c.world)
	_, token := c.begun()
	p := c.phone(t, token, chiptest.New(c.relayed(0)))
	if m, err := p.hear(); err != nil || m.Type != "ready" {
		t.Fatalf("%+v, %v", m, err)
	}
	if got := progressAt(t, other, token).State; got != applicant.RelayOpen {
		t.Fatalf("an app is connected, and the other server says %s", got)
	}
	c.clock.move(3 * time.Minute) // nothing is heard of the relay, as when its server died
	if got := progressAt(t, other, token).State; got != applicant.RelayNone {
		t.Errorf("it is still said to be %s", got)
	}
}
