package reading

import (
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/reading/calendar"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// sureOfForm is how sure the least sure character of a text that has a form must be for a second look to be needless.
const sureOfForm = .9

// worthAgain reports whether a second look at a value may change what is claimed: its characters were not read surely, or nothing in its
// form would show that one was misread. likely says that its text is likelier the fact than not.
func (p *Problem) worthAgain(f int, o Option, likely bool, l Limits) bool {
	k := kindOfFact[f]
	return likely && (k == aName || k == aText || o.Least < max(sureOfForm, l.Least) || o.Mean < l.Mean || p.against(f, o))
}

// unsureStroke reports whether an option is a date whose month is a Roman numeral with a stroke that was not read surely. One stroke more or less makes
// another month. Strokes that were counted on the picture are sure.
func (p *Problem) unsureStroke(o Option) bool {
	month := p.all[o.At].day.Month
	if !calendar.IsRoman(month) || !strings.Contains(month, "I") {
		return false
	}
	for _, s := range o.Spans {
		r := p.rows[s.row]
		for i := s.from; i < s.to; i++ {
			if c := r.runes[i]; unicode.IsLetter(c) || c == '|' {
				if _, least := r.sure(i, i+1); least < sureOfForm {
					return true
				}
			}
		}
	}
	return false
}

// against reports whether a number is that of the zone but for a sign or two.
func (p *Problem) against(f int, o Option) bool {
	if f != fNumber || p.page.Number == "" {
		return false
	}
	d := lexicon.Distance(lexicon.Alphanumerics(o.Value), strings.ReplaceAll(p.page.Number, " ", ""), 2)
	return d > 0 && d <= 2
}

// again are the places of a value for a second look.
func (p *Problem) again(f int, o Option) []Part {
	var out []Part
	for _, s := range o.Spans {
		part := p.partOf(s)
		part.Doubted = p.against(f, o)
		out = append(out, part)
	}
	return out
}
