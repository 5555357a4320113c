package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DocumentAccepted asks whether the workflow accepts this kind of document and its issuer.
type DocumentAccepted struct{}

// Kind is document.accepted.
func (DocumentAccepted) Kind() idv.CheckKind { return idv.CheckDocumentAccepted }

// Needs the pages.
func (DocumentAccepted) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// Check compares the kind and the issuer, as read on any side, with the workflow's lists. A document whose kind or issuer was not
// read is referred.
func (DocumentAccepted) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	sides, err := pagesOf(ev)
	if err != nil {
		return idv.Finding{}, err
	}
	kind, issuer := idv.UnknownKind, ""
	var from []idv.Digest
	for _, s := range sides {
		from = append(from, s.artifact.Inputs...)
		if s.page == nil {
			continue
		}
		if kind == idv.UnknownKind && s.page.Kind != "" {
			kind = s.page.Kind
		}
		if issuer == "" {
			issuer = s.page.Issuer
		}
	}
	f := acceptedBy(ev.Workflow, kind, issuer)
	for i, r := range f.Reasons {
		told := func(p *idv.Page) bool { return p.Kind == kind }
		if r.Claim == idv.Issuer {
			told = func(p *idv.Page) bool { return icao.SameState(p.Issuer, issuer) }
		}
		f.Reasons[i].Confirmed = confirmedOn(ev, sides, told)
	}
	f.Inputs = from
	return f, nil
}

// confirmedOn returns what confirms something about the document that its pages tell: a verified zone or a barcode, which say it
// themselves, or that two sides tell it.
func confirmedOn(ev idv.Evidence, sides []sidePage, told func(*idv.Page) bool) idv.Confirmation {
	on := 0
	for _, s := range sides {
		if s.page != nil && told(s.page) {
			on++
		}
	}
	barcode, ok := ev.Best(idv.ArtifactBarcode)
	switch {
	case zoneVerified(ev, idv.NoSide):
		return idv.ByCheckDigits
	case ok && barcode.Present:
		return idv.ByBarcode
	case on > 1:
		return idv.ByTwoSources
	}
	return ""
}

// acceptedBy compares a document's kind and issuer with the lists of a workflow.
func acceptedBy(w idv.WorkflowVersion, kind idv.DocumentKind, issuer string) idv.Finding {
	unknown := idv.Undecided(idv.Reason{Code: problem.DocumentUnsupported.Code, Step: idv.StepDocumentFront})
	if kind == idv.UnknownKind {
		unknown.Note = "The kind of document was not recognised."
		return unknown
	}
	if !slices.Contains(w.AcceptedKinds(), kind) {
		return idv.Failed(idv.Reason{Code: problem.DocumentTypeNotAccepted.Code, Step: idv.StepDocumentFront})
	}
	if len(w.Countries) > 0 && issuer == "" {
		unknown.Note = "The issuer was not recognised."
		return unknown
	}
	if !w.AcceptsIssuer(issuer) {
		return idv.Failed(idv.Reason{Code: problem.DocumentCountryNotAccepted.Code, Step: idv.StepDocumentFront, Claim: idv.Issuer})
	}
	return idv.Passed()
}
