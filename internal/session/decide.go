package session

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// ByPolicy is who decided, where no person did.
const ByPolicy = "policy"

// decide asks the policy about the current checks. While the applicant is still sending, only a step that has
// to be repeated matters; afterwards the policy decides once every expected check has come to its end.
func (s *Service) decide(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion, ev evidence, checks []idv.Check) error {
	if rec.State == idv.Processing && !s.complete(w, checks) {
		return nil
	}
	report, err := flow.Report(w, ev.shown(*rec, w, s.now()), checks)
	if err != nil {
		return err
	}
	tried, err := s.tried(ctx, tx, *rec, ev)
	if err != nil {
		return err
	}
	facts := policy.FactsOf(report, rec.Mode, tried)
	v := s.judge.Decide(facts, w, tried.Remaining(w))
	switch {
	case v.Outcome == idv.DecideReopen:
		return s.again(ctx, tx, rec, w, v)
	case rec.State == idv.Processing:
		return s.verdict(ctx, tx, rec, report, facts, v)
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

// tried counts what the applicant did.
func (s *Service) tried(ctx context.Context, tx Tx, rec Record, ev evidence) (policy.Attempts, error) {
	t := policy.Attempts{Steps: stepsTried(rec, ev), FaceExtra: true}
	var err error
	if t.Total, err = tx.CountAttempts(ctx, rec.ID); err != nil {
		return t, err
	}
	checks, err := tx.Checks(ctx, rec.ID)
	if err != nil {
		return t, err
	}
	for _, c := range checks {
		if c.Kind == idv.CheckFaceMatch && c.Lifecycle == idv.CheckSuperseded && mismatched(c) {
			t.FaceExtra = false
		}
	}
	return t, nil
}

// stepsTried counts the tries of the steps that were taken. One that was not, such as the back of a document that was shown
// as a passport, cannot be repeated: asking for it would leave the session without a verdict for ever.
func stepsTried(rec Record, ev evidence) map[idv.Step]int {
	out := map[idv.Step]int{}
	for _, c := range ev.captures {
		out[c.Step] = rec.Attempts[c.Step]
	}
	return out
}

func mismatched(c idv.Check) bool {
	return c.Finding != nil && slices.ContainsFunc(c.Finding.Reasons, func(r idv.Reason) bool {
		return r.Code == problem.FaceMismatch.Code
	})
}

// again asks for steps once more: their captures no longer count, nor do the checks that rested on them.
func (s *Service) again(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion, v idv.Verdict) error {
	redo, before := v.Redo, rec.Session
	for _, step := range redo {
		if err := tx.SupersedeCaptures(ctx, rec.ID, step); err != nil {
			return err
		}
	}
	rest, err := evidenceOf(ctx, tx, rec.ID)
	if err != nil {
		return err
	}
	if _, err := s.current(ctx, tx, *rec, rest); err != nil {
		return err
	}
	rec.Redo = inOrder(w, append(slices.Clone(rec.Redo), redo...))
	rec.LastProblem = firstProblem(v.Reasons, redo)
	if len(rec.Redo) > 0 {
		rec.Due = rec.Redo[0]
	}
	payload := map[string]any{"steps": redo, "reasons": codes(v.Reasons)}
	if rec.State == idv.Capturing {
		return s.save(ctx, tx, rec, before, EventStepRepeated, payload)
	}
	rec.ExpiresAt = s.now().Add(w.SessionLife)
	return s.move(ctx, tx, rec, idv.Reopened, payload)
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

// outcomes says which event a verdict is.
var outcomes = map[idv.DecisionOutcome]idv.SessionEvent{
	idv.DecideApprove: idv.Accepted, idv.DecideDecline: idv.Rejected, idv.DecideRefer: idv.Referred,
}

// verdict writes the report, the decision and its facts, and moves the session.
func (s *Service) verdict(ctx context.Context, tx Tx, rec *Record, report idv.Report, facts policy.Facts, v idv.Verdict) error {
	now := s.now()
	rid, err := idv.NewID[idv.ReportID](now, s.random)
	if err != nil {
		return err
	}
	did, err := idv.NewID[idv.DecisionID](now, s.random)
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
		ID: did, Session: rec.ID, Outcome: v.Outcome, Reasons: v.Reasons, Rule: v.Rule, By: ByPolicy,
		Report: rid, Digest: report.Digest, DecidedAt: now,
	}
	if err := tx.AddDecision(ctx, d); err != nil {
		return err
	}
	kept := factsOf(*rec, report, d)
	kept.Evidence = &facts
	if err := tx.AddFacts(ctx, kept); err != nil {
		return err
	}
	rec.Outcome, rec.LastProblem = v.Outcome, nil
	rec.figure(report, v.Outcome)
	if v.Outcome == idv.DecideDecline {
		rec.LastProblem = speakable(v.Reasons)
	}
	if v.Outcome != idv.DecideRefer {
		rec.DecidedAt = now
	}
	if err := s.move(ctx, tx, rec, outcomes[v.Outcome], outcomeOf(d)); err != nil || rec.State != idv.InReview {
		return err
	}
	return s.openCase(ctx, tx, *rec, d)
}

// speakable is the first reason that an applicant may be told: never one of deceit.
func speakable(reasons []idv.Reason) *idv.StepProblem {
	for _, r := range reasons {
		if k, ok := problem.Lookup(r.Code); ok && k.Severity != problem.Fraud {
			return &idv.StepProblem{Code: r.Code, Step: r.Step}
		}
	}
	return nil
}

func codes(reasons []idv.Reason) []string {
	out := []string{}
	for _, r := range reasons {
		if !slices.Contains(out, r.Code) {
			out = append(out, r.Code)
		}
	}
	return out
}

// factsOf keeps what simulation and analytics need of a decision, and nothing that identifies.
func factsOf(rec Record, report idv.Report, d idv.Decision) Facts {
	f := Facts{
		Session: rec.ID, Decision: d.ID, Mode: rec.Mode, Workflow: rec.Workflow, Outcome: d.Outcome,
		Country: report.Document.Issuer, Kind: report.Document.Kind, Reasons: codes(d.Reasons),
		Scores: map[idv.CheckKind]float64{}, At: d.DecidedAt,
	}
	for _, c := range report.Checks {
		if c.Finding != nil && c.Finding.Score != nil {
			f.Scores[c.Kind] = *c.Finding.Score
		}
	}
	for _, c := range report.Claims {
		if c.Name == idv.DateOfBirth && c.Source != idv.FromClaimed && f.AgeBand == "" {
			f.AgeBand = policy.AgeBand(c.Value, d.DecidedAt)
		}
	}
	return f
}
