package kills

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/persona"
)

// drawPictures draws a passport and its holder. Readers have to read them within a second or two: they are small and sharp.
func drawPictures(wanted bool) (pair, error) {
	if !wanted {
		return pair{}, nil
	}
	d, err := fixtures.NewDocument(fixtures.Passport, 1, fixtures.Options{Face: "alder"})
	if err != nil {
		return pair{}, fmt.Errorf("draw a document: %w", err)
	}
	shot, _ := fixtures.Shoot(d.Front(), fixtures.Camera{Seed: 1, Width: 2400, Height: 1800, Tilt: 3, Blur: .6, Noise: 2})
	document, err := fixtures.JPEG(shot, 90, 1)
	if err != nil {
		return pair{}, fmt.Errorf("draw a document: %w", err)
	}
	face, err := fixtures.Selfie("alder", fixtures.SelfieFace, fixtures.Camera{Seed: 1})
	if err != nil {
		return pair{}, fmt.Errorf("draw a selfie: %w", err)
	}
	selfie, err := fixtures.JPEG(face, 90, 1)
	if err != nil {
		return pair{}, fmt.Errorf("draw a selfie: %w", err)
	}
	return pair{document, selfie}, nil
}

// personaPictures are those of the persona that is approved.
func personaPictures() (pair, error) {
	p, known := persona.Named("approved")
	if !known {
		return pair{}, errors.New("there is no persona that is approved")
	}
	document, err := p.Picture(idv.StepDocumentFront, 1)
	if err != nil {
		return pair{}, err
	}
	selfie, err := p.Picture(idv.StepSelfie, 1)
	return pair{document, selfie}, err
}

// marked makes the bytes of pictures unlike all others by a comment after the first marker, so that each can be told by its
// digest.
func (p pair) marked(name string) pair {
	return pair{marked(p.document, name), marked(p.selfie, name)}
}

func marked(jpeg []byte, name string) []byte {
	const soi = 2
	comment := append([]byte{0xff, 0xfe, byte((len(name) + 2) >> 8), byte(len(name) + 2)}, name...)
	return bytes.Join([][]byte{jpeg[:soi], comment, jpeg[soi:]}, nil)
}
