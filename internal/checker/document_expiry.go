package checker

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DocumentExpiry asks whether the document is still valid on the server's date. The last day of validity counts as valid; a
// partly unknown date expires on its last possible day. Its reason says what confirms the reading, if anything does.
type DocumentExpiry struct{ heedsSigned }

// Kind is document.expiry.
func (DocumentExpiry) Kind() idv.CheckKind { return idv.CheckDocumentExpiry }

// Needs the pages and what states the date on them.
func (DocumentExpiry) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactPage, idv.ArtifactMRZ, idv.ArtifactBarcode}
}

// Check compares the date of expiry with the evidence's time. The measure days_left is in whole days.
func (DocumentExpiry) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	c, ok := statedBy(ev, idv.DateOfExpiry)
	if !ok && !ev.Workflow.TakesDocument() {
		return idv.DoesNotApply("The credential states no date of expiry besides its own, which was checked."), nil
	}
	if !ok {
		f := idv.Undecided()
		f.Note = "No date of expiry was read."
		return f, nil
	}
	_, last, ok := daysOf(c.Value)
	if !ok {
		return idv.Undecided(dateReason(c)), nil
	}
	days := last.AddDate(0, 0, 1).Sub(ev.Now.UTC()).Hours() / 24
	f := idv.Passed()
	if days <= 0 {
		f = idv.Failed(idv.Reason{
			Code: problem.DocumentExpired.Code, Step: stepOf(c.Side), Claim: idv.DateOfExpiry, Sources: []idv.ClaimSource{c.Source},
			Confirmed: confirmation(ev, statements(ev), statement{Claim: c}),
		})
	}
	f.Measures = map[string]float64{"days_left": float64(int(days))}
	return f, nil
}
