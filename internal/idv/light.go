package idv

import (
	"fmt"
	"io"
	"slices"
)

// Colour is a soft colour that the applicant's screen shows during a challenge, as CSS writes it: #rrggbb.
type Colour string

// The colours. All have a relative luminance (WCAG 2.2) within 0.05 of each other, and a change below 0.1 is no flash (success criterion
// 2.3.1); none is a saturated red.
const (
	ColourNeutral Colour = "#cbcbcb" // before and after the others
	ColourRose    Colour = "#ffb4d2"
	ColourSky     Colour = "#9fd0ff"
	ColourMint    Colour = "#96dca5"
	ColourSand    Colour = "#ffc46e"
)

// Colours returns the colours that a challenge can draw.
func Colours() []Colour { return []Colour{ColourRose, ColourSky, ColourMint, ColourSand} }

// Glow is one colour that the screen shows, and when.
type Glow struct {
	Colour Colour `json:"colour"`
	AtMS   int    `json:"at_ms"`  // ms since the run began (the time of its first frame)
	ForMS  int    `json:"for_ms"` // how long; the next one follows at once, and ColourNeutral after the last
}

// How long colours are shown, ms, drawn evenly from [least, most): one change a second or less, the last one within ten seconds of the
// run's first frame.
var (
	firstGlow = [2]int{600, 1500}
	glowFor   = [2]int{1100, 2000}
)

// afterglow is how long the screen is neutral at the end of a run, ms.
const afterglow = 300

// WithLight returns the challenge with three or four colours drawn from random, which must not be predictable: neighbours differ, and at
// least three different ones are among them. A run that would end before its colours is extended. A gentle challenge has no light: it is
// for people who have difficulty with the usual one.
func (c Challenge) WithLight(random io.Reader) (Challenge, error) {
	if c.Gentle {
		return c, nil
	}
	d := dice{from: random}
	count := 3 + d.below(2)
	var order []Colour
	for i := range count {
		from := slices.DeleteFunc(Colours(), func(k Colour) bool {
			return i > 0 && k == order[i-1] || i == 2 && k == order[0]
		})
		order = append(order, from[d.below(len(from))])
	}
	return d.lit(c, order)
}

// lit draws when each colour is shown.
func (d *dice) lit(c Challenge, order []Colour) (Challenge, error) {
	c.Light = nil
	at := d.within(firstGlow)
	for _, k := range order {
		g := Glow{Colour: k, AtMS: at, ForMS: d.within(glowFor)}
		c.Light = append(c.Light, g)
		at += g.ForMS
	}
	c.DurationMS = max(c.DurationMS, at+afterglow)
	if d.err != nil {
		return Challenge{}, fmt.Errorf("draw the light of a challenge: %w", d.err)
	}
	return c, nil
}

// ColourAt returns the colour of the screen at a time, ms since the run began, if each colour appeared at the time in shown instead of
// the one drawn; ColourNeutral if shown has no time for it.
func (c Challenge) ColourAt(ms int, shown []int) Colour {
	now := ColourNeutral
	for i, g := range c.Light {
		if i >= len(shown) || ms < shown[i] {
			break
		}
		now = g.Colour
		if i == len(c.Light)-1 && ms >= shown[i]+g.ForMS {
			now = ColourNeutral
		}
	}
	return now
}

// FrameLight is the colour of parts of one frame: the natural logarithms of red and of blue over green, in linear light, each less its
// median over the run, so that only changes are kept and never the colour of a skin.
type FrameLight struct {
	Frame int            `json:"frame"` // index
	Face  *[2]float64    `json:"face"`  // cheeks and forehead; nil if too little of it is visible
	Sides [3]*[2]float64 `json:"sides"` // around the head: to the left of the picture, to the right, above
	Body  *[2]float64    `json:"body"`  // below the chin
}
