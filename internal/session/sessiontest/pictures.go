package sessiontest

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Pictures keeps blobs in memory. Of a session whose pictures were erased it keeps and gives nothing: their key is gone.
type Pictures struct {
	store   *Store
	mu      sync.Mutex
	blobs   map[string][]byte
	failing error
}

var _ session.Pictures = (*Pictures)(nil)

// Put implements session.Pictures.
func (p *Pictures) Put(_ context.Context, s idv.SessionID, name string, b []byte) error {
	if err := p.store.current.Load().open(s, session.ScopePictures); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failing != nil {
		return p.failing
	}
	p.blobs[name] = slices.Clone(b)
	return nil
}

// Get implements session.Pictures. Problems: session.erased.
func (p *Pictures) Get(_ context.Context, s idv.SessionID, name string) ([]byte, error) {
	if err := p.store.current.Load().open(s, session.ScopePictures); err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	b, ok := p.blobs[name]
	if !ok {
		return nil, fmt.Errorf("%s: %w", name, vault.ErrNoBlob)
	}
	return slices.Clone(b), nil
}

// Delete implements session.Pictures.
func (p *Pictures) Delete(_ context.Context, name string) error {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.failing != nil {
		return p.failing
	}
	delete(p.blobs, name)
	return nil
}

// Fail makes every write fail with err, as on a full disk; nil ends it.
func (p *Pictures) Fail(err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.failing = err
}

// Names lists the blobs of a session, by name.
func (p *Pictures) Names(id idv.SessionID) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.DeleteFunc(slices.Sorted(maps.Keys(p.blobs)), func(name string) bool { return !strings.HasPrefix(name, string(id)+"/") })
}
