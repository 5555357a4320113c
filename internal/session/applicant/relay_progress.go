package applicant

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// RelayState says what a relay does.
type RelayState string

// The states.
const (
	RelayNone    RelayState = "none"    // no app is connected here
	RelayOpen    RelayState = "open"    // an app is connected, and no chip is within reach yet, or its key is missing
	RelayReading RelayState = "reading" // the chip is being read
	RelayStopped RelayState = "stopped" // contact was lost; the app goes on with another
)

// RelayProgress is how far a read over a relay is.
type RelayProgress struct {
	State    RelayState
	File     string // that is being read; empty before the first
	Read, Of int    // bytes; Of is 0 until it is known
}

// Progress returns how far the relay of a session is, as far as this process knows: the relay of another process is RelayNone here.
func (s *Relays) Progress(id idv.SessionID) RelayProgress {
	s.mu.Lock()
	defer s.mu.Unlock()
	if p, open := s.open[id]; open {
		return p
	}
	return RelayProgress{State: RelayNone}
}

// shows changes the progress of a relay that is open.
func (s *Relays) shows(id idv.SessionID, p RelayProgress) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, open := s.open[id]; open {
		s.open[id] = p
	}
}

// watched is a link that notes how far the read is.
type watched struct {
	terminal.Link

	relay *Relay
}

// Exchange implements terminal.Link.
func (w watched) Exchange(ctx context.Context, b terminal.Batch) ([][]byte, error) {
	w.relay.relays.shows(w.relay.id, RelayProgress{State: RelayReading, File: string(b.File), Read: b.Read, Of: b.Of})
	return w.Link.Exchange(ctx, b)
}
