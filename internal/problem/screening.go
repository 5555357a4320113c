package problem

// Problems of watchlists and of screening.
var (
	// WatchlistExists: there is a list of that name, or there are too many.
	WatchlistExists = register(Kind{
		Code: "watchlist.exists", Status: 409, Reader: Operator,
		Title:  "A watchlist with that name exists, or the limit of 100 is reached.",
		Remedy: "Choose another name, or upload a version of the list that is there.",
	})
	// WatchlistBusy: a version of the list is being imported.
	WatchlistBusy = register(Kind{
		Code: "watchlist.busy", Status: 409, Reader: Operator,
		Title: "A version of this watchlist is being imported.", Remedy: "Wait until the import has finished, then try again.",
	})
	// WatchlistConflict: the version's state does not allow it.
	WatchlistConflict = register(Kind{
		Code: "watchlist.conflict", Status: 409, Reader: Operator,
		Title:  "This is not possible in the version's current state.",
		Remedy: "Reload the list. Empty or incomplete versions are never used.",
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
		Title: "The watchlist is incomplete or damaged.", Remedy: "Fetch the file again from its publisher and upload it unchanged.",
	})
	// ScreeningNotReady: the lists are being compiled.
	ScreeningNotReady = register(Kind{
		Code: "screening.not_ready", Status: 503, Reader: Operator,
		Title: "The watchlists are being prepared.", Remedy: "Try again in a minute.",
	})
	// ScreeningHitsOpen: a session with hits that nobody decided cannot be approved.
	ScreeningHitsOpen = register(Kind{
		Code: "screening.hits_open", Status: 409, Reader: Operator,
		Title: "Screening hits of this session are still open.", Remedy: "Decide each hit in the Screening panel, then approve.",
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
		Title: "The hit has changed since you loaded it.", Remedy: "Reload it to see what was decided.",
	})
	// ScreeningSamePerson: four eyes.
	ScreeningSamePerson = register(Kind{
		Code: "screening.same_person", Status: 403, Reader: Operator,
		Title: "Someone else has to confirm that this is the person.", Remedy: "Ask a senior reviewer to decide the hit.",
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
		"Compare the entry with the document and decide the hit.", "An entry of a sanctions list has a name like this person's, and no fact contradicts it.")
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
		"Add one on the Watchlists page, then screen the session again.", "No search was made: no watchlist of this kind is in use.")
	// ScreeningListsOld: a list is older than it may be.
	ScreeningListsOld = screening("screening.lists_old", "A watchlist is out of date.",
		"Upload or fetch a newer version on the Watchlists page.", "A watchlist that was searched is out of date, so recent entries may be missing.")
	// ScreeningListHeld: a newer version of a list is held.
	ScreeningListHeld = screening("screening.list_held", "A newer version of a watchlist is held.",
		"Review it on the Watchlists page, then use or dismiss it.", "A newer version of a watchlist is waiting for review; the previous one was searched.")
	// ScreeningNameUnusable: the name cannot be searched for.
	ScreeningNameUnusable = screening("screening.name_unusable", "The name cannot be searched for.",
		"Search for the person by hand.", "The name cannot be searched: only one word, only initials, or no name was read.")
	// ScreeningTooMany: more people have that name than anybody can look at.
	ScreeningTooMany = screening("screening.too_many", "Too many entries have such a name.",
		"Use date of birth and nationality to decide. The twenty most serious are shown.", "More entries than are shown have a name like this person's.")
	// ScreeningBroken: the search could not be made.
	ScreeningBroken = screening("screening.broken", "The watchlists could not be searched.",
		"Fix the problem that the Watchlists page shows, then screen the session again.", "The search failed, so the result is unknown.")
)

func screening(code, title, remedy, reviewer string) Kind {
	return register(Kind{Code: code, Status: 422, Severity: Refer, Reader: Operator, Title: title, Remedy: remedy, Reviewer: reviewer})
}
