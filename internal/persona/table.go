package persona

import (
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// verdicts are the personas that people start with.
var verdicts = []Persona{
	{Name: "approved", What: "Every check passes, at the assurance level low.", Ends: idv.Approved},
	{Name: "substantial", What: "Every check passes, and where the workflow asks for a liveness challenge the assurance level is substantial.",
		Ends: idv.Approved, bounded: true},
	{Name: "wallet", What: "Where the workflow asks wallets, it presents a valid credential from the test wallet, which is verified like any other; " +
		"every other check passes.", Ends: idv.Approved, Presents: "share"},
	{Name: "wallet_revoked", What: "The same with a credential that its issuer revoked: it proves nothing, photos follow, and if the workflow requires one " +
		"that is not revoked, the session goes to review.", Ends: idv.Approved, Presents: "revoked"},
	{Name: "wallet_declined", What: "It declines the request in the wallet, and photographs its document.", Ends: idv.Approved, Presents: "decline"},
	{Name: "chip", What: "Where the workflow takes a chip, its document has one, which is read and verified like any other; every other check passes.",
		Ends: idv.Approved, Chip: "genuine"},
	{Name: "chip_other_name", What: "The same with the chip of somebody of another name: it differs from the page, so the session goes to review if the " +
		"workflow accepts a chip.", Ends: idv.Approved, Chip: "other_name"},
	{Name: "chip_copy", What: "The same with a copy of the chip: if the workflow requires that copies are excluded, the session goes to review.",
		Ends: idv.Approved, Chip: "copy"},
	{Name: "chip_changed", What: "The same with a chip that was changed after the state had signed it, so the session goes to review if the workflow accepts " +
		"a chip.", Ends: idv.Approved, Chip: "changed"},
	{Name: "declined", What: "The document has expired, and nothing can fix that.", Ends: idv.Declined,
		Check: idv.CheckDocumentExpiry, Reason: expired(idv.ByCheckDigits)},
	{Name: "expired_unconfirmed", What: "The document seems to have expired, but nothing confirms the reading, so the session goes to review.", Ends: idv.InReview,
		Check: idv.CheckDocumentExpiry, Reason: expired("")},
	{Name: "in_review", What: "The face is neither like the portrait nor unlike it, so the session goes to review. Decide the case in the console, and the " +
		"webhook is sent.", Ends: idv.InReview,
		Check: idv.CheckFaceMatch, Reason: idv.Reason{Code: problem.FaceUncertain.Code, Step: idv.StepSelfie}},
	{Name: "reopened", What: "The first picture of the document is blurred. The session is reopened, the persona sends a better one, and every " +
		"check passes.", Ends: idv.Approved,
		Check: idv.CheckDocumentReadable, Reason: idv.Reason{Code: problem.CaptureBlurred.Code, Step: idv.StepDocumentFront}, Once: true},
	{Name: "never_sharp",
		What: "Every picture of the document is blurred. The session is reopened until no attempts are left, then goes to review.", Ends: idv.InReview,
		Check: idv.CheckDocumentReadable, Reason: idv.Reason{Code: problem.CaptureBlurred.Code, Step: idv.StepDocumentFront}},
	{
		Name: "unfinished",
		What: "The persona shows the document and goes away before the selfie. Nothing is decided; the session's own time ends it.",
		Ends: idv.Capturing, Act: Leaves,
	},
	{Name: "expired", What: "The persona opens the link and goes away, and the session's time is over at once.", Ends: idv.Expired, Act: Dawdles},
	{Name: "cancelled", What: "The persona opens the link and withdraws.", Ends: idv.Cancelled, Act: Withdraws},
}

// raised is a reason and the check that raises it.
type raised struct {
	kind  problem.Kind
	check idv.CheckKind
	step  idv.Step
	claim idv.ClaimName
	from  []idv.ClaimSource
	how   how
}

// how says what is out of the ordinary about a reason.
type how int

// The ways.
const (
	usual    how = iota
	always       // also on the second try
	atGate       // refused as it arrives
	broken       // the check cannot run
	onCard       // needs a document with two sides
	denied       // the persona does not consent
	faceless     // … to the use of its face
	terminal     // no further try can be made
)

const (
	front  = idv.StepDocumentFront
	back   = idv.StepDocumentBack
	selfie = idv.StepSelfie
)

func expired(by idv.Confirmation) idv.Reason {
	return idv.Reason{Code: problem.DocumentExpired.Code, Step: idv.StepDocumentFront, Claim: idv.DateOfExpiry, Confirmed: by}
}

var (
	printedAndZone  = []idv.ClaimSource{idv.FromPrinted, idv.FromMRZ}
	claimedAndFound = []idv.ClaimSource{idv.FromClaimed, idv.FromMRZ}
)

// reasons has a row for every reason of the catalogue, by family. A test compares the two.
var reasons = []raised{
	{kind: problem.CaptureNotAnImage, step: front, how: atGate},
	{kind: problem.CaptureHEIC, step: front, how: atGate},
	{kind: problem.CapturePDFEncrypted, step: front, how: atGate},
	{kind: problem.CapturePDFTooLarge, step: front, how: atGate},
	{kind: problem.CapturePDFDamaged, step: front, how: atGate},
	{kind: problem.CaptureTooManyPixels, step: front, how: atGate},
	{kind: problem.RequestTooLarge, step: front, how: atGate},
	{kind: problem.CaptureTooSmall, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureBlurred, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureGlare, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureDark, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureNoColour, check: idv.CheckDocumentOriginal, step: front},
	{kind: problem.CaptureLowResolution, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureFaceInstead, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureMirrored, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureCutOff, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureNoDocument, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureSeveralDocuments, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.CaptureWrongSide, check: idv.CheckDocumentReadable, step: back, how: onCard},
	{kind: problem.CaptureSameSideTwice, check: idv.CheckDocumentReadable, step: back, how: onCard},
	{kind: problem.CaptureNoFace, check: idv.CheckSelfieQuality, step: selfie},
	{kind: problem.CaptureSeveralFaces, check: idv.CheckSelfieQuality, step: selfie},
	{kind: problem.CaptureFaceTooSmall, check: idv.CheckSelfieQuality, step: selfie},
	{kind: problem.CaptureFaceTurned, check: idv.CheckSelfieQuality, step: selfie},
	{kind: problem.CaptureEyesClosed, check: idv.CheckSelfieQuality, step: selfie},

	{kind: problem.DocumentUnreadable, check: idv.CheckMRZVerified, step: front},
	{kind: problem.DocumentMRZMissing, check: idv.CheckMRZVerified, step: front},
	{kind: problem.DocumentMRZInvalid, check: idv.CheckMRZVerified, step: front},
	{kind: problem.DocumentReadersDisagree, check: idv.CheckMRZVerified, step: front},
	{kind: problem.DocumentUnsupported, check: idv.CheckDocumentAccepted, step: front},
	{kind: problem.DocumentUnsupportedScript, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.DocumentCountryNotAccepted, check: idv.CheckDocumentAccepted, step: front, claim: idv.Issuer},
	{kind: problem.DocumentTypeNotAccepted, check: idv.CheckDocumentAccepted, step: front},
	{kind: problem.DocumentDatesImplausible, check: idv.CheckDatesPlausible, step: front, claim: idv.DateOfBirth},
	{kind: problem.DocumentExpired, check: idv.CheckDocumentExpiry, step: front, claim: idv.DateOfExpiry},
	{kind: problem.DocumentSpecimen, check: idv.CheckDocumentSpecimen, step: front},
	{kind: problem.DocumentFactsDisagree, check: idv.CheckFactsAgree, step: front, claim: idv.FamilyName, from: printedAndZone},
	{kind: problem.DocumentUnconfirmed, check: idv.CheckFactsAgree, step: front, claim: idv.FamilyName},
	{kind: problem.DocumentBarcodeUnreadable, check: idv.CheckSidesBelong, step: back, how: onCard},
	{kind: problem.DocumentSidesDiffer, check: idv.CheckSidesBelong, step: back, how: onCard},
	{kind: problem.DocumentPortraitMissing, check: idv.CheckDocumentReadable, step: front},
	{kind: problem.DocumentScreenCopy, check: idv.CheckDocumentOriginal, step: front},
	{kind: problem.DocumentPaperCopy, check: idv.CheckDocumentOriginal, step: front},
	{kind: problem.DocumentPortraitAltered, check: idv.CheckPortraitOriginal, step: front},
	{kind: problem.DocumentEdited, check: idv.CheckDocumentEdits, step: front},

	{kind: problem.PersonClaimMismatch, check: idv.CheckClaimsMatch, step: front, claim: idv.FamilyName, from: claimedAndFound},
	{kind: problem.PersonUnderAge, check: idv.CheckAgeLimit, step: front, claim: idv.DateOfBirth},

	{kind: problem.FaceMismatch, check: idv.CheckFaceMatch, step: selfie, how: always},
	{kind: problem.FaceUncertain, check: idv.CheckFaceMatch, step: selfie},
	{kind: problem.FaceTooAlike, check: idv.CheckFaceMatch, step: selfie},
	{kind: problem.FaceNotComparable, check: idv.CheckFaceMatch, step: selfie},
	{kind: problem.LivenessChallengeMissed, check: idv.CheckLiveness, step: selfie},
	{kind: problem.LivenessFailed, check: idv.CheckLiveness, step: selfie},
	{kind: problem.LivenessWrongLight, check: idv.CheckLight, step: selfie},
	{kind: problem.LivenessNotAHead, check: idv.CheckHead, step: selfie},
	{kind: problem.LivenessFacesDiffer, check: idv.CheckLiveness, step: selfie},
	{kind: problem.LivenessReplayed, check: idv.CheckReplay, step: selfie},
	{kind: problem.CaptureInjected, check: idv.CheckLiveness, step: selfie},

	{kind: problem.ScreeningStrongMatch, check: idv.CheckSanctions},
	{kind: problem.ScreeningPossibleMatch, check: idv.CheckSanctions},
	{kind: problem.ScreeningPEP, check: idv.CheckPEP},
	{kind: problem.ScreeningPEPAssociate, check: idv.CheckPEP},
	{kind: problem.ScreeningListed, check: idv.CheckWatch},
	{kind: problem.ScreeningListsMissing, check: idv.CheckSanctions},
	{kind: problem.ScreeningListsOld, check: idv.CheckSanctions},
	{kind: problem.ScreeningListHeld, check: idv.CheckSanctions},
	{kind: problem.ScreeningNameUnusable, check: idv.CheckSanctions},
	{kind: problem.ScreeningTooMany, check: idv.CheckSanctions},
	{kind: problem.ScreeningBroken, check: idv.CheckSanctions},

	{kind: problem.DuplicateDocumentOtherFace, check: idv.CheckDuplicateDocument},
	{kind: problem.DuplicateDocumentOtherFacts, check: idv.CheckDuplicateDocument},
	{kind: problem.DuplicateFaceNotComparable, check: idv.CheckDuplicateDocument},
	{kind: problem.DuplicateDocumentElsewhere, check: idv.CheckDuplicateDocument},
	{kind: problem.DuplicatePersonElsewhere, check: idv.CheckDuplicatePerson},
	{kind: problem.DuplicateSamePicture, check: idv.CheckDuplicatePicture},
	{kind: problem.DuplicateFaceOtherPerson, check: idv.CheckDuplicateFace},
	{kind: problem.DuplicateFaceElsewhere, check: idv.CheckDuplicateFace},
	{kind: problem.DuplicateGalleryUnready, check: idv.CheckDuplicateFace},
	{kind: problem.DuplicateGalleryTooLarge, check: idv.CheckDuplicateFace},
	{kind: problem.DuplicateNotSearched, check: idv.CheckDuplicateDocument},
	{kind: problem.BlocklistDeclines, check: idv.CheckBlockList},
	{kind: problem.BlocklistDocument, check: idv.CheckBlockList},
	{kind: problem.BlocklistPerson, check: idv.CheckBlockList},
	{kind: problem.BlocklistContact, check: idv.CheckBlockList},
	{kind: problem.BlocklistAddress, check: idv.CheckBlockList},
	{kind: problem.BlocklistFace, check: idv.CheckBlockList},
	{kind: problem.BlocklistNotSearched, check: idv.CheckBlockList},
	{kind: problem.VelocityAddress, check: idv.CheckVelocity},
	{kind: problem.VelocityDocument, check: idv.CheckVelocity},
	{kind: problem.VelocityPerson, check: idv.CheckVelocity},
	{kind: problem.VelocityReference, check: idv.CheckVelocity},
	{kind: problem.VelocityNotCounted, check: idv.CheckVelocity},
	{kind: problem.NetworkCountry, check: idv.CheckNetworkCountry},
	{kind: problem.NetworkAnonymous, check: idv.CheckNetworkKind},
	{kind: problem.NetworkHosting, check: idv.CheckNetworkKind},
	{kind: problem.NetworkNotChecked, check: idv.CheckNetworkKnown},

	{kind: problem.CheckNotRun, check: idv.CheckFaceMatch, step: selfie, how: broken},
	{kind: problem.AttemptsExhausted, check: idv.CheckDocumentReadable, step: front, how: terminal},
	{kind: problem.ConsentDeclined, step: idv.StepConsent, how: denied},
	{kind: problem.BiometricsDeclined, step: idv.StepConsent, how: faceless},
}

// persona makes the row of a reason.
func (r raised) persona() Persona {
	p := Persona{
		Name: r.kind.Code, Check: r.check, Reason: idv.Reason{Code: r.kind.Code, Step: r.step, Claim: r.claim, Sources: r.from},
		card: r.how == onCard,
	}
	switch {
	case r.check.AboutScreening():
		p.Ends, p.What = idv.InReview, "If the workflow screens for it, the session goes to review; otherwise the persona is approved."
		if p.listed() {
			p.What = "An invented entry of an invented list may be the persona. " + p.What
		}
	case r.kind.Code == problem.BlocklistDeclines.Code:
		p.Reason.Claim, p.Reason.Confirmed = idv.DocumentNumber, idv.ByCheckDigits
		p.Ends, p.What = idv.Declined, "If the workflow checks the block list, its document is declined; otherwise the persona is approved."
	case r.check.AboutSeen():
		p.Ends, p.What = idv.InReview, "If the workflow checks other sessions for it, the session goes to review; otherwise the persona is approved."
	case r.how == denied:
		p.Act, p.Ends, p.What = Declines, idv.Cancelled, "The persona does not consent, and the session is cancelled."
	case r.how == faceless:
		p.Act, p.Ends = Refrains, idv.InReview
		p.What = "The persona does not consent to the use of its face. If the workflow lets people continue without it, the session goes to review; otherwise " +
			"it is cancelled, as with " + problem.ConsentDeclined.Code + "."
	case r.how == broken:
		p.Broken, p.Ends, p.What = true, idv.InReview, "A required check cannot run, so the session goes to review. check.broken is sent, too."
	case r.how == terminal:
		p.Ends, p.What = idv.InReview, "No attempts are left for a step, so the session goes to review."
	case r.how == atGate:
		p.Gate, p.Ends, p.What = true, idv.Approved, "The first picture is refused as it arrives; the second one is good."
	case r.how == always:
		p.Ends, p.What = idv.Declined, "Raised on the first selfie and on the extra one, which declines."
	case r.kind.Severity == problem.Retry:
		p.Once, p.Ends, p.What = true, idv.Approved, "Raised on the first try: the session is reopened at that step, and the second try is good."
	case r.kind.Severity == problem.Final:
		p.Reason.Confirmed = idv.ByCheckDigits
		p.Ends, p.What = idv.Declined, "A fact that rules the person or the document out, read from a zone whose check digits are right."
	case r.kind.Severity == problem.Suspect:
		p.Ends, p.What = idv.InReview, "A sign that genuine documents and people can show, too, so the session goes to review."
	case r.kind.Severity == problem.Fraud:
		p.Ends, p.What = idv.InReview, "A sign of fraud. It was never measured on real people, so the session goes to review."
	default:
		p.Ends, p.What = idv.InReview, "Neither a yes nor a no, so the session goes to review."
	}
	return p
}
