package optical

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DocumentExpiry asks whether the document is still valid on the server's date. The last day of validity counts as
// valid; of a partly unknown date, its last possible day.
type DocumentExpiry struct{}

// Kind is document.expiry.
func (DocumentExpiry) Kind() idv.CheckKind { return idv.CheckDocumentExpiry }

// Needs the pages and what states the date on them.
func (DocumentExpiry) Needs() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactPage, idv.ArtifactMRZ, idv.ArtifactBarcode}
}

// Check compares the date that the document states with now.
func (DocumentExpiry) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	c, ok := stated(ev, idv.DateOfExpiry)
	if !ok {
		f := idv.Undecided()
		f.Note = "No date of expiry was read."
		return f, nil
	}
	_, last, ok := span(c.Value)
	if !ok {
		return idv.Undecided(dateReason(c)), nil
	}
	days := last.AddDate(0, 0, 1).Sub(ev.Now.UTC()).Hours() / 24
	f := idv.Passed()
	if days <= 0 {
		f = idv.Failed(idv.Reason{Code: problem.DocumentExpired.Code, Step: stepOf(c.Side), Claim: idv.DateOfExpiry, Sources: []idv.ClaimSource{c.Source}})
	}
	f.Measures = map[string]float64{"days_left": float64(int(days))}
	return f, nil
}
