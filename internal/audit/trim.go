package audit

import (
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Trimmed is the action of the entry by which older ones leave the log. An entry that was kept long enough is removed and its
// hash stays, so that the tree above it, and with it every proof of another entry, is what it was. Which may be missing the log
// itself says: this entry stands in it, under the checkpoints, and its subject names the first position that has to be there.
// What stands there is the witness: older than anything may be removed, and sequenced after all that is gone.
const Trimmed = "audit.trimmed"

const trimPrefix = "below:"

// MaxClockSkew is how far the clocks of nodes may be apart: what is dated later is not given a position yet, and excuses nothing.
const MaxClockSkew = time.Hour

// What is said of a log out of which entries went in another way than by their age.
const (
	trimFault  = "entries were removed, and the log does not say so as it does when they are old"
	aheadFault = "an entry by which others leave the log is dated later than now: either it was made up, or a clock is wrong"
)

// TrimSubject says that entries before a position were removed. Some of them may be there: those of sessions that were held.
func TrimSubject(position int64) string { return trimPrefix + strconv.FormatInt(position, 10) }

// TrimmedBelow reads such an entry: the first position that has to be there. False where the entry is another, or claims what
// it cannot: it comes after what it removes.
func (e Entry) TrimmedBelow() (int64, bool) {
	number, ok := strings.CutPrefix(e.Subject, trimPrefix)
	if !ok || e.Action != Trimmed || e.Actor != System || e.Session != "" {
		return 0, false
	}
	below, err := strconv.ParseInt(number, 10, 64)
	return below, err == nil && below > 0 && below < e.Position
}

// TrimmedBy finds, among the entries by which others left the log, the one that names the greatest position; false where there is
// none. What is dated ahead of now, or names what it cannot, is left out.
func TrimmedBy(said []Entry, now time.Time) (by Entry, below int64, there bool) {
	for _, e := range said {
		if b, ok := e.TrimmedBelow(); ok && b > below && !e.ahead(now) {
			by, below, there = e, b, true
		}
	}
	return by, below, there
}

func (e Entry) ahead(now time.Time) bool { return e.At.After(now.Add(MaxClockSkew)) }

// trimmed is what a log says of what was removed.
type trimmed struct {
	below   int64 // positions from here on have to be there
	by      Entry
	seen    bool // the entry that says so was met in the log
	witness bool // what stands at below is as old as it has to be
	untrue  *Fault
}

func readTrims(ctx context.Context, src Source, now time.Time) (trimmed, error) {
	said, err := src.AuditTrims(ctx)
	if err != nil {
		return trimmed{}, fmt.Errorf("read what was removed: %w", err)
	}
	by, below, there := TrimmedBy(said, now)
	out := trimmed{below: below, by: by, seen: !there, witness: !there}
	for _, e := range said {
		if _, ok := e.TrimmedBelow(); !ok {
			out.untrue = &Fault{Position: e.Position, Says: trimFault}
		} else if e.ahead(now) {
			out.untrue = &Fault{Position: e.Position, Says: aheadFault}
		}
	}
	return out, nil
}

// observe looks at an entry that stands in the log.
func (t *trimmed) observe(e Entry) {
	if e.Position == t.by.Position && e == t.by {
		t.seen = true
	}
	if t.below > 0 && e.Position == t.below && !e.At.After(t.by.At.Add(-idv.LeastAuditRetention)) {
		t.witness = true
	}
}

// fault returns what is wrong once the log was read; nil where entries were removed as the log says and as they may be.
func (t *trimmed) fault() *Fault {
	if t.untrue == nil && (!t.seen || !t.witness) {
		return &Fault{Position: max(t.below-1, 0), Says: trimFault}
	}
	return t.untrue
}
