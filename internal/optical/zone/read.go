package zone

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/onnx"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Reader finds and reads machine-readable zones with two readers of lines, which differ in architecture, alphabet and training
// text. It is safe for concurrent use.
type Reader struct{ first, second recogniser }

// NewReader returns a reader of zones: m is the model mrz-read, text the reader of printed lines, which is held to the
// machine-readable alphabet.
func NewReader(m *onnx.Model, text ocr.LineReader) *Reader {
	return &Reader{first: mrzReader{m}, second: newHeldReader(text)}
}

// scanner returns the scanner of a picture.
func (r *Reader) scanner(img *imaging.Photo) scanner { return scanner{reader: r.first, img: img} }

var (
	// ErrUnread is the error of Read where no format explains the lines.
	ErrUnread = errors.New("no format explains the lines")
	// ErrTitle is the error of Read where the lines are no zone, but large print that is set like one.
	ErrTitle = errors.New("the lines are a title")
)

// Reading is what a zone says, and how surely.
type Reading struct {
	Document    mrz.Document
	Format      mrz.Format
	Lines       []string    // as the first reader reads them, held to the class of each position
	RawLines    []string    // the same with any character anywhere
	SecondLines []string    // as the second reader reads them; nil where it cannot
	Characters  [][]float64 // per line and character, how sure the first reader is, 0–1
	Confidence  float64     // mean of Characters
	Agree       bool        // the second reader supports every character, and all are a pitch apart
	Unsupported []string    // fields with a character that the second reader does not support
	Uneven      bool        // characters are not a pitch apart
	InView      bool        // the zone is wholly in the picture

	Strips []ocr.Strip   // of the lines, from end to end of their characters
	Glyphs [][]ocr.Strip // per line and character
}

// unreadScore is the score below which a decoding is noise.
const unreadScore = -0.8

// secondMargin is the paper at both ends of the lines that are cut for the second reader, in pitches: less than for the first.
const secondMargin = 0.5

// Read reads the zone with both readers, under the format that explains the first one's frames best. The zone is then where that
// reading is. It returns ErrUnread and ErrTitle where there is nothing to read.
func (r *Reader) Read(ctx context.Context, img *imaging.Photo, z *Zone) (*Reading, error) {
	first, ok := z.decoded()
	if !ok || first.score < unreadScore {
		return nil, ErrUnread
	}
	s := r.scanner(img)
	first, lines, err := s.refit(ctx, z, first)
	if err != nil {
		return nil, err
	}
	var second []frames
	for _, line := range lines {
		line.Length += 2 * secondMargin * z.pitch
		f, err := r.second.read(ctx, ocr.CropGray(img, line))
		if err != nil {
			return nil, err
		}
		second = append(second, f)
	}
	other, _ := decodeAs(first.format, second)
	d, err := mrz.Parse(first.lines)
	if errors.Is(err, mrz.ErrNotMRZ) {
		return nil, ErrUnread
	}
	if err != nil {
		return nil, err
	}
	if isTitle(first, d) {
		return nil, ErrTitle
	}
	out := &Reading{
		Document: d, Format: first.format, Lines: first.lines, RawLines: first.raw, SecondLines: other.lines,
		Characters: first.conf, Confidence: first.confidence(), Strips: lines,
	}
	for i, g := range z.rows {
		out.Glyphs = append(out.Glyphs, g.glyphStrips(first.glyphs[i], z.pitch))
	}
	out.Unsupported = unsupported(first, other, second, s.foreignUnder(first, lines))
	out.Uneven = !first.evenlySpaced(z.rows)
	out.Agree = len(out.Unsupported) == 0 && !out.Uneven
	out.InView, err = s.inView(ctx, first, lines)
	return out, err
}

// titleConfidence is the confidence below which a decoding whose check digits fail is of other print: it was 0.49 and 0.53 on the
// titles of generated cards, and at least 0.99 on every zone of passporteye-27.
const titleConfidence = 0.75

// strangeConfidence is the same where no state has the issuer's code either: the rows of a North American card, read as a zone's.
const strangeConfidence = 0.95

// isTitle reports whether a decoding is of no zone, but of large print that is set like one (IDENTITY CARD, PERMIS DE CONDUIRE).
// Taken for a zone it would determine the kind of document, and contradict the true zone on the back.
func isTitle(first decoding, d mrz.Document) bool {
	sure := first.confidence()
	return !d.CheckDigitsOK() && (sure < titleConfidence || sure < strangeConfidence && !icao.MayIssue(d.Issuer))
}

// glyphStrips returns the places of a line's characters, a pitch wide.
func (g scan) glyphStrips(glyphs []glyph, pitch float64) []ocr.Strip {
	out := make([]ocr.Strip, len(glyphs))
	for i, c := range glyphs {
		m := g.strip.At(g.place(c), 0)
		out[i] = g.strip
		out[i].X, out[i].Y, out[i].Length, out[i].Height = m.X, m.Y, pitch, pitch*ocr.CapHeight*1.2
	}
	return out
}
