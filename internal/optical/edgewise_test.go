package optical

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text/texttest"
)

// TestANumberAlongTheSideIsReadWhicheverWayItRuns puts level lines and two texts that run across them on a page. Only one of these is a number.
func TestANumberAlongTheSideIsReadWhicheverWayItRuns(t *testing.T) {
	reader, _ := readerOfAll(t)
	texts := texttest.Print(t, goregular.TTF, []string{"Family name  EXAMPLE", "Given names  ANNA MARIA", "Date of birth  12.08.1974", "46 17 599405", "SAMPLE"})
	for _, quarters := range []int{1, 3} {
		p := imaging.NewRGB(900, 600)
		for i := range p.Pix {
			p.Pix[i] = 225
		}
		for i, text := range texts[:3] {
			texttest.Put(p, text, 120, 100+80*i, 0)
		}
		texttest.Put(p, texts[3], 700, 150, quarters)
		texttest.Put(p, texts[4], 40, 150, quarters)
		w, err := reader.begin(imaging.PhotoOf(p))
		if err != nil {
			t.Fatal(err)
		}
		if w.closer, err = w.models.detect.Find(t.Context(), w.img, ocr.DetectSize, ocr.Unchanged); err != nil {
			t.Fatal(err)
		}
		numbers, err := edgewise{printedText{w}}.numbers(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, l := range numbers {
			got = append(got, l.Text)
			if l.Box.X < .7 || l.Box.Height < l.Box.Width || l.Strip.UX < .9 || l.Strip.X < 700 {
				t.Errorf("turned by %d quarters: the box %+v, the line %+v", quarters, l.Box, l.Strip)
			}
		}
		if d := cmp.Diff([]string{"46 17 599405"}, got); d != "" {
			t.Errorf("turned by %d quarters (-want +got):\n%s", quarters, d)
		}
	}
}

func TestOnlyFiguresAreANumberAlongTheSide(t *testing.T) {
	for text, want := range map[string]bool{
		"46 17 599405": true, "AB 123456": true, "X9999999X": true, "SAMPLE": false, "SPECIMEN 12": false, "24.11": false, "12345": false, "ABCD123456": false,
	} {
		if got := isFigures(text); got != want {
			t.Errorf("%q: %v", text, got)
		}
	}
}
