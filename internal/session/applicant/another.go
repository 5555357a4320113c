package applicant

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// ofDocument are the reasons of a decline that another document of the same person mends. Those about the person are not among them, nor
// those about their face.
var ofDocument = []string{
	problem.DocumentExpired.Code, problem.DocumentTypeNotAccepted.Code, problem.DocumentCountryNotAccepted.Code, problem.DocumentSpecimen.Code,
}

// AnotherDocument begins the session that follows a declined one: the same workflow version, reference and facts, and nothing of what was
// sent. It belongs to the browser that has the declined one, under the same link and key; tries at the face, liveness challenges and all
// tries together count on. Problems: session.finished where the task does not offer it, whatever the cause; capture.out_of_order before the
// end; session.expired, session.erased, session.bound_elsewhere.
func (s *Service) AnotherDocument(ctx context.Context, id idv.SessionID) (Resumed, error) {
	token, err := s.life.NewSecret()
	if err != nil {
		return Resumed{}, err
	}
	out := Resumed{Token: token}
	err = s.ChangeAsApplicant(ctx, id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if !rec.State.Final() {
			return problem.New(problem.CaptureOutOfOrder)
		}
		until, err := s.anotherUntil(ctx, tx, *rec)
		if err != nil {
			return err
		}
		if until.IsZero() {
			return problem.New(problem.SessionFinished)
		}
		out.Session, err = s.follow(ctx, tx, rec, token)
		return err
	})
	if err != nil {
		return Resumed{}, err
	}
	return out, nil
}

// anotherUntil returns until when the applicant of a session may begin again with another document; the zero time where they may not.
// What an applicant may not be told, they could tell from a missing offer alone: so there are other causes for one to be missing.
func (s *turns) anotherUntil(ctx context.Context, r Reader, rec session.Record) (time.Time, error) {
	var no time.Time
	if rec.State != idv.Declined || rec.Verdict() != idv.Declined || !rec.ErasedAt.IsZero() || rec.Follows != "" || rec.FollowedBy != "" {
		return no, nil
	}
	w, err := r.Workflow(ctx, rec.Workflow)
	if err != nil {
		return no, err
	}
	until := rec.DecidedAt.Add(w.SessionLife)
	if !w.AnotherDocument || !s.life.Now().Before(until) || namesDocument(rec) {
		return no, nil
	}
	for _, allows := range []func(context.Context, Reader, session.Record, idv.WorkflowVersion) (bool, error){
		declinedForDocument, leavesTries, unsuspected,
	} {
		if ok, err := allows(ctx, r, rec, w); err != nil || !ok {
			return no, err
		}
	}
	return until, nil
}

// namesDocument reports whether the integrator said which document it is about, by its number.
func namesDocument(rec session.Record) bool {
	_, played := session.PersonaOf(rec)
	return !played && rec.Claimed[idv.DocumentNumber] != ""
}

// declinedForDocument reports whether the newest decision has no other reasons than the document.
func declinedForDocument(ctx context.Context, r Reader, rec session.Record, _ idv.WorkflowVersion) (bool, error) {
	decisions, err := r.Decisions(ctx, rec.ID)
	if err != nil || len(decisions) == 0 {
		return false, err
	}
	reasons := decisions[len(decisions)-1].Reasons
	other := func(reason idv.Reason) bool { return !slices.Contains(ofDocument, reason.Code) }
	return len(reasons) > 0 && !slices.ContainsFunc(reasons, other), nil
}

// leavesTries reports whether what counts on would do for another document and, where it is asked for, a face.
func leavesTries(ctx context.Context, r Reader, rec session.Record, w idv.WorkflowVersion) (bool, error) {
	if w.TakesFace() && rec.Attempts[idv.StepSelfie] >= w.StepAttempts {
		return false, nil
	}
	issued, err := r.Challenges(ctx, rec.ID)
	if err != nil || len(issued) >= w.SessionAttempts {
		return false, err
	}
	total, err := session.CountTries(ctx, r, rec)
	return total+len(w.Steps) <= w.SessionAttempts, err
}

// unsuspected reports whether no check that counts found a sign of deceit, also one for which a person alone would have decided.
func unsuspected(ctx context.Context, r Reader, rec session.Record, _ idv.WorkflowVersion) (bool, error) {
	checks, err := r.Checks(ctx, rec.ID)
	if err != nil {
		return false, err
	}
	for _, c := range checks {
		if c.Lifecycle != idv.CheckSuperseded && c.Finding != nil && session.Suspects(c.Finding.Reasons) {
			return false, nil
		}
	}
	return true, nil
}

// follow adds and opens the session that follows a locked one, for the tab with that token of the browser that has it.
func (s *Service) follow(ctx context.Context, tx session.Tx, rec *session.Record, token string) (idv.SessionID, error) {
	tab, err := tx.TabByToken(ctx, rec.TokenHash)
	if err != nil && !problem.Has(err, problem.NotFound) {
		return "", err
	}
	next, err := s.newFollowing(ctx, tx, *rec)
	if err != nil {
		return "", err
	}
	if err := s.closeFollowed(ctx, tx, rec, next.ID); err != nil {
		return "", err
	}
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.Applicant, ID: string(next.ID), Address: audit.ActorFrom(ctx).Address})
	if err := tx.AddSession(ctx, next); err != nil {
		return "", err
	}
	if err := tx.Audit(ctx, audit.Record{Action: string(session.EventCreated), Session: next.ID, After: next.Session}); err != nil {
		return "", err
	}
	payload := map[string]any{"mode": next.Mode, "workflow": next.Workflow, "follows": rec.ID}
	if err := s.life.Notify(ctx, tx, next.ID, session.EventCreated, payload); err != nil {
		return "", err
	}
	row := session.TabRow{
		Session: next.ID, TokenHash: session.HashSecret(token), KeyHash: tab.KeyHash, How: session.OpenedByDecline, OpenedAt: next.CreatedAt,
	}
	if err := tx.AddTab(ctx, row); err != nil {
		return "", err
	}
	w, err := tx.Workflow(ctx, next.Workflow)
	if err != nil {
		return "", err
	}
	next.LinkUsed, next.TokenHash, next.Device = true, row.TokenHash, rec.Device
	next.OpenedAt, next.ExpiresAt, next.Due = next.CreatedAt, next.CreatedAt.Add(w.SessionLife), session.FirstStep(next)
	return next.ID, s.life.Move(ctx, tx, &next, idv.Opened, nil)
}

// newFollowing returns the session that follows a declined one, under its link, before it is opened.
func (s *Service) newFollowing(ctx context.Context, tx session.Tx, rec session.Record) (session.Record, error) {
	spent, err := spentBy(ctx, tx, rec)
	if err != nil {
		return session.Record{}, err
	}
	now := s.life.Now()
	id, err := idv.NewID[idv.SessionID](now, s.life.Random())
	if err != nil {
		return session.Record{}, err
	}
	next := session.Record{
		Session: idv.Session{
			ID: id, Mode: rec.Mode, Workflow: rec.Workflow, ExternalReference: rec.ExternalReference, Metadata: rec.Metadata, Claimed: rec.Claimed,
			State: idv.Created, Redo: []idv.Step{}, Attempts: map[idv.Step]int{}, Locale: rec.Locale, ReturnURL: rec.ReturnURL,
			Email: rec.Email, CreatedBy: rec.CreatedBy, CreatedAt: now, LinkExpiresAt: rec.LinkExpiresAt, Follows: rec.ID, Spent: spent,
		},
		LinkHash: rec.LinkHash, TouchedAt: now,
	}
	if used := rec.Attempts[idv.StepSelfie]; used > 0 {
		next.Attempts[idv.StepSelfie] = used
	}
	if _, played := session.PersonaOf(rec); played {
		next.Persona = session.PersonaWithAnotherDocument
	}
	return next, nil
}

// spentBy returns what a session used up of the limits that count on.
func spentBy(ctx context.Context, tx session.Tx, rec session.Record) (idv.Spent, error) {
	var out idv.Spent
	var err error
	if out.Tries, err = session.CountTries(ctx, tx, rec); err != nil {
		return out, err
	}
	issued, err := tx.Challenges(ctx, rec.ID)
	if err != nil {
		return out, err
	}
	out.Challenges = len(issued)
	checks, err := tx.Checks(ctx, rec.ID)
	out.Mismatched = slices.ContainsFunc(checks, session.Mismatched)
	return out, err
}

// closeFollowed notes in a locked session which one follows it, and gives up its link, which leads to that one from here on.
func (s *Service) closeFollowed(ctx context.Context, tx session.Tx, rec *session.Record, next idv.SessionID) error {
	nobodys, err := s.life.NewSecret()
	if err != nil {
		return err
	}
	if err := s.Handoffs.end(ctx, tx, rec.ID, unopenedHandoff); err != nil {
		return err
	}
	before := rec.Session
	rec.FollowedBy, rec.LinkHash = next, session.HashSecret(nobodys)
	return s.life.Save(ctx, tx, rec, before, session.EventAnotherDocument, map[string]any{"followed_by": next})
}
