package decision

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/session"
)

// decide asks the policy about the current checks. While the applicant is still sending, only a step that has
// to be repeated matters; afterwards the policy decides once every expected check has come to its end.
func (s *Service) decide(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, ev session.Evidence, checks []idv.Check) error {
	if rec.State == idv.Processing && (!s.complete(w, checks) || ev.AwaitsSigned()) {
		return nil
	}
	report, err := flow.Report(w, ev.ForChecks(*rec, w, s.life.Now()), checks)
	if err != nil {
		return err
	}
	tried, err := s.attempts(ctx, tx, *rec, ev)
	if err != nil {
		return err
	}
	facts := policy.FactsOf(report, rec.Mode, tried)
	v := s.judge.Decide(facts, w, tried.Remaining(w))
	switch {
	case v.Outcome == idv.DecideReopen:
		return s.repeatSteps(ctx, tx, rec, w, v)
	case rec.State == idv.Processing:
		return s.saveVerdict(ctx, tx, rec, w, report, facts, v)
	default:
		return nil
	}
}

func (s *Service) complete(w idv.WorkflowVersion, checks []idv.Check) bool {
	for _, k := range s.engine.Expected(w) {
		if !slices.ContainsFunc(checks, func(c idv.Check) bool { return c.Kind == k }) {
			return false
		}
	}
	return true
}

// attempts counts what the applicant did.
func (s *Service) attempts(ctx context.Context, tx session.Tx, rec session.Record, ev session.Evidence) (policy.Attempts, error) {
	t := policy.Attempts{Steps: stepAttempts(rec, ev), FaceExtra: !rec.Spent.Mismatched}
	var err error
	if t.Total, err = session.CountTries(ctx, tx, rec); err != nil {
		return t, err
	}
	checks, err := tx.Checks(ctx, rec.ID)
	if err != nil {
		return t, err
	}
	for _, c := range checks {
		if c.Kind == idv.CheckFaceMatch && c.Lifecycle == idv.CheckSuperseded && session.Mismatched(c) {
			t.FaceExtra = false
		}
	}
	return t, nil
}

// stepAttempts counts the tries of the steps that were taken. One that was not, such as the back of a document that was shown
// as a passport, cannot be repeated: asking for it would leave the session without a verdict for ever.
func stepAttempts(rec session.Record, ev session.Evidence) map[idv.Step]int {
	out := map[idv.Step]int{}
	for _, c := range ev.Captures {
		out[c.Step] = rec.Attempts[c.Step]
	}
	return out
}

// repeatSteps asks for steps once more: their captures no longer count, nor do the checks that rested on them.
func (s *Service) repeatSteps(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, v idv.Verdict) error {
	redo, before := v.Redo, rec.Session
	for _, step := range redo {
		if err := tx.SupersedeCaptures(ctx, rec.ID, step); err != nil {
			return err
		}
	}
	rest, err := session.LoadEvidence(ctx, tx, rec.ID)
	if err != nil {
		return err
	}
	if _, err := s.life.CurrentChecks(ctx, tx, *rec, rest); err != nil {
		return err
	}
	rec.Redo = inOrder(w, append(slices.Clone(rec.Redo), redo...))
	rec.LastProblem = firstProblem(v.Reasons, redo)
	if len(rec.Redo) > 0 {
		rec.Due = rec.Redo[0]
	}
	payload := map[string]any{"steps": redo, "reasons": session.ReasonCodes(v.Reasons)}
	if rec.State == idv.Capturing {
		return s.life.Save(ctx, tx, rec, before, session.EventStepRepeated, payload)
	}
	rec.ExpiresAt = s.life.Now().Add(w.SessionLife)
	return s.life.Move(ctx, tx, rec, idv.Reopened, payload)
}

// inOrder sorts steps as the workflow asks for them, each once.
func inOrder(w idv.WorkflowVersion, steps []idv.Step) []idv.Step {
	out := []idv.Step{}
	for _, step := range w.Steps {
		if slices.Contains(steps, step) {
			out = append(out, step)
		}
	}
	return out
}

func firstProblem(reasons []idv.Reason, steps []idv.Step) *idv.StepProblem {
	for _, r := range reasons {
		if slices.Contains(steps, r.Step) {
			return &idv.StepProblem{Code: r.Code, Step: r.Step}
		}
	}
	return nil
}

// saveVerdict writes the report, the decision and its facts, and moves the session.
func (s *Service) saveVerdict(
	ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, report idv.Report, facts policy.Facts, v idv.Verdict,
) error {
	now := s.life.Now()
	rid, err := idv.NewID[idv.ReportID](now, s.life.Random())
	if err != nil {
		return err
	}
	did, err := idv.NewID[idv.DecisionID](now, s.life.Random())
	if err != nil {
		return err
	}
	report.ID, report.Session = rid, rec.ID
	if err := report.Freeze(); err != nil {
		return err
	}
	if err := tx.AddReport(ctx, report); err != nil {
		return err
	}
	d := idv.Decision{
		ID: did, Session: rec.ID, Outcome: v.Outcome, Reasons: v.Reasons, Rule: v.Rule, By: session.ByPolicy,
		Report: rid, Digest: report.Digest, DecidedAt: now, Assurance: policy.AssuranceOf(facts),
	}
	if err := tx.AddDecision(ctx, d); err != nil {
		return err
	}
	kept := session.FactsOf(*rec, report, d)
	kept.Evidence = &facts
	if err := tx.AddFacts(ctx, kept); err != nil {
		return err
	}
	if err := s.saveScreening(ctx, tx, *rec, report, v.Outcome); err != nil {
		return err
	}
	if err := s.saveSeen(ctx, tx, *rec, report); err != nil {
		return err
	}
	rec.Outcome, rec.LastProblem = v.Outcome, nil
	rec.SetFrom(report, v.Outcome)
	if v.Outcome == idv.DecideDecline {
		rec.LastProblem = session.ApplicantProblem(v.Reasons)
	}
	if v.Outcome != idv.DecideRefer {
		rec.DecidedAt = now
	}
	if err := s.life.Move(ctx, tx, rec, session.EventOf[v.Outcome], session.OutcomePayload(d)); err != nil {
		return err
	}
	if rec.State == idv.InReview {
		return s.life.OpenCase(ctx, tx, *rec, w, d)
	}
	return s.life.DrawForQuality(ctx, tx, *rec, w, d)
}
