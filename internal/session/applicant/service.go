package applicant

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mail"
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
	if !out.Handoff {
		if out.Continues, err = continues(ctx, s.store, rec); err != nil {
			return Peeked{}, err
		}
		if out.Continues == ContinuesByProof && !rec.State.Final() && s.life.Mails(rec.Session) {
			out.Continues, out.Hint = ContinuesByCode, mail.Hint(rec.Email)
		}
	}
	out.Session = rec.Session
	out.Workflow, err = session.WorkflowOf(ctx, s.store, rec)
	return out, err
}

// Open binds the session of a link to the caller, who gets the applicant's token. A link that another browser opened works again
// while no picture was sent; that browser has the session no longer. Problems: not_found, session.expired, session.finished,
// session.bound_elsewhere once a picture was sent, rate.limited; of a hand-off's link handoff.used and handoff.expired.
func (s *Service) Open(ctx context.Context, link string) (Opened, error) {
	return s.open(ctx, link, "")
}

// OpenByCode is Open in another browser after pictures were sent, with the code that was mailed. Problems: as for Open; code.wrong,
// code.expired.
func (s *Service) OpenByCode(ctx context.Context, link, code string) (Opened, error) {
	if code == "" {
		return Opened{}, problem.New(problem.CodeWrong)
	}
	return s.open(ctx, link, code)
}

func (s *Service) open(ctx context.Context, link, code string) (Opened, error) {
	by, err := s.newSecrets()
	if err != nil {
		return Opened{}, err
	}
	found, err := s.store.SessionByLink(ctx, session.HashSecret(link))
	if problem.Has(err, problem.NotFound) {
		return s.Handoffs.openLink(ctx, link, by)
	}
	if err != nil {
		return Opened{}, err
	}
	ctx = audit.WithActor(ctx, Actor(ctx, found.ID))
	out := Opened{Session: found.ID, Token: by.Token, Key: by.Key}
	wrong := false
	err = s.ChangeAsApplicant(ctx, found.ID, func(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion) error {
		if rec.LinkHash != session.HashSecret(link) {
			return problem.New(problem.NotFound) // replaced a moment ago
		}
		if wrong, err = s.bindBy(ctx, tx, rec, w, by, code); err != nil || wrong {
			return err
		}
		out.Task, err = s.taskWithChallenge(ctx, tx, rec, w)
		return err
	})
	switch {
	case err != nil:
		return Opened{}, err
	case wrong:
		return Opened{}, problem.New(problem.CodeWrong)
	}
	return out, nil
}

// bindBy is Bind, with a code where pictures were sent and one is there. It reports whether the code was wrong: the try is kept.
func (s *Service) bindBy(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, by Secrets, code string) (wrong bool, err error) {
	how, err := continues(ctx, tx, *rec)
	if err != nil {
		return false, err
	}
	if code == "" || how != ContinuesByProof || rec.State.Final() {
		return false, s.Bind(ctx, tx, rec, w, by)
	}
	right, err := s.checkCode(ctx, tx, rec.ID, code)
	if err != nil || !right {
		return !right && err == nil, err
	}
	return false, s.takeOverByCode(ctx, tx, rec, by)
}

// Bind gives a locked session to the tab with those secrets, and opens it where nobody did before. Problems: session.finished,
// session.expired; where its link was used session.bound_elsewhere once a picture was sent, and rate.limited.
func (s *Service) Bind(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, by Secrets) error {
	now := s.life.Now()
	how, err := continues(ctx, tx, *rec)
	switch {
	case err != nil:
		return err
	case rec.State.Final():
		return problem.New(problem.SessionFinished)
	case how == ContinuesFreely:
		return s.takeOver(ctx, tx, rec, by)
	case how == ContinuesByProof:
		return problem.New(problem.SessionBoundElsewhere)
	case !now.Before(rec.LinkExpiresAt):
		return problem.New(problem.SessionExpired)
	}
	if err := s.Handoffs.end(ctx, tx, rec.ID, func(session.HandoffRow) bool { return true }); err != nil {
		return err
	}
	if err := tx.CloseChallenges(ctx, rec.ID, now); err != nil {
		return err
	}
	if err := s.addTab(ctx, tx, rec.ID, by, session.OpenedByLink); err != nil {
		return err
	}
	before := rec.Session
	rec.LinkUsed, rec.TokenHash, rec.Device = true, session.HashSecret(by.Token), session.DeviceFrom(ctx)
	if rec.State != idv.Created {
		return s.life.Save(ctx, tx, rec, before, session.EventLinked, map[string]any{"bound": true})
	}
	if err := keepStart(ctx, tx, *rec, w, s.origins); err != nil {
		return err
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
