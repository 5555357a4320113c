package account

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// CallLogLife is how long calls made with API keys can be looked up.
const CallLogLife = 30 * 24 * time.Hour

// Call is one call made with an API key: the pattern of its route and how it ended. It has no field for what was sent
// or returned.
type Call struct {
	Seq       int64 // position in the log; 0 before the call is stored
	RequestID string
	Mode      idv.Mode
	Key       idv.KeyID
	Method    string
	Route     string // the pattern, never the path
	Status    int
	Problem   string // code of the problem returned; empty for none
	Took      time.Duration
	At        time.Time
}

// CallFilter narrows the call log. Every zero field but Mode matches all calls.
type CallFilter struct {
	Mode      idv.Mode
	Key       idv.KeyID
	Problem   string
	Failed    bool // only calls with a status of 400 or more
	RequestID string
	Before    int64 // only calls with a lower Seq; 0 for no bound
	Limit     int
}
