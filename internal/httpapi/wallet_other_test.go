package httpapi_test

import (
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/verified"
)

const (
	membership = "urn:example:membership:1"
	vehicle    = "org.example.vehicle.1"
)

// asksOthers is a workflow that asks for credentials that no preset has.
func asksOthers(s *wire.WorkflowSpec) {
	s.WalletAsks = []idv.WalletAsk{}
	s.WalletOthers = []wire.WalletOther{
		{Format: idv.WalletSDJWT, Type: membership, Claims: []wire.WalletClaim{
			{Path: []string{"nickname"}, Optional: true}, {Path: []string{"family_name"}}, {Path: []string{"given_name"}}, {Path: []string{"birthdate"}},
			{Path: []string{"level", "name"}}, {Path: []string{"picture"}, Optional: true},
		}},
		{Format: idv.WalletMDoc, Type: vehicle, Claims: []wire.WalletClaim{{Path: []string{vehicle, "plate"}}, {Path: []string{vehicle, "seats"}, Optional: true}}},
	}
}

// trustsOthers makes the test mode trust the issuer for them.
func (c wallets) trustsOthers() {
	c.t.Helper()
	r := register.New(c.store, register.Options{Now: c.clock.now})
	for scope, purpose := range map[string]trust.Purpose{membership: trust.Issuer, vehicle: trust.IACA} {
		u, err := r.Propose(c.t.Context(), register.Proposal{Mode: idv.Test, File: c.issuer.Root.Raw, Purpose: purpose, Scope: scope, Source: "by post"})
		must(c.t, err)
		_, err = r.Accept(c.t.Context(), u.ID)
		must(c.t, err)
	}
}

// member is what the issuer says of her; without the claims that are named.
func member(without ...string) map[string]any {
	out := map[string]any{
		"family_name": "Eriksson", "given_name": "Anna Maria", "birthdate": "1974-08-12", "level": map[string]any{"name": "gold", "since": 2020},
		"picture": "data:image/jpeg;base64,/9j/4A==", "secret": "not asked for",
	}
	for _, name := range without {
		delete(out, name)
	}
	return out
}

// holdsMembership is a wallet with a membership.
func (c wallets) holdsMembership(claims map[string]any) *wallettest.Wallet {
	holder := wallettest.NewHolder()
	return &wallettest.Wallet{Holder: holder, PID: c.issuer.PID(&holder.PublicKey, membership, time.Now(), claims)}
}

// values are what was disclosed of credentials that no preset has.
func (c wallets) values(id string) map[string]string {
	c.t.Helper()
	var found idv.Wallet
	must(c.t, json.Unmarshal([]byte(c.found(id)), &found))
	out := map[string]string{}
	for _, v := range found.Values {
		out[v.Credential+" "+v.Path] = v.Value
	}
	return out
}

func TestCredentialsThatNoPresetHas(t *testing.T) {
	t.Parallel()
	c := newWallets(t, newWorld(t), asksOthers)
	c.trustsOthers()
	for name, tt := range map[string]struct {
		wallet func() *wallettest.Wallet
		counts string
		values map[string]string
	}{
		"one that says who the person is replaces the document": {
			func() *wallettest.Wallet { return c.holdsMembership(member()) }, "stands", map[string]string{
				"other_1 family_name": "Eriksson", "other_1 given_name": "Anna Maria", "other_1 birthdate": "1974-08-12", "other_1 level/name": "gold",
				"other_1 picture": "(data:image/jpeg)",
			},
		},
		"one without a portrait counts beside it": {
			func() *wallettest.Wallet { return c.holdsMembership(member("picture")) }, "beside", map[string]string{
				"other_1 family_name": "Eriksson", "other_1 given_name": "Anna Maria", "other_1 birthdate": "1974-08-12", "other_1 level/name": "gold",
			},
		},
		"one without a claim that is needed proves nothing": {
			func() *wallettest.Wallet { return c.holdsMembership(member("birthdate")) }, "rejected", map[string]string{},
		},
		"one that says nothing of the person counts beside it": {
			func() *wallettest.Wallet {
				holder := wallettest.NewHolder()
				return &wallettest.Wallet{Holder: holder, Documents: []*wallettest.Document{c.issuer.Document(&holder.PublicKey, vehicle, time.Now(),
					map[string]map[string]any{vehicle: {"plate": "UT 4711", "seats": 5, "colour": "red"}})}}
			}, "beside", map[string]string{"other_2 " + vehicle + "/plate": "UT 4711", "other_2 " + vehicle + "/seats": "5"},
		},
	} {
		c.run(t, name, func(t *testing.T) {
			id, token := c.begun()
			a := c.ask(token, "cross_device")
			request := c.fetch(a.Link)
			c.call("POST", request.ResponseURI, tt.wallet().Form(request)).want(t, 200, "")
			if got := c.counts(token); got != tt.counts {
				t.Fatalf("it counts for %q, want %q: %s", got, tt.counts, c.found(id))
			}
			if diff := cmp.Diff(tt.values, c.values(id)); diff != "" && tt.counts != "rejected" {
				t.Errorf("what is kept (-want +got):\n%s", diff)
			}
			if tt.counts == "stands" {
				c.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
				if state := c.wait(id); state != "approved" {
					t.Errorf("the session is %s for %v", state, c.reasons(id))
				}
				c.proves(t, id)
				c.tellsIntegrators(t, id)
			}
		})
	}
	_, token := c.begun()
	c.tries(token, c.ask(token, "browser").ID, "share").want(t, 422, "wallet.declined") // the test wallet has none of these
}

// tellsIntegrators: what was asked for and disclosed is in session and report, for whoever may read reports, and nothing else of the
// credential; webhooks and lists have none of it, and erasing leaves none.
func (c wallets) tellsIntegrators(t *testing.T, id string) {
	t.Helper()
	want := []verified.Credential{{Format: idv.WalletSDJWT, Type: membership, Claims: []verified.CredentialClaim{
		{Path: "family_name", Value: "Eriksson"}, {Path: "given_name", Value: "Anna Maria"}, {Path: "birthdate", Value: "1974-08-12"},
		{Path: "level/name", Value: "gold"}, {Path: "picture", Value: "(data:image/jpeg)"},
	}}}
	at := func(path, key string) string {
		t.Helper()
		return c.do(ask{method: "GET", path: path, bearer: key}).want(t, 200, "").body
	}
	for _, path := range []string{"/v1/sessions/" + id, "/v1/sessions/" + id + "/report"} {
		body := at(path, c.key)
		var got struct{ Verified verified.Outputs }
		must(t, json.Unmarshal([]byte(body), &got))
		if diff := cmp.Diff(want, got.Verified.Credentials); diff != "" {
			t.Errorf("%s (-want +got):\n%s", path, diff)
		}
		for _, not := range []string{"not asked for", "secret", "since\":2020", "colour", "/9j/", "nickname"} {
			if strings.Contains(body, not) {
				t.Errorf("%s says %q, which nobody asked for or disclosed", path, not)
			}
		}
	}
	_, narrow, err := c.accounts.Keys.Create(t.Context(), "sessions alone", idv.Test, account.SessionsRead)
	must(t, err)
	hook, err := sessions.NewSubjects(c.sessions.Sessions).Subject(t.Context(), idv.SessionID(id), true)
	must(t, err)
	for where, body := range map[string]string{
		"a key that may not read reports": at("/v1/sessions/"+id, narrow), "a list": at("/v1/sessions", c.key), "a webhook": string(hook.Session),
	} {
		if !strings.Contains(body, id) || strings.Contains(body, "gold") || strings.Contains(body, membership) {
			t.Errorf("%s is told %s", where, body)
		}
	}
	c.do(ask{method: "GET", path: "/v1/sessions/" + id + "/report", bearer: narrow}).want(t, 403, "auth.forbidden")
	c.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: c.key}).want(t, 200, "")
	if body := at("/v1/sessions/"+id, c.key); !strings.Contains(body, `"verified":null`) || strings.Contains(body, "gold") {
		t.Errorf("after erasing it says %s", body)
	}
}

// The editor shows what is sent: both come from one function.
func TestThePreviewIsTheQueryThatIsSent(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*wire.WorkflowSpec){
		"the presets": nil, "others": asksOthers,
		"a preset and others": func(s *wire.WorkflowSpec) { asksOthers(s); s.WalletAsks = []idv.WalletAsk{idv.AskMDL} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var spec wire.WorkflowSpec
			c := newWallets(t, newWorld(t), func(s *wire.WorkflowSpec) {
				if change != nil {
					change(s)
				}
				spec = *s
			})
			_, token := c.begun()
			object := c.call("GET", requestURI(t, c.ask(token, "cross_device").Link), nil).want(t, 200, "").body
			payload, err := base64.RawURLEncoding.DecodeString(strings.Split(object, ".")[1])
			must(t, err)
			var sent struct {
				Query json.RawMessage `json:"dcql_query"`
			}
			must(t, json.Unmarshal(payload, &sent))
			var shown struct {
				Query json.RawMessage `json:"query"`
			}
			must(t, json.Unmarshal([]byte(c.preview(spec).want(t, 200, "").body), &shown))
			if string(shown.Query) != string(sent.Query) || !strings.Contains(string(sent.Query), "credentials") {
				t.Errorf("shown %s\nsent  %s", shown.Query, sent.Query)
			}
			spec.WalletOthers = []wire.WalletOther{{Format: idv.WalletSDJWT, Claims: []wire.WalletClaim{}}}
			spec.WalletAsks = nil
			if got := c.preview(spec).want(t, 200, "").body; !strings.Contains(got, `"query":null`) {
				t.Errorf("of a form that is not filled in it shows %s", got)
			}
		})
	}
}

func (c wallets) preview(spec wire.WorkflowSpec) answer {
	return c.do(ask{
		method: "POST", path: "/v1/console/workflows/wallet-query", cookie: c.cookie, body: map[string]any{"spec": spec},
	})
}
