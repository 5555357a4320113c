package session

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// HandoffsAtOnce is how many hand-offs of a session can be made within idv.HandoffLife.
const HandoffsAtOnce = 10

// HandoffRow is a hand-off from one browser to another as it is kept. Secrets are kept as their hashes.
type HandoffRow struct {
	ID        idv.HandoffID
	Session   idv.SessionID
	LinkHash  string
	From      string // token of the browser that made it, and may watch once it was opened
	To        string // token of the browser that opened it; empty before
	MadeAt    time.Time
	ExpiresAt time.Time
	OpenedAt  time.Time // zero until it was opened
	EndedAt   time.Time // zero until it was replaced, taken back or handed back
}

// Handoff is a link that moves a session to the browser that opens it.
type Handoff struct {
	Link      string // the secret, shown this once
	ExpiresAt time.Time
}

// Peeked is what a link shows before it is opened.
type Peeked struct {
	View
	Handoff   bool // the link moves the session from another browser
	ExpiresAt time.Time
}

// Browser is one that has a session, or had it and handed it on.
type Browser struct {
	Session idv.SessionID
	Watches bool // it handed the session on, and may see its Status alone
}

// Status is what a browser sees of the session that it handed on: how far it is, and nothing of what was sent.
type Status struct {
	State    idv.TaskState
	Position int // of the step, from 1; 0 where there is none
	Total    int
	Notices  []string // codes of what the workflow does not check
}

type browserKey struct{}

// WithBrowser says which browser acts, by its token: what it does counts only while it has the session.
func WithBrowser(ctx context.Context, token string) context.Context {
	return context.WithValue(ctx, browserKey{}, hash(token))
}

func browserFrom(ctx context.Context) string {
	h, _ := ctx.Value(browserKey{}).(string)
	return h
}

// Browser answers whose token this is. Problems: auth.invalid; session.bound_elsewhere for a browser that had a session
// and has no right to watch it.
func (s *Service) Browser(ctx context.Context, token string) (Browser, error) {
	rec, err := s.store.SessionByToken(ctx, hash(token))
	if err == nil {
		return Browser{Session: rec.ID}, nil
	}
	if !problem.Has(err, problem.NotFound) {
		return Browser{}, err
	}
	rows, err := s.store.HandoffsByToken(ctx, hash(token))
	if err != nil {
		return Browser{}, err
	}
	for _, h := range slices.Backward(rows) {
		if h.From == hash(token) && !h.OpenedAt.IsZero() && h.EndedAt.IsZero() {
			return Browser{Session: h.Session, Watches: true}, nil
		}
	}
	if len(rows) > 0 {
		return Browser{}, problem.New(problem.SessionBoundElsewhere)
	}
	return Browser{}, problem.New(problem.AuthInvalid)
}

// Status answers what a browser may see that handed the session on.
func (s *Service) Status(ctx context.Context, id idv.SessionID) (Status, error) {
	t, err := s.task(ctx, id)
	if err != nil {
		return Status{}, err
	}
	v, err := s.Get(ctx, "", id)
	if err != nil {
		return Status{}, err
	}
	out := Status{State: t.State, Position: t.Position, Total: t.Total}
	if n := v.Workflow.LivenessNotice(); n != "" {
		out.Notices = append(out.Notices, n)
	}
	return out, nil
}

// HandOver makes the link by which another browser takes the session over; one that was made before and not opened works
// no more. Problems: session.finished, session.expired, capture.out_of_order while it is not the applicant's turn,
// rate.limited.
func (s *Service) HandOver(ctx context.Context, id idv.SessionID) (Handoff, error) {
	link, err := s.secret()
	if err != nil {
		return Handoff{}, err
	}
	out := Handoff{Link: link}
	err = s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if err := acting(*rec); err != nil {
			return err
		}
		if err := s.bounded(ctx, tx, id); err != nil {
			return err
		}
		if err := s.endHandoffs(ctx, tx, id, unopenedHandoff); err != nil {
			return err
		}
		now := s.now()
		hid, err := idv.NewID[idv.HandoffID](now, s.random)
		if err != nil {
			return err
		}
		row := HandoffRow{ID: hid, Session: id, LinkHash: hash(link), From: rec.TokenHash, MadeAt: now, ExpiresAt: now.Add(idv.HandoffLife)}
		out.ExpiresAt = row.ExpiresAt
		if err := tx.AddHandoff(ctx, row); err != nil {
			return err
		}
		return s.noteHandoff(ctx, tx, EventHandoffMade, HandoffRow{}, row)
	})
	if err != nil {
		return Handoff{}, err
	}
	return out, nil
}

// bounded refuses one hand-off too many.
func (s *Service) bounded(ctx context.Context, tx Tx, id idv.SessionID) error {
	rows, err := tx.Handoffs(ctx, id)
	if err != nil {
		return err
	}
	recent := 0
	for _, h := range rows {
		if s.now().Before(h.MadeAt.Add(idv.HandoffLife)) {
			recent++
		}
	}
	if recent >= HandoffsAtOnce {
		return problem.New(problem.RateLimited)
	}
	return nil
}

// KeepHere takes back the link of a hand-off that nobody opened, and answers what is next. Problems: session.expired,
// session.bound_elsewhere where it was opened a moment ago.
func (s *Service) KeepHere(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	var t idv.Task
	err := s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if err := s.endHandoffs(ctx, tx, id, unopenedHandoff); err != nil {
			return err
		}
		var err error
		t, err = s.issue(ctx, tx, rec, w)
		return err
	})
	return t, err
}

// HandBack returns the session to the browser that handed it on to this one. Problems: not_found where it did not come
// from another browser, session.finished, session.expired.
func (s *Service) HandBack(ctx context.Context, id idv.SessionID) error {
	return s.asApplicantOf(ctx, id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		if rec.State.Final() {
			return problem.New(problem.SessionFinished)
		}
		rows, err := tx.Handoffs(ctx, id)
		if err != nil {
			return err
		}
		came := func(h HandoffRow) bool { return h.To == rec.TokenHash && h.EndedAt.IsZero() }
		i := slices.IndexFunc(rows, came)
		if i < 0 {
			return problem.New(problem.NotFound)
		}
		back := func(h HandoffRow) bool { return h.ID == rows[i].ID || unopenedHandoff(h) }
		if err := s.endHandoffs(ctx, tx, id, back); err != nil {
			return err
		}
		before := rec.Session
		rec.TokenHash = rows[i].From
		return s.save(ctx, tx, rec, before, EventHandedBack, map[string]any{"handoff": rows[i].ID})
	})
}

// peekHandoff reads the session of a hand-off's link, and until when it works.
func (s *Service) peekHandoff(ctx context.Context, link string) (Record, time.Time, error) {
	h, err := s.store.HandoffByLink(ctx, hash(link))
	if err != nil {
		return Record{}, time.Time{}, err
	}
	rec, err := s.store.Session(ctx, h.Session)
	if err != nil {
		return Record{}, time.Time{}, err
	}
	return rec, h.ExpiresAt, s.openable(h, rec)
}

// openable refuses a hand-off that cannot be opened, or not any more.
func (s *Service) openable(h HandoffRow, rec Record) error {
	switch {
	case !h.OpenedAt.IsZero():
		return problem.New(problem.HandoffUsed)
	case rec.State == idv.Expired, overdue(rec, s.now()):
		return problem.New(problem.SessionExpired)
	case !h.EndedAt.IsZero(), !s.now().Before(h.ExpiresAt), h.From != rec.TokenHash:
		return problem.New(problem.HandoffExpired)
	case rec.State != idv.Capturing:
		return problem.New(problem.SessionFinished) // the other browser went on and sent everything
	default:
		return nil
	}
}

// openHandoff binds the session of a hand-off to the caller. Whoever comes second finds it used.
func (s *Service) openHandoff(ctx context.Context, link, token string) (Opened, error) {
	found, err := s.store.HandoffByLink(ctx, hash(link))
	if err != nil {
		return Opened{}, err
	}
	ctx = audit.WithActor(ctx, asApplicant(ctx, found.Session))
	out := Opened{Session: found.Session, Token: token}
	err = s.asApplicantOf(ctx, found.Session, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		h, err := tx.HandoffByLink(ctx, hash(link))
		if err != nil {
			return err
		}
		if err := s.openable(h, *rec); err != nil {
			return err
		}
		h.To, h.OpenedAt = hash(token), s.now()
		if err := tx.SaveHandoff(ctx, h); err != nil {
			return err
		}
		before := rec.Session
		rec.TokenHash, rec.Device = h.To, deviceFrom(ctx)
		if err := s.save(ctx, tx, rec, before, EventHandedOver, map[string]any{"handoff": h.ID}); err != nil {
			return err
		}
		out.Task, err = s.issue(ctx, tx, rec, w)
		return err
	})
	if err != nil {
		return Opened{}, err
	}
	return out, nil
}

func unopenedHandoff(h HandoffRow) bool { return h.OpenedAt.IsZero() }

// endHandoffs ends those hand-offs of a locked session that have not ended.
func (s *Service) endHandoffs(ctx context.Context, tx Tx, id idv.SessionID, which func(HandoffRow) bool) error {
	rows, err := tx.Handoffs(ctx, id)
	if err != nil {
		return err
	}
	for _, h := range rows {
		if !h.EndedAt.IsZero() || !which(h) {
			continue
		}
		before := h
		h.EndedAt = s.now()
		if err := tx.SaveHandoff(ctx, h); err != nil {
			return err
		}
		if err := s.noteHandoff(ctx, tx, EventHandoffEnded, before, h); err != nil {
			return err
		}
	}
	return nil
}

// noteHandoff writes the audit entry and the event of what happened to a hand-off alone.
func (s *Service) noteHandoff(ctx context.Context, tx Tx, typ EventType, before, after HandoffRow) error {
	r := audit.Record{Action: string(typ), Session: after.Session, Subject: string(after.ID), After: after}
	if before.ID != "" {
		r.Before = before
	}
	if err := tx.Audit(ctx, r); err != nil {
		return err
	}
	return s.tell(ctx, tx, after.Session, typ, map[string]any{"handoff": after.ID})
}
