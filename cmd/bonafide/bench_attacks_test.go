package main

import (
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/bench/attacks"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Nothing but face.too_alike stands between a document's own portrait and an approval where no challenge is asked for.
func TestTheDocumentsPortraitSentAsTheSelfieIsReferredForBeingTooAlike(t *testing.T) {
	e, err := newEngine(config.Engine{})
	if err != nil {
		t.Fatal(err)
	}
	if e.Faces.Ready(face.DetectModel, face.MeshModel, face.TemplateModel) != nil {
		t.Skip("models/pack is not assembled: run `make pack`")
	}
	cases, err := attacks.Run(t.Context(), e.Flow, finder(e.Faces), attacks.Options{Runs: 1, Seed: 7, Rows: []attacks.Row{attacks.PortraitAsSelfie}})
	if err != nil {
		t.Fatal(err)
	}
	if c := cases[0]; c.Outcome != idv.DecideRefer || !slices.Equal(c.Reasons, []string{"face.match: face.too_alike"}) {
		t.Errorf("%+v", c)
	}
}
