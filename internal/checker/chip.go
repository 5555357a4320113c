package checker

import (
	"context"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// heedsChip is part of the checkers that judge a chip.
type heedsChip struct{}

// Heeds the chip.
func (heedsChip) Heeds() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactChip} }

// heedsSigned is part of the checkers that take signed data into account if there is any. They have an answer without a page, too.
type heedsSigned struct{}

// Heeds the chip and the answer of a wallet.
func (heedsSigned) Heeds() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactChip, idv.ArtifactWallet}
}

// needsNothing is part of the checkers that have an answer without any evidence, too.
type needsNothing struct{ heedsChip }

// Needs nothing: a chip may not have been sent.
func (needsNothing) Needs() []idv.ArtifactKind { return nil }

// noChip is the finding of a session without a chip, for a check that judges one.
func noChip() idv.Finding { return idv.DoesNotApply("No chip was sent.") }

// ChipAuthentic asks whether a trusted state signed what was read from the chip (Passive Authentication, ICAO 9303-11 section 5.1). It
// fails for signs of a changed or forged chip. Where trust is missing, and for a weak algorithm, it is undecided. Where the workflow
// requires a chip and none was sent it is undecided for chip.missing.
type ChipAuthentic struct{ needsNothing }

// Kind is chip.authentic.
func (ChipAuthentic) Kind() idv.CheckKind { return idv.CheckChipAuthentic }

// Check judges the refusals, the gravest severity of which decides.
func (ChipAuthentic) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	chip, ok, err := ev.Chip()
	switch {
	case err != nil:
		return idv.Finding{}, err
	case !ok && ev.Workflow.Chip == idv.ChipRequired:
		return idv.Undecided(idv.Reason{Code: problem.ChipMissing.Code}), nil
	case !ok:
		return noChip(), nil
	case chip.Has(problem.ChipWeakAlgorithm) && chip.Authentic:
		return ofChip(ev, idv.Undecided(idv.Reason{Code: problem.ChipWeakAlgorithm})), nil
	case chip.Authentic:
		return ofChip(ev, idv.Passed()), nil
	}
	reasons, suspect := reasonsOf(chip.Refusals)
	if suspect {
		return ofChip(ev, idv.Failed(reasons...)), nil
	}
	return ofChip(ev, idv.Undecided(reasons...)), nil
}

// ofChip completes a finding with what it rests on.
func ofChip(ev idv.Evidence, f idv.Finding) idv.Finding {
	if a, ok := ev.Artifact(idv.ArtifactChip, idv.NoSide); ok {
		f.Inputs = inputsOf(a)
	}
	return f
}

// ChipCopy asks whether the chip is the one that the state issued: it signed the server's challenge with a key that the state signed
// (Active Authentication, ICAO 9303-11 section 6.1). Nothing else excludes a copy.
type ChipCopy struct{ needsNothing }

// Kind is chip.copy.
func (ChipCopy) Kind() idv.CheckKind { return idv.CheckChipCopy }

// Check is undecided for chip.copy_not_excluded.
func (ChipCopy) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	chip, ok, err := ev.Chip()
	switch {
	case err != nil:
		return idv.Finding{}, err
	case !ok:
		return noChip(), nil
	case chip.Authentic && chip.NotACopy:
		return ofChip(ev, idv.Passed()), nil
	}
	f := idv.Undecided(idv.Reason{Code: problem.ChipCopyNotExcluded})
	switch {
	case !chip.HasKey:
		f.Note = "The chip has no key to prove itself."
	case !chip.Asked:
		f.Note = "The chip has a key to prove itself but was not challenged."
	default:
		f.Note = "The chip's answer proves nothing here."
	}
	return ofChip(ev, f), nil
}

// ChipRevocation asks whether the signer and those above it are known not to be revoked.
type ChipRevocation struct{ needsNothing }

// Kind is chip.revocation.
func (ChipRevocation) Kind() idv.CheckKind { return idv.CheckChipRevocation }

// Check fails for trust.revoked, and is undecided for chip.revocation_unchecked without a list of the issuer.
func (ChipRevocation) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	chip, ok, err := ev.Chip()
	switch {
	case err != nil:
		return idv.Finding{}, err
	case !ok:
		return noChip(), nil
	case chip.Revocation == idv.RevocationRevoked:
		return ofChip(ev, idv.Failed(idv.Reason{Code: problem.TrustRevoked})), nil
	case chip.Revocation == idv.RevocationGood:
		return ofChip(ev, idv.Passed()), nil
	}
	return ofChip(ev, idv.Undecided(idv.Reason{Code: problem.ChipRevocationUnchecked})), nil
}

// ChipZone asks whether the chip says what the page says: its machine-readable zone is that of the page, character by character. A zone
// on the page that was not read beyond doubt and differs leaves it undecided, and so does a page without one.
type ChipZone struct{ heedsChip }

// Kind is chip.zone.
func (ChipZone) Kind() idv.CheckKind { return idv.CheckChipZone }

// Needs the page's zone, present or absent.
func (ChipZone) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactMRZ} }

// Check compares the lines.
func (ChipZone) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	chip, ok, err := ev.Chip()
	if err != nil {
		return idv.Finding{}, err
	}
	if !ok {
		return noChip(), nil
	}
	unread := ofChip(ev, idv.Undecided(idv.Reason{Code: problem.ChipPageUnread.Code, Sources: []idv.ClaimSource{idv.FromChip, idv.FromMRZ}}))
	a, ok := ev.Best(idv.ArtifactMRZ)
	if !ok || !a.Present || len(chip.Zone) == 0 {
		return unread, nil
	}
	page, err := idv.ValueOf[idv.MRZ](a)
	if err != nil {
		return idv.Finding{}, err
	}
	unread.Inputs = append(unread.Inputs, a.Inputs...)
	switch {
	case strings.Join(page.Lines, "\n") == strings.Join(chip.Zone, "\n"):
		f := idv.Passed()
		f.Inputs = unread.Inputs
		return f, nil
	case !page.Verified:
		return unread, nil
	}
	f := idv.Failed(idv.Reason{Code: problem.ChipZoneDiffers, Sources: []idv.ClaimSource{idv.FromChip, idv.FromMRZ}})
	f.Inputs = unread.Inputs
	return f, nil
}
