package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// cookieOf is the cookie that an answer sets, or the one there was.
func cookieOf(a answer, before string) string {
	if c, _, ok := strings.Cut(a.header.Get("Set-Cookie"), ";"); ok {
		return c
	}
	return before
}

// addPasskey adds a passkey to whoever is signed in.
func (w *world) addPasskey(cookie, name string, change ...func(*authenticator)) (*authenticator, answer) {
	w.t.Helper()
	a := newAuthenticator(w.t)
	for _, c := range change {
		c(a)
	}
	asked := w.do(ask{method: "POST", path: "/v1/console/me/passkeys/begin", cookie: cookie}).want(w.t, 200, "")
	return a, w.do(ask{method: "POST", path: "/v1/console/me/passkeys", cookie: cookie, body: a.make(asked.body, name)})
}

// beginPasskeyLogin answers what the browser has to sign and the cookie that it belongs to.
func (w *world) beginPasskeyLogin() (asked, browser string) {
	w.t.Helper()
	a := w.do(ask{method: "POST", path: "/v1/console/login/passkey/begin"}).want(w.t, 200, "")
	return a.body, cookieOf(a, "")
}

func TestAMemberSignsInByPasskeyAlone(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	key, added := w.addPasskey(owner, "Laptop")
	added.want(t, 201, "")
	if strings.Count(added.body, "-") < 10 || strings.Contains(added.body, b64(key.id)) {
		t.Errorf("no recovery codes with the first passkey, or the credential's id is shown: %s", added.body)
	}
	_, second := w.addPasskey(owner, "Phone")
	if second.want(t, 201, ""); !strings.Contains(second.body, `"recovery_codes":[]`) {
		t.Errorf("new recovery codes with the second passkey: %s", second.body)
	}
	asked, browser := w.beginPasskeyLogin()
	if strings.Contains(asked, b64(key.id)) || strings.Contains(asked, "ada") {
		t.Errorf("the request tells a stranger who has an account: %s", asked)
	}
	in := w.do(ask{method: "POST", path: "/v1/console/login/passkey", cookie: browser, body: key.show(asked)}).want(t, 200, "")
	if cookieOf(in, browser) == browser {
		t.Error("the cookie from before signing in goes on: session fixation")
	}
	me := w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookieOf(in, "")}).want(t, 200, "")
	if field(me.body, "email") != ownerEmail || !strings.Contains(me.body, `"name":"Laptop"`) || strings.Contains(me.body, `"last_used_at":null,"name":"Laptop"`) {
		t.Errorf("me: %s", me.body)
	}
	for _, l := range []string{b64(key.id), field(asked, "challenge"), "Laptop"} {
		if strings.Contains(w.log.String(), l) {
			t.Errorf("%q reached the log", l)
		}
	}
}

func TestAPasskeyIsMadeWhileThePageReadsOtherThings(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	release := w.slow(ask{method: "GET", path: "/v1/console/me", cookie: owner})
	key := newAuthenticator(t)
	asked := w.do(ask{method: "POST", path: "/v1/console/me/passkeys/begin", cookie: owner}).want(t, 200, "")
	release() // a slower call writes what it had read
	w.do(ask{method: "POST", path: "/v1/console/me/passkeys", cookie: owner, body: key.make(asked.body, "Laptop")}).want(t, 201, "")
}

func TestAPasskeyThatDoesNotProveWhoAnswersIsRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) { o.Rates.Login = edge.Rate{Calls: 1000, Window: time.Minute} })
	owner := w.signIn()
	_, grace := w.join(w.invite(owner, memberEmail, account.Reviewer))
	ada, a := w.addPasskey(owner, "Key", func(a *authenticator) { a.count = 5 })
	a.want(t, 201, "")
	hers, a := w.addPasskey(grace, "Key")
	a.want(t, 201, "")
	for name, change := range map[string]func(a *authenticator, asked *string){
		"signed for another page":           func(a *authenticator, _ *string) { a.origin = "https://localhost.example" },
		"signed for another port":           func(a *authenticator, _ *string) { a.origin = "http://localhost:81" },
		"of another host":                   func(a *authenticator, _ *string) { a.rpID = "example.com" },
		"without the person being verified": func(a *authenticator, _ *string) { a.flags = userPresent },
		"without anybody being there":       func(a *authenticator, _ *string) { a.flags = userVerified },
		"another member's user handle":      func(a *authenticator, _ *string) { a.userHandle = hers.userHandle },
		"the handle of nobody":              func(a *authenticator, _ *string) { a.userHandle = b64([]byte("usr_06c1q2m3n4p5r6s7t8v9w0x1y2")) },
		"no user handle":                    func(a *authenticator, _ *string) { a.userHandle = "" },
		"another key":                       func(a *authenticator, _ *string) { a.key = newAuthenticator(t).key },
		"another member's credential":       func(a *authenticator, _ *string) { a.id = hers.id },
		"a counter that went back":          func(a *authenticator, _ *string) { a.count = 5 },
		"an answer to making a passkey":     func(a *authenticator, _ *string) { a.typ = "webauthn.create" },
		"a challenge of one's own":          func(a *authenticator, _ *string) { a.challenge = b64(make([]byte, 32)) },
		"no challenge":                      func(_ *authenticator, asked *string) { *asked = `{}` },
		"a flag that says it can be copied": func(a *authenticator, _ *string) { a.flags |= 0x08 },
		"a challenge for a signed-in member": func(_ *authenticator, asked *string) {
			*asked = w.do(ask{method: "POST", path: "/v1/console/me/prove/begin", cookie: owner}).body
		},
	} {
		w.run(t, name, func(t *testing.T) {
			asked, browser := w.beginPasskeyLogin()
			a := *ada
			a.count = 6
			change(&a, &asked)
			got := w.do(ask{method: "POST", path: "/v1/console/login/passkey", cookie: browser, body: a.show(asked)}).want(t, 401, "auth.passkey")
			if w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookieOf(got, browser)}).status != 401 {
				t.Error("somebody is signed in")
			}
		})
	}
	if !w.audited("user.passkey_counter_went_back") {
		t.Error("a counter that went back is not in the audit log")
	}
	asked, browser := w.beginPasskeyLogin()
	ada.count = 7
	post := ask{method: "POST", path: "/v1/console/login/passkey", body: ada.show(asked)}
	w.do(post).want(t, 401, "auth.passkey") // in another browser
	post.cookie = browser
	w.do(post).want(t, 200, "")
	w.do(post).want(t, 401, "auth.passkey") // replayed
	asked, browser = w.beginPasskeyLogin()
	ada.count = 8
	w.clock.move(signin.CeremonyLife)
	w.do(ask{method: "POST", path: "/v1/console/login/passkey", cookie: browser, body: ada.show(asked)}).want(t, 401, "auth.passkey") // too late
	w.do(ask{method: "POST", path: "/v1/console/login/passkey", cookie: browser, body: map[string]any{
		"credential": "*", "client_data": "*", "authenticator_data": "*", "signature": "*"}}).want(t, 401, "auth.passkey")
}

func TestAPasskeyThatDoesNotCountIsTakenAndOneThatStartsToCountToo(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, added := w.addPasskey(w.signIn(), "Synced")
	added.want(t, 201, "")
	for _, count := range []uint32{0, 0, 1, 9} {
		asked, browser := w.beginPasskeyLogin()
		key.count = count
		w.do(ask{method: "POST", path: "/v1/console/login/passkey", cookie: browser, body: key.show(asked)}).want(t, 200, "")
	}
	asked, browser := w.beginPasskeyLogin()
	key.count = 0
	w.do(ask{method: "POST", path: "/v1/console/login/passkey", cookie: browser, body: key.show(asked)}).want(t, 401, "auth.passkey")
}

func TestAPasskeyIsNotMadeFromWhatProvesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	_, grace := w.join(w.invite(owner, memberEmail, account.Reviewer))
	for name, change := range map[string]func(*authenticator){
		"on another page":                   func(a *authenticator) { a.origin = "https://example.com" },
		"for another host":                  func(a *authenticator) { a.rpID = "example.com" },
		"without the person being verified": func(a *authenticator) { a.flags = userPresent },
		"as an answer to signing in":        func(a *authenticator) { a.typ = "webauthn.get" },
		"for another challenge":             func(a *authenticator) { a.challenge = b64(make([]byte, 32)) },
	} {
		w.run(t, name, func(t *testing.T) {
			_, got := w.addPasskey(owner, "Key", change)
			got.want(t, 401, "auth.passkey")
		})
	}
	asked := w.do(ask{method: "POST", path: "/v1/console/me/passkeys/begin", cookie: owner}).want(t, 200, "")
	key := newAuthenticator(t)
	made := ask{method: "POST", path: "/v1/console/me/passkeys", cookie: grace, body: key.make(asked.body, "Key")}
	w.do(made).want(t, 401, "auth.passkey") // another member's challenge
	made.cookie = owner
	w.do(made).want(t, 201, "")
	w.do(made).want(t, 401, "auth.passkey") // again
	_, got := w.addPasskey(grace, "Key", func(a *authenticator) { a.id = key.id })
	got.want(t, 401, "auth.passkey") // a credential that somebody has
}

func TestAPasskeyIsASecondFactorAndReplacesTheCode(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	_, grace := w.join(w.invite(owner, memberEmail, account.Reviewer))
	key, added := w.addPasskey(owner, "Key")
	var codes struct {
		Codes []string `json:"recovery_codes"`
	}
	must(t, json.Unmarshal([]byte(added.body), &codes))
	hers, _ := w.addPasskey(grace, "Key")
	body := map[string]any{"email": ownerEmail, "password": ownerPassword}
	login := func(change map[string]any) answer {
		asked, browser := w.beginPasskeyLogin()
		sent := map[string]any{}
		for k, v := range body {
			sent[k] = v
		}
		for k, v := range change {
			if a, ok := v.(*authenticator); ok {
				v = a.show(asked)
			}
			sent[k] = v
		}
		return w.do(ask{method: "POST", path: "/v1/console/login", cookie: browser, body: sent})
	}
	login(nil).want(t, 401, "auth.second_factor")
	login(map[string]any{"one_time_code": "328482"}).want(t, 401, "auth.second_factor") // a code of the empty secret would be anybody's
	login(map[string]any{"passkey": hers}).want(t, 401, "auth.passkey")
	login(map[string]any{"passkey": key, "password": "something else entirely"}).want(t, 401, "auth.invalid")
	login(map[string]any{"passkey": key}).want(t, 200, "")
	login(map[string]any{"one_time_code": codes.Codes[0]}).want(t, 200, "")
	login(map[string]any{"one_time_code": codes.Codes[0]}).want(t, 401, "auth.second_factor")
}

func TestAPasskeyIsRemovedByItsOwnerOnly(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	_, grace := w.join(w.invite(owner, memberEmail, account.Reviewer))
	key, _ := w.addPasskey(owner, "Key")
	me := w.do(ask{method: "GET", path: "/v1/console/me", cookie: owner})
	var seen struct{ Passkeys []struct{ ID string } }
	must(t, json.Unmarshal([]byte(me.body), &seen))
	remove := ask{method: "POST", path: "/v1/console/me/passkeys/" + seen.Passkeys[0].ID + "/remove", cookie: grace}
	w.do(remove).want(t, 404, "not_found")
	remove.cookie = owner
	if a := w.do(remove).want(t, 200, ""); !strings.Contains(a.body, `"passkeys":[]`) || !strings.Contains(a.body, `"second_factor":false`) {
		t.Errorf("me: %s", a.body)
	}
	w.do(remove).want(t, 404, "not_found")
	asked, browser := w.beginPasskeyLogin()
	w.do(ask{method: "POST", path: "/v1/console/login/passkey", cookie: browser, body: key.show(asked)}).want(t, 401, "auth.passkey")
	for _, action := range []string{"user.passkey_added", "user.passkey_removed"} {
		if !w.audited(action) {
			t.Errorf("%s is not in the audit log", action)
		}
	}
}

func TestSomebodyWhoIsKeptOutHasNoPasskey(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	id, grace := w.join(w.invite(owner, memberEmail, account.Reviewer))
	key, added := w.addPasskey(grace, "Key")
	added.want(t, 201, "")
	w.do(ask{method: "POST", path: "/v1/console/team/members/" + id + "/disable", cookie: owner}).want(t, 200, "")
	asked, browser := w.beginPasskeyLogin()
	w.do(ask{method: "POST", path: "/v1/console/login/passkey", cookie: browser, body: key.show(asked)}).want(t, 401, "auth.passkey")
}

func TestGuessingWithPasskeysIsSlowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	key, _ := w.addPasskey(w.signIn(), "Key")
	forged := *key
	forged.key = newAuthenticator(t).key
	show := func(a *authenticator, handle string) answer {
		asked, browser := w.beginPasskeyLogin()
		body := a.show(asked)
		if handle != "" {
			body["user_handle"] = handle
		}
		return w.do(ask{method: "POST", path: "/v1/console/login/passkey", cookie: browser, body: body})
	}
	for i := range edge.LoginRate.Calls {
		show(&forged, b64(fmt.Appendf(nil, "somebody %d", i))).want(t, 401, "auth.passkey") // another handle each time
	}
	show(&forged, "").want(t, 429, "rate.limited")
	show(key, "").want(t, 200, "") // whoever has theirs is not kept out
}

// audited reports whether the audit log has an entry of that action.
func (w *world) audited(action string) bool {
	w.t.Helper()
	return w.records.has(action)
}
