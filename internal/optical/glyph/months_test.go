package glyph

import (
	"image"
	"image/color"
	"image/draw"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/goitalic"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestMonthsInRomanNumeralsAreFound(t *testing.T) {
	for what, tc := range map[string]struct {
		line string
		want []string
	}{
		"a month with strokes":                      {"14.III.1964", []string{"III"}},
		"the months of two dates on one line":       {"ĎÁTUM 1.VI.2021 / 31 XII 2030", []string{"VI", "XII"}},
		"letters and signs that look like a stroke": {"14.IL.1964, 14 | 1964, 14-VlI-64", []string{"IL", "|", "VlI"}},
		"months without strokes":                    {"14.V.1964 14.X.1964", nil},
		"a date that begins with its year":          {"1964.III.14", []string{"III"}},
		"dates of both orders":                      {"12.II.1964 1999.III.14", []string{"II", "III"}},
		"figures":                                   {"14.11.1964", nil},
		"letters that are no numeral":               {"12 L 3456, 5 J 12, 12.T.1964", nil},
		"what is no numeral":                        {"14.VIV.1964 14.XXI.1964", nil},
		"what is no date":                           {"KARL III, III 1964, A14.III.1964, 14.III.19640, 14 I 345", nil},
	} {
		var got []string
		for _, m := range Months(tc.line) {
			got = append(got, string([]rune(tc.line)[m.From:m.To]))
		}
		if d := cmp.Diff(tc.want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", what, d)
		}
	}
}

// TestStrokesAreCountedWhateverWasRead prints each month in several typefaces, and has each read with one to three strokes for those that it has.
func TestStrokesAreCountedWhateverWasRead(t *testing.T) {
	typefaces := map[string][]byte{"regular": goregular.TTF, "bold": gobold.TTF, "italic": goitalic.TTF, "medium": gomedium.TTF}
	for typeface, ttf := range typefaces {
		for _, month := range []string{"I", "II", "III", "IV", "V", "VI", "VII", "VIII", "IX", "X", "XI", "XII"} {
			kind := one.ReplaceAllString(month, "I")
			if !strings.Contains(kind, "I") {
				continue
			}
			g, from, to := printed(t, ttf, "14.", month, ".1964", 40)
			for n := 1; n <= 3; n++ {
				read := one.ReplaceAllString(kind, strings.Repeat("I", n))
				m := Month{word: read, kind: kind}
				if got := m.Read(g, from, to); got != month {
					t.Errorf("%s: %s that was read as %s is %q", typeface, month, read, got)
				}
			}
		}
	}
}

func TestStrokesThatCannotBeToldApartAreNotCounted(t *testing.T) {
	m := Months("14.III.1964")[0]
	pale, from, to := printed(t, goregular.TTF, "14.", "III", ".1964", 205)
	if got := m.Read(pale, from, to); got != "" {
		t.Errorf("pale print: got %q", got)
	}
	blurred, from, to := printed(t, goregular.TTF, "14.", "III", ".1964", 40)
	blurred = blurred.Resize(blurred.W/12, blurred.H/12).Resize(blurred.W, blurred.H)
	if got := m.Read(blurred, from, to); got != "" {
		t.Errorf("a blur: got %q", got)
	}
	if got := m.Read(&imaging.Gray{W: 60, H: 40, Pix: make([]byte, 60*40)}, from, to); got != "" {
		t.Errorf("a black crop: got %q", got)
	}
	for _, at := range [][2]float64{{-1, .5}, {.5, 2}, {.5, .4}} {
		if got := m.Read(blurred, at[0], at[1]); got != "" {
			t.Errorf("between %v: got %q", at, got)
		}
	}
}

// TestWhatMayBeFiguresStaysAsItWasRead holds that two strokes do not make February of a November in figures.
func TestWhatMayBeFiguresStaysAsItWasRead(t *testing.T) {
	for _, tc := range []struct {
		read    string
		strokes int
		want    string
	}{
		{"I1", 2, "I1"}, {"Il", 2, "Il"}, {"I1", 1, ""}, {"I1", 3, "III"}, {"|", 1, "I"}, {"|", 2, "II"}, {"II", 2, "II"}, {"VI1", 4, "VII"},
		{"XI", 5, ""}, {"IV", 4, ""},
	} {
		if got := Months("14." + tc.read + ".1964")[0].with(tc.strokes); got != tc.want {
			t.Errorf("%s of %d strokes: got %q, want %q", tc.read, tc.strokes, got, tc.want)
		}
	}
}

// printed is a line of three parts, printed in a grey on paper with some noise, and where the first part's last sign and the last part's first one are.
func printed(t *testing.T, ttf []byte, before, month, behind string, ink uint8) (g *imaging.Gray, from, to float64) {
	t.Helper()
	f, err := opentype.Parse(ttf)
	if err != nil {
		t.Fatal(err)
	}
	face, err := opentype.NewFace(f, &opentype.FaceOptions{Size: 40, DPI: 72})
	if err != nil {
		t.Fatal(err)
	}
	wide := func(s string) float64 { return float64(font.MeasureString(face, s)) / 64 }
	img := image.NewGray(image.Rect(0, 0, int(wide(before+month+behind))+20, 48))
	draw.Draw(img, img.Bounds(), image.NewUniform(color.Gray{Y: 225}), image.Point{}, draw.Src)
	d := font.Drawer{Dst: img, Src: image.NewUniform(color.Gray{Y: ink}), Face: face, Dot: fixed.P(10, 38)}
	d.DrawString(before + month + behind)
	r := rand.New(rand.NewPCG(7, 7))
	for k, v := range img.Pix {
		img.Pix[k] = uint8(max(0, min(255, float64(v)+5*r.NormFloat64())))
	}
	total := float64(img.Rect.Dx())
	point := wide(".") / 2
	return &imaging.Gray{W: img.Rect.Dx(), H: img.Rect.Dy(), Pix: img.Pix}, (10 + wide(before) - point) / total, (10 + wide(before+month) + point) / total
}
