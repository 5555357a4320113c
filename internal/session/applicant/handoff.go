package applicant

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// HandoffsAtOnce is how many hand-offs of a session can be made within idv.HandoffLife.
const HandoffsAtOnce = 10

// Handoff is a link that moves a session to the browser that opens it.
type Handoff struct {
	Link      string // the secret, shown this once
	ExpiresAt time.Time
}

// Send says whether a link is mailed to the applicant, and in which language.
type Send struct {
	Mail     bool
	Language string // code of the page's language
}

// Peeked is what a link shows before it is opened.
type Peeked struct {
	session.View
	Handoff   bool // the link moves the session from another browser
	Continues Continues
	Hint      string // where a code would be mailed, shortened; empty for no code
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
	return context.WithValue(ctx, browserKey{}, session.HashSecret(token))
}

func browserFrom(ctx context.Context) string {
	h, _ := ctx.Value(browserKey{}).(string)
	return h
}

// Browser answers whose token this is. Problems: auth.invalid; session.continued for a tab that another one took the session over from;
// session.bound_elsewhere for a browser that handed a session on or took it over, and has no right to watch it.
func (s *Handoffs) Browser(ctx context.Context, token string) (Browser, error) {
	rec, err := s.store.SessionByToken(ctx, session.HashSecret(token))
	if err == nil {
		return Browser{Session: rec.ID}, nil
	}
	if !problem.Has(err, problem.NotFound) {
		return Browser{}, err
	}
	rows, err := s.store.HandoffsByToken(ctx, session.HashSecret(token))
	if err != nil {
		return Browser{}, err
	}
	for _, h := range slices.Backward(rows) {
		if h.From == session.HashSecret(token) && !h.OpenedAt.IsZero() && h.EndedAt.IsZero() {
			return Browser{Session: h.Session, Watches: true}, nil
		}
	}
	// A code that nobody opened moved nothing.
	if slices.ContainsFunc(rows, func(h session.HandoffRow) bool { return !h.OpenedAt.IsZero() }) {
		return Browser{}, problem.New(problem.SessionBoundElsewhere)
	}
	_, err = s.store.TabByToken(ctx, session.HashSecret(token))
	switch {
	case err == nil:
		return Browser{}, problem.New(problem.SessionContinued)
	case problem.Has(err, problem.NotFound):
		return Browser{}, problem.New(problem.AuthInvalid)
	default:
		return Browser{}, err
	}
}

// Status answers what a browser may see that handed the session on.
func (s *Handoffs) Status(ctx context.Context, id idv.SessionID) (Status, error) {
	t, err := s.task(ctx, id)
	if err != nil {
		return Status{}, err
	}
	v, err := s.life.View(ctx, "", id)
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
func (s *Handoffs) HandOver(ctx context.Context, id idv.SessionID) (Handoff, error) {
	return s.HandOverBy(ctx, id, Send{})
}

// HandOverBy is HandOver, and mails the link to the address that the integrator gave where send says so. Problems: as for HandOver;
// request.malformed where no address is known, mail.off, mail.limited.
func (s *Handoffs) HandOverBy(ctx context.Context, id idv.SessionID, send Send) (Handoff, error) {
	link, err := s.life.NewSecret()
	if err != nil {
		return Handoff{}, err
	}
	out := Handoff{Link: link}
	err = s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := checkTurn(*rec); err != nil {
			return err
		}
		if err := s.checkLimit(ctx, tx, id); err != nil {
			return err
		}
		if err := s.end(ctx, tx, id, unopenedHandoff); err != nil {
			return err
		}
		now := s.life.Now()
		hid, err := idv.NewID[idv.HandoffID](now, s.life.Random())
		if err != nil {
			return err
		}
		row := session.HandoffRow{ID: hid, Session: id, LinkHash: session.HashSecret(link), From: rec.TokenHash, MadeAt: now, ExpiresAt: now.Add(idv.HandoffLife)}
		out.ExpiresAt = row.ExpiresAt
		if err := tx.AddHandoff(ctx, row); err != nil {
			return err
		}
		if err := s.recordChange(ctx, tx, session.EventHandoffMade, session.HandoffRow{}, row); err != nil || !send.Mail {
			return err
		}
		return s.life.MailApplicant(ctx, tx, *rec, w, mail.Handoff, mail.Content{
			Language: send.Language, Link: s.life.Address("/v/" + link), Until: row.ExpiresAt,
		})
	})
	if err != nil {
		return Handoff{}, err
	}
	return out, nil
}

// checkLimit refuses one hand-off too many.
func (s *Handoffs) checkLimit(ctx context.Context, tx session.Tx, id idv.SessionID) error {
	rows, err := tx.Handoffs(ctx, id)
	if err != nil {
		return err
	}
	recent := 0
	for _, h := range rows {
		if s.life.Now().Before(h.MadeAt.Add(idv.HandoffLife)) {
			recent++
		}
	}
	if recent >= HandoffsAtOnce {
		return problem.New(problem.RateLimited)
	}
	return nil
}

// KeepHere cancels the link of a hand-off that was not opened, and returns the next task. Problems: session.expired,
// session.bound_elsewhere where it was opened a moment ago.
func (s *Handoffs) KeepHere(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	var t idv.Task
	err := s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.end(ctx, tx, id, unopenedHandoff); err != nil {
			return err
		}
		var err error
		t, err = s.challenges.taskWithChallenge(ctx, tx, rec, w)
		return err
	})
	return t, err
}

// HandBack returns the session to the browser that handed it on to this one. Problems: not_found where it did not come
// from another browser, session.finished, session.expired.
func (s *Handoffs) HandBack(ctx context.Context, id idv.SessionID) error {
	return s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if rec.State.Final() {
			return problem.New(problem.SessionFinished)
		}
		rows, err := tx.Handoffs(ctx, id)
		if err != nil {
			return err
		}
		came := func(h session.HandoffRow) bool { return h.To == rec.TokenHash && h.EndedAt.IsZero() }
		i := slices.IndexFunc(rows, came)
		if i < 0 {
			return problem.New(problem.NotFound)
		}
		back := func(h session.HandoffRow) bool { return h.ID == rows[i].ID || unopenedHandoff(h) }
		if err := s.end(ctx, tx, id, back); err != nil {
			return err
		}
		before := rec.Session
		rec.TokenHash = rows[i].From
		return s.life.Save(ctx, tx, rec, before, session.EventHandedBack, map[string]any{"handoff": rows[i].ID})
	})
}

// TakeBack returns the session to the acting browser (WithBrowser), which handed it on, without the other device's help: that one may be
// out of reach. All hand-offs since then end. Problems: session.bound_elsewhere where this browser handed nothing on, or somebody took the
// session back already; session.finished, session.expired.
func (s *Handoffs) TakeBack(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	var t idv.Task
	mine := browserFrom(ctx)
	anybody := context.WithValue(ctx, browserKey{}, "") // another browser has the session, which is the point
	err := s.ChangeAsApplicant(anybody, id, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if rec.State.Final() {
			return problem.New(problem.SessionFinished)
		}
		rows, err := tx.Handoffs(ctx, id)
		if err != nil {
			return err
		}
		left := slices.IndexFunc(rows, func(h session.HandoffRow) bool {
			return mine != "" && h.From == mine && !h.OpenedAt.IsZero() && h.EndedAt.IsZero()
		})
		if left < 0 {
			return problem.New(problem.SessionBoundElsewhere)
		}
		since := func(h session.HandoffRow) bool { return !h.MadeAt.Before(rows[left].MadeAt) || unopenedHandoff(h) }
		if err := s.end(ctx, tx, id, since); err != nil {
			return err
		}
		before := rec.Session
		rec.TokenHash, rec.Device = mine, session.DeviceFrom(ctx)
		if err := s.life.Save(ctx, tx, rec, before, session.EventHandedBack, map[string]any{"handoff": rows[left].ID, "taken": true}); err != nil {
			return err
		}
		t, err = s.challenges.taskWithChallenge(ctx, tx, rec, w)
		return err
	})
	return t, err
}

// peekLink reads the session of a hand-off's link, and until when it works.
func (s *Handoffs) peekLink(ctx context.Context, link string) (session.Record, time.Time, error) {
	h, err := s.store.HandoffByLink(ctx, session.HashSecret(link))
	if err != nil {
		return session.Record{}, time.Time{}, err
	}
	rec, err := s.store.Session(ctx, h.Session)
	if err != nil {
		return session.Record{}, time.Time{}, err
	}
	return rec, h.ExpiresAt, s.checkOpenable(h, rec)
}

// checkOpenable refuses a hand-off that cannot be opened, or not any more.
func (s *Handoffs) checkOpenable(h session.HandoffRow, rec session.Record) error {
	switch {
	case !h.OpenedAt.IsZero():
		return problem.New(problem.HandoffUsed)
	case rec.State == idv.Expired, session.Overdue(rec, s.life.Now()):
		return problem.New(problem.SessionExpired)
	case !h.EndedAt.IsZero(), !s.life.Now().Before(h.ExpiresAt), h.From != rec.TokenHash:
		return problem.New(problem.HandoffExpired)
	case rec.State != idv.Capturing:
		return problem.New(problem.SessionFinished) // the other browser went on and sent everything
	default:
		return nil
	}
}

// openLink binds the session of a hand-off to the caller. It works once; a second caller gets handoff.used.
func (s *Handoffs) openLink(ctx context.Context, link string, by Secrets) (Opened, error) {
	found, err := s.store.HandoffByLink(ctx, session.HashSecret(link))
	if err != nil {
		return Opened{}, err
	}
	ctx = audit.WithActor(ctx, Actor(ctx, found.Session))
	out := Opened{Session: found.Session, Token: by.Token, Key: by.Key}
	err = s.ChangeAsApplicant(ctx, found.Session, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		h, err := tx.HandoffByLink(ctx, session.HashSecret(link))
		if err != nil {
			return err
		}
		if err := s.checkOpenable(h, *rec); err != nil {
			return err
		}
		if err := s.addTab(ctx, tx, h.Session, by, session.OpenedByHandoff); err != nil {
			return err
		}
		h.To, h.OpenedAt = session.HashSecret(by.Token), s.life.Now()
		if err := tx.SaveHandoff(ctx, h); err != nil {
			return err
		}
		before := rec.Session
		rec.TokenHash, rec.Device = h.To, session.DeviceFrom(ctx)
		if err := s.life.Save(ctx, tx, rec, before, session.EventHandedOver, map[string]any{"handoff": h.ID}); err != nil {
			return err
		}
		out.Task, err = s.challenges.taskWithChallenge(ctx, tx, rec, w)
		return err
	})
	if err != nil {
		return Opened{}, err
	}
	return out, nil
}

func unopenedHandoff(h session.HandoffRow) bool { return h.OpenedAt.IsZero() }

// end ends those hand-offs of a locked session that have not ended.
func (s *Handoffs) end(ctx context.Context, tx session.Tx, id idv.SessionID, which func(session.HandoffRow) bool) error {
	rows, err := tx.Handoffs(ctx, id)
	if err != nil {
		return err
	}
	for _, h := range rows {
		if !h.EndedAt.IsZero() || !which(h) {
			continue
		}
		before := h
		h.EndedAt = s.life.Now()
		if err := tx.SaveHandoff(ctx, h); err != nil {
			return err
		}
		if err := s.recordChange(ctx, tx, session.EventHandoffEnded, before, h); err != nil {
			return err
		}
	}
	return nil
}

// recordChange writes the audit entry and the event of what happened to a hand-off alone.
func (s *Handoffs) recordChange(ctx context.Context, tx session.Tx, typ session.EventType, before, after session.HandoffRow) error {
	r := audit.Record{Action: string(typ), Session: after.Session, Subject: string(after.ID), After: after}
	if before.ID != "" {
		r.Before = before
	}
	if err := tx.Audit(ctx, r); err != nil {
		return err
	}
	return s.life.Notify(ctx, tx, after.Session, typ, map[string]any{"handoff": after.ID})
}

// Applicant answers whose token this is: of the browser that has the session. Problems: auth.invalid,
// session.bound_elsewhere for a browser that had it before a hand-off.
func (s *Handoffs) Applicant(ctx context.Context, token string) (idv.SessionID, error) {
	b, err := s.Browser(ctx, token)
	if err == nil && b.Watches {
		return "", problem.New(problem.SessionBoundElsewhere)
	}
	return b.Session, err
}
