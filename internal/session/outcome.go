package session

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// ByPolicy is who decided, where no person did.
const ByPolicy = "policy"

// EventOf says which event a verdict is.
var EventOf = map[idv.DecisionOutcome]idv.SessionEvent{
	idv.DecideApprove: idv.Accepted, idv.DecideDecline: idv.Rejected, idv.DecideRefer: idv.Referred,
}

// ApplicantProblem is the first reason that may be explained to the applicant, or nil.
func ApplicantProblem(reasons []idv.Reason) *idv.StepProblem {
	for _, r := range reasons {
		if k, ok := problem.Lookup(r.Code); ok && k.Severity.Explained() {
			return &idv.StepProblem{Code: r.Code, Step: r.Step}
		}
	}
	return nil
}

// Suspects reports whether a sign of deceit is among reasons, one that also genuine people raise included.
func Suspects(reasons []idv.Reason) bool {
	return slices.ContainsFunc(reasons, func(r idv.Reason) bool {
		k, ok := problem.Lookup(r.Code)
		return ok && (k.Severity == problem.Fraud || k.Severity == problem.Suspect)
	})
}

// Mismatched reports whether a check found that the face is not that of the document.
func Mismatched(c idv.Check) bool {
	return c.Finding != nil && slices.ContainsFunc(c.Finding.Reasons, func(r idv.Reason) bool {
		return r.Code == problem.FaceMismatch.Code
	})
}

// ReasonCodes returns the codes of reasons, each once, in their order.
func ReasonCodes(reasons []idv.Reason) []string {
	out := []string{}
	for _, r := range reasons {
		if !slices.Contains(out, r.Code) {
			out = append(out, r.Code)
		}
	}
	return out
}

// FactsOf keeps what simulation and analytics need of a decision, and nothing that identifies.
func FactsOf(rec Record, report idv.Report, d idv.Decision) Facts {
	f := Facts{
		Session: rec.ID, Decision: d.ID, Mode: rec.Mode, Workflow: rec.Workflow, Outcome: d.Outcome,
		Country: report.Document.Issuer, Kind: report.Document.Kind, Reasons: ReasonCodes(d.Reasons),
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

// OutcomePayload returns what an event says of a decision.
func OutcomePayload(d idv.Decision) map[string]any {
	return map[string]any{"decision": d.ID, "outcome": d.Outcome, "reasons": ReasonCodes(d.Reasons), "assurance": d.Assurance.Level}
}
