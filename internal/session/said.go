package session

import (
	"slices"
	"time"
)

// Opinion is what one reviewer said of a hit, or of two sessions that have something in common.
type Opinion struct {
	By       string    `json:"by"`
	At       time.Time `json:"at"`
	Decision string    `json:"decision"`
	Reason   string    `json:"reason,omitempty"`
	Note     string    `json:"note,omitempty"` // personal
}

// MostSaid is how many opinions about one matter are kept, the newest of them. The audit log has an entry of each.
const MostSaid = 20

// Say adds an opinion to those that there are, oldest first.
func Say(said []Opinion, s Opinion) []Opinion {
	said = append(slices.Clone(said), s)
	return said[max(0, len(said)-MostSaid):]
}

// AllSaid completes the opinions that are kept by those that a decision itself names: a server of a former version keeps no more than the
// last decision, and of a second reviewer only who and when.
func AllSaid(kept []Opinion, decided ...Opinion) []Opinion {
	for _, d := range decided {
		there := func(s Opinion) bool { return s.By == d.By && s.At.Equal(d.At) }
		if d.By != "" && !slices.ContainsFunc(kept, there) {
			kept = Say(kept, d)
		}
	}
	return kept
}
