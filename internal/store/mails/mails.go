// Package mails keeps mails until they were sent, and what became of them. What a mail to an applicant says is sealed with the keys of
// the session, so that erasing the session erases it; what one to a member says is sealed with those of the deployment.
package mails

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// MailRow is a mail.
type MailRow struct {
	bun.BaseModel `bun:"table:mails,alias:m"`
	ID            string    `bun:"id"`
	Kind          string    `bun:"kind"`
	Session       string    `bun:"session_id"`
	Subject       string    `bun:"subject"`
	Content       []byte    `bun:"content"`
	State         string    `bun:"state"`
	Attempt       int       `bun:"attempt"`
	Fault         string    `bun:"fault"`
	NextAt        time.Time `bun:"next_at,nullzero"`
	BusyUntil     time.Time `bun:"busy_until,nullzero"`
	CreatedAt     time.Time `bun:"created_at"`
	EndedAt       time.Time `bun:"ended_at,nullzero"`
}

const contentColumn = "mails.content"

// NoticeRow says that members were told of something.
type NoticeRow struct {
	bun.BaseModel `bun:"table:notices"`
	Kind          string    `bun:"kind"`
	Subject       string    `bun:"subject"`
	NotedAt       time.Time `bun:"noted_at"`
}

// Box keeps mails. It is safe for concurrent use.
type Box struct {
	db    *database.DB
	queue *queue.Queue
}

// New returns the Box of a database.
func New(db *database.DB, q *queue.Queue) *Box { return &Box{db: db, queue: q} }

// Writer writes mails in a transaction, each with its job.
type Writer struct {
	*database.Tx
	queue *queue.Queue
}

// In returns a Writer for a transaction.
func In(t *database.Tx, q *queue.Queue) Writer { return Writer{Tx: t, queue: q} }

// AddMail implements mail.Writer.
func (t *Writer) AddMail(ctx context.Context, m mail.Mail) error {
	row := MailRow{
		ID: string(m.ID), Kind: string(m.Kind), Session: string(m.Session), Subject: m.Subject, State: string(mail.Due),
		NextAt: t.DB.Now(), CreatedAt: t.DB.Now(),
	}
	raw, err := json.Marshal(m.Content)
	if err != nil {
		return fmt.Errorf("encode a mail: %w", err)
	}
	if m.Session != "" {
		row.Content, err = t.SealJSON(ctx, m.Session, contentColumn, json.RawMessage(raw))
	} else {
		row.Content, err = sealed(ctx, t.DB, row.ID, raw)
	}
	if err != nil {
		return err
	}
	if err := t.Insert(ctx, &row, "mail"); err != nil {
		return err
	}
	w := t.queue.In(t.Tx)
	return w.Enqueue(ctx, job.Mail{Mail: m.ID})
}

// CountMails implements session.MailReader.
func (t *Writer) CountMails(ctx context.Context, id idv.SessionID, since time.Time) (int, error) {
	n, err := t.Conn.NewSelect().Model((*MailRow)(nil)).Where("m.session_id = ? AND m.created_at >= ?", string(id), since).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count mails: %w", err)
	}
	return int(n), nil
}

func sealed(ctx context.Context, db *database.DB, id string, raw []byte) ([]byte, error) {
	k, err := db.Deployment(ctx)
	if err != nil {
		return nil, err
	}
	return k.Seal(database.Place(contentColumn, id), raw)
}

// SaveMail implements mail.Store.
func (s *Box) SaveMail(ctx context.Context, m mail.Mail) error {
	return s.transact(ctx, func(ctx context.Context, t *Writer) error { return t.AddMail(ctx, m) })
}

func (s *Box) transact(ctx context.Context, f func(ctx context.Context, t *Writer) error) error {
	return s.db.Transact(ctx, func(ctx context.Context, t *database.Tx) error {
		w := In(t, s.queue)
		return f(ctx, &w)
	})
}

// ClaimMail implements mail.Store.
func (s *Box) ClaimMail(ctx context.Context, id idv.MailID, now, until time.Time) (mail.Mail, int, error) {
	res, err := s.db.Write.NewUpdate().Model((*MailRow)(nil)).Set("busy_until = ?", until).
		Where("id = ? AND state = ? AND next_at <= ? AND (busy_until IS NULL OR busy_until < ?)", string(id), string(mail.Due), now, now).Exec(ctx)
	if err != nil {
		return mail.Mail{}, 0, fmt.Errorf("take a mail: %w", err)
	}
	if n, err := res.RowsAffected(); err != nil || n != 1 {
		return mail.Mail{}, 0, problem.New(problem.NotFound)
	}
	var row MailRow
	if err := s.db.Write.NewSelect().Model(&row).Where("m.id = ?", string(id)).Scan(ctx); err != nil {
		return mail.Mail{}, 0, database.Missing(err, "read a mail")
	}
	m := mail.Mail{ID: idv.MailID(row.ID), Kind: mail.Kind(row.Kind), Session: idv.SessionID(row.Session), Subject: row.Subject}
	m.Content, err = s.unseal(ctx, row)
	if problem.Has(err, problem.SessionErased) {
		return mail.Mail{}, 0, problem.New(problem.NotFound)
	}
	return m, row.Attempt, err
}

func (s *Box) unseal(ctx context.Context, row MailRow) (c mail.Content, err error) {
	if row.Session != "" {
		return c, s.db.Reader().UnsealJSON(ctx, idv.SessionID(row.Session), contentColumn, row.Content, &c)
	}
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return c, err
	}
	raw, err := k.Unseal(database.Place(contentColumn, row.ID), row.Content)
	if err != nil {
		return c, err
	}
	if err := json.Unmarshal(raw, &c); err != nil {
		return c, fmt.Errorf("decode a mail: %w", err)
	}
	return c, nil
}

// EndAttempt implements mail.Store.
func (s *Box) EndAttempt(ctx context.Context, id idv.MailID, r mail.Result) error {
	return s.transact(ctx, func(ctx context.Context, t *Writer) error {
		q := t.Conn.NewUpdate().Model((*MailRow)(nil)).Set("state = ?", string(r.State)).Set("attempt = ?", r.Attempts).
			Set("fault = ?", string(r.Fault)).Set("busy_until = NULL").Set("next_at = ?", bun.NullTime{Time: r.NextAt}).
			Where("id = ? AND state = ?", string(id), string(mail.Due))
		if r.State != mail.Due {
			q = q.Set("content = NULL").Set("ended_at = ?", t.DB.Now())
		}
		res, err := q.Exec(ctx)
		if err != nil {
			return fmt.Errorf("note what became of a mail: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 || r.State != mail.Due {
			return err // it was erased meanwhile, or has ended
		}
		w := t.queue.In(t.Tx)
		return w.Enqueue(ctx, job.Mail{Mail: id, At: r.NextAt})
	})
}

// requeueBatch bounds how many mails one run enqueues again.
const requeueBatch = 100

// RequeueMails implements mail.Store.
func (s *Box) RequeueMails(ctx context.Context, before time.Time) error {
	return s.transact(ctx, func(ctx context.Context, t *Writer) error {
		var ids []string
		err := t.Conn.NewSelect().Model((*MailRow)(nil)).Column("id").
			Where("m.state = ? AND m.next_at < ? AND (m.busy_until IS NULL OR m.busy_until < ?)", string(mail.Due), before, before).
			OrderExpr("m.next_at").Limit(requeueBatch).Scan(ctx, &ids)
		if err != nil {
			return fmt.Errorf("find mails that wait: %w", err)
		}
		w := t.queue.In(t.Tx)
		for _, id := range ids {
			if err := w.Enqueue(ctx, job.Mail{Mail: idv.MailID(id)}); err != nil {
				return err
			}
		}
		return nil
	})
}

// Mails implements mail.Store.
func (s *Box) Mails(ctx context.Context, f mail.Filter) ([]mail.Entry, error) {
	var rows []MailRow
	q := s.db.Read.NewSelect().Model(&rows).ExcludeColumn("content").OrderExpr("m.id DESC").Limit(int64(f.Limit))
	for _, one := range []struct{ column, value string }{
		{"m.state", string(f.State)}, {"m.session_id", string(f.Session)}, {"m.subject", f.Subject},
	} {
		if one.value != "" {
			q = q.Where("? = ?", bun.Ident(one.column), one.value)
		}
	}
	if f.After != "" {
		q = q.Where("m.id < ?", string(f.After))
	}
	if err := q.Scan(ctx); err != nil {
		return nil, fmt.Errorf("list mails: %w", err)
	}
	out := make([]mail.Entry, len(rows))
	for i, r := range rows {
		out[i] = mail.Entry{
			ID: idv.MailID(r.ID), Kind: mail.Kind(r.Kind), Session: idv.SessionID(r.Session), Subject: r.Subject, State: mail.State(r.State),
			Attempts: r.Attempt, Fault: mail.Fault(r.Fault), NextAt: database.UTC(r.NextAt), CreatedAt: r.CreatedAt.UTC(), EndedAt: database.UTC(r.EndedAt),
		}
	}
	return out, nil
}

// ForgetMails implements mail.Store.
func (s *Box) ForgetMails(ctx context.Context, before time.Time) error {
	if _, err := s.db.Write.NewDelete().Model((*MailRow)(nil)).Where("ended_at < ?", before).Exec(ctx); err != nil {
		return fmt.Errorf("forget old mails: %w", err)
	}
	return nil
}

// noticesKept is how long it is known that members were told of something.
const noticesKept = 180 * 24 * time.Hour

// NoteOnce notes subjects of a kind that were not noted before, at most once within quiet, and adds the mails that write makes of them,
// all in one transaction.
func (s *Box) NoteOnce(
	ctx context.Context, kind string, subjects []string, quiet time.Duration, write func(fresh []string) ([]mail.Mail, error),
) error {
	if len(subjects) == 0 {
		return nil
	}
	return s.transact(ctx, func(ctx context.Context, t *Writer) error {
		now := t.DB.Now()
		var known []NoticeRow
		if err := t.Conn.NewSelect().Model(&known).Where("kind = ?", kind).Scan(ctx); err != nil {
			return fmt.Errorf("read notices: %w", err)
		}
		noted := map[string]bool{}
		for _, n := range known {
			if now.Sub(n.NotedAt) < quiet {
				return nil
			}
			noted[n.Subject] = true
		}
		var fresh []string
		for _, subject := range subjects {
			if noted[subject] {
				continue
			}
			fresh = append(fresh, subject)
			if err := t.InsertOnce(ctx, &NoticeRow{Kind: kind, Subject: subject, NotedAt: now}, "kind, subject", "notice"); err != nil {
				return err
			}
		}
		if len(fresh) == 0 {
			return nil
		}
		if _, err := t.Conn.NewDelete().Model((*NoticeRow)(nil)).Where("kind = ? AND noted_at < ?", kind, now.Add(-noticesKept)).Exec(ctx); err != nil {
			return fmt.Errorf("forget old notices: %w", err)
		}
		mails, err := write(fresh)
		if err != nil {
			return err
		}
		for _, m := range mails {
			if err := t.AddMail(ctx, m); err != nil {
				return err
			}
		}
		return nil
	})
}
