package idv

// questions are what the checks ask, in the words of the console.
var questions = map[CheckKind]string{
	CheckDocumentReadable: "Is the picture readable?",
	CheckDocumentAccepted: "Is this document accepted?",
	CheckMRZVerified:      "Is the MRZ read reliably?",
	CheckDatesPlausible:   "Are the dates consistent?",
	CheckDocumentExpiry:   "Is the document still valid?",
	CheckDocumentSpecimen: "Is it a genuine document, not a specimen?",
	CheckDocumentOriginal: "Is it the original, not a copy?",
	CheckPortraitOriginal: "Is the portrait original?",
	CheckDocumentEdits:    "Is it free of edits?",
	CheckFactsAgree:       "Do the sources agree?",
	CheckSidesBelong:      "Do front and back belong together?",
	CheckClaimsMatch:      "Is it the expected person?",
	CheckAgeLimit:         "Is the person old enough?",
	CheckSelfieQuality:    "Is the selfie good enough to compare?",
	CheckFaceMatch:        "Do selfie and portrait show the same person?",
	CheckPassiveLiveness:  "Does the selfie look live?",
	CheckLiveness:         "Did a live person answer the challenge?",
	CheckHead:             "Does the head move as one solid object?",
	CheckLight:            "Does the face reflect the screen's colours?",
	CheckReplay:           "Are the frames new?",
	CheckChipAuthentic:    "Is the chip signed by a trusted state?",
	CheckChipCopy:         "Is the chip original, not a copy?",
	CheckChipRevocation:   "Is the chip's signer not revoked?",
	CheckChipZone:         "Do chip and page agree?",
	CheckWalletValid:      "Is the credential valid and signed by a trusted issuer?",
	CheckWalletHolder:     "Did the holder present the credential?",
	CheckWalletRevocation: "Is the credential not revoked?",
	CheckSanctions:        "Is the person clear of sanctions lists?",
	CheckPEP:              "Is the person not politically exposed?",
	CheckWatch:            "Is the person clear of other watchlists?",

	CheckDuplicateDocument: "Has nobody else used this document?",
	CheckDuplicatePerson:   "Is this the only document of this person?",
	CheckDuplicatePicture:  "Are the pictures in no other session?",
	CheckDuplicateFace:     "Is the face in no other session?",
	CheckBlockList:         "Is the person clear of the block list?",
	CheckVelocity:          "Is the number of sessions like this one normal?",
	CheckNetworkKnown:      "Is it known from which network the session was opened?",
	CheckNetworkCountry:    "Was the session opened in the country of the document?",
	CheckNetworkKind:       "Was the session opened from an ordinary network?",
}

// Question returns what a check asks, empty for a kind that has no words.
func (k CheckKind) Question() string { return questions[k] }
