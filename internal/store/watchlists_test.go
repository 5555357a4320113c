package store

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// beforeWatchlists undoes the migration of watchlists.
var beforeWatchlists = []string{
	"DROP TABLE watchlist_chunks", "DROP TABLE watchlist_versions", "DROP TABLE watchlists", "DELETE FROM locks WHERE name = 'watchlists'",
	"DELETE FROM schema_versions WHERE version_id = 42",
}

// ownList is an own list of invented people, numbered.
func ownList(from, to int) string {
	var b strings.Builder
	b.WriteString("id,name,birth,nationality\n")
	for i := from; i < to; i++ {
		fmt.Fprintf(&b, "p%d,Zoltan%c Quillfeather%c,19%02d-03-04,DEU\n", i, 'a'+i%26, 'a'+i/26, 30+i%60)
	}
	return b.String()
}

func watchSettings() lists.Settings {
	return lists.Settings{Topics: []idv.ScreeningTopic{idv.TopicWatch}, MaxAge: 30 * 24 * time.Hour}
}

// keeper keeps the lists of a deployment by its clock.
func (d *deployment) keeper() *lists.Keeper {
	return lists.New(d.store, lists.Options{Now: d.store.Now})
}

// newList makes a list with a first version of fifty people.
func newList(t *testing.T, ctx context.Context, k *lists.Keeper, s lists.Settings) (lists.List, lists.Version) {
	t.Helper()
	l, err := k.Create(ctx, "own", s)
	must(t, err)
	v, err := k.Import(ctx, l.ID, lists.Uploaded, strings.NewReader(ownList(0, 50)))
	must(t, err)
	return l, v
}

func statesOf(t *testing.T, ctx context.Context, k *lists.Keeper, id idv.WatchlistID) string {
	t.Helper()
	all, err := k.Versions(ctx, id)
	must(t, err)
	var out []string
	for _, v := range all {
		out = append(out, fmt.Sprintf("%s %d", v.State, v.Summary.Entities))
	}
	return strings.Join(out, ", ")
}

func watchlistsKept(t *testing.T, d *deployment) {
	ctx := t.Context()
	k := d.keeper()
	l, first := newList(t, ctx, k, watchSettings())
	if first.State != lists.Active || first.Summary.Entities != 50 || first.Changes.Added != 50 {
		t.Fatalf("the first version: %+v", first)
	}
	if again, err := k.Import(ctx, l.ID, lists.Uploaded, strings.NewReader(ownList(0, 50))); err != nil || again.ID != first.ID {
		t.Errorf("the same file again: %v, %v", again.ID, err)
	}
	second, err := k.Import(ctx, l.ID, lists.Uploaded, strings.NewReader(ownList(2, 55)))
	must(t, err)
	if second.State != lists.Active || second.Changes != (watchlist.Counts{Added: 5, Removed: 2}) {
		t.Errorf("the second version: %s, %+v", second.State, second.Changes)
	}
	diff, err := k.Difference(ctx, second.ID)
	must(t, err)
	if diff.Added != 5 || diff.Removed != 2 || len(diff.Entries) != 7 || diff.Entries[0].Name == "" {
		t.Errorf("the difference: %+v", diff)
	}
	if got := statesOf(t, ctx, k, l.ID); got != "active 53, retired 50" {
		t.Errorf("versions: %s", got)
	}
	_, err = k.Activate(ctx, first.ID)
	must(t, err)
	if got := statesOf(t, ctx, k, l.ID); got != "retired 53, active 50" {
		t.Errorf("after the former version came back: %s", got)
	}
	if _, err := k.Activate(ctx, first.ID); !problem.Has(err, problem.WatchlistConflict) {
		t.Errorf("activated twice: %v", err)
	}
	if _, err := k.Create(ctx, "own", watchSettings()); !problem.Has(err, problem.WatchlistExists) {
		t.Errorf("a second list of that name: %v", err)
	}
}

func watchlistsHeld(t *testing.T, d *deployment) {
	ctx := t.Context()
	k := d.keeper()
	l, first := newList(t, ctx, k, watchSettings())
	for name, tt := range map[string]struct {
		file string
		why  watchlist.Reason
	}{
		"a fifth is missing":       {ownList(0, 39), watchlist.HeldShrunk},
		"nobody is on it":          {"id,name,birth,nationality\n", watchlist.HeldEmpty},
		"it is of another kind":    {unHead + strings.Repeat(unPerson, 50) + `</INDIVIDUALS></CONSOLIDATED_LIST>`, watchlist.HeldOtherKind},
		"one of fifty has no name": {ownList(0, 50) + "x,,,\n", watchlist.HeldUnreadable},
	} {
		v, err := k.Import(ctx, l.ID, lists.Uploaded, strings.NewReader(tt.file))
		if err != nil || v.State != lists.Held || len(v.Why) == 0 || v.Why[0] != tt.why {
			t.Errorf("%s: %s, %v, %v", name, v.State, v.Why, err)
		}
		if now, err := k.Version(ctx, first.ID); err != nil || now.State != lists.Active {
			t.Errorf("%s: the version before is %s, %v", name, now.State, err)
		}
		if _, err := k.Activate(ctx, v.ID); tt.why == watchlist.HeldEmpty && !problem.Has(err, problem.WatchlistConflict) {
			t.Errorf("an empty version was activated: %v", err)
		} else if tt.why != watchlist.HeldEmpty {
			must(t, err)
			_, err = k.Activate(ctx, first.ID)
			must(t, err)
		}
	}
	for name, tt := range map[string]struct {
		file string
		kind problem.Kind
	}{
		"a page of HTML":           {"<html><body>Not found</body></html>", problem.WatchlistNotThatList},
		"a page with a doctype":    {"<!doctype html><html><body>Not found</body></html>", problem.WatchlistBroken},
		"nothing":                  {"", problem.WatchlistNotThatList},
		"a list cut off":           {`<?xml version="1.0"?><CONSOLIDATED_LIST><INDIVIDUALS>` + unPerson, problem.WatchlistBroken},
		"a billion laughs":         {`<?xml version="1.0"?><!DOCTYPE l [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><CONSOLIDATED_LIST/>`, problem.WatchlistBroken},
		"an archive":               {"PK\x03\x04\x14\x00../../etc/passwd", problem.WatchlistNotThatList},
		"a delta without a base":   {`{"op":"ADD","entity":{"id":"x","schema":"Person","properties":{"name":["A B"]}}}`, problem.WatchlistNotThatList},
		"JSON that is too deep":    {`{"name":` + strings.Repeat("[", 80) + strings.Repeat("]", 80) + "}", problem.WatchlistBroken},
		"the retired British list": {`<?xml version="1.0"?><ArrayOfFinancialSanctionsTarget/>`, problem.WatchlistNotThatList},
	} {
		k2, err := k.Create(ctx, "x"+strings.Map(onlyLetters, name), watchSettings())
		must(t, err)
		if _, err := k.Import(ctx, k2.ID, lists.Uploaded, strings.NewReader(tt.file)); !problem.Has(err, tt.kind) {
			t.Errorf("%s: %v", name, err)
		}
		versions, err := k.Versions(ctx, k2.ID)
		must(t, err)
		for _, v := range versions {
			if v.State != lists.Failed {
				t.Errorf("%s: left a version %s", name, v.State)
			}
			if n := chunksOf(t, d, v.ID); n != 0 {
				t.Errorf("%s: left %d chunks", name, n)
			}
		}
	}
}

const unHead = `<?xml version="1.0"?><CONSOLIDATED_LIST dateGenerated="2026-01-01T00:00:00Z"><INDIVIDUALS>`

const unPerson = `<INDIVIDUAL><DATAID>1</DATAID><FIRST_NAME>Quentin</FIRST_NAME><SECOND_NAME>Zebedee</SECOND_NAME></INDIVIDUAL>`

func onlyLetters(r rune) rune {
	if r >= 'a' && r <= 'z' {
		return r
	}
	return -1
}

func chunksOf(t *testing.T, d *deployment, id idv.WatchlistVersionID) int {
	t.Helper()
	n := 0
	must(t, d.store.WatchlistChunks(t.Context(), id, func([]byte) error { n++; return nil }))
	return n
}

// breaking breaks off after a while, as a server that dies does.
type breaking struct{ r *strings.Reader }

var errKilled = errors.New("killed")

func (b breaking) Read(p []byte) (int, error) {
	n, err := b.r.Read(p[:min(len(p), 4096)])
	if err != nil {
		return n, errKilled
	}
	return n, nil
}

func watchlistsKilled(t *testing.T, d *deployment) {
	ctx := t.Context()
	now := time.Now()
	k := lists.New(d.store, lists.Options{Now: func() time.Time { return now }})
	l, first := newList(t, ctx, k, watchSettings())
	if _, err := k.Import(ctx, l.ID, lists.Uploaded, breaking{strings.NewReader(ownList(0, 600))}); !errors.Is(err, errKilled) {
		t.Fatalf("an import that broke off: %v", err)
	}
	// A server that dies leaves a version and chunks behind.
	dead := lists.Version{ID: "wlv_dead", List: l.ID, State: lists.Importing, From: lists.Uploaded, AddedAt: now, BeatAt: now}
	must(t, d.store.ChangeWatchlists(ctx, func(ctx context.Context, tx lists.Tx) error { return tx.AddWatchlistVersion(ctx, dead) }))
	must(t, d.store.AddWatchlistChunk(ctx, dead.ID, 0, []byte("half"), now))
	if _, err := k.Import(ctx, l.ID, lists.Uploaded, strings.NewReader(ownList(0, 60))); !problem.Has(err, problem.WatchlistBusy) {
		t.Errorf("an import beside another: %v", err)
	}
	if _, err := k.Activate(ctx, dead.ID); !problem.Has(err, problem.WatchlistConflict) {
		t.Errorf("a half version was activated: %v", err)
	}
	now = now.Add(3 * time.Minute)
	_, err := k.Sweep(ctx)
	must(t, err)
	if n := chunksOf(t, d, dead.ID); n != 0 {
		t.Errorf("%d chunks of a dead import are left", n)
	}
	if err := d.store.AddWatchlistChunk(ctx, dead.ID, 1, []byte("late"), now); err == nil {
		t.Error("an import that was given up goes on writing")
	}
	if v, err := k.Version(ctx, first.ID); err != nil || v.State != lists.Active {
		t.Errorf("the version in use is %s, %v", v.State, err)
	}
	v, err := k.Import(ctx, l.ID, lists.Uploaded, strings.NewReader(ownList(0, 60)))
	must(t, err)
	if v.State != lists.Active {
		t.Errorf("after the dead import: %s", v.State)
	}
}

func watchlistsAgree(t *testing.T, d *deployment) {
	ctx := t.Context()
	k := d.keeper()
	dir := t.TempDir()
	server := func(name string) *lists.Live {
		live, err := lists.NewLive(k, filepath.Join(dir, name))
		must(t, err)
		t.Cleanup(func() { must(t, live.Close()) })
		return live
	}
	a, b := server("a"), server("b")
	if s, err := a.Snapshot(ctx); err != nil || s.Index != nil {
		t.Errorf("without lists: %v, %v", s, err)
	}
	l, first := newList(t, ctx, k, watchSettings())
	if _, err := a.Snapshot(ctx); !errors.Is(err, screening.ErrNotReady) {
		t.Errorf("before the list is compiled: %v", err)
	}
	digest := func(l *lists.Live) string {
		must(t, l.Refresh(ctx))
		return l.Compiled().Digest
	}
	one := digest(a)
	if two := digest(b); one == "" || one != two {
		t.Errorf("two servers compiled %q and %q", one, two)
	}
	held, err := a.Snapshot(ctx) // searches the version before while the next is compiled
	must(t, err)
	_, err = k.Import(ctx, l.ID, lists.Uploaded, strings.NewReader(ownList(0, 55)))
	must(t, err)
	next := digest(a)
	if next == one || held.Index.Digest() != one {
		t.Errorf("after the next version: %s, held %s, before %s", next, held.Index.Digest(), one)
	}
	held.Release()
	restarted := server("a")
	if got := restarted.Compiled().Digest; got != next {
		t.Errorf("a server that starts again searches %q, want %q", got, next)
	}
	_, err = k.Activate(ctx, first.ID)
	must(t, err)
	if back := digest(b); back != one {
		t.Errorf("the former version compiles to %s, want %s", back, one)
	}
	s, err := b.Snapshot(ctx)
	must(t, err)
	defer s.Release()
	p, _, err := screening.Typed("QUILLFEATHERA Zoltanb", "1931-03-04", "", nil, nil, time.Now())
	must(t, err)
	found, why := screening.Find(s, p, idv.TopicWatch, idv.ScreeningSettings{Topics: []idv.ScreeningTopic{idv.TopicWatch}}, time.Now())
	if len(why) != 1 || why[0] != "screening.listed" || found.Hits[0].Band != idv.BandStrong || found.Hits[0].Version != idv.Digest(first.Summary.SHA256) {
		t.Errorf("found %v, %+v", why, found.Hits)
	}
}
