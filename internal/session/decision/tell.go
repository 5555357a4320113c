package decision

import (
	"context"
	"errors"
	"slices"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/session"
)

// earlyChecks are the checks of a document that one side alone can answer, so that the applicant hears of it before the next step.
// None of them is about deceit.
var earlyChecks = []idv.CheckKind{
	idv.CheckDocumentReadable, idv.CheckDocumentAccepted, idv.CheckDocumentExpiry, idv.CheckDocumentSpecimen, idv.CheckMRZVerified,
}

// tell says what the reading of a document means to an applicant who is still sending, once for each picture. It reports whether there
// was anything to say. Nothing is decided by it: the decision rests on the same readings, when everything was sent.
func (s *Service) tell(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, ev session.Evidence) (bool, error) {
	var steps []idv.Step
	for _, c := range ev.Captures {
		if rec.State != idv.Capturing || c.Kind != idv.DocumentImage || !c.Extracted || c.Checked {
			continue
		}
		if err := tx.SetChecked(ctx, c.ID); err != nil {
			return false, err
		}
		steps = append(steps, c.Step)
	}
	if len(steps) == 0 {
		return false, nil
	}
	tried, err := s.attempts(ctx, tx, *rec, ev)
	if err != nil {
		return false, err
	}
	g, err := s.glimpse(ctx, *rec, w, ev)
	if err != nil {
		return false, err
	}
	g.Steps = steps
	v := policy.DecideEarly(g, tried.Remaining(w))
	switch v.Outcome {
	case policy.EarlyRetake:
		return true, s.repeatSteps(ctx, tx, rec, w, idv.Verdict{Outcome: idv.DecideReopen, Reasons: v.Reasons, Redo: v.Redo})
	case policy.EarlyRefuse:
		if tried.Remaining(w).Steps[idv.StepDocumentFront] == 0 {
			return true, s.endEarly(ctx, tx, rec)
		}
		return true, s.refuseDocument(ctx, tx, rec, w, v.Reasons[0])
	case policy.EarlyAsk:
		before := rec.Session
		rec.LastProblem, rec.Due = &idv.StepProblem{Code: v.Ask, Step: idv.StepDocumentFront}, idv.StepDocumentFront
		if !slices.Contains(steps, idv.StepDocumentFront) {
			rec.LastProblem.Step, rec.Due = steps[0], steps[0]
		}
		return true, s.life.Save(ctx, tx, rec, before, session.EventStepChecked, map[string]any{"step": rec.Due, "code": v.Ask})
	default:
		return false, s.life.Notify(ctx, tx, rec.ID, session.EventStepChecked, map[string]any{"step": steps[0]})
	}
}

// glimpse asks the early checks about what has been read so far. One that cannot be asked says nothing: the decision asks again.
func (s *Service) glimpse(ctx context.Context, rec session.Record, w idv.WorkflowVersion, ev session.Evidence) (policy.Glimpse, error) {
	seen := ev.ForChecks(rec, w, s.life.Now())
	g := policy.Glimpse{Chosen: rec.DocumentKind, Accepts: w.AcceptedKinds()}
	for _, k := range earlyChecks {
		if !w.Requires(k) || k == idv.CheckMRZVerified && !s.engine.Ready(k, w, rec.DocumentKind, ev.Artifacts) {
			continue
		}
		f, err := s.life.EngineFor(rec).Ask(ctx, k, seen)
		if err != nil {
			if !errors.Is(err, flow.ErrNotSent) {
				s.log.WarnContext(ctx, "check not asked early", "session", rec.ID, "check", k, "error", err)
			}
			continue
		}
		g.Reasons = append(g.Reasons, f.Reasons...)
	}
	if a, ok := seen.Best(idv.ArtifactPage); ok && a.Present {
		page, err := idv.ValueOf[idv.Page](a)
		if err != nil {
			return g, err
		}
		g.Kind = page.Kind
	}
	return g, nil
}

// refuseDocument says that a confirmed fact rules the document out, and asks for another one.
func (s *Service) refuseDocument(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, r idv.Reason) error {
	before := rec.Session
	if err := s.life.OtherDocument(ctx, tx, rec, w, r.Code); err != nil {
		return err
	}
	return s.life.Save(ctx, tx, rec, before, session.EventStepRepeated, map[string]any{"step": rec.Due, "code": r.Code})
}

// endEarly hands a session over to the decision although not everything was sent: a confirmed fact rules out the last document that
// it takes, and what is missing would change nothing.
func (s *Service) endEarly(ctx context.Context, tx session.Tx, rec *session.Record) error {
	rec.SubmittedAt, rec.LastProblem = s.life.Now(), nil
	if err := s.life.Move(ctx, tx, rec, idv.Submitted, nil); err != nil {
		return err
	}
	return tx.Enqueue(ctx, job.Check{Session: rec.ID})
}
