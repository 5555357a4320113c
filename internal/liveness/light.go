package liveness

import (
	_ "embed"
	"encoding/json"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// LightThresholds say from when on a part of the picture answers the colours of a challenge.
type LightThresholds struct {
	Frames float64 `json:"frames"`  // frames with face and surroundings that it takes to say anything
	LateMS float64 `json:"late_ms"` // by how much the page may show a colour after its time
	Answer float64 `json:"answer"`  // times its error by which a part answers (LightAnswer.Sure), at least
	Rank   float64 `json:"rank"`    // part of the decoys that may explain it as well, at most
	Around float64 `json:"around"`  // answer of the surroundings, parts of the face's, from which on everything answers
	Side   float64 `json:"side"`    // answer of the face against one side, parts of that against another, below which that side answers too
	Body   float64 `json:"body"`    // answer of what is below the chin, parts of the face's, below which the face answers alone
	Other  float64 `json:"other"`   // times its error by which a face answers other colours than those drawn
}

// LightAnswer says how far what is seen follows the colours of the screen. A gain is 1 where a part changes by as much as a surface that
// only the screen lights.
type LightAnswer struct {
	Frames  int       // with face and surroundings
	DelayMS int       // between what the page says and what the camera saw, as it fits best
	Face    LightPart // against the surroundings, so that what the camera does to all of the picture is taken away
	Around  LightPart
	Sides   [3]LightPart // the face against each side of the surroundings; nothing where too little of it is seen
	Body    LightPart    // against the surroundings
}

// LightPart is the answer of one part of the picture.
type LightPart struct {
	Gain  float64 // > 0: it follows
	Error float64 // standard error of the gain
	Rank  float64 // part of the decoys, other colours at other times, that explain it as well as the colours drawn; 0 to 1
	Other float64 // Sure of the best decoy
}

// Sure is the gain in units of its error.
func (p LightPart) Sure() float64 {
	if p.Error == 0 {
		return 0
	}
	return p.Gain / p.Error
}

const (
	decoys      = 199 // other sequences that are tried on each run
	longestWait = 480 // ms that camera and screen may take together
	waitStep    = 60
	leastFree   = 8   // frames beyond the nuisances that a fit takes
	usual       = .75 // of the frames, in which a side is seen that counts
)

// MeasureLight measures the answer along a run. False where the challenge has no light, the page did not show it, or too few frames show
// what is compared.
func MeasureLight(t idv.Track, th LightThresholds) (LightAnswer, bool) {
	var out LightAnswer
	if !shownInTime(t, th) {
		return out, false
	}
	sides := usualSides(t)
	if len(sides) == 0 {
		return out, false
	}
	room := func(f idv.FrameLight) *[2]float64 { return meanOf(f, sides) }
	face := series(t, func(f idv.FrameLight) ([2]float64, bool) { return difference(f.Face, room(f)) })
	around := series(t, func(f idv.FrameLight) ([2]float64, bool) { return difference(room(f), &[2]float64{}) })
	body := series(t, func(f idv.FrameLight) ([2]float64, bool) { return difference(f.Body, room(f)) })
	out.Frames = len(face.at)
	if float64(out.Frames) < th.Frames {
		return out, false
	}
	drawn := shown{t.Challenge, t.LightMS}
	others := decoysOf(t)
	out.Face, out.DelayMS = face.answer(drawn, others)
	out.Around, _ = around.answer(drawn, others)
	for _, k := range sides {
		one := series(t, func(f idv.FrameLight) ([2]float64, bool) { return difference(f.Face, f.Sides[k]) })
		out.Sides[k], _ = one.fitAt(drawn, out.DelayMS)
	}
	out.Body, _ = body.fitAt(drawn, out.DelayMS)
	return out, true
}

// usualSides are the sides of the head around which something is seen in most frames.
func usualSides(t idv.Track) []int {
	var out []int
	for k := range 3 {
		n := 0
		for _, f := range t.Light {
			if f.Sides[k] != nil {
				n++
			}
		}
		if float64(n) >= usual*float64(len(t.Light)) {
			out = append(out, k)
		}
	}
	return out
}

// meanOf is the mean of some sides, each of which counts as much, however much of it is seen; nil where one is missing.
func meanOf(f idv.FrameLight, sides []int) *[2]float64 {
	var out [2]float64
	for _, k := range sides {
		if f.Sides[k] == nil {
			return nil
		}
		for i, v := range f.Sides[k] {
			out[i] += v / float64(len(sides))
		}
	}
	return &out
}

// shownInTime reports whether the page says that it showed every colour, each when it was to.
func shownInTime(t idv.Track, th LightThresholds) bool {
	if len(t.Challenge.Light) == 0 || len(t.LightMS) != len(t.Challenge.Light) {
		return false
	}
	for i, at := range t.LightMS {
		if late := at - t.Challenge.Light[i].AtMS; late < 0 || float64(late) > th.LateMS {
			return false
		}
	}
	return true
}

// shown is a sequence of colours and when each was shown.
type shown struct {
	challenge idv.Challenge
	atMS      []int
}

// decoysOf are sequences that could have been drawn. They are the same for every run of a length, so that a finding can be made again.
func decoysOf(t idv.Track) []shown {
	random := rand.NewChaCha8([32]byte{'l', 'i', 'g', 'h', 't'})
	plain := t.Challenge
	var out []shown
	for len(out) < decoys {
		c, err := plain.WithLight(random)
		if err != nil {
			return out
		}
		s := shown{challenge: c}
		for _, g := range c.Light {
			s.atMS = append(s.atMS, g.AtMS)
		}
		out = append(out, s)
	}
	return out
}

// follow is how a part of the picture changes along a run, and what else might change it.
type follow struct {
	at    []int        // ms
	value [2][]float64 // red and blue over green
	other [][]float64  // nuisances, orthonormal: drift, and how the head is held
}

func difference(a, b *[2]float64) ([2]float64, bool) {
	if a == nil || b == nil {
		return [2]float64{}, false
	}
	return [2]float64{a[0] - b[0], a[1] - b[1]}, true
}

func series(t idv.Track, of func(idv.FrameLight) ([2]float64, bool)) follow {
	var s follow
	var held [6][]float64
	for _, f := range t.Light {
		v, ok := of(f)
		if !ok || f.Frame < 0 || f.Frame >= len(t.Frames) || math.IsNaN(v[0]+v[1]) || math.IsInf(v[0]+v[1], 0) {
			continue
		}
		frame := t.Frames[f.Frame]
		s.at = append(s.at, frame.AtMS)
		s.value[0], s.value[1] = append(s.value[0], v[0]), append(s.value[1], v[1])
		part := float64(frame.AtMS) / float64(max(1, t.Challenge.DurationMS))
		for i, v := range []float64{1, part, part * part, frame.Yaw / 30, frame.Pitch / 30, frame.Box.Width} {
			held[i] = append(held[i], v)
		}
	}
	s.other = orthonormal(held[:])
	for i := range s.value {
		without(s.value[i], s.other)
	}
	return s
}

// answer fits a sequence, at the delay that suits it best, and compares the fit with those of the decoys.
func (s follow) answer(drawn shown, others []shown) (LightPart, int) {
	out, delay := s.fit(drawn)
	better := 0
	for _, d := range others {
		p, _ := s.fit(d)
		if p.Sure() >= out.Sure() {
			better++
		}
		out.Other = max(out.Other, p.Sure())
	}
	out.Rank = float64(better) / float64(max(1, len(others)))
	return out, delay
}

// fit is the answer to one sequence at the delay at which it is surest.
func (s follow) fit(of shown) (LightPart, int) {
	var best LightPart
	delay := 0
	for wait := 0; wait <= longestWait; wait += waitStep {
		if p, ok := s.fitAt(of, wait); ok && (wait == 0 || p.Sure() > best.Sure()) {
			best, delay = p, wait
		}
	}
	return best, delay
}

// fitAt regresses both ratios on the colours; each counts by how little else it does.
func (s follow) fitAt(of shown, wait int) (LightPart, bool) {
	free := float64(len(s.at) - len(s.other) - 1)
	if len(s.at) < len(s.other)+leastFree {
		return LightPart{}, false
	}
	var x [2][]float64
	for _, at := range s.at {
		k := changes(of.challenge.ColourAt(at-wait, of.atMS))
		x[0], x[1] = append(x[0], k[0]), append(x[1], k[1])
	}
	var xy, xx float64
	for i := range x {
		without(x[i], s.other)
		one, square := dot(x[i], s.value[i]), dot(x[i], x[i])
		if square < 1e-9 {
			return LightPart{}, false
		}
		noise := (dot(s.value[i], s.value[i]) - one*one/square) / free
		weight := 1 / max(noise, 1e-10)
		xy, xx = xy+weight*one, xx+weight*square
	}
	return LightPart{Gain: xy / xx, Error: 1 / math.Sqrt(xx)}, true
}

// towards is what a colour of the screen changes in ln(red/green) and ln(blue/green) of what it lights: in linear light, against neutral.
func towards(k idv.Colour) [2]float64 {
	v := linearOf(k)
	return [2]float64{v[0] - v[1], v[2] - v[1]}
}

// known is towards of each colour that can be drawn: thousands of sequences are tried.
var known = sync.OnceValue(func() map[idv.Colour][2]float64 {
	out := map[idv.Colour][2]float64{}
	for _, k := range append(idv.Colours(), idv.ColourNeutral) {
		out[k] = towards(k)
	}
	return out
})

func changes(k idv.Colour) [2]float64 {
	if v, ok := known()[k]; ok {
		return v
	}
	return towards(k)
}

// linearOf is a colour in linear light, 0 to 1 each; black where it is none.
func linearOf(k idv.Colour) (out [3]float64) {
	if len(k) != 7 {
		return out
	}
	for i := range out {
		v, err := strconv.ParseUint(string(k[1+2*i:3+2*i]), 16, 8)
		if err != nil {
			return [3]float64{}
		}
		out[i] = Linear(uint8(v))
	}
	return out
}

// Linear is the light of a value of sRGB, 0 to 1.
func Linear(v uint8) float64 {
	if v <= 10 {
		return float64(v) / 255 / 12.92
	}
	return math.Pow((float64(v)/255+.055)/1.055, 2.4)
}

// orthonormal makes a base of what the rows span.
func orthonormal(rows [][]float64) [][]float64 {
	var out [][]float64
	for _, r := range rows {
		r = slices.Clone(r)
		before := dot(r, r)
		without(r, out)
		if left := dot(r, r); left > 1e-9*max(1, before) {
			for i := range r {
				r[i] /= math.Sqrt(left)
			}
			out = append(out, r)
		}
	}
	return out
}

// without takes what a base spans out of v.
func without(v []float64, base [][]float64) {
	for _, b := range base {
		part := dot(v, b)
		for i := range v {
			v[i] -= part * b[i]
		}
	}
}

func dot(a, b []float64) float64 {
	sum := 0.
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// LightSign is one way in which a run does not answer the colours as a person does.
type LightSign string

// The signs.
const (
	EverythingAnswers LightSign = "everything answers" // the surroundings too: the picture is tinted, or is a thing held to the camera
	SideAnswers       LightSign = "one side answers"   // what is to one side of the head, as the face does: an edge of a thing held to the camera
	FaceAlone         LightSign = "the face alone"     // the face, and nothing below the chin
	OtherColours      LightSign = "other colours"      // a sequence that was not drawn
)

// LightVerdict is what a run says about the colours.
type LightVerdict string

// The verdicts.
const (
	LightMatched LightVerdict = "matched"
	LightDoubted LightVerdict = "doubted" // for a sign
	LightUnseen  LightVerdict = "unseen"  // too weak to say anything: nothing counts against the run, and nothing for it
)

// JudgeLight says what an answer says. What is no number says nothing.
func JudgeLight(a LightAnswer, th LightThresholds) (LightVerdict, LightSign) {
	answers := func(p LightPart) bool { return p.Sure() >= th.Answer && p.Rank <= th.Rank }
	face := answers(a.Face)
	switch {
	case a.Face.Other >= th.Other && a.Face.Sure() < a.Face.Other/2:
		return LightDoubted, OtherColours
	case answers(a.Around) && !(a.Around.Gain < th.Around*max(0, a.Face.Gain)):
		return LightDoubted, EverythingAnswers
	case face && sideAnswers(a.Sides, th):
		return LightDoubted, SideAnswers
	case face && a.Body.Error > 0 && a.Body.Gain+2*a.Body.Error < th.Body*a.Face.Gain:
		return LightDoubted, FaceAlone
	case face:
		return LightMatched, ""
	default:
		return LightUnseen, ""
	}
}

// sideAnswers reports whether one side changes with the face and another does not.
func sideAnswers(sides [3]LightPart, th LightThresholds) bool {
	most := 0.
	for _, s := range sides {
		most = max(most, s.Gain-2*s.Error)
	}
	return slices.ContainsFunc(sides[:], func(s LightPart) bool { return s.Error > 0 && s.Gain+2*s.Error < th.Side*most })
}

//go:embed light.json
var lightJSON []byte

// MeasuredLight are the thresholds of liveness.light, and how often it errs there on generated runs.
type MeasuredLight struct {
	DataSet    string           `json:"data_set"`
	Command    string           `json:"command"`
	Date       string           `json:"date"` // YYYY-MM-DD
	Thresholds LightThresholds  `json:"thresholds"`
	Unseen     Count            `json:"genuine_unseen"`  // acted people of whom it says nothing: in the sun, before a dim screen
	Doubted    Count            `json:"genuine_doubted"` // acted people whom it doubts
	Passed     map[string]Count `json:"attacks_matched"` // by attack
}

// Light is the measurement that this version was built with.
var Light = sync.OnceValue(func() MeasuredLight {
	var m MeasuredLight
	if err := json.Unmarshal(lightJSON, &m); err != nil {
		panic("liveness: light.json: " + err.Error())
	}
	return m
})

// Worst is the attack that is matched most often, and how often; "" where none was tried.
func (m MeasuredLight) Worst() (string, Count) { return SignalRates{Passed: m.Passed}.Worst() }
