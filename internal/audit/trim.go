package audit

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Trimmed is the action of the entry by which older ones leave the log. An entry that was kept long enough is removed and its
// hash stays, so that the tree above it, and with it every proof of another entry, is what it was. Which may be missing the log
// itself says: this entry stands in it, under the checkpoints, and its subject names the first position that has to be there.
// What stands there is the witness: older than anything may be removed, and sequenced after all that is gone.
const Trimmed = "audit.trimmed"

const trimPrefix = "below:"

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

// trimmed is what a log says of what was removed.
type trimmed struct {
	below   int64 // positions from here on have to be there
	by      Entry
	seen    bool // the entry that says so was met in the log
	witness bool // what stands at below is as old as it has to be
}

func trimOf(ctx context.Context, src Source) (trimmed, error) {
	e, there, err := src.AuditTrim(ctx)
	if err != nil {
		return trimmed{}, fmt.Errorf("read what was removed: %w", err)
	}
	if !there {
		return trimmed{seen: true, witness: true}, nil
	}
	below, ok := e.TrimmedBelow()
	if !ok { // it removes nothing, so whatever is missing is a fault
		return trimmed{by: e}, nil
	}
	return trimmed{below: below, by: e}, nil
}

// meet looks at an entry that stands in the log.
func (t *trimmed) meet(e Entry) {
	if e.Position == t.by.Position && e == t.by {
		t.seen = true
	}
	if t.below > 0 && e.Position == t.below && !e.At.After(t.by.At.Add(-idv.LeastAuditRetention)) {
		t.witness = true
	}
}

// holds reports whether entries were removed as the log says and as they may be.
func (t *trimmed) holds() bool { return t.seen && t.witness }
