package applicant

import (
	"context"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/terminal"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// RelayState says what a relay does.
type RelayState string

// The states.
const (
	RelayNone    RelayState = "none"    // no app is connected
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

// What other servers see of a relay is in the store.
const (
	relayEvery  = time.Second     // how often the bytes are written; another state or file is written at once
	relayWrites = 2 * time.Second // for a write: a slow database holds up no read of a chip for longer
	relayLasts  = 3 * time.Minute // without a write: longer than a relay waits for anybody
)

// Progress returns how far the relay of a session is, whichever server has it. Of another server's it knows the state and the file at once,
// and the bytes a second late.
func (s *Relays) Progress(ctx context.Context, id idv.SessionID) (RelayProgress, error) {
	s.mu.Lock()
	p, open := s.open[id]
	s.mu.Unlock()
	if open {
		return p, nil
	}
	row, err := s.chips.captures.store.Relay(ctx, id)
	if problem.Has(err, problem.NotFound) || err == nil && !s.chips.captures.life.Now().Before(row.Until) {
		return RelayProgress{State: RelayNone}, nil
	}
	return RelayProgress{State: RelayState(row.State), File: row.File, Read: row.Read, Of: row.Of}, err
}

// shows tells how far the relay is: this process at once, others where that is due.
func (r *Relay) shows(ctx context.Context, p RelayProgress) {
	r.relays.mu.Lock()
	r.relays.open[r.id] = p
	r.relays.mu.Unlock()
	now := r.relays.chips.captures.life.Now()
	if p.State == r.shown.State && p.File == r.shown.File && now.Sub(r.shownAt) < relayEvery {
		return
	}
	r.shown, r.shownAt = p, now
	r.tells(ctx, func(ctx context.Context, tx session.Tx) error { return tx.SaveRelay(ctx, r.row(p)) })
}

// hides tells other servers that the relay has ended.
func (r *Relay) hides(ctx context.Context) {
	r.tells(ctx, func(ctx context.Context, tx session.Tx) error { return tx.CloseRelay(ctx, r.id, r.attempt) })
}

// tells writes what a page shows, even after the phone has gone. That it cannot be written stops no read.
func (r *Relay) tells(ctx context.Context, write func(context.Context, session.Tx) error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), relayWrites)
	defer cancel()
	c := r.relays.chips.captures
	if err := c.store.InTx(ctx, write); err != nil {
		c.log.WarnContext(ctx, "cannot show how far a chip is read", slog.String("session", string(r.id)), slog.Any("error", err))
	}
}

func (r *Relay) row(p RelayProgress) session.RelayRow {
	return session.RelayRow{
		Session: r.id, Relay: r.attempt, State: string(p.State), File: p.File, Read: p.Read, Of: p.Of,
		Until: r.relays.chips.captures.life.Now().Add(relayLasts),
	}
}

// watched is a link that notes how far the read is.
type watched struct {
	terminal.Link

	relay *Relay
}

// Exchange implements terminal.Link.
func (w watched) Exchange(ctx context.Context, b terminal.Batch) ([][]byte, error) {
	w.relay.shows(ctx, RelayProgress{State: RelayReading, File: string(b.File), Read: b.Read, Of: b.Of})
	return w.Link.Exchange(ctx, b)
}
