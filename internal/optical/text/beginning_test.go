package text

import (
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/font/gofont/goregular"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/letter"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text/texttest"
)

func TestWhereLargerPrintMayBeginBehindSmaller(t *testing.T) {
	for _, tc := range []struct {
		name  string
		words []string
		lost  float64 // pixels of white where a first letter was lost
		room  bool
	}{
		{"right behind the label", []string{"Family", "name:", "Olsson"}, -12, false},
		{"a letter further", []string{"Family", "name:", "lsson"}, 12, true},
		{"behind a stroke", []string{"Family", "name", "/", "lsson"}, 12, true},
	} {
		t.Run(tc.name, func(t *testing.T) {
			pixels := []float64{8, 8, 8, 8}
			pixels[len(tc.words)-1] = 16
			parts := moved(setLine(tc.words, pixels[:len(tc.words)]), len([]rune(tc.words[len(tc.words)-1])), tc.lost).bySize()
			small, large := parts[0], parts[len(parts)-1]
			s, room := large.after(small)
			if room != tc.room {
				t.Fatalf("room for a letter: %v, want %v", room, tc.room)
			}
			if !room {
				return
			}
			last := small.Strip.At((small.At[len(small.At)-1]-.5)*small.Strip.Length, 0).X
			if strings.HasSuffix(small.Text, "/") {
				last = small.Strip.At((small.At[len(small.At)-3]-.5)*small.Strip.Length, 0).X
			}
			if begins := s.At(-s.Length/2, 0).X; begins <= last {
				t.Errorf("begins at %g, in the small print that ends at %g", begins, last)
			}
			right := func(x, length float64) float64 { return x + length/2 }
			if math.Abs(right(s.X, s.Length)-right(large.Strip.X, large.Strip.Length)) > 1e-6 || s.Length < large.Strip.Length+10 {
				t.Errorf("got %v, want it longer than %v to the left", s, large.Strip)
			}
		})
	}
}

// TestAFirstLargeLetterIsReadAnew prints a value after a label of half its height. The line that it starts from lacks the first letter.
func TestAFirstLargeLetterIsReadAnew(t *testing.T) {
	latin := readerFor(t, ocr.TextLineModel, ocr.TextLineCharacters).LineReader
	const label, value, lost = "Issuing office", "Gävle", 1
	prints := texttest.Print(t, goregular.TTF, []string{label, value})
	small := prints[0].Resize(prints[0].W/2, prints[0].H/2)
	page := imaging.NewRGB(small.W+prints[1].W+80, 120)
	for i := range page.Pix {
		page.Pix[i] = 225
	}
	texttest.Put(page, small, 40, 50, 0)
	texttest.Put(page, prints[1], 40+small.W, 40, 0)
	whole := Line{Strip: ocr.Strip{X: 40 + float64(small.W+prints[1].W)/2, Y: 60, UX: 1, Length: float64(small.W + prints[1].W), Height: 32}}
	place := func(text string, from, wide, skipped int) {
		n := len([]rune(text))
		for i := skipped; i < n; i++ {
			whole.At = append(whole.At, (float64(from)+(float64(i)+.5)/float64(n)*float64(wide))/whole.Strip.Length)
		}
	}
	place(label, 0, small.W, 0)
	place(" ", small.W, 8, 0)
	place(value, small.W+13, prints[1].W-26, lost)
	runes := []rune(label + " " + string([]rune(value)[lost:]))
	whole.Chars = slices.Repeat([]float64{.95}, len(runes))
	whole.Reading = whole.of(runes)
	parts, err := NewReaders(latin, latin, latin, letter.Reader{}).ForPage().Parts(t.Context(), imaging.PhotoOf(page), whole)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, l := range parts {
		got = append(got, l.Text)
	}
	if d := cmp.Diff([]string{label, value}, got); d != "" {
		t.Errorf("parts (-want +got):\n%s", d)
	}
}

// moved shifts the last characters of a line to the right by that many pixels.
func moved(l Line, last int, pixels float64) Line {
	long := l.Strip.Length + pixels
	for i := range l.At {
		l.At[i] *= l.Strip.Length / long
		if i >= len(l.At)-last {
			l.At[i] += pixels / long
		}
	}
	l.Strip.X, l.Strip.Length = l.Strip.X+pixels/2, long
	return l
}

func TestAReadingWithMoreLettersBeforeTheLine(t *testing.T) {
	for _, tc := range []struct {
		name, line, read string
		sure             float64
		want             bool
	}{
		{"a letter more", "avle", "Gävle", .99, true},
		{"a figure more", "25015561", "725015561", .99, true},
		{"as it was", "avle", "ävle", .99, false},
		{"other letters", "avle", "Gavlen", .99, false},
		{"a stroke more", "25015561", "/25015561", .99, false},
		{"a word more", "avle", "OFFICEavle", .99, false},
		{"unsurely", "avle", "Gävle", .6, false},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := Line{Reading: Reading{Text: tc.line}}
			if got := l.endOf(Reading{Text: tc.read, Confidence: tc.sure}); got != tc.want {
				t.Errorf("got %v, want %v", got, tc.want)
			}
		})
	}
}
