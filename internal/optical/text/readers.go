package text

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Readers are all networks that read ordinary print: lines in Latin letters, in Cyrillic and Greek ones, and in Vietnamese, and single letters. They are
// safe for concurrent use, but for ReadLines of those of a page.
type Readers struct {
	latin, other, vietnamese reader // other: of Cyrillic and Greek
	letters                  letter.Reader

	foundOther      bool // some lines of the page that is read are in Cyrillic or Greek
	foundVietnamese bool // some are in Vietnamese
}

// NewReaders returns the readers of lines in Latin letters, in Cyrillic and Greek ones, and in Vietnamese, with the reader of single letters.
func NewReaders(latin, other, vietnamese ocr.LineReader, letters letter.Reader) *Readers {
	return &Readers{
		latin: reader{LineReader: latin}, other: reader{LineReader: other, other: true},
		vietnamese: reader{LineReader: vietnamese, toned: true, doubt: tonedDoubt}, letters: letters,
	}
}

// ForPage returns the readers for one page. They remember what they read, so that a crop that is cut again is seldom read again, and which scripts were
// found on the page.
func (n *Readers) ForPage() *Readers {
	out := *n
	for _, r := range []*reader{&out.latin, &out.other, &out.vietnamese} {
		r.memo = new(memo)
	}
	return &out
}

// Read reads a line of Latin print, in the direction of the strip.
func (n *Readers) Read(ctx context.Context, img *imaging.Photo, s ocr.Strip) (Reading, error) {
	return n.latin.readText(ctx, img, s)
}

// ReadLines reads rows of an upright picture as ordinary print, in the order given, one line for each, in whichever script. What
// it found of the scripts of a page counts when it is called again, so it must not be called twice at a time.
func (n *Readers) ReadLines(ctx context.Context, img *imaging.Photo, rows []ocr.Strip) ([]Line, error) {
	out := make([]Line, len(rows))
	err := Each(ctx, len(rows), func(ctx context.Context, i int) error {
		p, err := n.Read(ctx, img, rows[i])
		out[i] = Line{Reading: p, Strip: rows[i]}
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
	for i, l := range out {
		out[i] = l.withoutStray()
	}
	return out, nil
}

// Marks is what the issuer of a page, and the state in whose languages its names are, say of its letters.
func (n *Readers) Marks(issuer, ofNames string, lines []Line) Marks {
	return n.latin.marksOf(issuer, ofNames, lines)
}

// readerOf is the reader that reads a line.
func (n *Readers) readerOf(l Line) reader {
	switch {
	case l.Other:
		return n.other
	case l.toned:
		return n.vietnamese
	}
	return n.latin
}
