package barcode

import (
	"context"
	"math"
	"slices"
	"sort"

	zxing "github.com/ericlevine/zxinggo"
	"github.com/ericlevine/zxinggo/bitutil"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// This file reads a PDF417 softly: nothing is made black or white. Where the guard patterns are, how many rows there are
// and which codeword a place shows are each decided by what the brightness resembles most, all lines of a row taken
// together, and what stays doubtful is left to the error correction as erased. It reads codes whose modules are blurred
// into each other or scratched, which a decoder of black and white runs cannot.

const (
	patchWidest = 1000 // pixels
	patchLeast  = 40
)

// Margins around a region, as parts of its sides, and above and below also of its width: the ends of a large code have
// too few edges to be noticed, and the rows of a wide one may run slantwise.
var margins = []struct{ x, y, slant float64 }{{.04, 0, .03}, {.3, .1, .06}}

// readStacked looks for a PDF417 in the regions, whose bars follow each other along the tops of their quads, either way
// round. found tells that there seems to be one, read or not.
func readStacked(ctx context.Context, g *imaging.Gray, in []region) (c Code, found, ok bool) {
	for _, m := range margins {
		var frames []frame
		for _, r := range in {
			q := r.quad
			w, h := (side(q[0], q[1])+side(q[3], q[2]))/2, (side(q[0], q[3])+side(q[1], q[2]))/2
			more := framesUnder(g, grow(q, m.x, m.y+m.slant*w/math.Max(h, 1)))
			if len(more) > 0 && more[0].score > clearFrame {
				if c, ok := more[0].read(g); ok {
					return c, true, true
				}
				found, more = true, more[1:]
			}
			frames = append(frames, more...)
		}
		// Of what is left the likeliest first: other bars on a card must not cost much.
		sort.SliceStable(frames, func(i, j int) bool { return frames[i].score > frames[j].score })
		for _, f := range frames[:min(len(frames), mostFrames)] {
			if ctx.Err() != nil {
				return Code{}, found, false
			}
			if f.score < hopeless {
				break
			}
			if c, ok := f.read(g); ok {
				return c, true, true
			}
			found = found || f.score > likelyFrame
		}
		if len(frames) == 0 || frames[0].score < hopeless {
			// The ends of a code that fills the picture may lie outside its region.
			in = slices.DeleteFunc(slices.Clone(in), func(r region) bool { return !r.fills(g) })
		}
	}
	return Code{}, found, false
}

// likelyFrame is the score of a frame that is hardly by chance.
const likelyFrame = 0.45 * 2 * bandCount

// hopeless is the score of a frame that is not worth reading; where the best one has it, a wider look finds nothing either.
const hopeless = 0.25 * 2 * bandCount

// clearFrame is the score of a frame that is read before others are looked for.
const clearFrame = 0.6 * 2 * bandCount

// sureFrame is the score of a frame, of both guard patterns in every band, that leaves no doubt which way a code lies.
const sureFrame = 0.75 * 2 * bandCount

// framesUnder finds frames under the quad, either way round; their corners are those of the picture.
func framesUnder(g *imaging.Gray, q imaging.Quad) []frame {
	across, down := (side(q[0], q[1])+side(q[3], q[2]))/2, (side(q[0], q[3])+side(q[1], q[2]))/2
	scale := math.Min(1, patchWidest/across)
	w, h := int(across*scale+.5), int(down*scale+.5)
	if w < patchLeast || h < bandCount || h > 2*patchWidest {
		return nil
	}
	lines := stripesOf(g.Warp(q, w, h))
	back := projection(q, float64(w), float64(h))
	home := func(in []frame, turned bool) []frame {
		for k := range in {
			for j, q := range in[k].quads {
				for i, p := range q {
					if turned {
						p = imaging.Point{X: float64(w) - p.X, Y: float64(h) - p.Y}
					}
					in[k].quads[j][i] = back(p)
				}
			}
		}
		return in
	}
	out := home(lines.frames(), false)
	if len(out) == 0 || out[0].score < sureFrame {
		out = append(out, home(lines.turned().frames(), true)...)
	}
	sort.SliceStable(out, func(i, j int) bool { return out[i].score > out[j].score })
	return out[:min(len(out), mostFrames)]
}

// read tries the numbers of columns that the frame's width allows, the nearest first; a code that says another number
// itself has its way.
func (f frame) read(g *imaging.Gray) (Code, bool) {
	for _, quad := range f.quads {
		if c, ok := f.readUnder(g, quad); ok {
			return c, true
		}
	}
	return Code{}, false
}

func (f frame) readUnder(g *imaging.Gray, quad imaging.Quad) (Code, bool) {
	tried := map[int]bool{}
	near := int(math.Round(f.columns))
	for _, columns := range []int{near, near + sign(f.columns-float64(near)), near - sign(f.columns-float64(near))} {
		for columns >= 1 && columns <= mostColumns && !tried[columns] {
			tried[columns] = true
			c, says, ok := f.readAs(g, quad, columns)
			if ok {
				c.Quad = quad
				return c, true
			}
			if math.Abs(float64(says)-f.columns) > 2 {
				break
			}
			columns = says
		}
	}
	return Code{}, false
}

func sign(v float64) int {
	if v < 0 {
		return -1
	}
	return 1
}

// readAs reads the frame as a code of so many columns; says is how many columns the code claims, 0 if it does not tell.
func (f frame) readAs(g *imaging.Gray, quad imaging.Quad, columns int) (c Code, says int, ok bool) {
	grid := newGrid(g, quad, columns, f.height/f.module)
	soft, like := grid.softness()
	if like < leastStart {
		return Code{}, 0, false
	}
	of := templatesOf(soft)
	in := grid.indicators(of)
	for _, s := range in.shapes() {
		if s.columns != columns {
			if says == 0 {
				says = s.columns
			}
			continue
		}
		words, ok := grid.words(s, in, of)
		if !ok {
			continue
		}
		if c, ok := spell(words, s); ok {
			return c, columns, true
		}
	}
	return Code{}, says, false
}

// softness judges the lens by the start pattern, which is the same everywhere, and answers how much it resembles it.
func (c *grid) softness() (softness, float32) {
	v := c.at(0, float64(c.lines-1), 0)
	bits := uint32(0)
	for i, n := range startRuns {
		for range n {
			bits = bits<<1 | uint32(1-i%2)
		}
	}
	most, arg := float32(-2), softness(0)
	for s, by := range softnesses {
		t := soften(bits, by)
		if like := v.dot(&t); like > most {
			most, arg = like, softness(s)
		}
	}
	return arg, most
}

// leastStart is how much the first column of a grid must resemble the start pattern.
const leastStart = 0.6

// cellReach is the part of a row's height, to either side of its middle, that is looked at.
const cellReach = 0.3

// badIndicator is the likeness of a side's row indicators below which the other side's rows are taken for both.
const badIndicator = 0.35

// words reads every cell and corrects what was read.
func (c *grid) words(s shape, in indicated, of *[3][929]vector) ([]int, bool) {
	left, right := in.follow(0, s, of), in.follow(1, s, of)
	if max(left.like, right.like) < badIndicator {
		return nil, false
	}
	if left.like < badIndicator && right.like > left.like+.15 {
		left = right
	} else if right.like < badIndicator && left.like > right.like+.15 {
		right = left
	}
	words, doubt := make([]int, s.rows*s.columns), make([]float64, s.rows*s.columns)
	for r := range s.rows {
		reach := cellReach * math.Abs(left.b+right.b) / 2
		for j := range s.columns {
			u := (float64(j) + 1) / float64(s.columns+1)
			y := left.at(float64(r))*(1-u) + right.at(float64(r))*u
			v := c.at(y-reach, y+reach, j+2)
			got := best(&v, &of[r%3])
			words[r*s.columns+j] = got.word
			doubt[r*s.columns+j] = 1 - float64(got.like) - 2*float64(got.like-got.second)
		}
	}
	return correctErasures(words, doubt, 2<<s.level)
}

// correctErasures corrects words, taking more and more of the doubtful ones for erased.
func correctErasures(words []int, doubt []float64, k int) ([]int, bool) {
	order := make([]int, len(words))
	for i := range order {
		order[i] = i
	}
	sort.Slice(order, func(i, j int) bool { return doubt[order[i]] > doubt[order[j]] })
	for _, part := range []float64{0, .25, .5, .75, .9} {
		n := min(int(part*float64(k)), len(words))
		if part > 0 && n == 0 {
			continue
		}
		// The first codeword counts those that are data.
		if out, ok := repair(words, k, order[:n]); ok && out[0] == len(words)-k {
			return out, true
		}
	}
	return nil, false
}

// spell turns codewords into text. The library does, from a picture of them that leaves nothing to guess.
func spell(words []int, s shape) (c Code, ok bool) {
	defer func() {
		if recover() != nil { // as in readPDF417
			c, ok = Code{}, false
		}
	}()
	const pixels, high, margin = 2, 4, 8
	m := drawPDF417(words, s.columns, s.level)
	bits := bitutil.NewBitMatrixWithSize(m.W*pixels+2*margin, m.H*high+2*margin)
	for y := range m.H * high {
		for x := range m.W * pixels {
			if m.At(x/pixels, y/high) {
				bits.Set(x+margin, y+margin)
			}
		}
	}
	return decodePDF417(bits, corners(margin, margin, m.W*pixels, m.H*high, pixels))
}

// corners are the places that the library asks for: the outer corners (top left, bottom left, top right, bottom right),
// then those between the guard patterns.
func corners(x, y, w, h, pixels int) []*zxing.ResultPoint {
	top, foot := float64(y), float64(y+h-1)
	at := func(x int, y float64) *zxing.ResultPoint { return &zxing.ResultPoint{X: float64(x), Y: y} }
	left, right := x+int(startPattern.modules)*pixels, x+w-int(stopPattern.modules)*pixels
	return []*zxing.ResultPoint{
		at(x, top), at(x, foot), at(x+w, top), at(x+w, foot), at(left, top), at(left, foot), at(right, top), at(right, foot),
	}
}
