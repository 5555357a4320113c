package session

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Peek reads the session of a link, from whoever asked or from a hand-off. It changes nothing: a session that has run out
// of time is shown as expired, whether or not that was noted yet. Problems: not_found; of a hand-off also whatever
// opening it would be refused with, so that a code that was seen over somebody's shoulder tells nothing later.
func (s *Service) Peek(ctx context.Context, link string) (Peeked, error) {
	rec, err := s.store.SessionByLink(ctx, hash(link))
	out := Peeked{}
	if problem.Has(err, problem.NotFound) {
		out.Handoff = true
		rec, out.ExpiresAt, err = s.peekHandoff(ctx, link)
	} else {
		out.ExpiresAt = rec.LinkExpiresAt
	}
	if err != nil {
		return Peeked{}, err
	}
	if overdue(rec, s.now()) {
		rec.State = idv.Expired
	}
	out.Session = rec.Session
	out.Workflow, err = asked(ctx, s.store, rec)
	return out, err
}

// Open binds the session of a link to the caller, who gets the applicant's token. Problems: not_found,
// session.expired, session.finished, session.bound_elsewhere when the link was opened before; of a hand-off's link
// handoff.used and handoff.expired.
func (s *Service) Open(ctx context.Context, link string) (Opened, error) {
	token, err := s.secret()
	if err != nil {
		return Opened{}, err
	}
	found, err := s.store.SessionByLink(ctx, hash(link))
	if problem.Has(err, problem.NotFound) {
		return s.openHandoff(ctx, link, token)
	}
	if err != nil {
		return Opened{}, err
	}
	ctx = audit.WithActor(ctx, asApplicant(ctx, found.ID))
	out := Opened{Session: found.ID, Token: token}
	err = s.asApplicantOf(ctx, found.ID, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if rec.LinkHash != hash(link) {
			return problem.New(problem.NotFound) // replaced a moment ago
		}
		if err := s.bind(ctx, tx, rec, w, token); err != nil {
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

func (s *Service) bind(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion, token string) error {
	now := s.now()
	switch {
	case rec.State.Final():
		return problem.New(problem.SessionFinished)
	case rec.LinkUsed:
		return problem.New(problem.SessionBoundElsewhere)
	case !now.Before(rec.LinkExpiresAt):
		return problem.New(problem.SessionExpired)
	}
	if err := s.endHandoffs(ctx, tx, rec.ID, func(HandoffRow) bool { return true }); err != nil {
		return err
	}
	before := rec.Session
	rec.LinkUsed, rec.TokenHash, rec.Device = true, hash(token), deviceFrom(ctx)
	if rec.State != idv.Created {
		return s.save(ctx, tx, rec, before, EventLinked, map[string]any{"bound": true})
	}
	rec.OpenedAt, rec.ExpiresAt, rec.Due = now, now.Add(w.SessionLife), first(*rec)
	return s.move(ctx, tx, rec, idv.Opened, nil)
}

// Applicant answers whose token this is: of the browser that has the session. Problems: auth.invalid,
// session.bound_elsewhere for a browser that had it before a hand-off.
func (s *Service) Applicant(ctx context.Context, token string) (idv.SessionID, error) {
	b, err := s.Browser(ctx, token)
	if err == nil && b.Watches {
		return "", problem.New(problem.SessionBoundElsewhere)
	}
	return b.Session, err
}

// asApplicant names the applicant of a session as the actor, at the address known so far.
func asApplicant(ctx context.Context, id idv.SessionID) audit.Actor {
	a := audit.ActorFrom(ctx)
	if a.Kind == audit.Applicant {
		return a
	}
	return audit.Actor{Kind: audit.Applicant, ID: string(id), Address: a.Address}
}

// asApplicantOf runs f under the lock of a session that still has time. One that has run out of it is moved to
// expired, and f is not run. Where the context says which browser acts (WithBrowser), it must still have the session.
// Problems: session.expired, session.erased, session.bound_elsewhere.
func (s *Service) asApplicantOf(ctx context.Context, id idv.SessionID, f func(context.Context, Tx, *Record, idv.WorkflowVersion) error) error {
	var late bool
	_, err := s.change(ctx, "", id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if !rec.ErasedAt.IsZero() {
			return problem.New(problem.SessionErased)
		}
		if acts := browserFrom(ctx); acts != "" && acts != rec.TokenHash {
			return problem.New(problem.SessionBoundElsewhere) // it moved on while this call was under way
		}
		if rec.State == idv.Expired {
			return problem.New(problem.SessionExpired)
		}
		if overdue(*rec, s.now()) {
			late = true // the move has to commit, so this is no error yet
			return s.move(ctx, tx, rec, idv.TimedOut, nil)
		}
		return f(ctx, tx, rec, w)
	})
	if err == nil && late {
		return problem.New(problem.SessionExpired)
	}
	return err
}
