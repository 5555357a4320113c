package httpapi_test

import (
	"io"
	"mime/quotedprintable"
	netmail "net/mail"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/mail/mailtest"
)

// withMail runs a test on both databases with an SMTP server.
func withMail(t *testing.T, test func(*testing.T, *world, *mailtest.Server)) {
	t.Helper()
	for name, where := range map[string]func(testing.TB) string{"on SQLite": migrated.SQLite, "on PostgreSQL": migrated.Postgres} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := mailtest.Start(t, mailtest.Options{StartTLS: true})
			test(t, newWorldMail(t, where(t), signin.SSOConfig{}, mail.Server{
				Host: s.Host, Port: s.Port, Security: mail.StartTLS, Roots: s.Roots, From: netmail.Address{Address: "id@example.test"},
			}), s)
		})
	}
}

// deliver works the jobs of all mails that are due.
func deliver(w *world) {
	w.t.Helper()
	due, _, err := w.office.List(w.t.Context(), mail.Filter{State: mail.Due, Limit: 100})
	must(w.t, err)
	for _, m := range due {
		must(w.t, w.office.Deliver(w.t.Context(), m.ID))
	}
}

// body returns a mail as its reader sees it.
func body(t *testing.T, m mailtest.Mail) string {
	t.Helper()
	raw, err := io.ReadAll(quotedprintable.NewReader(strings.NewReader(m.Raw)))
	must(t, err)
	return string(raw)
}

// tokenIn returns the secret of the link in a mail.
func tokenIn(t *testing.T, m mailtest.Mail, before string) string {
	t.Helper()
	found := regexp.MustCompile(regexp.QuoteMeta(before) + `([A-Za-z0-9_-]{43})`).FindStringSubmatch(body(t, m))
	if found == nil {
		t.Fatalf("no link %s… in:\n%s", before, body(t, m))
	}
	return found[1]
}

func TestAForgottenPasswordIsResetByMail(t *testing.T) {
	t.Parallel()
	withMail(t, func(t *testing.T, w *world, s *mailtest.Server) {
		t.Helper()
		owner := w.signIn()
		forgot := func(email string) ask {
			return ask{method: "POST", path: "/v1/console/password/forgot", body: map[string]any{"email": email}}
		}
		known := w.do(forgot(ownerEmail)).want(t, 202, "")
		unknown := w.do(forgot("nobody@example.test")).want(t, 202, "")
		if known.body != unknown.body {
			t.Errorf("the answer tells who has an account: %s and %s", known.body, unknown.body)
		}
		deliver(w)
		got := s.Mails()
		if len(got) != 1 || got[0].To[0] != ownerEmail {
			t.Fatalf("arrived: %+v", got)
		}
		token := tokenIn(t, got[0], "http://localhost/reset#token=")
		reset := func(token, pass string) ask {
			return ask{method: "POST", path: "/v1/console/password/reset", body: map[string]any{"token": token, "password": pass}}
		}
		w.do(reset(token, ownerEmail)).want(t, 400, "request.malformed") // too easy; the link goes on working
		scenario{ask: reset(token, "another long phrase"), status: 200, lacks: []string{"session", token}}.run(t, w)
		w.do(reset(token, "yet another phrase")).want(t, 401, "auth.invalid")
		w.do(ask{method: "GET", path: "/v1/console/me", cookie: owner}).want(t, 401, "auth.missing")
		login := func(pass string) ask {
			return ask{method: "POST", path: "/v1/console/login", body: map[string]any{"email": ownerEmail, "password": pass}}
		}
		w.do(login(ownerPassword)).want(t, 401, "auth.invalid")
		w.do(login("another long phrase")).want(t, 200, "")
		deliver(w)
		if got := s.Mails(); len(got) != 2 || !strings.Contains(body(t, got[1]), "was reset") {
			t.Errorf("the member is not told: %d mails", len(got))
		}
		for _, secret := range []string{token, ownerEmail, "nobody@example.test"} {
			if strings.Contains(w.log.String(), secret) {
				t.Errorf("the log holds %q", secret)
			}
		}
	})
}

func TestALinkToResetAPasswordEndsAfterAnHour(t *testing.T) {
	t.Parallel()
	withMail(t, func(t *testing.T, w *world, s *mailtest.Server) {
		t.Helper()
		w.signIn()
		w.do(ask{method: "POST", path: "/v1/console/password/forgot", body: map[string]any{"email": ownerEmail}}).want(t, 202, "")
		deliver(w)
		token := tokenIn(t, s.Mails()[0], "http://localhost/reset#token=")
		w.clock.move(signin.ResetLife + time.Second)
		w.do(ask{method: "POST", path: "/v1/console/password/peek", body: map[string]any{"token": token}}).want(t, 401, "auth.invalid")
	})
}

func TestALinkAndACodeAreMailedToTheApplicant(t *testing.T) {
	t.Parallel()
	withMail(t, func(t *testing.T, w *world, s *mailtest.Server) {
		t.Helper()
		const email = "ann.applicant@example.test"
		a := w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: map[string]any{
			"locale": "de", "applicant": map[string]any{"email": email, "send_link": true},
		}}).want(t, 201, "")
		id := field(a.body, "id")
		deliver(w)
		first := s.Mails()[0]
		link := tokenIn(t, first, "http://localhost/v/")
		if first.To[0] != email || !strings.Contains(body(t, first), "bittet Sie") {
			t.Errorf("to %v:\n%s", first.To, body(t, first))
		}
		token, _ := w.openWithKey(link)
		w.agree(token)
		w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")

		peek := ask{method: "POST", path: "/v1/applicant/peek", body: map[string]any{"link": link}}
		scenario{ask: peek, status: 200, holds: []string{`"continues":"code"`, `"hint":"a•••@e•••.test"`}, lacks: []string{email}}.run(t, w)
		open := func(code string) ask {
			return ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": link, "one_time_code": code}}
		}
		w.do(open("000000")).want(t, 403, "code.expired") // none was asked for
		send := ask{method: "POST", path: "/v1/applicant/code", body: map[string]any{"link": link, "locale": "fr"}}
		scenario{ask: send, status: 200, holds: []string{"a•••@"}, lacks: []string{email, id}}.run(t, w)
		w.do(send).want(t, 429, "rate.limited") // one in 30 seconds
		deliver(w)
		code := regexp.MustCompile(`\b\d{6}\b`).FindString(body(t, s.Mails()[1]))
		if !strings.Contains(body(t, s.Mails()[1]), "Saisissez") || code == "" {
			t.Fatalf("no code, or not in French:\n%s", body(t, s.Mails()[1]))
		}
		for range 4 {
			w.do(open(wrongCode(code))).want(t, 403, "code.wrong")
		}
		scenario{ask: open(code[:3] + " " + code[3:]), status: 200, holds: []string{`"step":"selfie"`}, lacks: []string{"anna", email}}.run(t, w)
		w.do(open(code)).want(t, 403, "code.expired") // works once
		w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 409, "session.continued")

		w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: w.key}).want(t, 200, "")
		after, _, err := w.office.List(t.Context(), mail.Filter{Limit: 10})
		must(t, err)
		if len(after) != 0 {
			t.Errorf("%d mails of an erased session are left", len(after))
		}
		read := ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key}
		scenario{ask: read, status: 200, holds: []string{`"applicant":null`}, lacks: []string{email}}.run(t, w)
		for _, secret := range []string{email, link, code} {
			if strings.Contains(w.log.String(), secret) {
				t.Errorf("the log holds %q", secret)
			}
		}
	})
}

// wrongCode returns another code of the same length.
func wrongCode(code string) string {
	if code[0] == '9' {
		return "0" + code[1:]
	}
	return "9" + code[1:]
}

func TestACodeEndsAfterFiveWrongTries(t *testing.T) {
	t.Parallel()
	withMail(t, func(t *testing.T, w *world, s *mailtest.Server) {
		t.Helper()
		_, link := w.create(w.key, map[string]any{"applicant": map[string]any{"email": "ann@example.test"}})
		token, _ := w.openWithKey(link)
		w.agree(token)
		w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")
		w.do(ask{method: "POST", path: "/v1/applicant/code", body: map[string]any{"link": link}}).want(t, 200, "")
		deliver(w)
		code := regexp.MustCompile(`\b\d{6}\b`).FindString(body(t, s.Mails()[0]))
		open := func(code string) ask {
			return ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": link, "one_time_code": code}}
		}
		for range 5 {
			w.do(open(wrongCode(code))).want(t, 403, "code.wrong")
		}
		w.do(open(code)).want(t, 403, "code.expired")
	})
}

func TestWithoutAMailServerNothingIsMailed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	owner := w.signIn()
	w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: map[string]any{
		"applicant": map[string]any{"email": "ann@example.test", "send_link": true},
	}}).want(t, 409, "mail.off")
	w.do(ask{method: "POST", path: "/v1/console/password/forgot", body: map[string]any{"email": ownerEmail}}).want(t, 409, "mail.off")
	w.do(ask{method: "POST", path: "/v1/console/settings/mails/test", cookie: owner}).want(t, 409, "mail.off")
	w.do(ask{method: "POST", path: "/v1/sessions", bearer: w.key, body: map[string]any{
		"applicant": map[string]any{"email": "ann@example.test\r\nBcc: eve@example.test"},
	}}).want(t, 400, "request.malformed")
	scenario{ask: ask{method: "GET", path: "/v1/console/settings/mails", cookie: owner}, status: 200, holds: []string{`"on":false`}}.run(t, w)
}

func TestAnInvitationIsMailedAndAFailureIsSeen(t *testing.T) {
	t.Parallel()
	withMail(t, func(t *testing.T, w *world, s *mailtest.Server) {
		t.Helper()
		owner := w.signIn()
		invite := func(email string) ask {
			return ask{method: "POST", path: "/v1/console/team/invitations", cookie: owner, body: map[string]any{
				"email": email, "roles": []string{"reviewer"}, "send": true,
			}}
		}
		scenario{ask: invite("grace@example.test"), status: 201, holds: []string{`"mailed":true`}}.run(t, w)
		deliver(w)
		tokenIn(t, s.Mails()[0], "http://localhost/join#token=")
		s.Change(func(o *mailtest.Options) { o.RefuseRecipient = 550 })
		w.do(invite("typo@example.test")).want(t, 201, "")
		deliver(w)
		list := ask{method: "GET", path: "/v1/console/settings/mails?status=failed", cookie: owner}
		scenario{
			ask: list, status: 200, holds: []string{`"kind":"invitation"`, `"fault":"address"`, `"state":"failed"`},
			lacks: []string{"typo", "grace", "join#"},
		}.run(t, w)
		if strings.Contains(w.log.String(), "typo@") {
			t.Error("the log holds an address")
		}
	})
}
