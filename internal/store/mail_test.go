package store

import (
	"errors"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// beforeMail brings the schema back to how it was before mails.
var beforeMail = []string{
	"DROP TABLE mails", "DROP TABLE resume_codes", "DROP TABLE password_resets", "DROP TABLE notices",
	"DELETE FROM schema_versions WHERE version_id = 41",
}

func draft(id idv.MailID, of idv.SessionID) mail.Mail {
	return mail.Mail{ID: id, Kind: mail.Link, Session: of, Content: mail.Content{To: "ann@example.org", Link: "https://id.example.org/v/x"}}
}

func keepMails(t *testing.T, d *deployment) {
	ctx := t.Context()
	a := d.open(t)
	if err := d.store.SaveMail(ctx, draft("mai_1", a.id)); err != nil {
		t.Fatal(err)
	}
	if err := d.store.SaveMail(ctx, draft("mai_2", "")); err != nil {
		t.Fatal(err)
	}
	now := d.store.Now()
	got, tries, err := d.store.ClaimMail(ctx, "mai_1", now, now.Add(time.Minute))
	if err != nil || tries != 0 || got.Content.To != "ann@example.org" || got.Session != a.id {
		t.Fatalf("taken: %+v, %d, %v", got, tries, err)
	}
	if _, _, err := d.store.ClaimMail(ctx, "mai_1", now, now.Add(time.Minute)); !problem.Has(err, problem.NotFound) {
		t.Errorf("two workers have a mail: %v", err)
	}
	again := mail.Result{State: mail.Due, Attempts: 1, Fault: mail.FaultLater, NextAt: now.Add(time.Hour)}
	if err := d.store.EndAttempt(ctx, "mai_1", again); err != nil {
		t.Fatal(err)
	}
	if _, _, err := d.store.ClaimMail(ctx, "mai_1", now, now.Add(time.Minute)); !problem.Has(err, problem.NotFound) {
		t.Errorf("a mail is tried before its time: %v", err)
	}
	if err := d.store.EndAttempt(ctx, "mai_2", mail.Result{State: mail.Sent, Attempts: 1}); err != nil {
		t.Fatal(err)
	}
	var left int
	if err := d.store.Read.NewSelect().TableExpr("mails").ColumnExpr("COUNT(*)").Where("content IS NOT NULL").Scan(ctx, &left); err != nil || left != 1 {
		t.Errorf("%d mails have content, %v, want the one that waits", left, err)
	}
	list, err := d.store.Mails(ctx, mail.Filter{State: mail.Due, Limit: 10})
	if err != nil || len(list) != 1 || list[0].Fault != mail.FaultLater || list[0].Attempts != 1 {
		t.Errorf("listed: %+v, %v", list, err)
	}
	if _, err := d.Erasures.Erase(ctx, idv.Test, a.id); err != nil {
		t.Fatal(err)
	}
	if list, err := d.store.Mails(ctx, mail.Filter{Session: a.id, Limit: 10}); err != nil || len(list) != 0 {
		t.Errorf("after the erasing: %+v, %v", list, err)
	}
}

func keepResets(t *testing.T, d *deployment) {
	ctx := t.Context()
	owner, _, now := newTeam(t, d)
	for _, hash := range []string{"first", "second"} {
		if err := d.store.AddReset(ctx, hash, owner.ID, now, now.Add(time.Hour)); err != nil {
			t.Fatal(err)
		}
	}
	change := func(u *account.User) error { u.PasswordHash = "new"; return nil }
	for name, c := range map[string]struct {
		hash string
		at   time.Time
	}{"replaced": {"first", now}, "expired": {"second", now.Add(time.Hour)}, "of nobody": {"none", now}} {
		if _, err := d.store.ChangeUserByReset(ctx, c.hash, owner.ID, c.at, change); !problem.Has(err, problem.NotFound) {
			t.Errorf("a link that is %s: %v", name, err)
		}
	}
	fails := errors.New("too easy")
	if _, err := d.store.ChangeUserByReset(ctx, "second", owner.ID, now, func(*account.User) error { return fails }); !errors.Is(err, fails) {
		t.Errorf("a change that fails: %v", err)
	}
	if u, err := d.store.ChangeUserByReset(ctx, "second", owner.ID, now, change); err != nil || u.PasswordHash != "new" {
		t.Errorf("a good link: %+v, %v", u, err)
	}
	if _, err := d.store.UserByReset(ctx, "second", now); !problem.Has(err, problem.NotFound) {
		t.Errorf("a link works twice: %v", err)
	}
}

func noteOnce(t *testing.T, d *deployment) {
	ctx := t.Context()
	var told [][]string
	note := func(subjects ...string) {
		t.Helper()
		err := d.store.NoteOnce(ctx, "cases_late", subjects, time.Hour, func(fresh []string) ([]mail.Mail, error) {
			told = append(told, fresh)
			return nil, nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	note("cas_1")
	note("cas_1", "cas_2") // within the hour: nobody is told
	d.clock.advance(time.Hour + time.Second)
	note("cas_1", "cas_2")
	d.clock.advance(2 * time.Hour)
	note("cas_1", "cas_2")
	if len(told) != 2 || len(told[0]) != 1 || len(told[1]) != 1 || told[1][0] != "cas_2" {
		t.Errorf("told of %v, want of each case once", told)
	}
}
