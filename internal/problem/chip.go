package problem

// Problems of reading a chip over a relay. None of them is a reason: a session without a chip goes on as the workflow says.
var (
	// ChipContactLost: the chip is out of reach. The read goes on with the file that was being read.
	ChipContactLost = register(Kind{
		Code: "chip.contact_lost", Status: 409, Reader: Applicant,
		Title: "Contact with the chip was lost.", Remedy: "Hold the document to the phone again and keep it still.",
	})
	// ChipAnswerWrong: the chip, or what is between it and the server, answered what no chip answers.
	ChipAnswerWrong = register(Kind{
		Code: "chip.answer_wrong", Status: 422, Reader: Applicant,
		Title: "The chip's answer was unreadable.", Remedy: "Take the document away from the phone, hold it there again, and keep it still.",
	})
	// ChipAccessRefused: the chip does not accept the data of the zone, or the access number.
	ChipAccessRefused = register(Kind{
		Code: "chip.access_refused", Status: 422, Reader: Applicant,
		Title:  "The chip did not accept these details.",
		Remedy: "Check the document number and both dates, or the six-digit number on the front of the card.",
	})
	// ChipAccessBlocked: the chip accepts no key any more.
	ChipAccessBlocked = register(Kind{
		Code: "chip.access_blocked", Status: 422, Reader: Applicant,
		Title: "The chip is blocked.", Remedy: "Continue without the chip. The office that issued the document can unblock it.",
	})
	// ChipAccessUnsupported: no way in that is supported.
	ChipAccessUnsupported = register(Kind{
		Code: "chip.access_unsupported", Status: 422, Reader: Applicant,
		Title: "This kind of chip cannot be read here.", Remedy: "Continue without the chip.",
	})
	// ChipNoDocument: the chip is none of a travel document.
	ChipNoDocument = register(Kind{
		Code: "chip.no_document", Status: 422, Reader: Applicant,
		Title: "This is not the chip of a passport or an identity card.", Remedy: "Hold the document that you photographed to the phone, and no other card.",
	})
	// ChipFileUnreadable: the chip lists a file and does not give it.
	ChipFileUnreadable = register(Kind{
		Code: "chip.file_unreadable", Status: 422, Reader: Applicant,
		Title: "A part of the chip could not be read.", Remedy: "Try again. If it happens again, continue without the chip.",
	})
	// ChipTooMuch: the chip holds more than is read.
	ChipTooMuch = register(Kind{
		Code: "chip.too_much", Status: 413, Reader: Applicant,
		Title: "The chip holds more than can be read.", Remedy: "Continue without the chip.",
	})
	// ChipKeyMissing: nothing opens the chip: the page was not read, or what was entered is no such number or date.
	ChipKeyMissing = register(Kind{
		Code: "chip.key_missing", Status: 422, Reader: Applicant,
		Title:  "The details that open the chip are missing.",
		Remedy: "Enter the document number and both dates, or the six-digit number on the front of the card.",
	})
	// ChipRelayBusy: the chip of this session is being read by another connection.
	ChipRelayBusy = register(Kind{
		Code: "chip.relay_busy", Status: 409, Reader: Applicant,
		Title: "The chip is already being read.", Remedy: "Wait until the other attempt has ended, then try again.",
	})
	// ChipRelayEnded: the time or the number of tries of one connection is used up.
	ChipRelayEnded = register(Kind{
		Code: "chip.relay_ended", Status: 408, Reader: Applicant,
		Title: "Reading the chip took too long.", Remedy: "Start again, or continue without the chip.",
	})
)
