// Package credentials measures how long it takes to verify chips and wallets, on documents, lists and wallets that it makes itself:
// Passive Authentication with every algorithm, a master list of 600 authorities, the answers of wallets, and a chip that is read at a
// distance. What is measured is what the server runs; storing what was found is not part of it.
package credentials

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/bench"
)

// The targets.
const (
	MostPassive   = 5.0   // ms, for the verification of one chip
	MostList      = 150.0 // ms, for a list of Authorities
	MostAnswer    = 5.0   // ms, for the answer of a wallet
	MostTrips     = 25    // round trips to read DG1, DG2 of Portrait bytes and EF.SOD
	Authorities   = 600
	Portrait      = 20_000 // bytes
	DefaultDelay  = 50 * time.Millisecond
	DefaultRounds = 200
)

// Options say how much is measured.
type Options struct {
	Rounds  int           // of each verification
	Delay   time.Duration // of a round trip to a chip
	OpenSSL bool          // also let openssl verify each EF.SOD
}

// Result is what `bonafide bench credentials` answers.
type Result struct {
	Passive []Timing `json:"passive_authentication"`
	List    []Timing `json:"master_list_of_600"`
	Wallet  []Timing `json:"wallet_answers"`
	Relay   []Read   `json:"chip_read_at_a_distance"`
	Targets []Target `json:"targets"`
}

// Timing is how long one thing took, again and again.
type Timing struct {
	What      string          `json:"what"`
	Rounds    int             `json:"rounds"`
	Wall      bench.Quantiles `json:"wall_ms"`
	Processor float64         `json:"processor_ms"` // the mean of all rounds, garbage collection included
	OpenSSL   *Peer           `json:"openssl,omitempty"`
}

// Peer is how long another program took for the same.
type Peer struct {
	Wall  bench.Quantiles `json:"wall_ms"`       // a process each
	Start bench.Quantiles `json:"start_ms"`      // a process that does nothing
	Times float64         `json:"times_as_long"` // our median over that of the other's work, its start not counted; 0 where that is lost in noise
}

// Read is a chip that was read.
type Read struct {
	What    string  `json:"what"`
	Trips   int     `json:"round_trips"`
	Sent    int     `json:"commands"`
	Seconds float64 `json:"seconds"` // with the chip's own arithmetic, which this process does too
	Bytes   int     `json:"bytes"`   // of the files
}

// Target is what was aimed at, and the worst that was measured.
type Target struct {
	What  string  `json:"what"`
	Unit  string  `json:"unit"`
	Limit float64 `json:"limit"`
	Worst float64 `json:"worst"` // of every kind; for times the processor's: a busy machine lengthens those of the wall clock
	Met   bool    `json:"met"`
}

// Run measures.
func Run(ctx context.Context, o Options) (*Result, error) {
	if o.Rounds < 1 {
		return nil, errors.New("bench: at least one round is needed")
	}
	raw, anchor := masterList()
	out := &Result{}
	var err error
	if out.List, err = loadLists(ctx, o, raw, anchor); err != nil {
		return nil, err
	}
	if out.Passive, err = passive(ctx, o, raw, anchor); err != nil {
		return nil, err
	}
	if out.Wallet, err = wallets(ctx, o); err != nil {
		return nil, err
	}
	if out.Relay, err = reads(ctx, o); err != nil {
		return nil, err
	}
	out.Targets = []Target{
		slowest("passive authentication", MostPassive, out.Passive),
		slowest(fmt.Sprintf("a master list of %d authorities", Authorities), MostList, out.List),
		slowest("a wallet's answer", MostAnswer, out.Wallet),
		mostTrips(out.Relay),
	}
	return out, nil
}

func slowest(what string, limit float64, all []Timing) Target {
	t := Target{What: what, Unit: "ms", Limit: limit}
	for _, one := range all {
		t.Worst = max(t.Worst, one.Processor)
	}
	t.Met = t.Worst <= limit
	return t
}

func mostTrips(all []Read) Target {
	t := Target{What: fmt.Sprintf("DG1, DG2 with %d bytes of portrait and EF.SOD", Portrait), Unit: "round trips", Limit: MostTrips}
	for _, one := range all {
		t.Worst = max(t.Worst, float64(one.Trips))
	}
	t.Met = t.Worst <= MostTrips
	return t
}

// timed runs f once to warm up, and then so many times.
func timed(ctx context.Context, what string, rounds int, f func() error) (Timing, error) {
	t := Timing{What: what, Rounds: rounds}
	if err := f(); err != nil {
		return t, fmt.Errorf("%s: %w", what, err)
	}
	var all []float64
	begun := bench.Processor()
	for range rounds {
		if err := ctx.Err(); err != nil {
			return t, err
		}
		at := time.Now()
		if err := f(); err != nil {
			return t, fmt.Errorf("%s: %w", what, err)
		}
		all = append(all, bench.Milliseconds(time.Since(at)))
	}
	t.Processor = bench.Milliseconds((bench.Processor() - begun) / time.Duration(rounds))
	t.Wall = bench.QuantilesOf(all)
	return t, nil
}
