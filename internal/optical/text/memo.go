package text

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"sync"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// memo keeps what a reader of lines made of each crop of one page: several looks at a page cut the same line in the same way. Its nil keeps nothing.
// It is safe for concurrent use.
type memo struct {
	mu   sync.Mutex
	seen map[cropKey]looked
}

// cropKey tells crops apart, and what was known before they were read.
type cropKey struct {
	pixels [sha256.Size]byte
	frames bool // all that the reader said is kept, too
}

func keyOf(crop *imaging.Gray, known Marks, frames bool) cropKey {
	h := sha256.New()
	h.Write(fmt.Appendln(nil, crop.W, crop.H, known.stands, known.rare))
	h.Write(crop.Pix)
	return cropKey{pixels: [sha256.Size]byte(h.Sum(nil)), frames: frames}
}

// find returns what was made of a crop before.
func (m *memo) find(k cropKey) (looked, bool) {
	if m == nil {
		return looked{}, false
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	l, ok := m.seen[k]
	l.Chars, l.At = slices.Clone(l.Chars), slices.Clone(l.At) // readers change their own
	return l, ok
}

// keep keeps what was made of a crop.
func (m *memo) keep(k cropKey, l looked) {
	if m == nil {
		return
	}
	l.Chars, l.At = slices.Clone(l.Chars), slices.Clone(l.At)
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.seen == nil {
		m.seen = map[cropKey]looked{}
	}
	m.seen[k] = l
}
