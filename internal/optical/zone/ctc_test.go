package zone

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// spell makes frames that spell the line: each rune is one frame, '_' a blank, with the given certainty.
func spell(line string, sure float32) frames {
	f := frames{p: make([]float32, len(line)*classes), step: 4}
	for t := range len(line) {
		rest := (1 - sure) / float32(classes-1)
		for c := range classes {
			f.p[t*classes+c] = rest
		}
		f.p[t*classes+classOf(line[t])] = sure
	}
	return f
}

func sets(n int, chars string) []cell {
	out := make([]cell, n)
	for i := range out {
		out[i].allowed = setOf(chars)
	}
	return out
}

const anyChar = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ<"

func TestGreedyMergesNeighboursAndDropsBlanks(t *testing.T) {
	for name, c := range map[string]struct{ in, want string }{
		"a blank parts doubled letters":       {"_AA_A__B_", "AAB"},
		"neighbours without blank are merged": {"AAABBB", "AB"},
		"nothing but blank is no text":        {"______", ""},
		"no frames are no text":               {"", ""},
	} {
		t.Run(name, func(t *testing.T) {
			if diff := cmp.Diff(c.want, glyphText(greedy(spell(c.in, .9)))); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestExactReadsAsManyCharactersAsTheFormatHas(t *testing.T) {
	for name, c := range map[string]struct {
		in      string
		allowed []cell
		want    string
	}{
		"as read when the count is right": {"_P_<_U_T_O_", sets(5, anyChar), "P<UTO"},
		"a run of fillers is split where one is missing": {
			"_A_<<<<<<<_B", []cell{{allowed: setOf("A")}, {allowed: setOf("<")}, {allowed: setOf("<")}, {allowed: setOf(anyChar)}}, "A<<B",
		},
		"a digit field reads a letter as its look-alike only if the frames allow it": {"_1_2_3_", sets(3, "0123456789"), "123"},
		"doubled letters need a blank between":                                       {"_A__A_", sets(2, anyChar), "AA"},
		"characters that follow straight on are read":                                {"ABCD", sets(4, anyChar), "ABCD"},
	} {
		t.Run(name, func(t *testing.T) {
			got, _, ok := viterbi(spell(c.in, .9), c.allowed)
			if !ok {
				t.Fatal("no path")
			}
			if diff := cmp.Diff(c.want, glyphText(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func names(n int) []cell {
	out := sets(n, anyChar)
	for i := range out {
		out[i].name = true
	}
	return out
}

func TestNamesEndAtThreeFillers(t *testing.T) {
	for name, c := range map[string]struct {
		in    string
		cells []cell
		want  string
	}{
		"what looks like a letter after three fillers is one":   {"_A_<_<_<_<_K_<_", names(7), "A<<<<<<"},
		"two fillers part surname and given names":              {"_A_<_<_K_<_B_<", names(7), "A<<K<B<"},
		"outside names a run of fillers may end":                {"_A_<_<_<_<_K_<_", sets(7, anyChar), "A<<<<K<"},
		"in a field of letters a zero counts as the letter":     {"_U_T_0_", sets(3, anyChar[10:36]), "UTO"},
		"in a field of digits a letter counts as its digit":     {"_1_S_O_", sets(3, anyChar[:10]), "150"},
		"in a field of both everything stays as it was printed": {"_U_0_O_", sets(3, anyChar), "U0O"},
	} {
		t.Run(name, func(t *testing.T) {
			f := spell(c.in, .6)
			for i := range len(c.in) { // a runner-up that the rules can fall back on
				if c.in[i] == 'K' {
					f.p[i*classes+classOf('<')] = .3
				}
			}
			got, _, ok := viterbi(f, c.cells)
			if !ok {
				t.Fatal("no path")
			}
			if diff := cmp.Diff(c.want, glyphText(got)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestExactRefusesLinesThatAreTooShort(t *testing.T) {
	if _, _, ok := viterbi(spell("ABC", .9), sets(4, anyChar)); ok {
		t.Error("four characters from three frames")
	}
}

func TestExactPrefersTheCountThatWasPrinted(t *testing.T) {
	f := spell("_"+strings.Repeat("A_", 36), .95)
	_, short, _ := viterbi(f, sets(30, anyChar))
	_, right, _ := viterbi(f, sets(36, anyChar))
	if !(right > short) {
		t.Errorf("36 characters score %.1f, 30 score %.1f", right, short)
	}
}

func TestExactMarksWhereEachCharacterStands(t *testing.T) {
	got, _, _ := viterbi(spell("__A__BB_", .9), sets(2, anyChar))
	want := []glyph{{ch: 'A', conf: .9, first: 2, last: 2}, {ch: 'B', conf: .9, first: 5, last: 6}}
	near := cmp.Comparer(func(a, b float64) bool { return math.Abs(a-b) < 1e-6 })
	if diff := cmp.Diff(want, got, cmp.AllowUnexported(glyph{}), near); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// FuzzCTC feeds both decoders arbitrary model output.
func FuzzCTC(f *testing.F) {
	f.Add([]byte("_P<UTO"), 3)
	f.Add([]byte{0, 255, 128}, 44)
	f.Fuzz(func(t *testing.T, raw []byte, n int) {
		fr := frames{p: make([]float32, len(raw)/classes*classes), step: 4}
		for i := range fr.p {
			fr.p[i] = float32(raw[i]) / 255
			if raw[i] == 7 {
				fr.p[i] = float32(math.NaN())
			}
			if raw[i] == 9 {
				fr.p[i] = float32(math.Inf(1))
			}
		}
		greedy(fr)
		if n < 0 || n > 80 {
			return
		}
		line := sets(n, anyChar)
		for i := range line {
			line[i].name = i%7 > 2
		}
		got, _, ok := viterbi(fr, line)
		if ok && len(got) != n {
			t.Fatalf("%d characters of %d", len(got), n)
		}
		for _, g := range got {
			if classOf(g.ch) == 0 {
				t.Fatalf("character %q is not in the alphabet", g.ch)
			}
		}
	})
}
