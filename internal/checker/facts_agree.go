package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// FactsAgree asks whether the sources on the document (printed, zone, bar
// code) state the same facts. Each disagreement is a reason
// document.facts_disagree that names the fact and both sources. With fewer than
// two sources of any fact the question does not arise, provided that the one
// there is was read beyond doubt. Print alone has no check digits: what else
// settles such a document is the workflow's choice (idv.Settling).
type FactsAgree struct{ heedsSigned }

// Kind is document.facts.
func (FactsAgree) Kind() idv.CheckKind { return idv.CheckFactsAgree }

// Needs the sources.
func (FactsAgree) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// Check compares every pair of sources, fact by fact.
func (FactsAgree) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	all := documentOnly(statements(ev))
	var reasons []idv.Reason
	compared := 0
	for _, name := range facts {
		found, n := disagreements(all, name)
		reasons = append(reasons, found...)
		compared += n
	}
	switch {
	case len(reasons) > 0:
		f := idv.Failed(reasons...)
		f.Measures = map[string]float64{"compared": float64(compared), "disagree": float64(len(reasons))}
		return f, nil
	case compared == 0 && slices.ContainsFunc(all, func(s statement) bool { return s.sure(ev) }):
		return idv.DoesNotApply("No fact on the document has two sources."), nil
	case compared == 0 && ageAlone(ev, all):
		return idv.DoesNotApply("The wallet was asked only for an age, which states no fact."), nil
	case compared == 0:
		return settle(ev, all)
	}
	f := idv.Passed()
	f.Measures = map[string]float64{"compared": float64(compared), "disagree": 0}
	return f, nil
}

// ageAlone reports whether all that there is is a good answer of a wallet that was asked for an age and nothing else.
func ageAlone(ev idv.Evidence, all []statement) bool {
	w, ok, err := ev.Wallet()
	page := slices.ContainsFunc(ev.Artifacts, func(a idv.Artifact) bool { return a.Kind == idv.ArtifactPage })
	return ok && err == nil && w.Valid && w.HolderBound && ev.Workflow.AsksAgeOnly() && len(all) == 0 && !page
}

// disagreements compares the statements of one fact by each pair of sources,
// once a pair: where a source states a fact twice, one agreeing pair is enough.
func disagreements(all []statement, name idv.ClaimName) (reasons []idv.Reason, compared int) {
	type pair struct{ a, b idv.ClaimSource }
	best := make(map[pair]likeness)
	var order []pair
	of := byName(all, name)
	for i, a := range of {
		for _, b := range of[i+1:] {
			if a.Source == b.Source {
				continue
			}
			p := pair{a.Source, b.Source}
			if _, ok := best[pair{b.Source, a.Source}]; ok {
				p = pair{b.Source, a.Source}
			}
			l := alike(all, a, b)
			if l == incomparable {
				continue
			}
			old, seen := best[p]
			if !seen {
				order = append(order, p)
			}
			if !seen || l < old {
				best[p] = l
			}
		}
	}
	for _, p := range order {
		compared++
		if best[p] == different {
			reasons = append(reasons, idv.Reason{
				Code: problem.DocumentFactsDisagree.Code, Claim: name, Sources: []idv.ClaimSource{p.a, p.b},
			})
		}
	}
	return reasons, compared
}
