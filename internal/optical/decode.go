package optical

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

// reading is a zone as one reader reads it under a format.
type reading struct {
	format mrz.Format
	raw    []string  // per line, as many characters as the format has, any character anywhere; filled by weigh
	lines  []string  // per line, held to the class of each position
	glyphs [][]glyph // of lines
	conf   [][]float64
	score  float64 // mean log probability a frame of the reading held to classes
	from   int     // the first of the rows that the format covers
}

// formatOffBy is by how many characters the span of a row may differ from its format before the format is not tried.
const formatOffBy = 9

// read finds the format that explains the rows best. ok is false when no format can be read from them.
func (z *zone) read() (reading, bool) {
	if !z.known {
		z.best, z.some = z.search(z.frames())
		z.known = true
	}
	return z.best, z.some
}

// search tries the formats, those first whose lines are about as long. One that cannot do better than the best so far
// is left out: no line scores more than the best class of every frame.
func (z *zone) search(rows []frames) (reading, bool) {
	long := z.characters()
	off := func(f mrz.Format) float64 {
		_, width := f.Shape()
		return math.Abs(long - float64(width))
	}
	formats := mrz.Formats()
	slices.SortStableFunc(formats, func(a, b mrz.Format) int { return cmp.Compare(off(a), off(b)) })
	most := make([]float64, len(rows))
	for i, f := range rows {
		most[i] = f.ceiling()
	}
	var best reading
	found := false
	for _, f := range formats {
		n, _ := f.Shape()
		if n > len(rows) || off(f) > formatOffBy {
			continue
		}
		for from := 0; from+n <= len(rows); from++ {
			least := math.Inf(-1)
			if found {
				least = best.score
			}
			if ceilingOf(rows[from:from+n], most[from:from+n]) <= least {
				continue
			}
			r, ok := holdAbove(f, rows[from:from+n], least)
			r.from = from
			if ok && (!found || r.score > best.score) {
				best, found = r, true
			}
		}
	}
	return best, found
}

// ceilingOf is the score that no reading of the rows exceeds.
func ceilingOf(rows []frames, most []float64) float64 {
	sum, n := 0.0, 0
	for i, f := range rows {
		sum, n = sum+most[i], n+f.count()
	}
	return sum / math.Max(1, float64(n))
}

// characters estimates how many characters the rows are long.
func (z *zone) characters() float64 {
	most := 0.0
	for _, g := range z.rows {
		if lo, hi, ok := g.extent(); ok {
			most = math.Max(most, (hi-lo)/z.pitch)
		}
	}
	return most
}

// readAs reads rows as the lines of a format, and weighs what it read.
func readAs(f mrz.Format, rows []frames) (reading, bool) {
	r, ok := holdTo(f, rows)
	if ok {
		r.weigh(rows)
	}
	return r, ok
}

// holdTo reads rows as the lines of a format; what weigh finds is left open.
func holdTo(f mrz.Format, rows []frames) (reading, bool) { return holdAbove(f, rows, math.Inf(-1)) }

// holdAbove is holdTo, and false also when the score is not at least so high.
func holdAbove(f mrz.Format, rows []frames, least float64) (reading, bool) {
	_, width := f.Shape()
	r := reading{format: f}
	total := 0
	limit := 0.0 // what the rows may lose against their best classes
	for _, fr := range rows {
		limit += fr.ceiling() - least*float64(fr.count())
	}
	for i, fr := range rows {
		line := cells(f, i, width)
		held, score, ok := exactWithin(fr, line, limit)
		if !ok {
			return reading{}, false
		}
		limit -= fr.ceiling() - score
		r.glyphs = append(r.glyphs, held)
		r.lines = append(r.lines, glyphText(held))
		conf := make([]float64, len(held))
		for j, g := range held {
			conf[j] = fr.shape(g, line[j])
		}
		r.conf = append(r.conf, conf)
		r.score += score
		total += fr.count()
	}
	r.score /= math.Max(1, float64(total))
	return r, true
}

// shape is how surely the frames of a glyph show its shape, 0–1: in a field of letters an O that looks like a zero is as
// sure as that zero, for nothing else of that shape can stand there.
func (f frames) shape(g glyph, c cell) float64 {
	others := lookAlikesOf(shapesOf(c))[g.ch]
	best := 0.0
	for t := g.first; t <= g.last; t++ {
		p := f.at(t, classOf(g.ch))
		for _, o := range []byte(others) {
			p += f.at(t, classOf(o))
		}
		best = math.Max(best, p)
	}
	return math.Min(1, best)
}

// weigh completes a reading of the rows: what they say without classes, and how sure each character is. A character is
// no surer than its best frame, and no surer than what other readings of the line leave to it.
func (r *reading) weigh(rows []frames) {
	_, width := r.format.Shape()
	r.raw = make([]string, len(rows))
	for i, f := range rows {
		free, _, _ := exact(f, anything(width))
		r.raw[i] = glyphText(free)
		for j, p := range posterior(f, cells(r.format, i, width), r.glyphs[i]) {
			r.conf[i][j] = math.Min(r.conf[i][j], p)
		}
	}
}

var everything = setOf(alphabet[1:])

func anything(n int) []cell {
	out := make([]cell, n)
	for i := range out {
		out[i].allowed = everything
	}
	return out
}

// nameFields are the fields that hold names.
var nameFields = []string{"name", "surname", "given_names"}

// cells are what each position of a line may hold: its field's class, and for the document code what tells the format
// from its neighbours.
func cells(f mrz.Format, line, width int) []cell {
	out := make([]cell, width)
	for i := range out {
		out[i].allowed = setOf(string(mrz.ClassAt(f, line, i)))
	}
	for _, name := range nameFields {
		if l, from, to, ok := mrz.PlaceOf(f, name); ok && l == line {
			for i := from; i < to; i++ {
				out[i].name = true
			}
		}
	}
	if line > 0 {
		return out
	}
	switch f {
	case mrz.TD3:
		out[0].allowed = setOf("P")
	case mrz.MRVA, mrz.MRVB:
		out[0].allowed = setOf("V")
	case mrz.IDFRA, mrz.IDROU:
		for i := range len(f) {
			out[i].allowed = setOf(string(f)[i : i+1])
		}
	default:
		out[0].allowed = setOf("ACIR")
	}
	return out
}

// When the second reader agrees although it would have chosen another character: where the first is sure, and the second
// finds the first's character nearly as likely as its own choice.
const (
	agreeSure  = 0.95 // the first reader's confidence
	agreeRatio = 0.2  // the second's probability for the first's character, as a part of that for its own
	agreeDoubt = 0.1  // where both choose the same, what both leave to doubt, multiplied: two that guess alike know little
)

// agree reports whether the second reader supports every character that the first one read. Where both choose the same,
// not both may be in doubt, and hardly at all where a character is marked in under (nil for none); where they do not, the
// second's own frames decide whether the choice was open.
func agree(first, second reading, seen []frames, under [][]bool) bool {
	if len(first.lines) != len(second.lines) || len(first.lines) != len(seen) {
		return false
	}
	for i, line := range first.lines {
		for j := range len(line) {
			doubt := agreeDoubt
			if under != nil && under[i][j] {
				doubt = foreignDoubt
			}
			if line[j] == second.lines[i][j] {
				if (1-first.conf[i][j])*(1-second.conf[i][j]) > doubt {
					return false
				}
				continue
			}
			if doubt == foreignDoubt {
				return false
			}
			g := second.glyphs[i][j]
			if first.conf[i][j] < agreeSure || most(seen[i], g, line[j]) < agreeRatio*most(seen[i], g, g.ch) {
				return false
			}
		}
	}
	return true
}

// most is the highest probability of a character in the frames of a glyph.
func most(f frames, g glyph, ch byte) float64 {
	best := 0.0
	for t := g.first; t <= g.last; t++ {
		best = math.Max(best, f.at(t, classOf(ch)))
	}
	return best
}

// confidence is the mean over all characters.
func (r reading) confidence() float64 {
	sum, n := 0.0, 0
	for _, line := range r.conf {
		for _, c := range line {
			sum += c
			n++
		}
	}
	return sum / math.Max(1, float64(n))
}
