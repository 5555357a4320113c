package optical

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// lookTwice reads the values of facts that were not read surely from crops of their own: without the label, which is often set
// in another size, and with other paper.
func (w printedText) lookTwice(ctx context.Context, lines []text.Line, read reading.Reading) ([]text.Line, reading.Reading, error) {
	if len(read.Again) == 0 {
		return lines, read, nil
	}
	lines = slices.DeleteFunc(slices.Clone(lines), func(l text.Line) bool { return l.Text == "" }) // numbered as the page's
	parts := slices.Clone(read.Again)
	slices.SortFunc(parts, func(a, b reading.Part) int { return b.From - a.From }) // the last of a line first: those before it stay where they are
	best := make([]text.Reading, len(parts))
	k := text.Known{Marks: w.models.text.Marks(read.Issuer, w.stateOfNames(read), lines), Filter: w.asInZone, IsNumber: w.isZoneNumber}
	err := text.Each(ctx, len(parts), func(ctx context.Context, i int) (err error) {
		best[i], err = w.models.text.LookAgain(ctx, w.img, lines[parts[i].Line], parts[i], k)
		return err
	})
	if err != nil {
		return nil, reading.Reading{}, err
	}
	for i, p := range parts {
		lines[p.Line] = lines[p.Line].With(p, best[i])
	}
	text.UnifyScript(lines)
	lines = text.Measure(w.img, lines)
	return lines, reading.Read(w.printedPage(lines)), nil
}

// asInZone are the readings that are a name of the machine-readable zone by its transliterations, if any is: an Å that the zone
// writes AA was no A; or surely its number: a coloured line across a 3 makes an 8 of it, until the colours are taken away. Where
// none is, or there is no zone, all are.
func (w printedText) asInZone(seen []text.Reading) []text.Reading {
	if w.page.MRZ == nil {
		return seen
	}
	d := w.page.MRZ.Document
	var out []text.Reading
	for _, p := range seen {
		number := p.Surely() && sameNumber(p.Text, d.Number)
		if number || icao.SameName(p.Text, d.Surname, 0) || icao.SameName(p.Text, d.GivenNames, 0) {
			out = append(out, p)
		}
	}
	if out == nil {
		return seen
	}
	return out
}

// isZoneNumber reports whether print is the number of the machine-readable zone.
func (w printedText) isZoneNumber(print string) bool {
	return w.page.MRZ != nil && sameNumber(print, w.page.MRZ.Document.Number)
}

// sameNumber reports whether print is a number of a zone, however it is grouped.
func sameNumber(print, zone string) bool {
	return zone != "" && strings.ReplaceAll(print, " ", "") == strings.ReplaceAll(zone, " ", "")
}

// foreigners are the kinds of documents that a state issues to people of other states.
var foreigners = []idv.DocumentKind{idv.Visa, idv.ResidencePermit}

// stateOfNames is the state in whose languages the names of a page are; "" where it is not known.
func (w *work) stateOfNames(read reading.Reading) string {
	kind := w.page.Kind
	if kind == idv.UnknownKind {
		kind = read.Kind
	}
	if !slices.Contains(foreigners, kind) {
		return cmp.Or(w.page.Issuer, read.Issuer)
	}
	if w.page.MRZ != nil {
		return icao.ClaimedState(w.page.MRZ.Document.Nationality)
	}
	i := slices.IndexFunc(read.Claims, func(c idv.Claim) bool { return c.Name == idv.Nationality })
	if i < 0 {
		return ""
	}
	return read.Claims[i].Value
}
