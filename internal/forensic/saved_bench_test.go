package forensic

import (
	"image"
	"testing"
)

func BenchmarkHistories(b *testing.B) {
	camera := replaced(paper(2048, 1536, wave(31, 10, 12)).RGB(), image.Rect(0, 0, 2048, 1536))
	sq, _ := saved(b, saved(b, camera, 84).RGB(), 93).Squares()
	regions := []image.Rectangle{image.Rect(200, 400, 500, 800), image.Rect(200, 1100, 1800, 1300)}
	for y := range 8 {
		regions = append(regions, image.Rect(700, 300+80*y, 1200, 340+80*y))
	}
	for b.Loop() {
		Histories(sq, image.Rect(100, 100, 1940, 1400), regions)
	}
}
