package zone

import "testing"

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
		if got := readersAgree(c.first, c.second, c.seen, nil); got != c.want {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
	under := [][]bool{{true}}
	if readersAgree(one('E', .9999), one('E', .97), seen('E', .97, 'F', .01), under) {
		t.Error("readers that are not surer than usual agreed on a character under a stamp")
	}
	if !readersAgree(one('E', .99999), one('E', .9999), seen('E', .99, 'F', 0), under) {
		t.Error("readers that are very sure did not agree on a character under a stamp")
	}
	if readersAgree(one('<', .99), one('K', .6), seen('K', .6, '<', .3), under) {
		t.Error("a second reader that chose otherwise agreed under a stamp")
	}
	if readersAgree(one('T', .99), decoding{}, nil, nil) {
		t.Error("a second decoding without lines agreed")
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
