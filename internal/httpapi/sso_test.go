package httpapi_test

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/sso"
)

// idp is an OpenID provider that a test can have lie. The real one is asked in the end-to-end tests.
type idp struct {
	t      *testing.T
	key    *rsa.PrivateKey
	signer *rsa.PrivateKey // key, unless the test says otherwise
	server *httptest.Server
	claims map[string]any // of the next person
	nonce  string         // of the last question
	pkce   string
}

func newIDP(t *testing.T) *idp {
	t.Helper()
	key, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	p := &idp{t: t, key: key, signer: key}
	mux := http.NewServeMux()
	p.server = httptest.NewServer(mux)
	t.Cleanup(p.server.Close)
	answer := func(w http.ResponseWriter, v any) {
		w.Header().Set("Content-Type", "application/json")
		must(t, json.NewEncoder(w).Encode(v))
	}
	mux.HandleFunc("/.well-known/openid-configuration", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{
			"issuer": p.server.URL, "authorization_endpoint": p.server.URL + "/auth", "token_endpoint": p.server.URL + "/token",
			"jwks_uri": p.server.URL + "/keys", "id_token_signing_alg_values_supported": []string{"RS256"},
		})
	})
	mux.HandleFunc("/keys", func(w http.ResponseWriter, _ *http.Request) {
		answer(w, map[string]any{"keys": []any{map[string]any{
			"kty": "RSA", "kid": "1", "alg": "RS256", "use": "sig", "n": b64(key.N.Bytes()), "e": b64(big.NewInt(int64(key.E)).Bytes()),
		}}})
	})
	mux.HandleFunc("/token", func(w http.ResponseWriter, r *http.Request) {
		sum := sha256.Sum256([]byte(r.FormValue("code_verifier")))
		if r.FormValue("code") != "good" || b64(sum[:]) != p.pkce {
			w.WriteHeader(http.StatusBadRequest)
			answer(w, map[string]any{"error": "invalid_grant"})
			return
		}
		answer(w, map[string]any{"access_token": "a", "token_type": "Bearer", "id_token": p.token()})
	})
	return p
}

// token signs what there is to say about the person.
func (p *idp) token() string {
	claims := map[string]any{"iss": p.server.URL, "aud": "bonafide", "exp": time.Now().Add(time.Minute).Unix(), "iat": time.Now().Unix(), "nonce": p.nonce}
	for k, v := range p.claims {
		claims[k] = v
	}
	raw, err := json.Marshal(claims)
	must(p.t, err)
	signed := b64([]byte(`{"alg":"RS256","kid":"1"}`)) + "." + base64.RawURLEncoding.EncodeToString(raw)
	sum := sha256.Sum256([]byte(signed))
	sig, err := rsa.SignPKCS1v15(nil, p.signer, 5, sum[:]) // 5 is SHA-256
	must(p.t, err)
	return signed + "." + b64(sig)
}

// grace is somebody whom the provider knows.
func grace(change map[string]any) map[string]any {
	out := map[string]any{
		"sub": "grace-1", "email": memberEmail, "email_verified": true, "name": "Grace", "groups": []string{"staff", "kyc"},
		"auth_time": time.Now().Unix(),
	}
	for k, v := range change {
		out[k] = v
	}
	return out
}

func newSSOWorld(t *testing.T) (*world, *idp) {
	t.Helper()
	p := newIDP(t)
	w := newWorldSSO(t, migrated.SQLite(t), signin.SSOConfig{
		Provider: sso.New(sso.Options{Issuer: p.server.URL, ClientID: "bonafide", ClientSecret: "s", Redirect: "http://localhost/login/sso"}),
		Name:     "Bank", ClientID: "bonafide", Domains: []string{"example.test"},
		Roles: []signin.RoleClaim{
			{Claim: "groups", Value: "kyc", Role: account.Reviewer}, {Claim: "groups", Value: "audit", Role: account.Auditor},
			{Claim: "groups", Value: "heads", Role: account.Owner},
		},
	}, func(o *httpapi.Options) { o.Rates.Address = edge.Rate{Calls: 10000, Window: time.Minute} })
	return w, p
}

// begin goes to the provider and answers the state and the browser's cookie.
func (w *world) begin(p *idp, path, cookie, next string) (state, browser string) {
	w.t.Helper()
	a := w.do(ask{method: "POST", path: path, cookie: cookie, body: map[string]any{"next": next}}).want(w.t, 200, "")
	u, err := url.Parse(field(a.body, "url"))
	must(w.t, err)
	q := u.Query()
	p.nonce, p.pkce = q.Get("nonce"), q.Get("code_challenge")
	if q.Get("code_challenge_method") != "S256" || q.Get("redirect_uri") != "http://localhost/login/sso" {
		w.t.Errorf("the question: %s", u)
	}
	return q.Get("state"), cookieOf(a, cookie)
}

// sso signs in by single sign-on.
func (w *world) sso(p *idp, claims map[string]any) answer {
	w.t.Helper()
	state, browser := w.begin(p, "/v1/console/sso/begin", "", "/console/cases")
	p.claims = claims
	return w.do(ask{
		method: "POST", path: "/v1/console/sso/finish", cookie: browser,
		body: map[string]any{"state": state, "authorization": "good", "iss": p.server.URL},
	})
}

func TestWhomTheProviderVouchesForComesInWithTheRolesThatItsGroupsGive(t *testing.T) {
	t.Parallel()
	w, p := newSSOWorld(t)
	w.sso(p, grace(nil)).want(t, 403, "auth.sso_refused") // before there is an owner
	owner := w.signIn()
	in := w.sso(p, grace(nil)).want(t, 200, "")
	cookie := cookieOf(in, "")
	if !strings.Contains(in.body, `"next":"/console/cases"`) || !strings.Contains(in.body, `"roles":["reviewer"]`) ||
		!strings.Contains(in.body, `"password":false`) {
		t.Errorf("who came in: %s", in.body)
	}
	in = w.sso(p, grace(map[string]any{"groups": []string{"audit"}})).want(t, 200, "")
	if !strings.Contains(in.body, `"roles":["auditor"]`) {
		t.Errorf("roles do not follow the provider: %s", in.body)
	}
	me := w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 200, "")
	if !strings.Contains(me.body, `"roles":["auditor"]`) {
		t.Errorf("a session from before keeps its roles: %s", me.body)
	}
	w.sso(p, grace(map[string]any{"groups": []string{"staff"}})).want(t, 403, "auth.sso_refused")
	w.do(ask{method: "POST", path: "/v1/console/team/members/" + field(me.body, "id") + "/disable", cookie: owner}).want(t, 200, "")
	w.sso(p, grace(nil)).want(t, 403, "auth.sso_refused") // kept out stays out
	for _, l := range []string{memberEmail, "grace-1", p.nonce} {
		if strings.Contains(w.log.String(), l) {
			t.Errorf("%q reached the log", l)
		}
	}
}

func TestWhatTheProviderDoesNotVouchForIsRefused(t *testing.T) {
	t.Parallel()
	w, p := newSSOWorld(t)
	w.signIn()
	for name, claims := range map[string]map[string]any{
		"an address that nobody verified":        grace(map[string]any{"email_verified": false}),
		"no word on whether it was verified":     grace(map[string]any{"email_verified": nil}),
		"no address":                             grace(map[string]any{"email": ""}),
		"an address of another domain":           grace(map[string]any{"email": "grace@example.org"}),
		"a domain that ends alike":               grace(map[string]any{"email": "grace@notexample.test"}),
		"two domains":                            grace(map[string]any{"email": "grace@example.org@example.test"}),
		"no group":                               grace(map[string]any{"groups": nil}),
		"a group that begins alike":              grace(map[string]any{"groups": "kyc2"}),
		"the address of a member":                grace(map[string]any{"email": ownerEmail}),
		"the address of a member in capitals":    grace(map[string]any{"email": strings.ToUpper(ownerEmail)}),
		"a token for another client":             grace(map[string]any{"aud": "another"}),
		"a token of another issuer":              grace(map[string]any{"iss": "https://idp.example.org"}),
		"a token that has ended":                 grace(map[string]any{"exp": time.Now().Add(-time.Hour).Unix()}),
		"a token that was made for another time": grace(map[string]any{"nonce": "another"}),
	} {
		w.run(t, name, func(t *testing.T) {
			a := w.sso(p, claims).want(t, 403, "auth.sso_refused")
			if w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookieOf(a, "")}).status != 401 || strings.Contains(a.body, "example.") {
				t.Errorf("somebody came in, or the answer says too much: %s", a.body)
			}
		})
	}
	other, err := rsa.GenerateKey(rand.Reader, 2048)
	must(t, err)
	p.signer = other
	w.sso(p, grace(nil)).want(t, 403, "auth.sso_refused")
	p.signer = p.key
	w.sso(p, grace(nil)).want(t, 200, "")
}

func TestTheAnswerOfTheProviderBelongsToOneBrowserOnce(t *testing.T) {
	t.Parallel()
	w, p := newSSOWorld(t)
	w.signIn()
	finish := func(cookie string, body map[string]any) answer {
		return w.do(ask{method: "POST", path: "/v1/console/sso/finish", cookie: cookie, body: body})
	}
	p.claims = grace(nil)
	state, browser := w.begin(p, "/v1/console/sso/begin", "", "")
	_, other := w.begin(p, "/v1/console/sso/begin", "", "")
	finish("", map[string]any{"state": state, "authorization": "good"}).want(t, 403, "auth.sso_refused")
	finish(other, map[string]any{"state": state, "authorization": "good"}).want(t, 403, "auth.sso_refused") // login CSRF
	finish(browser, map[string]any{"state": "made up", "authorization": "good"}).want(t, 403, "auth.sso_refused")
	state, browser = w.begin(p, "/v1/console/sso/begin", browser, "")
	in := finish(browser, map[string]any{"state": state, "authorization": "good"}).want(t, 200, "")
	finish(cookieOf(in, browser), map[string]any{"state": state, "authorization": "good"}).want(t, 403, "auth.sso_refused") // replayed
	for name, body := range map[string]map[string]any{
		"a code of somebody else":             {"authorization": "another"},
		"an error":                            {"error": "access_denied"},
		"an error and a code":                 {"error": "access_denied", "authorization": "good"},
		"no code":                             {},
		"another provider's answer (mix-up)":  {"authorization": "good", "iss": "https://idp.example.org"},
		"a code that another question is for": {"authorization": "good"},
	} {
		w.run(t, name, func(t *testing.T) {
			state, browser := w.begin(p, "/v1/console/sso/begin", "", "")
			if name == "a code that another question is for" {
				p.pkce = "another"
			}
			body["state"] = state
			finish(browser, body).want(t, 403, "auth.sso_refused")
		})
	}
	state, browser = w.begin(p, "/v1/console/sso/begin", "", "")
	w.clock.move(signin.CeremonyLife)
	finish(browser, map[string]any{"state": state, "authorization": "good"}).want(t, 403, "auth.sso_refused")
}

func TestNobodyIsSentElsewhereAfterSigningIn(t *testing.T) {
	t.Parallel()
	w, p := newSSOWorld(t)
	w.signIn()
	p.claims = grace(nil)
	for next, want := range map[string]string{
		"/console/cases?mode=live": "/console/cases?mode=live", "": "/console/sessions", "https://example.org/console": "/console/sessions",
		"//example.org/console": "/console/sessions", "/\\example.org": "/console/sessions", "/console\\..\\x": "/console/sessions",
		"javascript:alert(1)": "/console/sessions", "/consoles": "/console/sessions", "/console/../../x": "/console/sessions", "/console//x": "/console/sessions",
		"/login": "/console/sessions", " /console": "/console/sessions", "/console\t": "/console/sessions",
	} {
		if strings.ContainsAny(next, "\t") { // no JSON body may hold it
			if got := signin.SafeNext(next); got != want {
				t.Errorf("%q: got %q", next, got)
			}
			continue
		}
		state, browser := w.begin(p, "/v1/console/sso/begin", "", next)
		a := w.do(ask{
			method: "POST", path: "/v1/console/sso/finish", cookie: browser, body: map[string]any{"state": state, "authorization": "good"},
		}).want(t, 200, "")
		if got := field(a.body, "next"); got != want {
			t.Errorf("%q leads to %q, want %q", next, got, want)
		}
	}
}

func TestAMemberLinksAndUnlinksSingleSignOn(t *testing.T) {
	t.Parallel()
	w, p := newSSOWorld(t)
	owner := w.signIn()
	ada := grace(map[string]any{"sub": "ada-1", "email": ownerEmail, "groups": []string{"heads"}})
	w.sso(p, ada).want(t, 403, "auth.sso_refused") // the address alone opens nothing
	state, _ := w.begin(p, "/v1/console/me/sso/begin", owner, "/console/settings/account")
	p.claims = grace(map[string]any{"sub": "ada-1", "email": ownerEmail, "auth_time": time.Now().Add(-time.Hour).Unix()})
	w.do(ask{
		method: "POST", path: "/v1/console/sso/finish", cookie: owner, body: map[string]any{"state": state, "authorization": "good"},
	}).want(t, 403, "auth.sso_refused") // not asked anew
	state, _ = w.begin(p, "/v1/console/me/sso/begin", owner, "/console/settings/account")
	p.claims = ada
	finish := ask{method: "POST", path: "/v1/console/sso/finish", cookie: owner, body: map[string]any{"state": state, "authorization": "good"}}
	if a := w.do(finish).want(t, 200, ""); !strings.Contains(a.body, `"sso":true`) {
		t.Errorf("me: %s", a.body)
	}
	in := w.sso(p, ada).want(t, 200, "")
	if !strings.Contains(in.body, ownerEmail) || !strings.Contains(in.body, `"password":true`) {
		t.Errorf("another account was opened: %s", in.body)
	}
	ada["groups"] = []string{"kyc"}
	w.sso(p, ada).want(t, 403, "auth.sso_refused") // it would leave no owner
	hers := cookieOf(w.sso(p, grace(nil)).want(t, 200, ""), "")
	w.do(ask{method: "POST", path: "/v1/console/me/sso/remove", cookie: hers}).want(t, 403, "auth.forbidden") // her last way in
	state, _ = w.begin(p, "/v1/console/me/sso/begin", hers, "")
	p.claims = ada
	w.do(ask{
		method: "POST", path: "/v1/console/sso/finish", cookie: hers, body: map[string]any{"state": state, "authorization": "good"},
	}).want(t, 403, "auth.sso_refused") // somebody else's
	w.do(ask{method: "POST", path: "/v1/console/me/sso/remove", cookie: owner}).want(t, 200, "")
	w.sso(p, ada).want(t, 403, "auth.sso_refused")
	for _, action := range []string{"user.sso_linked", "user.sso_unlinked"} {
		if !w.audited(action) {
			t.Errorf("%s is not in the audit log", action)
		}
	}
}

func TestAProofBySingleSignOnIsFreshOrNone(t *testing.T) {
	t.Parallel()
	w, p := newSSOWorld(t)
	w.signIn()
	old := grace(map[string]any{"groups": []string{"heads"}, "auth_time": time.Now().Add(-time.Hour).Unix()})
	cookie := cookieOf(w.sso(p, old).want(t, 200, ""), "")
	invite := ask{
		method: "POST", path: "/v1/console/team/invitations", cookie: cookie,
		body: map[string]any{"email": "x@example.test", "roles": []string{"reviewer"}},
	}
	w.do(invite).want(t, 403, "auth.step_up") // the provider has not asked for an hour
	prove := func(claims map[string]any) answer {
		state, _ := w.begin(p, "/v1/console/me/prove/sso", cookie, "")
		p.claims = claims
		return w.do(ask{method: "POST", path: "/v1/console/sso/finish", cookie: cookie, body: map[string]any{"state": state, "authorization": "good"}})
	}
	prove(old).want(t, 403, "auth.sso_refused")
	prove(grace(map[string]any{"sub": "eve-1"})).want(t, 403, "auth.sso_refused")
	prove(grace(map[string]any{"auth_time": nil})).want(t, 403, "auth.sso_refused")
	w.do(invite).want(t, 403, "auth.step_up")
	prove(grace(map[string]any{"auth_time": time.Now().Add(2 * time.Minute).Unix()})).want(t, 403, "auth.sso_refused")
	w.do(invite).want(t, 403, "auth.step_up")
	prove(grace(map[string]any{"auth_time": time.Now().Add(-4 * time.Minute).Unix()})).want(t, 200, "")
	w.do(invite).want(t, 201, "")
	w.clock.move(signin.ProofLife - 4*time.Minute) // it counts from when the provider asked, not from when we heard of it
	w.do(invite).want(t, 403, "auth.step_up")
}

func TestTheOtherWaysGoOnWithoutTheProvider(t *testing.T) {
	t.Parallel()
	w, p := newSSOWorld(t)
	p.server.Close()
	w.do(ask{method: "POST", path: "/v1/console/sso/begin", body: map[string]any{}}).want(t, 503, "auth.sso_unavailable")
	cookie := w.signIn()
	a := w.do(ask{method: "GET", path: "/v1/console/settings/security", cookie: cookie}).want(t, 200, "")
	if !strings.Contains(a.body, `"client_id":"bonafide"`) || strings.Contains(a.body, "secret") {
		t.Errorf("settings: %s", a.body)
	}
	none := newWorld(t)
	none.do(ask{method: "POST", path: "/v1/console/sso/begin", body: map[string]any{}}).want(t, 403, "auth.sso_refused")
}
