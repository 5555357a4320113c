package optical

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
	"github.com/bonafide-id/bonafide/internal/optical/zone"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// Page is all that was read from one picture of a document. Boxes are parts of the upright picture.
type Page struct {
	idv.Page
	Upright  *imaging.Photo  // the picture, turned
	MRZ      *Zone           // nil when none was found
	Claims   []idv.Claim     // without capture and side, which the reader does not know
	Filled   []idv.ClaimName // facts whose printed claim is spelled as in the zone: the print agrees, but was not surely read
	Barcode  *idv.Barcode    // nil when none was read
	Portrait *page.Portrait  // nil when no face was found
	Print    reading.Page    // the lines of Page with every character's confidence, as the facts were taken from them
	Timings  map[string]time.Duration
}

// Zone is a machine-readable zone with what it says.
type Zone struct {
	idv.MRZ
	Document   mrz.Document // of Lines
	Characters [][]float64  // per line and character, how sure the first reader is, 0–1
	boxes      [][]idv.Box  // per line and character

	unsupported []string        // fields with a character that the second reader does not support
	uneven      bool            // characters are not a pitch apart
	against     []idv.ClaimName // facts that print on the page disagrees with
	stated      []string        // fields that print on the page states as the zone does, surely read
	born        int             // year of birth as the page prints it, 0 where it does not
	alive       []time.Time     // days of the page on which its holder was alive
}

// newZone returns a reading of a zone in the picture. Print has no say in it yet.
func newZone(r *zone.Reading, img *imaging.Photo) *Zone {
	z := &Zone{Document: r.Document, Characters: r.Characters, unsupported: r.Unsupported, uneven: r.Uneven}
	z.MRZ = idv.MRZ{
		Format: string(r.Format), Lines: r.Lines, RawLines: r.RawLines, SecondLines: r.SecondLines,
		CheckDigitsOK: r.Document.CheckDigitsOK(), ReadersAgree: r.Agree, CutOff: !r.InView,
		PrintedZone: idv.PrintedNotOnPage, Confidence: r.Confidence, FailedChecks: []string{},
	}
	for _, c := range r.Document.Checks {
		if !c.OK {
			z.FailedChecks = append(z.FailedChecks, c.Field)
		}
	}
	for i, line := range r.Strips {
		z.Boxes = append(z.Boxes, page.BoxAround(line, img))
		z.boxes = append(z.boxes, boxesOf(r.Glyphs[i], img))
	}
	return z
}

// boxesOf returns the upright boxes round strips.
func boxesOf(strips []ocr.Strip, img *imaging.Photo) []idv.Box {
	out := make([]idv.Box, len(strips))
	for i, s := range strips {
		out[i] = page.BoxAround(s, img)
	}
	return out
}

// parts returns the regions that somebody may want to change: the portrait, each printed fact, and each line of the zone.
func (p *Page) parts() []page.Part {
	var out []page.Part
	if p.Portrait != nil {
		b := p.Portrait.Face.Box
		out = append(out, page.Part{Region: idv.PortraitRegion, Box: idv.Box{X: b.X, Y: b.Y, Width: b.W, Height: b.H}})
	}
	for _, c := range p.Claims {
		if c.Source == idv.FromPrinted && c.Box != nil {
			out = append(out, page.Part{Region: string(c.Name), Box: *c.Box})
		}
	}
	if p.MRZ != nil {
		for _, b := range p.MRZ.Boxes {
			out = append(out, page.Part{Region: idv.ZoneRegion, Box: b})
		}
	}
	return out
}
