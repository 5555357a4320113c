package checker

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// AgeLimit asks whether the person has reached the workflow's minimum age on
// the server's date, by the dates of birth on the document, or by what a wallet
// states about that age; what the integrator claimed does not count. Under age
// by a confirmed reading is person.under_age. A birthday that is partly unknown and may lie on either
// side of the limit, a doubtful reading and a document without a date leave it
// undecided.
type AgeLimit struct{ heedsSigned }

// Kind is person.age.
func (AgeLimit) Kind() idv.CheckKind { return idv.CheckAgeLimit }

// Needs the page, whose extraction yields every claim.
func (AgeLimit) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// Check computes the age by each source.
func (AgeLimit) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	if ev.Workflow.MinimumAge <= 0 {
		return idv.DoesNotApply("The workflow sets no minimum age."), nil
	}
	var oldEnough, young, open []idv.ClaimSource
	var by idv.Confirmation
	all := statements(ev)
	for _, s := range documentOnly(byName(all, idv.DateOfBirth)) {
		confirmed := confirmation(ev, all, s)
		for _, born := range datesOf(s.Value) {
			least, most := ageBetween(born, ev.Now)
			switch {
			case least >= ev.Workflow.MinimumAge:
				oldEnough = append(oldEnough, s.Source)
			case most < ev.Workflow.MinimumAge && confirmed != "":
				young = append(young, s.Source)
				by = stronger(by, confirmed)
			default:
				open = append(open, s.Source)
			}
		}
	}
	attestedOld, attestedYoung, err := walletAge(ev)
	if err != nil {
		return idv.Finding{}, err
	}
	if attestedOld {
		oldEnough = append(oldEnough, idv.FromWallet)
	}
	if attestedYoung {
		young, by = append(young, idv.FromWallet), stronger(by, idv.BySignature)
	}
	reason := func(code string, sources []idv.ClaimSource) idv.Reason {
		return idv.Reason{Code: code, Claim: idv.DateOfBirth, Sources: sources}
	}
	switch {
	case len(young) > 0 && len(oldEnough) > 0:
		return idv.Undecided(reason(problem.DocumentFactsDisagree.Code, append(young, oldEnough...))), nil
	case len(young) > 0:
		r := reason(problem.PersonUnderAge.Code, young)
		r.Confirmed = by
		return idv.Failed(r), nil
	case len(open) > 0 || len(oldEnough) == 0:
		return idv.Undecided(reason(problem.DocumentReadersDisagree.Code, append(open, oldEnough...))), nil
	}
	return idv.Passed(), nil
}

// ageBetween bounds the age in whole years on the day of now (UTC), since parts
// of the birthday may be unknown.
func ageBetween(born mrz.Calendar, now time.Time) (least, most int) {
	return age(born.Last(), now), age(born.First(), now)
}

func age(born, now time.Time) int {
	now = now.UTC()
	years := now.Year() - born.Year()
	if now.Month() < born.Month() || now.Month() == born.Month() && now.Day() < born.Day() {
		years--
	}
	return years
}
