package lists

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/screening"
)

// pollEvery is how often a server looks whether the lists changed: all servers search the same lists within it and the time that
// compiling takes.
const pollEvery = 5 * time.Second

// indexFile is the compiled lists, in the folder of a server.
const indexFile = "names.index"

// Live is the compiled lists of this server. It is safe for concurrent use.
type Live struct {
	keeper *Keeper
	dir    string
	log    *slog.Logger

	building sync.Mutex // one compiles at a time

	mu       sync.Mutex
	current  *handle
	revision int64 // of the lists that were compiled last; -1 before
	broken   error // why they could not be
}

// handle is an open index with how many use it. The last one closes it.
type handle struct {
	index *nameindex.Index
	users int
	old   bool
}

// NewLive returns the compiled lists of a server, whose index is kept in dir. The index that is there is used at once, if it is whole.
func NewLive(k *Keeper, dir string) (*Live, error) {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, fmt.Errorf("make the folder of the compiled watchlists: %w", err)
	}
	l := &Live{keeper: k, dir: dir, log: k.log, revision: -1}
	if err := nameindex.Sweep(dir); err != nil {
		l.log.Warn("what is left of a server that ended in the middle stays", "error", err)
	}
	index, err := nameindex.Open(filepath.Join(dir, indexFile))
	switch {
	case err == nil:
		l.current = &handle{index: index}
	case !errors.Is(err, os.ErrNotExist):
		l.log.Warn("the compiled watchlists cannot be used and are rebuilt", "error", err)
	}
	return l, nil
}

// Run compiles the lists whenever they change, until the context ends.
func (l *Live) Run(ctx context.Context) {
	for {
		if err := l.Refresh(ctx); err != nil && ctx.Err() == nil {
			l.log.ErrorContext(ctx, "the watchlists cannot be compiled", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pollEvery):
		}
	}
}

// Refresh compiles the lists if they changed since that was done last.
func (l *Live) Refresh(ctx context.Context) error {
	l.building.Lock()
	defer l.building.Unlock()
	revision, err := l.keeper.store.WatchlistRevision(ctx)
	if err != nil {
		return err
	}
	l.mu.Lock()
	done := revision == l.revision
	l.mu.Unlock()
	if done {
		return nil
	}
	err = l.compile(ctx)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.broken = err; err == nil {
		l.revision = revision
	}
	return err
}

// compile makes the index of all versions in use, unless it is the one that is there.
func (l *Live) compile(ctx context.Context) error {
	active, err := l.keeper.active(ctx)
	if err != nil || l.has(active) {
		return err
	}
	start := time.Now()
	path := filepath.Join(l.dir, indexFile)
	b, err := nameindex.NewBuilder(path)
	if err != nil {
		return err
	}
	for _, v := range active {
		b.List(nameindex.List{Name: v.name, Version: v.Summary.SHA256})
		if err := l.keeper.Entries(ctx, v.ID, b.Add); err != nil {
			return errors.Join(err, b.Abandon())
		}
	}
	digest, err := b.Close()
	if err != nil {
		return err
	}
	index, err := nameindex.Open(path)
	if err != nil {
		return err
	}
	l.swap(index)
	people, all := index.Size()
	l.log.InfoContext(ctx, "watchlists compiled", "digest", digest, "people", people, "names", all, "took_ms", time.Since(start).Milliseconds())
	return nil
}

// has reports whether the index is of exactly these versions.
func (l *Live) has(active []named) bool {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == nil {
		return len(active) == 0
	}
	lists := l.current.index.Lists()
	if len(lists) != len(active) {
		return false
	}
	for i, v := range active {
		if lists[i] != (nameindex.List{Name: v.name, Version: v.Summary.SHA256}) {
			return false
		}
	}
	return true
}

// swap puts an index in place of the one before, which is closed when nobody searches it any more.
func (l *Live) swap(index *nameindex.Index) {
	l.mu.Lock()
	before := l.current
	l.current = &handle{index: index}
	idle := before != nil && before.users == 0
	if before != nil {
		before.old = true
	}
	l.mu.Unlock()
	if idle {
		l.close(before)
	}
}

func (l *Live) close(h *handle) {
	if err := h.index.Close(); err != nil {
		l.log.Error("an index of watchlists cannot be closed", "error", err)
	}
}

// acquire returns the index as it is now, and what says that the caller is done; nil where there is none.
func (l *Live) acquire() (*nameindex.Index, func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	h := l.current
	if h == nil {
		return nil, func() {}
	}
	h.users++
	return h.index, sync.OnceFunc(func() {
		l.mu.Lock()
		h.users--
		last := h.old && h.users == 0
		l.mu.Unlock()
		if last {
			l.close(h)
		}
	})
}

// Close closes the index. Nothing may be searched any more.
func (l *Live) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.current == nil {
		return nil
	}
	h := l.current
	l.current = nil
	return h.index.Close()
}

// Compiled says what this server searches.
type Compiled struct {
	Digest string // of the index; empty for none
	People int
	Names  int
	Lists  []nameindex.List
	Broken error // why the lists as they are now could not be compiled
}

// Compiled returns what this server searches.
func (l *Live) Compiled() Compiled {
	index, done := l.acquire()
	defer done()
	l.mu.Lock()
	out := Compiled{Broken: l.broken}
	l.mu.Unlock()
	if index != nil {
		out.Digest, out.Lists = index.Digest(), index.Lists()
		out.People, out.Names = index.Size()
	}
	return out
}

// Snapshot implements screening.Source.
func (l *Live) Snapshot(ctx context.Context) (*screening.Snapshot, error) {
	lists, err := l.keeper.store.Watchlists(ctx)
	if err != nil {
		return nil, err
	}
	versions, err := l.keeper.store.WatchlistVersions(ctx, "")
	if err != nil {
		return nil, err
	}
	index, done := l.acquire()
	var out []screening.List
	for _, list := range lists {
		if list.Disabled {
			continue
		}
		of := ofList(versions, list)
		s, ok := of.searched(index, l.keeper.now())
		switch {
		case ok:
			out = append(out, s)
		case of.active.ID != "": // a list that nobody is searched for on yet
			done()
			return nil, screening.ErrNotReady
		}
	}
	if len(out) == 0 {
		done()
		return screening.NewSnapshot(nil, nil, nil), nil
	}
	return screening.NewSnapshot(index, out, done), nil
}
