package e2e

import (
	"fmt"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
)

// pair is a document and a selfie, as a phone sends them.
type pair struct{ document, selfie []byte }

var (
	drawn   = map[string]pair{}
	drawing sync.Mutex
)

// needOCRB skips a test by name where the font of the machine-readable zone is not installed. scripts/setup installs it.
func needOCRB(t *testing.T) {
	t.Helper()
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip(err)
	}
}

// picturesOf draws the passport of one person and a selfie of another. Equal arguments give equal pictures.
func picturesOf(t *testing.T, holder, selfie string, seed int64, o fixtures.Options) pair {
	t.Helper()
	needOCRB(t)
	drawing.Lock()
	defer drawing.Unlock()
	key := fmt.Sprint(holder, selfie, seed, o)
	if p, ok := drawn[key]; ok {
		return p
	}
	o.Face = holder
	d, err := fixtures.NewDocument(fixtures.Passport, seed, o)
	must(t, err)
	shot, _ := fixtures.Shoot(d.Front(), steady(seed))
	document, err := fixtures.JPEG(shot, 90, 1)
	must(t, err)
	face, err := fixtures.Selfie(selfie, fixtures.SelfieFace, fixtures.Camera{Seed: seed})
	must(t, err)
	portrait, err := fixtures.JPEG(face, 90, 1)
	must(t, err)
	drawn[key] = pair{document, portrait}
	return drawn[key]
}

// steady is a phone held well: these tests are about the machinery, not about the readers' limits.
func steady(seed int64) fixtures.Camera {
	return fixtures.Camera{Seed: seed, Width: 1600, Height: 1200, Tilt: 3, Blur: .4, Noise: 2}
}

// selfieOf is a selfie of somebody, as a phone sends it.
func selfieOf(t *testing.T, person string) []byte {
	t.Helper()
	face, err := fixtures.Selfie(person, fixtures.SelfieFace, fixtures.Camera{Seed: 1})
	must(t, err)
	raw, err := fixtures.JPEG(face, 90, 1)
	must(t, err)
	return raw
}
