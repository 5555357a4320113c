package notice

import (
	"context"
	"errors"
	"fmt"
	netmail "net/mail"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// desk is what is looked at, and notes what was said of it.
type desk struct {
	mail.Store

	users []account.User
	cases []idv.Case
	hooks map[idv.Mode][]webhook.Endpoint
	noted map[string]bool
	sent  []mail.Mail
}

func (d *desk) Users(context.Context) ([]account.User, error) { return d.users, nil }

func (d *desk) Cases(_ context.Context, f session.CaseFilter) ([]idv.Case, error) {
	if f.Mode != idv.Live {
		return nil, errors.New("test cases hurry nobody")
	}
	return d.cases, nil
}

func (d *desk) WebhookEndpoints(_ context.Context, m idv.Mode) ([]webhook.Endpoint, error) {
	return d.hooks[m], nil
}

func (d *desk) NoteOnce(
	_ context.Context, kind string, subjects []string, _ time.Duration, write func(fresh []string) ([]mail.Mail, error),
) error {
	var fresh []string
	for _, s := range subjects {
		if !d.noted[kind+s] {
			d.noted[kind+s], fresh = true, append(fresh, s)
		}
	}
	if len(fresh) == 0 {
		return nil
	}
	out, err := write(fresh)
	d.sent = append(d.sent, out...)
	return err
}

func (d *desk) RequeueMails(context.Context, time.Time) error { return nil }
func (d *desk) ForgetMails(context.Context, time.Time) error  { return nil }

// told looks once, and returns what was mailed since the time before, a line each.
func (d *desk) told(t *testing.T, o *mail.Office) []string {
	t.Helper()
	d.sent = nil
	if err := o.Notice(t.Context()); err != nil {
		t.Fatal(err)
	}
	out := []string{}
	for _, m := range d.sent {
		out = append(out, strings.TrimSpace(fmt.Sprintf("%s to %s: %d %s %s", m.Kind, m.Content.To, m.Content.Count, m.Content.Detail, m.Content.Link)))
	}
	return out
}

var dawn = time.Date(2026, 11, 27, 8, 0, 0, 0, time.UTC)

func watch(t *testing.T, host string) (*desk, *mail.Office, *Watch, *time.Time, *time.Time) {
	t.Helper()
	d := &desk{noted: map[string]bool{}, hooks: map[idv.Mode][]webhook.Endpoint{}}
	member := func(email string, role account.Role, wants ...account.Notice) account.User {
		return account.User{ID: idv.UserID("usr_" + email), Email: email, Roles: []account.Role{role}, Notices: wants}
	}
	gone := member("gone@bank.example", account.Owner, account.Notices()...)
	gone.DisabledAt = dawn
	d.users = []account.User{
		member("owner@bank.example", account.Owner, account.Notices()...),
		member("quiet@bank.example", account.Owner),
		member("rita@bank.example", account.Reviewer, account.Notices()...), // may see cases alone
		gone,
	}
	now, backup := dawn, time.Time{}
	o := mail.NewOffice(d, mail.Options{
		Server: mail.Server{Host: host, From: netmail.Address{Address: "id@bank.example"}}, PublicURL: "https://id.bank.example",
		Now: func() time.Time { return now },
	})
	w := New(d, o, func(context.Context) (time.Time, error) { return backup, nil }, func() time.Time { return now })
	return d, o, w, &now, &backup
}

func expect(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if diff := cmp.Diff(append([]string{}, want...), got); diff != "" {
		t.Errorf("%s (-want +got):\n%s", what, diff)
	}
}

func TestLateCasesAreToldOnceToWhoeverAskedAndMaySeeThem(t *testing.T) {
	d, o, _, now, _ := watch(t, "mail.bank.example")
	d.cases = []idv.Case{{ID: "cas_1", DueAt: dawn.Add(time.Hour)}, {ID: "cas_2", DueAt: dawn.Add(2 * time.Hour)}}
	expect(t, "before any target", d.told(t, o))
	*now = dawn.Add(time.Hour)
	expect(t, "at the target", d.told(t, o))
	*now = dawn.Add(61 * time.Minute)
	const link = "https://id.bank.example/console/cases"
	expect(t, "past one target", d.told(t, o), "cases_late to owner@bank.example: 1  "+link, "cases_late to rita@bank.example: 1  "+link)
	expect(t, "again", d.told(t, o))
	*now = dawn.Add(3 * time.Hour)
	expect(t, "past the other", d.told(t, o), "cases_late to owner@bank.example: 1  "+link, "cases_late to rita@bank.example: 1  "+link)
}

func TestAStoppedEndpointIsToldAgainWhereItStopsAgain(t *testing.T) {
	d, o, _, _, _ := watch(t, "mail.bank.example")
	d.hooks[idv.Live] = []webhook.Endpoint{{ID: "whk_1"}, {ID: "whk_2", StoppedAt: dawn}}
	d.hooks[idv.Test] = []webhook.Endpoint{{ID: "whk_3", StoppedAt: dawn}}
	const link = "https://id.bank.example/console/developers/webhooks"
	expect(t, "of both modes", d.told(t, o), "webhook_stopped to owner@bank.example: 2 whk_2, whk_3 "+link)
	expect(t, "again", d.told(t, o))
	d.hooks[idv.Live][1].StoppedAt = dawn.Add(time.Hour)
	expect(t, "started and stopped again", d.told(t, o), "webhook_stopped to owner@bank.example: 1 whk_2 "+link)
}

func TestABackupThatIsOverdueOrFailedIsTold(t *testing.T) {
	d, o, w, now, backup := watch(t, "mail.bank.example")
	expect(t, "never one, which other tools may make", d.told(t, o))
	*backup = dawn.Add(-BackupStale)
	expect(t, "a week old", d.told(t, o))
	*now = dawn.Add(time.Minute)
	const link = "https://id.bank.example/console/settings/system"
	expect(t, "older than a week", d.told(t, o), "backup_overdue to owner@bank.example: 0 on 2026-11-20 "+link)
	*now = dawn.Add(24 * time.Hour)
	expect(t, "a day later", d.told(t, o))
	*now = dawn.Add(BackupStale + time.Hour)
	expect(t, "a week later", d.told(t, o), "backup_overdue to owner@bank.example: 0 on 2026-11-20 "+link)

	d.sent = nil
	cause := errors.New("no space left on device\nstack")
	if err := w.BackupFailed(t.Context(), fmt.Errorf("write /srv/backup/7: %w", cause)); err != nil {
		t.Fatal(err)
	}
	if len(d.sent) != 1 || d.sent[0].Kind != mail.BackupFailed || d.sent[0].Content.Detail != "no space left on device" {
		t.Errorf("told of a failure: %+v", d.sent)
	}
}

func TestWithoutAMailServerNobodyIsTold(t *testing.T) {
	d, o, w, now, _ := watch(t, "")
	d.cases = []idv.Case{{ID: "cas_1", DueAt: dawn}}
	*now = dawn.Add(time.Hour)
	expect(t, "late cases", d.told(t, o))
	if err := w.BackupFailed(t.Context(), errors.New("full")); err != nil || len(d.sent) > 0 || len(d.noted) > 0 {
		t.Errorf("a failed backup: %v, %v", err, d.sent)
	}
}
