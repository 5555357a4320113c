package biometric_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/biometric"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func headOf(t *testing.T, arts map[idv.ArtifactKind]idv.Artifact) idv.Finding {
	t.Helper()
	var ev idv.Evidence
	for _, a := range arts {
		ev.Artifacts = append(ev.Artifacts, a)
	}
	f, err := biometric.LivenessHead{}.Check(t.Context(), ev)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func TestAWarpedPhotographIsNoHeadAndIsLeftToAPerson(t *testing.T) {
	e, c := engine(t), challengeOf(t)
	for _, how := range []fixtures.RunAttack{fixtures.PushedFace, fixtures.EllipsoidOn} {
		if testing.Short() && how != fixtures.PushedFace {
			continue // nightly: other tests measure a swinging chest on drawn views, and judge it on a track
		}
		takes, err := fixtures.ActFalsely(how, "birch", "", c, fixtures.Acting{Seed: 3, Frames: 32, Width: 360, Height: 480})
		if err != nil {
			t.Fatal(err)
		}
		f := headOf(t, extract(t, e, packed(t, c, takes, nil)))
		if d := cmp.Diff([]string{"liveness.not_a_head"}, codesOf(f)); d != "" || f.Outcome != idv.Inconclusive {
			t.Errorf("%s: %s, %s %v (-want +got):\n%s", how, f.Outcome, f.Note, f.Measures, d)
		}
		if len(f.Places) == 0 || len(f.Places) > 5 {
			t.Errorf("%s: %d frames show it", how, len(f.Places))
		}
		for _, p := range f.Places {
			if p.Frame == nil || *p.Frame < 0 || *p.Frame >= len(takes) || *p.Value < 10 {
				t.Errorf("%s: a frame that the run has not, or whose head is straight: %+v", how, p)
			}
		}
	}
}

// trackWith is evidence of a run whose head moved so.
func trackWith(t *testing.T, h *idv.HeadMotion) idv.Evidence {
	t.Helper()
	a, err := idv.PresentArtifact(idv.ArtifactTrack, idv.Capture{SHA256: "aa"}, idv.Track{Head: h})
	if err != nil {
		t.Fatal(err)
	}
	return idv.Evidence{Artifacts: []idv.Artifact{a}}
}

func TestAHeadThatCannotBeJudgedIsNeverPassed(t *testing.T) {
	tests := []struct {
		name   string
		ev     idv.Evidence
		reason string // empty: an error
	}{
		{"no run was sent", idv.Evidence{}, ""},
		{"a run of a version that did not look", trackWith(t, nil), ""},
		{"a run that could not be opened", idv.Evidence{Artifacts: []idv.Artifact{
			idv.AbsentArtifact(idv.ArtifactTrack, idv.Capture{SHA256: "aa"}, "liveness.challenge_missed"),
		}}, "check.not_run"},
		{"a head that is hardly turned", trackWith(t, &idv.HeadMotion{Frames: 20, Left: .03, Whole: 1}), "check.not_run"},
		{"a nose that is pushed", trackWith(t, &idv.HeadMotion{
			Frames: 20, Left: .03, Whole: .5, Views: 5, Rim: 4, Bared: 4, Noses: 5, Nose: .4,
		}), "liveness.not_a_head"},
		{"a chest that swings", trackWith(t, &idv.HeadMotion{
			Frames: 20, Left: .03, Whole: 1, Views: 5, Rim: 4, Bared: 4, Noses: 5, Nose: .4, Sought: 5, Chests: 5, Chest: -.4,
		}), "liveness.not_a_head"},
		{"a run whose nose nobody looked at", trackWith(t, &idv.HeadMotion{Frames: 20, Left: .03, Whole: 1, Views: 5, Rim: 4, Bared: 4}), "check.not_run"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, err := biometric.LivenessHead{}.Check(t.Context(), tt.ev)
			if tt.reason == "" {
				if err == nil {
					t.Errorf("%s %v", f.Outcome, f.Reasons)
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
