package session

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DefaultWorkflowName is the workflow of a session that names none.
const DefaultWorkflowName = idv.WorkflowDefault

// Create makes a session and its link. Problems: request.malformed (with the field as a JSON pointer),
// workflow.not_published.
func (s *Service) Create(ctx context.Context, n Spec) (Created, error) {
	if err := n.check(s.life.Now()); err != nil {
		return Created{}, err
	}
	w, err := s.Workflow(ctx, n.Mode, n.Workflow)
	if err != nil {
		return Created{}, err
	}
	played, err := personaFor(n)
	if err != nil {
		return Created{}, err
	}
	if n.SendLink && !s.life.office.On() {
		return Created{}, problem.New(problem.MailOff).At("/applicant/send_link")
	}
	link, err := s.life.NewSecret()
	if err != nil {
		return Created{}, err
	}
	now := s.life.Now()
	id, err := idv.NewID[idv.SessionID](now, s.life.Random())
	if err != nil {
		return Created{}, err
	}
	rec := Record{
		Session: idv.Session{
			ID: id, Mode: n.Mode, Workflow: w.ID, ExternalReference: n.ExternalReference, Metadata: n.Metadata,
			Claimed: n.Claimed, State: idv.Created, Redo: []idv.Step{}, Attempts: map[idv.Step]int{}, Locale: n.Locale,
			ReturnURL: n.ReturnURL, Email: n.Email, Persona: played, CreatedBy: maker(ctx), CreatedAt: now, LinkExpiresAt: now.Add(w.LinkLife),
		},
		LinkHash: HashSecret(link), TouchedAt: now,
	}
	err = s.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
		if err := tx.AddSession(ctx, rec); err != nil {
			return err
		}
		if err := tx.Audit(ctx, audit.Record{Action: string(EventCreated), Session: id, After: rec.Session}); err != nil {
			return err
		}
		if err := s.life.Notify(ctx, tx, id, EventCreated, map[string]any{"mode": n.Mode, "workflow": w.ID}); err != nil || !n.SendLink {
			return err
		}
		return s.life.mailLink(ctx, tx, rec, w, link)
	})
	return Created{View: View{Session: rec.Session, Workflow: w}, Link: link}, err
}

// maker returns the member who creates the session; empty for an API key.
func maker(ctx context.Context) idv.UserID {
	if a := audit.ActorFrom(ctx); a.Kind == audit.User {
		return idv.UserID(a.ID)
	}
	return ""
}

// Workflow answers the published workflow of that name, or version of that id, in a mode; the default one for no name.
// Problems: workflow.not_published.
func (s *Service) Workflow(ctx context.Context, mode idv.Mode, name string) (idv.WorkflowVersion, error) {
	if name == "" {
		name = DefaultWorkflowName
	}
	var w idv.WorkflowVersion
	var err error
	if id, ok := idv.ParseID[idv.WorkflowVersionID](name); ok {
		w, err = s.store.Workflow(ctx, id)
	} else {
		w, err = s.store.WorkflowNamed(ctx, mode, name)
	}
	// By its id, too, a workflow serves its own mode only: one for tests may accept specimens.
	if problem.Has(err, problem.NotFound) || (err == nil && (w.State != idv.Published || w.Mode != mode)) {
		return idv.WorkflowVersion{}, problem.New(problem.WorkflowNotPublished).At("/workflow")
	}
	return w, err
}

// Workflows lists what a session of that mode can follow, by name.
func (s *Service) Workflows(ctx context.Context, mode idv.Mode) ([]idv.WorkflowVersion, error) {
	return s.store.Workflows(ctx, mode)
}

// Cancel withdraws a session. Problems: not_found, session.conflict.
func (s *Service) Cancel(ctx context.Context, mode idv.Mode, id idv.SessionID) (View, error) {
	return s.life.Change(ctx, mode, id, func(ctx context.Context, tx Tx, rec *Record, _ idv.WorkflowVersion) error {
		return s.life.Move(ctx, tx, rec, idv.Withdrawn, nil)
	})
}

// NewLink replaces a session's link; the browser that opens the new one takes over from the one that was
// bound before. Problems: not_found, session.conflict when the session is finished.
func (s *Service) NewLink(ctx context.Context, mode idv.Mode, id idv.SessionID) (Created, error) {
	return s.SendLink(ctx, mode, id, Send{})
}

// SendLink is NewLink, and mails the link to the applicant where send says so. Problems: as for NewLink; request.malformed where no
// address is known, mail.off, mail.limited.
func (s *Service) SendLink(ctx context.Context, mode idv.Mode, id idv.SessionID, send Send) (Created, error) {
	if err := send.check(); err != nil {
		return Created{}, err
	}
	link, err := s.life.NewSecret()
	if err != nil {
		return Created{}, err
	}
	v, err := s.life.Change(ctx, mode, id, func(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion) error {
		if rec.State.Final() {
			return Conflict(*rec)
		}
		before := rec.Session
		if send.Email != "" {
			rec.Email = send.Email
		}
		rec.LinkHash, rec.LinkUsed, rec.LinkExpiresAt = HashSecret(link), false, s.life.Now().Add(w.LinkLife)
		if err := s.life.Save(ctx, tx, rec, before, EventLinked, nil); err != nil || !send.Link {
			return err
		}
		return s.life.mailLink(ctx, tx, *rec, w, link)
	})
	return Created{View: v, Link: link}, err
}
