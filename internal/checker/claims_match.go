package checker

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// ClaimsMatch asks whether the document belongs to the person whom the
// integrator announced. A claimed fact that a confirmed reading
// contradicts is person.claim_mismatch. What only a doubtful reading
// contradicts, what sources answer differently and what no source states leaves
// the check undecided: a misreading must not decline anybody. A claim of fewer
// given names than the document has is a match.
type ClaimsMatch struct{ heedsSigned }

// Kind is person.claims.
func (ClaimsMatch) Kind() idv.CheckKind { return idv.CheckClaimsMatch }

// Needs the page, whose extraction yields every claim.
func (ClaimsMatch) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// Check compares each claimed fact with each source on the document.
func (ClaimsMatch) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	all := statements(ev)
	var failed, open []idv.Reason
	claimed := 0
	for _, c := range all {
		if c.Source != idv.FromClaimed {
			continue
		}
		claimed++
		r, verdict := judge(ev, all, c)
		switch verdict {
		case idv.Fail:
			failed = append(failed, r)
		case idv.Inconclusive:
			open = append(open, r)
		}
	}
	switch {
	case claimed == 0:
		return idv.DoesNotApply("Nothing was claimed about the person."), nil
	case len(failed) > 0:
		return idv.Failed(append(failed, open...)...), nil
	case len(open) > 0:
		return idv.Undecided(open...), nil
	}
	return idv.Passed(), nil
}

// judge weighs the document's statements of one claimed fact.
func judge(ev idv.Evidence, all []statement, c statement) (idv.Reason, idv.Outcome) {
	var agree, against, doubtful []idv.ClaimSource
	var by idv.Confirmation
	for _, d := range documentOnly(byName(all, c.Name)) {
		switch claimLikeness(all, c, d) {
		case same:
			agree = append(agree, d.Source)
		case partly:
			doubtful = append(doubtful, d.Source)
		case different:
			if confirmed := confirmation(ev, all, d); confirmed != "" {
				against = append(against, d.Source)
				by = stronger(by, confirmed)
			} else {
				doubtful = append(doubtful, d.Source)
			}
		}
	}
	reason := func(code string, sources []idv.ClaimSource) idv.Reason {
		return idv.Reason{Code: code, Claim: c.Name, Sources: append([]idv.ClaimSource{idv.FromClaimed}, sources...)}
	}
	switch {
	case len(against) > 0 && len(agree) > 0:
		return reason(problem.DocumentFactsDisagree.Code, append(agree, against...)), idv.Inconclusive
	case len(against) > 0:
		r := reason(problem.PersonClaimMismatch.Code, against)
		r.Confirmed = by
		return r, idv.Fail
	case len(agree) > 0:
		return idv.Reason{}, idv.Pass
	case len(doubtful) > 0:
		return reason(problem.DocumentReadersDisagree.Code, doubtful), idv.Inconclusive
	case c.Name == idv.Address && !states(all, idv.Address):
		return idv.Reason{}, idv.Pass // most documents state none, so nothing contradicts it
	}
	return reason(problem.DocumentReadersDisagree.Code, nil), idv.Inconclusive
}

// claimLikeness forgives what people leave out of forms: further given names.
// A family name of fewer words may be another person's, so it is only partial.
func claimLikeness(all []statement, claimed, document statement) likeness {
	l := alike(all, claimed, document)
	if l != different {
		return l
	}
	switch {
	case claimed.Name == idv.GivenNames && partOf(claimed, document):
		return same
	case claimed.Name == idv.FamilyName && (partOf(claimed, document) || partOf(document, claimed)):
		return partly
	case claimed.Name == idv.GivenNames && partOf(document, claimed):
		return partly
	}
	return different
}

func states(all []statement, name idv.ClaimName) bool {
	return len(documentOnly(byName(all, name))) > 0
}
