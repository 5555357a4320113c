package liveness

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// challenge asks for a turn to each side and a nod.
var challenge = idv.Challenge{DurationMS: 12000, Prompts: []idv.Prompt{
	{Move: idv.MoveLeft, AtMS: 2000, ForMS: 2000}, {Move: idv.MoveUp, AtMS: 5500, ForMS: 2000}, {Move: idv.MoveCloser, AtMS: 9000, ForMS: 2000},
}}

// answer is how a head is held at a time.
type answer struct{ side, nod, grown, wide float64 } // wide: how much less than of a head seen straight

// right answers the challenge as a person does.
func right(ms int) answer {
	a := answer{grown: 1}
	in := func(from, to int) bool { return ms >= from && ms < to }
	switch {
	case in(2600, 4200):
		a.side, a.wide = -.25, .12
	case in(6100, 7700):
		a.nod = -.22
	case in(9600, 11200):
		a.grown = 1.3
	}
	return a
}

// marksOf are landmarks of a head held so.
func marksOf(a answer) []int {
	m := make([]int, 136)
	set := func(i int, x, y float64) { m[2*i], m[2*i+1] = int(math.Round(x)), int(math.Round(y)) }
	long, wide := 2000*a.grown, 1700*a.grown*(1-a.wide)
	for _, i := range []int{36, 39} {
		set(i, 5000-wide/2, 4000)
	}
	for _, i := range []int{42, 45} {
		set(i, 5000+wide/2, 4000)
	}
	for _, i := range []int{48, 54} {
		set(i, 5000, 4000+long)
	}
	set(30, 5000-a.side*long, 4000+(.55+a.nod)*long)
	return m
}

// track films an answer at four frames a second.
func track(pose func(ms int) answer) idv.Track {
	t := idv.Track{Challenge: challenge, WindowMS: 14000, Sizes: 1}
	for i := range 48 {
		t.Alike.Frames = append(t.Alike.Frames, i)
		for range i {
			t.Alike.Cosines = append(t.Alike.Cosines, .9)
		}
		at := i*250 + i%3*7
		a := pose(at)
		same := .9
		t.Frames = append(t.Frames, idv.TrackFrame{AtMS: at, Faces: 1, Marks: marksOf(a), Aspect: 4. / 3, Likeness: &same})
		if i > 0 {
			t.Pairs = append(t.Pairs, idv.FramePair{From: i - 1, To: i, Shift: .5, Stay: 3, Along: 12})
		}
	}
	return t
}

// apart makes the faces of some frames as like those of the others as given.
func apart(t *idv.Track, cosine float64, other func(idv.TrackFrame) bool) {
	for i, f := range t.Alike.Frames {
		for j, g := range t.Alike.Frames[:i] {
			if other(t.Frames[f]) != other(t.Frames[g]) {
				t.Alike.Cosines[i*(i-1)/2+j] = cosine
			}
		}
	}
}

func rulesOf(t idv.Track) []string {
	th := Calibration().Thresholds
	out := []string{}
	for _, f := range Judge(Measure(t, th), th) {
		out = append(out, f.Rule)
	}
	return out
}

func TestWhatARunIsRefusedFor(t *testing.T) {
	const missing, unasked = "a movement is missing in its time", "movements that were not asked for"
	tests := []struct {
		name   string
		pose   func(ms int) answer
		change func(*idv.Track)
		want   []string // at least these; none is a pass
	}{
		{"a person who does what is asked", right, nil, nil},
		{"nobody moves", func(int) answer { return answer{grown: 1} }, nil, []string{missing}},
		{"to the other side", func(ms int) answer { a := right(ms); a.side = -a.side; return a }, nil, []string{missing, unasked}},
		{"the face narrows and the nose stays where it is", func(ms int) answer { a := right(ms); a.side = 0; return a }, nil, []string{missing, "the face is flat"}},
		{"everything a prompt too late", func(ms int) answer { return right(ms - 3500) }, nil, []string{missing, unasked}},
		{"a movement that nobody asked for", func(ms int) answer {
			if ms > 4900 && ms < 6200 {
				return answer{side: .25, grown: 1}
			}
			return right(ms)
		}, nil, []string{unasked}},
		{"nothing was asked", right, func(t *idv.Track) { t.Challenge.Prompts = nil }, []string{"nothing was asked"}},
		{"one movement's second face is another", right, func(t *idv.Track) {
			other := .1
			for i, f := range t.Frames {
				if f.AtMS > 3300 && right(f.AtMS).side != 0 {
					t.Frames[i].Likeness = &other
				}
			}
		}, []string{"another face moves"}},
		{"seven frames", right, func(t *idv.Track) { t.Frames = t.Frames[:7] }, []string{
			"frames are missing or too many", "the run is too short or too long", missing,
		}},
		{
			"more than ninety frames", right, func(t *idv.Track) { t.Frames = slices.Repeat(t.Frames, 2) },
			[]string{"frames are missing or too many", "times do not rise from 0"},
		},
		{"no frame", right, func(t *idv.Track) { t.Frames = nil }, []string{
			"frames are missing or too many", "the run is too short or too long", "too few faces to compare",
		}},
		{"ends before the challenge does", right, func(t *idv.Track) { t.Frames = t.Frames[:43] }, []string{"the run is too short or too long"}},
		{"two frames in the wrong order", right, func(t *idv.Track) { t.Frames[3], t.Frames[4] = t.Frames[4], t.Frames[3] }, []string{"times do not rise from 0"}},
		{"longer than the server waited", right, func(t *idv.Track) { t.WindowMS = 9000 }, []string{"the run lasted longer than the server waited"}},
		{"times like a ruler's", right, func(t *idv.Track) {
			for i := range t.Frames {
				t.Frames[i].AtMS = i * 247
			}
		}, []string{"times like a ruler's"}},
		{"a camera whose frames come at round times", right, func(t *idv.Track) {
			for i := range t.Frames {
				t.Frames[i].AtMS = i * 250
			}
		}, nil},
		{"a frame that is no picture", right, func(t *idv.Track) {
			t.Frames[5] = idv.TrackFrame{AtMS: t.Frames[5].AtMS, Fault: "capture.not_an_image"}
		}, []string{"frames that are no pictures"}},
		{"somebody looks over the shoulder", right, func(t *idv.Track) {
			for i := range 6 {
				t.Frames[20+i].Faces = 2
			}
		}, []string{"several faces"}},
		{"another face whenever the head moves", right, func(t *idv.Track) {
			other := .1
			for i, f := range t.Frames {
				if a := right(f.AtMS); a.side != 0 || a.nod != 0 || a.grown != 1 {
					t.Frames[i].Likeness = &other
				}
			}
		}, []string{"another face moves"}},
		{"a movement whose face nobody compared", right, func(t *idv.Track) {
			for i, f := range t.Frames {
				if right(f.AtMS).side != 0 {
					t.Frames[i].Likeness = nil
				}
			}
		}, []string{"another face moves"}},
		{"one frame a movement", right, func(t *idv.Track) {
			for i, f := range t.Frames {
				if right(f.AtMS).nod != 0 && f.AtMS > 6400 {
					t.Frames[i].Marks = marksOf(answer{grown: 1})
				}
			}
		}, []string{missing}},
		{"a frame a second", right, func(t *idv.Track) {
			var few []idv.TrackFrame
			for i := 0; i < len(t.Frames); i += 4 {
				few = append(few, t.Frames[i])
			}
			t.Frames = few
		}, []string{"too few frames a second"}},
		{"another face in the second half", right, func(t *idv.Track) {
			other := .1
			for i := range 10 {
				t.Frames[30+i].Likeness = &other
			}
		}, []string{"another face"}},
		{"another face that is turned as the right one would be, and as like it as strangers are", right, func(t *idv.Track) {
			apart(t, .45, func(f idv.TrackFrame) bool { a := right(f.AtMS); return a.side != 0 || a.nod != 0 })
		}, []string{"two faces"}},
		{"another face, some of whose frames look like the right one", right, func(t *idv.Track) {
			apart(t, .53, func(f idv.TrackFrame) bool { return f.AtMS > 6000 })
		}, []string{"two faces"}},
		{"one frame that is like no other", right, func(t *idv.Track) {
			apart(t, .1, func(f idv.TrackFrame) bool { return right(f.AtMS).side != 0 && f.AtMS < 2900 })
		}, nil},
		{"turned faces that are little like the straight one", right, func(t *idv.Track) {
			for i, f := range t.Alike.Frames {
				for j, g := range t.Alike.Frames[:i] {
					t.Alike.Cosines[i*(i-1)/2+j] = .9 - 1.5*math.Abs(right(t.Frames[f].AtMS).side-right(t.Frames[g].AtMS).side)
				}
			}
			t.Alike.Cosines[10*9/2+9] = .6
		}, nil},
		{"faces that nobody compared with each other", right, func(t *idv.Track) { t.Alike = idv.FramesAlike{} }, []string{"too few faces to compare"}},
		{"one face at rest that is another", right, func(t *idv.Track) { other := .1; t.Frames[3].Likeness = &other }, []string{"another face"}},
		{"pictures of two sizes", right, func(t *idv.Track) { t.Sizes = 2 }, []string{"pictures of different sizes"}},
		{"the wall goes along", right, func(t *idv.Track) {
			for i := range t.Pairs {
				t.Pairs[i].Stay, t.Pairs[i].Along = 9, 3
			}
		}, []string{"the surroundings move with the face"}},
		{"another room every frame", right, func(t *idv.Track) {
			for i := range t.Pairs {
				t.Pairs[i].Stay, t.Pairs[i].Along = 45, 45
			}
		}, []string{"the room changes from frame to frame"}},
		{"half of the frames are earlier ones", right, func(t *idv.Track) { t.Repeats = 24 }, []string{"frames repeat"}},
		{"four pictures, each sent again with other noise", right, func(t *idv.Track) { t.Stills = len(t.Frames) - 4 }, []string{"stills in a row"}},
		{"a person who holds still between movements", right, func(t *idv.Track) { t.Stills = len(t.Frames) * 11 / 20 }, nil},
		{"frames faded into one another", right, func(t *idv.Track) {
			for i := range 30 {
				t.Blends = append(t.Blends, idv.FrameBlend{Frame: i, Part: .5, Left: .05, Apart: 10})
			}
		}, []string{"frames are mixed out of others"}},
		{"a head that jumps", right, func(t *idv.Track) {
			for _, i := range []int{3, 21} {
				t.Frames[i].Marks = marksOf(answer{side: 1.2, grown: 1})
			}
		}, []string{"faster than a neck"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			tr := track(tt.pose)
			if tt.change != nil {
				tt.change(&tr)
			}
			got := rulesOf(tr)
			for _, want := range tt.want {
				if !slices.Contains(got, want) {
					t.Errorf("%q is not among %q", want, got)
				}
			}
			if len(tt.want) == 0 && len(got) > 0 {
				t.Errorf("refused for %q", got)
			}
		})
	}
}

func TestAGentleChallengeTakesHalfOfAMovement(t *testing.T) {
	half := func(ms int) answer {
		a := right(ms)
		return answer{a.side * .4, a.nod * .4, 1 + (a.grown-1)*.4, 0}
	}
	tr := track(half)
	usual := rulesOf(tr)
	tr.Challenge.Gentle = true
	if got := rulesOf(tr); len(usual) == 0 || len(got) > 0 {
		t.Errorf("usual %q, gentle %q", usual, got)
	}
}

func TestAPlaneHasNoRelief(t *testing.T) {
	rest := marksOf(answer{grown: 1})
	bent := func(m [6]float64, persp float64) []int {
		out := make([]int, len(rest))
		for i := 0; i < len(rest); i += 2 {
			x, y := float64(rest[i])-5000, float64(rest[i+1])-5000
			w := 1 + persp*x/1e4 + persp*y/1e4
			out[i], out[i+1] = 5000+int((m[0]*x+m[1]*y+m[2])/w), 5000+int((m[3]*x+m[4]*y+m[5])/w)
		}
		return out
	}
	before, _ := ReliefOf(rest)
	for _, tt := range []struct {
		name  string
		m     [6]float64
		persp float64
	}{
		{"moved", [6]float64{1, 0, 900, 0, 1, -700}, 0},
		{"scaled", [6]float64{1.4, 0, 0, 0, 1.4, 0}, 0},
		{"rolled", [6]float64{.94, -.34, 0, .34, .94, 0}, 0},
		{"squeezed", [6]float64{.8, 0, 0, 0, 1, 0}, 0},
		{"sheared", [6]float64{1, .2, 0, .1, 1, 0}, 0},
		{"seen from the side", [6]float64{.85, 0, 0, 0, 1, 0}, .25},
	} {
		t.Run(tt.name, func(t *testing.T) {
			after, ok := ReliefOf(bent(tt.m, tt.persp))
			if !ok || math.Abs(after.Side-before.Side) > .03 || math.Abs(after.Nod-before.Nod) > .03 {
				t.Errorf("%+v became %+v", before, after)
			}
		})
	}
	for _, marks := range [][]int{nil, make([]int, 135), make([]int, 136)} {
		if r, ok := ReliefOf(marks); ok {
			t.Errorf("%d numbers have relief %+v", len(marks), r)
		}
	}
}

func TestHintsAreNamed(t *testing.T) {
	for _, tt := range []struct {
		name string
		cam  idv.Camera
		want []string
	}{
		{"a phone", idv.Camera{Label: "camera2 1, facing front"}, nil},
		{"a laptop", idv.Camera{Label: "Integrated Webcam (0c45:6a14)"}, nil},
		{"a program", idv.Camera{Label: "OBS Virtual Camera"}, []string{"virtual_camera"}},
		{"words of somebody's choice", idv.Camera{Hints: []string{"verified by a supervisor", "<b>", "webdriver"}}, []string{"another_hint", "webdriver"}},
		{"a script", idv.Camera{Label: "fake_device_0", Hints: []string{"webdriver"}}, []string{"webdriver", "virtual_camera"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if diff := cmp.Diff(tt.want, Hints(tt.cam)); diff != "" {
				t.Errorf("hints (-want +got):\n%s", diff)
			}
		})
	}
}

func TestDigestsAreNearUpToTheirLimit(t *testing.T) {
	a := make([]byte, 32)
	b := slices.Clone(a)
	for i := range NearBits {
		b[i] ^= 1
	}
	if !Near(a, b) {
		t.Error("at the limit they are not near")
	}
	b[31] ^= 0x80
	if Near(a, b) || Near(a, a[:16]) || Near(nil, nil) {
		t.Error("beyond the limit, of different lengths or of nothing they are near")
	}
}

func TestTheCalibrationSaysWhatItIs(t *testing.T) {
	c := Calibration()
	if c.OnPeople {
		t.Error("the rates claim to be of people")
	}
	for name, v := range map[string]float64{
		"side": c.Thresholds.Side, "nod": c.Thresholds.Nod, "closer": c.Thresholds.Closer - 1, "gentle": c.Thresholds.Gentle,
		"gap": c.Thresholds.Gap, "neck": c.Thresholds.Neck, "squeezed": c.Thresholds.Squeezed, "unmoved": c.Thresholds.Unmoved,
		"flat": c.Thresholds.Flat, "along": c.Thresholds.Along, "jumps": c.Thresholds.Jumps,
		"blend": c.Thresholds.Blend, "blends": c.Thresholds.Blends, "repeats": c.Thresholds.Repeats, "likeness": c.Thresholds.Likeness,
		"equal gaps": c.Thresholds.EqualGaps,
	} {
		if !(v > 0) {
			t.Errorf("there is no threshold for %s", name)
		}
	}
}

func TestAnotherTryIsNotTheAnswerToDeceit(t *testing.T) {
	th := Calibration().Thresholds
	nobody := func(int) answer { return answer{grown: 1} }
	for _, c := range []struct {
		name   string
		pose   func(ms int) answer
		change func(*idv.Track)
		want   []string
	}{
		{"somebody who does not move", nobody, nil, []string{"liveness.challenge_missed"}},
		{"somebody who holds still as a picture does", nobody, func(t *idv.Track) { t.Stills = 40 }, []string{"liveness.challenge_missed", "liveness.failed"}},
		{"a photograph that is turned", func(ms int) answer { a := right(ms); a.side = 0; return a }, nil, []string{"liveness.failed"}},
		{"two people who do not move", nobody, func(t *idv.Track) {
			apart(t, .2, func(f idv.TrackFrame) bool { return f.AtMS > 6000 })
		}, []string{"liveness.faces_differ"}},
		{"frames that repeat", nobody, func(t *idv.Track) { t.Repeats = 40 }, []string{"liveness.replayed"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			tr := track(c.pose)
			if c.change != nil {
				c.change(&tr)
			}
			if d := cmp.Diff(c.want, Codes(Judge(Measure(tr, th), th))); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}
