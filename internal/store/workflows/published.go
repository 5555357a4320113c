package workflows

import (
	"context"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// publishedLife is how long it may take until a node knows of what another node published.
const publishedLife = time.Second

// published remembers for a moment which version each name stands for: every session that is made asks for one, and
// versions change about once a week. This process knows of its own changes at once.
type published struct {
	mu      sync.Mutex
	changes int // so that what was read before a change is not kept after it
	known   map[publishedName]publishedVersion
}

type publishedName struct {
	mode idv.Mode
	name string
}

type publishedVersion struct {
	version idv.WorkflowVersion
	until   time.Time
}

// maxPublished bounds the names that are remembered.
const maxPublished = 1000

// clear forgets every version. It must be called when workflows may have changed.
func (p *published) clear() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.changes++
	p.known = nil
}

func (p *published) get(of publishedName) (v idv.WorkflowVersion, changes int, ok bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	k, ok := p.known[of]
	return k.version, p.changes, ok && time.Now().Before(k.until)
}

func (p *published) put(of publishedName, v idv.WorkflowVersion, changes int) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.changes != changes {
		return
	}
	if p.known == nil || len(p.known) >= maxPublished {
		p.known = map[publishedName]publishedVersion{}
	}
	p.known[of] = publishedVersion{version: v, until: time.Now().Add(publishedLife)}
}

// WorkflowNamed implements session.Store. What it answers is shared and may not be changed.
func (s *Catalogue) WorkflowNamed(ctx context.Context, mode idv.Mode, name string) (idv.WorkflowVersion, error) {
	of := publishedName{mode: mode, name: name}
	v, changes, ok := s.published.get(of)
	if ok {
		return v, nil
	}
	v, err := (&WorkflowReader{s.db.Reader()}).WorkflowNamed(ctx, mode, name)
	if err == nil {
		s.published.put(of, v, changes)
	}
	return v, err
}
