package biometric

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
)

func TestOnlyAnUnbrokenUsualAnswerPasses(t *testing.T) {
	fake := idv.Camera{Label: "OBS Virtual Camera"}
	broken := []liveness.Fault{{Code: "liveness.failed", Rule: "a"}, {Code: "liveness.faces_differ", Rule: "b"}, {Code: "liveness.failed", Rule: "c"}}
	tests := []struct {
		name    string
		track   idv.Track
		faults  []liveness.Fault
		mode    idv.Mode
		outcome idv.Outcome
		codes   []string
	}{
		{"unbroken", idv.Track{}, nil, idv.Live, idv.Pass, nil},
		{"broken", idv.Track{}, broken, idv.Live, idv.Fail, []string{"liveness.failed", "liveness.faces_differ"}},
		{"gentle", idv.Track{Challenge: idv.Challenge{Gentle: true}}, nil, idv.Live, idv.Inconclusive, []string{"liveness.failed"}},
		{"gentle and broken", idv.Track{Challenge: idv.Challenge{Gentle: true}}, broken, idv.Live, idv.Fail, []string{"liveness.failed", "liveness.faces_differ"}},
		{"a camera that is a program", idv.Track{Camera: fake}, nil, idv.Live, idv.Inconclusive, []string{"capture.injected"}},
		{"a camera that is a program, in a test", idv.Track{Camera: fake}, nil, idv.Test, idv.Pass, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f := outcomeOf(tt.track, tt.faults, tt.mode)
			if f.Outcome != tt.outcome || len(f.Reasons) != len(tt.codes) {
				t.Fatalf("%+v, want %s for %v", f, tt.outcome, tt.codes)
			}
			for i, r := range f.Reasons {
				if r.Code != tt.codes[i] {
					t.Errorf("reason %d is %s, want %s", i, r.Code, tt.codes[i])
				}
			}
		})
	}
}

func TestARunThatOtherModelsLookedAtIsNotJudged(t *testing.T) {
	own, other := []idv.ModelRef{{Name: "face-mesh", Version: "2", SHA256: "ab"}}, []idv.ModelRef{{Name: "face-landmarks", Version: "1", SHA256: "cd"}}
	for _, tt := range []struct {
		name   string
		models []idv.ModelRef
		judged bool
	}{{"by the models in use", own, true}, {"by those of an earlier version", other, false}, {"by none that it names", nil, false}} {
		t.Run(tt.name, func(t *testing.T) {
			a, err := idv.PresentArtifact(idv.ArtifactTrack, idv.Capture{}, idv.Track{Models: tt.models})
			if err != nil {
				t.Fatal(err)
			}
			f, err := LivenessChallenge{models: own}.Check(t.Context(), idv.Evidence{Artifacts: []idv.Artifact{a}, Mode: idv.Live})
			if (err == nil) != tt.judged {
				t.Errorf("finding %+v, error %v", f, err)
			}
		})
	}
}
