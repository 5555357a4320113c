package gallery

import (
	"cmp"
	"math"
	"math/bits"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// shelfSize is how many codes lie on a shelf: 2 MiB of numbers.
const shelfSize = 4096

// shelf is one place where codes lie. It is allocated once, never moved, and overwritten where a code is erased: its first three arrays are
// all that there is of codes in memory.
type shelf struct {
	signs    [shelfSize * words]uint64 // the signs of each code
	values   [shelfSize * Length]int8  // its numbers
	inverses [shelfSize]float32        // 1 over its length
	entries  [shelfSize]Entry          // whose it is
}

func (s *shelf) put(at int, e Entry, c *Code, signs *[words]uint64, inverse float32) {
	copy(s.signs[at*words:], signs[:])
	copy(s.values[at*Length:], c[:])
	s.inverses[at], s.entries[at] = inverse, e
}

func (s *shelf) clear(at int) {
	clear(s.signs[at*words : (at+1)*words])
	clear(s.values[at*Length : (at+1)*Length])
	s.inverses[at], s.entries[at] = 0, 0
}

// Entry numbers a code in its gallery.
type Entry int64

// Gallery holds codes. It is safe for concurrent use.
type Gallery struct {
	mu      sync.RWMutex
	shelves []*shelf
	count   int
	known   numbers // the entries; finding the place of one takes a millisecond among a million
}

// New returns an empty gallery.
func New() *Gallery { return &Gallery{known: numbers{}} }

// numbers is a set of entries, a bit each.
type numbers map[Entry]*[numbersWords]uint64

const (
	numbersWords = 1 << 10
	numbersPage  = numbersWords * 64
)

func (n numbers) has(e Entry) bool {
	page := n[e/numbersPage]
	return page != nil && page[e%numbersPage/64]>>(e%64)&1 == 1
}

func (n numbers) add(e Entry) {
	if n[e/numbersPage] == nil {
		n[e/numbersPage] = new([numbersWords]uint64)
	}
	n[e/numbersPage][e%numbersPage/64] |= 1 << (e % 64)
}

func (n numbers) remove(e Entry) { n[e/numbersPage][e%numbersPage/64] &^= 1 << (e % 64) }

// place is where an entry lies that is known.
func (g *Gallery) place(e Entry) int {
	for i, s := range g.shelves {
		if at := slices.Index(s.entries[:min(shelfSize, g.count-i*shelfSize)], e); at >= 0 {
			return i*shelfSize + at
		}
	}
	return -1
}

// Len is how many codes there are.
func (g *Gallery) Len() int {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return g.count
}

// Memory is how many bytes the codes take, with the places that are free.
func (g *Gallery) Memory() int64 {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return int64(len(g.shelves)) * shelfSize * (words*8 + Length + 4 + 8)
}

// Put adds a code, or replaces the one of that number.
func (g *Gallery) Put(e Entry, c *Code) {
	signs, inverse := signsOf(c), inverse(c) // while others hold the lock
	g.mu.Lock()
	defer g.mu.Unlock()
	at := g.count
	if g.known.has(e) {
		at = g.place(e)
	} else {
		if at == len(g.shelves)*shelfSize {
			g.shelves = append(g.shelves, &shelf{})
		}
		g.known.add(e)
		g.count++
	}
	g.shelves[at/shelfSize].put(at%shelfSize, e, c, &signs, inverse)
}

// Erase overwrites a code with zeros before it returns; false if there is none of that number. The last code moves to the place that is
// free, and its own is overwritten: what is left is as if the code had never been there.
func (g *Gallery) Erase(e Entry) bool {
	g.mu.Lock()
	defer g.mu.Unlock()
	if !g.known.has(e) {
		return false
	}
	g.eraseAt(g.place(e))
	return true
}

// eraseAt erases the code at a place. The caller has the lock.
func (g *Gallery) eraseAt(at int) {
	last := g.count - 1
	from, to := g.shelves[last/shelfSize], g.shelves[at/shelfSize]
	g.known.remove(to.entries[at%shelfSize])
	if at != last {
		i, j := last%shelfSize, at%shelfSize
		copy(to.signs[j*words:(j+1)*words], from.signs[i*words:])
		copy(to.values[j*Length:(j+1)*Length], from.values[i*Length:])
		to.inverses[j], to.entries[j] = from.inverses[i], from.entries[i]
	}
	from.clear(last % shelfSize)
	if g.count = last; last%shelfSize == 0 {
		g.shelves[len(g.shelves)-1] = nil
		g.shelves = g.shelves[:len(g.shelves)-1]
	}
}

// shelvesAtOnce is how many shelves EraseAll goes through before it lets searches on: less than a millisecond.
const shelvesAtOnce = 16

// EraseAll does what Erase does, for many codes in one walk along the shelves, and returns how many there were. Searches go on meanwhile:
// one that begins before it returns may still meet a code that goes.
func (g *Gallery) EraseAll(entries []Entry) int {
	going := numbers{}
	for _, e := range entries {
		going.add(e)
	}
	erased := 0
	for g.holdsAny(entries) { // once, unless an Erase meanwhile moves a code to a shelf that was passed
		for first, more := 0, true; more; first += shelvesAtOnce {
			var n int
			n, more = g.eraseOn(first, going)
			erased += n
		}
	}
	return erased
}

// holdsAny reports whether a code of those numbers is there.
func (g *Gallery) holdsAny(entries []Entry) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	return slices.ContainsFunc(entries, g.known.has)
}

// eraseOn erases what goes on some shelves, and reports whether there are more.
func (g *Gallery) eraseOn(first int, going numbers) (erased int, more bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	var page *[numbersWords]uint64
	of := Entry(-1) // numbers are mostly in order, so that most are of one page
	for at := first * shelfSize; at < min(g.count, (first+shelvesAtOnce)*shelfSize); {
		e := g.shelves[at/shelfSize].entries[at%shelfSize]
		if e/numbersPage != of {
			of = e / numbersPage
			page = going[of]
		}
		if page == nil || page[e%numbersPage/64]>>(e%64)&1 == 0 {
			at++
			continue
		}
		g.eraseAt(at) // and looks at what came in its place
		erased++
	}
	return erased, first+shelvesAtOnce < len(g.shelves)
}

// Clear overwrites every code with zeros before it returns.
func (g *Gallery) Clear() {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, s := range g.shelves {
		*s = shelf{}
	}
	g.shelves, g.count, g.known = nil, 0, numbers{}
}

// Holds reports whether bytes of a code lie in the gallery's memory: the arrays of every shelf are searched, used places and free ones.
// It is how erasing is proved.
func (g *Gallery) Holds(c *Code) bool {
	g.mu.RLock()
	defer g.mu.RUnlock()
	signs := signsOf(c)
	for _, s := range g.shelves {
		for at := range shelfSize {
			if slices.Equal(s.signs[at*words:(at+1)*words], signs[:]) || slices.Equal(s.values[at*Length:(at+1)*Length], c[:]) {
				return true
			}
		}
	}
	return false
}

// Hit is a code that is alike.
type Hit struct {
	Entry      Entry
	Similarity float64 // cosine, −1 to 1
}

// slack is by how many standard deviations the signs of a pair may differ more than is expected at the similarity sought: of pairs that are
// exactly as alike as that, 2 in 10 000 are missed, of those more alike fewer.
const slack = 3.5

// mostSigns is the distance of signs up to which a code is compared in full. Two turned templates at an angle differ in each sign with the
// probability angle/π.
func mostSigns(similarity float64) int {
	p := math.Acos(math.Max(-1, math.Min(1, similarity))) / math.Pi
	return int(math.Ceil(Length*p + slack*math.Sqrt(Length*p*(1-p))))
}

// Search returns the codes whose similarity to c is at least that, but for the entries left out, the most alike first and at most most,
// and how many there are in all. It looks at every code.
func (g *Gallery) Search(c *Code, similarity float64, most int, without ...Entry) (hits []Hit, all int) {
	g.mu.RLock()
	defer g.mu.RUnlock()
	q := query{code: wideOf(c), signs: signsOf(c), inverse: inverse(c), least: similarity, distance: mostSigns(similarity)}
	defer func() { q = query{} }()
	var next atomic.Int64
	var wg sync.WaitGroup
	found := make([][]Hit, min(runtime.GOMAXPROCS(0), mostScans, len(g.shelves)))
	for i := range found {
		wg.Go(func() {
			for {
				at := int(next.Add(1)) - 1
				if at >= len(g.shelves) {
					return
				}
				first := at * shelfSize
				found[i] = q.scan(found[i], g.shelves[at], g.shelves[at].entries[:min(shelfSize, g.count-first)])
			}
		})
	}
	wg.Wait()
	for _, f := range found {
		hits = append(hits, f...)
	}
	hits = slices.DeleteFunc(hits, func(h Hit) bool { return slices.Contains(without, h.Entry) })
	slices.SortFunc(hits, func(a, b Hit) int {
		return cmp.Or(cmp.Compare(b.Similarity, a.Similarity), cmp.Compare(a.Entry, b.Entry))
	})
	return hits[:min(most, len(hits))], len(hits)
}

// mostScans bounds how many processors one search takes.
const mostScans = 4

// query is what is looked for.
type query struct {
	code     wide
	signs    [words]uint64
	inverse  float32
	least    float64
	distance int
}

// scan adds the hits of one shelf.
func (q *query) scan(hits []Hit, s *shelf, entries []Entry) []Hit {
	for at, e := range entries {
		w := s.signs[at*words : at*words+words : at*words+words]
		d := bits.OnesCount64(w[0]^q.signs[0]) + bits.OnesCount64(w[1]^q.signs[1]) + bits.OnesCount64(w[2]^q.signs[2]) +
			bits.OnesCount64(w[3]^q.signs[3]) + bits.OnesCount64(w[4]^q.signs[4]) + bits.OnesCount64(w[5]^q.signs[5]) +
			bits.OnesCount64(w[6]^q.signs[6]) + bits.OnesCount64(w[7]^q.signs[7])
		if d > q.distance {
			continue
		}
		alike := float64(q.code.dot((*[Length]int8)(s.values[at*Length:]))) * float64(q.inverse) * float64(s.inverses[at])
		if alike >= q.least {
			hits = append(hits, Hit{Entry: e, Similarity: math.Min(1, alike)})
		}
	}
	return hits
}
