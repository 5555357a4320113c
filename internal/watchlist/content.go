package watchlist

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"slices"
)

// Content identifies what a decision about an entry rests on: its names, births and document numbers, in any order. It does not
// depend on the entry's id, which lists change as they merge entries, nor on remarks, programmes and topics.
func (e Entity) Content() string {
	var parts []string
	for _, n := range e.Names {
		parts = append(parts, "name "+n.Text)
	}
	for _, b := range e.Births {
		parts = append(parts, "birth "+b.String())
	}
	for _, d := range e.Documents {
		parts = append(parts, "number "+d.Number)
	}
	slices.Sort(parts)
	raw, _ := json.Marshal(parts)
	sum := sha256.Sum256(raw)
	return hex.EncodeToString(sum[:])
}

// Counts says how two versions of a list differ.
type Counts struct {
	Added   int `json:"added"`
	Changed int `json:"changed"`
	Removed int `json:"removed"`
}

// Tally compares two versions of a list as they are read, in 16 bytes an entry.
type Tally struct {
	before  map[uint64]uint64
	changed []Entity
	keep    bool
	Counts
}

// NewTally returns a Tally of a version with those before it. If keep is set it remembers the people who were added or changed.
func NewTally(keep bool) *Tally { return &Tally{before: map[uint64]uint64{}, keep: keep} }

// Before takes an entry of the version before.
func (t *Tally) Before(e Entity) error {
	t.before[short(e.ID)] = short(e.Digest() + e.topics())
	return nil
}

// After takes an entry of the version after; all of those before have been taken.
func (t *Tally) After(e Entity) error {
	id, was, ok := e.ID, uint64(0), false
	if was, ok = t.before[short(id)]; !ok {
		for _, id = range e.FormerIDs {
			if was, ok = t.before[short(id)]; ok {
				break
			}
		}
	}
	switch now := withID(e, id); {
	case !ok:
		t.Added++
		t.remember(e)
	case was != short(now.Digest()+e.topics()):
		t.Changed++
		t.remember(e)
	}
	delete(t.before, short(e.ID))
	for _, id := range e.FormerIDs {
		delete(t.before, short(id))
	}
	t.Removed = len(t.before)
	return nil
}

// Done returns the counts.
func (t *Tally) Done() Counts {
	t.Removed = len(t.before)
	return t.Counts
}

// New returns the people who were added or changed.
func (t *Tally) New() []Entity { return t.changed }

func (t *Tally) remember(e Entity) {
	if t.keep && e.Kind == Person {
		t.changed = append(t.changed, e)
	}
}

func (e Entity) topics() string {
	raw, _ := json.Marshal(e.Topics)
	return string(raw)
}

func short(s string) uint64 {
	sum := sha256.Sum256([]byte(s))
	return binary.BigEndian.Uint64(sum[:8])
}
