package problem

// Reasons found in documents, persons and faces.
var (
	// DocumentReadersDisagree: the two readers of the machine-readable zone do not agree.
	DocumentReadersDisagree = register(Kind{
		Code: "document.readers_disagree", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "We could not read the document beyond doubt.", Remedy: "Someone will review it.",
		Reviewer: "The reading is uncertain: the two readers of the machine-readable zone disagree, or nothing confirms what one of them read. " +
			"Compare it with the picture.",
	})
	// DocumentUnconfirmed: nothing that the workflow accepts confirms a fact of a document without zone and barcode.
	DocumentUnconfirmed = register(Kind{
		Code: "document.unconfirmed", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "We could not read the document beyond doubt.", Remedy: "Someone will review it.",
		Reviewer: "No source accepted by the workflow confirms what was read. Compare it with the picture.",
	})
	// DocumentCountryNotAccepted: the issuer is not on the workflow's list.
	DocumentCountryNotAccepted = register(Kind{
		Code: "document.country_not_accepted", Status: 422, Severity: Final, Reader: Applicant,
		Title: "Documents of this country are not accepted here.", Remedy: "Ask whoever sent the link which documents they accept.",
		Reviewer: "The workflow does not accept this issuer.",
	})
	// DocumentTypeNotAccepted: the kind of document is not on the workflow's list.
	DocumentTypeNotAccepted = register(Kind{
		Code: "document.type_not_accepted", Status: 422, Severity: Final, Reader: Applicant,
		Title: "This kind of document is not accepted here.", Remedy: "Ask whoever sent the link which documents they accept.",
		Reviewer: "The workflow does not accept this kind of document.",
	})
	// DocumentUnsupported: the kind of document could not be told.
	DocumentUnsupported = register(Kind{
		Code: "document.unsupported", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "We do not know this kind of document yet.", Remedy: "Someone will review it.",
		Reviewer: "The document's kind or issuer could not be determined.",
	})
	// DocumentUnsupportedScript: the facts on the page are in a script that is not read.
	DocumentUnsupportedScript = register(Kind{
		Code: "document.unsupported_script", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "We could not read the document beyond doubt.", Remedy: "Someone will review it.",
		Reviewer: "Most of the page could not be read: it is in a script that is not supported, such as Arabic, or in Cyrillic or Greek print that is too " +
			"small or too blurred. Only dates are taken from it, and its text lines are not reliable. Read the facts in the picture.",
	})
	// DocumentUnreadable: a page was found but nothing on it could be read.
	DocumentUnreadable = register(Kind{
		Code: "document.unreadable", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "We could not read the document.", Remedy: "Use more light, lay it flat and hold the phone still.",
		Reviewer: "A page was found, but none of its text could be read.",
	})
	// DocumentMRZMissing: the document has no machine-readable zone in the picture.
	DocumentMRZMissing = register(Kind{
		Code: "document.mrz_missing", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "The lines of letters and < signs are missing.", Remedy: "Show the whole page with the two or three code lines at its edge.",
		Reviewer: "No machine-readable zone was found.",
	})
	// DocumentMRZInvalid: the machine-readable zone was read but its check digits or contents are wrong.
	DocumentMRZInvalid = register(Kind{
		Code: "document.mrz_invalid", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "The code lines of the document do not add up.", Remedy: "Take a sharper picture without reflections on the code lines.",
		Reviewer: "A check digit or a field of the machine-readable zone is wrong.",
	})
	// DocumentExpired: the expiry date is in the past.
	DocumentExpired = register(Kind{
		Code: "document.expired", Status: 422, Severity: Final, Reader: Applicant,
		Title: "This document has expired.", Remedy: "Use another document that is still valid.",
		Reviewer: "The expiry date is before the server's date.",
	})
	// DocumentExpiryDoubted: the date of expiry that was read is in the past, and nothing confirms the reading.
	DocumentExpiryDoubted = register(Kind{
		Code: "document.expiry_doubted", Status: 422, Severity: Question, Reader: Applicant,
		Title:    "Has this document expired?",
		Remedy:   "It looks expired to us, but we may have misread the date. Please check it: if it has passed, use another document.",
		Reviewer: "The applicant was asked whether the document has expired: the date read is in the past, and nothing confirms it.",
	})
	// DocumentKindDiffers: the document looks like one of another kind than the applicant chose.
	DocumentKindDiffers = register(Kind{
		Code: "document.kind_differs", Status: 422, Severity: Question, Reader: Applicant,
		Title: "This looks like another kind of document. Continue with it?", Remedy: "You chose another kind of document before.",
		Reviewer: "The applicant was asked whether to continue with a different kind of document from the one they chose.",
	})
	// DocumentKindDoubted: the document looks like one of a kind that the workflow does not accept, and nothing confirms it.
	DocumentKindDoubted = register(Kind{
		Code: "document.kind_doubted", Status: 422, Severity: Question, Reader: Applicant,
		Title: "Is this the document that you chose?", Remedy: "It looks like one of a kind that is not accepted here, but we may be mistaken.",
		Reviewer: "The applicant was asked whether this is the document they chose: it looks like a kind that is not accepted.",
	})
	// DocumentCountryDoubted: the document looks like one of an issuer that the workflow does not accept, and nothing confirms it.
	DocumentCountryDoubted = register(Kind{
		Code: "document.country_doubted", Status: 422, Severity: Question, Reader: Applicant,
		Title: "Is this a document of the country that you chose?", Remedy: "It looks like one of a country that is not accepted here, but we may be mistaken.",
		Reviewer: "The applicant was asked whether this is the document they chose: it looks like one from an issuer that is not accepted.",
	})
	// DocumentDatesImplausible: a date is impossible or contradicts another.
	DocumentDatesImplausible = register(Kind{
		Code: "document.dates_implausible", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "A date on the document needs a second look.", Remedy: "Someone will review it.",
		Reviewer: "A date does not exist or contradicts another (birth after expiry, validity too long).",
	})
	// DocumentSpecimen: the document is a published specimen.
	DocumentSpecimen = register(Kind{
		Code: "document.specimen", Status: 422, Severity: Final, Reader: Applicant,
		Title: "This is a specimen, not a real document.", Remedy: "Start again with your own document.",
		Reviewer: "The document says SPECIMEN or carries the data of a published specimen.",
	})
	// DocumentFactsDisagree: two sources on the document state different facts.
	DocumentFactsDisagree = register(Kind{
		Code: "document.facts_disagree", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "Parts of the document say different things.", Remedy: "Someone will review it.",
		Reviewer: "Two sources state different facts. See the fact table.",
	})
	// DocumentPortraitMissing: no portrait was found on the document.
	DocumentPortraitMissing = register(Kind{
		Code: "document.portrait_missing", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "We could not find the photo on the document.", Remedy: "Show the side with your photo, without reflections on it.",
		Reviewer: "No face was found on the document.",
	})
	// DocumentScreenCopy: the page shows the grid of a screen.
	DocumentScreenCopy = register(Kind{
		Code: "document.screen_copy", Status: 422, Severity: Suspect, Reader: Applicant,
		Title: "The document needs a second look.", Remedy: "Someone will review it.",
		Reviewer: "A regular grid follows the edges of the page, as on a screen. Check plain areas at full size.",
	})
	// DocumentPaperCopy: the page shows the dots of a print, or has no colour.
	DocumentPaperCopy = register(Kind{
		Code: "document.paper_copy", Status: 422, Severity: Suspect, Reader: Applicant,
		Title: "The document needs a second look.", Remedy: "Someone will review it.",
		Reviewer: "A regular grid of dots covers the whole page, as in a print, or the page has no colour of its own. Check plain areas at full size.",
	})
	// DocumentPortraitAltered: the portrait is not like the rest of the page, or not the person of the ghost image.
	DocumentPortraitAltered = register(Kind{
		Code:     "document.portrait_altered",
		Status:   422,
		Severity: Suspect,
		Reader:   Applicant,
		Title:    "The document needs a second look.",
		Remedy:   "Someone will review it.",
		Reviewer: "The second portrait on the page differs from the first, or the portrait's grain differs from the page's. " +
			"Compare them, and check the portrait's edges.",
	})
	// DocumentEdited: a part of the page is not like the rest of it.
	DocumentEdited = register(Kind{
		Code: "document.edited", Status: 422, Severity: Suspect, Reader: Applicant,
		Title: "The document needs a second look.", Remedy: "Someone will review it.",
		Reviewer: "Part of the page, outlined in the picture, differs from the rest, as after editing. Compare its letters, background and edges.",
	})
	// DocumentSidesDiffer: front and back belong to different documents.
	DocumentSidesDiffer = register(Kind{
		Code: "document.sides_differ", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "The two sides do not belong together.", Remedy: "Someone will review it.",
		Reviewer: "Front and back state different documents.",
	})
	// DocumentBarcodeUnreadable: a barcode was expected and could not be read.
	DocumentBarcodeUnreadable = register(Kind{
		Code: "document.barcode_unreadable", Status: 422, Severity: Retry, Reader: Applicant,
		Title: "We could not read the barcode.", Remedy: "Take a sharp picture of the whole back, without reflections.",
		Reviewer: "No barcode could be read on the side that should have one.",
	})
	// PersonClaimMismatch: what the integrator claimed is not what the document says.
	PersonClaimMismatch = register(Kind{
		Code: "person.claim_mismatch", Status: 422, Severity: Final, Reader: Applicant,
		Title: "The document does not match the details that were given.", Remedy: "Ask whoever sent the link to correct the details.",
		Reviewer: "A claimed fact differs from the document. See the fact table.",
	})
	// PersonUnderAge: the person is younger than the workflow's minimum.
	PersonUnderAge = register(Kind{
		Code: "person.under_age", Status: 422, Severity: Final, Reader: Applicant,
		Title: "You are below the minimum age for this service.", Remedy: "Ask whoever sent the link.",
		Reviewer: "The person's age today is below the workflow's minimum.",
	})
	// FaceMismatch: similarity is below the threshold at FMR 1:1 000.
	FaceMismatch = register(Kind{
		Code:     "face.mismatch",
		Status:   422,
		Severity: Retry,
		Reader:   Applicant,
		Title:    "Your picture does not look like the photo on the document.",
		Remedy:   "Take off glasses or a hat, find even light and look straight into the camera.",
		Reviewer: "The similarity is below the threshold for a false match rate of 1 in 1,000.",
	})
	// FaceUncertain: similarity is between the thresholds at FMR 1:1 000 and 1:10 000.
	FaceUncertain = register(Kind{
		Code: "face.uncertain", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "We are not sure that the photos show the same person.", Remedy: "Someone will review them.",
		Reviewer: "The similarity is between the thresholds for false match rates of 1 in 1,000 and 1 in 10,000.",
	})
	// FaceTooAlike: the similarity is one that two pictures from two occasions do not have.
	FaceTooAlike = register(Kind{
		Code: "face.too_alike", Status: 422, Severity: Suspect, Reader: Applicant,
		Title: "The document needs a second look.", Remedy: "Someone will review it.",
		Reviewer: "The selfie looks like a copy of the document's picture: two separate pictures of one person are hardly ever this alike.",
	})
	// FaceNotComparable: one of the two faces is missing or unfit to compare.
	FaceNotComparable = register(Kind{
		Code: "face.not_comparable", Status: 422, Severity: Refer, Reader: Applicant,
		Title: "The photos cannot be compared.", Remedy: "Someone will review them.",
		Reviewer: "One of the two faces is missing or not good enough to compare.",
	})
)
