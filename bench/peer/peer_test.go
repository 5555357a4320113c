package peer_test

import (
	"bytes"
	"context"
	"errors"
	"image"
	"image/png"
	"testing"

	"github.com/bonafide-id/bonafide/bench/peer"
)

func TestAPeerThatIsNotInstalledIsMissingAndNoFailure(t *testing.T) {
	t.Setenv("PATH", t.TempDir())
	if _, err := peer.Tesseract(context.Background(), nil); !errors.Is(err, peer.ErrMissing) {
		t.Errorf("got %v, want ErrMissing", err)
	}
	if _, err := peer.Version(context.Background(), "tesseract", "--version"); !errors.Is(err, peer.ErrMissing) {
		t.Errorf("got %v, want ErrMissing", err)
	}
}

func TestAPeerAnswersOnAnEmptyPicture(t *testing.T) {
	if _, err := peer.Version(context.Background(), "tesseract", "--version"); errors.Is(err, peer.ErrMissing) {
		t.Skip("tesseract is not installed")
	}
	blank := image.NewGray(image.Rect(0, 0, 200, 60))
	for i := range blank.Pix {
		blank.Pix[i] = 255
	}
	var b bytes.Buffer
	if err := png.Encode(&b, blank); err != nil {
		t.Fatal(err)
	}
	a, err := peer.Tesseract(context.Background(), b.Bytes(), "--psm", "7")
	if err != nil {
		t.Fatal(err)
	}
	if a.CPU <= 0 {
		t.Errorf("got %v of processor time, want some", a.CPU)
	}
}
