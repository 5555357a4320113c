package session

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// A session's applicant gets at most MailsAtOnce mails within MailWindow.
const (
	MailsAtOnce = 10
	MailWindow  = time.Hour
)

// Send says whether and where a new link is mailed.
type Send struct {
	Link  bool
	Email string // replaces the applicant's address; empty keeps it
}

func (s Send) check() error {
	if s.Email != "" && mail.CheckAddress(s.Email) != nil {
		return Malformed("/email", "it must be an e-mail address like ann@example.org")
	}
	return nil
}

// Mails reports whether mails can be sent to the applicant of a session.
func (l *Lifecycle) Mails(x idv.Session) bool { return l.office.On() && x.Email != "" }

// MailHint returns where mails of a session go, shortened; empty where none can be sent.
func (s *Service) MailHint(x idv.Session) string {
	if !s.life.Mails(x) {
		return ""
	}
	return mail.Hint(x.Email)
}

// Address returns an address within the deployment.
func (l *Lifecycle) Address(path string) string { return l.office.Address(path) }

// MailApplicant has a mail sent to the applicant of a locked session, under the brand of its workflow. Whom it goes to and how it looks
// is filled in. Problems: mail.off, request.malformed where no address is known, mail.limited.
func (l *Lifecycle) MailApplicant(ctx context.Context, tx Tx, rec Record, w idv.WorkflowVersion, k mail.Kind, c mail.Content) error {
	if rec.Email == "" && l.office.On() {
		return Malformed("/email", "the session has no e-mail address")
	}
	m, err := l.office.Draft(k, rec.Email)
	if err != nil {
		return err
	}
	n, err := tx.CountMails(ctx, rec.ID, l.Now().Add(-MailWindow))
	if err != nil {
		return err
	}
	if n >= MailsAtOnce {
		return problem.New(problem.MailLimited)
	}
	c.To, c.Brand, c.TestMode, m.Session = rec.Email, branded(m.Content.Brand, w.Brand), rec.Mode == idv.Test, rec.ID
	if c.Language == "" {
		c.Language = rec.Locale
	}
	m.Content = c
	if err := tx.AddMail(ctx, m); err != nil {
		return err
	}
	return l.Notify(ctx, tx, rec.ID, EventMailed, map[string]any{"kind": string(k), "mail": string(m.ID)})
}

// mailLink has the link of a locked session sent to its applicant.
func (l *Lifecycle) mailLink(ctx context.Context, tx Tx, rec Record, w idv.WorkflowVersion, link string) error {
	return l.MailApplicant(ctx, tx, rec, w, mail.Link, mail.Content{Link: l.Address("/v/" + link), Until: rec.LinkExpiresAt})
}

// branded returns the deployment's brand with what a workflow states in its place.
func branded(of mail.Brand, w idv.Brand) mail.Brand {
	for _, one := range []struct {
		to    *string
		value string
	}{{&of.Name, w.Name}, {&of.Colour, w.Colour}, {&of.Support, w.Support}, {&of.Privacy, w.Privacy}} {
		if one.value != "" {
			*one.to = one.value
		}
	}
	return of
}
