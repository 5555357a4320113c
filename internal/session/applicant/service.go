package applicant

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Peek reads the session of a link, which is that of a session or of a hand-off. It changes nothing: a session that has run
// out of time is shown as expired even before the record says so. Problems: not_found; for a hand-off also those of opening it,
// so that a code seen over a shoulder reveals nothing later.
func (s *Service) Peek(ctx context.Context, link string) (Peeked, error) {
	rec, err := s.store.SessionByLink(ctx, session.HashSecret(link))
	out := Peeked{}
	if problem.Has(err, problem.NotFound) {
		out.Handoff = true
		rec, out.ExpiresAt, err = s.Handoffs.peekLink(ctx, link)
	} else {
		out.ExpiresAt = rec.LinkExpiresAt
	}
	if err != nil {
		return Peeked{}, err
	}
	if session.Overdue(rec, s.life.Now()) {
		rec.State = idv.Expired
	}
	out.Session = rec.Session
	out.Workflow, err = session.WorkflowOf(ctx, s.store, rec)
	return out, err
}

// Open binds the session of a link to the caller, who gets the applicant's token. Problems: not_found,
// session.expired, session.finished, session.bound_elsewhere when the link was opened before; of a hand-off's link
// handoff.used and handoff.expired.
func (s *Service) Open(ctx context.Context, link string) (Opened, error) {
	token, err := s.life.NewSecret()
	if err != nil {
		return Opened{}, err
	}
	found, err := s.store.SessionByLink(ctx, session.HashSecret(link))
	if problem.Has(err, problem.NotFound) {
		return s.Handoffs.openLink(ctx, link, token)
	}
	if err != nil {
		return Opened{}, err
	}
	ctx = audit.WithActor(ctx, Actor(ctx, found.ID))
	out := Opened{Session: found.ID, Token: token}
	err = s.ChangeAsApplicant(ctx, found.ID, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if rec.LinkHash != session.HashSecret(link) {
			return problem.New(problem.NotFound) // replaced a moment ago
		}
		if err := s.Bind(ctx, tx, rec, w, token); err != nil {
			return err
		}
		out.Task, err = s.taskWithChallenge(ctx, tx, rec, w)
		return err
	})
	if err != nil {
		return Opened{}, err
	}
	return out, nil
}

// Bind gives a locked session to the browser with that token, and opens it where nobody did before. Problems:
// session.finished, session.bound_elsewhere where its link was used, session.expired.
func (s *Service) Bind(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, token string) error {
	now := s.life.Now()
	switch {
	case rec.State.Final():
		return problem.New(problem.SessionFinished)
	case rec.LinkUsed:
		return problem.New(problem.SessionBoundElsewhere)
	case !now.Before(rec.LinkExpiresAt):
		return problem.New(problem.SessionExpired)
	}
	if err := s.Handoffs.end(ctx, tx, rec.ID, func(session.HandoffRow) bool { return true }); err != nil {
		return err
	}
	before := rec.Session
	rec.LinkUsed, rec.TokenHash, rec.Device = true, session.HashSecret(token), session.DeviceFrom(ctx)
	if rec.State != idv.Created {
		return s.life.Save(ctx, tx, rec, before, session.EventLinked, map[string]any{"bound": true})
	}
	rec.OpenedAt, rec.ExpiresAt, rec.Due = now, now.Add(w.SessionLife), session.FirstStep(*rec)
	return s.life.Move(ctx, tx, rec, idv.Opened, nil)
}

// Task answers what the applicant does next. A session that has run out of time answers as expired. Where the step
// answers a challenge, one is open afterwards.
func (s *Service) Task(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	t, err := s.task(ctx, id)
	return s.withChallenge(ctx, id, t, err)
}

// Withdraw ends the session for the applicant. Problems: session.finished, session.expired.
func (s *Service) Withdraw(ctx context.Context, id idv.SessionID) error {
	return s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if rec.State.Final() {
			return problem.New(problem.SessionFinished)
		}
		return s.life.Move(ctx, tx, rec, idv.Withdrawn, nil)
	})
}
