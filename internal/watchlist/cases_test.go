package watchlist

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode/utf8"
)

// The numbers are those of the cases that screening has to answer; internal/screening/cases_test.go says which test proves which.

func TestCase34WhoIsNoLongerListedIsNotRead(t *testing.T) {
	entry := func(id, name string) string {
		return "<sdnEntry><uid>" + id + "</uid><lastName>" + name + "</lastName><sdnType>Individual</sdnType></sdnEntry>"
	}
	for name, c := range map[string]struct {
		text string
		want []string
	}{
		"a target that the Swiss list still has and calls de-listed": {secoList, []string{"5"}},
		"an entry within what was removed": {
			"<sdnList>" + entry("1", "Zahran") + "<removed>" + entry("2", "Gone") + "</removed></sdnList>", []string{"1"},
		},
		"a removed one before one that is listed": {
			"<sdnList><removed>" + entry("2", "Gone") + "</removed>" + entry("1", "Zahran") + "</sdnList>", []string{"1"},
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, err := all(c.text)
			var ids []string
			for _, e := range got {
				ids = append(ids, e.ID)
			}
			if err != nil || !slices.Equal(ids, c.want) {
				t.Errorf("got %v, %v, want %v", ids, err, c.want)
			}
		})
	}
}

func TestCase34AnEntryThatTheNextVersionHasNotIsRemoved(t *testing.T) {
	first, second := "id,name\n1,Ilyan Zahran\n2,Zoltan Querbaum\n", "id,name\n2,Zoltan Querbaum\n"
	tally := NewTally(true)
	for _, version := range []struct {
		text string
		take func(Entity) error
	}{{first, tally.Before}, {second, tally.After}} {
		got, _, err := all(version.text)
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range got {
			if err := version.take(e); err != nil {
				t.Fatal(err)
			}
		}
	}
	if got := tally.Done(); got != (Counts{Removed: 1}) {
		t.Errorf("got %+v, want one removed", got)
	}
}

func TestCase57FilesThatAreAccepted(t *testing.T) {
	var aliases strings.Builder
	for i := range 300 {
		fmt.Fprintf(&aliases, "<aka><type>a.k.a.</type><category>strong</category><lastName>Zahran%c%c</lastName></aka>", 'a'+i/26, 'a'+i%26)
	}
	entry := func(more string) string {
		return "<sdnList><sdnEntry><uid>1</uid><lastName>Zahran</lastName><sdnType>Individual</sdnType>" + more + "</sdnEntry></sdnList>"
	}
	for name, c := range map[string]struct {
		text string
		is   func(Entity) bool
	}{
		"an entity with 300 names": {entry("<akaList>" + aliases.String() + "</akaList>"), func(e Entity) bool { return len(e.Names) == 301 }},
		"a name of more than 2,000 letters is cut": {
			"name,birth\n" + strings.Repeat("Zahran ", 400) + ",\n", func(e Entity) bool {
				return utf8.RuneCountInString(e.Names[0].Text) == 2000 && strings.HasPrefix(e.Remarks, cutRemark)
			},
		},
		"the byte that ends old files":    {sdnList, func(e Entity) bool { return e.ID == "1" }},
		"the same byte after an own list": {"name,birth\nIlyan Zahran,1965\n\x1a", func(e Entity) bool { return e.Names[0].Text == "Ilyan Zahran" }},
		"a mark of byte order":            {"\xef\xbb\xbf" + unList, func(e Entity) bool { return e.Kind == Person }},
		"Latin-1 in an old CSV":           {"name,birth\nJ\xf6rg M\xfcller,1965\n", func(e Entity) bool { return e.Names[0].Text == "Jörg Müller" }},
		"lines that end as those of DOS":  {"name,birth\r\nIlyan Zahran,1965\r\n", func(e Entity) bool { return e.Births[0].String() == "1965" }},
		"an element that nobody knows":    {entry("<shoeSize unit=\"EU\"><left>42</left></shoeSize>"), func(e Entity) bool { return len(e.Names) == 1 }},
		"a topic and a property nobody has": {
			`{"id":"a","schema":"Person","properties":{"name":["Ilyan Zahran"],"topics":["moon.walk"],"shoe":["42"]}}`,
			func(e Entity) bool { return slices.Equal(e.Topics, []string{"moon.walk"}) },
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, s, err := all(c.text)
			if err != nil || len(got) != 1 || s.Rejected != 0 || !c.is(got[0]) {
				t.Errorf("got %d entries, %d rejected, %v: %.400v", len(got), s.Rejected, err, got)
			}
		})
	}
}

func TestCase58FilesThatAreRefused(t *testing.T) {
	for name, c := range map[string]struct {
		text string
		want error
	}{
		"an archive, whatever it unpacks to":      {"PK\x03\x04\x14\x00\x00\x00\x08\x00" + strings.Repeat("\x00", 100), ErrNotAList},
		"an archive of paths that leave it":       {"PK\x03\x04\x14\x00../../etc/passwd", ErrNotAList},
		"what gzip packed":                        {"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff", ErrNotAList},
		"a type definition that names a file":     {`<!DOCTYPE s SYSTEM "file:///etc/passwd"><sdnList/>`, ErrHostile},
		"a type definition after the declaration": {`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha">]><sdnList/>`, ErrHostile},
		"JSON of 65 levels":                       {`{"name":` + strings.Repeat("[", 64) + strings.Repeat("]", 64) + `}`, ErrHostile},
	} {
		t.Run(name, func(t *testing.T) {
			if got, _, err := all(c.text); !errors.Is(err, c.want) {
				t.Errorf("got %d entries and %v, want %v", len(got), err, c.want)
			}
		})
	}
	if _, s, err := all(`{"name":` + strings.Repeat("[", 63) + strings.Repeat("]", 63) + `}`); err != nil || s.Rejected != 1 {
		t.Errorf("JSON of 64 levels: got %d rejected, %v, want an entry that cannot be read", s.Rejected, err)
	}
}

func TestCase58AFileEndsAtTwoGibibytes(t *testing.T) {
	c := &counter{r: strings.NewReader("more"), sum: io.Discard, n: maxFile}
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, ErrTooLarge) {
		t.Errorf("got %v, want %v", err, ErrTooLarge)
	}
	if got := broken(fmt.Errorf("read: %w", ErrTooLarge)); !errors.Is(got, ErrTooLarge) {
		t.Errorf("within a reader of a format: got %v, want %v", got, ErrTooLarge)
	}
}

func TestCase56TheGuardsOfAVersion(t *testing.T) {
	day := func(d int) time.Time { return time.Date(2026, 11, d, 0, 0, 0, 0, time.UTC) }
	active := Summary{Format: UN, Entities: 1000, Published: day(10)}
	for name, c := range map[string]struct {
		next Summary
		want []Reason
	}{
		"a fifth less is the most that may be gone": {Summary{Format: UN, Entities: 800, Published: day(11)}, nil},
		"21 of a hundred are gone":                  {Summary{Format: UN, Entities: 790, Published: day(11)}, []Reason{HeldShrunk}},
		"nobody is on it":                           {Summary{Format: UN, Published: day(11)}, []Reason{HeldEmpty}},
		"older than the one in use":                 {Summary{Format: UN, Entities: 1000, Published: day(9)}, []Reason{HeldOlder}},
		"one in a hundred cannot be read":           {Summary{Format: UN, Entities: 990, Rejected: 10, Published: day(11)}, nil},
		"more than one in a hundred cannot be read": {Summary{Format: UN, Entities: 989, Rejected: 11, Published: day(11)}, []Reason{HeldUnreadable}},
		"another format":                            {Summary{Format: SECO, Entities: 1000, Published: day(11)}, []Reason{HeldOtherKind}},
	} {
		t.Run(name, func(t *testing.T) {
			if got := Guard(active, c.next); !slices.Equal(got, c.want) {
				t.Errorf("got %v, want %v", got, c.want)
			}
		})
	}
}
