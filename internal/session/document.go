package session

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// DocumentSteps are the steps that show a document.
func DocumentSteps() []idv.Step { return []idv.Step{idv.StepDocumentFront, idv.StepDocumentBack} }

// OtherDocument asks the applicant of a locked session for another document: the pictures of this one no longer count, and its kind is
// chosen anew where the workflow asks for it. Tries are not given back. The caller saves the session.
func (l *Lifecycle) OtherDocument(ctx context.Context, tx Tx, rec *Record, w idv.WorkflowVersion, why string) error {
	for _, step := range append(DocumentSteps(), idv.StepChip) {
		if err := tx.SupersedeCaptures(ctx, rec.ID, step); err != nil {
			return err
		}
	}
	rest, err := LoadEvidence(ctx, tx, rec.ID)
	if err != nil {
		return err
	}
	if _, err := l.CurrentChecks(ctx, tx, *rec, rest); err != nil {
		return err
	}
	rec.Redo = slices.DeleteFunc(slices.Clone(rec.Redo), func(s idv.Step) bool { return slices.Contains(DocumentSteps(), s) })
	rec.Due = idv.StepDocumentFront
	if rec.DocumentKind != w.SoleKind() && slices.Contains(w.Steps, idv.StepChoose) {
		rec.Due, rec.DocumentKind, rec.ChosenCountry = idv.StepChoose, "", ""
	}
	rec.LastProblem = nil
	if why != "" {
		rec.LastProblem = &idv.StepProblem{Code: why, Step: rec.Due}
	}
	return nil
}

// ReadOf is what was read of the document that was sent last, also where its pictures no longer count.
func ReadOf(ctx context.Context, r EvidenceReader, rec Record, captures []CaptureRow) (idv.FoundDocument, error) {
	var found idv.FoundDocument
	artifacts, err := r.Artifacts(ctx, rec.ID)
	if err != nil {
		return found, err
	}
	claims, err := r.Claims(ctx, rec.ID)
	if err != nil {
		return found, err
	}
	for _, c := range slices.Backward(captures) {
		if c.Kind != idv.DocumentImage {
			continue
		}
		for _, a := range artifacts {
			if a.Capture != c.ID || a.Kind != idv.ArtifactPage || !a.Present || found.Kind != "" {
				continue
			}
			page, err := idv.ValueOf[idv.Page](a)
			if err != nil {
				return found, err
			}
			if page.Kind != idv.UnknownKind {
				found.Kind = page.Kind
			}
		}
		if found.Expiry == "" {
			found.Expiry = expiryOf(claims, c.ID)
		}
		if c.Step == idv.StepDocumentFront {
			return found, nil // an earlier picture may be of another document
		}
	}
	return found, nil
}

// wholeDay reports whether a date has neither unknown parts nor anything that is no date.
func wholeDay(date string) bool {
	_, err := time.Parse(time.DateOnly, date)
	return err == nil
}

// expiryOf returns the date of expiry that a capture states; empty where it states none that is whole.
func expiryOf(claims []idv.Claim, of idv.CaptureID) string {
	for _, source := range []idv.ClaimSource{idv.FromMRZ, idv.FromBarcode, idv.FromPrinted} {
		for _, c := range claims {
			if c.Capture == of && c.Source == source && c.Name == idv.DateOfExpiry && wholeDay(c.Value) {
				return c.Value
			}
		}
	}
	return ""
}
