package sessiontest

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// applicantReader reads what an applicant's browser did.
type applicantReader struct{ view }

func (r applicantReader) Attempt(_ context.Context, id idv.SessionID, attempt string) (session.Attempt, error) {
	return one(r.at().attempts, func(a session.Attempt) bool { return a.Session == id && a.ID == attempt })
}

func (r applicantReader) CountAttempts(_ context.Context, id idv.SessionID) (int, error) {
	return len(where(r.at().attempts, func(a session.Attempt) bool { return a.Session == id })), nil
}

func (r applicantReader) Consents(_ context.Context, id idv.SessionID) ([]session.ConsentRow, error) {
	return where(r.at().consents, func(c session.ConsentRow) bool { return c.Session == id }), nil
}

func (r applicantReader) Challenge(_ context.Context, id idv.ChallengeID) (session.ChallengeRow, error) {
	return one(r.at().challenges, func(c session.ChallengeRow) bool { return c.ID == id })
}

func (r applicantReader) Challenges(_ context.Context, id idv.SessionID) ([]session.ChallengeRow, error) {
	return where(r.at().challenges, func(c session.ChallengeRow) bool { return c.Session == id }), nil
}

func (r applicantReader) ChipChallenge(_ context.Context, id idv.ChallengeID) (session.ChipChallengeRow, error) {
	return one(r.at().chipChallenges, func(c session.ChipChallengeRow) bool { return c.ID == id })
}

func (r applicantReader) CountChipChallenges(_ context.Context, id idv.SessionID) (int, error) {
	return len(where(r.at().chipChallenges, func(c session.ChipChallengeRow) bool { return c.Session == id })), nil
}

func (r applicantReader) Sign(_ context.Context, use string, b []byte) (string, error) {
	return keyed("sign."+use, b), nil
}

func (r applicantReader) ResumeCode(_ context.Context, id idv.SessionID) (session.CodeRow, error) {
	return one(r.at().codes, func(c session.CodeRow) bool { return c.Session == id })
}

// keyed returns a digest of b under the one key that there is.
func keyed(use string, b []byte) string {
	h := hmac.New(sha256.New, []byte("sessiontest."+use))
	_, _ = h.Write(b)
	return hex.EncodeToString(h.Sum(nil))
}

func (r applicantReader) HandoffByLink(_ context.Context, hash string) (session.HandoffRow, error) {
	return one(r.at().handoffs, func(h session.HandoffRow) bool { return h.LinkHash == hash })
}

func (r applicantReader) HandoffsByToken(_ context.Context, hash string) ([]session.HandoffRow, error) {
	return where(r.at().handoffs, func(h session.HandoffRow) bool { return h.From == hash || h.To == hash }), nil
}

func (r applicantReader) Handoffs(_ context.Context, id idv.SessionID) ([]session.HandoffRow, error) {
	return where(r.at().handoffs, func(h session.HandoffRow) bool { return h.Session == id }), nil
}

func (r applicantReader) TabByToken(_ context.Context, hash string) (session.TabRow, error) {
	return one(r.at().tabs, func(t session.TabRow) bool { return t.TokenHash == hash })
}

func (r applicantReader) TabByKey(_ context.Context, hash string) (session.TabRow, error) {
	rows := where(r.at().tabs, func(t session.TabRow) bool { return t.KeyHash == hash })
	if len(rows) == 0 {
		return session.TabRow{}, problem.New(problem.NotFound)
	}
	return rows[len(rows)-1], nil
}

func (r applicantReader) CountTabs(_ context.Context, id idv.SessionID, how session.Opening, since time.Time) (int, error) {
	return len(where(r.at().tabs, func(t session.TabRow) bool {
		return t.Session == id && t.How == how && !t.OpenedAt.Before(since)
	})), nil
}

func (r applicantReader) Upload(_ context.Context, id idv.UploadID) (session.UploadRow, error) {
	return one(r.at().uploads, func(u session.UploadRow) bool { return u.ID == id })
}

func (r applicantReader) Uploads(_ context.Context, id idv.SessionID) ([]session.UploadRow, error) {
	return where(r.at().uploads, func(u session.UploadRow) bool { return u.Session == id }), nil
}

func (r applicantReader) UploadParts(_ context.Context, id idv.UploadID) ([]session.UploadPart, error) {
	rows := where(r.at().parts, func(p session.UploadPart) bool { return p.Upload == id })
	return sortedBy(rows, func(p session.UploadPart) int { return p.Number }), nil
}

func (r applicantReader) OverdueUploads(_ context.Context, now time.Time, limit int) ([]session.UploadRow, error) {
	rows := where(r.at().uploads, func(u session.UploadRow) bool { return !u.ExpiresAt.After(now) })
	return upTo(sortedBy(rows, func(u session.UploadRow) int64 { return u.ExpiresAt.UnixMicro() }), limit), nil
}

// applicantWriter writes what an applicant's browser did.
type applicantWriter struct{ *base }

func (w applicantWriter) AddAttempt(_ context.Context, a session.Attempt) error {
	if _, err := one(w.next.attempts, func(o session.Attempt) bool { return o.Session == a.Session && o.ID == a.ID }); err == nil {
		return errors.New("write attempt: it is there")
	}
	w.next.attempts = append(w.next.attempts, a)
	return nil
}

func (w applicantWriter) AddConsent(_ context.Context, c session.ConsentRow) error {
	w.next.consents = append(w.next.consents, c)
	return nil
}

func (w applicantWriter) AddChallenge(_ context.Context, c session.ChallengeRow) error {
	var err error
	if c.Spec, err = throughJSON(c.Spec); err != nil {
		return err
	}
	w.next.challenges = append(w.next.challenges, c)
	return nil
}

func (w applicantWriter) CloseChallenges(_ context.Context, id idv.SessionID, at time.Time) error {
	open := func(c session.ChallengeRow) bool { return c.Session == id && c.UsedAt.IsZero() }
	update(w.next.challenges, open, func(c *session.ChallengeRow) { c.UsedAt = at })
	return nil
}

func (w applicantWriter) AddChipChallenge(_ context.Context, c session.ChipChallengeRow) error {
	w.next.chipChallenges = append(w.next.chipChallenges, c)
	return nil
}

func (w applicantWriter) CloseChipChallenges(_ context.Context, id idv.SessionID, at time.Time) error {
	open := func(c session.ChipChallengeRow) bool { return c.Session == id && c.UsedAt.IsZero() }
	update(w.next.chipChallenges, open, func(c *session.ChipChallengeRow) { c.UsedAt = at })
	return nil
}

func (w applicantWriter) AddHandoff(_ context.Context, h session.HandoffRow) error {
	w.next.handoffs = append(w.next.handoffs, h)
	return nil
}

func (w applicantWriter) SaveHandoff(_ context.Context, h session.HandoffRow) error {
	update(w.next.handoffs, func(o session.HandoffRow) bool { return o.ID == h.ID }, func(o *session.HandoffRow) {
		o.From, o.To, o.OpenedAt, o.EndedAt = h.From, h.To, h.OpenedAt, h.EndedAt
	})
	return nil
}

func (w applicantWriter) AddTab(_ context.Context, t session.TabRow) error {
	if _, err := one(w.next.tabs, func(o session.TabRow) bool { return o.TokenHash == t.TokenHash }); err == nil {
		return errors.New("write tab: it is there")
	}
	w.next.tabs = append(w.next.tabs, t)
	return nil
}

func (w applicantWriter) SaveResumeCode(_ context.Context, c session.CodeRow) error {
	w.next.codes, _ = without(w.next.codes, func(o session.CodeRow) bool { return o.Session == c.Session })
	w.next.codes = append(w.next.codes, c)
	return nil
}

func (w applicantWriter) AddMail(_ context.Context, m mail.Mail) error {
	if m.Session != "" {
		if err := w.next.open(m.Session, session.ScopeAll); err != nil {
			return err
		}
	}
	w.next.mails = append(w.next.mails, mailRow{mail: m, at: w.store.now()})
	return nil
}

func (w applicantWriter) CountMails(_ context.Context, id idv.SessionID, since time.Time) (int, error) {
	return len(where(w.next.mails, func(m mailRow) bool { return m.mail.Session == id && !m.at.Before(since) })), nil
}

// Mails returns the mails of a session that were written, oldest first.
func (s *Store) Mails(id idv.SessionID) []mail.Mail {
	var out []mail.Mail
	for _, m := range s.at().mails {
		if m.mail.Session == id {
			out = append(out, m.mail)
		}
	}
	return out
}

func (w applicantWriter) AddUpload(_ context.Context, u session.UploadRow) error {
	w.next.uploads = append(w.next.uploads, u)
	return nil
}

func (w applicantWriter) SaveUpload(_ context.Context, u session.UploadRow) error {
	update(w.next.uploads, func(o session.UploadRow) bool { return o.ID == u.ID }, func(o *session.UploadRow) {
		o.Received, o.Parts, o.Attempt = u.Received, u.Parts, u.Attempt
	})
	return nil
}

func (w applicantWriter) AddUploadPart(_ context.Context, p session.UploadPart) error {
	w.next.parts = append(w.next.parts, p)
	return nil
}

func (w applicantWriter) RemoveUploadParts(_ context.Context, id idv.UploadID) error {
	w.next.parts, _ = without(w.next.parts, func(p session.UploadPart) bool { return p.Upload == id })
	return nil
}

func (w applicantWriter) RemoveUpload(_ context.Context, id idv.UploadID) error {
	w.next.uploads, _ = without(w.next.uploads, func(u session.UploadRow) bool { return u.ID == id })
	return nil
}
