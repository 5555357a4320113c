package biometric

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestFacesOfTwoSessionsAreComparedOneToOne(t *testing.T) {
	w := idv.WorkflowVersion{FaceFMR: "1e-4", FaceReferFMR: "1e-3"}
	split := func(cosine float64, model idv.Digest) (mine, theirs []idv.Artifact) {
		both := pair(t, cosine, model)
		mine, theirs = both[:1], both[1:]
		mine[0].Kind, mine[0].Side = idv.ArtifactSelfieTemplate, idv.NoSide
		return mine, theirs
	}
	for name, tt := range map[string]struct {
		cosine float64
		model  idv.Digest
		want   idv.FacesCompared
	}{
		"two people":             {.29, "abc", idv.FaceOther},
		"between the thresholds": {.35, "abc", idv.FaceUnclear},
		"one person":             {.41, "abc", idv.FaceSame},
		"one picture":            {1, "abc", idv.FaceSame},
		"of another model":       {.41, "def", idv.FaceNotComparable},
	} {
		mine, theirs := split(tt.cosine, tt.model)
		got, err := EarlierFaces{card}.Compare(idv.Evidence{Workflow: w, Artifacts: mine}, idv.SeenSession{Faces: theirs})
		if err != nil || got != tt.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, tt.want)
		}
	}
	mine, theirs := split(.41, "abc")
	theirs[0].Data = nil // as once its pictures are erased
	got, err := EarlierFaces{card}.Compare(idv.Evidence{Workflow: w, Artifacts: mine}, idv.SeenSession{Faces: theirs})
	if got != idv.FaceNotComparable || err != nil {
		t.Errorf("with a template that is not kept: %s, %v", got, err)
	}
	bare := card
	bare.Calibration = nil
	mine, theirs = split(.41, "abc")
	got, err = EarlierFaces{bare}.Compare(idv.Evidence{Workflow: w, Artifacts: mine}, idv.SeenSession{Faces: theirs})
	if got != idv.FaceNotComparable || err != nil {
		t.Errorf("by a model without measured rates: %s, %v", got, err)
	}
}
