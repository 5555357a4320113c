package idv

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"time"
)

// Movement is a head movement that a challenge asks for.
type Movement string

// The movements, as the person makes them: left is their own left, whatever a mirrored preview shows. Each begins and
// ends with the head straight.
const (
	MoveLeft   Movement = "left"
	MoveRight  Movement = "right"
	MoveUp     Movement = "up"
	MoveDown   Movement = "down"
	MoveCloser Movement = "closer" // to the camera
)

// Movements returns every movement that a challenge can ask for.
func Movements() []Movement {
	return []Movement{MoveLeft, MoveRight, MoveUp, MoveDown, MoveCloser}
}

// Prompt is one movement asked for, and when.
type Prompt struct {
	Move  Movement `json:"move"`
	AtMS  int      `json:"at_ms"`  // when it is shown, ms since the run began (the time of its first frame)
	ForMS int      `json:"for_ms"` // how long; then the head goes back to straight until the next one
}

// Challenge is what the server asks an applicant to do in front of the camera. Only the server draws it.
type Challenge struct {
	Prompts    []Prompt `json:"prompts"`         // in order of time, at least one of them left or right
	DurationMS int      `json:"duration_ms"`     // of the whole run
	Gentle     bool     `json:"gentle"`          // small movements and more time suffice; a person then looks at the answer
	Light      []Glow   `json:"light,omitempty"` // colours that the screen shows meanwhile, one after the other; empty if the workflow does not ask for light
}

// pace is the number of movements of a challenge, and its times in milliseconds, drawn evenly from [least, most).
type pace struct {
	moves             int
	first, hold, rest [2]int
}

var (
	usualPace  = pace{moves: 3, first: [2]int{1000, 1300}, hold: [2]int{1400, 1800}, rest: [2]int{850, 1100}}
	gentlePace = pace{moves: 2, first: [2]int{2000, 3000}, hold: [2]int{3500, 4500}, rest: [2]int{2000, 3000}}
)

func paceOf(gentle bool) pace {
	if gentle {
		return gentlePace
	}
	return usualPace
}

// DrawChallenge draws movements and times from random, which must not be predictable: three movements, or two if it is gentle, never
// the same twice in a row, closer at most once, at least one to a side. It lasts at most 10 s, or 18 s if it is gentle.
func DrawChallenge(random io.Reader, gentle bool) (Challenge, error) {
	d := dice{from: random}
	count := paceOf(gentle).moves
	side := d.below(count) // this one is to a side, whatever the others are
	var moves []Movement
	for i := range count {
		moves = append(moves, d.move(moves, i == side))
	}
	return d.timed(moves, gentle)
}

// Again draws other times for the same movements and colours, so that asking again until they suit a recording is of no use.
func (c Challenge) Again(random io.Reader) (Challenge, error) {
	d := dice{from: random}
	var moves []Movement
	for _, p := range c.Prompts {
		moves = append(moves, p.Move)
	}
	next, err := d.timed(moves, c.Gentle)
	if err != nil || len(c.Light) == 0 {
		return next, err
	}
	var order []Colour
	for _, g := range c.Light {
		order = append(order, g.Colour)
	}
	return d.lit(next, order)
}

// dice draws evenly and remembers the first failure.
type dice struct {
	from io.Reader
	err  error
}

// below draws from 0 to n−1.
func (d *dice) below(n int) int {
	limit := (uint64(1) << 32) / uint64(n) * uint64(n) //nolint:gosec // n is small and positive
	for d.err == nil {
		var b [4]byte
		if _, err := io.ReadFull(d.from, b[:]); err != nil {
			d.err = err
			break
		}
		if v := uint64(binary.BigEndian.Uint32(b[:])); v < limit {
			return int(v % uint64(n)) //nolint:gosec // as above
		}
	}
	return 0
}

func (d *dice) within(r [2]int) int { return r[0] + d.below(r[1]-r[0]) }

func (d *dice) move(before []Movement, sideways bool) Movement {
	from := []Movement{MoveLeft, MoveRight}
	if !sideways {
		from = Movements()
		if slices.Contains(before, MoveCloser) {
			from = slices.DeleteFunc(from, func(m Movement) bool { return m == MoveCloser })
		}
	}
	if len(before) > 0 {
		from = slices.DeleteFunc(from, func(m Movement) bool { return m == before[len(before)-1] })
	}
	return from[d.below(len(from))]
}

// timed draws when each movement is asked for, and for how long.
func (d *dice) timed(moves []Movement, gentle bool) (Challenge, error) {
	c, p := Challenge{Gentle: gentle}, paceOf(gentle)
	at := d.within(p.first)
	for _, m := range moves {
		prompt := Prompt{Move: m, AtMS: at, ForMS: d.within(p.hold)}
		c.Prompts = append(c.Prompts, prompt)
		at += prompt.ForMS + d.within(p.rest)
	}
	c.DurationMS = at
	if d.err != nil {
		return Challenge{}, fmt.Errorf("draw a challenge: %w", d.err)
	}
	return c, nil
}

// ChallengeLife is how long a challenge can be answered after it was issued.
const ChallengeLife = 3 * time.Minute

// IssuedChallenge is a challenge issued to one browser for one try of one step.
type IssuedChallenge struct {
	Challenge
	Token     string // to be returned unchanged with the frames
	ExpiresAt time.Time
}

// LivenessPath is the way in which an applicant shows that they are present.
type LivenessPath string

// The paths. A person who cannot follow a challenge is never stuck: the other two lead to a reviewer.
const (
	UsualPath  LivenessPath = ""
	GentlePath LivenessPath = "gentle" // small movements, more time; a person looks at the answer
	PersonPath LivenessPath = "person" // no challenge: one picture, and a person decides
)
