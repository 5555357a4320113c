package flow

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Plan answers what the applicant does next. The captures are those accepted so far; a step named in the
// session's Redo is due again although it has one. When no step is due the task is to wait: the session is
// ready to be submitted.
func Plan(s idv.Session, w idv.WorkflowVersion, have []idv.Capture) idv.Task {
	steps := w.StepsFor(chosenOr(s.DocumentKind, idv.Passport))
	if s.DocumentKind != "" && s.DocumentKind == w.SoleKind() {
		steps = slices.DeleteFunc(steps, func(step idv.Step) bool { return step == idv.StepChoose })
	}
	t := idv.Task{
		State: idv.TaskStateOf(s.Verdict()), Session: s.ID, Total: len(steps), DocumentKind: s.DocumentKind, Country: s.ChosenCountry,
		AsksCountry: len(w.Countries) != 1,
		Accepts:     w.AcceptedKinds(), Problem: s.LastProblem, Deadline: s.ExpiresAt,
	}
	if s.Mode == idv.Test {
		t.Persona = s.Persona
	}
	if t.State != idv.TaskStep {
		return t
	}
	if w.TakesChip() {
		t.Chip, t.ChipSent = w.Chip, slices.ContainsFunc(have, func(c idv.Capture) bool { return c.Kind == idv.ChipFiles })
	}
	if w.TakesWallet() {
		t.Wallet, t.WalletHas, t.WalletInstead = w.Wallet, s.Wallet, w.WalletInstead
		if w.AsksAgeOnly() {
			t.WalletAge = w.MinimumAge
		}
	}
	for i, step := range steps {
		if !due(step, s, have) {
			continue
		}
		t.Step, t.Position = step, i+1
		t.Takes, _, _ = w.CaptureOf(step, s.Liveness)
		t.AttemptsLeft = max(w.StepAttempts-s.Attempts[step], 0)
		if t.Problem != nil && t.Problem.Step != step {
			t.Problem = nil
		}
		if t.Problem == nil && s.Wallet == idv.WalletNoGood && (step == idv.StepChoose || step == idv.StepDocumentFront) {
			t.Problem = &idv.StepProblem{Code: problem.WalletNotUsable.Code, Step: step}
		}
		return t
	}
	t.State, t.Problem = idv.TaskWait, nil
	return t
}

func due(step idv.Step, s idv.Session, have []idv.Capture) bool {
	switch step {
	case idv.StepConsent:
		return !s.Consented
	case idv.StepChoose:
		return s.DocumentKind == ""
	default:
		return slices.Contains(s.Redo, step) || asked(step, s) ||
			!slices.ContainsFunc(have, func(c idv.Capture) bool { return c.Step == step })
	}
}

// asked reports whether the applicant is asked about what they sent at a step. It stays until they answer, or send another picture.
func asked(step idv.Step, s idv.Session) bool {
	return s.LastProblem != nil && s.LastProblem.Step == step && problem.IsQuestion(s.LastProblem.Code)
}

func chosenOr(k, otherwise idv.DocumentKind) idv.DocumentKind {
	if k == "" {
		return otherwise
	}
	return k
}
