package ocr

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Chain is a line of glyphs at one pitch.
type Chain struct {
	Strip  Strip
	Glyphs int
}

// Blob is one connected piece of ink.
type Blob struct {
	X, Y float64 // middle of its box
	Size float64 // longer side of its box
	used bool
}

// Chains are sought as glyphs of one size that stand in a straight line at one pitch. Nothing else on a page or a desk does for
// so long, whichever way it lies.
const (
	chainGlyphs = 12   // glyphs that make a chain
	chainFilled = 0.7  // part of a chain's places that show a glyph
	chainLong   = 64   // glyphs of the longest chain: no machine-readable line has more
	glyphNear   = 0.30 // parts of a pitch by which a glyph may be off its place along the line
	glyphOff    = 0.22 // … and across it
	glyphWide   = 0.55 // pitches that a neighbour is apart, in sizes of a glyph: least
	glyphFar    = 2.3  // … and most; a filler is lower than a letter
	pitchLeast  = 0.7  // pitches of OCR-B, in heights of a letter: 1.06, a little blurred or seen from the side
	PitchMost   = 1.6
	pitchEven   = 0.14 // parts of a pitch by which glyphs are off their places on average
	chainGap    = 3    // places in a row that may show nothing
)

// ChainsIn returns the chains of at least 12 glyphs of any ink in a picture, in its pixels.
func ChainsIn(g *imaging.Gray) []Chain {
	found, _ := FindChains(FindBlobs(g, AnyInk), g.W, g.H, chainGlyphs)
	return found
}

// FindChains returns the chains of at least so many of the glyphs of a w by h picture. The second result is false, and the
// first empty, where the search was given up.
func FindChains(blobs []Blob, w, h, least int) ([]Chain, bool) {
	s := newSearch(slices.Clone(blobs), w, h, least)
	found := s.chains()
	return found, s.left > 0
}

// chains returns the chains of all blobs, none of which is in two; none at all where the search was given up.
func (s *search) chains() []Chain {
	var out []Chain
	for i := range s.blobs {
		if s.left <= 0 {
			return nil
		}
		if s.blobs[i].used {
			continue
		}
		if c, members := s.from(i); len(members) >= s.least {
			for _, m := range members {
				s.blobs[m].used = true
			}
			out = append(out, c)
		}
	}
	return out
}

// search finds blobs by their place, on a grid.
type search struct {
	blobs  []Blob
	across int
	cells  [][]int32
	near   []int32
	least  int // glyphs that make a chain
	left   int // glyphs that may still be looked for
}

// searchMost bounds the steps of a search. A page takes some tens of thousands; the dots of a print or of cloth, which line up
// in every direction, take a hundred times as many. The search is then given up, and text detection takes over.
const searchMost = 400_000

const searchCell = 16

func newSearch(blobs []Blob, w, h, least int) *search {
	s := &search{blobs: blobs, across: w/searchCell + 1, least: least, left: searchMost}
	s.cells = make([][]int32, s.across*(h/searchCell+1))
	for i, b := range blobs {
		k := int(b.Y)/searchCell*s.across + int(b.X)/searchCell
		s.cells[k] = append(s.cells[k], int32(i))
	}
	return s
}

// around returns the blobs within reach of a place. The slice is valid until the next call.
func (s *search) around(x, y, reach float64) []int32 {
	s.near = s.near[:0]
	down := len(s.cells) / s.across
	for cy := max(0, int(y-reach)/searchCell); cy <= min(down-1, int(y+reach)/searchCell); cy++ {
		for cx := max(0, int(x-reach)/searchCell); cx <= min(s.across-1, int(x+reach)/searchCell); cx++ {
			s.near = append(s.near, s.cells[cy*s.across+cx]...)
		}
	}
	return s.near
}

// from returns the longest chain through a blob and one of its neighbours, followed both ways.
func (s *search) from(seed int) (Chain, []int32) {
	b := s.blobs[seed]
	var best []int32
	next := slices.Clone(s.around(b.X, b.Y, glyphFar*b.Size))
	for _, j := range next {
		o := s.blobs[j]
		if int(j) == seed || o.used || !alike(b, o) {
			continue
		}
		dx, dy := o.X-b.X, o.Y-b.Y
		size := math.Max(b.Size, o.Size)
		if d := math.Hypot(dx, dy); d < glyphWide*size || d > glyphFar*math.Min(b.Size, o.Size) || d > 2*size {
			continue
		}
		ahead := s.follow([]int32{int32(seed), j})
		if len(ahead) < 4 {
			continue
		}
		slices.Reverse(ahead)
		if all := s.follow(ahead); len(all) > len(best) {
			best = all
		}
	}
	if len(best) < s.least {
		return Chain{}, nil
	}
	c, ok := s.chainOf(best)
	if !ok {
		return Chain{}, nil
	}
	return c, best
}

// alike reports whether two blobs can be glyphs of one line: a filler is lower than a letter, an I narrower than an M.
func alike(a, b Blob) bool {
	return math.Max(a.Size, b.Size) <= 2*math.Min(a.Size, b.Size)
}

// follow extends a chain of at least two members beyond its last, as long as glyphs are where the pitch predicts them.
func (s *search) follow(members []int32) []int32 {
	missing := 0
	for len(members) < chainLong && s.left > 0 {
		s.left--
		n := len(members)
		last := s.blobs[members[n-1]]
		back := min(n-1, 5)
		from := s.blobs[members[n-1-back]]
		steps := s.steps(members[n-1-back:])
		vx, vy := (last.X-from.X)/steps, (last.Y-from.Y)/steps
		j := int32(-1)
		for skip := 1; skip <= chainGap && j < 0; skip++ {
			if skip > 1 && (n < 6 || missing+skip-1 > n/3) {
				break
			}
			if j = s.at(last.X+float64(skip)*vx, last.Y+float64(skip)*vy, vx, vy, last); j >= 0 {
				missing += skip - 1
			}
		}
		if j < 0 || slices.Contains(members, j) {
			return members
		}
		members = append(members, j)
	}
	return members
}

// steps returns the number of pitches from the first of a few members to the last. The smallest distance counts as one.
func (s *search) steps(members []int32) float64 {
	least := math.Inf(1)
	for i := 1; i < len(members); i++ {
		a, b := s.blobs[members[i-1]], s.blobs[members[i]]
		least = math.Min(least, math.Hypot(b.X-a.X, b.Y-a.Y))
	}
	total := 0.0
	for i := 1; i < len(members); i++ {
		a, b := s.blobs[members[i-1]], s.blobs[members[i]]
		total += math.Max(1, math.Round(math.Hypot(b.X-a.X, b.Y-a.Y)/math.Max(1e-6, least)*.9))
	}
	return math.Max(1, total)
}

// at returns the blob nearest to a place, within what the pitch allows, or -1.
func (s *search) at(x, y, vx, vy float64, like Blob) int32 {
	pitch := math.Hypot(vx, vy)
	if pitch < 1 {
		return -1
	}
	best, nearest := int32(-1), math.Inf(1)
	for _, j := range s.around(x, y, glyphNear*pitch+1) {
		o := s.blobs[j]
		if o.used || !alike(o, like) {
			continue
		}
		along := math.Abs((o.X-x)*vx+(o.Y-y)*vy) / pitch
		across := math.Abs((o.X-x)*vy-(o.Y-y)*vx) / pitch
		if d := along + across; along <= glyphNear*pitch+.5 && across <= glyphOff*pitch+.5 && d < nearest {
			best, nearest = j, d
		}
	}
	return best
}

// chainOf fits a strip to the members. It is false where they are too uneven or too sparse, or their pitch is not that of
// OCR-B.
func (s *search) chainOf(members []int32) (Chain, bool) {
	first, last := s.blobs[members[0]], s.blobs[members[len(members)-1]]
	along := Between(imaging.Point{X: first.X, Y: first.Y}, imaging.Point{X: last.X, Y: last.Y}, 1, 1)
	gaps := make([]float64, 0, len(members)-1)
	for i := 1; i < len(members); i++ {
		a, b := s.blobs[members[i-1]], s.blobs[members[i]]
		gaps = append(gaps, math.Hypot(b.X-a.X, b.Y-a.Y))
	}
	pitch := middleOf(gaps)
	uneven := 0.0
	for _, gap := range gaps {
		uneven += math.Abs(gap/math.Max(1, math.Round(gap/pitch))/pitch-1) / float64(len(gaps))
	}
	sizes := make([]float64, len(members))
	for i, m := range members {
		sizes[i] = s.blobs[m].Size
	}
	slices.Sort(sizes)
	high := sizes[len(sizes)*3/4] // of a letter: fillers are lower
	if !(uneven < pitchEven) || pitch < pitchLeast*high || pitch > PitchMost*high || float64(len(members)) < chainFilled*(along.Length/pitch+1) {
		return Chain{}, false
	}
	// The middles of glyphs scatter about the line: a least-squares line through them lies better than its ends.
	var sa, sd, saa, sad float64
	for _, m := range members {
		a, d := along.Locate(imaging.Point{X: s.blobs[m].X, Y: s.blobs[m].Y})
		sa, sd, saa, sad = sa+a, sd+d, saa+a*a, sad+a*d
	}
	n := float64(len(members))
	slope := (n*sad - sa*sd) / math.Max(1e-9, n*saa-sa*sa)
	offset := (sd - slope*sa) / n
	half := along.Length/2 + pitch/2
	strip := Between(along.At(-half, offset-slope*half), along.At(half, offset+slope*half), CropHeight*pitch, 1)
	return Chain{Strip: strip, Glyphs: len(members)}, true
}

// middleOf returns the upper median, 0 for no values.
func middleOf(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}
