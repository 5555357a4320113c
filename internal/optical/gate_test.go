package optical

import (
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestTheGateSendsAPictureWithoutADocumentBackAtOnce(t *testing.T) {
	card := document(t, fixtures.IDCard, 1)
	camera := fixtures.Camera{Seed: 4, Width: 1280, Height: 960, Surface: fixtures.Fabric, Blur: .5, Noise: 2}
	desk, _ := fixtures.ShootAll(nil, camera)
	front, _ := fixtures.Shoot(card.Front(), camera)
	far := camera
	far.Fill = .45
	small, _ := fixtures.Shoot(card.Front(), far)
	for name, c := range map[string]struct {
		picture *imaging.RGB
		refused bool
	}{
		"a bare desk":        {desk, true},
		"a card":             {front, false},
		"a card far away":    {small, false},
		"a card upside down": {front.Turn(2), false},
		"a card on its side": {front.Turn(1), false},
	} {
		t.Run(name, func(t *testing.T) {
			raw, err := imaging.EncodeJPEG(c.picture, 88)
			if err != nil {
				t.Fatal(err)
			}
			err = NewGate(imaging.Limits{}, nil).Glance(t.Context(), idv.Capture{Kind: idv.DocumentImage, Bytes: raw})
			if got := problem.Has(err, problem.CaptureNoDocument); got != c.refused || !c.refused && err != nil {
				t.Errorf("got %v", err)
			}
		})
	}
}
