package biometric

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

var card = modelcard.Card{
	Name: face.TemplateModel, SHA256: "abc", Version: "test",
	Calibration: &modelcard.Calibration{DataSet: "made up", Points: []modelcard.Point{
		{Threshold: .2, FMR: 1e-2, FNMR: .01, Genuine: 1000, Impostors: 1e6},
		{Threshold: .3, FMR: 1e-3, FNMR: .02, Genuine: 1000, Impostors: 1e6},
		{Threshold: .4, FMR: 1e-4, FNMR: .05, Genuine: 1000, Impostors: 1e6},
		{Threshold: .5, FMR: 1e-5, FNMR: .10, Genuine: 1000, Impostors: 1e6},
	}, Ceiling: &modelcard.Ceiling{Similarity: .94, Genuine: 4000, Above: 4, Highest: .95}},
}

// pair is the evidence of two templates with the given cosine.
func pair(t *testing.T, cosine float64, model idv.Digest) []idv.Artifact {
	t.Helper()
	make1 := func(k idv.ArtifactKind, side idv.Side, digest idv.Digest, v []float32) idv.Artifact {
		a, err := idv.PresentArtifact(k, idv.Capture{SHA256: digest, Side: side}, idv.Template{
			Model: idv.ModelRef{SHA256: model}, Recipe: face.Recipe, Values: v,
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	return []idv.Artifact{
		make1(idv.ArtifactPortraitTemplate, idv.Front, "p", []float32{1, 0}),
		make1(idv.ArtifactSelfieTemplate, idv.NoSide, "s", []float32{float32(cosine), float32(math.Sqrt(1 - cosine*cosine))}),
	}
}

func TestFaceMatchAnswersOnTheCalibratedScale(t *testing.T) {
	w := idv.WorkflowVersion{FaceFMR: "1e-4", FaceReferFMR: "1e-3"}
	tests := []struct {
		name    string
		cosine  float64
		outcome idv.Outcome
		reason  string
	}{
		{"nobody alike", -.2, idv.Fail, "face.mismatch"},
		{"just below 1:1 000", .299, idv.Fail, "face.mismatch"},
		{"just above 1:1 000", .301, idv.Inconclusive, "face.uncertain"},
		{"just below 1:10 000", .399, idv.Inconclusive, "face.uncertain"},
		{"just above 1:10 000", .401, idv.Pass, ""},
		{"just below the ceiling", .939, idv.Pass, ""},
		{"at the ceiling", .941, idv.Inconclusive, "face.too_alike"},
		{"the same picture", 1, idv.Inconclusive, "face.too_alike"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := FaceMatch{card}.Check(t.Context(), idv.Evidence{Workflow: w, Artifacts: pair(t, tt.cosine, "abc")})
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(f.Reasons) > 0 {
				got = f.Reasons[0].Code
			}
			if f.Outcome != tt.outcome || got != tt.reason {
				t.Errorf("%s for %q, want %s for %q", f.Outcome, got, tt.outcome, tt.reason)
			}
			if math.Abs(*f.Score-tt.cosine) > 1e-6 || math.Abs(*f.Threshold-.3) > 1e-9 || math.Abs(*f.ReferBelow-.4) > 1e-9 {
				t.Errorf("score %v, threshold %v, refer below %v", *f.Score, *f.Threshold, *f.ReferBelow)
			}
			if math.Abs(*f.Rates.FMR-1e-3) > 1e-9 || math.Abs(*f.Rates.FNMR-.02) > 1e-9 || len(f.Inputs) != 2 || len(f.Models) != 1 {
				t.Errorf("rates %+v, inputs %v, models %v", *f.Rates, f.Inputs, f.Models)
			}
		})
	}
}

// TestFaceMatchTakesTheMeanOfFramesAtRest has templates in a plane: the portrait at 0°, the straightest frame and others at an angle.
func TestFaceMatchTakesTheMeanOfFramesAtRest(t *testing.T) {
	several := card
	calibration := *card.Calibration
	calibration.Several = []modelcard.Several{{Pictures: 3, Points: []modelcard.Point{
		{Threshold: .25, FMR: 1e-2, FNMR: .01, Genuine: 1000, Impostors: 1e6},
		{Threshold: .28, FMR: 1e-3, FNMR: .02, Genuine: 1000, Impostors: 1e6},
		{Threshold: .45, FMR: 1e-4, FNMR: .05, Genuine: 1000, Impostors: 1e6},
	}}}
	several.Calibration = &calibration
	at := func(degrees float64) []float32 {
		return []float32{float32(math.Cos(degrees * math.Pi / 180)), float32(math.Sin(degrees * math.Pi / 180))}
	}
	frame := func(degrees float64, atRest bool) idv.FrameTemplate {
		f := idv.PackTemplate(1, at(degrees))
		f.AtRest = atRest
		return f
	}
	tests := []struct {
		name     string
		card     modelcard.Card
		frames   []idv.FrameTemplate
		degrees  float64 // of the mean
		pictures float64
	}{
		{"no frames: the straightest one", several, nil, 70, 1},
		{"two frames at rest: the mean of three", several, []idv.FrameTemplate{frame(60, true), frame(50, true)}, 60, 3},
		{"one frame at rest, for which there is no curve: the straightest one", several, []idv.FrameTemplate{frame(50, true)}, 70, 1},
		{"frames of a turned head: the straightest one", several, []idv.FrameTemplate{frame(20, false), frame(30, false)}, 70, 1},
		{"a card without a curve for several: the straightest one", card, []idv.FrameTemplate{frame(60, true), frame(50, true)}, 70, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			artifacts := pair(t, 0, "abc")
			v := idv.Template{Model: idv.ModelRef{SHA256: "abc"}, Recipe: face.Recipe, Values: at(70), Frames: tt.frames}
			a, err := idv.PresentArtifact(idv.ArtifactSelfieTemplate, idv.Capture{SHA256: "s"}, v)
			if err != nil {
				t.Fatal(err)
			}
			artifacts[1] = a
			f, err := FaceMatch{tt.card}.Check(t.Context(), idv.Evidence{Workflow: idv.WorkflowVersion{FaceFMR: "1e-4", FaceReferFMR: "1e-3"}, Artifacts: artifacts})
			if err != nil {
				t.Fatal(err)
			}
			if want := math.Cos(tt.degrees * math.Pi / 180); math.Abs(*f.Score-want) > .005 || f.Measures["pictures"] != tt.pictures {
				t.Errorf("score %.3f of %v pictures, want %.3f of %v", *f.Score, f.Measures["pictures"], want, tt.pictures)
			}
			low, high := .3, .4
			if tt.pictures == 3 {
				high = .45 // the stricter one at each rate
			}
			if math.Abs(*f.Threshold-low) > 1e-9 || math.Abs(*f.ReferBelow-high) > 1e-9 {
				t.Errorf("thresholds %v and %v, want %v and %v", *f.Threshold, *f.ReferBelow, low, high)
			}
		})
	}
}

func TestFaceMatchNeverAnswersWithoutItsGround(t *testing.T) {
	w := idv.WorkflowVersion{FaceFMR: "1e-4", FaceReferFMR: "1e-3"}
	bare := card
	bare.Calibration = nil
	earlier := pair(t, 1, "abc")
	portrait, err := idv.ValueOf[idv.Template](earlier[0])
	if err != nil {
		t.Fatal(err)
	}
	portrait.Recipe = ""
	if earlier[0], err = idv.PresentArtifact(idv.ArtifactPortraitTemplate, idv.Capture{SHA256: "p", Side: idv.Front}, portrait); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name string
		card modelcard.Card
		w    idv.WorkflowVersion
		ev   []idv.Artifact
	}{
		{"a model without measured error rates", bare, w, pair(t, 1, "abc")},
		{"templates of another model", card, w, pair(t, 1, "other")},
		{"a portrait that an earlier version aligned otherwise", card, w, earlier},
		{"no card", modelcard.Card{}, w, pair(t, 1, "abc")},
		{"a rate that is no number", card, idv.WorkflowVersion{FaceFMR: "high", FaceReferFMR: "1e-3"}, pair(t, 1, "abc")},
		{"no rate", card, idv.WorkflowVersion{}, pair(t, 1, "abc")},
		{"a rate beyond the data", card, idv.WorkflowVersion{FaceFMR: "1e-9", FaceReferFMR: "1e-3"}, pair(t, 1, "abc")},
		{"the band the wrong way round", card, idv.WorkflowVersion{FaceFMR: "1e-3", FaceReferFMR: "1e-4"}, pair(t, 1, "abc")},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if f, err := (FaceMatch{tt.card}).Check(t.Context(), idv.Evidence{Workflow: tt.w, Artifacts: tt.ev}); err == nil {
				t.Errorf("answered %+v", f)
			}
		})
	}
}

func TestFaceMatchWithoutAFaceIsUndecided(t *testing.T) {
	both := pair(t, 1, "abc")
	absent := idv.AbsentArtifact(idv.ArtifactSelfieTemplate, idv.Capture{}, "capture.no_face")
	noPortrait := idv.AbsentArtifact(idv.ArtifactPortraitTemplate, idv.Capture{Side: idv.Front}, "document.portrait_missing")
	onBack, copied := both[0], both[1]
	onBack.Side, copied.Inputs = idv.Back, both[0].Inputs
	for name, ev := range map[string][]idv.Artifact{
		"no face in the selfie": {both[0], absent}, "no portrait": {noPortrait, both[1]}, "neither": {noPortrait, absent},
		"a face on the back only":           {noPortrait, onBack, both[1]},
		"the document's picture for selfie": {both[0], copied},
	} {
		t.Run(name, func(t *testing.T) {
			f, err := FaceMatch{card}.Check(t.Context(), idv.Evidence{Artifacts: ev})
			if err != nil || f.Outcome != idv.Inconclusive || f.Reasons[0].Code != "face.not_comparable" {
				t.Errorf("finding %+v, error %v", f, err)
			}
		})
	}
}

func TestPassiveLivenessIsASignalWithItsGround(t *testing.T) {
	straightest := 7
	seen := func(l *float64) []idv.Artifact {
		a, err := idv.PresentArtifact(idv.ArtifactSelfie, idv.Capture{}, idv.SelfieFace{Liveness: l, Frame: &straightest})
		if err != nil {
			t.Fatal(err)
		}
		return []idv.Artifact{a}
	}
	high, low := .9, .1
	known := liveness.Signals()
	l := PassiveLiveness{card: modelcard.Card{Name: face.LivenessModel, SHA256: known.Model}}
	if f, err := l.Check(t.Context(), idv.Evidence{Artifacts: seen(&high)}); err != nil || f.Outcome != idv.Pass || *f.Score != high {
		t.Errorf("high: %+v, %v", f, err)
	}
	f, err := l.Check(t.Context(), idv.Evidence{Artifacts: seen(&low)})
	if err != nil || f.Outcome != idv.Inconclusive || f.Reasons[0].Code != "liveness.failed" || *f.Threshold != known.Passive {
		t.Errorf("low: %+v, %v", f, err)
	}
	if d := cmp.Diff([]idv.FindingPlace{idv.FrameAt(straightest, "live", low)}, f.Places); d != "" {
		t.Errorf("the frame that shows it (-want +got):\n%s", d)
	}
	own := PassiveLiveness{card: modelcard.Card{Name: face.LivenessModel, SHA256: "aa", Calibration: &modelcard.Calibration{
		DataSet: "own", Points: []modelcard.Point{{Threshold: .05, FNMR: .01, Genuine: 100, Impostors: 100}},
	}}}
	f, err = own.Check(t.Context(), idv.Evidence{Artifacts: seen(&low)})
	if err != nil || f.Outcome != idv.Pass || *f.Threshold != .05 || f.Rates.DataSet != "own" {
		t.Errorf("by another model: %+v, %v", f, err)
	}
	own.card.Calibration = nil
	if f, err := own.Check(t.Context(), idv.Evidence{Artifacts: seen(&high)}); err == nil {
		t.Errorf("by a model that nobody measured: %+v", f)
	}
	if f, err := l.Check(t.Context(), idv.Evidence{Artifacts: seen(nil)}); err == nil {
		t.Errorf("without the model: %+v", f)
	}
	if f, err := l.Check(t.Context(), idv.Evidence{}); err != nil || !f.NotApply {
		t.Errorf("without a selfie: %+v, %v", f, err)
	}
}

// TestOneFrameThatIsACopyOfThePortraitIsEnough: the straightest frame decides the match, and any frame the ceiling.
func TestOneFrameThatIsACopyOfThePortraitIsEnough(t *testing.T) {
	w := idv.WorkflowVersion{FaceFMR: "1e-4", FaceReferFMR: "1e-3"}
	at := func(cosine float64) []float32 {
		return []float32{float32(cosine), float32(math.Sqrt(1 - cosine*cosine))}
	}
	uncapped := card
	bare := *card.Calibration
	bare.Ceiling = nil
	uncapped.Calibration = &bare
	for name, c := range map[string]struct {
		card   modelcard.Card
		frames []float64
		want   string
		shown  []int
	}{
		"frames of another occasion":             {card, []float64{.6, .7, .93}, "", nil},
		"one frame of many is the portrait":      {card, []float64{.6, .99, .7}, "face.too_alike", []int{2}},
		"a model whose ceiling was not measured": {uncapped, nil, "check.not_run", nil},
	} {
		t.Run(name, func(t *testing.T) {
			ev := idv.Evidence{Workflow: w, Artifacts: pair(t, .6, "abc")}
			selfie := idv.Template{Model: idv.ModelRef{SHA256: "abc"}, Recipe: face.Recipe, Values: at(.6), Frame: new(int)}
			for i, cosine := range c.frames {
				selfie.Frames = append(selfie.Frames, idv.PackTemplate(i+1, at(cosine)))
			}
			a, err := idv.PresentArtifact(idv.ArtifactSelfieTemplate, idv.Capture{SHA256: "s"}, selfie)
			if err != nil {
				t.Fatal(err)
			}
			ev.Artifacts[1] = a
			f, err := FaceMatch{c.card}.Check(t.Context(), ev)
			if err != nil {
				t.Fatal(err)
			}
			got := ""
			if len(f.Reasons) > 0 {
				got = f.Reasons[0].Code
			}
			if got != c.want || math.Abs(*f.Score-.6) > 1e-6 {
				t.Errorf("%s %q, score %v; want %q", f.Outcome, got, *f.Score, c.want)
			}
			var alike []int
			for _, p := range f.Places {
				alike = append(alike, *p.Frame)
			}
			if d := cmp.Diff(c.shown, alike); d != "" {
				t.Errorf("frames that are as like the portrait as a copy (-want +got):\n%s", d)
			}
		})
	}
}
