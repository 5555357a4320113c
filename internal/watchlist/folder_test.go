package watchlist

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
)

func ownList(from, to int) string {
	var b strings.Builder
	b.WriteString("id,name\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "%d,Person Number%d\n", i, i)
	}
	return b.String()
}

func TestAVersionThatLooksWrongIsHeld(t *testing.T) {
	now := time.Date(2026, 11, 24, 9, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		second string
		why    Reason
	}{
		"a fifth and more is gone":                 {ownList(0, 79), HeldShrunk},
		"nothing is in it":                         {"id,name\n", HeldEmpty},
		"more than one in a hundred is unreadable": {ownList(0, 100) + "1\n2\n", HeldUnreadable},
		"another list":                             {unList, HeldOtherKind},
	} {
		t.Run(name, func(t *testing.T) {
			folder := OpenFolder(t.TempDir())
			first, err := folder.Add("mine", strings.NewReader(ownList(0, 100)), Options{}, false, now)
			if err != nil || first.State != Active {
				t.Fatalf("got %s, %v", first.State, err)
			}
			second, err := folder.Add("mine", strings.NewReader(c.second), Options{}, false, now)
			if err != nil || second.State != Held || !slices.Contains(second.Why, c.why) {
				t.Fatalf("got %s because of %v, %v", second.State, second.Why, err)
			}
			lists, err := folder.Lists()
			if err != nil {
				t.Fatal(err)
			}
			if active, ok := lists[0].Active(); !ok || active.SHA256 != first.SHA256 {
				t.Errorf("%q is in use, and not the version from before", active.SHA256)
			}
		})
	}
}

func TestAnOlderFileIsHeldAndAnEmptyOneIsNeverUsed(t *testing.T) {
	now := time.Now()
	folder := OpenFolder(t.TempDir())
	if _, err := folder.Add("un", strings.NewReader(unList), Options{}, false, now); err != nil {
		t.Fatal(err)
	}
	older := strings.Replace(unList, "2026-02-27T", "2026-02-26T", 1)
	v, err := folder.Add("un", strings.NewReader(older), Options{}, false, now)
	if err != nil || v.State != Held || !slices.Contains(v.Why, HeldOlder) {
		t.Errorf("got %s because of %v, %v", v.State, v.Why, err)
	}
	if v, err = folder.Add("un", strings.NewReader(older), Options{}, true, now); err != nil || v.State != Active {
		t.Errorf("forced: got %s, %v", v.State, err)
	}
	empty := `<CONSOLIDATED_LIST dateGenerated="2026-03-27T00:00:09.554Z"/>`
	if v, err = folder.Add("un", strings.NewReader(empty), Options{}, true, now); err != nil || v.State != Held {
		t.Errorf("an empty one, forced: got %s, %v", v.State, err)
	}
}

func TestADeltaChangesTheListThatItIsFor(t *testing.T) {
	now := time.Now()
	folder := OpenFolder(t.TempDir())
	delta := `{"op":"ADD","entity":{"id":"c","schema":"Person","properties":{"name":["Ada Tevfik"]}}}
{"op":"DEL","entity":{"id":"a"}}`
	if _, err := folder.Add("os", strings.NewReader(delta), Options{}, false, now); !errors.Is(err, ErrNoBase) {
		t.Fatalf("a delta alone: %v", err)
	}
	if _, err := folder.Add("os", strings.NewReader(ftmList), Options{}, false, now); err != nil {
		t.Fatal(err)
	}
	v, err := folder.Add("os", strings.NewReader(delta), Options{}, false, now)
	if err != nil || v.State != Active || v.Entities != 1 {
		t.Fatalf("got %+v, %v", v, err)
	}
	var got []string
	if err := folder.Entities("os", v, func(e Entity) error { got = append(got, e.ID); return nil }); err != nil || !slices.Equal(got, []string{"c"}) {
		t.Errorf("got %v, %v", got, err)
	}
}

func TestNamesOfListsAreNoPaths(t *testing.T) {
	for _, name := range []string{"", "../x", "a/b", "A", ".", "-a"} {
		if _, err := OpenFolder(t.TempDir()).Add(name, strings.NewReader(unList), Options{}, false, time.Now()); !errors.Is(err, ErrName) {
			t.Errorf("%q: %v", name, err)
		}
	}
}

func TestADifferenceKnowsFormerIDs(t *testing.T) {
	person := func(id, name string, former ...string) Entity {
		return Entity{ID: id, Kind: Person, Names: []ListedName{{Text: name, Strength: Primary}}, FormerIDs: former}
	}
	d := Diff([]Entity{person("1", "A B"), person("2", "C D"), person("3", "E F"), person("4", "G H")},
		[]Entity{person("1", "A B"), person("20", "C D", "2"), person("3", "E F G"), person("5", "I J")})
	if len(d.Added) != 1 || d.Added[0].ID != "5" || len(d.Removed) != 1 || d.Removed[0].ID != "4" || len(d.Changed) != 1 || d.Changed[0].After.ID != "3" {
		t.Errorf("got %+v", d)
	}
}

func TestAListGrowsOld(t *testing.T) {
	made := time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)
	v := Version{Summary: Summary{Published: made}, Added: made.AddDate(0, 0, 20)}
	if v.Stale(made.AddDate(0, 0, 6), 7*24*time.Hour) || !v.Stale(made.AddDate(0, 0, 8), 7*24*time.Hour) || v.Stale(made.AddDate(9, 0, 0), 0) {
		t.Error("a list is old by the day on which it was published, and never where nothing is asked")
	}
}
