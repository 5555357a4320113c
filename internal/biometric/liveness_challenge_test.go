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
