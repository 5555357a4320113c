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
// Of 155 facts on 26 generated pages of every kind that bear no zone, where no second source says the same, the least sure
// character at .4 or .65 gives 150 exact and 3 wrong, at .8 149 and 2, at .9 145 and 1, at .95 141 and 1 (scans of seeds 71001 to
// 71030); from a phone 71 of 73 exact and none wrong from .5 to .7, 70 at .8 (seeds 73001 to 73015). What is left above .8 are
// letters whose mark is another's. `bonafide bench facts --generate N --seed S --camera scan` ends with that curve.
//
// `bonafide bench facts --forged` measures what speaks against the zone: on scans of seeds 42001 and 43001 the same 10 of 16
// forgeries were seen from .3 to .9, and 9 at .95; of 16 genuine pages none was spoken against anywhere. A letter that was left
// out or doubled is never seen (4 of the 6 others): it may be the reader's own doing.
func Measured() Limits {
	return Limits{
		Value:   Sure{0.90, 0.70},
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
