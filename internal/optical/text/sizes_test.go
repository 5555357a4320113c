package text

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// setLine is a line of words, each set with so many pixels from one usual letter to the next, from left to right.
func setLine(words []string, pixels []float64) Line { return setIn(usualWidth, words, pixels) }

// setIn is setLine in a typeface whose characters are so wide.
func setIn(width func(rune) float64, words []string, pixels []float64) Line {
	const height = 40
	var runes []rune
	var at []float64
	x := 20.0
	for i, w := range words {
		if i > 0 {
			runes, at, x = append(runes, ' '), append(at, x), x+max(pixels[i], pixels[i-1])
		}
		for _, c := range w {
			half := width(c) * pixels[i] / 2
			runes, at, x = append(runes, c), append(at, x+half), x+2*half
		}
	}
	for i := range at {
		at[i] /= x + 20
	}
	p := Reading{Chars: slices.Repeat([]float64{.9}, len(runes)), At: at}.of(runes)
	return Line{
		Reading: p,
		Strip:   ocr.Strip{X: (x + 20) / 2, Y: 100, UX: 1, Length: x + 20, Height: height},
	}
}

func TestALineIsPartedWhereTheSizeOfItsPrintChanges(t *testing.T) {
	for _, tc := range []struct {
		name   string
		words  []string
		pixels []float64
		want   []string
	}{
		{"a label and a larger value", []string{"Lieu", "de", "naissance", "ANSBACH"}, []float64{8, 8, 8, 16}, []string{"Lieu de naissance", "ANSBACH"}},
		{"figures go with the word behind them", []string{"Gültig", "bis", "17", "JAN", "2030"}, []float64{7, 7, 14, 14, 14}, []string{"Gültig bis", "17 JAN 2030"}},
		{"a single figure too", []string{"Expiry", "6", "MAR", "2032"}, []float64{7, 15, 15, 15}, []string{"Expiry", "6 MAR 2032"}},
		{"a short word of a label stays with it", []string{"Valid", "to", "31.12.2030"}, []float64{7, 7, 15}, []string{"Valid to", "31.12.2030"}},
		{"a value before a smaller label", []string{"MEDAN", "Kantor", "penerbit"}, []float64{16, 8, 8}, []string{"MEDAN", "Kantor penerbit"}},
		{"label, value, label", []string{"Marga", "Kusuma", "Height"}, []float64{8, 17, 8}, []string{"Marga", "Kusuma", "Height"}},
		{
			"letters of a label that were misread in other sizes", []string{"SUKUNIMI", "EFTER", "NAMN", "VIRTASALO"}, []float64{8, 5, 8, 16},
			[]string{"SUKUNIMI EFTER NAMN", "VIRTASALO"},
		},
		{"a series keeps its number", []string{"SERIA", "HD", "NR", "198025"}, []float64{8, 16, 8, 16}, []string{"SERIA", "HD NR 198025"}},
		{"print of one size", []string{"Surname", "MUSTERFRAU", "ill"}, []float64{12, 12, 12}, []string{"Surname MUSTERFRAU ill"}},
		{"too little to tell", []string{"5.", "X0"}, []float64{8, 16}, []string{"5. X0"}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			l := setLine(tc.words, tc.pixels)
			var got []string
			for _, p := range l.bySize() {
				got = append(got, p.Text)
				if len(p.At) != len([]rune(p.Text)) || len(p.Chars) != len(p.At) || p.At[0] < 0 || p.At[len(p.At)-1] > 1 {
					t.Errorf("%q has characters at %v, %d of them sure", p.Text, p.At, len(p.Chars))
				}
			}
			if d := cmp.Diff(tc.want, got); d != "" {
				t.Errorf("parts (-want +got):\n%s", d)
			}
		})
	}
}

func TestAMonospacedLineIsPartedOnlyWhereItsSizeChanges(t *testing.T) {
	for _, tc := range []struct {
		words  []string
		pixels []float64
		want   int
	}{
		{[]string{"92", "Rue", "des", "Tilleuls,", "UTOPIA", "CITY,", "UT6", "9QX"}, []float64{12, 12, 12, 12, 12, 12, 12, 12}, 1},
		{[]string{"REV", "11/11/2011", "CLASS", "GM"}, []float64{12, 12, 12, 12}, 1},
		{[]string{"William", "MMWWMM"}, []float64{12, 12}, 1},
		{[]string{"Familienname", "MUSTERMANN"}, []float64{8, 16}, 2},
	} {
		if got := setIn(oneWidth, tc.words, tc.pixels).bySize(); len(got) != tc.want {
			t.Errorf("%q is in %d parts, want %d", tc.words, len(got), tc.want)
		}
	}
}

func TestAPartStandsWhereItWasPrinted(t *testing.T) {
	l := setLine([]string{"Lieu", "de", "naissance", "ANSBACH"}, []float64{8, 8, 8, 16})
	parts := l.bySize()
	if !parts[0].small || parts[1].small {
		t.Errorf("small print: the label %t, the value %t", parts[0].small, parts[1].small)
	}
	if label, value := parts[0].Strip, parts[1].Strip; label.X+label.Length/2 > value.X-value.Length/2+8 {
		t.Error("label and value overlap")
	}
	for k, want := range []int{0, len([]rune("Lieu de naissance "))} {
		p := parts[k]
		got := p.Strip.At((p.At[0]-.5)*p.Strip.Length, 0)
		if at := l.Strip.At((l.At[want]-.5)*l.Strip.Length, 0); math.Abs(got.X-at.X) > .5 {
			t.Errorf("%q begins at %.1f, want %.1f", p.Text, got.X, at.X)
		}
	}
}

// barred is a crop of light paper with dark bars as letters between two rows.
func barred(wide, high, top, foot int) *imaging.Gray {
	g := imaging.NewGray(wide, high)
	for i := range g.Pix {
		g.Pix[i] = 220
	}
	for y := top; y < foot; y++ {
		for x := 4; x+4 < wide; x += 4 {
			g.Pix[y*wide+x], g.Pix[y*wide+x+1] = 40, 40
		}
	}
	return g
}

func TestSmallPrintIsFramedByItsInk(t *testing.T) {
	l := Line{Strip: ocr.Strip{X: 100, Y: 50, UX: 1, Length: 200, Height: 40}}
	for _, tc := range []struct {
		name         string
		top, foot    int
		centre, high float64
	}{
		{"half as high, on the foot of its row", 20, 36, 58, 16 * (1 + 2*sizeRow)},
		{"at the top of its row", 4, 20, 42, 16 * (1 + 2*sizeRow)},
		{"a rule, which is no print", 30, 33, 50, 40},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s, more := l.inked(barred(200, 40, tc.top, tc.foot))
			if math.Abs(s.Y-tc.centre) > 1 || math.Abs(s.Height-tc.high) > 2 || s.X != 100 || s.Length != 200 {
				t.Errorf("framed at %.1f, %.1f high, want %.1f and %.1f", s.Y, s.Height, tc.centre, tc.high)
			}
			if paper := s.Grown(more, more).Height; tc.high < 40 && math.Abs(paper-16*(1+2*sizePaper)) > 3 {
				t.Errorf("read with a crop %.1f high, want %.1f", paper, 16*(1+2*sizePaper))
			}
		})
	}
}

func TestALineWithoutPlacesIsOne(t *testing.T) {
	l := setLine([]string{"Lieu", "ANSBACH"}, []float64{8, 16})
	l.At = nil
	if got := l.bySize(); len(got) != 1 || got[0].Text != l.Text {
		t.Errorf("got %d parts", len(got))
	}
}
