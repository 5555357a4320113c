package text

import (
	"slices"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text/texttest"
)

// TestAMonthIsWrittenWithTheStrokesThatThePictureShows prints a date that was read with a stroke too few, and one that cannot be counted.
func TestAMonthIsWrittenWithTheStrokesThatThePictureShows(t *testing.T) {
	text := texttest.Print(t, goregular.TTF, []string{"14.III.1964"})[0]
	read := func(g *imaging.Gray) Line {
		p := imaging.NewRGB(text.W+100, 100)
		for i := range p.Pix {
			p.Pix[i] = 225
		}
		texttest.Put(p, g, 50, 30, 0)
		l := Line{Reading: Reading{Text: "14.II.1964", Chars: slices.Repeat([]float64{.8}, 10), Confidence: .8, Least: .8}}
		for i := range l.Chars { // the two points are around the whole month
			l.At = append(l.At, []float64{.12, .22, .285, .33, .4, .465, .52, .65, .78, .9}[i])
		}
		l.Strip = ocr.Strip{X: 50 + float64(text.W)/2, Y: 30 + float64(text.H)/2, UX: 1, Length: float64(text.W), Height: float64(text.H)}
		return countStrokes(imaging.PhotoOf(p), []Line{l})[0]
	}
	got := read(text)
	if got.Text != "14.III.1964" || len(got.Chars) != 11 || len(got.At) != 11 || !slices.IsSorted(got.At) {
		t.Errorf("got %+v", got)
	}
	if want := []float64{.8, .8, .8, measured, measured, measured, .8, .8, .8, .8, .8}; !slices.Equal(got.Chars, want) {
		t.Errorf("its characters are sure by %v, want %v", got.Chars, want)
	}
	pale := imaging.Gray{W: text.W, H: text.H, Pix: slices.Repeat([]uint8{225}, text.W*text.H)}
	if got := read(&pale); got.Text != "14.II.1964" || got.Least != unmeasured || got.Chars[2] != .8 || got.Chars[3] != unmeasured {
		t.Errorf("of no print: got %+v", got)
	}
}
