package text

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/text/texttest"
)

// TestLettersOBesideDigitsAreZerosIfTheyAreAsWide prints pages, and has a reader take letters for zeros.
func TestLettersOBesideDigitsAreZerosIfTheyAreAsWide(t *testing.T) {
	for _, tc := range []struct {
		what          string
		printed, read []string
		want          []string
	}{
		{"a zero behind letters", []string{"WN0047949", "16/02/1949"}, []string{"WNO047949", "16/02/1949"}, []string{"WN0047949", "16/02/1949"}},
		{"a small letter for it", []string{"S06719396 16.02.1940"}, []string{"So6719396 16.02.1940"}, []string{"S06719396 16.02.1940"}},
		{"beside one digit", []string{"PTUJ 04", "16/02/1949"}, []string{"PTUJ O4", "16/02/1949"}, []string{"PTUJ 04", "16/02/1949"}},
		{"beside one digit and a letter", []string{"A04", "16/02/1949"}, []string{"AO4", "16/02/1949"}, []string{"AO4", "16/02/1949"}},
		{"a letter that is one", []string{"WNO047949", "16/02/1949"}, []string{"WNO047949", "16/02/1949"}, []string{"WNO047949", "16/02/1949"}},
		{"a letter in a month", []string{"07NOV2020"}, []string{"O7NOV2020"}, []string{"07NOV2020"}},
		{"the width of zeros is not known", []string{"S06719396", "OSLO"}, []string{"So6719396", "OSLO"}, []string{"So6719396", "OSLO"}},
		{
			"a typeface in which letters are as wide", []string{"S06719396", "16/02/1940", "0SL0"}, []string{"So6719396", "16/02/1940", "OSLO"},
			[]string{"So6719396", "16/02/1940", "OSLO"},
		},
		{"behind a label and its colon", []string{"Nr:S06719396 16.02.1940"}, []string{"Nr:So6719396 16.02.1940"}, []string{"Nr:S06719396 16.02.1940"}},
		{"words without digits", []string{"OSLO", "16/02/1940"}, []string{"OSLO", "16/02/1940"}, []string{"OSLO", "16/02/1940"}},
	} {
		t.Run(tc.what, func(t *testing.T) {
			img, lines := pageOf(t, tc.printed, tc.read)
			got := tellZeros(img, lines)
			if again := tellZeros(img, got); !cmp.Equal(again, got, cmp.AllowUnexported(Line{})) {
				t.Errorf("measured again: got %v, want %v", again, got)
			}
			for i, l := range got {
				if l.Text != tc.want[i] {
					t.Errorf("got %q, want %q", l.Text, tc.want[i])
				}
				for k, c := range []rune(l.Text) {
					sure := .8
					if c != []rune(tc.read[i])[k] {
						sure = measured
					}
					if l.Chars[k] != sure {
						t.Errorf("%q: character %d is sure by %g, want %g", l.Text, k, l.Chars[k], sure)
					}
				}
			}
		})
	}
}

func TestASignIsAZeroOnlyIfLettersAreClearlyWider(t *testing.T) {
	for _, tc := range []struct {
		what         string
		sign, letter float64 // width by height; that of zeros is 1
		line, zeroAt int
		want         bool
	}{
		{"as wide as zeros, letters far from them", 1.01, 1.2, 0, 0, true},
		{"as wide as zeros of another line", 1.01, 1.2, 0, 1, true},
		{"as wide as zeros, letters too", 1.001, 1.02, 0, 0, false},
		{"between zeros and letters", 1.033, 1.05, 0, 0, false},
		{"as wide as letters that are hardly wider", 1.033, 1.033, 0, 0, false},
		{"wider than zeros", 1.05, 1.3, 0, 0, false},
	} {
		r := rounds{zeros: []round{{tc.zeroAt, 3, .99}, {tc.zeroAt, 4, 1}, {tc.zeroAt, 5, 1.01}}, letters: []round{{2, 0, tc.letter}}}
		if got := r.isZero(round{tc.line, 0, tc.sign}); got != tc.want {
			t.Errorf("%s: got %t, want %t", tc.what, got, tc.want)
		}
	}
	if none := (&rounds{}); none.isZero(round{0, 0, 1}) {
		t.Error("a zero without any to compare it with")
	}
}

// pageOf is a page with lines below each other, and the lines as they were read.
func pageOf(t *testing.T, texts, read []string) (*imaging.Photo, []Line) {
	t.Helper()
	f, err := opentype.Parse(goregular.TTF)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 26, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	page := imaging.NewRGB(600, 60*len(texts)+40)
	for i := range page.Pix {
		page.Pix[i] = 225
	}
	var lines []Line
	for i, text := range texttest.Print(t, goregular.TTF, texts) {
		texttest.Put(page, text, 50, 30+60*i, 0)
		n := len([]rune(read[i]))
		l := Line{
			Reading: Reading{Text: read[i], Chars: slices.Repeat([]float64{.8}, n)},
			Strip:   ocr.Strip{X: 50 + float64(text.W)/2, Y: 30 + float64(60*i) + float64(text.H)/2, UX: 1, Length: float64(text.W), Height: float64(text.H)},
		}
		runes := []rune(texts[i])
		for k := range n {
			before, after := font.MeasureString(face, string(runes[:k])), font.MeasureString(face, string(runes[:k+1]))
			l.At = append(l.At, (13+float64(before+after)/2/64)/float64(text.W))
		}
		lines = append(lines, l)
	}
	return imaging.PhotoOf(page), lines
}
