package liveness

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// litRun is how the parts of a run answer: parts of what a surface that only the screen lights would.
type litRun struct{ face, left, right, above, body float64 }

// litTrack is a run whose parts answer so, the camera balancing against all of it, with noise.
func litTrack(t *testing.T, seed byte, r litRun, change func(*idv.Track)) idv.Track {
	t.Helper()
	random := rand.NewChaCha8([32]byte{seed, 3})
	c, err := idv.DrawChallenge(random, false)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.WithLight(random); err != nil {
		t.Fatal(err)
	}
	out := idv.Track{Challenge: c}
	for _, g := range c.Light {
		out.LightMS = append(out.LightMS, g.AtMS+20)
	}
	dice := rand.New(random)
	for at := 0; at < c.DurationMS; at += 350 {
		k := towards(c.ColourAt(at-150, out.LightMS))
		of := func(gain float64) *[2]float64 {
			drift := -.05*gain + 2e-6*float64(at)
			return &[2]float64{k[0]*(gain-.05) + drift + .008*dice.NormFloat64(), k[1]*(gain-.05) + drift + .008*dice.NormFloat64()}
		}
		out.Light = append(out.Light, idv.FrameLight{
			Frame: len(out.Frames), Face: of(r.face), Sides: [3]*[2]float64{of(r.left), of(r.right), of(r.above)}, Body: of(r.body),
		})
		out.Frames = append(out.Frames, idv.TrackFrame{AtMS: at, Yaw: 20 * math.Sin(float64(at)/1500), Box: idv.Box{Width: .4}})
	}
	if change != nil {
		change(&out)
	}
	return out
}

func TestWhatARunSaysOfTheColours(t *testing.T) {
	person := litRun{face: .25, body: .15}
	for _, tt := range []struct {
		name    string
		run     litRun
		change  func(*idv.Track)
		verdict LightVerdict // empty: it says nothing, for want of colours or frames
		sign    LightSign
	}{
		{"a person before the screen", person, nil, LightMatched, ""},
		{"a person with a wall close behind", litRun{.3, .06, .06, .06, .2}, nil, LightMatched, ""},
		{"a recording", litRun{}, nil, LightUnseen, ""},
		{"a person in the sun", litRun{face: .004, body: .002}, nil, LightUnseen, ""},
		{"a picture that is tinted all over", litRun{.25, .25, .25, .25, .25}, nil, LightDoubted, EverythingAnswers},
		{"a print that reaches beyond the head on one side", litRun{.25, .24, 0, 0, .25}, nil, LightDoubted, SideAnswers},
		{"a face that is tinted alone", litRun{face: .3}, nil, LightDoubted, FaceAlone},
		{"a recording of other colours", person, func(t *idv.Track) {
			was := t.Challenge.Light
			for i := range was {
				t.Challenge.Light[i].Colour = map[idv.Colour]idv.Colour{
					idv.ColourRose: idv.ColourMint, idv.ColourMint: idv.ColourRose, idv.ColourSky: idv.ColourSand, idv.ColourSand: idv.ColourSky,
				}[was[i].Colour]
			}
		}, LightDoubted, OtherColours},
		{"colours that were not shown", person, func(t *idv.Track) { t.LightMS = nil }, "", ""},
		{"a colour that was shown too late", person, func(t *idv.Track) { t.LightMS[1] += 500 }, "", ""},
		{"a colour that was shown before its time", person, func(t *idv.Track) { t.LightMS[0] -= 30 }, "", ""},
		{"a challenge without colours", person, func(t *idv.Track) { t.Challenge.Light, t.LightMS = nil, nil }, "", ""},
		{"too few frames", person, func(t *idv.Track) { t.Light = t.Light[:10] }, "", ""},
		{"nothing seen around the head", person, func(t *idv.Track) {
			for i := range t.Light {
				t.Light[i].Sides = [3]*[2]float64{}
			}
		}, "", ""},
		{"numbers that are none", person, func(t *idv.Track) {
			for i := range t.Light {
				t.Light[i].Face = &[2]float64{math.NaN(), math.Inf(1)}
			}
		}, "", ""},
		{"frames that there are not", person, func(t *idv.Track) {
			for i := range t.Light {
				t.Light[i].Frame = i - 1000
			}
		}, "", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			th := Light().Thresholds
			for seed := range byte(3) {
				a, ran := MeasureLight(litTrack(t, seed, tt.run, tt.change), th)
				if ran != (tt.verdict != "") {
					t.Fatalf("says something: %v", ran)
				}
				if !ran {
					continue
				}
				if verdict, sign := JudgeLight(a, th); verdict != tt.verdict || sign != tt.sign {
					t.Errorf("seed %d: %s %q, want %s %q: %+v", seed, verdict, sign, tt.verdict, tt.sign, a)
				}
			}
		})
	}
}

func TestTheAnswerIsMeasuredInPartsOfTheScreensLight(t *testing.T) {
	a, ran := MeasureLight(litTrack(t, 1, litRun{face: .25, body: .15}, nil), Light().Thresholds)
	if !ran || math.Abs(a.Face.Gain-.25) > .02 || math.Abs(a.Body.Gain-.15) > .03 || a.DelayMS < 60 || a.DelayMS > 300 {
		t.Errorf("%+v", a)
	}
}

func TestNoNumberAnswersNothing(t *testing.T) {
	nan := LightPart{Gain: math.NaN(), Error: math.NaN(), Rank: math.NaN(), Other: math.NaN()}
	if verdict, sign := JudgeLight(LightAnswer{Face: nan, Around: nan, Body: nan}, Light().Thresholds); verdict != LightUnseen {
		t.Errorf("%s %q", verdict, sign)
	}
}

func TestLightIsMeasured(t *testing.T) {
	known := Light()
	which, worst := known.Worst()
	if known.Unseen.Of == 0 || known.Doubted.Of != known.Unseen.Of || which == "" || worst.Of == 0 {
		t.Errorf("%+v", known)
	}
	if known.DataSet == "" || known.Command == "" || known.Date == "" {
		t.Errorf("of %q by %q, %s", known.DataSet, known.Command, known.Date)
	}
}
