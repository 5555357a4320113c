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
	dirt := dirtOf(known)
	var out []facts.Cached
	for i := 0; len(out) < o.Pages; i++ {
		rng := newRand(o.Seed^0x5eed, i)
		seed := int64(o.Seed)*100000 + int64(i) //nolint:gosec // seeds are small
		kinds := fixtures.AllKinds()
		style := fixtures.StyleOf(seed)
		d, err := fixtures.NewDocument(kinds[i%len(kinds)], seed, fixtures.Options{Style: &style, Quick: true, Scale: 4})
		if err != nil {
			return nil, fmt.Errorf("draw a document: %w", err)
		}
		front, back := d.Prints()
		out = append(out, knownSide(rng, d, front, d.Truth.Front, dirt))
		if len(back) > 0 {
			out = append(out, knownSide(rng, d, back, d.Truth.Back, dirt))
			out[len(out)-1].WantKind, out[len(out)-1].WantIssuer = "", ""
			out[len(out)-1].Picture += "-back"
		}
	}
	return out, nil
}

// knownSide is one side of a document of a known layout.
func knownSide(rng *rand.Rand, d *fixtures.Document, prints []fixtures.Print, truth []fixtures.Claim, dirt dirt) facts.Cached {
	out := facts.Cached{
		Picture: fmt.Sprintf("known-%s-%d", d.Kind, d.Seed), Layout: facts.KnownLayout, Group: string(d.Kind), Camera: "relaid", Good: true,
		Today: today.Format(time.DateOnly), WantKind: idv.DocumentKind(d.Truth.Kind), WantIssuer: d.Truth.Issuer, Kind: "unknown",
	}
	c := content{kind: out.WantKind}
	for _, t := range truth {
		out.Truth = append(out.Truth, facts.Truth{Name: t.Name, Value: t.Value, Printed: t.Printed})
		c.fields = append(c.fields, field{truth: facts.Truth{Name: t.Name, Value: t.Value, Printed: t.Printed}})
	}
	if onZone(prints, d.Truth.Lines) && chance(rng, .9) {
		out.Kind, out.Issuer = c.kind, d.Truth.Issuer
		out.Zone, out.Dates, out.Number = c.zoneClaims()
	}
	camera{rng: rng, dirt: dirt}.shoot(&out, runsOf(prints, d.Truth.Lines))
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
