package optical

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// readers are all networks that read ordinary print: lines in Latin letters, in Cyrillic and Greek ones, and in Vietnamese, and single letters.
type readers struct {
	latin, other, vietnamese textReader // other: of Cyrillic and Greek
	letters                  letter.Reader

	foundOther      bool // some lines of the page that is read are in Cyrillic or Greek
	foundVietnamese bool // some are in Vietnamese
}

// newReaders returns the readers of lines in Latin letters, in Cyrillic and Greek ones, and in Vietnamese, with the reader of single letters.
func newReaders(latin, other, vietnamese ocr.LineReader, letters letter.Reader) *readers {
	return &readers{
		latin: textReader{LineReader: latin}, other: textReader{LineReader: other, other: true},
		vietnamese: textReader{LineReader: vietnamese, toned: true, doubt: tonedDoubt}, letters: letters,
	}
}

// forPage returns the readers for one page. They remember what they read, so that a crop that is cut again is seldom read again, and which scripts were
// found on the page.
func (n *readers) forPage() *readers {
	out := *n
	for _, r := range []*textReader{&out.latin, &out.other, &out.vietnamese} {
		r.memo = new(memo)
	}
	return &out
}

// read reads a line of Latin print.
func (n *readers) read(ctx context.Context, img *imaging.Photo, s ocr.Strip) (printed, error) {
	return n.latin.readText(ctx, img, s)
}

// readLines reads rows of an upright picture as ordinary print, in the order given, one line for each, in whichever script. Lines of one page that are
// read later are in the scripts that were found before, so it must not be called twice at a time for a page.
func (n *readers) readLines(ctx context.Context, img *imaging.Photo, rows []ocr.Strip) ([]line, error) {
	out := make([]line, len(rows))
	err := each(ctx, len(rows), func(ctx context.Context, i int) error {
		p, err := n.read(ctx, img, rows[i])
		out[i] = line{printed: p, strip: rows[i]}
		return err
	})
	if err == nil {
		err = n.readOtherScripts(ctx, img, out)
	}
	if err == nil {
		err = n.readVietnamese(ctx, img, out)
	}
	if err != nil {
		return nil, err
	}
	return out, nil
}

// marks is what the issuer of a page, and the state in whose languages its names are, say of its letters.
func (n *readers) marks(issuer, ofNames string, lines []line) marks {
	return n.latin.marksOf(issuer, ofNames, lines)
}

// readerOf is the reader that reads a line.
func (n *readers) readerOf(l line) textReader {
	switch {
	case l.other:
		return n.other
	case l.toned:
		return n.vietnamese
	}
	return n.latin
}
