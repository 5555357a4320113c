package relaid

import (
	"cmp"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// dirt is how sure the recogniser was of the characters of real lines: of large ones and of small ones.
type dirt struct{ large, small [][]float64 }

// dirtOf takes it from known pages.
func dirtOf(known []facts.Cached) dirt {
	var d dirt
	for _, c := range known {
		var heights []float64
		for _, l := range c.Lines[:c.Of] {
			heights = append(heights, l.Height)
		}
		if len(heights) == 0 {
			continue
		}
		slices.Sort(heights)
		usual := heights[len(heights)/2]
		for _, l := range c.Lines[:c.Of] {
			switch {
			case len(l.Chars) < 2:
			case l.Height < .85*usual:
				d.small = append(d.small, l.Chars)
			default:
				d.large = append(d.large, l.Chars)
			}
		}
	}
	if d.small == nil {
		d.small = d.large
	}
	return d
}

// camera is a picture of a page being taken and recognised.
type camera struct {
	rng  *rand.Rand
	dirt dirt
	even float64 // how far the strips of small and large print are alike, 0–1: finders of lines draw small ones wider
	fog  float64 // share of the characters of small print that cannot be told: pictures are small, or moved
}

// foggyShare is how many pages have fog, and foggiest how much they have at most. Large print has an eighth of it.
const (
	foggyShare = .4
	foggiest   = .4
)

// alike are characters that are taken for each other.
var alike = map[rune]string{
	'0': "OQD", 'O': "0Q", '1': "Il7", 'I': "1l", 'l': "I1i", '5': "S6", 'S': "5", '8': "B3",
	'B': "8", '6': "5b", '2': "Z7", 'Z': "2", 'e': "co", 'a': "o",
	'n': "m", 'm': "n", 'r': "n", 'u': "n", 't': "f", 'f': "t", 'c': "e", 'g': "q", 'h': "b", 'i': "l",
	'o': "e", 'É': "E", 'é': "e", 'ö': "o", 'ü': "u", 'ä': "a",
	'ř': "r", 'č': "c", 'š': "s", 'ž': "z", 'í': "i", 'á': "a", 'Á': "A", 'Ü': "U", 'Ö': "O", 'Ș': "Ş",
	'ș': "ş", 'И': "ЙН", 'Й': "И", 'Ш': "Щ", 'Щ': "Ш", 'О': "0", 'З': "3Э", 'Ц': "И", 'Л': "Д", 'Д': "Л", 'П': "Н", 'Н': "ПИ", 'и': "йн", 'н': "ип",
	'ш': "щ", 'о': "е", 'е': "о", 'ь': "ъы", 'ё': "е", 'Ё': "Е", 'Ћ': "Ђ", 'Ђ': "Ћ", 'і': "l", 'ї': "і", 'ό': "ο", 'ί': "ι", 'ή': "η", 'Λ': "Α", 'Σ': "Ε",
	'.': ",", ',': ".", '/': "I", 'G': "C", 'D': "O", 'V': "Y",
}

// read is a text as the recogniser saw it, and how sure it was of each rune.
func (c camera) read(r run) (string, []float64) {
	if r.chars != nil {
		return r.text, r.chars
	}
	pool := c.dirt.large
	if r.small {
		pool = c.dirt.small
	}
	like := pick(c.rng, pool...)
	fog := c.fog / 8
	if r.small {
		fog = c.fog
	}
	var text []rune
	var chars []float64
	for _, x := range r.text {
		sure := pick(c.rng, like...)
		if fog > 0 && x != ' ' && chance(c.rng, fog) {
			for _, x := range c.guessed(x) {
				text, chars = append(text, x), append(chars, math.Round(between(c.rng, .3, .98)*1e4)/1e4)
			}
			continue
		}
		if r.dirt {
			sure *= between(c.rng, .2, .9)
		}
		if x != ' ' && chance(c.rng, .4*(1-sure)) {
			switch others := alike[x]; {
			case others != "":
				x = pick(c.rng, []rune(others)...)
			case chance(c.rng, .4):
				continue
			case unicode.IsLetter(x):
				if folded := lexicon.Fold(string(x)); folded != "" {
					x = rune(folded[0])
				}
			}
		}
		if x == ' ' && chance(c.rng, .012) {
			continue
		}
		text, chars = append(text, x), append(chars, math.Round(sure*1e4)/1e4)
	}
	return string(text), chars
}

// guessed is what a character is read as that cannot be told: mostly one that looks like it, or any letter, or none, or two.
func (c camera) guessed(x rune) []rune {
	letters := "abcdefghiklmnoprstuvz"
	switch {
	case unicode.IsDigit(x):
		letters = "0123456789"
	case unicode.Is(unicode.Cyrillic, x):
		letters = "абвгдежзийклмнопрстуфхцчшыья"
	case unicode.Is(unicode.Greek, x):
		letters = "αβγδεζηθικλμνξοπρστυφχψω"
	case !unicode.IsLetter(x):
		letters = ".,:·-'"
	}
	other := pick(c.rng, []rune(letters)...)
	if unicode.IsUpper(x) {
		other = unicode.ToUpper(other)
	}
	switch n := c.rng.IntN(20); {
	case n < 4:
		return []rune{x}
	case n < 11 && alike[x] != "":
		return []rune{pick(c.rng, []rune(alike[x])...)}
	case n < 16:
		return []rune{other}
	case n < 18:
		return nil
	}
	return []rune{x, other}
}

// Shares of lines that the recogniser does not find, and that it cuts in two.
const (
	lostShare = .012
	cutShare  = .015
)

// The recogniser joins runs of one row that are at most so many heights apart: on pages with a machine-readable zone, on others.
// Where print is close and the page is bent, columns come together.
const (
	joinedNear, joinedFar = 1, 1.6
	joinedColumns         = 5
	columnsShare          = .06
)

// The program parts lines where the size of print changes. So two runs of one row are mostly read as two lines if one is sizeParted times as large.
const (
	sizeParted  = 1.5
	partedShare = .85
)

// shoot takes a picture of a page and recognises its lines. It returns what the runes of each are, as Drawn has it.
func (c camera) shoot(out *facts.Cached, runs []run) [][]int8 {
	var names [][]int8
	gap := pick(c.rng, joinedNear, joinedFar)
	if chance(c.rng, columnsShare) {
		gap = joinedColumns
	}
	if chance(c.rng, foggyShare) {
		c.fog = between(c.rng, 0, foggiest)
	}
	rows := c.joined(c.cut(runs), gap)
	left, top, wide, tall := bounds(runs)
	scale := between(c.rng, 18, 70)
	c.even = between(c.rng, 0, .6)
	turn := between(c.rng, -.09, .09)
	if chance(c.rng, .5) {
		turn /= 8
	}
	out.Width, out.Height = int((wide+8)*scale), int((tall+8)*scale)
	sin, cos := math.Sincos(turn)
	for _, row := range rows {
		if chance(c.rng, lostShare) {
			continue
		}
		l, named := c.line(row, scale)
		x, y := l.X-(left-4)*scale, l.Y-(top-4)*scale
		l.X, l.Y = x*cos-y*sin, x*sin+y*cos
		l.Tilt = turn + .006*c.rng.NormFloat64()
		if l.Text != "" {
			out.Lines, names = append(out.Lines, l), append(names, named)
		}
	}
	out.Of = len(out.Lines)
	return names
}

func bounds(runs []run) (left, top, wide, tall float64) {
	right, low := math.Inf(-1), math.Inf(-1)
	left, top = math.Inf(1), math.Inf(1)
	for _, r := range runs {
		left, top = min(left, r.x), min(top, r.y)
		right, low = max(right, r.x+float64(len(r.text))*.6*r.h), max(low, r.y)
	}
	return left, top, right - left, low - top
}

// cut cuts some runs at a space.
func (c camera) cut(runs []run) []run {
	var out []run
	for _, r := range runs {
		at := strings.LastIndex(r.text, " ")
		if at <= 0 || !chance(c.rng, cutShare) || r.chars != nil {
			out = append(out, r)
			continue
		}
		first, second := r, r
		first.text, second.text = r.text[:at], r.text[at+1:]
		first.wide, second.wide = r.wide*float64(at)/float64(len(r.text)), r.wide*float64(len(r.text)-at-1)/float64(len(r.text))
		second.x += r.length() * float64(at+1) / float64(len(r.text))
		second.y += .1 * c.rng.NormFloat64()
		out = append(out, first, second)
	}
	return out
}

// length is about how long a run is.
func (r run) length() float64 {
	if r.wide > 0 {
		return r.wide
	}
	sum := 0.0
	for _, x := range r.text {
		sum += letterWidth(x)
	}
	return sum * r.h * .55
}

// joined are the runs by lines: those of one row that are near each other are recognised as one.
func (c camera) joined(runs []run, gap float64) [][]run {
	slices.SortStableFunc(runs, func(a, b run) int { return cmp.Compare(a.x, b.x) })
	var out [][]run
	for _, r := range runs {
		least := .45
		if chance(c.rng, partedShare) {
			least = 1 / sizeParted
		}
		i := slices.IndexFunc(out, func(row []run) bool {
			last := row[len(row)-1]
			h := min(last.h, r.h)
			space := r.x - last.x - last.length()
			return math.Abs(last.y-r.y) < .35*max(last.h, r.h) && space > -.5*h && space < gap*h && h > least*max(last.h, r.h)
		})
		if i < 0 {
			out = append(out, []run{r})
			continue
		}
		out[i] = append(out[i], r)
	}
	slices.SortStableFunc(out, func(a, b []run) int { return cmp.Compare(a[0].y, b[0].y) })
	return out
}

// line is what a row of runs is recognised as, on a level page. Print that is smaller than what is beside it is read worse.
func (c camera) line(row []run, scale float64) (l facts.CachedLine, names []int8) {
	tallest := 0.0
	for _, r := range row {
		tallest = max(tallest, r.h)
	}
	from, to := row[0].x, row[len(row)-1].x+row[len(row)-1].length()
	for i, r := range row {
		r.dirt = r.dirt || r.h < .65*tallest && chance(c.rng, .3)
		text, chars := c.read(r)
		if i > 0 && text != "" && l.Text != "" && !chance(c.rng, .04) {
			text, chars = " "+text, append([]float64{.99}, chars...)
		}
		n := float64(max(1, len([]rune(text))))
		for k := range []rune(text) {
			l.At = append(l.At, (r.x+(float64(k)+.5)/n*r.length()-from)/max(.01, to-from))
		}
		l.Text, l.Chars = l.Text+text, append(l.Chars, chars...)
		for range chars {
			names = append(names, r.names)
		}
	}
	for i := range l.At {
		l.At[i] = math.Round(1e4*min(1, max(0, l.At[i]))) / 1e4
	}
	h := math.Pow(tallest, 1-c.even) * between(c.rng, .95, 1.2)
	l.X, l.Y = (from+to)/2*scale, (row[0].y+.04*c.rng.NormFloat64())*scale
	l.Length, l.Height = (to-from+.3*h)*scale, h*scale
	return l, names
}
