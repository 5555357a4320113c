// Package barcode reads the PDF417 and QR codes of identity documents.
//
// Decoding is a library's; finding is ours. The library reads a code that lies
// upright, large and flat, so each picture is offered to it in several ways:
// whole at a few scales, then the regions whose gradients look like bars, set
// upright, then what lies between a code's start and stop pattern, rectified.
// The first way that decodes ends the search. Error correction leaves no doubt
// about what was read: a code is read right or not at all.
package barcode

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// ErrNotFound says that the picture shows no code that could be read.
var ErrNotFound = errors.New("no bar code could be read")

// Format is a symbology.
type Format string

// The formats that are looked for.
const (
	PDF417 Format = "PDF417"
	QR     Format = "QR"
)

// Code is a code that was read.
type Code struct {
	Format Format
	Text   string       // characters; bytes without a declared character set count as Latin-1
	Bytes  []byte       // Text in Latin-1 where it fits, else in UTF-8
	Quad   imaging.Quad // in pixels of the picture, corners as the code is seen upright
	Part   Part         // of a PDF417 that is spread over several codes; zero otherwise

	partial bool // only the start or the stop pattern was found: Quad covers no more
}

// Part places one of several codes that belong together (ISO/IEC 15438 annex H).
type Part struct {
	File  string
	Index int // from 0
	Count int // 0 if the code does not tell
	Last  bool
}

// Read looks for codes of both formats, the likeliest ways first, and returns
// the first it can read. It stops with the context's error when that ends; the
// error of a picture without a readable code is ErrNotFound.
func Read(ctx context.Context, g *imaging.Gray) (Code, error) {
	if g.W < minSide || g.H < minSide {
		return Code{}, ErrNotFound
	}
	for v := range views(g) {
		if err := ctx.Err(); err != nil {
			return Code{}, err
		}
		if c, ok := v.read(ctx); ok {
			if c.partial {
				c.Quad = completed(g, c.Quad)
			}
			return c, nil
		}
	}
	if err := ctx.Err(); err != nil {
		return Code{}, err
	}
	return Code{}, ErrNotFound
}

// minSide is the shortest side of a picture that can hold a code.
const minSide = 20

// latin1 writes the text's bytes as the code holds them, when it can.
func latin1(s string) []byte {
	out := make([]byte, 0, len(s))
	for _, r := range s {
		if r > 0xff {
			return []byte(s)
		}
		out = append(out, byte(r))
	}
	return out
}
