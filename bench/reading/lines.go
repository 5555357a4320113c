// Package reading fits and scores the joint reader of printed facts on lines that were recognised before: no pixels, so that a fit or
// an ablation takes minutes.
package reading

import (
	"hash/fnv"
	"slices"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading"
)

// Picture is one picture as the recogniser saw it, with its truth.
type Picture struct {
	Name       string
	Layout     facts.Layout
	Good       bool // no reason to take the picture again
	Page       reading.Page
	Truth      map[idv.ClaimName]facts.Truth // the facts that are scored; of two of a name the first
	Zone       bool
	WantKind   idv.DocumentKind // empty: not known
	WantIssuer string
}

// Load reads files of recognised lines (facts.ReadLines), as they were first read.
func Load(paths ...string) ([]Picture, error) { return load(pictureOf, paths) }

// LoadLooked is Load with the lines as second looks left them.
func LoadLooked(paths ...string) ([]Picture, error) {
	return load(func(c facts.Cached) Picture {
		if len(c.Looked) > 0 {
			c.Lines, c.Of = c.Looked, len(c.Looked)
		}
		return pictureOf(c)
	}, paths)
}

func load(of func(facts.Cached) Picture, paths []string) ([]Picture, error) {
	var out []Picture
	for _, path := range paths {
		all, err := facts.ReadLines(path)
		if err != nil {
			return nil, err
		}
		for _, c := range all {
			out = append(out, of(c))
		}
	}
	return out, nil
}

func pictureOf(c facts.Cached) Picture {
	p := Picture{
		Name: c.Picture, Layout: c.Layout, Good: c.Good, Truth: map[idv.ClaimName]facts.Truth{},
		Zone: len(c.Zone) > 0, WantKind: c.WantKind, WantIssuer: c.WantIssuer,
	}
	for _, t := range c.Truth {
		if _, twice := p.Truth[t.Name]; !twice && facts.Asked(t.Name) {
			p.Truth[t.Name] = t
		}
	}
	print := c.Page()
	p.Page = reading.Page{Width: print.Width, Height: print.Height, Today: print.Today}
	if p.Zone {
		p.Page.Kind, p.Page.Issuer, p.Page.Dates, p.Page.Number = c.Kind, c.Issuer, c.Dates, c.Number
	}
	for _, l := range print.Lines {
		p.Page.Lines = append(p.Page.Lines, reading.Line{Text: l.Text, Chars: l.Chars, At: l.At, Strip: l.Strip})
	}
	return p
}

// Half returns one half of the pictures by a hash of their names, a or b, so that one half can be looked at and the other one judges;
// for another half, all.
func Half(all []Picture, half string) []Picture {
	if half != "a" && half != "b" {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(p Picture) bool {
		h := fnv.New32a()
		h.Write([]byte(p.Name)) // never fails
		return h.Sum32()>>8&1 == 0 != (half == "a")
	})
}
