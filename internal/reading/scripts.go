package reading

import (
	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// inOneScript gives names and places the key of the transliteration that is printed as well: which of both is taken is no doubt about what
// the page states.
func inOneScript(f int, options []Option) []Option {
	named := f == fSurname || f == fGiven || f == fBirthplace
	left := mostNames
	for i := range options {
		o := &options[i]
		o.Key = o.Value
		if f == fGiven {
			o.Key = withoutFathersName(o.Value)
		}
		if !named || lexicon.IsLatin(o.Value) {
			continue
		}
		for _, other := range options {
			if !lexicon.IsLatin(other.Value) || other.Value == "" {
				continue
			}
			if left--; left < 0 {
				break
			}
			if icao.SameName(o.Value, lexicon.Letters(other.Value), 0) {
				o.Key = other.Value
				break
			}
		}
	}
	return options
}
