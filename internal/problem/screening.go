package problem

// Problems of watchlists and of screening.
var (
	// WatchlistExists: there is a list of that name, or there are too many.
	WatchlistExists = register(Kind{
		Code: "watchlist.exists", Status: 409, Reader: Operator,
		Title:  "There is a watchlist of that name, or there are a hundred already.",
		Remedy: "Choose another name, or upload a version of the list that is there.",
	})
	// WatchlistBusy: a version of the list is being imported.
	WatchlistBusy = register(Kind{
		Code: "watchlist.busy", Status: 409, Reader: Operator,
		Title: "A version of this watchlist is being imported.", Remedy: "Wait until it is whole, then try again.",
	})
	// WatchlistConflict: the version's state does not allow it.
	WatchlistConflict = register(Kind{
		Code: "watchlist.conflict", Status: 409, Reader: Operator,
		Title:  "The version cannot be used that way in its present state.",
		Remedy: "Load the list again. A version that is empty or was not read whole is never used.",
	})
	// WatchlistNotThatList: the file is no list.
	WatchlistNotThatList = register(Kind{
		Code: "watchlist.not_that_list", Status: 422, Reader: Operator,
		Title: "The file is not a watchlist of a known format.",
		Remedy: "Upload the file as its publisher offers it: OFAC, UN, EU, UK or SECO XML, OpenSanctions JSON lines, " +
			"or your own CSV with a column \"name\".",
	})
	// WatchlistBroken: the file cannot be read to its end.
	WatchlistBroken = register(Kind{
		Code: "watchlist.broken", Status: 422, Reader: Operator,
		Title: "The watchlist cannot be read to its end.", Remedy: "Fetch the file again from its publisher and upload it unchanged.",
	})
	// ScreeningNotReady: the lists are being compiled.
	ScreeningNotReady = register(Kind{
		Code: "screening.not_ready", Status: 503, Reader: Operator,
		Title: "The watchlists are being prepared.", Remedy: "Try again in a minute.",
	})
	// ScreeningHitsOpen: a session with hits that nobody decided cannot be approved.
	ScreeningHitsOpen = register(Kind{
		Code: "screening.hits_open", Status: 409, Reader: Operator,
		Title: "Screening hits of this session are still open.", Remedy: "Decide each hit in the panel Screening, then approve.",
	})
	// ScreeningPersonListed: a session of somebody who is on a sanctions list cannot be approved.
	ScreeningPersonListed = register(Kind{
		Code: "screening.person_listed", Status: 409, Reader: Operator,
		Title:  "Two reviewers found that the person is on a sanctions list.",
		Remedy: "Decline the session. If that was a mistake, decide the hit again first.",
	})
	// ScreeningConflict: somebody else decided the hit.
	ScreeningConflict = register(Kind{
		Code: "screening.conflict", Status: 409, Reader: Operator,
		Title: "The hit has changed since you loaded it.", Remedy: "Load it again and look at what was decided.",
	})
	// ScreeningSamePerson: four eyes.
	ScreeningSamePerson = register(Kind{
		Code: "screening.same_person", Status: 403, Reader: Operator,
		Title: "Somebody else has to confirm that this is the person.", Remedy: "Ask a senior reviewer to decide the hit.",
	})
	// ScreeningRunning: one bulk screening at a time.
	ScreeningRunning = register(Kind{
		Code: "screening.running", Status: 409, Reader: Operator,
		Title: "A screening of all people is under way.", Remedy: "Wait until it has ended.",
	})
)

// Reasons of the checks that look for people on watchlists. All of them refer.
var (
	// ScreeningStrongMatch: full name and date of birth, or a document number, agree with an entry.
	ScreeningStrongMatch = screening("screening.strong_match", "The name and the date of birth, or a document number, agree with an entry of a sanctions list.",
		"Compare the entry with the document and decide the hit.", "An entry of a sanctions list agrees in name and date of birth, or in a document number.")
	// ScreeningPossibleMatch: a name that is rare enough agrees, and nothing speaks against it.
	ScreeningPossibleMatch = screening("screening.possible_match", "The name agrees with an entry of a sanctions list.",
		"Compare the entry with the document and decide the hit.", "An entry of a sanctions list has a name like this person's, and no fact speaks against it.")
	// ScreeningPEP: a politically exposed person.
	ScreeningPEP = screening("screening.pep", "The person may be politically exposed.",
		"Compare the entry with the document and decide the hit.", "An entry of a politically exposed person may be this person.")
	// ScreeningPEPAssociate: a relative or close associate of one.
	ScreeningPEPAssociate = screening("screening.pep_associate", "The person may be close to somebody politically exposed.",
		"Compare the entry with the document and decide the hit.", "An entry of a relative or close associate of a politically exposed person may be this person.")
	// ScreeningListed: on another list.
	ScreeningListed = screening("screening.listed", "The person may be on one of your other watchlists.",
		"Compare the entry with the document and decide the hit.", "An entry of another watchlist may be this person.")
	// ScreeningListsMissing: no list of the topic is in use.
	ScreeningListsMissing = screening("screening.lists_missing", "No watchlist of this kind is in use.",
		"Add one on the page Watchlists, then screen the session again.", "Nobody was searched for: no watchlist of this kind is in use.")
	// ScreeningListsOld: a list is older than it may be.
	ScreeningListsOld = screening("screening.lists_old", "A watchlist is out of date.",
		"Upload or fetch a newer version on the page Watchlists.", "A watchlist that was searched is older than its limit; who was listed since was not found.")
	// ScreeningListHeld: a newer version of a list is held.
	ScreeningListHeld = screening("screening.list_held", "A newer version of a watchlist is held.",
		"Look at it on the page Watchlists, and activate or dismiss it.", "A newer version of a watchlist waits for somebody to look; the one before was searched.")
	// ScreeningNameUnusable: the name cannot be searched for.
	ScreeningNameUnusable = screening("screening.name_unusable", "The name cannot be searched for.",
		"Search for the person by hand.", "The name has no word that can be searched for: one word alone, initials, or no name was read.")
	// ScreeningTooMany: more people have that name than anybody can look at.
	ScreeningTooMany = screening("screening.too_many", "Too many entries have such a name.",
		"Decide by date of birth and nationality; the gravest twenty are shown.", "More entries than are shown have a name like this person's.")
	// ScreeningBroken: the search could not be made.
	ScreeningBroken = screening("screening.broken", "The watchlists could not be searched.",
		"See the page Watchlists for what is out of order, then screen the session again.", "The search could not be made, so nothing is known.")
)

func screening(code, title, remedy, reviewer string) Kind {
	return register(Kind{Code: code, Status: 422, Severity: Refer, Reader: Operator, Title: title, Remedy: remedy, Reviewer: reviewer})
}
