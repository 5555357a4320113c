package zone

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

// decoding is a zone as one reader reads it under a format.
type decoding struct {
	format mrz.Format
	raw    []string    // per line, as many characters as the format has, any character anywhere; set by addPosteriors
	lines  []string    // per line, held to the class of each position
	glyphs [][]glyph   // of lines
	conf   [][]float64 // of glyphs, 0–1
	score  float64     // mean log probability a frame
	from   int         // the first of the rows that the format covers
}

// formatOff is the most characters by which the span of the rows may differ from a format that is tried.
const formatOff = 9

// decoded returns the decoding under the format that explains the rows best. It is false where no format fits them.
func (z *Zone) decoded() (decoding, bool) {
	if !z.searched {
		z.best, z.decodes = z.search(framesOf(z.rows))
		z.searched = true
	}
	return z.best, z.decodes
}

// search tries the formats, those first whose lines are about as long. One that cannot score more than the best so far is skipped:
// no line scores more than the best class of every frame.
func (z *Zone) search(rows []frames) (decoding, bool) {
	long := z.characters()
	off := func(f mrz.Format) float64 {
		_, width := f.Shape()
		return math.Abs(long - float64(width))
	}
	formats := mrz.Formats()
	slices.SortStableFunc(formats, func(a, b mrz.Format) int { return cmp.Compare(off(a), off(b)) })
	bounds := make([]float64, len(rows))
	for i, f := range rows {
		bounds[i] = f.bestLog()
	}
	var best decoding
	found := false
	for _, f := range formats {
		n, _ := f.Shape()
		if n > len(rows) || off(f) > formatOff {
			continue
		}
		for from := 0; from+n <= len(rows); from++ {
			least := math.Inf(-1)
			if found {
				least = best.score
			}
			if boundOf(rows[from:from+n], bounds[from:from+n]) <= least {
				continue
			}
			r, ok := decodeAbove(f, rows[from:from+n], least)
			r.from = from
			if ok && (!found || r.score > best.score) {
				best, found = r, true
			}
		}
	}
	return best, found
}

// boundOf returns the score that no decoding of the rows exceeds, given that of each row.
func boundOf(rows []frames, bounds []float64) float64 {
	sum, n := 0.0, 0
	for i, f := range rows {
		sum, n = sum+bounds[i], n+f.count()
	}
	return sum / math.Max(1, float64(n))
}

// decodeAs decodes rows as the lines of a format. It is false where a row is too short. What addPosteriors adds is left out.
func decodeAs(f mrz.Format, rows []frames) (decoding, bool) {
	return decodeAbove(f, rows, math.Inf(-1))
}

// decodeAbove is decodeAs, and false also where the score is below least.
func decodeAbove(f mrz.Format, rows []frames, least float64) (decoding, bool) {
	_, width := f.Shape()
	r := decoding{format: f}
	total := 0
	limit := 0.0 // what the rows may lose against their best classes
	for _, fr := range rows {
		limit += fr.bestLog() - least*float64(fr.count())
	}
	for i, fr := range rows {
		line := cellsOf(f, i, width)
		held, score, ok := viterbiWithin(fr, line, limit)
		if ok && i == 0 && mrz.PermitCode(f, glyphText(held)) {
			line[1].allowed = setOf(string(mrz.PermitClass))
			held, score, ok = viterbiWithin(fr, line, limit)
		}
		if !ok {
			return decoding{}, false
		}
		limit -= fr.bestLog() - score
		r.glyphs = append(r.glyphs, held)
		r.lines = append(r.lines, glyphText(held))
		conf := make([]float64, len(held))
		for j, g := range held {
			conf[j] = fr.shapeConfidence(g, line[j])
		}
		r.conf = append(r.conf, conf)
		r.score += score
		total += fr.count()
	}
	r.score /= math.Max(1, float64(total))
	return r, true
}

// shapeConfidence returns how surely the frames of a glyph show its shape, 0–1: in a field of letters an O that looks like a zero
// is as sure as that zero, because nothing else of that shape can be there.
func (f frames) shapeConfidence(g glyph, c cell) float64 {
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

// addPosteriors completes a decoding of the rows: what they say without classes, and how sure each character is. A character is no
// surer than its best frame, and no surer than its posterior.
func (d *decoding) addPosteriors(rows []frames) {
	_, width := d.format.Shape()
	d.raw = make([]string, len(rows))
	for i, f := range rows {
		free, _, _ := viterbi(f, anything(width))
		d.raw[i] = glyphText(free)
		for j, p := range posteriors(f, d.cells(i, width), d.glyphs[i]) {
			d.conf[i][j] = math.Min(d.conf[i][j], p)
		}
	}
}

// confidence returns the mean over all characters.
func (d decoding) confidence() float64 {
	sum, n := 0.0, 0
	for _, line := range d.conf {
		for _, c := range line {
			sum += c
			n++
		}
	}
	return sum / math.Max(1, float64(n))
}
