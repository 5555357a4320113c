package zone

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/mrz"
)

func TestReadersAgreeWhereEachCharacterIsSupported(t *testing.T) {
	one := func(ch byte, conf float64) decoding {
		return decoding{lines: []string{string(ch)}, conf: [][]float64{{conf}}, glyphs: [][]glyph{{{ch: ch, conf: conf, first: 0, last: 0}}}}
	}
	// The second reader's one frame: what it chose, and what else it thought of.
	seen := func(ch byte, p float32, other byte, q float32) []frames {
		f := frames{p: make([]float32, classes), step: 4}
		f.p[classOf(ch)], f.p[classOf(other)] = p, q
		return []frames{f}
	}
	for name, c := range map[string]struct {
		first, second decoding
		seen          []frames
		want          bool
	}{
		"both are sure of the same":                    {one('T', .99), one('T', .99), seen('T', .99, 'I', 0), true},
		"one is sure, the other chooses the same":      {one('T', .99), one('T', .4), seen('T', .4, 'I', .3), true},
		"two guess the same":                           {one('I', .47), one('I', .6), seen('I', .6, 'T', .3), false},
		"the second thinks of it as well":              {one('<', .99), one('K', .6), seen('K', .6, '<', .3), true},
		"the second never thought of it":               {one('<', .99), one('K', .9), seen('K', .9, '<', .01), false},
		"the second thinks of it, the first is unsure": {one('<', .9), one('K', .6), seen('K', .6, '<', .3), false},
	} {
		if got := len(unsupported(c.first, c.second, c.seen, nil)) == 0; got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	under := [][]bool{{true}}
	if len(unsupported(one('E', .9999), one('E', .97), seen('E', .97, 'F', .01), under)) == 0 {
		t.Error("readers that are not surer than usual agreed on a character under a stamp")
	}
	if len(unsupported(one('E', .99999), one('E', .9999), seen('E', .99, 'F', 0), under)) > 0 {
		t.Error("readers that are very sure did not agree on a character under a stamp")
	}
	if len(unsupported(one('<', .99), one('K', .6), seen('K', .6, '<', .3), under)) == 0 {
		t.Error("a second reader that chose otherwise agreed under a stamp")
	}
	if len(unsupported(one('T', .99), decoding{}, nil, nil)) == 0 {
		t.Error("a second decoding without lines agreed")
	}
}

func TestWhatIsNotSupportedIsNamedByItsField(t *testing.T) {
	lines := []string{"P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"}
	read := func(lines ...string) (d decoding, seen []frames) {
		d = decoding{format: mrz.TD3, lines: lines}
		for _, l := range lines {
			f := spell(l, .99)
			glyphs := make([]glyph, len(l))
			for i := range glyphs {
				glyphs[i] = glyph{ch: l[i], conf: .99, first: i, last: i}
			}
			d.glyphs = append(d.glyphs, glyphs)
			d.conf = append(d.conf, slices.Repeat([]float64{.99}, len(l)))
			seen = append(seen, f)
		}
		return d, seen
	}
	first, _ := read(lines...)
	other, seen := read("P<UTOERIKSSQN<<ANNA<MAR1A<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122M1204159ZE184226B<<<<<10")
	if d := cmp.Diff([]string{"name", "sex"}, unsupported(first, other, seen, nil)); d != "" {
		t.Error("(-want +got):\n" + d)
	}
}

func TestAShapeIsAsSureAsItsFieldLeavesIt(t *testing.T) {
	f := spell("0", .7)
	f.p[classOf('O')] = .25
	o := glyph{ch: 'O', first: 0, last: 0}
	if got := f.shapeConfidence(o, cell{allowed: setLetters}); got < .94 {
		t.Errorf("an O that looks like a zero, among letters: %.2f", got)
	}
	if got := f.shapeConfidence(o, cell{allowed: everything}); got > .26 {
		t.Errorf("an O that looks like a zero, where both can stand: %.2f", got)
	}
}
