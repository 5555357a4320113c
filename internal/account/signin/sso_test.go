package signin

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/accounttest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/sso"
)

// idp is an identity provider that says of everybody what a test wants.
type idp struct {
	asked    sso.Question
	identity sso.Identity
	down     bool
}

func (*idp) Issuer() string { return "https://idp.example.org" }

func (p *idp) URL(_ context.Context, q sso.Question) (string, error) {
	if p.down {
		return "", problem.New(problem.AuthSSOUnavailable)
	}
	p.asked = q
	return "https://idp.example.org/auth?state=" + q.State, nil
}

func (p *idp) Identity(_ context.Context, q sso.Question, code string) (sso.Identity, error) {
	if p.down {
		return sso.Identity{}, problem.New(problem.AuthSSOUnavailable)
	}
	if code != "good" || q != p.asked {
		return sso.Identity{}, sso.Refused("no", nil)
	}
	return p.identity, nil
}

// newSSOWorld is newWorld with a provider that knows Grace, who is a reviewer.
func newSSOWorld(t *testing.T) (*world, *idp) {
	t.Helper()
	p := &idp{}
	w := newWorld(t, func(o *Options) {
		o.SSO = SSOConfig{Provider: p, Name: "Bank", Domains: []string{"Example.org"}, Roles: []RoleClaim{
			{"groups", "audit", account.Auditor}, {"groups", "kyc", account.Reviewer}, {"groups", "heads", account.Owner}, {"admin", "true", account.Admin},
		}}
	})
	p.identity = sso.Identity{
		Issuer: p.Issuer(), Subject: "grace-1", Email: "Grace@example.org", EmailVerified: true, Name: " Grace ", SignedInAt: w.clock.Now(),
		Claims: map[string]any{"groups": []any{"staff", "kyc"}},
	}
	return w, p
}

// sso goes to the provider and comes back.
func (w *world) sso(t *testing.T, p *idp, purpose SSOPurpose, user account.User, change ...func(*SSOCallback)) (SSOResult, error) {
	t.Helper()
	if _, err := w.SSO.Begin(t.Context(), browser, purpose, user.ID, "/console/cases"); err != nil {
		return SSOResult{}, err
	}
	back := SSOCallback{State: p.asked.State, Code: "good", Issuer: p.Issuer()}
	for _, c := range change {
		c(&back)
	}
	return w.SSO.Finish(t.Context(), browser, user.ID, back)
}

func TestSomebodyNewJoinsWithTheRolesOfTheirClaims(t *testing.T) {
	w, p := newSSOWorld(t)
	got, err := w.sso(t, p, SSOSignIn, account.User{})
	if err != nil {
		t.Fatal(err)
	}
	u := got.User
	if u.Name != "Grace" || u.Normal != "grace@example.org" || !slices.Equal(u.Roles, []account.Role{account.Reviewer}) || u.PasswordHash != "" ||
		u.Subject != (account.Subject{Issuer: p.Issuer(), ID: "grace-1"}) {
		t.Errorf("member %+v", u)
	}
	if got.Next != "/console/cases" || got.Purpose != SSOSignIn || !got.ProvedAt.Equal(w.clock.Now()) || p.asked.Again {
		t.Errorf("result %+v of %+v", got, p.asked)
	}
	if want := []string{"member.joined_by_sso", "user.signed_in"}; !slices.Equal(w.store.Actions, want) {
		t.Errorf("audited %v, want %v", w.store.Actions, want)
	}
	p.identity.Email = "other@example.org" // the subject counts, not the address
	p.identity.Claims = map[string]any{"groups": "audit", "admin": true}
	again, err := w.sso(t, p, SSOSignIn, account.User{})
	if err != nil || again.User.ID != u.ID || !slices.Equal(again.User.Roles, []account.Role{account.Admin, account.Auditor}) {
		t.Errorf("again: %+v, %v", again.User, err)
	}
	if !slices.Contains(w.store.Actions, "member.roles_by_sso") {
		t.Errorf("audited %v", w.store.Actions)
	}
}

func TestANameIsMadeOfTheAddressAndCut(t *testing.T) {
	w, p := newSSOWorld(t)
	p.identity.Name = ""
	if got, err := w.sso(t, p, SSOSignIn, account.User{}); err != nil || got.User.Name != "Grace" {
		t.Errorf("without a name: %+v, %v", got.User, err)
	}
	p.identity.Subject, p.identity.Email, p.identity.Name = "long", "long@example.org", strings.Repeat("é", maxName+1)
	if got, err := w.sso(t, p, SSOSignIn, account.User{}); err != nil || got.User.Name != strings.Repeat("é", maxName) {
		t.Errorf("with a long name: %+v, %v", got.User, err)
	}
}

func TestWhatTheProviderSaysIsNotEnoughForEverybody(t *testing.T) {
	for name, change := range map[string]func(*world, *idp){
		"an address that is not verified":  func(_ *world, p *idp) { p.identity.EmailVerified = false },
		"no address":                       func(_ *world, p *idp) { p.identity.Email = "" },
		"an address of another domain":     func(_ *world, p *idp) { p.identity.Email = "grace@example.com" },
		"an address with a name around it": func(_ *world, p *idp) { p.identity.Email = "Grace <grace@example.org" },
		"no claim that gives a role":       func(_ *world, p *idp) { p.identity.Claims = map[string]any{"groups": 7} },
		"the address of a member":          func(_ *world, p *idp) { p.identity.Email = "ADA@example.org" },
		"a deployment without an owner":    func(w *world, _ *idp) { w.store.Members = nil },
		"a member who is disabled": func(w *world, p *idp) {
			w.store.Members = append(w.store.Members, account.User{ID: "usr_2", Subject: account.Subject{Issuer: p.Issuer(), ID: "grace-1"}, DisabledAt: w.clock.Now()})
		},
		"roles that leave no owner": func(w *world, p *idp) {
			w.store.Members[0].Subject = account.Subject{Issuer: p.Issuer(), ID: "grace-1"}
		},
	} {
		t.Run(name, func(t *testing.T) {
			w, p := newSSOWorld(t)
			change(w, p)
			before := len(w.store.Members)
			_, err := w.sso(t, p, SSOSignIn, account.User{})
			accounttest.Want(t, "sign in", err, "auth.sso_refused")
			if len(w.store.Members) != before || len(w.store.Actions) != 0 {
				t.Errorf("it left %d members and %v", len(w.store.Members), w.store.Actions)
			}
		})
	}
}

func TestTheAnswerOfTheProviderBelongsToOneBrowserOnce(t *testing.T) {
	w, p := newSSOWorld(t)
	for name, change := range map[string]func(*SSOCallback){
		"another state":             func(b *SSOCallback) { b.State = "made up" },
		"another issuer":            func(b *SSOCallback) { b.Issuer = "https://evil.example.org" },
		"a refusal":                 func(b *SSOCallback) { b.Error = "access_denied" },
		"no code":                   func(b *SSOCallback) { b.Code = "" },
		"a code that was not given": func(b *SSOCallback) { b.Code = "bad" },
		"an answer that is late":    func(*SSOCallback) { w.clock.Advance(CeremonyLife) },
	} {
		_, err := w.sso(t, p, SSOSignIn, account.User{}, change)
		accounttest.Want(t, name, err, "auth.sso_refused")
	}
	p.identity.SignedInAt = w.clock.Now()
	if _, err := w.sso(t, p, SSOSignIn, account.User{}); err != nil {
		t.Fatal(err)
	}
	_, err := w.SSO.Finish(t.Context(), browser, "", SSOCallback{State: p.asked.State, Code: "good"})
	accounttest.Want(t, "the same answer again", err, "auth.sso_refused")
	if _, err := w.SSO.Begin(t.Context(), browser, SSOSignIn, "", ""); err != nil {
		t.Fatal(err)
	}
	_, err = w.SSO.Finish(t.Context(), "another browser's", "", SSOCallback{State: p.asked.State, Code: "good"})
	accounttest.Want(t, "another browser", err, "auth.sso_refused")
	p.down = true
	_, err = w.sso(t, p, SSOSignIn, account.User{})
	accounttest.Want(t, "a provider that is down", err, "auth.sso_unavailable")
}

func TestAProofBySingleSignOnIsFreshAndOfTheSamePerson(t *testing.T) {
	w, p := newSSOWorld(t)
	_, err := w.sso(t, p, SSOProve, w.ada)
	accounttest.Want(t, "by an account that is not theirs", err, "auth.sso_refused")
	if _, err := w.sso(t, p, SSOLink, w.ada); err != nil {
		t.Fatal(err)
	}
	got, err := w.sso(t, p, SSOProve, w.now())
	if err != nil || got.Purpose != SSOProve || got.User.ID != w.ada.ID || !p.asked.Again {
		t.Errorf("proved: %+v, %v", got, err)
	}
	now := w.clock.Now()
	for name, tt := range map[string]struct {
		at, want time.Time
		code     string
	}{
		"long ago":                {now.Add(-CeremonyLife - time.Second), time.Time{}, "auth.sso_refused"},
		"a time that is not said": {time.Time{}, time.Time{}, "auth.sso_refused"},
		"a little ahead":          {now.Add(time.Second), now, ""},
		"too far ahead":           {now.Add(maxClockSkew + time.Second), time.Time{}, "auth.sso_refused"},
	} {
		p.identity.SignedInAt = tt.at
		got, err := w.sso(t, p, SSOProve, w.now())
		accounttest.Want(t, name, err, tt.code)
		if !got.ProvedAt.Equal(tt.want) {
			t.Errorf("%s: proved at %v, want %v", name, got.ProvedAt, tt.want)
		}
	}
	p.identity.SignedInAt = now
	if _, err := w.SSO.Begin(t.Context(), browser, SSOProve, w.ada.ID, ""); err != nil {
		t.Fatal(err)
	}
	_, err = w.SSO.Finish(t.Context(), browser, "usr_2", SSOCallback{State: p.asked.State, Code: "good"})
	accounttest.Want(t, "while somebody else is signed in", err, "auth.sso_refused")
}

func TestAnAccountAtTheProviderIsLinkedToOneMember(t *testing.T) {
	w, p := newSSOWorld(t)
	if _, err := w.sso(t, p, SSOLink, w.ada); err != nil {
		t.Fatal(err)
	}
	eve := account.User{ID: "usr_2", Normal: "eve@example.org"}
	w.store.Members = append(w.store.Members, eve)
	_, err := w.sso(t, p, SSOLink, eve)
	accounttest.Want(t, "by a second member", err, "auth.sso_refused")
	if u, err := w.SSO.Unlink(t.Context(), w.ada.ID); err != nil || u.Subject != (account.Subject{}) {
		t.Errorf("unlinked: %+v, %v", u.Subject, err)
	}
	w.store.Members[1].DisabledAt = w.clock.Now()
	_, err = w.sso(t, p, SSOLink, eve)
	accounttest.Want(t, "by a disabled member", err, "auth.invalid")
	w.store.Members[0].PasswordHash, w.store.Members[0].Subject = "", account.Subject{Issuer: p.Issuer(), ID: "grace-1"}
	_, err = w.SSO.Unlink(t.Context(), w.ada.ID)
	accounttest.Want(t, "the last way in", err, "auth.forbidden")
	w.store.FailedReads = errors.New("down")
	_, err = w.sso(t, p, SSOLink, w.ada)
	accounttest.Want(t, "while the store is down", err, "down")
	_, err = w.sso(t, p, SSOSignIn, account.User{})
	accounttest.Want(t, "a sign-in while the store is down", err, "down")
}

func TestWithoutAProviderThereIsNoSingleSignOn(t *testing.T) {
	w := newWorld(t)
	_, err := w.SSO.Begin(t.Context(), browser, SSOSignIn, "", "")
	accounttest.Want(t, "begin", err, "auth.sso_refused")
	_, err = w.SSO.Finish(t.Context(), browser, "", SSOCallback{})
	accounttest.Want(t, "finish", err, "auth.sso_refused")
	if w.SSO.Config().Provider != nil {
		t.Error("there is a provider")
	}
}

func TestSigningInLeadsNowhereElse(t *testing.T) {
	for next, want := range map[string]string{
		"/console/cases?mode=test#a": "/console/cases?mode=test#a", "/console": "/console", "": homePage, "https://evil.example.org/console/": homePage,
		"//evil.example.org/console/": homePage, "/consoles": homePage, "/console/../v1": homePage, "/console//evil": homePage,
		"/console/\\evil": homePage, "/console/\n": homePage, "/console/" + strings.Repeat("a", 500): homePage, "javascript:alert(1)": homePage,
	} {
		if got := SafeNext(next); got != want {
			t.Errorf("%q leads to %q, want %q", next, got, want)
		}
	}
}

func TestAMappingNamesClaimValueAndRole(t *testing.T) {
	for text, want := range map[string]RoleClaim{
		"groups=kyc:reviewer":         {"groups", "kyc", account.Reviewer},
		"groups=urn:x:heads:owner":    {"groups", "urn:x:heads", account.Owner},
		"https://x.org/g=a=b:auditor": {"https://x.org/g", "a=b", account.Auditor},
	} {
		if got, err := ParseRoleClaim(text); err != nil || got != want {
			t.Errorf("%s: %+v, %v", text, got, err)
		}
	}
	for _, text := range []string{"", "groups", "groups=kyc", "=kyc:owner", "groups=:owner", "groups=kyc:root", "kyc:owner"} {
		if got, err := ParseRoleClaim(text); err == nil {
			t.Errorf("%q is read as %+v", text, got)
		}
	}
}
