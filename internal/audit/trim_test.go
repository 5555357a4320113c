package audit

import (
	"context"
	"crypto/ed25519"
	"errors"
	"slices"
	"testing"
	"time"

	"golang.org/x/mod/sumdb/tlog"
)

// trimmedLog is a log of nine entries of eight years ago and one of now, which says that those below the position said were
// removed; and they were, but for the second.
func trimmedLog(t *testing.T, key ed25519.PrivateKey, subject string) *memory {
	t.Helper()
	m := oldLog(t, key, Entry{ID: "aud_trim", At: trimDay, Actor: System, Action: Trimmed, Subject: subject})
	m.entries = slices.DeleteFunc(m.entries, func(e Entry) bool { return e.Position < 8 && e.Position != 1 })
	return m
}

// trimDay is today in these tests.
var trimDay = time.Date(2031, 6, 1, 12, 0, 0, 0, time.UTC)

// oldLog is a log of nine entries of eight years ago and one of an hour ago, and what follows.
func oldLog(t *testing.T, key ed25519.PrivateKey, more ...Entry) *memory {
	t.Helper()
	now := trimDay
	m := &memory{}
	add := func(e Entry) {
		e.Position = int64(len(m.entries))
		hashes, root, err := Append(e.Position, []Entry{e}, m)
		if err != nil {
			t.Fatal(err)
		}
		m.hashes, m.entries = append(m.hashes, hashes...), append(m.entries, e)
		m.checkpoints = append(m.checkpoints, Sign(e.Position+1, root, now, key))
	}
	for i := range 9 {
		add(Entry{ID: "aud_old", At: now.Add(-8*365*24*time.Hour + time.Duration(i)*time.Hour), Actor: System, Action: "session.created"})
	}
	add(Entry{ID: "aud_new", At: now.Add(-time.Hour), Actor: System, Action: "session.created"})
	for _, e := range more {
		add(e)
	}
	return m
}

func TestALogWithoutItsOldEntriesVerifies(t *testing.T) {
	pub, priv := keys(t)
	m := trimmedLog(t, priv, TrimSubject(8))
	if v, err := Verify(context.Background(), m, pub, trimDay); err != nil || v.Size != 11 || v.Checkpoints != 11 {
		t.Errorf("verified %+v, %v", v, err)
	}
	in, err := Inspect(context.Background(), m, pub, trimDay)
	if err != nil || len(in.Faults) > 0 || in.Trimmed != 7 || in.Proven != 11 {
		t.Errorf("inspected %+v, %v", in, err)
	}
	for _, e := range m.entries { // proofs of what is there are what they were
		p, err := Prove(e, m.checkpoints[10], m, pub)
		if err != nil || p.Check() != nil {
			t.Errorf("position %d: %v, %v", e.Position, err, p.Check())
		}
	}
}

func TestOldEntriesAreNoExcuseForOtherGaps(t *testing.T) {
	pub, priv := keys(t)
	position := func(p int64) func(Entry) bool { return func(e Entry) bool { return e.Position == p } }
	for name, c := range map[string]struct {
		subject string
		spoil   func(*memory)
	}{
		"the witness is removed":                 {TrimSubject(8), func(m *memory) { m.entries = slices.DeleteFunc(m.entries, position(8)) }},
		"a young entry is removed":               {TrimSubject(8), func(m *memory) { m.entries = slices.DeleteFunc(m.entries, position(9)) }},
		"the witness is young":                   {TrimSubject(9), func(m *memory) { m.entries = slices.DeleteFunc(m.entries, position(8)) }},
		"the log does not say that it was":       {TrimSubject(8), func(m *memory) { m.entries[len(m.entries)-1].Action = "session.created" }},
		"what it says was altered":               {TrimSubject(7), func(m *memory) { m.entries[len(m.entries)-1].Subject = TrimSubject(8) }},
		"it says what comes after itself":        {TrimSubject(12), func(*memory) {}},
		"it says no number":                      {"below:eight", func(*memory) {}},
		"a hash that is left of one was altered": {TrimSubject(8), func(m *memory) { m.hashes[tlog.StoredHashIndex(0, 3)][0] ^= 1 }},
		"an old entry that is there was altered": {TrimSubject(8), func(m *memory) { m.entries[0].ActorID = "somebody" }},
		"somebody else says it":                  {TrimSubject(8), func(m *memory) { m.entries[len(m.entries)-1].Actor = User }},
	} {
		t.Run(name, func(t *testing.T) {
			m := trimmedLog(t, priv, c.subject)
			c.spoil(m)
			if v, err := Verify(context.Background(), m, pub, trimDay); !errors.Is(err, ErrTampered) {
				t.Errorf("verified %+v, %v", v, err)
			}
			if in, err := Inspect(context.Background(), m, pub, trimDay); err != nil || len(in.Faults) == 0 {
				t.Errorf("inspected %+v, %v", in, err)
			}
		})
	}
}

func TestWhatIsDatedLaterThanNowExcusesNothing(t *testing.T) {
	pub, priv := keys(t)
	for name, c := range map[string]struct {
		ahead   time.Duration
		subject string
		holds   bool
	}{
		"by a year, so that what is young looks old enough":  {366 * 24 * time.Hour, TrimSubject(9), false},
		"by a day, with a witness that is old enough":        {24 * time.Hour, TrimSubject(8), false},
		"by as little as the clocks of two nodes may differ": {MaxClockSkew, TrimSubject(8), true},
		"by nothing, with a witness that is not old enough":  {0, TrimSubject(9), false},
		"by nothing, with a witness that is old enough":      {0, TrimSubject(8), true},
	} {
		t.Run(name, func(t *testing.T) {
			m := oldLog(t, priv, Entry{ID: "aud_trim", At: trimDay.Add(c.ahead), Actor: System, Action: Trimmed, Subject: c.subject})
			m.entries = slices.DeleteFunc(m.entries, func(e Entry) bool { return e.Position < 8 })
			if v, err := Verify(context.Background(), m, pub, trimDay); errors.Is(err, ErrTampered) == c.holds {
				t.Errorf("verified %+v, %v", v, err)
			}
			if in, err := Inspect(context.Background(), m, pub, trimDay); err != nil || (len(in.Faults) == 0) != c.holds {
				t.Errorf("inspected %+v, %v", in, err)
			}
		})
	}
}

func TestOfSeveralTrimsTheFurthestCounts(t *testing.T) {
	pub, priv := keys(t)
	said := func(position int64) Entry {
		return Entry{ID: "aud_trim", At: trimDay, Actor: System, Action: Trimmed, Subject: TrimSubject(position)}
	}
	for name, order := range map[string][]Entry{"named last": {said(4), said(8)}, "named first": {said(8), said(4)}} {
		t.Run(name, func(t *testing.T) {
			m := oldLog(t, priv, order...)
			m.entries = slices.DeleteFunc(m.entries, func(e Entry) bool { return e.Position < 8 })
			if _, err := Verify(context.Background(), m, pub, trimDay); err != nil {
				t.Error(err)
			}
			if in, err := Inspect(context.Background(), m, pub, trimDay); err != nil || len(in.Faults) > 0 || in.Trimmed != 8 {
				t.Errorf("inspected %+v, %v", in, err)
			}
		})
	}
}
