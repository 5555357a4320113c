package httpapi_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/openid4vp/wallettest"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/statuslist"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/wallet"
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

// lists are status lists at their addresses.
type lists struct {
	mu sync.Mutex
	at map[string][]byte
}

// List implements wallet.Lists.
func (l *lists) List(_ context.Context, _ idv.Mode, address string) (*statuslist.List, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	raw, there := l.at[address]
	if !there {
		return nil, errors.New("nobody answers")
	}
	return statuslist.Parse(raw)
}

func (l *lists) put(address string, raw []byte) {
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
	return answer{status: res.StatusCode, body: string(body)}
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
		if log := c.log.String(); strings.Contains(log, "Eriksson") || strings.Contains(log, request.Nonce) || strings.Contains(log, requestURI(t, a.Link)[len(deskAddress):]) {
			t.Error("the log says what the wallet presented, or the address of its request")
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
	t.Parallel()
	c := newWallets(t, newWorld(t), nil)
	c.trusts()
	_, token := c.begun()
	_, stranger := c.begun()
	a := c.ask(token, "same_device")
	request := c.fetch(a.Link)
	next := field(c.call("POST", request.ResponseURI, c.holdsLicence().Form(request)).want(t, 200, "").body, "redirect_uri")
	_, code, _ := strings.Cut(next, "#wallet=")
	complete := func(token, code string) answer {
		return c.do(ask{method: "POST", path: "/v1/applicant/steps/wallet/complete", bearer: token, body: map[string]any{"response_code": code}})
	}
	complete(stranger, code).want(t, 409, "wallet.code_refused")
	complete(token, strings.Repeat("x", 43)).want(t, 409, "wallet.code_refused")
	if body := c.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 200, "").body; !strings.Contains(body, `"wallet_counts":""`) {
		t.Errorf("an answer counts before its browser came back: %s", body)
	}
	complete(token, code).want(t, 202, "")
	complete(token, code).want(t, 409, "wallet.code_refused")
	if got := c.counts(token); got != "stands" {
		t.Errorf("the credential counts for %q", got)
	}
}

func TestTheBrowsersAPIIsAnsweredByAnyOfItsProtocols(t *testing.T) {
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
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		c := newWallets(t, w, nil)
		c.trusts()
		_, token := c.begun()
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
		rows, err := c.store.Together().WalletRequests(t.Context(), idv.SessionID(field(c.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).body, "session")))
		if err != nil || len(rows) != 1 || rows[0].State != "taken" {
			t.Errorf("the request is %v, %v", rows, err)
		}
	})
}

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
			c.lists.put(wallettest.ListURI, tt.lists)
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
	young := c.holds()
	young.Holder = wallettest.NewHolder()
	young.PID = c.issuer.PID(&young.Holder.PublicKey, openid4vp.PIDType, time.Now(), map[string]any{"age_equal_or_over": map[string]bool{"18": false}})
	id, token = c.begun()
	request = c.fetch(c.ask(token, "cross_device").Link)
	c.call("POST", request.ResponseURI, young.Form(request)).want(t, 200, "")
	c.counts(token)
	if state := c.wait(id); state != "declined" {
		t.Errorf("a person under age: the session is %s for %v", state, c.reasons(id))
	}
}

// TestProtocolRefusals are the cases N61 to N75 as far as a server meets them; N73 is checked by another maker's wallet.
func TestProtocolRefusals(t *testing.T) {
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
		"N65 the state of another request": {answer: func(a wallettest.Asked) url.Values {
			a.State = strings.Repeat("x", 43)
			return c.holds().Form(a)
		}, status: 422, code: "openid.state"},
		"N67 an answer of the browser's API": {answer: func(a wallettest.Asked) url.Values {
			return url.Values{`{"protocol":"openid4vp-v1-unsigned","data":{}}`: {""}}
		}, status: 422, code: "openid.not_encrypted"},
		"N68 too late": {answer: func(a wallettest.Asked) url.Values { return c.holds().Form(a) }, late: idv.WalletRequestLife, status: 410, code: "wallet.expired"},
		"N72 an error of the wallet": {answer: func(a wallettest.Asked) url.Values {
			return url.Values{"error": {"invalid_request"}, "state": {a.State}}
		}, status: 422, code: "wallet.failed"},
		"something else than a form": {answer: func(wallettest.Asked) url.Values { return url.Values{"%": {"1"}} }, status: 422, code: "openid.not_encrypted"},
	} {
		c.run(t, name, func(t *testing.T) {
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
	c.do(ask{method: "POST", path: "/v1/applicant/steps/wallet/complete", bearer: token, body: map[string]any{"response_code": code}}).want(t, 422, "wallet.declined")
	state := c.do(ask{method: "GET", path: "/v1/applicant/steps/wallet/" + a.ID, bearer: token}).want(t, 200, "").body
	if field(state, "state") != "failed" || !strings.Contains(state, "wallet.declined") {
		t.Errorf("N72: the state is %s", state)
	}
	c.call("GET", deskAddress+"/v1/wallet/"+request.State, nil).want(t, 410, "wallet.expired") // N69: the wallet's state opens nothing
	c.do(ask{method: "POST", path: "/v1/applicant/steps/wallet/complete", bearer: token, body: map[string]any{"response_code": request.State}}).want(t, 409, "wallet.code_refused")
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
	c.do(ask{method: "POST", path: "/v1/applicant/steps/wallet", bearer: elsewhere, body: map[string]any{"channel": "same_device"}}).want(t, 409, "wallet.not_asked")
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
