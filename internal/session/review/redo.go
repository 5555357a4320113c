package review

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Redo is a step that a person asks the applicant for again.
type Redo struct {
	Basis
	Step   idv.Step
	Reason string // what the applicant is told: a code of Repeatable, or empty
	Note   string // for other reviewers
}

// Repeatable lists the codes that a reviewer can give when asking for a step again: what a better picture can mend.
func Repeatable() []string {
	var out []string
	for _, k := range problem.All() {
		if k.Severity == problem.Retry && k.Reader == problem.Applicant {
			out = append(out, k.Code)
		}
	}
	return out
}

// RedoableSteps lists the steps that can be asked for again: those of the workflow that were taken.
func RedoableSteps(w idv.WorkflowVersion, captures []idv.Capture) []idv.Step {
	out := []idv.Step{}
	for _, step := range w.Steps {
		if slices.ContainsFunc(captures, func(c idv.Capture) bool { return c.Step == step }) {
			out = append(out, step)
		}
	}
	return out
}

// RedoStep asks the applicant of a referred session for one step again. It is open for another session life, the tries
// start again, and the other steps stay as they are; the case is closed, and if the session is referred again it gets
// another. Problems: those of DecideCase, and session.attempts_exhausted where the session has no tries left at all.
func (s *Rulings) RedoStep(ctx context.Context, id idv.CaseID, who Reviewer, r Redo) (CaseView, error) {
	var err error
	if r.Note, err = note(r.Note); err != nil {
		return CaseView{}, err
	}
	if r.Reason != "" && !slices.Contains(Repeatable(), r.Reason) {
		return CaseView{}, session.Malformed("/reason", "a reason that a better picture can fix")
	}
	return s.queue.changeCase(ctx, id, func(ctx context.Context, tx session.Tx, c *idv.Case, rec *session.Record, w idv.WorkflowVersion) error {
		if err := s.checkMayDecide(ctx, tx, *c, *rec, w, who, r.Basis); err != nil {
			return err
		}
		if err := s.checkMayRepeat(ctx, tx, *rec, w, r.Step); err != nil {
			return err
		}
		review := idv.Review{Kind: idv.ReviewReopened, Step: r.Step, Note: r.Note}
		if r.Reason != "" {
			review.Reasons = []string{r.Reason}
		}
		if err := s.queue.addReview(ctx, tx, c, who, review); err != nil {
			return err
		}
		return s.reopen(ctx, tx, rec, w, r)
	})
}

func (s *Rulings) checkMayRepeat(ctx context.Context, tx session.Tx, rec session.Record, w idv.WorkflowVersion, step idv.Step) error {
	rows, err := tx.Captures(ctx, rec.ID)
	if err != nil {
		return err
	}
	var taken []idv.Capture
	for _, c := range session.Active(rows) {
		taken = append(taken, c.Capture)
	}
	if !slices.Contains(RedoableSteps(w, taken), step) {
		return session.Malformed("/step", "a step that the applicant took")
	}
	total, err := session.CountTries(ctx, tx, rec)
	if err == nil && total >= w.SessionAttempts {
		return problem.New(problem.AttemptsExhausted)
	}
	return err
}

// reopen gives a session back to its applicant for one step.
func (s *Rulings) reopen(ctx context.Context, tx session.Tx, rec *session.Record, w idv.WorkflowVersion, r Redo) error {
	now := s.life.Now()
	if err := tx.SupersedeCaptures(ctx, rec.ID, r.Step); err != nil {
		return err
	}
	if err := tx.CloseChallenges(ctx, rec.ID, now); err != nil {
		return err
	}
	rest, err := session.LoadEvidence(ctx, tx, rec.ID)
	if err != nil {
		return err
	}
	if _, err := s.life.CurrentChecks(ctx, tx, *rec, rest); err != nil {
		return err
	}
	rec.Redo, rec.Attempts, rec.LastProblem = []idv.Step{r.Step}, map[idv.Step]int{}, nil
	if r.Reason != "" {
		rec.LastProblem = &idv.StepProblem{Code: r.Reason, Step: r.Step}
	}
	if r.Step == idv.StepSelfie && rec.Liveness == idv.PersonPath {
		rec.Liveness = "" // they may try the challenge, or choose a person again
	}
	rec.Due = r.Step
	rec.ReopenedAt, rec.ExpiresAt = now, now.Add(w.SessionLife)
	payload := map[string]any{"steps": rec.Redo, "reasons": []string{}}
	if r.Reason != "" {
		payload["reasons"] = []string{r.Reason}
	}
	return s.life.Move(ctx, tx, rec, idv.Reopened, payload)
}
