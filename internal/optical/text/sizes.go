package text

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// Labels are often set half as high as the values in their rows. One crop round both shows the label too small to be read, and one line of both says
// neither where one ends nor how high each is.
const (
	sizeApart    = 1.5 // times as large as a label is a value, at least
	sizeAlike    = 1.3 // times as large as a value of its row is another one, at most
	sizeMeasured = 3   // letters and digits of a word, at least, that tells its size
	sizeShort    = 2   // … of one between two of different sizes
	sizeSure     = .7  // the mean confidence from which another reading of smaller print counts
	sizePaper    = .4  // of the height of smaller print, added above and below it where it is read
	sizeRow      = .18 // … and where it is placed, as the detector frames print
	sizeLeast    = .25 // of a row's height is how high print is at least
	inkEdge      = .04 // the part of the ink that lies above its top, and below its foot: marks, descenders, dirt
)

// stretch is a part of a line that is set in one size.
type stretch struct {
	from, to int  // runes
	small    bool // the line has larger print
}

// Parts splits a line where the size of its print changes. It reads smaller parts once more, and larger ones behind them, from crops of their own.
func (n *Readers) Parts(ctx context.Context, img *imaging.Photo, whole Line) ([]Line, error) {
	parts := whole.bySize()
	out := slices.Clone(parts)
	for k, l := range parts {
		var err error
		switch {
		case len(parts) > 1 && l.small:
			out[k], err = n.readSmall(ctx, img, l)
		case k > 0 && parts[k-1].small:
			out[k], err = n.beginning(ctx, img, parts[k-1], l)
		}
		if err != nil {
			return nil, err
		}
	}
	return out, nil
}

// readSmall reads smaller print of a line once more, from a crop that is as high as it.
func (n *Readers) readSmall(ctx context.Context, img *imaging.Photo, l Line) (Line, error) {
	s, high := l.inked(ocr.CropGray(img, l.Strip))
	p, err := n.readerOf(l).readText(ctx, img, s.Grown(high, high))
	if err != nil {
		return l, err
	}
	if p.Confidence >= max(sizeSure, mean(l.Chars)) && len([]rune(p.Text)) >= len([]rune(l.Text))-1 {
		l = l.as(p)
	}
	l.Strip = s
	return l, nil
}

// inked is the line's strip round the print that its crop shows, framed as the detector does, and how much paper to add to read it, as a part of its
// height.
func (l Line) inked(crop *imaging.Gray) (s ocr.Strip, more float64) {
	top, foot := inkRows(crop)
	high := float64(foot - top)
	if high < sizeLeast*float64(crop.H) {
		return l.Strip, 0
	}
	s = l.Strip
	step := s.Height / float64(crop.H)
	m := s.At(0, (float64(top+foot)-float64(crop.H))/2*step)
	s.X, s.Y, s.Height = m.X, m.Y, high*step*(1+2*sizeRow)
	return s, (sizePaper - sizeRow) / (1 + 2*sizeRow)
}

// bySize are the parts of a line that are each set in one size; the line where it is one.
func (l Line) bySize() []Line {
	all := l.stretches()
	if len(all) < 2 {
		return []Line{l}
	}
	out := make([]Line, len(all))
	for k, s := range all {
		out[k] = l.stretch(s)
	}
	return out
}

// stretch is a part of a line.
func (l Line) stretch(s stretch) Line {
	at := l.At[s.from:s.to]
	pitch := (at[len(at)-1] - at[0]) / float64(max(1, len(at)-1))
	from, to := max(0, at[0]-.8*pitch), min(1, at[len(at)-1]+.8*pitch)
	out := l
	m := l.Strip.At(((from+to)/2-.5)*l.Strip.Length, 0)
	out.Strip.X, out.Strip.Y, out.Strip.Length, out.small = m.X, m.Y, (to-from)*l.Strip.Length, s.small
	p := Reading{Chars: slices.Clone(l.Chars[s.from:s.to])}
	for _, v := range at {
		p.At = append(p.At, (v-from)/(to-from))
	}
	p = p.of([]rune(l.Text)[s.from:s.to])
	return out.as(p)
}

// stretches parts a line between large words and small ones: shorter words between go with what is as large, figures by themselves with what follows.
func (l Line) stretches() []stretch {
	runes := []rune(l.Text)
	if len(l.At) != len(runes) || len(l.Chars) != len(runes) {
		return nil
	}
	words := wordsApart(runes)
	width := l.widths(runes, words)
	sizes, largest := make([]float64, len(words)), 0.0
	for k, w := range words {
		sizes[k] = l.sizeOf(runes, w, sizeMeasured, width)
		largest = max(largest, sizes[k])
	}
	var out []stretch
	last, begins := -1, 0
	end := func(k int) {
		out = append(out, stretch{words[begins][0], words[k-1][1], last >= 0 && sizes[last] < largest/sizeAlike})
		begins = k
	}
	for k, size := range sizes {
		small, large := size < largest/sizeApart, size > largest/sizeAlike
		if size == 0 || !small && !large {
			continue
		}
		if last >= 0 && small != (sizes[last] < largest/sizeApart) {
			end(beforeSeries(runes, words[begins:], l.turn(runes, words[last:k+1], sizes[last], size, width)+last-begins) + begins)
		}
		last = k
	}
	if len(out) == 0 {
		return nil
	}
	end(len(words))
	return out
}

// beforeSeries moves a cut in front of the series of a number: SERIA HD NR 198025 is one number with a small word in it. k is the word that is cut before.
func beforeSeries(runes []rune, words [][2]int, k int) int {
	if k > 2 && k < len(words) && reading.SeriesOf(string(runes[words[k-2][0]:words[k][1]])) {
		return k - 2
	}
	return k
}

// turn is the first of some words that is set as the last one is; the first one is set in another size.
func (l Line) turn(runes []rune, words [][2]int, before, after float64, width func(rune) float64) int {
	middle, k := math.Sqrt(before*after), len(words)-1
	for ; k > 1; k-- {
		text := string(runes[words[k-1][0]:words[k-1][1]])
		size := l.sizeOf(runes, words[k-1], sizeShort, width)
		alone := size == 0 && strings.Trim(text, "0123456789.,") == ""
		if !alone && (size == 0 || (size > middle) != (after > middle)) {
			break
		}
	}
	return k
}

// wordsApart are where the words of a text begin and end: between spaces, and behind colons.
func wordsApart(runes []rune) [][2]int {
	var out [][2]int
	for i := 0; i < len(runes); {
		if unicode.IsSpace(runes[i]) {
			i++
			continue
		}
		j := i
		for j < len(runes) && !unicode.IsSpace(runes[j]) && (j == i || runes[j-1] != ':') {
			j++
		}
		out, i = append(out, [2]int{i, j}), j
	}
	return out
}

// sizeOf is how far apart the characters of a word are, for their widths; 0 where fewer letters and digits than that tell it.
func (l Line) sizeOf(runes []rune, word [2]int, least int, width func(rune) float64) float64 {
	is := func(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
	from, to := word[0], word[1]
	for from < to && !is(runes[from]) {
		from++
	}
	for to > from && !is(runes[to-1]) {
		to--
	}
	n, wide := 0, 0.0
	for i := from; i < to; i++ {
		part := 1.0
		if i == from || i == to-1 {
			part = .5
		}
		if is(runes[i]) {
			n++
		}
		wide += part * width(runes[i])
	}
	if n < least || wide == 0 {
		return 0
	}
	return max(0, l.At[to-1]-l.At[from]) / wide
}

// widths returns how wide each character is: as in most typefaces, or the same for all if that fits their places better.
func (l Line) widths(runes []rune, words [][2]int) func(rune) float64 {
	if l.misfit(runes, words, oneWidth) < l.misfit(runes, words, usualWidth) {
		return oneWidth
	}
	return usualWidth
}

// misfit adds up how far the distances between neighbouring characters are from those that the widths predict, as a part of the line.
func (l Line) misfit(runes []rune, words [][2]int, width func(rune) float64) float64 {
	sum := 0.0
	for _, w := range words {
		wide := 0.0
		for i := w[0] + 1; i < w[1]; i++ {
			wide += (width(runes[i-1]) + width(runes[i])) / 2
		}
		size := (l.At[w[1]-1] - l.At[w[0]]) / max(1, wide)
		for i := w[0] + 1; i < w[1] && size > 0; i++ {
			sum += math.Abs(l.At[i] - l.At[i-1] - size*(width(runes[i-1])+width(runes[i]))/2)
		}
	}
	return sum
}

// oneWidth is how wide a character is in a monospaced typeface.
func oneWidth(rune) float64 { return 1 }

// usualWidth is about how wide a character is set, as a part of a small n.
func usualWidth(c rune) float64 {
	switch base := baseOf(c); {
	case unicode.IsDigit(c):
		return 1.05
	case strings.ContainsRune("ijltfrIJ.,:;'|!()[]", c):
		return .6
	case base == 'M' || base == 'W':
		return 1.5
	case unicode.IsUpper(c):
		return 1.2
	}
	return 1
}

func mean(all []float64) float64 {
	sum := 0.0
	for _, v := range all {
		sum += v
	}
	return sum / float64(max(1, len(all)))
}

// inkRows is between which rows the dark print of a crop lies.
func inkRows(g *imaging.Gray) (top, foot int) {
	paper, ink := shades(g)
	rows, all := make([]int, g.H), 0
	for y := range g.H {
		for _, v := range g.Pix[y*g.W : (y+1)*g.W] {
			if 2*int(v) < paper+ink {
				rows[y]++
				all++
			}
		}
	}
	seen := 0
	for y, n := range rows {
		if float64(seen) <= inkEdge*float64(all) && float64(seen+n) > inkEdge*float64(all) {
			top = y
		}
		if float64(seen) < (1-inkEdge)*float64(all) && float64(seen+n) >= (1-inkEdge)*float64(all) {
			foot = y + 1
		}
		seen += n
	}
	return top, foot
}

// shades are the middle and nearly the darkest grey of a crop.
func shades(g *imaging.Gray) (paper, ink int) {
	var counts [256]int
	for _, v := range g.Pix {
		counts[v]++
	}
	below := 0
	for v, count := range counts {
		if below <= len(g.Pix)/50 {
			ink = v
		}
		if below <= len(g.Pix)/2 {
			paper = v
		}
		below += count
	}
	return paper, ink
}
