package text

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/reading/calendar"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// script is an alphabet that the two readers of lines know.
type script int

const (
	latin script = iota
	cyrillic
	greek
	scripts
)

// twinsOf are for each letter that print shows like one of another script those that look like it, itself among them.
var twinsOf = func() map[rune][scripts]rune {
	out := map[rune][scripts]rune{}
	for _, row := range lexicon.Twins {
		all := [scripts]rune([]rune(row))
		for _, r := range all {
			if r != '_' {
				out[r] = all
			}
		}
	}
	return out
}()

// isTwin reports whether two letters of different scripts are printed alike.
func isTwin(a, b rune) bool {
	twins, ok := twinsOf[a]
	return ok && twins == twinsOf[b]
}

// scriptOf is the alphabet of a letter; false for what is none of the three's.
func scriptOf(r rune) (script, bool) {
	switch {
	case !unicode.IsLetter(r):
		return 0, false
	case unicode.Is(unicode.Latin, r):
		return latin, true
	case unicode.Is(unicode.Cyrillic, r):
		return cyrillic, true
	case unicode.Is(unicode.Greek, r):
		return greek, true
	}
	return 0, false
}

// ownLetters counts the letters of a text that look like no letter of another script, by script.
func ownLetters(text []rune) (own [scripts]int) {
	for _, r := range text {
		if s, ok := scriptOf(r); ok && twinsOf[r] == ([scripts]rune{}) {
			own[s]++
		}
	}
	return own
}

// inOneScript writes each word in one script, if only one has letters in it that no other has: a reader of several may take an А for an A.
func inOneScript(text []rune) []rune {
	out := slices.Clone(text)
	for from := 0; from < len(out); {
		to := from
		for to < len(out) && unicode.IsLetter(out[to]) {
			to++
		}
		if s, ok := scriptOfWord(out[from:to]); ok {
			for i := from; i < to; i++ {
				if twin := twinsOf[out[i]][s]; twin != 0 && twin != '_' {
					out[i] = twin
				}
			}
		}
		from = max(to, from+1)
	}
	return out
}

// inOneCase writes the letters of a word, but for its first, in the case that two thirds of them are in: most Cyrillic letters look alike in
// both. Words with Latin letters stay: McDonald.
func inOneCase(text []rune) []rune {
	out := slices.Clone(text)
	for from := 0; from < len(out); {
		to := from
		upper, lower := 0, 0
		for ; to < len(out) && unicode.IsLetter(out[to]); to++ {
			switch s, _ := scriptOf(out[to]); {
			case s == latin:
				upper, lower = -len(out), -len(out)
			case to > from && unicode.IsUpper(out[to]):
				upper++
			case to > from:
				lower++
			}
		}
		switch {
		case upper > 1 && upper >= 2*lower:
			change(out[from:to], unicode.ToUpper)
		case lower > 1 && lower >= 2*upper:
			change(out[from+1:to], unicode.ToLower)
		}
		from = max(to, from+1)
	}
	return out
}

func change(runes []rune, how func(rune) rune) {
	for i, r := range runes {
		runes[i] = how(r)
	}
}

// scriptOfWord is the one script that has letters of its own in a word; of a word of look-alikes the one that most of them are in. It is false
// where that is not one.
func scriptOfWord(word []rune) (script, bool) {
	if own := ownLetters(word); own != ([scripts]int{}) {
		return most(own, func(second int) bool { return second == 0 })
	}
	var all [scripts]int
	for _, r := range word {
		if s, ok := scriptOf(r); ok {
			all[s]++
		}
	}
	return most(all, func(second int) bool { return second < max(all[latin], all[cyrillic], all[greek]) })
}

// most is the script with the highest count, if the second highest one allows.
func most(counts [scripts]int, allows func(second int) bool) (script, bool) {
	best, second := latin, 0
	for s := range scripts {
		if counts[s] > counts[best] {
			best = s
		}
	}
	for s := range scripts {
		if s != best {
			second = max(second, counts[s])
		}
	}
	return best, counts[best] > 0 && allows(second)
}

// foreignLetters counts the Cyrillic and Greek letters of a text that look like no Latin one.
func foreignLetters(text string) (n int) {
	for _, r := range text {
		twins, twin := twinsOf[r]
		if s, ok := scriptOf(r); ok && s != latin && (!twin || twins[latin] == '_') {
			n++
		}
	}
	return n
}

// Limits by which pages and lines count as Cyrillic or Greek.
const (
	otherLines   = 2   // that are surely no Latin, for the page to be read with the reader of the other scripts, and that it reads more surely
	otherMostly  = 4   // times as many of these as surely Latin lines are a page of no other print
	otherSurely  = .7  // the least mean confidence of these
	otherLegible = .8  // the mean confidence from which a line is what that reader read, where Latin print would be nothing but look-alikes,
	otherAlone   = .5  // and on a page of no other print
	latinSure    = .95 // the mean confidence from which a line is surely Latin
)

// readOtherScripts reads the lines of a page on which some are surely no Latin with the reader of Cyrillic and Greek, and takes what it
// read where the page turns out to be in one of these scripts.
func (n *Readers) readOtherScripts(ctx context.Context, img *imaging.Photo, lines []Line) error {
	if !n.foundOther && !someForeign(lines) {
		return nil
	}
	read := make([]Reading, len(lines))
	err := Each(ctx, len(lines), func(ctx context.Context, i int) (err error) {
		if lines[i].Text != "" {
			read[i], err = n.other.readText(ctx, img, lines[i].Strip)
		}
		return err
	})
	if err == nil {
		n.foundOther = takeOtherByBlock(lines, read, n.foundOther)
	}
	return err
}

// someForeign reports whether some lines are surely no Latin.
func someForeign(lines []Line) bool {
	n := 0
	for _, l := range lines {
		if len([]rune(l.Text)) >= foreignLeast && scriptScore(l.Text, l.Chars) > foreignScore {
			n++
		}
	}
	return n >= otherLines
}

// takeOtherByBlock is takeOther for each block of a page, and for the lines beside them. It reports whether some are in another script.
func takeOtherByBlock(lines []Line, read []Reading, known bool) bool {
	blocks := blocksOf(lines)
	for k, block := range blocks {
		some, others := make([]Line, len(block)), make([]Reading, len(block))
		for at, i := range block {
			some[at], others[at] = lines[i], read[i]
		}
		told := takeOther(some, others, known && (len(blocks) < 3 || k == len(blocks)-1))
		known = known || told
		for at, i := range block {
			lines[i] = some[at]
		}
	}
	return known
}

// takeOther puts what the reader of the other scripts read in place of lines of a page that has some which it reads more surely than the reader
// of Latin print does. On such a page a line is what it reads there also where that has letters which Latin has not, and Latin print would be
// nothing but look-alikes: ВАЛЕЕВ is surely read as BAJIEEB, too. A line of nothing but look-alikes in either script is in that of most
// lines, unless it has figures: a month beside them is May rather than Мау. known: other lines have told already that the page is such a one. It
// reports whether it is.
func takeOther(lines []Line, read []Reading, known bool) bool {
	dropImpossible(lines, read)
	surer, latins := countScripts(lines, read)
	if surer < otherLines && !known {
		return false
	}
	for i, p := range read {
		if takesOther(p, lines[i], surer, latins) {
			lines[i] = lines[i].inOther(p)
		}
	}
	writeInScriptOfPage(lines)
	return true
}

// UnifyScript rewrites ambiguous words in the script of the page where some of its lines are in Cyrillic or Greek.
func UnifyScript(lines []Line) {
	if slices.ContainsFunc(lines, func(l Line) bool { return l.Other }) {
		writeInScriptOfPage(lines)
	}
}

// writeInScriptOfPage rewrites ambiguous words in the script of the page. The reader may take ФОМА with the М and the А of Greek; the other letters
// of the page say that it is Cyrillic.
func writeInScriptOfPage(lines []Line) {
	var own [scripts]int
	for _, l := range lines {
		for s, n := range ownLetters([]rune(l.Text)) {
			own[s] += n
		}
	}
	own[latin] = 0
	page, ok := most(own, func(second int) bool { return second < max(own[cyrillic], own[greek]) })
	if !ok {
		return
	}
	for k, l := range lines {
		out := []rune(l.Text)
		for from := 0; from < len(out); {
			to := from
			for to < len(out) && unicode.IsLetter(out[to]) {
				to++
			}
			if ambiguous(out[from:to], page) {
				for i := from; i < to; i++ {
					out[i] = twinsOf[out[i]][page]
				}
			}
			from = max(to, from+1)
		}
		lines[k].Text = string(out)
	}
}

// ambiguous reports whether a word mixes scripts though each of its letters has a look-alike in the given one.
func ambiguous(word []rune, in script) bool {
	var all [scripts]int
	for _, r := range word {
		s, ok := scriptOf(r)
		if twin := twinsOf[r][in]; !ok || twin == 0 || twin == '_' {
			return false
		}
		all[s]++
	}
	return min(all[latin], 1)+min(all[cyrillic], 1)+min(all[greek], 1) > 1
}

// dropImpossible discards what nobody prints: words in letters of two scripts, and other letters in place of a day.
func dropImpossible(lines []Line, read []Reading) {
	for i, p := range read {
		if mixesScripts(p.Text) || calendar.HasDay(lines[i].Text) && !calendar.HasDay(p.Text) {
			read[i] = Reading{}
		}
	}
}

// countScripts counts the lines that are surely in another script, and those that are surely Latin.
func countScripts(lines []Line, read []Reading) (surer, latins int) {
	for i, p := range read {
		switch l := lines[i]; {
		case len([]rune(p.Text)) >= foreignLeast && foreignLetters(p.Text) > 1 && prefersOther(p, l):
			surer++
		case l.surelyLatin():
			latins++
		}
	}
	return surer, latins
}

// takesOther reports whether a line is what the reader of the other scripts reads, on a page with so many lines of these and of Latin print.
func takesOther(p Reading, l Line, surer, latins int) bool {
	foreign, lookAlikes := foreignLetters(p.Text) > 0, ownLetters([]rune(l.Text))[latin] == 0
	switch {
	case foreign && surer >= otherMostly*latins:
		return prefersOther(p, l) || p.Confidence >= otherAlone
	case foreign:
		return prefersOther(p, l) || p.Confidence >= l.Confidence || lookAlikes && p.Confidence >= otherLegible
	case lookAlikes && surer > latins:
		return hasOther(p.Text) && !strings.ContainsFunc(p.Text, unicode.IsDigit)
	}
	return false
}

// otherMixed is the share of the letters of a line that are in another script than the rest of their word, or of a second script beside Latin,
// above which the line is discarded: a reader of both scripts makes such lines of blurred Latin print. It was set by hand on six phone pictures.
const otherMixed = .2

// mixesScripts reports whether a line has words in letters of two scripts, or both Cyrillic and Greek ones.
func mixesScripts(text string) bool {
	strays, all := 0, 0
	for word := range strings.FieldsFuncSeq(text, func(r rune) bool { return !unicode.IsLetter(r) }) {
		own := ownLetters([]rune(word))
		sum := own[latin] + own[cyrillic] + own[greek]
		strays, all = strays+sum-slices.Max(own[:]), all+sum
	}
	own := ownLetters([]rune(text))
	return float64(strays) > otherMixed*float64(all) || float64(min(own[cyrillic], own[greek])) > otherMixed*float64(own[cyrillic]+own[greek])
}

// prefersOther reports whether a line is more surely read by the reader of the other scripts, in letters of these.
func prefersOther(p Reading, l Line) bool {
	return foreignLetters(p.Text) > 0 && p.Confidence >= otherSurely && weightOf(p.Chars) > weightOf(l.Chars)
}

// hasOther reports whether a text has Cyrillic or Greek letters.
func hasOther(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool {
		s, ok := scriptOf(r)
		return ok && s != latin
	})
}

// inOther is the line as the reader of the other scripts read it.
func (l Line) inOther(p Reading) Line {
	l = l.as(p)
	l.Other = true
	return l
}
