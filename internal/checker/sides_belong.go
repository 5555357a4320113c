package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// identifying facts tell one document from another; millions share the rest.
var identifying = map[idv.ClaimName]bool{
	idv.FamilyName: true, idv.GivenNames: true, idv.DateOfBirth: true, idv.DocumentNumber: true, idv.PersonalNumber: true,
}

// SidesBelong asks whether front and back are of one document: facts that
// both state must agree, whatever their sources, and so must kind and issuer where
// both pages tell them. Each difference is a reason document.sides_differ. Sides that share
// no name, birthday or number leave it undecided, as does a document whose back
// the workflow asks for and nobody sent, whatever kind the applicant chose to
// show. Where no back was due the question does not arise.
type SidesBelong struct{}

// Kind is document.sides.
func (SidesBelong) Kind() idv.CheckKind { return idv.CheckSidesBelong }

// Needs the pages.
func (SidesBelong) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// oneSided answers for a document that was shown from the front alone. What the
// page shows counts, not what the applicant chose: else choosing "passport" for
// a card would be a way past its back.
func oneSided(ev idv.Evidence) (idv.Finding, error) {
	kind := ev.Chosen
	if a, ok := ev.Artifact(idv.ArtifactPage, idv.Front); ok && a.Present {
		page, err := idv.ValueOf[idv.Page](a)
		if err != nil {
			return idv.Finding{}, err
		}
		kind = page.Kind
	}
	if kind.HasBack() && slices.Contains(ev.Workflow.Steps, idv.StepDocumentBack) {
		f := idv.Undecided(idv.Reason{Code: problem.CheckNotRun.Code})
		f.Note = "The back of the document was not shown."
		return f, nil
	}
	return idv.DoesNotApply("The document was shown from one side."), nil
}

// repeatsFact reports whether the back prints a number, a name or a day of the front without saying what it is, as the tables of
// driving licences do.
func repeatsFact(ev idv.Evidence, all []statement) bool {
	return slices.ContainsFunc(all, func(s statement) bool {
		repeated := identifying[s.Name] || s.Name == idv.DateOfIssue || s.Name == idv.DateOfExpiry
		return s.Source == idv.FromPrinted && s.Side == idv.Front && repeated && onOtherSide(ev, s)
	})
}

// otherKind reports whether two sides cannot be of one document. The code of a card's zone begins with A, C or I whatever
// the card is, and its second letter is the issuer's own (ICAO 9303-5 §4.2.2), so that a zone often calls an identity card
// what the title calls a residence permit.
func otherKind(front, back idv.DocumentKind) bool {
	known := func(k idv.DocumentKind) bool { return k != "" && k != idv.UnknownKind }
	card := func(k idv.DocumentKind) bool { return k == idv.IDCard || k == idv.ResidencePermit }
	return known(front) && known(back) && front != back && !(card(front) && card(back))
}

// otherDocument compares what the two pages are, each by itself.
func otherDocument(ev idv.Evidence) ([]idv.Reason, error) {
	var sides [2]idv.Page
	for i, side := range []idv.Side{idv.Front, idv.Back} {
		a, ok := ev.Artifact(idv.ArtifactPage, side)
		if !ok || !a.Present {
			return nil, nil
		}
		page, err := idv.ValueOf[idv.Page](a)
		if err != nil {
			return nil, err
		}
		sides[i] = page
	}
	front, back := sides[0], sides[1]
	switch {
	case otherKind(front.Kind, back.Kind):
		return []idv.Reason{{Code: problem.DocumentSidesDiffer.Code}}, nil
	case front.Issuer != "" && back.Issuer != "" && !icao.SameState(front.Issuer, back.Issuer):
		return []idv.Reason{{Code: problem.DocumentSidesDiffer.Code, Claim: idv.Issuer}}, nil
	}
	return nil, nil
}

// Check compares the facts of the front with those of the back.
func (SidesBelong) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	if _, ok := ev.Artifact(idv.ArtifactPage, idv.Back); !ok {
		return oneSided(ev)
	}
	all := documentOnly(statements(ev))
	compared := 0
	reasons, err := otherDocument(ev)
	if err != nil {
		return idv.Finding{}, err
	}
	for _, name := range facts {
		best := incomparable
		var pair []idv.ClaimSource
		for _, a := range byName(all, name) {
			for _, b := range byName(all, name) {
				if a.Side != idv.Front || b.Side != idv.Back {
					continue
				}
				if l := alike(all, a, b); l != incomparable && (best == incomparable || l < best) {
					best, pair = l, []idv.ClaimSource{a.Source, b.Source}
				}
			}
		}
		if best == incomparable {
			continue
		}
		if identifying[name] {
			compared++
		}
		if best == different {
			reasons = append(reasons, idv.Reason{Code: problem.DocumentSidesDiffer.Code, Claim: name, Sources: pair})
		}
	}
	switch {
	case len(reasons) > 0:
		return idv.Failed(reasons...), nil
	case compared == 0 && repeatsFact(ev, all):
		return idv.Passed(), nil
	case compared == 0:
		return idv.Undecided(idv.Reason{Code: problem.DocumentUnconfirmed.Code, Step: idv.StepDocumentBack}), nil
	}
	return idv.Passed(), nil
}
