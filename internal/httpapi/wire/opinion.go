package wire

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/session"
)

// Opinion is what one reviewer said of a hit, or of two sessions that have something in common.
type Opinion struct {
	By       string    `json:"by" doc:"A member's id"`
	Name     string    `json:"name,omitempty" doc:"Of the member; in the console alone"`
	At       time.Time `json:"at"`
	Decision string    `json:"decision"`
	Reason   string    `json:"reason,omitempty"`
	Note     string    `json:"note,omitempty"`
}

// DropNotes leaves of what was said who, when, what and why: notes are for the team.
func DropNotes(said []Opinion) {
	for i := range said {
		said[i].Note = ""
	}
}

// OpinionsOf returns the wire form of what was said.
func OpinionsOf(in []session.Opinion) []Opinion {
	out := make([]Opinion, 0, len(in))
	for _, o := range in {
		out = append(out, Opinion{By: o.By, At: o.At.UTC(), Decision: o.Decision, Reason: o.Reason, Note: o.Note})
	}
	return out
}
