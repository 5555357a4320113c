// Package terminal reads the chip of a travel document as an inspection system does (ICAO 9303-11): access by PACE or Basic Access Control,
// secure messaging, Chip Authentication and Active Authentication, and the files. It sends commands in batches through a Link, so that a
// chip can be far away: a round trip brings as many bytes as a batch asks for.
//
// What is read is proved by nobody: package emrtd verifies it.
package terminal

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/apdu"
	"github.com/bonafide-id/bonafide/internal/lds"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// Why a read ends. ContactLost and AnswerWrong leave a Reader that can go on; AccessRefused one that can go on with another key.
const (
	ContactLost       refusal.Code = "chip.contact_lost"       // the chip is out of reach
	AnswerWrong       refusal.Code = "chip.answer_wrong"       // answer that no chip gives: the conversation is broken
	AccessRefused     refusal.Code = "chip.access_refused"     // the chip does not accept the key
	AccessBlocked     refusal.Code = "chip.access_blocked"     // the chip accepts no key any more
	AccessUnsupported refusal.Code = "chip.access_unsupported" // no way in that is supported here
	NoDocument        refusal.Code = "chip.no_document"        // chip of something else than a travel document
	FileUnreadable    refusal.Code = "chip.file_unreadable"    // file that the chip lists and does not give
	TooMuch           refusal.Code = "chip.too_much"           // more bytes than are read from one chip
)

// Batch is a row of commands.
type Batch struct {
	Commands [][]byte
	File     lds.File // what is being read; empty before there is access
	Read, Of int      // bytes of all that is to be read; Of is 0 where it is not known yet
}

// Link carries commands to a chip, one after the other, until one is answered with another status than 9000 or 6282, and returns the
// answers up to that one. An error that is no refusal ends the read.
type Link interface {
	Exchange(ctx context.Context, b Batch) ([][]byte, error)
}

// GoesOn reports whether a Link goes on after an answer: its status is 9000 or 6282.
func GoesOn(answer []byte) bool {
	a, err := apdu.ParseAnswer(answer)
	return err == nil && a.Status.Done()
}

// MostCommands is the most commands of a batch.
const MostCommands = 48
