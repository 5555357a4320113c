package biometric_test

import (
	"math/rand/v2"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/lit"
	"github.com/bonafide-id/bonafide/internal/biometric"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// requiring is a workflow that asks for colours.
func requiring() idv.WorkflowVersion {
	w := idv.DefaultWorkflow(idv.Live)
	w.Required = append(w.Required, idv.CheckLight)
	return w
}

func TestOnlyAFaceBeforeTheScreenAnswersItsColours(t *testing.T) {
	e := engine(t)
	random := rand.NewChaCha8([32]byte{8})
	c, err := idv.DrawChallenge(random, false)
	if err != nil {
		t.Fatal(err)
	}
	if c, err = c.WithLight(random); err != nil {
		t.Fatal(err)
	}
	acted, err := lit.New("birch", c, fixtures.Acting{Seed: 12, Frames: 32, Width: 240, Height: 320})
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		trick   lit.Trick
		outcome idv.Outcome
		reason  string
	}{
		{lit.Person, idv.Pass, ""},
		{lit.Replayed, idv.Inconclusive, "check.not_run"},
		{lit.TintedFrame, idv.Inconclusive, "liveness.wrong_light"},
	} {
		takes := acted.Film(lit.Lighting{Seed: 12, Lux: 40, Nits: 450, Tone: lit.ToneBrown, WaitMS: 120, Trick: tt.trick})
		capture := packed(t, c, takes, func(r *idv.FrameRun) { r.LightMS = acted.ShownMS() })
		run, err := idv.OpenFrames(capture.Bytes)
		if err != nil {
			t.Fatal(err)
		}
		track, err := biometric.NewFramesExtractor(e, biometric.Options{}).Light(t.Context(), run)
		if err != nil {
			t.Fatal(err)
		}
		f, err := biometric.LivenessLight{}.Check(t.Context(), idv.Evidence{
			Workflow: requiring(), Artifacts: []idv.Artifact{present(t, idv.ArtifactTrack, track)},
		})
		if err != nil {
			t.Fatal(err)
		}
		var want []string
		if tt.reason != "" {
			want = []string{tt.reason}
		}
		if d := cmp.Diff(want, codesOf(f)); d != "" || f.Outcome != tt.outcome {
			t.Errorf("%q: %s, %s %v (-want +got):\n%s", tt.trick, f.Outcome, f.Note, f.Measures, d)
		}
	}
}

func TestColoursThatCannotBeJudgedAreNeverPassed(t *testing.T) {
	lit := idv.Challenge{Light: []idv.Glow{{Colour: idv.ColourRose, AtMS: 900, ForMS: 1200}}, DurationMS: 9000}
	track := func(tr idv.Track) []idv.Artifact { return []idv.Artifact{present(t, idv.ArtifactTrack, tr)} }
	tests := []struct {
		name     string
		ev       idv.Evidence
		reason   string // empty: an error, or that it does not apply
		notApply bool
	}{
		{"no run was sent", idv.Evidence{Workflow: requiring()}, "", false},
		{"a run that could not be opened", idv.Evidence{Workflow: requiring(), Artifacts: []idv.Artifact{
			idv.AbsentArtifact(idv.ArtifactTrack, idv.Capture{SHA256: "aa"}, "liveness.challenge_missed"),
		}}, "check.not_run", false},
		{"a challenge without colours, which the workflow requires", idv.Evidence{Workflow: requiring(), Artifacts: track(idv.Track{})}, "check.not_run", false},
		{"a challenge without colours, which nobody asked for", idv.Evidence{
			Workflow: idv.DefaultWorkflow(idv.Live), Artifacts: track(idv.Track{}),
		}, "", true},
		{"a page that showed none", idv.Evidence{Workflow: requiring(), Artifacts: track(idv.Track{Challenge: lit})}, "check.not_run", false},
		{"a page that showed them at another time", idv.Evidence{
			Workflow: requiring(), Artifacts: track(idv.Track{Challenge: lit, LightMS: []int{5000}}),
		}, "check.not_run", false},
		{"a run without frames", idv.Evidence{Workflow: requiring(), Artifacts: track(idv.Track{Challenge: lit, LightMS: []int{900}})}, "check.not_run", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := biometric.LivenessLight{}.Check(t.Context(), tt.ev)
			if tt.reason == "" {
				if (err == nil) != tt.notApply || f.NotApply != tt.notApply {
					t.Errorf("%+v, %v", f, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff([]string{tt.reason}, codesOf(f)); d != "" || f.Outcome != idv.Inconclusive {
				t.Errorf("%s (-want +got):\n%s", f.Outcome, d)
			}
		})
	}
}
