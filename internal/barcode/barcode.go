// Package barcode reads and writes the PDF417 and QR codes of identity documents.
//
// Where a PDF417 may lie is told by the picture's texture: bars are strong edges
// in one direction. A QR code is told by its three finder patterns. A PDF417 is then
// read softly (stacked.go): nothing is made black or white before its rows,
// columns and codewords have been decided by what they resemble most, so that
// it may be small, slanted, blurred or scratched. QR codes, and what is left of
// a PDF417 without one of its ends, are read by a library, to which the picture
// is shown in several ways. A picture without such texture costs next to nothing.
// Error correction leaves no doubt about what was read: a code is read right or
// not at all.
package barcode

import (
	"context"
	"errors"
	"math"
	"slices"

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
	if max(g.W, g.H) <= tiny {
		if c, ok := quick(g); ok {
			return c, nil
		}
	}
	bars := textureOf(g).bars()
	filled := slices.ContainsFunc(bars, func(r region) bool { return r.fills(g) })
	if filled && max(g.W, g.H) > tiny {
		// As a scanner or a printer's program makes it: often clean, and sometimes without a stop pattern or margins.
		if c, ok := plain(g); ok {
			return c, nil
		}
	}
	c, ok := readSquares(ctx, g)
	if ok {
		return c, nil
	}
	c, likely, ok := readStacked(ctx, g, bars)
	if ok {
		return c, nil
	}
	// Every way of looking costs a second: only where there must be a code, or where the picture is small. Where bars fill
	// the picture it is worth a glimpse.
	likely = likely || max(g.W, g.H) <= tiny
	if !likely && filled {
		if c, ok := glimpse(ctx, g); ok {
			return c, nil
		}
	}
	if likely {
		return search(ctx, g)
	}
	if err := ctx.Err(); err != nil {
		return Code{}, err
	}
	return Code{}, ErrNotFound
}

// tiny is the longest side of a picture that is worth every way of looking at it.
const tiny = 700

// quick is the library's first look, for clean codes.
func quick(g *imaging.Gray) (Code, bool) {
	c, _, ok := readPDF417(g, binarizers[0])
	if !ok {
		c, ok = readQR(g, binarizers[0])
	}
	return c, ok && !c.partial
}

// plainSide is the longest side of the copy of a code that fills its picture: three pixels a module of all but the widest.
const plainSide = 1000

// plain is the library's look at a code that fills the picture.
func plain(g *imaging.Gray) (Code, bool) {
	v := scaled(g, math.Min(1, plainSide/float64(max(g.W, g.H))))
	c, _, ok := readPDF417(v.pic, binarizers[0])
	if !ok {
		return Code{}, false
	}
	if c = v.home(c); c.partial {
		c.Quad = completed(g, c.Quad)
	}
	return c, true
}

// glimpse is the library's look at the whole picture in a few sizes.
func glimpse(ctx context.Context, g *imaging.Gray) (Code, bool) {
	for _, v := range wholes(g) {
		if ctx.Err() != nil {
			break
		}
		if c, _, ok := readPDF417(v.pic, binarizers[0]); ok && !c.partial {
			return v.home(c), true
		}
	}
	return Code{}, false
}

// search shows the picture to the library in every way, where something says that there is a code.
func search(ctx context.Context, g *imaging.Gray) (Code, error) {
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
