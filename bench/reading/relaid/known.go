package relaid

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// DrawKnown returns the sides of documents of known layouts as a recogniser might see them: their texts where fixtures set them, misread as
// the lines of known pages were. No picture is taken, so that a fit can have thousands.
func DrawKnown(known []facts.Cached, o Options) ([]facts.Cached, error) {
	m := NewMill(known, o)
	var out []facts.Cached
	for i := 0; len(out) < o.Pages; i++ {
		sides, err := m.Known(i)
		if err != nil {
			return nil, err
		}
		out = append(out, sides...)
	}
	return out, nil
}

// mostKnown is how many documents of known layouts a mill has: further numbers are the same documents, seen anew.
const mostKnown = 4096

// printed is a document of a known layout without its picture.
type printed struct {
	kind        fixtures.Kind
	truth       fixtures.Truth
	front, back []fixtures.Print
}

// Known are the sides of the document of a number, in a known layout.
func (m *Mill) Known(i int) ([]facts.Cached, error) {
	n := i % mostKnown
	d, seen := m.known[n]
	if !seen {
		seed := int64(m.o.Seed)*100000 + int64(n) //nolint:gosec // a seed that wraps is still a seed
		kinds := fixtures.AllKinds()
		style := fixtures.StyleOf(seed)
		drawn, err := fixtures.NewDocument(kinds[n%len(kinds)], seed, fixtures.Options{Style: &style, Quick: true, Scale: 4})
		if err != nil {
			return nil, fmt.Errorf("draw a document: %w", err)
		}
		d.kind, d.truth = drawn.Kind, drawn.Truth
		d.front, d.back = drawn.Prints()
		m.known[n] = d
	}
	rng := newRand(m.o.Seed^0x5eed, i)
	name := fmt.Sprintf("known-%s-%d-%05d", d.kind, m.o.Seed, i)
	out := []facts.Cached{m.knownSide(rng, d, d.front, d.truth.Front)}
	out[0].Picture = name
	if len(d.back) > 0 {
		out = append(out, m.knownSide(rng, d, d.back, d.truth.Back))
		out[1].WantKind, out[1].WantIssuer, out[1].Picture = "", "", name+"-back"
	}
	return out, nil
}

// knownSide is one side of a document of a known layout.
func (m *Mill) knownSide(rng *rand.Rand, d printed, prints []fixtures.Print, truth []fixtures.Claim) facts.Cached {
	out := facts.Cached{
		Layout: facts.KnownLayout, Group: string(d.kind), Camera: "relaid", Good: true,
		Today: today.Format(time.DateOnly), WantKind: idv.DocumentKind(d.truth.Kind), WantIssuer: d.truth.Issuer, Kind: "unknown",
	}
	c := content{kind: out.WantKind}
	for _, t := range truth {
		out.Truth = append(out.Truth, facts.Truth{Name: t.Name, Value: t.Value, Printed: t.Printed})
		c.fields = append(c.fields, field{truth: facts.Truth{Name: t.Name, Value: t.Value, Printed: t.Printed}})
	}
	if onZone(prints, d.truth.Lines) && chance(rng, .9) {
		out.Kind, out.Issuer = c.kind, d.truth.Issuer
		out.Zone, out.Dates, out.Number = c.zoneClaims()
	}
	camera{rng: rng, dirt: m.dirt}.shoot(&out, runsOf(prints, d.truth.Lines))
	return out
}

// onZone reports whether a side has the document's zone.
func onZone(prints []fixtures.Print, zone []string) bool {
	return slices.ContainsFunc(prints, func(p fixtures.Print) bool { return slices.Contains(zone, p.Text) })
}

// Print that a recogniser does not see: turned so far, or so small.
const (
	mostTurn  = 4   // degrees
	leastSize = 1.1 // millimetres
)

// runsOf are the texts of a side without its zone, in heights of its usual letters.
func runsOf(prints []fixtures.Print, zone []string) []run {
	var sizes []float64
	prints = slices.DeleteFunc(slices.Clone(prints), func(p fixtures.Print) bool {
		return slices.Contains(zone, p.Text) || math.Abs(p.Turn) > mostTurn || p.Size < leastSize || strings.TrimSpace(p.Text) == ""
	})
	for _, p := range prints {
		sizes = append(sizes, p.Size)
	}
	slices.Sort(sizes)
	unit := 1.0
	if len(sizes) > 0 {
		unit = sizes[len(sizes)*2/3]
	}
	var out []run
	for _, p := range prints {
		out = append(out, run{
			text: p.Text, x: p.X / unit, y: p.Y / unit, h: p.Size / unit, wide: p.Length / unit, small: p.Size < .85*unit, dirt: p.Faint,
		})
	}
	return out
}
