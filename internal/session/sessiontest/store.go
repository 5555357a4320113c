package sessiontest

import (
	"context"
	"sync"
	"sync/atomic"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Store keeps sessions in memory. One transaction runs at a time, on a copy of the tables that takes their place when it commits.
// Reads outside of a transaction see what is committed. It is safe for concurrent use.
type Store struct {
	reader
	pictures *Pictures
	now      func() time.Time
	writer   sync.Mutex
	current  atomic.Pointer[tables]

	mu       sync.Mutex
	watchers map[idv.SessionID]map[chan struct{}]bool
	failing  error
}

var (
	_ session.Store = (*Store)(nil)
	_ session.Tx    = (*tx)(nil)
)

// NewStore returns a Store that holds nothing but the built-in workflows of both modes.
func NewStore(now func() time.Time) *Store {
	s := &Store{now: func() time.Time { return now().UTC().Truncate(time.Microsecond) }, watchers: map[idv.SessionID]map[chan struct{}]bool{}}
	s.pictures = &Pictures{store: s, blobs: map[string][]byte{}}
	s.current.Store(newTables())
	s.reader = readerOf(view{at: s.at})
	for _, mode := range []idv.Mode{idv.Test, idv.Live} {
		for _, w := range idv.BuiltInWorkflows(mode) {
			s.AddWorkflow(w)
		}
	}
	return s
}

// at returns the tables as they are committed.
func (s *Store) at() *tables { return s.current.Load() }

// Pictures returns the blobs of the store's sessions.
func (s *Store) Pictures() *Pictures { return s.pictures }

// Together implements session.Store.
func (s *Store) Together() session.Reader { return s.reader }

// InTx implements session.Store. A transaction within a transaction blocks for ever, as it does on SQLite.
func (s *Store) InTx(ctx context.Context, f func(ctx context.Context, t session.Tx) error) error {
	var woken []idv.SessionID
	err := s.change(ctx, func(ctx context.Context, t *tx) error {
		err := f(ctx, t)
		woken = t.woken
		return err
	})
	if err != nil {
		return err
	}
	for _, id := range woken {
		s.wake(id)
	}
	return nil
}

// change runs f on a copy of the tables, and makes the copy current unless f fails.
func (s *Store) change(ctx context.Context, f func(ctx context.Context, t *tx) error) error {
	s.writer.Lock()
	defer s.writer.Unlock()
	if err := ctx.Err(); err != nil {
		return err
	}
	next := s.current.Load().clone()
	t := &tx{reader: readerOf(view{at: func() *tables { return next }}), writer: newWriter(s, next)}
	if err := f(ctx, t); err != nil {
		return err
	}
	if err := s.takeFailure(); err != nil {
		return err
	}
	s.current.Store(next)
	return nil
}

// FailNextCommit makes the next transaction that would commit fail with err and change nothing.
func (s *Store) FailNextCommit(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing = err
}

func (s *Store) takeFailure() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	err := s.failing
	s.failing = nil
	return err
}

// Watch implements session.Store.
func (s *Store) Watch(id idv.SessionID) (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.watchers[id] == nil {
		s.watchers[id] = map[chan struct{}]bool{}
	}
	s.watchers[id][c] = true
	return c, func() {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.watchers[id], c)
	}
}

func (s *Store) wake(id idv.SessionID) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for c := range s.watchers[id] {
		select {
		case c <- struct{}{}:
		default: // already woken
		}
	}
}

// tx is a running transaction.
type tx struct {
	reader
	writer
}

// reader reads tables. Each part of it reads one family of them.
type reader struct {
	recordReader
	applicantReader
	evidenceReader
	caseReader
	hitReader
	seenReader
	linkReader
	retentionReader
	auditReader
}

func readerOf(v view) reader {
	return reader{
		recordReader: recordReader{v}, applicantReader: applicantReader{v}, evidenceReader: evidenceReader{v},
		caseReader: caseReader{v}, hitReader: hitReader{v}, seenReader: seenReader{v}, linkReader: linkReader{v},
		retentionReader: retentionReader{v}, auditReader: auditReader{v},
	}
}

// writer writes the tables of a transaction.
type writer struct {
	*base
	recordWriter
	applicantWriter
	evidenceWriter
	caseWriter
	hitWriter
	seenWriter
	linkWriter
	eraser
}

// base is what the parts of a writer share.
type base struct {
	store *Store
	next  *tables
	woken []idv.SessionID // those with new events
}

func newWriter(s *Store, next *tables) writer {
	b := &base{store: s, next: next}
	return writer{
		base: b, recordWriter: recordWriter{b}, applicantWriter: applicantWriter{b}, evidenceWriter: evidenceWriter{b},
		caseWriter: caseWriter{b}, hitWriter: hitWriter{b}, seenWriter: seenWriter{b}, linkWriter: linkWriter{b}, eraser: eraser{b},
	}
}
