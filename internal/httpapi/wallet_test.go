package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/wallet"
)

func TestAWalletReplacesTheDocument(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		c := newWallets(t, w, nil)
		c.trusts()
		id, token := c.begun()
		a := c.ask(token, "cross_device")
		request := c.fetch(a.Link)
		if again := c.fetch(a.Link); again.Nonce != request.Nonce || request.ClientID != "x509_san_dns:verifier.example" {
			t.Fatalf("the request fetched twice: %+v, %+v", request, again)
		}
		if got := c.call("POST", request.ResponseURI, c.holds().Form(request)).want(t, 200, "").body; got != "{}\n" {
			t.Errorf("a wallet on another device is sent somewhere: %q", got)
		}
		if got := c.counts(token); got != "stands" {
			t.Fatalf("the credential counts for %q: %s", got, c.found(id))
		}
		c.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
		if state := c.wait(id); state != "approved" {
			t.Fatalf("the session is %s for %v", state, c.reasons(id))
		}
		want := map[string]string{
			"family_name": "Eriksson", "given_names": "Anna Maria", "date_of_birth": "1974-08-12", "nationality": "UTO", "issuer": "UTO",
			"date_of_expiry": "2036-01-01",
		}
		if diff := cmp.Diff(want, facts(c.report(id))); diff != "" {
			t.Errorf("what the wallet states (-want +got):\n%s", diff)
		}
		verified, err := json.Marshal(c.report(id).Verified)
		if err != nil || !strings.Contains(string(verified), `"Eriksson"`) || !strings.Contains(string(verified), `"wallet"`) {
			t.Errorf("verified facts do not rest on the wallet: %s, %v", verified, err)
		}
		c.proves(t, id)
		for _, secret := range []string{"Eriksson", request.Nonce, requestURI(t, a.Link)[len(deskAddress):]} {
			if strings.Contains(c.log.String(), secret) {
				t.Error("the log says what the wallet presented, or the address of its request")
			}
		}
	})
}

// proves proves the wallet's answer in a session's case file again, and that a changed one is not proved.
func (c wallets) proves(t *testing.T, id string) {
	t.Helper()
	raw := c.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file?pictures=true", cookie: c.cookie}).want(t, 200, "").body
	kept, err := casefile.Wallets(strings.NewReader(raw), int64(len(raw)))
	must(t, err)
	if len(kept) != 1 {
		t.Fatalf("the case file has %d answers of wallets", len(kept))
	}
	said, err := wallet.Prove(kept[0].WalletAnswer, kept[0].Found)
	if err != nil || len(said) != 3 || !strings.Contains(said[1], "holder's key") {
		t.Errorf("the case file proves %q, %v", said, err)
	}
	if strings.Contains(string(kept[0].Request), "private_key") {
		t.Error("the case file has the key of the answer")
	}
	changed := maps.Clone(kept[0].Presentations)
	for name, list := range changed {
		changed[name] = []string{strings.Replace(list[0], "~", "~"+wallettest.Disclose("family_name", "Smith").Text+"~", 1)}
	}
	kept[0].Presentations = changed
	if _, err := wallet.Prove(kept[0].WalletAnswer, kept[0].Found); !errors.Is(err, wallet.ErrNotProved) {
		t.Errorf("a changed answer is proved, too: %v", err)
	}
}

func TestAWalletOnTheSameDeviceCountsForTheBrowserThatAsked(t *testing.T) {
	t.Attr("case", "N70 wallet.code_refused")
	t.Parallel()
	c := newWallets(t, newWorld(t), nil)
	c.trusts()
	_, token := c.begun()
	_, stranger := c.begun()
	a := c.ask(token, "same_device")
	request := c.fetch(a.Link)
	next := field(c.call("POST", request.ResponseURI, c.holdsLicence().Form(request)).want(t, 200, "").body, "redirect_uri")
	_, code, _ := strings.Cut(next, "#wallet=")
	c.complete(stranger, code).want(t, 409, "wallet.code_refused")
	c.complete(token, strings.Repeat("x", 43)).want(t, 409, "wallet.code_refused")
	if body := c.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "").body; !strings.Contains(body, `"wallet_counts":""`) {
		t.Errorf("an answer counts before its browser came back: %s", body)
	}
	c.complete(token, code).want(t, 202, "")
	c.complete(token, code).want(t, 409, "wallet.code_refused")
	if got := c.counts(token); got != "stands" {
		t.Errorf("the credential counts for %q", got)
	}
}

func TestTheBrowsersAPIIsAnsweredByAnyOfItsProtocols(t *testing.T) {
	t.Attr("case", "N71 openid.other_channel")
	t.Attr("case", "N61 wallet.expired")
	t.Parallel()
	c := newWallets(t, newWorld(t), nil)
	c.trusts()
	for i, protocol := range []string{"openid4vp-v1-signed", "openid4vp-v1-unsigned", "org-iso-mdoc"} {
		c.run(t, protocol, func(t *testing.T) {
			id, token := c.begun()
			a := c.ask(token, "browser")
			if len(a.Requests) != 3 || a.Requests[i]["protocol"] != protocol || a.Link != "" {
				t.Fatalf("requests are %v", a.Requests)
			}
			request := wallettest.ReadBrowser(a.Requests[i], deskAddress, wallettest.ReadBrowser(a.Requests[1], deskAddress, wallettest.Query{}).Query)
			if protocol == "org-iso-mdoc" {
				request.Query.Credentials = request.Query.Credentials[2:]
			}
			holder := c.holdsLicence()
			path := "/v1/applicant/steps/wallet/" + a.ID + "/answer"
			wrong := holder.Browser(request)
			wrong["protocol"] = "openid4vp-v1-multisigned"
			_, other := c.begun()
			c.do(ask{method: "POST", path: path, bearer: other, body: holder.Browser(request)}).want(t, 404, "not_found")
			c.do(ask{method: "POST", path: path, bearer: token, body: holder.Browser(request)}).want(t, 202, "")
			c.do(ask{method: "POST", path: path, bearer: token, body: holder.Browser(request)}).want(t, 410, "wallet.expired")
			if got := c.counts(token); got != "stands" {
				t.Fatalf("the credential counts for %q", got)
			}
			a = c.ask(token, "browser")
			path = "/v1/applicant/steps/wallet/" + a.ID + "/answer"
			c.do(ask{method: "POST", path: path, bearer: token, body: wrong}).want(t, 422, "openid.other_channel")
			c.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
			if state := c.wait(id); state != "approved" {
				t.Errorf("the session is %s for %v", state, c.reasons(id))
			}
		})
	}
}

func TestARequestIsAnsweredOnceByAThousandCopies(t *testing.T) {
	t.Attr("case", "N75 wallet.expired")
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		c := newWallets(t, w, nil)
		c.trusts()
		id, token := c.begun()
		a := c.ask(token, "cross_device")
		request := c.fetch(a.Link)
		handle := request.ResponseURI[len(deskAddress+"/v1/wallet/") : len(request.ResponseURI)-len("/response")]
		body := []byte(c.holds().Form(request).Encode())
		copies := 1000
		if testing.Short() {
			copies = 200
		}
		var taken, over atomic.Int64
		var all sync.WaitGroup
		start := make(chan struct{})
		for range copies {
			all.Go(func() {
				<-start
				_, err := c.sessions.Wallets.Answer(context.Background(), handle, body)
				switch {
				case err == nil:
					taken.Add(1)
				case strings.Contains(err.Error(), "wallet.expired"):
					over.Add(1)
				default:
					t.Errorf("a copy ends with %v", err)
				}
			})
		}
		close(start)
		all.Wait()
		if taken.Load() != 1 || over.Load() != int64(copies-1) {
			t.Errorf("of %d copies %d were taken and %d refused", copies, taken.Load(), over.Load())
		}
		rows, err := c.store.Together().WalletRequests(t.Context(), idv.SessionID(id))
		if err != nil || len(rows) != 1 || rows[0].State != "taken" {
			t.Errorf("the request is %v, %v", rows, err)
		}
	})
}
