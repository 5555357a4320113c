package reading

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// setting is how a page sets its labels and its values, as far as those tell that are understood: labels by their words, values by
// being days.
type setting struct {
	labels, values           float64 // median heights; 0 for not known
	labelStarts, valueStarts []float64
	labelCapitals            float64 // share of the labels in capitals
}

// apartEnough is how much heights must differ, as a logarithm, to tell labels and values apart.
const apartEnough = .1

func (v view) settingOf() setting {
	var s setting
	var heights []float64
	capitals := 0
	for _, l := range v.labels {
		if !l.number && slices.Max(l.fits[:]) > .6 {
			heights, s.labelStarts = append(heights, l.h), append(s.labelStarts, l.x0)
			if allCapitals(string(v.rows[l.row].runes[l.words[0].from:l.words[len(l.words)-1].to])) {
				capitals++
			}
		}
	}
	s.labels, s.labelCapitals = median(heights), float64(capitals)/float64(max(1, len(heights)))
	heights = nil
	for _, c := range v.all {
		if c.kind == aDay {
			heights, s.valueStarts = append(heights, c.h), append(s.valueStarts, c.x0)
		}
	}
	s.values = median(heights)
	return s
}

func median(all []float64) float64 {
	if len(all) == 0 {
		return 0
	}
	slices.Sort(all)
	return all[len(all)/2]
}

// settingFeatures say whether a candidate is set as the page's labels are or as its values are.
func (v view) settingFeatures(c candidate) []Feature {
	var out []Feature
	s := v.setting
	if s.labels > 0 && s.values > 0 {
		name := "labels and values as tall"
		if math.Abs(math.Log(s.labels/s.values)) > apartEnough {
			name = "tall as labels"
			if math.Abs(math.Log(c.h/s.values)) < math.Abs(math.Log(c.h/s.labels)) {
				name = "tall as values"
			}
		}
		out = append(out, Feature{name, 1})
	}
	near := func(all []float64) bool {
		return slices.ContainsFunc(all, func(x float64) bool { return math.Abs(x-c.x0) < .6*c.h })
	}
	if c.kind != aDay && len(s.valueStarts) > 0 {
		out = append(out, Feature{map[bool]string{true: "begins where days do", false: "begins elsewhere than days"}[near(s.valueStarts)], 1})
	}
	if len(s.labelStarts) > 1 {
		out = append(out, Feature{map[bool]string{true: "begins where labels do", false: "begins elsewhere than labels"}[near(s.labelStarts)], 1})
	}
	if c.kind == aName || c.kind == aText {
		form := "small letters"
		if allCapitals(v.textOf(c)) {
			form = "capitals"
		}
		switch {
		case s.labelCapitals > .7:
			out = append(out, Feature{form + " beside labels in capitals", 1})
		case s.labelCapitals < .3 && s.labels > 0:
			out = append(out, Feature{form + " beside labels in small letters", 1})
		}
	}
	return append(out, v.leanFeatures(c)...)
}

// leanFeatures say whether a text, understood or not, is where the page has its labels.
func (v view) leanFeatures(c candidate) []Feature {
	if v.lean == "" {
		return nil
	}
	found, known := false, false
	for _, t := range v.texts {
		s := span{t.row, t.words[0].from, t.words[len(t.words)-1].to}
		if overlaps([]span{s}, c.spans) {
			continue
		}
		rel, _ := relationOf(label{piece: t}, c)
		if rel == v.lean {
			found = true
			break
		}
	}
	for _, l := range v.labels {
		if rel, _ := relationOf(l, c); rel == v.lean {
			known = true
		}
	}
	switch {
	case known:
		return nil
	case found:
		return []Feature{{"an unknown text on the lean", 1}}
	}
	return []Feature{{"nothing on the lean", 1}}
}

// twice reports whether another row has the same text.
func (v view) twice(c candidate) bool {
	plain := lexicon.Alphanumerics(c.value)
	if len(plain) < 4 {
		return false
	}
	on := v.printed[plain]
	return len(on) > 1 || len(on) == 1 && !on[c.spans[0].row]
}
