package reading

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/reading/calendar"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// dayFeatures: births are before issues, issues before expiries, and terms are whole years.
func (v view) dayFeatures(c candidate) []Feature {
	var out []Feature
	earlier, later := map[span]bool{}, map[span]bool{}
	after, before := false, false
	for _, o := range v.all {
		if o.kind != aDay || o.spans[0] == c.spans[0] || v.order != calendar.Told && o.day.Order != calendar.Told && o.day.Order != v.order {
			continue
		}
		switch {
		case o.day.Time.Before(c.day.Time):
			earlier[o.spans[0]], after = true, after || calendar.Term(o.day.Time, c.day.Time)
		case o.day.Time.After(c.day.Time):
			later[o.spans[0]], before = true, before || calendar.Term(c.day.Time, o.day.Time)
		}
	}
	out = append(out, Feature{fmt.Sprintf("days before %d after %d", min(2, len(earlier)), min(2, len(later))), 1})
	age := v.page.Today.Sub(c.day.Time).Hours() / 24 / 365.25
	out = append(out, Feature{fmt.Sprintf("age %d", int(clamp(math.Floor(age/5), -4, 18))), 1})
	if after {
		out = append(out, Feature{"ends a term", 1})
	}
	if before {
		out = append(out, Feature{"begins a term", 1})
	}
	if v.order != calendar.Told && c.day.Order != calendar.Told && c.day.Order != v.order {
		out = append(out, Feature{"other order", 1})
	}
	if v.order == calendar.Told && c.day.Order != calendar.Told {
		out = append(out, Feature{fmt.Sprintf("order %d %s", c.day.Order, v.family), 1})
	}
	if slices.Contains(v.page.Dates, c.value) {
		out = append(out, Feature{"in zone", 1})
	}
	return out
}

func (v view) numberFeatures(c candidate) []Feature {
	n := len(lexicon.Letters(c.value))
	out := []Feature{
		{fmt.Sprintf("long %d", min(len(c.value), 16)/3), 1}, {fmt.Sprintf("all figures %t", n == 0), 1},
		{fmt.Sprintf("words %d", min(2, strings.Count(v.textOf(c), " "))), .5},
	}
	for _, x := range c.number {
		if x.Checked {
			out = append(out, Feature{"checked", 1})
			for _, o := range v.all {
				if o.kind == aDay && slices.Contains(x.Births, o.value) {
					return append(out, Feature{"states a day of the page", 1})
				}
			}
			break
		}
	}
	for _, o := range v.all {
		switch {
		case o.kind == aDay && overlaps(o.spans, c.spans):
			return append(out, Feature{"is a day", 1})
		case o.kind == aNumber && o.spans[0].row == c.spans[0].row && overlaps(o.spans, c.spans) && len(o.value) > len(c.value):
			out = append(out, Feature{"part of a longer number", .25})
		}
	}
	if v.page.Number != "" && c.value == lexicon.Alphanumerics(v.page.Number) {
		out = append(out, Feature{"in zone", 1})
	}
	return out
}

func (v view) nameFeatures(c candidate) []Feature {
	fields := strings.Fields(c.value)
	out := []Feature{{fmt.Sprintf("words %d", min(4, len(fields))), 1}, {fmt.Sprintf("letters %d", min(12, len([]rune(c.value)))/3), 1}}
	upper, lower := 0, 0
	for _, r := range c.value {
		switch {
		case unicode.IsUpper(r):
			upper++
		case unicode.IsLower(r):
			lower++
		}
	}
	switch {
	case lower == 0:
		out = append(out, Feature{"capitals", 1})
	case upper >= len(fields):
		out = append(out, Feature{"title case", 1})
	default:
		out = append(out, Feature{"small letters", 1})
	}
	if v.states[c.value] != "" {
		out = append(out, Feature{"a state", 1})
	}
	if isTitle(c.value) {
		out = append(out, Feature{"a title", 1})
	}
	for _, w := range fields {
		if k, s := lexicon.ConceptsOf(w); k&^lexicon.Link != 0 && len(w) > 3 {
			out = append(out, Feature{"a word of labels", s})
			break
		}
	}
	return out
}

func (v view) textFeatures(c candidate) []Feature {
	digits := strings.ContainsAny(c.value, "0123456789")
	out := []Feature{
		{fmt.Sprintf("rows %d", len(c.spans)), 1}, {fmt.Sprintf("digits %t", digits), 1}, {fmt.Sprintf("letters %d", min(30, len(lexicon.Letters(c.value)))/6), 1},
	}
	if below(v.texts, c) != nil {
		out = append(out, Feature{"goes on below", 1})
	}
	last := c.value[strings.LastIndex(c.value, ",")+1:]
	if len(c.spans) > 1 && strings.ContainsAny(last, "0123456789") {
		out = append(out, Feature{"figures in its last row", 1})
	}
	if first := []rune(c.value)[0]; unicode.IsDigit(first) {
		out = append(out, Feature{"begins with figures", 1})
	}
	for _, o := range v.all {
		if o.kind == aDay && overlaps(o.spans, c.spans) {
			return append(out, Feature{"has a day", 1})
		}
	}
	if v.states[c.value] != "" {
		out = append(out, Feature{"a state", 1})
	}
	return out
}
