package liveness

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Measures are what the rules look at. Shares are 0 to 1.
type Measures struct {
	Frames     float64 // sent
	SpanMS     float64 // between first and last
	LongestGap float64 // ms between two frames
	PerSecond  float64 // frames a second
	Falling    float64 // frames whose time is not later than the one before
	EqualGaps  float64 // share of gaps that are the same to the millisecond, and no round number, as cameras give them
	LateMS     float64 // by how much the run claims to have lasted longer than the server waited for it
	ShortMS    float64 // by how much it ends before the challenge does
	Faults     float64 // frames that are no pictures
	Faceless   float64 // share of frames without a face
	Crowded    float64 // share of frames with several
	Sizes      float64 // different sizes of picture

	Asked      float64 // prompts
	Missed     float64 // prompts without their movement in their time
	Stray      float64 // share of frames that show a movement nobody asked for then
	Unreturned float64 // times that the head did not come back before the next movement
	Neck       float64 // fastest turn between two frames, degrees a second, the very fastest left out

	Likeness    float64 // of the face at rest along the run, the lowest cosine with the straightest frame
	Compared    float64 // frames that this rests on
	Moving      float64 // of the face in movement, the mean cosine of each movement, the lowest of these
	MovingLeast float64 // the lowest of all
	Joined      float64 // faces that were compared each with each
	Linked      float64 // the weakest cosine that still holds the faces of the run together, each by the one most like it
	Loose       float64 // faces that no link of enough likeness joins to most of the others
	SamePose    float64 // of faces that are held alike, the cosine that one pair of fifty falls below
	Flat        float64 // frames in which the face is squeezed as if turned away, and the nose has not moved
	Along       float64 // whether the surroundings stay (above 1) or move with the face (below), median
	Around      float64 // pairs of frames that this rests on
	Jumps       float64 // how much the surroundings change from one frame to the next, median of grey levels
	Repeats     float64 // share of frames that are an earlier one again
	Stills      float64 // share of frames that show what an earlier one shows, whatever their noise
	Blends      float64 // share of frames that are a mixture of their neighbours
	Passive     float64 // median of the passive signal; −1 where nobody asked
}

// Times that people and browsers need, in milliseconds.
const (
	reaction   = 120  // nobody moves sooner after a prompt
	enough     = 2    // frames that must show a movement
	lateness   = 800  // by which a movement may be late, beyond its prompt
	lingering  = 1500 // until when a head may still be away from straight
	coarse     = 10.  // cameras and clocks of browsers tick in multiples of it
	leastApart = 4.   // grey levels that two frames must differ by before they say anything
	leastFaded = 1.5  // so too, of the two that a mixture lies between: a slow fade differs little from frame to frame
	leastPart  = .15  // of each neighbour in a mixture: a frame that is like one of them is none
	leastShift = .25  // parts of the eyes' distance that a face must move by, likewise
)

// Measure turns a track into the measures, by thresholds that say from when on a movement is one.
func Measure(t idv.Track, th Thresholds) Measures {
	m := Measures{Frames: float64(len(t.Frames)), Sizes: float64(t.Sizes), Passive: -1, Likeness: -1, Moving: -1, MovingLeast: -1, Linked: -1, SamePose: -1}
	if len(t.Frames) == 0 {
		m.Asked, m.Missed = float64(len(t.Challenge.Prompts)), float64(len(t.Challenge.Prompts))
		return m
	}
	m.times(t)
	m.faces(t)
	poses := posesOf(t, th)
	m.order(t, poses)
	m.likeness(poses)
	m.alike(t.Alike, poses, th)
	m.neck(poses)
	m.flat(poses, th)
	m.surroundings(t)
	m.Repeats, m.Stills = float64(t.Repeats)/m.Frames, float64(t.Stills)/m.Frames
	mixed := 0
	for _, b := range t.Blends {
		if b.Apart >= leastFaded && b.Left < th.Blend && b.Part > leastPart && b.Part < 1-leastPart {
			mixed++
		}
	}
	m.Blends = float64(mixed) / m.Frames
	return m
}

func (m *Measures) times(t idv.Track) {
	gaps := map[int]int{}
	for i, f := range t.Frames[1:] {
		gap := f.AtMS - t.Frames[i].AtMS
		if gap <= 0 {
			m.Falling++
		}
		m.LongestGap = math.Max(m.LongestGap, float64(gap))
		if math.Mod(float64(gap), coarse) != 0 {
			gaps[gap]++
		}
	}
	for _, n := range gaps {
		m.EqualGaps = math.Max(m.EqualGaps, float64(n)/(m.Frames-1))
	}
	first, last := t.Frames[0].AtMS, t.Frames[len(t.Frames)-1].AtMS
	m.SpanMS = float64(last - first)
	m.PerSecond = 1000 * m.Frames / math.Max(1, m.SpanMS)
	if first != 0 {
		m.Falling++
	}
	m.LateMS = math.Max(0, m.SpanMS-float64(t.WindowMS))
	if n := len(t.Challenge.Prompts); n > 0 {
		p := t.Challenge.Prompts[n-1]
		m.ShortMS = math.Max(0, float64(p.AtMS+p.ForMS-last))
	}
}

func (m *Measures) faces(t idv.Track) {
	var passive []float64
	for _, f := range t.Frames {
		switch {
		case f.Fault != "":
			m.Faults++
		case f.Faces == 0:
			m.Faceless += 1 / m.Frames
		case f.Faces > 1:
			m.Crowded += 1 / m.Frames
		}
		if f.Passive != nil {
			passive = append(passive, *f.Passive)
		}
	}
	if len(passive) > 0 {
		m.Passive = median(passive)
	}
}

// likeness is that of the frames that show no movement; those that do are asked in order.
func (m *Measures) likeness(poses []pose) {
	m.Likeness = -1
	for _, p := range poses {
		if p.likeness == nil || p.shows != "" {
			continue
		}
		if m.Compared++; m.Compared == 1 || *p.likeness < m.Likeness {
			m.Likeness = *p.likeness
		}
	}
}

// neck is the second fastest turn: one landmark gone astray is no neck.
func (m *Measures) neck(poses []pose) {
	var speeds []float64
	for i, p := range poses {
		if i > 0 && p.atMS > poses[i-1].atMS {
			turned := math.Hypot((p.side-poses[i-1].side)/sideDegree, (p.nod-poses[i-1].nod)/nodDegree)
			speeds = append(speeds, 1000*turned/float64(p.atMS-poses[i-1].atMS))
		}
	}
	slices.Sort(speeds)
	if len(speeds) > 1 {
		m.Neck = speeds[len(speeds)-2]
	}
}

// flat counts frames that only a plane can show: narrower or shorter than at first, with the nose where it was.
func (m *Measures) flat(poses []pose, th Thresholds) {
	for _, p := range poses {
		if math.Abs(p.squeezed) >= th.Squeezed && math.Abs(p.side) < th.Unmoved && math.Abs(p.nod) < th.Unmoved {
			m.Flat++
		}
	}
}

func (m *Measures) surroundings(t idv.Track) {
	var ratio, jumps []float64
	for _, p := range t.Pairs {
		if p.To == p.From+1 {
			jumps = append(jumps, p.Stay)
		}
		if p.Shift >= leastShift && p.Along != p.Stay && math.Max(p.Stay, p.Along) >= leastApart {
			ratio = append(ratio, p.Along/math.Max(p.Stay, .5))
		}
	}
	m.Around, m.Along, m.Jumps = float64(len(ratio)), 1, 0
	if len(ratio) > 0 {
		m.Along = median(ratio)
	}
	if len(jumps) > 0 {
		m.Jumps = median(jumps)
	}
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	return v[len(v)/2]
}

// Table is the measures by name, for reviewers.
func (m Measures) Table() map[string]float64 {
	return map[string]float64{
		"frames": m.Frames, "span_ms": m.SpanMS, "longest_gap_ms": m.LongestGap, "equal_gaps": m.EqualGaps, "faceless": m.Faceless,
		"missed": m.Missed, "stray": m.Stray, "unreturned": m.Unreturned, "neck": m.Neck, "likeness": m.Likeness, "likeness_moving": m.Moving,
		"likeness_moving_least": m.MovingLeast, "linked": m.Linked, "loose": m.Loose, "same_pose": m.SamePose, "per_second": m.PerSecond, "compared": m.Compared,
		"flat": m.Flat, "along": m.Along, "jumps": m.Jumps, "repeats": m.Repeats, "stills": m.Stills, "blends": m.Blends, "passive": m.Passive,
	}
}
