package facts

import (
	"bufio"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

// Cached is one picture as the recogniser saw it, with its truth: what a reader of facts needs to be scored without pixels.
// A file of them has one a line, as JSON; a name that ends in .gz is compressed.
type Cached struct {
	Picture string `json:"picture"`
	Layout  Layout `json:"layout"`
	Group   string `json:"group"`  // kind of specimen
	Camera  string `json:"camera"` // phone, scan, small, flat; empty for pictures that were not generated
	Good    bool   `json:"good_quality"`
	Width   int    `json:"width"` // pixels of the upright picture
	Height  int    `json:"height"`

	Kind   idv.DocumentKind `json:"kind"`   // as the zone, a barcode or today's reader of headings told it
	Issuer string           `json:"issuer"` // so too
	Today  string           `json:"today"`  // YYYY-MM-DD
	Dates  []string         `json:"zone_dates,omitempty"`
	Number string           `json:"zone_number,omitempty"`
	Zone   []idv.Claim      `json:"zone,omitempty"`
	CutAt  int              `json:"zone_name_cut_at,omitempty"`

	Face   *idv.Box     `json:"face,omitempty"` // of the portrait, parts of the picture
	Of     int          `json:"of_document"`    // so many of the lines are of the document; the others are elsewhere in the picture
	Lines  []CachedLine `json:"lines"`          // as they were first read
	Looked []CachedLine `json:"looked"`         // of the document, as the second looks of the reader of that day left them; without frames

	Truth      []Truth          `json:"truth"`
	WantKind   idv.DocumentKind `json:"want_kind,omitempty"`
	WantIssuer string           `json:"want_issuer,omitempty"`

	Read   []idv.Claim     `json:"read"`             // what the reader of that day stated, pixels at hand
	Filled []idv.ClaimName `json:"filled,omitempty"` // of these, those that are spelled as in the zone
}

// Layout says whether a picture's layout is one that the reader's tables describe.
type Layout string

// The layouts.
const (
	KnownLayout   Layout = "known"
	UnknownLayout Layout = "unknown"
)

// CachedLine is a line of print. Lengths are pixels of the upright picture.
type CachedLine struct {
	Text   string    `json:"text"`
	Chars  []float64 `json:"chars"` // for each rune how sure the recogniser was, 0–1
	At     []float64 `json:"at"`    // for each rune its middle along the strip, 0–1
	X      float64   `json:"x"`     // centre
	Y      float64   `json:"y"`
	Tilt   float64   `json:"tilt"` // radians, reading downwards > 0
	Length float64   `json:"length"`
	Height float64   `json:"height"`
	Alike  frames    `json:"frames,omitempty"`
}

// cachedOf is a picture that was read.
func cachedOf(x reading, got optical.Recognised, face *idv.Box) Cached {
	p := got.Page
	c := Cached{
		Picture: x.picture, Layout: x.layout, Group: x.group, Camera: x.camera, Good: x.good, Width: p.Width, Height: p.Height,
		Kind: p.Kind, Issuer: p.Issuer, Today: p.Today.Format(time.DateOnly), Dates: p.Dates, Number: p.Number, Zone: got.Zone, CutAt: got.CutAt,
		Face: face, Of: got.Of, Truth: x.truth, WantKind: x.wantKind, WantIssuer: x.wantIssuer, Read: printedOnly(x.claims), Filled: x.filled,
	}
	for i, l := range p.Lines {
		c.Lines = append(c.Lines, cachedLine(l, frames(got.Alike[i])))
	}
	for _, l := range x.print.Lines {
		c.Looked = append(c.Looked, cachedLine(l, nil))
	}
	return c
}

func cachedLine(l joint.Line, f frames) CachedLine {
	return CachedLine{
		Text: l.Text, Chars: rounded(l.Chars, 1e4), At: rounded(l.At, 1e4), X: round(l.Strip.X, 10), Y: round(l.Strip.Y, 10),
		Tilt: round(l.Strip.Tilt, 1e5), Length: round(l.Strip.Length, 10), Height: round(l.Strip.Height, 10), Alike: f,
	}
}

// Page is the print of the document as it was first read, as reading.Read takes it.
func (c Cached) Page() joint.Page { return c.page(c.Lines[:c.Of]) }

// LookedPage is the print of the document as the second looks of the reader of that day left it.
func (c Cached) LookedPage() joint.Page { return c.page(c.Looked) }

func (c Cached) page(lines []CachedLine) joint.Page {
	p := joint.Page{Width: c.Width, Height: c.Height, Kind: c.Kind, Issuer: c.Issuer, Dates: c.Dates, Number: c.Number}
	p.Today, _ = time.Parse(time.DateOnly, c.Today) // checked by ReadLines
	for _, l := range lines {
		at := joint.Strip{X: l.X, Y: l.Y, Tilt: l.Tilt, Length: l.Length, Height: l.Height}
		p.Lines = append(p.Lines, joint.Line{Text: l.Text, Chars: l.Chars, At: l.At, Strip: at})
	}
	return p
}

// Candidates are what the recogniser held possible in each frame of a line.
func (l CachedLine) Candidates() text.Candidates { return text.Candidates(l.Alike) }

// reading is the picture as the lines alone are understood, without a second look at its pixels.
func (c Cached) reading() reading {
	p := c.Page()
	read := joint.Read(p)
	x := reading{
		picture: c.Picture, group: c.Group, layout: c.Layout, camera: c.Camera, good: c.Good, truth: c.Truth,
		wantKind: c.WantKind, wantIssuer: c.WantIssuer, kind: read.Kind, issuer: read.Issuer, claims: read.Claims, print: p, zone: c.Zone != nil,
	}
	if c.Zone == nil {
		return x
	}
	answers, rest := joint.Compare(p, read, c.Zone, c.CutAt)
	x.claims = rest
	for _, a := range answers {
		if a.Verdict == joint.Silent {
			continue
		}
		x.claims = append(x.claims, a.Claim)
		if a.Filled {
			x.filled = append(x.filled, a.Fact)
		}
	}
	return x
}

// then is the picture as it was read when it was cached, pixels at hand. The kind and the issuer are those that were told then.
func (c Cached) then() reading {
	return reading{
		picture: c.Picture, group: c.Group, layout: c.Layout, camera: c.Camera, good: c.Good, truth: c.Truth, wantKind: c.WantKind,
		wantIssuer: c.WantIssuer, kind: c.Kind, issuer: c.Issuer, claims: c.Read, filled: c.Filled, print: c.LookedPage(), zone: c.Zone != nil,
	}
}

// Lines scores the reader on the pictures of a file, without their pixels, and what was read of them when the file was made.
func Lines(path string) (*Result, error) {
	all, err := ReadLines(path)
	if err != nil {
		return nil, err
	}
	readings := make([]reading, len(all))
	for i, c := range all {
		readings[i] = c.reading()
	}
	out := summarize(readings)
	then := make([]reading, len(all))
	for i, c := range all {
		then[i] = c.then()
	}
	out.Then = summarize(then)
	return out, nil
}

// longestCached bounds a picture's line in a file, in bytes.
const longestCached = 64 << 20

// ReadLines loads the pictures of a file.
func ReadLines(path string) ([]Cached, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("load lines: %w", err)
	}
	defer func() { _ = f.Close() }() // only read
	var in io.Reader = f
	if strings.HasSuffix(path, ".gz") {
		z, err := gzip.NewReader(f)
		if err != nil {
			return nil, fmt.Errorf("load lines: %w", err)
		}
		in = z
	}
	return decodeLines(in)
}

func decodeLines(in io.Reader) ([]Cached, error) {
	var out []Cached
	s := bufio.NewScanner(in)
	s.Buffer(nil, longestCached)
	for s.Scan() {
		var c Cached
		if err := json.Unmarshal(s.Bytes(), &c); err != nil {
			return nil, fmt.Errorf("load lines: picture %d: %w", len(out)+1, err)
		}
		if err := c.check(); err != nil {
			return nil, fmt.Errorf("load lines: picture %d: %w", len(out)+1, err)
		}
		out = append(out, c)
	}
	if err := s.Err(); err != nil {
		return nil, fmt.Errorf("load lines: %w", err)
	}
	if len(out) == 0 {
		return nil, errors.New("load lines: the file has no pictures")
	}
	return out, nil
}

// check reports what cannot be read.
func (c Cached) check() error {
	if _, err := time.Parse(time.DateOnly, c.Today); err != nil {
		return err
	}
	if c.Of < 0 || c.Of > len(c.Lines) {
		return fmt.Errorf("%d of %d lines are of the document", c.Of, len(c.Lines))
	}
	for i, l := range slices.Concat(c.Lines, c.Looked) {
		if n := len([]rune(l.Text)); len(l.Chars) != n || len(l.At) != n {
			return fmt.Errorf("line %d has %d characters, %d confidences and %d places", i+1, n, len(l.Chars), len(l.At))
		}
	}
	return nil
}

// writeLines saves what was read of pictures to a file, in their order.
func writeLines(path string, all []reading) (err error) {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("save lines: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var out io.WriteCloser = f
	if strings.HasSuffix(path, ".gz") {
		z := gzip.NewWriter(f)
		defer func() { err = errors.Join(err, z.Close()) }()
		out = z
	}
	to := json.NewEncoder(out)
	to.SetEscapeHTML(false)
	for _, x := range all {
		if x.cached == nil {
			continue
		}
		if err := to.Encode(x.cached); err != nil {
			return fmt.Errorf("save lines: %w", err)
		}
	}
	return nil
}
