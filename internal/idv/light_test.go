package idv

import (
	"bytes"
	"math"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func litChallenge(t *testing.T, seed byte) Challenge {
	t.Helper()
	random := rand.NewChaCha8([32]byte{seed, 9})
	c, err := DrawChallenge(random, false)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.WithLight(random); err != nil {
		t.Fatal(err)
	}
	return c
}

func TestColoursAreDrawnSoThatTheyTroubleNobody(t *testing.T) {
	orders := map[string]bool{}
	for seed := range byte(250) {
		c := litChallenge(t, seed)
		different, name := map[Colour]bool{}, ""
		for i, g := range c.Light {
			different[g.Colour] = true
			name += string(g.Colour)
			if g.ForMS < 500 { // two changes a second at most
				t.Errorf("colour %d stays %d ms", i, g.ForMS)
			}
			if i > 0 && (c.Light[i-1].Colour == g.Colour || g.AtMS != c.Light[i-1].AtMS+c.Light[i-1].ForMS) {
				t.Errorf("colours %+v", c.Light)
			}
			if end := g.AtMS + g.ForMS; end > 10_000 || end > c.DurationMS {
				t.Errorf("colour %d ends at %d ms of %d", i, end, c.DurationMS)
			}
		}
		if n := len(c.Light); n < 3 || n > 4 || len(different) < 3 {
			t.Errorf("%d colours, %d different", n, len(different))
		}
		orders[name] = true
	}
	if len(orders) < 60 {
		t.Errorf("only %d orders of 96 in 250 draws", len(orders))
	}
}

// WCAG 2.2, success criterion 2.3.1: a change of relative luminance below a tenth is no flash, and a red is saturated from four fifths on.
func TestNoChangeOfColourIsAFlash(t *testing.T) {
	channel := func(k Colour, i int) float64 {
		v, err := strconv.ParseUint(string(k[1+2*i:3+2*i]), 16, 8)
		if err != nil {
			t.Fatal(err)
		}
		s := float64(v) / 255
		if s <= .04045 {
			return s / 12.92
		}
		return math.Pow((s+.055)/1.055, 2.4)
	}
	least, most := 1., 0.
	for _, k := range append(Colours(), ColourNeutral) {
		r, g, b := channel(k, 0), channel(k, 1), channel(k, 2)
		luminance := .2126*r + .7152*g + .0722*b
		least, most = min(least, luminance), max(most, luminance)
		if r/(r+g+b) >= .8 {
			t.Errorf("%s is a saturated red", k)
		}
	}
	if most-least > .05 {
		t.Errorf("luminances from %.3f to %.3f", least, most)
	}
}

func TestAGentleChallengeStaysDark(t *testing.T) {
	c, err := DrawChallenge(rand.NewChaCha8([32]byte{1}), true)
	if err != nil {
		t.Fatal(err)
	}
	if lit, err := c.WithLight(rand.NewChaCha8([32]byte{2})); err != nil || len(lit.Light) != 0 {
		t.Errorf("%+v, %v", lit.Light, err)
	}
}

func TestColoursAreNotDrawnWithoutChance(t *testing.T) {
	if c, err := (Challenge{}).WithLight(bytes.NewReader([]byte{1})); err == nil {
		t.Errorf("drew %+v", c)
	}
}

func TestAnotherDrawKeepsTheColoursAndNotTheirTimes(t *testing.T) {
	first := litChallenge(t, 4)
	again, err := first.Again(rand.NewChaCha8([32]byte{5}))
	if err != nil {
		t.Fatal(err)
	}
	order := func(c Challenge) (out []Colour) {
		for _, g := range c.Light {
			out = append(out, g.Colour)
		}
		return out
	}
	if d := cmp.Diff(order(first), order(again)); d != "" || cmp.Equal(first.Light, again.Light) {
		t.Errorf("same times, or other colours:\n%s", d)
	}
}

func TestTheColourOfTheScreenIsThatWhichWasShownLast(t *testing.T) {
	c := Challenge{Light: []Glow{{ColourRose, 1000, 1500}, {ColourSky, 2500, 1200}}}
	shown := []int{1020, 2530}
	for _, tt := range []struct {
		name  string
		ms    int
		shown []int
		want  Colour
	}{
		{"before the first", 1019, shown, ColourNeutral},
		{"the first", 1020, shown, ColourRose},
		{"the first, while the second is late", 2529, shown, ColourRose},
		{"the second", 2530, shown, ColourSky},
		{"the second at its end", 3729, shown, ColourSky},
		{"after it", 3730, shown, ColourNeutral},
		{"nothing was shown", 1500, nil, ColourNeutral},
	} {
		if got := c.ColourAt(tt.ms, tt.shown); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}
}
