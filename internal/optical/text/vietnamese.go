package text

import (
	"context"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// tonedSure is the mean confidence from which a line is what the reader of Vietnamese read, where that has letters in it that the reader of Latin
// print does not know.
const tonedSure = .5

// tonedDoubt is how many times as doubtful a character is as the network of that reader says. Of 400 lines of other typefaces and words it read 186
// at .8 and more throughout, 20 of them wrongly, and 152 at .9 and more, 10 of them wrongly (models/text/README.md).
const tonedDoubt = 3.5

// unlike is how sure the characters of a line are at most if the two readers read different texts.
const unlike = .5

// foreignSure is how sure a foreign consonant must be to count against Vietnamese.
const foreignSure = .9

// foreignConsonants have marks that Vietnamese does not use.
const foreignConsonants = "ÇĆČĎĢĞĶĹĽŁŃŅŇÑŔŘŚŞŠȘŢŤȚŹŻŽçćčďģğķĺľłńņňñŕřśşšșţťțźżž"

// readVietnamese reads the lines of a page on which Vietnamese is likely with the reader that knows its letters, and takes those of what it read that
// have some: the reader of Latin print takes such letters for others, often surely. On such a page other words are as sure as both readers are.
func (n *Readers) readVietnamese(ctx context.Context, img *imaging.Photo, lines []Line) error {
	if !n.foundVietnamese && !someVietnamese(lines) {
		return nil
	}
	read, seen := make([]Reading, len(lines)), make([]looked, len(lines))
	err := Each(ctx, len(lines), func(ctx context.Context, i int) (err error) {
		if lines[i].Text != "" && !lines[i].Other {
			seen[i], err = n.vietnamese.look(ctx, ocr.CropGray(img, lines[i].Strip), Marks{})
			read[i] = seen[i].Reading
		}
		return err
	})
	if err == nil {
		n.foundVietnamese = takeVietnamese(lines, read, n.latin.knows) || n.foundVietnamese
		err = n.lookAtTones(ctx, img, lines, seen)
	}
	return err
}

// takeVietnamese puts what the reader of Vietnamese read in place of lines. It reports whether the page turns out to be Vietnamese. known: the letters
// of the reader of Latin print.
func takeVietnamese(lines []Line, read []Reading, known func(rune) bool) bool {
	found := false
	for i, p := range read {
		if p.Confidence >= tonedSure && strings.ContainsFunc(p.Text, func(c rune) bool { return unicode.IsLetter(c) && !known(c) }) {
			lines[i], found = lines[i].inVietnamese(p), true
		}
	}
	for i, p := range read {
		if l := lines[i]; found && p.Text != "" && !l.toned {
			lines[i] = l.inVietnamese(l.agreed(p))
		}
	}
	return found
}

// foreign is how many lines surely have a foreign consonant.
func foreign(lines []Line) int {
	n := 0
	for _, l := range lines {
		for k, c := range []rune(l.Text) {
			if l.Chars[k] >= foreignSure && strings.ContainsRune(foreignConsonants, c) {
				n++
				break
			}
		}
	}
	return n
}

// agreed returns the line's own reading. Each character is as sure as the less sure of two readings, and at most unlike if the other reading is a
// different text. Words with figures keep their confidence.
func (l Line) agreed(other Reading) Reading {
	p := Reading{Chars: slices.Clone(l.Chars), At: l.At}
	runes := []rune(l.Text)
	for from := 0; from < len(runes); {
		to := from + 1
		for to < len(runes) && !unicode.IsSpace(runes[to]) {
			to++
		}
		for i := from; i < to && !slices.ContainsFunc(runes[from:to], unicode.IsDigit); i++ {
			if other.Text == l.Text {
				p.Chars[i] = min(p.Chars[i], other.Chars[i])
			} else {
				p.Chars[i] = min(p.Chars[i], unlike)
			}
		}
		from = to
	}
	return p.of(runes)
}

// someVietnamese reports whether some of a page is likely Vietnamese, as the reader of Latin print read it: a line names the state or one of its usual
// families, or more lines have a letter that only Vietnamese writes than have a foreign consonant.
func someVietnamese(lines []Line) bool {
	letters := 0
	for _, l := range lines {
		if lexicon.NamesVietnam(l.Text) {
			return true
		}
		if lexicon.HasVietnameseLetter(l.Text) {
			letters++
		}
	}
	return letters > foreign(lines)
}

// inVietnamese is the line with a reading that the reader of Vietnamese has seen.
func (l Line) inVietnamese(p Reading) Line {
	l = l.as(p)
	l.toned = true
	return l
}
