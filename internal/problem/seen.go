package problem

// Problems of the block list and of links between sessions.
var (
	// BlocklistExists: the same thing is on the list.
	BlocklistExists = register(Kind{
		Code: "blocklist.exists", Status: 409, Reader: Operator,
		Title: "This is already on the block list.", Remedy: "Remove the existing entry, then add it again with the new end date.",
	})
	// BlocklistNothing: the session has nothing of the kind that an entry is about.
	BlocklistNothing = register(Kind{
		Code: "blocklist.nothing", Status: 422, Reader: Operator,
		Title:  "The session has nothing of that kind to put on the block list.",
		Remedy: "Choose another kind: a document needs a number and an issuer, a person a name and a date of birth.",
	})
	// BlocklistFaceNoConsent: a face that its person does not let be compared is not kept.
	BlocklistFaceNoConsent = register(Kind{
		Code: "blocklist.face_without_consent", Status: 422, Reader: Operator,
		Title:  "The applicant did not agree to have their face compared with others, or took that back.",
		Remedy: "Put the document or the person on the block list instead.",
	})
	// BlocklistFaceNotKept: there is no face to compare others with.
	BlocklistFaceNotKept = register(Kind{
		Code: "blocklist.face_not_kept", Status: 422, Reader: Operator,
		Title:  "No gallery keeps the face of this session.",
		Remedy: "A face is kept once the session was checked, and for as long as the workflow says. Put the document or the person on the block list instead.",
	})
	// BlocklistSamePerson: four eyes.
	BlocklistSamePerson = register(Kind{
		Code: "blocklist.same_person", Status: 403, Reader: Operator,
		Title: "Someone else has to confirm this entry before it declines.", Remedy: "Ask another member who may change the block list.",
	})
	// BlocklistConflict: the entry is in another state.
	BlocklistConflict = register(Kind{
		Code: "blocklist.conflict", Status: 409, Reader: Operator,
		Title: "The entry cannot be changed that way.", Remedy: "Reload the block list: the entry was removed, has expired or is already confirmed.",
	})
)

// Problems of decisions about links.
var (
	// DuplicateConflict: somebody else decided, or something more was found.
	DuplicateConflict = register(Kind{
		Code: "duplicate.conflict", Status: 409, Reader: Operator,
		Title:  "What links the two sessions, or what was decided about them, has changed since you loaded it.",
		Remedy: "Reload it to see the current state.",
	})
	// DuplicateSamePerson: four eyes.
	DuplicateSamePerson = register(Kind{
		Code: "duplicate.same_person", Status: 403, Reader: Operator,
		Title: "Someone else has to confirm that both sessions are the same person.", Remedy: "Ask a senior reviewer to decide it.",
	})
)

// Reasons of the checks that look for other sessions with something in common. They refer and are never explained to the applicant.
var (
	// DuplicateDocumentOtherFace: the strongest sign: somebody else showed this document.
	DuplicateDocumentOtherFace = seen("duplicate.document_other_face", "Another session showed this document with another face.",
		"Compare the faces in the Seen before panel.", "The number, kind and issuer of the document are those of another session, and the faces differ.")
	// DuplicateDocumentOtherFacts: one number, two people.
	DuplicateDocumentOtherFacts = seen("duplicate.document_other_facts", "Another session showed this document with another name or date of birth.",
		"Compare the documents in the Seen before panel.",
		"The number, kind and issuer of the document are those of another session, and the name or the date of birth differs.")
	// DuplicateFaceNotComparable: nobody can say whether it was the same person.
	DuplicateFaceNotComparable = seen("duplicate.face_not_comparable", "Another session showed this document, and the faces cannot be compared.",
		"Look at the other session in the Seen before panel.",
		"The document was shown before. That session's face is no longer kept, or the faces are neither clearly alike nor clearly different.")
	// DuplicateDocumentElsewhere: the same person and document, again.
	DuplicateDocumentElsewhere = seen("duplicate.document_elsewhere", "Another session showed this document.",
		"The Seen before panel shows how the other session ended.", "The same document was shown in another session, by what seems to be the same person.")
	// DuplicatePersonElsewhere: the same person with another document.
	DuplicatePersonElsewhere = seen("duplicate.person_elsewhere", "Another session has the same name and date of birth.",
		"The Seen before panel shows how the other session ended.",
		"The name and the date of birth are those of another session, which showed another document. Namesakes are possible.")
	// DuplicateNotSearched: there is nothing to look for.
	DuplicateNotSearched = seen("duplicate.not_searched", "The session could not be compared with others.",
		"Read the number, name and date of birth off the pictures, and look for other sessions with them.",
		"No identifying document number, or no name with a date of birth, was read.")
	// DuplicateFaceOtherPerson: one face, two people.
	DuplicateFaceOtherPerson = seen("duplicate.face_other_person", "A face like this one was in another session, under another name or date of birth.",
		"Compare the faces in the Seen before panel. It shows how many strangers such a search finds.",
		"The face is like that of another session, whose name or date of birth differs. Relatives and strangers can be as alike.")
	// DuplicateFaceElsewhere: the same person again, by their face.
	DuplicateFaceElsewhere = seen("duplicate.face_elsewhere", "A face like this one was in another session.",
		"The Seen before panel shows how the other session ended.", "The face is like that of another session, and nothing that was read says otherwise.")
	// DuplicateGalleryUnready: the faces could not be searched.
	DuplicateGalleryUnready = seen("duplicate.gallery_unready", "The faces of earlier applicants could not be searched.",
		"Look for other sessions of this person. The finding says why the search was not possible.",
		"The gallery was not loaded, holds faces of another model, or no template was made of the selfie.")
	// DuplicateGalleryTooLarge: the measured rates do not reach as far.
	DuplicateGalleryTooLarge = seen("duplicate.gallery_too_large", "The gallery is too large for a face match to count on its own.",
		"Look for other sessions of this person. Shorten how long faces are kept, or split the gallery.",
		"Either too many faces are alike to review, or a face match no longer counts on its own. The Seen before panel shows which.")
	// DuplicateSamePicture: one picture file in two sessions.
	DuplicateSamePicture = seen("duplicate.same_picture", "A picture from this session was also sent in another session.",
		"Compare the sessions in the Seen before panel.", "The very same picture was sent in another session.")
)

// Reasons of the check that compares a session with the block list.
var (
	// BlocklistDeclines: a document that two people put on the list.
	BlocklistDeclines = register(Kind{
		Code: "blocklist.document_confirmed", Status: 422, Severity: Fraud, Reader: Operator,
		Title:    "The document is on your block list, and two members confirmed it.",
		Remedy:   "If that was a mistake, remove the entry on the Block list page.",
		Reviewer: "Two members put this document on the block list. It declines where the number was read beyond doubt.",
	})
	// BlocklistDocument: a document that one person put on the list.
	BlocklistDocument = seen("blocklist.document", "The document is on your block list.",
		"The Block list page shows why.", "A member put this document on the block list.")
	// BlocklistPerson: name and date of birth.
	BlocklistPerson = seen("blocklist.person", "The person is on your block list.",
		"The Block list page shows why. Namesakes are possible.", "A name and date of birth like these are on the block list.")
	// BlocklistContact: e-mail address.
	BlocklistContact = seen("blocklist.contact", "The e-mail address is on your block list.",
		"The Block list page shows why.", "The applicant's e-mail address is on the block list.")
	// BlocklistFace: a face like one on the list.
	BlocklistFace = seen("blocklist.face", "A face like this one is on your block list.",
		"Compare the faces in the Seen before panel. It shows how many strangers such a search finds.",
		"The face is like one that a member put on the block list. Relatives and strangers can be as alike.")
	// BlocklistNotSearched: there is nothing to look for.
	BlocklistNotSearched = seen("blocklist.not_searched", "The session could not be compared with the whole block list.",
		"Ask for a better picture of the document. The list keeps only digests, so nobody can search it by hand.",
		"No identifying document number, or no name with a date of birth, was read.")
	// BlocklistAddress: range of network addresses.
	BlocklistAddress = seen("blocklist.address", "The session was opened from an address range on your block list.",
		"The Block list page shows why. Many people may share such a range.",
		"The session was opened from a range of network addresses that is on the block list.")
)

// Reasons of the check that counts sessions.
var (
	// VelocityAddress: many sessions from one network.
	VelocityAddress = seen("velocity.address", "Unusually many sessions came from one network.",
		"Look at the sessions of that time. Allow the range in Settings if it is a place of your own.",
		"More sessions than usual were opened from the same network. Households, shelters and campuses share one.")
	// VelocityDocument: one document in many sessions.
	VelocityDocument = seen("velocity.document", "One document was shown in unusually many sessions.",
		"Look at them in the Seen before panel.", "More sessions than usual showed this document within a day.")
	// VelocityPerson: one person in many sessions.
	VelocityPerson = seen("velocity.person", "One person was in unusually many sessions.",
		"Look at them in the Seen before panel.", "More sessions than usual had this name and date of birth within a day.")
	// VelocityNotCounted: something is not known that is counted by.
	VelocityNotCounted = seen("velocity.not_counted", "Sessions like this one could not be counted in full.",
		"Look for other sessions with this document and this person.",
		"No identifying document number, or no name with a date of birth, was read; or the session is older than the one day that networks are kept.")
	// VelocityReference: many sessions for one customer.
	VelocityReference = seen("velocity.reference", "Unusually many sessions share one reference.",
		"Look at the other sessions of this reference.", "More sessions than usual were made under the same reference within a day.")
)

// Reasons of the checks about the network from which a session was opened.
var (
	// NetworkCountry: the network is in another country than the document's.
	NetworkCountry = seen("network.other_country", "The session was opened in a different country than the document's.",
		"The Seen before panel shows which. It is common for people who travel or live abroad.",
		"Your file of countries places the network in another country than the one that issued the document.")
	// NetworkAnonymous: who is there does not show where they are.
	NetworkAnonymous = seen("network.anonymous", "The session was opened from an anonymous network.",
		"Look at the rest of the session. Many people use a VPN for good reasons.",
		"Your file lists the network as a VPN, a proxy, a relay or an exit of Tor.")
	// NetworkHosting: a data centre.
	NetworkHosting = seen("network.hosting", "The session was opened from a data centre.",
		"Look at the rest of the session. VPNs and company networks often run through data centres.",
		"Your file lists the network as that of a hosting provider.")
	// NetworkNotChecked: nobody can say.
	NetworkNotChecked = seen("network.not_checked", "The session's network could not be checked.",
		"The Seen before panel shows why. bonafide doctor names a file that is missing, broken or too old.",
		"The address is not known or not in your files, or a file is missing, broken or too old.")
)

func seen(code, title, remedy, reviewer string) Kind {
	return register(Kind{Code: code, Status: 422, Severity: Suspect, Reader: Operator, Title: title, Remedy: remedy, Reviewer: reviewer})
}
