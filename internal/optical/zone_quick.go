package optical

import (
	"context"
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How a zone is found without text detection: as glyphs of one size that stand in a straight line at one pitch. Nothing
// else on a page or a desk does for so long, whichever way it lies.
const (
	quickSide   = 900  // least longest side of the copy that is searched; twice that where nothing was found
	quickMost   = 8    // chains that are read in search of the zone, those of most glyphs first
	quickSecond = 0.5  // part of the glyphs of a zone's chain that another zone's must have
	quickGlyphs = 12   // glyphs that make a chain
	quickFilled = 0.7  // part of a chain's places that show a glyph
	quickAround = 12   // pixels round one that tell whether it is ink
	quickLevels = 7    // grey levels by which ink is darker than its surroundings, and a tenth (quickInk) of theirs
	quickLow    = 4    // pixels of a glyph's longer side
	quickHigh   = 56   // …
	quickNear   = 0.30 // parts of a pitch by which a glyph may be off its place along the line
	quickOff    = 0.22 // … and across it
	quickWide   = 0.55 // pitches that a neighbour is apart, in sizes of a glyph: least
	quickFar    = 2.3  // … and most; a filler is lower than a letter
	quickTight  = 0.7  // pitches of OCR-B, in heights of a letter: 1.06, a little blurred or seen from the side
	quickLoose  = 1.6
	quickEven   = 0.14 // parts of a pitch by which glyphs are off their places on average
	quickGap    = 3    // places in a row that may show nothing
)

// findZoneQuick looks for the zone by its glyphs, and is nil where it finds none that is whole. It costs a fraction of
// text detection and does not mind how the page lies.
func findZoneQuick(ctx context.Context, r lineReader, img *imaging.Photo) (*zone, error) {
	longest := max(img.W, img.H)
	for _, side := range [2]int{quickSide, 2 * quickSide} {
		small, scale := img.Halved(side)
		z, err := zoneOfChains(ctx, r, img, findChains(small.Gray()), scale)
		if err != nil || z != nil {
			return z, err
		}
		if longest < 2*side { // the next copy would be the same
			break
		}
	}
	return nil, nil //nolint:nilnil // no zone, which is no failure
}

// zoneOfChains reads the chains of most glyphs and builds zones round those that look like machine-readable lines. Where
// there are several, the largest counts: it is of the document that fills most of the picture.
func zoneOfChains(ctx context.Context, r lineReader, img *imaging.Photo, chains []chain, scale float64) (*zone, error) {
	slices.SortStableFunc(chains, func(a, b chain) int { return b.glyphs - a.glyphs })
	rows := make([]row, len(chains))
	for i, c := range chains {
		rows[i] = row{strip: c.strip.scaled(1 / scale)}
	}
	var found []*zone
	var alike []glance
	most := 0 // glyphs of the chain round which the first zone was found
	for i, w := range rows[:min(len(rows), quickMost)] {
		if slices.ContainsFunc(found, func(z *zone) bool { return z.near(w.strip) }) {
			continue
		}
		if float64(chains[i].glyphs) < quickSecond*float64(most) {
			break
		}
		anchor, err := lookBothWays(ctx, r, img, padded(w.strip))
		if err != nil {
			return nil, err
		}
		another := anchor.another()
		if anchor.like < zoneAnchor || len(found) > 0 && !another {
			continue // once there is a zone, little else is worth a closer look
		}
		z, err := growZone(ctx, r, img, rows, anchor)
		if err == nil && z.promises() {
			z, err = z.completed(ctx, r, img)
		}
		if err != nil {
			return nil, err
		}
		switch {
		case z.whole():
			found = append(found, z)
			most = max(most, chains[i].glyphs)
		case another:
			alike = append(alike, anchor)
		}
	}
	if len(found) == 0 {
		return nil, nil //nolint:nilnil // no zone, which is no failure
	}
	best := slices.MaxFunc(found, func(a, b *zone) int { return cmpFloat(a.rows[0].strip.length, b.rows[0].strip.length) })
	best.against(found)
	best.besides(alike)
	return best, nil
}

// surely reports whether a row can be nothing but a machine-readable line that is read the right way up: seen upside down,
// 103 lines of generated documents and of passporteye-27 showed one filler at most.
func (g glance) surely() bool {
	return g.like >= zoneSure && strings.Count(text(g.glyphs), "<") >= zoneFillers
}

// another reports whether a row is a line of a second document's zone, which a stamp may cover in part. On
// 130 generated pictures of one document (seeds from 70001) no other row with two fillers was more like one than .21; rows of
// zones that a stamp covers in part were .68 and more.
func (g glance) another() bool {
	return g.like >= zoneOther && strings.Count(text(g.glyphs), "<") >= zoneOtherFillers
}

// lookBothWays reads a strip as it lies and, where that leaves a doubt, upside down, and gives the likelier.
func lookBothWays(ctx context.Context, r lineReader, img *imaging.Photo, s strip) (glance, error) {
	g, err := look(ctx, r, img, s)
	if err != nil {
		return glance{}, err
	}
	if g.surely() {
		return g, nil
	}
	f, err := look(ctx, r, img, s.flipped())
	if err != nil || f.like > g.like {
		return f, err
	}
	return g, nil
}

// chain is a run of glyphs at one pitch.
type chain struct {
	strip  strip
	glyphs int
}

// blob is one connected piece of ink.
type blob struct {
	x, y float64 // middle of its box
	size float64 // longer side of its box
	used bool
}

// findChains finds lines of glyphs at one pitch, in pixels of the picture.
func findChains(g *imaging.Gray) []chain {
	return newSearch(findBlobs(g, anyInk), g.W, g.H, quickGlyphs).chains()
}

// chains are those of all blobs; none where looking for them was given up.
func (s *search) chains() []chain {
	var out []chain
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

// search finds blobs by place.
type search struct {
	blobs  []blob
	across int
	cells  [][]int32
	near   []int32
	least  int // glyphs that make a chain
	left   int // glyphs that may still be looked for
}

// quickLooks bounds the search. A page asks for some tens of thousands of glyphs; the dots of a print or of a cloth, which
// line up in every direction, for a hundred times as many. Then nothing was found, and text detection has to.
const quickLooks = 400_000

const searchCell = 16

func newSearch(blobs []blob, w, h, least int) *search {
	s := &search{blobs: blobs, across: w/searchCell + 1, least: least, left: quickLooks}
	s.cells = make([][]int32, s.across*(h/searchCell+1))
	for i, b := range blobs {
		k := int(b.y)/searchCell*s.across + int(b.x)/searchCell
		s.cells[k] = append(s.cells[k], int32(i))
	}
	return s
}

// around lists the blobs within reach of a place. The list is valid until the next call.
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

// from is the longest chain that begins with a blob and one of its neighbours, and goes both ways.
func (s *search) from(seed int) (chain, []int32) {
	b := s.blobs[seed]
	var best []int32
	next := slices.Clone(s.around(b.x, b.y, quickFar*b.size))
	for _, j := range next {
		o := s.blobs[j]
		if int(j) == seed || o.used || !alike(b, o) {
			continue
		}
		dx, dy := o.x-b.x, o.y-b.y
		size := math.Max(b.size, o.size)
		if d := math.Hypot(dx, dy); d < quickWide*size || d > quickFar*math.Min(b.size, o.size) || d > 2*size {
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
		return chain{}, nil
	}
	c, ok := s.chainOf(best)
	if !ok {
		return chain{}, nil
	}
	return c, best
}

// alike reports whether two blobs can be glyphs of one line: a filler is lower than a letter, an I narrower than an M.
func alike(a, b blob) bool {
	return math.Max(a.size, b.size) <= 2*math.Min(a.size, b.size)
}

// follow goes on from the last of a chain of at least two, as long as glyphs stand where the pitch says.
func (s *search) follow(members []int32) []int32 {
	missing := 0
	for len(members) < longestID && s.left > 0 {
		s.left--
		n := len(members)
		last := s.blobs[members[n-1]]
		back := min(n-1, 5)
		from := s.blobs[members[n-1-back]]
		steps := s.steps(members[n-1-back:])
		vx, vy := (last.x-from.x)/steps, (last.y-from.y)/steps
		j := int32(-1)
		for skip := 1; skip <= quickGap && j < 0; skip++ {
			if skip > 1 && (n < 6 || missing+skip-1 > n/3) {
				break
			}
			if j = s.at(last.x+float64(skip)*vx, last.y+float64(skip)*vy, vx, vy, last); j >= 0 {
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

// steps is how many pitches lie between the first and the last of a few members: the smallest distance is one.
func (s *search) steps(members []int32) float64 {
	least := math.Inf(1)
	for i := 1; i < len(members); i++ {
		a, b := s.blobs[members[i-1]], s.blobs[members[i]]
		least = math.Min(least, math.Hypot(b.x-a.x, b.y-a.y))
	}
	total := 0.0
	for i := 1; i < len(members); i++ {
		a, b := s.blobs[members[i-1]], s.blobs[members[i]]
		total += math.Max(1, math.Round(math.Hypot(b.x-a.x, b.y-a.y)/math.Max(1e-6, least)*.9))
	}
	return math.Max(1, total)
}

// at is the blob nearest to a place, within what a pitch allows, or -1.
func (s *search) at(x, y, vx, vy float64, like blob) int32 {
	pitch := math.Hypot(vx, vy)
	if pitch < 1 {
		return -1
	}
	best, nearest := int32(-1), math.Inf(1)
	for _, j := range s.around(x, y, quickNear*pitch+1) {
		o := s.blobs[j]
		if o.used || !alike(o, like) {
			continue
		}
		along := math.Abs((o.x-x)*vx+(o.y-y)*vy) / pitch
		across := math.Abs((o.x-x)*vy-(o.y-y)*vx) / pitch
		if d := along + across; along <= quickNear*pitch+.5 && across <= quickOff*pitch+.5 && d < nearest {
			best, nearest = j, d
		}
	}
	return best
}

// chainOf fits a strip to the members, from one end to the other.
func (s *search) chainOf(members []int32) (chain, bool) {
	first, last := s.blobs[members[0]], s.blobs[members[len(members)-1]]
	along := between(imaging.Point{X: first.x, Y: first.y}, imaging.Point{X: last.x, Y: last.y}, 1, 1)
	gaps := make([]float64, 0, len(members)-1)
	for i := 1; i < len(members); i++ {
		a, b := s.blobs[members[i-1]], s.blobs[members[i]]
		gaps = append(gaps, math.Hypot(b.x-a.x, b.y-a.y))
	}
	pitch := median(gaps)
	uneven := 0.0
	for _, gap := range gaps {
		uneven += math.Abs(gap/math.Max(1, math.Round(gap/pitch))/pitch-1) / float64(len(gaps))
	}
	sizes := make([]float64, len(members))
	for i, m := range members {
		sizes[i] = s.blobs[m].size
	}
	slices.Sort(sizes)
	high := sizes[len(sizes)*3/4] // of a letter: fillers are lower
	if !(uneven < quickEven) || pitch < quickTight*high || pitch > quickLoose*high || float64(len(members)) < quickFilled*(along.length/pitch+1) {
		return chain{}, false
	}
	// The middles of glyphs scatter about the line: a least-squares line through them lies better than its ends.
	var sa, sd, saa, sad float64
	for _, m := range members {
		a, d := along.locate(imaging.Point{X: s.blobs[m].x, Y: s.blobs[m].y})
		sa, sd, saa, sad = sa+a, sd+d, saa+a*a, sad+a*d
	}
	n := float64(len(members))
	slope := (n*sad - sa*sd) / math.Max(1e-9, n*saa-sa*sa)
	offset := (sd - slope*sa) / n
	half := along.length/2 + pitch/2
	strip := between(along.at(-half, offset-slope*half), along.at(half, offset+slope*half), cropHeight*pitch, 1)
	return chain{strip: strip, glyphs: len(members)}, true
}
