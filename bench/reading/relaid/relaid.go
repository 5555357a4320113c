// Package relaid makes training pages for the joint reader out of lines that were recognised on known documents: the fields of each
// are moved into a layout drawn at random, under labels that the reader's tables do not share, among lines that state nothing. A part of
// the values stays as the recogniser saw it; the others are drawn anew and misread as its lines were. The same seed makes the same pages.
package relaid

import (
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/bonafide-id/bonafide/bench/facts"
)

// Half is the part of the words that pages may print, so that what is fitted on one half can be scored on the other. -0 or -1 behind it is
// one half of that: what is learned of words is tried on pages that print others.
type Half string

// The halves.
const (
	Whole  Half = ""
	First  Half = "first"
	Second Half = "second"
)

// Options say what is drawn.
type Options struct {
	Pages int
	Seed  uint64
	Words Half // Defaults to Whole.
	// All prints also the words that other pages hold back, and names and towns that are made of parts of others.
	All bool
	// People are more names, as models/reading/people.mjs writes them; empty: none.
	People string
}

// Drawn is a page with what its letters are: for each rune of each line 0 for what is no label, 1 and more for the label of a fact by its
// place in FactNames, and one more for the label of what is no fact. Nil: not known.
type Drawn struct {
	facts.Cached
	Labels [][]int8
}

// today is the day on which all pages are read.
var today = time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)

// Draw returns pages made of known ones. It panics where none of them states a name.
func Draw(known []facts.Cached, o Options) []facts.Cached {
	m := NewMill(known, o)
	out := make([]facts.Cached, o.Pages)
	for i := range out {
		out[i] = m.Page(i).Cached
	}
	return out
}

// Mill draws any number of pages.
type Mill struct {
	docs  []document
	dirt  dirt
	words vocabulary
	o     Options
	known map[int]printed
}

// NewMill makes a mill of known pages. It panics where none of them states a name.
func NewMill(known []facts.Cached, o Options) *Mill {
	m := &Mill{docs: documentsOf(known), dirt: dirtOf(known), words: vocabularyOf(o.Words), o: o, known: map[int]printed{}}
	if o.All {
		m.words.unite()
	}
	m.words.people = peopleOf(o.People)
	return m
}

// Page is the page of a number: the same one for the same options.
func (m *Mill) Page(i int) Drawn {
	rng := newRand(m.o.Seed, i)
	if m.o.All && chance(rng, americanShare) {
		out := m.american(rng)
		out.Picture = fmt.Sprintf("american-%d-%05d", m.o.Seed, i)
		return out
	}
	c := m.words.contentOf(rng, m.docs[rng.IntN(len(m.docs))])
	out := m.words.page(rng, c, m.words.styleOf(rng, c), m.dirt)
	out.Picture = fmt.Sprintf("relaid-%d-%05d", m.o.Seed, i)
	return out
}

// page sets a content in a style and lets the recogniser see it.
func (w vocabulary) page(rng *rand.Rand, c content, s style, dirt dirt) Drawn {
	t := setter{words: w, rng: rng, style: s, state: c.state, kind: c.kind}
	t.set(c)
	out := facts.Cached{
		Layout: facts.UnknownLayout, Group: string(c.kind), Camera: "relaid", Good: true, Today: today.Format(time.DateOnly),
		WantKind: c.kind, WantIssuer: c.state.code, Kind: "unknown", Truth: c.truth(),
	}
	if c.zone {
		out.Kind, out.Issuer = c.kind, c.state.code
		out.Zone, out.Dates, out.Number = c.zoneClaims()
	}
	names := camera{rng: rng, dirt: dirt}.shoot(&out, t.runs)
	return Drawn{Cached: out, Labels: names}
}

// pick is one of several.
func pick[T any](rng *rand.Rand, all ...T) T { return all[rng.IntN(len(all))] }

// chance is true so often.
func chance(rng *rand.Rand, share float64) bool { return rng.Float64() < share }

// between is a number of a range, evenly.
func between(rng *rand.Rand, least, most float64) float64 { return least + (most-least)*rng.Float64() }

func newRand(seed uint64, i int) *rand.Rand { return rand.New(rand.NewPCG(seed, uint64(i))) }
