package idv

import (
	"bytes"
	"math/rand/v2"
	"slices"
	"testing"
)

func TestAChallengeIsDrawnWithinItsBounds(t *testing.T) {
	for _, tt := range []struct {
		name       string
		gentle     bool
		prompts    int
		rest, hold int // at least, ms
		most       int // ms
	}{
		{"usual", false, 3, 850, 1400, 10_000},
		{"gentle", true, 2, 2000, 3500, 18_000},
	} {
		t.Run(tt.name, func(t *testing.T) {
			seen := map[Movement]int{}
			for seed := range uint64(300) {
				c, err := DrawChallenge(rand.NewChaCha8([32]byte{byte(seed), byte(seed >> 8), 1}), tt.gentle)
				if err != nil {
					t.Fatal(err)
				}
				if n := len(c.Prompts); n != tt.prompts || c.Gentle != tt.gentle {
					t.Fatalf("%d prompts, gentle %v", n, c.Gentle)
				}
				checkPrompts(t, c, tt.rest, tt.hold, seen)
				if c.DurationMS > tt.most {
					t.Errorf("lasts %d ms, want at most %d", c.DurationMS, tt.most)
				}
			}
			for _, m := range Movements() {
				if seen[m] == 0 {
					t.Errorf("%s was never asked for", m)
				}
			}
		})
	}
}

func checkPrompts(t *testing.T, c Challenge, rest, hold int, seen map[Movement]int) {
	t.Helper()
	at, sides, closer := 0, 0, 0
	for i, p := range c.Prompts {
		seen[p.Move]++
		if p.AtMS < at+rest || p.ForMS < hold {
			t.Errorf("prompt %d begins %d ms after the last ended and lasts %d ms", i, p.AtMS-at, p.ForMS)
		}
		if i > 0 && c.Prompts[i-1].Move == p.Move {
			t.Errorf("%s is asked for twice running", p.Move)
		}
		switch p.Move {
		case MoveLeft, MoveRight:
			sides++
		case MoveCloser:
			closer++
		}
		at = p.AtMS + p.ForMS
	}
	if sides == 0 || closer > 1 {
		t.Errorf("%d to a side, %d closer", sides, closer)
	}
	if c.DurationMS < at+rest || c.DurationMS < LeastFrameSpanMS || c.DurationMS > MostFrameSpanMS {
		t.Errorf("lasts %d ms, the last prompt ends at %d", c.DurationMS, at)
	}
}

func TestAChallengeIsNotDrawnWithoutChance(t *testing.T) {
	if c, err := DrawChallenge(bytes.NewReader([]byte{1, 2, 3}), false); err == nil {
		t.Errorf("drew %+v", c)
	}
}

func TestAnotherDrawAsksForTheSameMovementsAtOtherTimes(t *testing.T) {
	random := rand.NewChaCha8([32]byte{7})
	for range 100 {
		first, err := DrawChallenge(random, false)
		if err != nil {
			t.Fatal(err)
		}
		again, err := first.Again(random)
		if err != nil {
			t.Fatal(err)
		}
		checkPrompts(t, again, 850, 1400, map[Movement]int{})
		moves := func(p Prompt, q Prompt) bool { return p.Move == q.Move }
		if !slices.EqualFunc(first.Prompts, again.Prompts, moves) {
			t.Fatalf("first %v, again %v", first.Prompts, again.Prompts)
		}
		if first.DurationMS == again.DurationMS && first.Prompts[1] == again.Prompts[1] {
			t.Errorf("the times are the same: %v", first)
		}
	}
}
