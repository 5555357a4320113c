package httpapi_test

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"encoding/json"
	"net/url"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-jose/go-jose/v4"
	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
)

func TestWhatAWalletCannotProveLeavesTheDocumentToBePhotographed(t *testing.T) {
	t.Parallel()
	c := newWallets(t, newWorld(t), nil)
	c.trusts()
	forger := wallettest.IssuerAt(5, time.Now())
	status := func(c *wallettest.Credential) {
		c.Payload["status"] = map[string]any{"status_list": map[string]any{"uri": wallettest.ListURI, "idx": 7}}
	}
	list := c.issuer.NewStatusList(1)
	list.Issued, list.Expires = time.Now().Add(-time.Minute), time.Now().Add(time.Hour)
	list.Set[7] = 1
	revoked := list.JWT()
	for name, tt := range map[string]struct {
		change  func(*wallettest.Credential)
		lists   []byte
		counts  string
		reasons []string
	}{
		"a signer whom nobody trusts": {
			change: func(p *wallettest.Credential) {
				*p = *forger.PID(&wallettest.NewHolder().PublicKey, openid4vp.PIDType, time.Now(), anna)
			},
			counts:  "rejected",
			reasons: []string{"trust.anchor_missing", "sdjwt.binding_signature", "wallet.holder_unproved"},
		},
		"a credential that was revoked":       {change: status, lists: revoked, counts: "rejected", reasons: []string{"wallet.revoked"}},
		"a status list that nobody can fetch": {change: status, counts: "beside", reasons: []string{"wallet.revocation_unknown"}},
		"a credential that does not say when it ends": {
			change: func(p *wallettest.Credential) { delete(p.Payload, "exp") }, counts: "beside", reasons: []string{"wallet.revocation_unknown"},
		},
		"no portrait": {
			change: func(p *wallettest.Credential) {
				p.Disclosures = slices.DeleteFunc(p.Disclosures, func(d wallettest.Disclosure) bool { return len(d.Text) > 70 })
			},
			counts: "beside",
		},
	} {
		c.run(t, name, func(t *testing.T) {
			c.status.put(wallettest.ListURI, tt.lists)
			id, token := c.begun()
			request := c.fetch(c.ask(token, "cross_device").Link)
			c.call("POST", request.ResponseURI, c.holds(tt.change).Form(request)).want(t, 200, "")
			if got := c.counts(token); got != tt.counts {
				t.Fatalf("the credential counts for %q", got)
			}
			c.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(t, 200, "")
			chips{world: c.world}.ends(id, token, idvtest.Passport("anna"))
			var of []string
			for _, code := range c.reasons(id) {
				raised(code)
				if strings.HasPrefix(code, "wallet.") || strings.HasPrefix(code, "trust.") || strings.HasPrefix(code, "sdjwt.") {
					of = append(of, code)
				}
			}
			if diff := cmp.Diff(tt.reasons, of); diff != "" {
				t.Errorf("reasons (-want +got):\n%s", diff)
			}
		})
	}
}

func TestAnAgeIsAskedForKeptAndShownAlone(t *testing.T) {
	t.Parallel()
	c := newWallets(t, newWorld(t), func(s *wire.WorkflowSpec) {
		s.WalletAsks, s.MinimumAge = []idv.WalletAsk{idv.AskAge}, 18
		s.Steps = slices.DeleteFunc(s.Steps, func(step idv.Step) bool { return step == idv.StepSelfie })
		s.Required = slices.DeleteFunc(s.Required, idv.CheckKind.AboutFace)
	})
	c.trusts()
	id, token := c.begun()
	request := c.fetch(c.ask(token, "cross_device").Link)
	holder := c.holds()
	holder.Generous = true
	c.call("POST", request.ResponseURI, holder.Form(request)).want(t, 422, "openid.excessive")
	captures, _, err := c.sessions.Sessions.Captures(t.Context(), "", idv.SessionID(id))
	if err != nil || len(captures) != 0 {
		t.Fatalf("%d captures are kept of an answer that discloses more: %v", len(captures), err)
	}
	request = c.fetch(c.ask(token, "cross_device").Link)
	c.call("POST", request.ResponseURI, c.holds().Form(request)).want(t, 200, "")
	if got := c.counts(token); got != "approved" && got != "stands" && got != "wait" {
		t.Fatalf("the age counts for %q: %s", got, c.found(id))
	}
	if state := c.wait(id); state != "approved" {
		t.Fatalf("the session is %s for %v", state, c.reasons(id))
	}
	if got := facts(c.report(id)); len(got) != 0 {
		t.Errorf("facts are kept: %v", got)
	}
	for _, path := range []string{"", "/artifacts", "/report"} {
		body := c.do(ask{method: "GET", path: "/v1/console/sessions/" + id + path, cookie: c.cookie}).body
		for _, secret := range []string{"Eriksson", "1974-08-12"} {
			if strings.Contains(body, secret) {
				t.Errorf("%s shows %q", path, secret)
			}
		}
	}
}

// TestProtocolRefusals are the cases N61 to N75 as far as a server meets them; N73 is checked by another maker's wallet.
func TestProtocolRefusals(t *testing.T) {
	t.Attr("case", "N61 wallet.expired")
	t.Attr("case", "N69 wallet.expired")
	t.Attr("case", "N72 wallet.declined")
	t.Parallel()
	c := newWallets(t, newWorld(t), nil)
	c.trusts()
	for name, tt := range map[string]struct {
		answer func(wallettest.Asked) url.Values
		late   time.Duration
		status int
		code   string
	}{
		"N62 the key of another request": {answer: func(a wallettest.Asked) url.Values {
			a.KeyID = "another"
			return c.holds().Form(a)
		}, status: 422, code: "openid.other_key"},
		"N63 in the clear": {answer: func(a wallettest.Asked) url.Values {
			a.Mode = "direct_post"
			return c.holds().Form(a)
		}, status: 422, code: "openid.not_encrypted"},
		"N64 an encryption that was not offered": {answer: func(a wallettest.Asked) url.Values {
			a.Enc = "A128CBC-HS256"
			return c.holds().Form(a)
		}, status: 422, code: "openid.encryption"},
		"N64 a key that is wrapped by RSA": {answer: func(a wallettest.Asked) url.Values {
			key, err := rsa.GenerateKey(rand.Reader, 2048)
			must(t, err)
			return sealedFor(t, a, jose.Recipient{Algorithm: jose.RSA_OAEP, Key: &key.PublicKey, KeyID: a.KeyID}, nil)
		}, status: 422, code: "openid.encryption"},
		"N64 an answer that is compressed": {answer: func(a wallettest.Asked) url.Values {
			key, err := ecdsa.ParseUncompressedPublicKey(elliptic.P256(), a.Key.Bytes())
			must(t, err)
			to := jose.Recipient{Algorithm: jose.ECDH_ES, Key: key, KeyID: a.KeyID}
			return sealedFor(t, a, to, &jose.EncrypterOptions{Compression: jose.DEFLATE})
		}, status: 422, code: "openid.encryption"},
		"N65 the state of another request": {answer: func(a wallettest.Asked) url.Values {
			a.State = strings.Repeat("x", 43)
			return c.holds().Form(a)
		}, status: 422, code: "openid.state"},
		"N67 an answer of the browser's API": {answer: func(_ wallettest.Asked) url.Values {
			return url.Values{`{"protocol":"openid4vp-v1-unsigned","data":{}}`: {""}}
		}, status: 422, code: "openid.not_encrypted"},
		"N68 too late": {answer: func(a wallettest.Asked) url.Values { return c.holds().Form(a) }, late: idv.WalletRequestLife, status: 410, code: "wallet.expired"},
		"N72 an error of the wallet": {answer: func(a wallettest.Asked) url.Values {
			return url.Values{"error": {"invalid_request"}, "state": {a.State}}
		}, status: 422, code: "wallet.failed"},
		"something else than a form": {answer: func(wallettest.Asked) url.Values { return url.Values{"%": {"1"}} }, status: 422, code: "openid.not_encrypted"},
	} {
		c.run(t, name, func(t *testing.T) {
			t.Attr("code", tt.code)
			_, token := c.begun()
			a := c.ask(token, "cross_device")
			request := c.fetch(a.Link)
			c.clock.move(tt.late)
			c.call("POST", request.ResponseURI, tt.answer(request)).want(t, tt.status, tt.code)
			// N61: whatever the answer was, no other one is taken.
			c.call("POST", request.ResponseURI, c.holds().Form(request)).want(t, 410, "wallet.expired")
			c.call("GET", requestURI(t, a.Link), nil).want(t, 410, "wallet.expired")
		})
	}
	_, token := c.begun()
	a := c.ask(token, "same_device")
	request := c.fetch(a.Link)
	declined := c.call("POST", request.ResponseURI, url.Values{"error": {"access_denied"}, "state": {request.State}}).want(t, 200, "")
	_, code, _ := strings.Cut(field(declined.body, "redirect_uri"), "#wallet=")
	c.complete(token, code).want(t, 422, "wallet.declined")
	state := c.do(ask{method: "GET", path: "/v1/applicant/steps/wallet/" + a.ID, bearer: token}).want(t, 200, "").body
	if field(state, "state") != "failed" || !strings.Contains(state, "wallet.declined") {
		t.Errorf("N72: the state is %s", state)
	}
	c.call("GET", deskAddress+"/v1/wallet/"+request.State, nil).want(t, 410, "wallet.expired") // N69: the wallet's state opens nothing
	c.complete(token, request.State).want(t, 409, "wallet.code_refused")
}

// sealedFor is a sound answer that is encrypted in another way.
func sealedFor(t *testing.T, a wallettest.Asked, to jose.Recipient, o *jose.EncrypterOptions) url.Values {
	t.Helper()
	e, err := jose.NewEncrypter(jose.A128GCM, to, o)
	must(t, err)
	raw, err := json.Marshal(map[string]any{"vp_token": map[string]any{}, "state": a.State})
	must(t, err)
	sealed, err := e.Encrypt(raw)
	must(t, err)
	text, err := sealed.CompactSerialize()
	must(t, err)
	return url.Values{"response": {text}}
}

func TestARequestKeepsTheWalletsNonce(t *testing.T) {
	t.Parallel()
	c := newWallets(t, newWorld(t), nil)
	_, token := c.begun()
	address := requestURI(t, c.ask(token, "cross_device").Link)
	object := c.call("POST", address, url.Values{"wallet_nonce": {"qPmxiNFCR3QTm19POc8u"}}).want(t, 200, "").body
	payload := wallettest.Payload(object)
	if payload["wallet_nonce"] != "qPmxiNFCR3QTm19POc8u" || payload["aud"] != "https://self-issued.me/v2" {
		t.Errorf("the object holds %v", payload)
	}
	c.call("POST", address, url.Values{"wallet_nonce": {strings.Repeat("x", 600)}}).want(t, 400, "request.malformed")
	c.do(ask{method: "POST", path: "/v1/applicant/steps/wallet/cancel", bearer: token, body: map[string]any{}}).want(t, 200, "")
	c.call("GET", address, nil).want(t, 410, "wallet.expired")
	_, elsewhere := c.world.begun()
	unasked := ask{method: "POST", path: "/v1/applicant/steps/wallet", bearer: elsewhere, body: map[string]any{"channel": "same_device"}}
	c.do(unasked).want(t, 409, "wallet.not_asked")
}

func TestErasingReachesWhatAWalletPresented(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		c := newWallets(t, w, nil)
		c.trusts()
		id, token := c.begun()
		request := c.fetch(c.ask(token, "cross_device").Link)
		c.call("POST", request.ResponseURI, c.holds().Form(request)).want(t, 200, "")
		c.counts(token)
		c.ask(token, "same_device")
		captures, _, err := c.sessions.Sessions.Captures(t.Context(), "", idv.SessionID(id))
		must(t, err)
		blob := id + "/" + string(captures[0].ID)
		if _, err := c.store.Pictures().Get(t.Context(), idv.SessionID(id), blob); err != nil {
			t.Fatalf("the answer is not kept: %v", err)
		}
		c.do(ask{method: "POST", path: "/v1/applicant/withdraw", bearer: token}).want(t, 200, "")
		c.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: c.world.key}).want(t, 200, "")
		if _, err := c.store.Pictures().Get(t.Context(), idv.SessionID(id), blob); err == nil {
			t.Error("the answer can be read after the erasing")
		}
		if rows, err := c.store.Together().WalletRequests(t.Context(), idv.SessionID(id)); err != nil || len(rows) != 0 {
			t.Errorf("%d requests are kept: %v", len(rows), err)
		}
	})
}

func TestTheKeyOfARequestIsDestroyedWhenItEnds(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		c := newWallets(t, w, nil)
		c.trusts()
		_, token := c.begun()
		sealed := func(id string) bool {
			row, err := c.store.Together().WalletRequest(t.Context(), idv.WalletRequestID(id))
			must(t, err)
			return row.Sealed != nil
		}
		first, second := c.ask(token, "cross_device"), asked{}
		if !sealed(first.ID) {
			t.Fatal("an open request has no key")
		}
		second = c.ask(token, "cross_device")
		if sealed(first.ID) {
			t.Error("a request that another one replaced has its key")
		}
		request := c.fetch(second.Link)
		c.call("POST", request.ResponseURI, c.holds().Form(request)).want(t, 200, "")
		if sealed(second.ID) {
			t.Error("an answered request has its key")
		}
		third := c.ask(token, "same_device")
		c.clock.move(idv.WalletRequestLife)
		must(t, c.sessions.Wallets.EndOverdue(t.Context()))
		if sealed(third.ID) {
			t.Error("a request that nobody answered in time has its key")
		}
	})
}
