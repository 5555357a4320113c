package viz

// Sure says how surely characters must have been read: their mean confidence and that of the least sure, 0–1.
type Sure struct {
	Mean  float64 `json:"mean"`
	Least float64 `json:"least"`
}

func (s Sure) holds(mean, least float64) bool { return mean >= s.Mean && least >= s.Least }

// Limits are how surely print must have been read for what it says to count.
type Limits struct {
	Value   Sure `json:"value"`   // a fact that has a form: of what is read wrongly most has none
	Name    Sure `json:"name"`    // names and places, which have no form that a misreading would break
	Word    Sure `json:"word"`    // words of which a list says what they mean: nationalities, sexes
	Against Sure `json:"against"` // what contradicts the machine-readable zone
}

// Measured are the limits of a Page that sets none.
//
// Of 180 facts on 36 generated driving licences, where no second source says the same, the least sure character at .4 gives
// 143 exact and 16 wrong, at .6 140 and 9, at .8 136 and 6, at .95 122 and 3: what is left above .8 are letters that were read
// without their diacritics and as surely as any. `bonafide bench facts --generate N --seed S --kinds …` ends with that curve
// (seeds 810001 as scans, 820001 from a phone).
//
// `bonafide bench facts --forged` measures what speaks against the zone: on scans of seeds 42001 and 43001 the same 10 of 16
// forgeries were seen from .3 to .9, and 9 at .95; of 16 genuine pages none was spoken against anywhere. A letter that was left
// out or doubled is never seen (4 of the 6 others): it may be the reader's own doing.
func Measured() Limits {
	return Limits{
		Value:   Sure{0.88, 0.65},
		Name:    Sure{0.90, 0.65},
		Word:    Sure{0.60, 0.20},
		Against: Sure{0.97, 0.90},
	}
}

// of is the limit for a value.
func (l Limits) of(v value) Sure {
	switch v.fact {
	case surname, givenNames, secondSurname, placeOfBirth, authority, address:
		return l.Name
	case nationality, sex:
		if v.listed {
			return l.Word
		}
	}
	return l.Value
}
