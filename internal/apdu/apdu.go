// Package apdu writes the commands that a chip takes, reads what it answers (ISO/IEC 7816-4), and protects both by secure messaging
// (ICAO 9303-11 section 9.8). Nothing here knows files or passwords.
package apdu

import (
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// The refusals of this package.
const (
	Short       refusal.Code = "apdu.short"       // answer without a status word
	TooLong     refusal.Code = "apdu.too_long"    // answer of more bytes than a chip can send
	Unprotected refusal.Code = "apdu.unprotected" // answer in the clear where a protected one was due: the chip ended the session
	Forged      refusal.Code = "apdu.forged"      // answer that the chip's session key did not protect
	Malformed   refusal.Code = "apdu.malformed"   // protected answer whose parts are missing, doubled or cannot be decrypted
)

// Largest lengths of a command's data and of an answer's, in bytes.
const (
	ShortLe    = 256
	ExtendedLe = 65536
	maxAnswer  = ExtendedLe + 2
)

// Command is a command to a chip.
type Command struct {
	Class, Instruction, P1, P2 byte
	Data                       []byte // up to 65535 bytes; more than 255 need extended length
	Le                         int    // bytes that are expected back; 0 if none are, 256 or 65536 for as many as there are
}

// Extended reports whether the command needs the long form of lengths.
func (c Command) Extended() bool { return len(c.Data) > 255 || c.Le > ShortLe }

// Bytes encodes the command (ISO/IEC 7816-4 section 5.1).
func (c Command) Bytes() []byte {
	out := []byte{c.Class, c.Instruction, c.P1, c.P2}
	if !c.Extended() {
		if len(c.Data) > 0 {
			out = append(append(out, byte(len(c.Data))), c.Data...)
		}
		if c.Le > 0 {
			out = append(out, byte(c.Le)) // 256 is written as 0
		}
		return out
	}
	out = append(out, 0)
	if len(c.Data) > 0 {
		out = append(append(out, byte(len(c.Data)>>8), byte(len(c.Data))), c.Data...)
	}
	if c.Le > 0 {
		out = append(out, byte(c.Le>>8), byte(c.Le)) // 65536 is written as 0
	}
	return out
}

// Status is the status word of an answer.
type Status uint16

// Status words (ISO/IEC 7816-4 section 5.1.3).
const (
	OK              Status = 0x9000
	EndOfFile       Status = 0x6282 // fewer bytes than were asked for
	WrongLength     Status = 0x6700
	NotSatisfied    Status = 0x6982 // security status
	Blocked         Status = 0x6983
	ConditionsUnmet Status = 0x6985
	FileNotFound    Status = 0x6A82
	DataNotFound    Status = 0x6A88
	WrongOffset     Status = 0x6B00
	NotSupported    Status = 0x6D00 // instruction
)

// Done reports whether the command was carried out.
func (s Status) Done() bool { return s == OK || s == EndOfFile }

// Answer is what a chip answers.
type Answer struct {
	Data   []byte
	Status Status
}

// ParseAnswer reads an answer. It shares raw's memory.
func ParseAnswer(raw []byte) (Answer, error) {
	n := len(raw)
	if n < 2 {
		return Answer{}, refusal.New(Short, "an answer of %d bytes", n)
	}
	if n > maxAnswer {
		return Answer{}, refusal.New(TooLong, "an answer of %d bytes, at most %d are read", n, maxAnswer)
	}
	return Answer{Data: raw[: n-2 : n-2], Status: Status(raw[n-2])<<8 | Status(raw[n-1])}, nil
}
