package optical

import (
	"context"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/optical/page"
)

// Labels are often set half as high as the values in their rows. One crop round both shows the label too small to be read, and one line of both says
// neither where one ends nor how high each is.
const (
	sizeApart    = 1.5 // times as large is one of two words that are of different texts
	sizeMeasured = 3   // letters and digits of a word, at least, that tells its size
	sizeShort    = 2   // … of one between two of different sizes
	sizeBaseline = .3  // of what a text is lower than its row its middle is below the row's: both stand on one line
	sizeLeast    = .4  // of a row's height is how high a text of it is at least
	sizeSure     = .7  // the mean confidence from which another reading of smaller print counts
)

// stretch is a part of a line that is set in one size.
type stretch struct {
	from, to int     // runes
	size     float64 // how far apart its letters are, for their usual widths, as a part of the line's length
}

// partBySize parts lines where the size of their print changes, and reads the smaller parts once more, from crops of their own.
func (w printedText) partBySize(ctx context.Context, lines []line) ([]line, error) {
	parts := make([][]line, len(lines))
	err := each(ctx, len(lines), func(ctx context.Context, i int) error {
		parts[i] = lines[i].bySize()
		for k, l := range parts[i] {
			if len(parts[i]) > 1 {
				parts[i][k].box = page.BoxAround(l.strip, w.img)
				l.box = parts[i][k].box
			}
			if l.strip.Height > .99*lines[i].strip.Height {
				continue
			}
			p, err := w.readerOf(l).readText(ctx, w.img, l.strip.Grown(sizePaper, sizePaper))
			if err != nil {
				return err
			}
			if p.conf >= max(sizeSure, mean(l.chars)) && len([]rune(p.text)) >= len([]rune(l.text))-1 {
				l.text, l.conf, l.least, l.chars, l.at = p.text, p.conf, p.least, p.chars, p.at
				parts[i][k] = l
			}
		}
		return nil
	})
	return slices.Concat(parts...), err
}

// sizePaper is the paper above and below print that is read once more, as a part of its height.
const sizePaper = .15

// bySize are the parts of a line that are each set in one size; the line where it is one.
func (l line) bySize() []line {
	all := l.stretches()
	if len(all) < 2 {
		return []line{l}
	}
	largest := 0.0
	for _, s := range all {
		largest = max(largest, s.size)
	}
	var out []line
	for _, s := range all {
		out = append(out, l.stretch(s, s.size/largest))
	}
	return out
}

// stretch is a part of a line whose print is so many times as high as the line's.
func (l line) stretch(s stretch, high float64) line {
	at := l.at[s.from:s.to]
	pitch := (at[len(at)-1] - at[0]) / float64(max(1, len(at)-1))
	from, to := max(0, at[0]-.8*pitch), min(1, at[len(at)-1]+.8*pitch)
	if to <= from {
		return l
	}
	height := l.strip.Height
	if high < 1/1.2 {
		height *= max(sizeLeast, high)
	}
	m := l.strip.At(((from+to)/2-.5)*l.strip.Length, sizeBaseline*(l.strip.Height-height))
	out := l
	out.strip.X, out.strip.Y, out.strip.Length, out.strip.Height = m.X, m.Y, (to-from)*l.strip.Length, height
	p := printed{chars: slices.Clone(l.chars[s.from:s.to])}
	for _, v := range at {
		p.at = append(p.at, (v-from)/(to-from))
	}
	p = p.of([]rune(l.text)[s.from:s.to])
	out.text, out.conf, out.least, out.chars, out.at = p.text, p.conf, p.least, p.chars, p.at
	return out
}

// stretches parts a line between words of different sizes: shorter words between go with what is as large, figures by themselves with what follows.
func (l line) stretches() []stretch {
	runes := []rune(l.text)
	if len(l.at) != len(runes) || len(l.chars) != len(runes) {
		return nil
	}
	words := wordsApart(runes)
	var starts []int // of words that begin a stretch
	last, lastSize := -1, 0.0
	for k, w := range words {
		size := l.sizeOf(runes, w, sizeMeasured)
		if size == 0 {
			continue
		}
		if last >= 0 && max(size, lastSize) > sizeApart*min(size, lastSize) {
			starts = append(starts, l.turn(runes, words[last:k+1], lastSize, size)+last)
		}
		last, lastSize = k, size
	}
	if len(starts) == 0 {
		return nil
	}
	var out []stretch
	from := 0
	for _, k := range append(starts, len(words)) {
		s := stretch{from: words[from][0], to: words[k-1][1]}
		n := 0
		for _, w := range words[from:k] {
			if size := l.sizeOf(runes, w, sizeMeasured); size > 0 {
				s.size, n = s.size+size, n+1
			}
		}
		s.size /= float64(max(1, n))
		out, from = append(out, s), k
	}
	return out
}

// turn is the first of some words that is set as the last one is; the first one is set in another size.
func (l line) turn(runes []rune, words [][2]int, before, after float64) int {
	middle, k := math.Sqrt(before*after), len(words)-1
	for ; k > 1; k-- {
		text := string(runes[words[k-1][0]:words[k-1][1]])
		size := l.sizeOf(runes, words[k-1], sizeShort)
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

// sizeOf is how far apart the characters of a word are, for their usual widths; 0 where fewer letters and digits than that tell it.
func (l line) sizeOf(runes []rune, word [2]int, least int) float64 {
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
		wide += part * usualWidth(runes[i])
	}
	if n < least || wide == 0 {
		return 0
	}
	return max(0, l.at[to-1]-l.at[from]) / wide
}

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
