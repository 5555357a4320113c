package httpapi_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/pquerna/otp/totp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
)

const memberEmail, memberPassword = "grace@example.test", "a ship in port is safe"

// invite invites somebody and answers the token of the link.
func (w *world) invite(cookie, email string, roles ...account.Role) string {
	w.t.Helper()
	a := w.do(ask{method: "POST", path: "/v1/console/team/invitations", cookie: cookie, body: map[string]any{"email": email, "roles": roles}}).want(w.t, 201, "")
	_, token, ok := strings.Cut(field(a.body, "url"), "/join#token=")
	if !ok {
		w.t.Fatalf("no link: %s", a.body)
	}
	return token
}

// join takes up an invitation and answers the member's id and cookie.
func (w *world) join(token string) (id, cookie string) {
	w.t.Helper()
	a := w.do(ask{method: "POST", path: "/v1/console/join", body: map[string]any{"token": token, "name": "Grace", "password": memberPassword}}).want(w.t, 200, "")
	cookie, _, _ = strings.Cut(a.header.Get("Set-Cookie"), ";")
	return field(a.body, "id"), cookie
}

func TestAnInvitedPersonJoinsOnceWithTheRolesThatWereChosen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	token := w.invite(owner, memberEmail, account.Reviewer, account.Auditor)
	peek := ask{method: "POST", path: "/v1/console/join/peek", body: map[string]any{"token": token}}
	for range 2 { // looking changes nothing
		if a := w.do(peek).want(t, 200, ""); field(a.body, "email") != memberEmail || strings.Contains(a.body, "Ada") {
			t.Errorf("peek: %s", a.body)
		}
	}
	joining := func(change map[string]any) ask {
		body := map[string]any{"token": token, "name": "Grace", "password": memberPassword}
		for k, v := range change {
			body[k] = v
		}
		return ask{method: "POST", path: "/v1/console/join", body: body}
	}
	for name, s := range map[string]scenario{
		"a made-up token":         {ask: joining(map[string]any{"token": strings.Repeat("A", 43)}), status: 401, code: "auth.invalid", lacks: []string{memberEmail}},
		"a weak password":         {ask: joining(map[string]any{"password": memberEmail}), status: 400, code: "request.malformed", field: "/password"},
		"roles of their own":      {ask: joining(map[string]any{"roles": []string{"owner"}}), status: 400, code: "request.unknown_field"},
		"an address of their own": {ask: joining(map[string]any{"email": "eve@example.test"}), status: 400, code: "request.unknown_field"},
	} {
		w.run(t, name, func(t *testing.T) { s.run(t, w) })
	}
	_, cookie := w.join(token)
	me := w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 200, "")
	if field(me.body, "email") != memberEmail || !strings.Contains(me.body, `"roles":["reviewer","auditor"]`) {
		t.Errorf("me: %s", me.body)
	}
	w.do(joining(nil)).want(t, 401, "auth.invalid")
	w.do(peek).want(t, 401, "auth.invalid")
	w.do(ask{method: "GET", path: "/v1/console/team", cookie: cookie}).want(t, 403, "auth.forbidden")
	for _, l := range []string{token, memberEmail, memberPassword} {
		if strings.Contains(w.log.String(), l) {
			t.Errorf("%q reached the log", l)
		}
	}
}

func TestAnInvitationEnds(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	old := w.invite(owner, "late@example.test", account.Reviewer)
	back := w.invite(owner, memberEmail, account.Reviewer)
	list := w.do(ask{method: "GET", path: "/v1/console/team", cookie: owner}).want(t, 200, "")
	if strings.Contains(list.body, back) || strings.Contains(list.body, `"url"`) {
		t.Errorf("the link is shown a second time: %s", list.body)
	}
	var open struct{ Invitations []struct{ ID string } }
	must(t, json.Unmarshal([]byte(list.body), &open))
	if len(open.Invitations) != 2 {
		t.Fatalf("invitations: %s", list.body)
	}
	revoke := ask{method: "POST", path: "/v1/console/team/invitations/" + open.Invitations[0].ID + "/revoke", cookie: owner}
	w.do(revoke).want(t, 204, "")
	w.do(revoke).want(t, 404, "not_found")
	w.do(ask{method: "POST", path: "/v1/console/join/peek", body: map[string]any{"token": back}}).want(t, 401, "auth.invalid")
	w.do(ask{method: "POST", path: "/v1/console/join/peek", body: map[string]any{"token": old}}).want(t, 200, "")
	w.clock.move(team.InvitationLife)
	w.do(ask{method: "POST", path: "/v1/console/join/peek", body: map[string]any{"token": old}}).want(t, 401, "auth.invalid")
}

func TestAMemberIsChangedAndKeptOutAtOnce(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	id, cookie := w.join(w.invite(owner, memberEmail, account.Admin))
	post := func(cookie, path string, body any) answer {
		return w.do(ask{method: "POST", path: "/v1/console/team/members/" + path, cookie: cookie, body: body})
	}
	ownerID := field(w.do(ask{method: "GET", path: "/v1/console/me", cookie: owner}).body, "id")
	post(cookie, id+"/roles", map[string]any{"roles": []string{"owner"}}).want(t, 403, "auth.forbidden")
	post(cookie, ownerID+"/disable", nil).want(t, 403, "auth.forbidden")
	post(owner, ownerID+"/disable", nil).want(t, 403, "auth.forbidden")
	post(owner, id+"/roles", map[string]any{"roles": []string{"reviewer"}}).want(t, 200, "")
	w.do(ask{method: "GET", path: "/v1/console/team", cookie: cookie}).want(t, 403, "auth.forbidden")
	w.clock.move(time.Second)
	post(owner, id+"/disable", nil).want(t, 200, "")
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 401, "auth.invalid")
	login := ask{method: "POST", path: "/v1/console/login", body: map[string]any{"email": memberEmail, "password": memberPassword}}
	w.do(login).want(t, 401, "auth.invalid")
	post(owner, id+"/enable", nil).want(t, 200, "")
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 401, "auth.missing") // the old cookie stays dead
	w.do(login).want(t, 200, "")
}

func TestChangingThePasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	here, elsewhere := w.signIn(), w.signIn()
	w.clock.move(time.Second)
	change := func(present, next string) answer {
		return w.do(ask{method: "POST", path: "/v1/console/me/password", cookie: here, body: map[string]any{"present": present, "password": next}})
	}
	a := change("something else entirely", memberPassword).want(t, 401, "auth.invalid")
	if strings.Contains(a.body, memberPassword) {
		t.Errorf("the answer shows the password: %s", a.body)
	}
	change(ownerPassword, "short").want(t, 400, "request.malformed")
	a = change(ownerPassword, memberPassword).want(t, 200, "")
	here, _, _ = strings.Cut(a.header.Get("Set-Cookie"), ";")
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: here}).want(t, 200, "")
	w.do(ask{method: "GET", path: "/v1/console/me", cookie: elsewhere}).want(t, 401, "auth.missing")
	limited := false
	for range edge.LoginRate.Calls {
		limited = w.do(ask{
			method: "POST", path: "/v1/console/me/password", cookie: here,
			body: map[string]any{"present": "a guess that fails", "password": memberPassword},
		}).code() == "rate.limited" || limited
	}
	if !limited {
		t.Error("the present password can be guessed without end")
	}
}

func TestASecondFactorIsAskedForOnceItWasShown(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	cookie := w.signIn()
	post := func(path string, body map[string]any) answer {
		return w.do(ask{method: "POST", path: path, cookie: cookie, body: body})
	}
	begun := post("/v1/console/me/factor", map[string]any{"present": ownerPassword}).want(t, 200, "")
	if !strings.HasPrefix(field(begun.body, "uri"), "otpauth://totp/") {
		t.Errorf("uri: %s", begun.body)
	}
	code := func() string {
		c, err := totp.GenerateCode(field(begun.body, "secret"), w.clock.now())
		must(t, err)
		return c
	}
	post("/v1/console/me/factor/confirm", map[string]any{"one_time_code": "000000"}).want(t, 401, "auth.second_factor")
	confirmed := post("/v1/console/me/factor/confirm", map[string]any{"one_time_code": code()}).want(t, 200, "")
	var recovery struct{ Codes []string }
	must(t, json.Unmarshal([]byte(confirmed.body), &recovery))
	login := func(code string) answer {
		body := map[string]any{"email": ownerEmail, "password": ownerPassword}
		if code != "" {
			body["one_time_code"] = code
		}
		return w.do(ask{method: "POST", path: "/v1/console/login", body: body})
	}
	w.clock.move(time.Minute)
	if a := login("").want(t, 401, "auth.second_factor"); a.header.Get("Set-Cookie") != "" {
		t.Error("half a login starts a session")
	}
	used := code()
	login(used).want(t, 200, "")
	login(used).want(t, 401, "auth.second_factor")
	login(recovery.Codes[0]).want(t, 200, "")
	wrong := w.do(ask{
		method: "POST", path: "/v1/console/login",
		body: map[string]any{"email": ownerEmail, "password": "something else entirely", "one_time_code": recovery.Codes[1]},
	})
	wrong.want(t, 401, "auth.invalid") // who has not the password is not told that there is a factor
	for _, l := range append(recovery.Codes, field(begun.body, "secret"), used) {
		if strings.Contains(w.log.String(), l) {
			t.Errorf("%q reached the log", l)
		}
	}
	me := w.do(ask{method: "GET", path: "/v1/console/me", cookie: cookie}).want(t, 200, "")
	if !strings.Contains(me.body, `"second_factor":true`) || !strings.Contains(me.body, `"recovery_codes":9`) ||
		strings.Contains(me.body, field(begun.body, "secret")) {
		t.Errorf("me: %s", me.body)
	}
}

// somebody makes a second member, for calls on one.
func (w *world) somebody(cookie string) (member string) {
	w.t.Helper()
	roles := w.roles.instead
	w.roles.instead = nil
	defer func() { w.roles.instead = roles }()
	id, _ := w.join(w.invite(cookie, memberEmail, account.Reviewer))
	return id
}

// openInvitation makes one more invitation and answers its id.
func openInvitation(w *world) string {
	w.t.Helper()
	i, _, err := w.accounts.Invitations.Create(
		w.t.Context(), account.User{ID: idv.UserID("usr_x"), Roles: []account.Role{account.Owner}}, "open@example.test",
		[]account.Role{account.Reviewer},
	)
	must(w.t, err)
	return string(i.ID)
}

func TestTheKeysOfWhoIsKeptOutAreListedAndEndIfThatIsAsked(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	id, cookie := w.join(w.invite(owner, memberEmail, account.Developer))
	made := w.do(ask{
		method: "POST", path: "/v1/console/keys", cookie: cookie,
		body: map[string]any{"mode": "test", "name": "their script", "scopes": []string{"sessions.write"}},
	}).want(t, 201, "")
	secret := field(made.body, "secret")
	calls := func() int {
		return w.do(ask{method: "POST", path: "/v1/sessions", bearer: secret, body: map[string]any{"workflow": "no_liveness"}}).status
	}
	member := func() string {
		t.Helper()
		_, after, _ := strings.Cut(w.do(ask{method: "GET", path: "/v1/console/team", cookie: owner}).want(t, 200, "").body, `"id":"`+id+`"`)
		return after
	}
	if !strings.Contains(member(), `"keys":[{"id":"`+field(made.body, "id")+`","name":"their script","mode":"test"`) || strings.Contains(member(), secret) {
		t.Errorf("the row does not list the key: %s", member())
	}
	out := ask{method: "POST", path: "/v1/console/team/members/" + id + "/disable", cookie: owner}
	if a := w.do(out).want(t, 200, ""); !strings.Contains(a.body, "their script") || calls() != 201 {
		t.Errorf("kept out without more, the key does not go on: %d %s", calls(), a.body)
	}
	out.body = map[string]any{"revoke_keys": "yes"}
	w.do(out).want(t, 400, "request.malformed")
	out.body = map[string]any{"revoke_keys": true}
	if a := w.do(out).want(t, 200, ""); strings.Contains(a.body, "their script") || calls() != 401 {
		t.Errorf("the key goes on: %d %s", calls(), a.body)
	}
}
