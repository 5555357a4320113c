package main

import (
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// TestAPageOfWhichNothingCanBeReadIsSaidToBeUnreadable: a page is there, but far out of focus.
func TestAPageOfWhichNothingCanBeReadIsSaidToBeUnreadable(t *testing.T) {
	if _, err := os.Stat(filepath.Join("..", "..", "models", "pack", "text-detect.onnx")); err != nil {
		t.Skip("models/pack is not assembled: run `make pack`")
	}
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip("OCR-B is not installed (Debian: fonts-ocr-b)")
	}
	d, err := fixtures.NewDocument(fixtures.Passport, 41, fixtures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	picture, _ := fixtures.Shoot(d.Front(), fixtures.Camera{Seed: 7, Width: 1600, Height: 1200, Fill: .85, Tilt: 3, Noise: 2, Blur: 14, Surface: fixtures.Wood})
	raw, err := fixtures.JPEG(picture, 85, 1)
	if err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(t.TempDir(), "page.jpg")
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	e, err := newEngine(config.Engine{RuntimeDir: filepath.Join(t.TempDir(), "runtime")})
	if err != nil {
		t.Fatal(err)
	}
	found, code := inspectFile(t.Context(), e.Flow, file, io.Discard)
	if code != exitNo || found.Problem == nil || found.Problem.Code != problem.DocumentUnreadable.Code {
		t.Errorf("exit %d, problem %+v, %+v", code, found.Problem, found.Document)
	}
}
