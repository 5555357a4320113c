package optical

import (
	"slices"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// TestAMonthIsWrittenWithTheStrokesThatThePictureShows prints a date that was read with a stroke too few, and one that cannot be counted.
func TestAMonthIsWrittenWithTheStrokesThatThePictureShows(t *testing.T) {
	text := printedIn(t, goregular.TTF, []string{"14.III.1964"})[0]
	read := func(g *imaging.Gray) line {
		p := imaging.NewRGB(text.W+100, 100)
		for i := range p.Pix {
			p.Pix[i] = 225
		}
		put(p, g, 50, 30, 0)
		l := line{printed: printed{text: "14.II.1964", chars: slices.Repeat([]float64{.8}, 10), conf: .8, least: .8}}
		for i := range l.chars { // the two points are around the whole month
			l.at = append(l.at, []float64{.12, .22, .285, .33, .4, .465, .52, .65, .78, .9}[i])
		}
		l.strip = ocr.Strip{X: 50 + float64(text.W)/2, Y: 30 + float64(text.H)/2, UX: 1, Length: float64(text.W), Height: float64(text.H)}
		return countStrokes(imaging.PhotoOf(p), []line{l})[0]
	}
	got := read(text)
	if got.text != "14.III.1964" || len(got.chars) != 11 || len(got.at) != 11 || !slices.IsSorted(got.at) {
		t.Errorf("got %+v", got)
	}
	if want := []float64{.8, .8, .8, measured, measured, measured, .8, .8, .8, .8, .8}; !slices.Equal(got.chars, want) {
		t.Errorf("its characters are sure by %v, want %v", got.chars, want)
	}
	pale := imaging.Gray{W: text.W, H: text.H, Pix: slices.Repeat([]uint8{225}, text.W*text.H)}
	if got := read(&pale); got.text != "14.II.1964" || got.least != unmeasured || got.chars[2] != .8 || got.chars[3] != unmeasured {
		t.Errorf("of no print: got %+v", got)
	}
}
