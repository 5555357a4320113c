package text

import (
	"cmp"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/glyph"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// A sign is a zero if it is as wide as those that the page prints. See ADR 112.
const (
	asWide       = .04  // how far its width by height is from theirs at most, as a part of it
	alike        = .025 // how far at least letters O must be from them, and twice as far as the sign
	digitsBeside = 2    // how many digits a word with other letters must have for its letters O to be doubtful
	digitsAround = 4    // how many digits in a row are a year or a number, whatever letters are before and behind them
)

// lowSigns are lower than half of a digit, or are not one piece of ink: they are not measured.
const lowSigns = ".,:;-–_'’`\"·°*"

// rounds are the zeros and letters O of a page, by where they are and what they must be.
type rounds struct {
	doubtful []round
	zeros    []round // among digits, as they were read
	letters  []round // capital O in words without digits
}

// round is a sign of a line that was read for a zero or an O.
type round struct {
	line, at int
	aspect   float64 // width by height
}

// tellZeros returns lines with zeros written for those letters O beside digits that are as wide as the page's zeros. Readers of lines know which
// of both is likelier in a word, and in numbers of documents neither is.
func tellZeros(img *imaging.Photo, lines []Line) []Line {
	if !slices.ContainsFunc(lines, func(l Line) bool {
		runes := []rune(l.Text)
		return slices.ContainsFunc(wordsApart(runes), func(w [2]int) bool { return mayBeZero(runes[w[0]:w[1]]) })
	}) {
		return lines
	}
	var r rounds
	for i, l := range lines {
		if strings.ContainsAny(l.Text, "0Oo") {
			r.measure(i, l, ocr.CropGray(img, l.Strip.Grown(.1, .1)))
		}
	}
	out := slices.Clone(lines)
	for _, sign := range r.doubtful {
		if r.isZero(sign) {
			out[sign.line] = out[sign.line].withZero(sign.at)
		}
	}
	return out
}

// measure adds the zeros and letters O of a line.
func (r *rounds) measure(i int, l Line, crop *imaging.Gray) {
	runes := []rune(l.Text)
	for _, w := range wordsApart(runes) {
		text := string(runes[w[0]:w[1]])
		if !strings.ContainsAny(text, "0Oo") {
			continue
		}
		from, to := 0., 1.
		if w[0] > 0 {
			from = l.At[w[0]-1]
		}
		if w[1] < len(runes) {
			to = l.At[w[1]]
		}
		var tall []int
		for k, c := range []rune(text) {
			if !strings.ContainsRune(lowSigns, c) {
				tall = append(tall, w[0]+k)
			}
		}
		aspects := glyph.Aspects(crop, from, to, len(tall))
		for k, a := range aspects {
			r.add(round{i, tall[k], a}, l, w)
		}
	}
}

// add adds a sign of a word of a line if it is round, by what it must be.
func (r *rounds) add(sign round, l Line, word [2]int) {
	runes := []rune(l.Text)
	part := around(runes, sign.at, word, alphanumeric)
	figures := !slices.ContainsFunc(part, unicode.IsLetter) || len(around(runes, sign.at, word, unicode.IsDigit)) >= digitsAround
	switch c := runes[sign.at]; {
	case c == '0' && figures && l.Chars[sign.at] != measured:
		r.zeros = append(r.zeros, sign)
	case c == 'O' && !slices.ContainsFunc(runes[word[0]:word[1]], unicode.IsDigit):
		r.letters = append(r.letters, sign)
	case (c == 'O' || c == 'o') && mayBeZero(runes[word[0]:word[1]]):
		r.doubtful = append(r.doubtful, sign)
	}
}

// isZero reports whether a sign is as wide as the zeros of its line, or of its page if its line has none, and no capital O of the page is nearly so.
func (r *rounds) isZero(sign round) bool {
	own := slices.DeleteFunc(slices.Clone(r.zeros), func(n round) bool { return n.line != sign.line })
	if len(own) == 0 {
		own = slices.Clone(r.zeros)
	}
	if len(own) == 0 {
		return false
	}
	slices.SortFunc(own, func(a, b round) int { return cmp.Compare(a.aspect, b.aspect) })
	like := own[len(own)/2].aspect
	off := func(a round) float64 { return math.Abs(a.aspect/like - 1) }
	apart := math.Max(alike, 2*off(sign))
	return off(sign) <= asWide && !slices.ContainsFunc(r.letters, func(o round) bool { return off(o) <= apart })
}

// withZero is the line with a zero for one of its signs.
func (l Line) withZero(at int) Line {
	runes, chars := []rune(l.Text), slices.Clone(l.Chars)
	runes[at], chars[at] = '0', measured
	all := Reading{Chars: chars, At: l.At}.of(runes)
	return l.as(all)
}

// around is the longest run of signs of a kind around a sign of a word.
func around(runes []rune, at int, word [2]int, is func(rune) bool) []rune {
	from, to := at, at+1
	for from > word[0] && is(runes[from-1]) {
		from--
	}
	for to < word[1] && is(runes[to]) {
		to++
	}
	return runes[from:to]
}

// mayBeZero reports whether a word has a letter O that may be a zero: beside two digits, or in a word of nothing but digits and letters O.
func mayBeZero(word []rune) bool {
	digits, os := 0, 0
	for _, c := range word {
		switch {
		case c == 'O' || c == 'o':
			os++
		case unicode.IsDigit(c):
			digits++
		}
	}
	return os > 0 && (digits >= digitsBeside || digits > 0 && digits+os == len(word))
}

func alphanumeric(c rune) bool { return unicode.IsLetter(c) || unicode.IsDigit(c) }
