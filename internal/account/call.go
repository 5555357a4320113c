package account

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// CallLogLife is how long calls made with API keys can be looked up.
const CallLogLife = 30 * 24 * time.Hour

// Call is one call that was made with an API key: what was asked for by its route's pattern, and how it ended. There is no
// room in it for what was sent or answered.
type Call struct {
	Seq       int64 // in the order of the log; 0 before it is kept
	RequestID string
	Mode      idv.Mode
	Key       idv.KeyID
	Method    string
	Route     string // the pattern, never an address
	Status    int
	Problem   string // code that was answered; empty for none
	Took      time.Duration
	At        time.Time
}

// CallFilter narrows the log. Zero fields do not narrow, but for the mode.
type CallFilter struct {
	Mode      idv.Mode
	Key       idv.KeyID
	Problem   string
	Failed    bool // only what was answered with 400 or more
	RequestID string
	Before    int64 // only calls before this one; 0 for the newest
	Limit     int
}
