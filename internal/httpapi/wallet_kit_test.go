package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

// deskAddress is where wallets reach the servers of these tests, as the servers believe.
const deskAddress = "https://verifier.example"

// asksWallets signs requests with a certificate of verifier.example.
var asksWallets = sync.OnceValue(func() applicant.WalletOptions {
	key, holders := wallettest.NewVerifier("verifier.example")
	v := &openid4vp.Verifier{Key: key}
	for _, h := range holders {
		v.Chain = append(v.Chain, h.Cert)
	}
	return applicant.WalletOptions{PublicURL: deskAddress, Verifier: v}
})

// statusLists are status lists at their addresses.
type statusLists struct {
	mu sync.Mutex
	at map[string][]byte
}

// List implements wallet.Lists.
func (l *statusLists) List(_ context.Context, _ idv.Mode, address string) (*statuslist.List, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	raw, there := l.at[address]
	if !there {
		return nil, errors.New("nobody answers")
	}
	return statuslist.Parse(raw)
}

func (l *statusLists) put(address string, raw []byte) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.at == nil {
		l.at = map[string][]byte{}
	}
	l.at[address] = raw
}

// wallets is a world in which a workflow asks wallets and trusts an issuer of Utopia.
type wallets struct {
	*world
	cookie string
	issuer *wallettest.Issuer
}

// everyWalletCheck are the checks that a workflow of these tests requires of wallets.
var everyWalletCheck = idv.WalletChecks()

func newWallets(t *testing.T, w *world, change func(*wire.WorkflowSpec)) wallets {
	t.Helper()
	c := wallets{world: w, issuer: wallettest.IssuerAt(1, time.Now())}
	c.work()
	c.cookie = c.signIn()
	e := editor{c.world, c.cookie}
	file, draft := e.draft(t, "wallet", func(s *wire.WorkflowSpec) {
		s.Wallet, s.WalletAsks, s.WalletInstead = idv.WalletOffered, []idv.WalletAsk{idv.AskPID, idv.AskMDL}, true
		s.Required = slices.DeleteFunc(s.Required, func(k idv.CheckKind) bool {
			return k == idv.CheckLiveness || k == idv.CheckReplay || slices.Contains(idv.Signals(), k)
		})
		s.Required = append(s.Required, everyWalletCheck...)
		if change != nil {
			change(s)
		}
	})
	e.publish(file.ID, draft.Revision).want(t, 200, "")
	return c
}

// trusts makes the test mode trust the issuer for everything that these tests present.
func (c wallets) trusts() {
	c.t.Helper()
	r := register.New(c.store, register.Options{Now: c.clock.now})
	for scope, purpose := range map[string]trust.Purpose{
		openid4vp.PIDType: trust.Issuer, openid4vp.MDLDoc: trust.IACA, openid4vp.PIDDoc: trust.IACA, openid4vp.AgeDoc: trust.IACA,
	} {
		u, err := r.Propose(c.t.Context(), register.Proposal{Mode: idv.Test, File: c.issuer.Root.Raw, Purpose: purpose, Scope: scope, Source: "by post"})
		must(c.t, err)
		_, err = r.Accept(c.t.Context(), u.ID)
		must(c.t, err)
	}
}

// anna is what Utopia says of her.
var anna = map[string]any{
	"family_name": "Eriksson", "given_name": "Anna Maria", "birthdate": "1974-08-12", "nationalities": []string{"UT"}, "issuing_country": "UT",
	"date_of_expiry": "2036-01-01", "picture": "data:image/jpeg;base64,/9j/4A==", "age_equal_or_over": map[string]bool{"18": true},
}

// holds is a wallet with personal identification data.
func (c wallets) holds(change ...func(*wallettest.Credential)) *wallettest.Wallet {
	holder := wallettest.NewHolder()
	pid := c.issuer.PID(&holder.PublicKey, openid4vp.PIDType, time.Now(), anna)
	for _, f := range change {
		f(pid)
	}
	return &wallettest.Wallet{Holder: holder, PID: pid}
}

// holdsLicence is a wallet with a driving licence.
func (c wallets) holdsLicence() *wallettest.Wallet {
	holder := wallettest.NewHolder()
	return &wallettest.Wallet{Holder: holder, Documents: []*wallettest.Document{c.issuer.Document(&holder.PublicKey, openid4vp.MDLDoc, time.Now(),
		map[string]map[string]any{openid4vp.MDLSpace: {
			"family_name": "Eriksson", "given_name": "Anna Maria", "birth_date": wallettest.Day("1974-08-12"), "issue_date": wallettest.Day("2026-01-01"),
			"expiry_date": wallettest.Day("2036-01-01"), "issuing_country": "UT", "issuing_authority": "Road Office", "document_number": "L898902C3",
			"portrait": []byte{0xFF, 0xD8, 0xFF, 0xE0}, "age_over_18": true,
		}})}}
}

// begun is a session that was opened and consented to.
func (c wallets) begun() (id, token string) {
	c.t.Helper()
	id, link := c.create(c.world.key, map[string]any{"workflow": "wallet"})
	token = c.open(link)
	c.agree(token)
	return id, token
}

// asked is a request as page and wallet have it.
type asked struct {
	ID       string
	Link     string
	Requests []map[string]any
}

func (c wallets) ask(token, channel string) (out asked) {
	c.t.Helper()
	a := c.do(ask{method: "POST", path: "/v1/applicant/steps/wallet", bearer: token, body: map[string]any{"channel": channel}}).want(c.t, 201, "")
	must(c.t, json.Unmarshal([]byte(a.body), &out))
	return out
}

// call does what a wallet does, at the address where this server really is.
func (c wallets) call(method, address string, form url.Values) answer {
	c.t.Helper()
	r, err := http.NewRequestWithContext(c.t.Context(), method, strings.Replace(address, deskAddress, c.url, 1), strings.NewReader(form.Encode()))
	must(c.t, err)
	if method == "POST" {
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	}
	res, err := http.DefaultClient.Do(r)
	must(c.t, err)
	defer func() { _ = res.Body.Close() }()
	body, err := io.ReadAll(res.Body)
	must(c.t, err)
	out := answer{status: res.StatusCode, body: string(body)}
	if res.StatusCode >= http.StatusBadRequest {
		raised(out.code())
	}
	return out
}

// fetch fetches the request of a link.
func (c wallets) fetch(link string) wallettest.Asked {
	c.t.Helper()
	return wallettest.ReadObject(c.call("GET", requestURI(c.t, link), nil).want(c.t, 200, "").body)
}

func requestURI(t *testing.T, link string) string {
	t.Helper()
	u, err := url.Parse(link)
	must(t, err)
	return u.Query().Get("request_uri")
}

// complete hands a response code in.
func (c wallets) complete(token, code string) answer {
	return c.do(ask{method: "POST", path: "/v1/applicant/steps/wallet/complete", bearer: token, body: map[string]any{"response_code": code}})
}

// counts waits until what a wallet presented was looked at, and returns what it counts for.
func (c wallets) counts(token string) string {
	c.t.Helper()
	for range 400 {
		body := c.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(c.t, 200, "").body
		if v := field(body, "wallet_counts"); v != "" {
			return v
		}
		if s := field(body, "state"); s != "step" {
			return s
		}
		time.Sleep(20 * time.Millisecond)
	}
	c.t.Fatal("nobody looked at what the wallet presented")
	return ""
}

func (c wallets) report(id string) wire.ReportAndDecisions { return chips{world: c.world}.report(id) }
func (c wallets) reasons(id string) []string               { return chips{world: c.world}.reasons(id) }

// found is what was found about a wallet.
func (c wallets) found(id string) string {
	c.t.Helper()
	all, err := c.store.Together().Artifacts(c.t.Context(), idv.SessionID(id))
	must(c.t, err)
	for _, a := range all {
		if a.Kind == idv.ArtifactWallet {
			return string(a.Data)
		}
	}
	return ""
}

func facts(r wire.ReportAndDecisions) map[string]string {
	out := map[string]string{}
	for _, claim := range r.Report.Claims {
		if claim.Source == idv.FromWallet {
			out[string(claim.Name)] = claim.Value
		}
	}
	return out
}
