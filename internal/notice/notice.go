// Package notice tells members by mail, if they asked for it, what should not wait until they look: cases that passed their target, a
// webhook endpoint that was stopped, a backup that failed or is overdue. Of everything they are told once, and of a kind at most once an
// hour. A notice names ids and numbers, and nothing personal.
package notice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/webhook"
)

// quiet is how long nobody is told of the same kind again: what comes up meanwhile goes into the next notice.
const quiet = time.Hour

// BackupStale is the age from which a backup is overdue.
const BackupStale = 7 * 24 * time.Hour

// Store is what is looked at.
type Store interface {
	Users(ctx context.Context) ([]account.User, error)
	Cases(ctx context.Context, f session.CaseFilter) ([]idv.Case, error)
	WebhookEndpoints(ctx context.Context, mode idv.Mode) ([]webhook.Endpoint, error)
	// NoteOnce notes subjects of a kind that were not noted before, unless one was within quiet, and adds the mails that write makes of
	// them, all in one transaction.
	NoteOnce(ctx context.Context, kind string, subjects []string, quiet time.Duration, write func(fresh []string) ([]mail.Mail, error)) error
}

// Watch looks for what members asked to be told of. It is safe for concurrent use.
type Watch struct {
	store      Store
	office     *mail.Office
	lastBackup func(context.Context) (time.Time, error) // zero for never
	now        func() time.Time
}

// New returns a Watch that the office asks from now on.
func New(store Store, office *mail.Office, lastBackup func(context.Context) (time.Time, error), now func() time.Time) *Watch {
	w := &Watch{store: store, office: office, lastBackup: lastBackup, now: now}
	for _, look := range []func(context.Context) error{w.lateCases, w.stoppedEndpoints, w.overdueBackup} {
		office.Watch(look)
	}
	return w
}

// lateCases tells of live cases that passed their target. Test cases hurry nobody.
func (w *Watch) lateCases(ctx context.Context) error {
	open, err := w.store.Cases(ctx, session.CaseFilter{Mode: idv.Live, Tab: session.AllCases, Now: w.now(), Limit: session.MaxPage})
	if err != nil {
		return err
	}
	var late []string
	for _, c := range open {
		if w.now().After(c.DueAt) {
			late = append(late, string(c.ID))
		}
	}
	return w.tell(ctx, account.NoticeCasesLate, mail.CasesLate, late, func(c *mail.Content, fresh []string) {
		c.Count, c.Link = len(fresh), w.office.Address("/console/cases")
	})
}

// stoppedEndpoints tells of webhook endpoints that answered 410 Gone.
func (w *Watch) stoppedEndpoints(ctx context.Context) error {
	var stopped []string
	ids := map[string]string{}
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		found, err := w.store.WebhookEndpoints(ctx, mode)
		if err != nil {
			return err
		}
		for _, e := range found {
			if !e.StoppedAt.IsZero() { // one that was started and stopped again is something new
				subject := string(e.ID) + " " + e.StoppedAt.UTC().Format(time.RFC3339)
				stopped, ids[subject] = append(stopped, subject), string(e.ID)
			}
		}
	}
	return w.tell(ctx, account.NoticeWebhookStopped, mail.WebhookStopped, stopped, func(c *mail.Content, fresh []string) {
		c.Count, c.Link = len(fresh), w.office.Address("/console/developers/webhooks")
		for i, subject := range fresh {
			if i > 0 {
				c.Detail += ", "
			}
			c.Detail += ids[subject]
		}
	})
}

// overdueBackup tells that the newest backup is a week old, each week anew. Where there never was one, other tools may make them.
func (w *Watch) overdueBackup(ctx context.Context) error {
	last, err := w.lastBackup(ctx)
	if err != nil || last.IsZero() || w.now().Sub(last) <= BackupStale {
		return err
	}
	weeks := int(w.now().Sub(last) / BackupStale)
	subject := fmt.Sprintf("%s +%d", last.UTC().Format(time.RFC3339), weeks)
	return w.tell(ctx, account.NoticeBackupFailed, mail.BackupOverdue, []string{subject}, func(c *mail.Content, _ []string) {
		c.Detail, c.Link = "on "+last.UTC().Format("2006-01-02"), w.office.Address("/console/settings/system")
	})
}

// BackupFailed tells that a backup could not be made. reason is what the command printed, without anything personal.
func (w *Watch) BackupFailed(ctx context.Context, reason error) error {
	if !w.office.On() {
		return nil
	}
	subject := w.now().UTC().Format(time.RFC3339)
	return w.tell(ctx, account.NoticeBackupFailed, mail.BackupFailed, []string{subject}, func(c *mail.Content, _ []string) {
		c.Detail, c.Link = firstLine(reason), w.office.Address("/console/settings/system")
	})
}

func firstLine(err error) string {
	for {
		inner := errors.Unwrap(err)
		if inner == nil {
			break
		}
		err = inner
	}
	text := []rune(err.Error())
	for i, r := range text {
		if r == '\n' || i == 200 {
			return string(text[:i])
		}
	}
	return string(text)
}

// tell mails what is new to each member who asked for it.
func (w *Watch) tell(
	ctx context.Context, n account.Notice, k mail.Kind, subjects []string, fill func(c *mail.Content, fresh []string),
) error {
	if len(subjects) == 0 {
		return nil
	}
	users, err := w.store.Users(ctx)
	if err != nil {
		return err
	}
	return w.store.NoteOnce(ctx, string(k), subjects, quiet, func(fresh []string) ([]mail.Mail, error) {
		var out []mail.Mail
		for _, u := range users {
			if !u.Wants(n) {
				continue
			}
			m, err := w.office.Draft(k, u.Email)
			if err != nil {
				return nil, err
			}
			m.Subject = string(u.ID)
			fill(&m.Content, fresh)
			out = append(out, m)
		}
		return out, nil
	})
}
