package text

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// knowsLatin is the alphabet of a reader without the letters of Vietnamese.
func knowsLatin(c rune) bool { return c < 'Ẁ' }

func TestAVietnamesePageIsReadByTwoReaders(t *testing.T) {
	plain := func(text string, sure float64) Reading {
		return readAs(text, slices.Repeat([]float64{sure}, len([]rune(text)))...)
	}
	for _, tc := range []struct {
		name        string
		latin, read []Reading
		want        []string
		least       []float64
		found       bool
	}{
		{
			"letters that the first reader does not know", []Reading{plain("PHĄM THĮ", .99), plain("01.02.1990", .98)},
			[]Reading{plain("PHẠM THỊ", .9), plain("01.02.1990", .5)},
			[]string{"PHẠM THỊ", "01.02.1990"}, []float64{.9, .98}, true,
		},
		{
			"other words of such a page are as sure as both readers are", []Reading{plain("HUŸNH", .99), plain("LAN ANH", .99), plain("HUE", .99)},
			[]Reading{plain("HUỲNH", .9), plain("LAN ANH", .8), plain("HUÊ", .9)}, []string{"HUỲNH", "LAN ANH", "HUE"}, []float64{.9, .8, unlike}, true,
		},
		{
			"what has figures in it stays as it was read", []Reading{plain("HUŸNH", .99), plain("A36/2 HUE", .99)},
			[]Reading{plain("HUỲNH", .9), plain("A36/2 HUÊ", .9)},
			[]string{"HUỲNH", "A36/2 HUE"}, []float64{.9, unlike}, true,
		},
		{
			"a name without such letters changes nothing", []Reading{plain("NGUYEN", .99), plain("SPRINGFIELD", .99)},
			[]Reading{plain("NGUYEN", .6), plain("SPRINGFIELO", .6)},
			[]string{"NGUYEN", "SPRINGFIELD"}, []float64{.99, .99}, false,
		},
		{
			"such letters have to be read surely enough", []Reading{plain("NGUYEN", .99)}, []Reading{plain("NGUYỄN", .4)}, []string{"NGUYEN"}, []float64{.99}, false,
		},
	} {
		t.Run(tc.name, func(t *testing.T) {
			var lines []Line
			for _, p := range tc.latin {
				lines = append(lines, Line{Reading: p})
			}
			if got := takeVietnamese(lines, tc.read, knowsLatin); got != tc.found {
				t.Errorf("the page is Vietnamese: %t, want %t", got, tc.found)
			}
			var texts []string
			var least []float64
			for _, l := range lines {
				texts, least = append(texts, l.Text), append(least, l.Least)
			}
			if d := cmp.Diff(tc.want, texts); d != "" {
				t.Errorf("lines (-want +got):\n%s", d)
			}
			if d := cmp.Diff(tc.least, least); d != "" {
				t.Errorf("least sure characters (-want +got):\n%s", d)
			}
		})
	}
}

func TestADoubtfulReaderIsLessSure(t *testing.T) {
	for _, tc := range []struct{ doubt, network, want float64 }{{0, .75, .75}, {2, .75, .5}, {2, 1, 1}, {4, .75, 0}, {4, .5, 0}} {
		if got := (reader{doubt: tc.doubt}).sure(tc.network); got != tc.want {
			t.Errorf("doubt %.0f makes %.2f of %.2f, want %.2f", tc.doubt, got, tc.network, tc.want)
		}
	}
}

func TestAVietnamesePageIsNotInAnUnknownScript(t *testing.T) {
	var lines []Line
	for range 4 {
		p := readAs("NGUYỄN THỊ", slices.Repeat([]float64{.6}, 10)...)
		lines = append(lines, Line{Reading: p})
	}
	if !InOtherScript(lines) {
		t.Fatal("lines as unsure as these are not told from Latin print: they test nothing")
	}
	for i := range lines {
		lines[i].toned = true
	}
	if InOtherScript(lines) {
		t.Error("lines that the reader of Vietnamese doubts count as another script")
	}
}

func TestAPageThatIsLikelyVietnamese(t *testing.T) {
	for _, tc := range []struct {
		what  string
		lines []string
		sure  float64
		want  bool
	}{
		{"a usual name", []string{"SURNAME", "HUŸNH"}, .9, true},
		{"a usual name among other languages", []string{"NAZWISKO PAŃSTWA", "HUŸNH", "ŻONATY"}, .9, true},
		{"a letter of its own", []string{"THỊ HƯƠNG", "LAN"}, .9, true},
		{"such a letter of specks, among words of another language", []string{"ưn F", "ŠIO DOKUMENTO", "LYTIES ŽYMA"}, .9, false},
		{"such a letter, and foreign ones that are unsure", []string{"ưn F", "ŠIO DOKUMENTO", "LYTIES ŽYMA"}, .8, true},
		{"nothing", []string{"SURNAME"}, .9, false},
	} {
		var lines []Line
		for _, text := range tc.lines {
			lines = append(lines, Line{Reading: Reading{Text: text, Chars: slices.Repeat([]float64{tc.sure}, len([]rune(text)))}})
		}
		if got := someVietnamese(lines); got != tc.want {
			t.Errorf("%s: got %t, want %t", tc.what, got, tc.want)
		}
	}
}
