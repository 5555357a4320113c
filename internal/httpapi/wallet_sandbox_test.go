package httpapi_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/persona"
)

// withoutFace is a workflow in which a wallet alone can be enough.
func withoutFace(s *wire.WorkflowSpec) {
	s.Steps = slices.DeleteFunc(s.Steps, func(step idv.Step) bool { return step == idv.StepSelfie })
	s.Required = slices.DeleteFunc(s.Required, idv.CheckKind.AboutFace)
}

// tries lets the test wallet answer a request.
func (c wallets) tries(token, request, choice string) answer {
	return c.do(ask{method: "POST", path: "/v1/applicant/steps/wallet/" + request + "/test", bearer: token, body: map[string]any{"choice": choice}})
}

// decided waits for a verdict.
func (c wallets) decided(id string) (state string) {
	c.t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		state = field(c.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: c.world.key}).want(c.t, 200, "").body, "state")
		if state != "capturing" && state != "processing" {
			break
		}
	}
	return state
}

func TestTheTestWalletAnswersInTestModeAlone(t *testing.T) {
	t.Parallel()
	c := newWallets(t, newWorld(t), withoutFace)
	for choice, want := range map[string]string{"share": "approved", "other_name": "approved", "expired": "rejected", "revoked": "rejected"} {
		c.run(t, choice, func(t *testing.T) {
			id, token := c.begun()
			task := c.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "").body
			if !strings.Contains(task, `"wallet_test":true`) {
				t.Errorf("the page is not told: %s", task)
			}
			c.tries(token, c.ask(token, "browser").ID, choice).want(t, 202, "")
			if want == "approved" {
				if state := c.decided(id); state != want {
					t.Errorf("it is %s for %v: %s", state, c.reasons(id), c.found(id))
				}
				return
			}
			if got := c.counts(token); got != want {
				t.Errorf("it counts for %q: %s", got, c.found(id))
			}
		})
	}
	_, link := c.create(c.live, nil)
	live := c.open(link)
	c.agree(live)
	_, token := c.begun()
	a := c.ask(token, "browser")
	c.tries(live, a.ID, "share").want(t, 409, "session.conflict")
	if task := c.do(ask{method: "GET", path: "/v1/applicant/task", bearer: live}).want(t, 200, "").body; strings.Contains(task, "wallet_test") {
		t.Errorf("a live session offers the test wallet: %s", task)
	}
	_, other := c.begun()
	c.tries(other, a.ID, "share").want(t, 404, "not_found")
	c.tries(token, a.ID, "decline").want(t, 422, "wallet.declined")
	c.tries(token, a.ID, "share").want(t, 410, "wallet.expired")
	c.tries(token, c.ask(token, "cross_device").ID, "share").want(t, 404, "not_found")
}

func TestATestWalletsPortraitStandsInForADocument(t *testing.T) {
	t.Parallel()
	c := newWallets(t, newWorld(t), nil)
	for choice, want := range map[string]string{"share": "stands", "other_face": "stands", "no_portrait": "beside"} {
		c.run(t, choice, func(t *testing.T) {
			id, token := c.begun()
			c.tries(token, c.ask(token, "browser").ID, choice).want(t, 202, "")
			if got := c.counts(token); got != want {
				t.Fatalf("it counts for %q, want %q: %s", got, want, c.found(id))
			}
			if want != "stands" {
				return
			}
			c.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
			if state := c.decided(id); state != "approved" {
				t.Errorf("it is %s for %v", state, c.reasons(id))
			}
			c.proves(t, id)
		})
	}
}

func TestPersonasPresentCredentials(t *testing.T) {
	t.Parallel()
	c := newWallets(t, newWorld(t), withoutFace)
	for name, want := range map[string]string{"wallet": "approved", "wallet_revoked": "in_review", "wallet_declined": "approved"} {
		c.run(t, name, func(t *testing.T) {
			id, _ := c.create(c.world.key, map[string]any{"workflow": "wallet", "claimed": map[string]any{"document_number": persona.Prefix + name}})
			c.do(ask{method: "POST", path: "/v1/sessions/" + id + "/simulate", bearer: c.world.key, body: map[string]any{}}).want(t, 200, "")
			if state := c.decided(id); state != want {
				t.Errorf("it is %s for %v: %s", state, c.reasons(id), c.found(id))
			}
		})
	}
}
