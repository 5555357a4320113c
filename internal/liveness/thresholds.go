package liveness

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"math"
	"math/bits"
	"slices"
	"sync"
)

//go:embed measured.json
var measuredJSON []byte

// What bench does not know how to do was tried on the running program, by script: 40 JPEG files made from one photograph.
//
//go:embed outside.json
var outsideJSON []byte

// Thresholds say from when on something is something.
type Thresholds struct {
	Side   float64 `json:"side"`   // lengths that the nose must move aside in a turn (Relief)
	Nod    float64 `json:"nod"`    // lengths that it must move up or down in a nod
	Closer float64 `json:"closer"` // how much larger a face must become
	Gentle float64 `json:"gentle"` // part of the three that suffices for a gentle challenge

	Gap         float64 `json:"gap_ms"`
	PerSecond   float64 `json:"per_second"`
	Faceless    float64 `json:"faceless"`
	Crowded     float64 `json:"crowded"`
	Stray       float64 `json:"stray"`
	Unreturned  float64 `json:"unreturned"`
	EqualGaps   float64 `json:"equal_gaps"`
	Jumps       float64 `json:"jumps"`
	Neck        float64 `json:"neck"`
	Squeezed    float64 `json:"squeezed"` // by how much a face narrows or shortens, natural logarithm, that is turned away
	Unmoved     float64 `json:"unmoved"`  // lengths by which the nose of a head would have moved then
	Flat        float64 `json:"flat"`     // frames squeezed with the nose unmoved
	Along       float64 `json:"along"`
	Blend       float64 `json:"blend"` // what may be left of a frame for it to be a mixture
	Blends      float64 `json:"blends"`
	Repeats     float64 `json:"repeats"`
	Stills      float64 `json:"stills"`
	Likeness    float64 `json:"likeness"`
	Moving      float64 `json:"moving"` // likeness of a face that is turned, mean of a movement
	MovingLeast float64 `json:"moving_least"`
	Linked      float64 `json:"linked"`    // cosine from which on two faces of a run hold together
	Loose       float64 `json:"loose"`     // faces that nothing holds to the others
	SamePose    float64 `json:"same_pose"` // likeness of faces that are held alike
}

// of is what counts as a movement for a challenge.
func (th Thresholds) of(gentle bool) Thresholds {
	if gentle {
		th.Side, th.Nod = th.Side*th.Gentle, th.Nod*th.Gentle
		th.Closer = 1 + (th.Closer-1)*th.Gentle
	}
	return th
}

// Measured is the calibration that a version was built with: thresholds, and how often they err.
type Measured struct {
	DataSet    string           `json:"data_set"`
	Command    string           `json:"command"`
	Date       string           `json:"date"` // YYYY-MM-DD
	OnPeople   bool             `json:"on_people"`
	Thresholds Thresholds       `json:"thresholds"`
	Refused    Count            `json:"genuine_refused"`
	Accepted   map[string]Count `json:"attacks_accepted"` // by attack
	Digests    DigestRates      `json:"digests"`
	Outside    []OutsideAttack  `json:"-"` // that were accepted and that bench does not try
}

// OutsideAttack is an attack that somebody tried who knew the rules, and how often it was accepted.
type OutsideAttack struct {
	Attack string `json:"attack"`
	Count
}

// Count is how many of how many.
type Count struct {
	Count int `json:"count"`
	Of    int `json:"of"`
}

// Upper returns the upper end of the 95 % interval of the rate, 0–1 (Wilson score); 1 of none.
func (c Count) Upper() float64 {
	if c.Of == 0 {
		return 1
	}
	const z = 1.96
	n, p := float64(c.Of), c.Rate()
	return (p + z*z/(2*n) + z*math.Sqrt(p*(1-p)/n+z*z/(4*n*n))) / (1 + z*z/n)
}

// Rate is 0–1; 0 of none.
func (c Count) Rate() float64 { return float64(c.Count) / float64(max(1, c.Of)) }

// Two frames are near, as one frame that was sent twice is, when their digests differ in at most NearBits of 256. A run is
// a replay when from ReplayShare of its frames on are near those of one earlier capture.
const (
	NearBits    = 14
	ReplayShare = 0.8
)

// Near reports whether two digests of 256 bits are of one frame, or of two that nobody could tell apart.
func Near(a, b []byte) bool {
	if len(a) != len(b) || len(a) == 0 {
		return false
	}
	n := 0
	for i := range a {
		n += bits.OnesCount8(a[i] ^ b[i])
	}
	return n <= NearBits
}

// DigestRates say how often frames are found near earlier ones (NearBits), by what they are.
type DigestRates struct {
	Recoded Count `json:"recoded"` // frames of a run that was compressed and scaled anew, found near themselves
	Again   Count `json:"again"`   // frames of another run of the same person in the same room, found near any of the first
	Others  Count `json:"others"`  // frames of other rooms, found near any of a run
}

// Calibration is the measurement that this version was built with.
var Calibration = sync.OnceValue(func() Measured {
	var m Measured
	if err := json.Unmarshal(measuredJSON, &m); err != nil {
		panic("liveness: measured.json: " + err.Error())
	}
	if err := json.Unmarshal(outsideJSON, &m.Outside); err != nil {
		panic("liveness: outside.json: " + err.Error())
	}
	return m
})

// IsOutside reports whether an attack is one of those that bench does not try.
func (m Measured) IsOutside(attack string) bool {
	return slices.ContainsFunc(m.Outside, func(o OutsideAttack) bool { return o.Attack == attack })
}

// Worst is the attack that is accepted most often, of bench's and of those from outside, and how often; of
// several the one that was tried most. "" where none was tried.
func (m Measured) Worst() (string, Count) {
	which, worst := "", Count{}
	try := func(a string, c Count) {
		if c.Of == 0 {
			return
		}
		order := cmp.Or(cmp.Compare(c.Rate(), worst.Rate()), cmp.Compare(c.Of, worst.Of), cmp.Compare(which, a))
		if which == "" || order > 0 {
			which, worst = a, c
		}
	}
	for a, c := range m.Accepted {
		try(a, c)
	}
	for _, o := range m.Outside {
		try(o.Attack, o.Count)
	}
	return which, worst
}
