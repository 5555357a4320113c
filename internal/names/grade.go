package names

import "slices"

// NameGrade is how two names agree.
type NameGrade string

// Grades of names, the best first.
const (
	NameExact   NameGrade = "exact"      // the same words in any order
	NameVariant NameGrade = "variant"    // the same words in another script or spelling of the same sound
	NameFuzzy   NameGrade = "fuzzy"      // letters differ, every word has its counterpart
	NamePartial NameGrade = "partial"    // words are missing on one side
	NameWeak    NameGrade = "weak_alias" // the list itself calls the name weak, and it is exactly that name
	NameOther   NameGrade = "other"      // another name
)

// Band is what follows from the grades of name and facts.
type Band string

// Bands, the gravest first.
const (
	BandStrong   Band = "strong"
	BandPossible Band = "possible"
	BandDistant  Band = "distant" // kept in the record, no alarm
	BandNone     Band = "none"
)

// Rank orders the bands: 3 for strong to 0 for none.
func (b Band) Rank() int {
	switch b {
	case BandStrong:
		return 3
	case BandPossible:
		return 2
	case BandDistant:
		return 1
	}
	return 0
}

// Limits of grades. Their error rates are in bench/results/screening-names.json.
const (
	Threshold    = 0.68 // Comparison.Score from which two names are one name
	variantScore = 0.90

	// containedScore is the score from which a name is shown, and never an alarm by itself, if all its words are in a longer one.
	containedScore = 0.5

	// transcribedScore is the likeness of one word in two scripts, letter by letter.
	transcribedScore = 0.97

	// Rarity that a name needs to alarm without another fact: one with a missing or misspelt word, the more the lower its score,
	// and one that agrees in its consonants.
	fullBits      = 19.0
	scoreBits     = 10.0
	consonantBits = 12.0
)

// Shown reports whether a name is worth showing: it is the other one, or all its words are in the other one.
func (c Comparison) Shown() bool { return c.Score >= Threshold || c.contained() }

// contained reports whether every word that is searched for has a counterpart, but too many of the listed name have none.
func (c Comparison) contained() bool {
	return c.Score >= containedScore && c.Score < Threshold && !slices.ContainsFunc(c.Parts, func(p Part) bool {
		return (p.Means == OnlySearched || p.Means == Contradicting) && p.Bits > particleBits
	})
}

// Grade returns how the names agree.
func (c Comparison) Grade(weak bool) NameGrade {
	missing, worst, words := 0, 1.0, 0
	for _, p := range c.Parts {
		switch p.Means {
		case OnlySearched, OnlyListed, Contradicting:
			if p.Bits > particleBits {
				missing++
			}
			continue
		}
		if p.Bits > particleBits {
			like := p.Likeness
			if p.Means == Consonants { // 0.95 at best
				like += 0.04
			}
			worst, words = min(worst, like), words+1
		}
	}
	switch {
	case !c.Shown() || words == 0:
		return NameOther
	case weak && missing == 0 && worst >= transcribedScore:
		return NameWeak
	case weak:
		return NameOther
	case missing > 0:
		return NamePartial
	case worst == 1:
		return NameExact
	case worst >= variantScore:
		return NameVariant
	}
	return NameFuzzy
}

// onlyConsonants reports whether words agree though one is written without vowels.
func (c Comparison) onlyConsonants() bool {
	return slices.ContainsFunc(c.Parts, func(p Part) bool { return p.Means == Consonants })
}

// Fact is how one fact beside the name agrees.
type Fact string

// Facts agree, differ or are not known on one side.
const (
	Agrees  Fact = "agrees"
	Differs Fact = "differs"
	Unknown Fact = "unknown"
)

// Evidence of the other facts, in bits. A fact that is not known says nothing.
const (
	bitsSexDiffers    = -5.5
	bitsNationality   = 3.0
	bitsNoNationality = -1.0
	bitsNumber        = 40.0
)

// Facts are what beside the name agrees.
type Facts struct {
	Birth       BirthGrade `json:"birth"`
	BirthBits   float64    `json:"birth_bits"`
	Sex         Fact       `json:"sex"`
	Nationality Fact       `json:"nationality"`
	Number      Fact       `json:"document_number"`
}

// Bits is what the facts say together.
func (f Facts) Bits() float64 {
	sum := f.BirthBits
	if f.Sex == Differs {
		sum += bitsSexDiffers
	}
	switch f.Nationality {
	case Agrees:
		sum += bitsNationality
	case Differs:
		sum += bitsNoNationality
	}
	if f.Number == Agrees {
		sum += bitsNumber
	}
	return sum
}

// Assess returns the band of a comparison: strong where a full name and the date of birth agree, or the number of a document;
// possible where a name agrees that is rare enough, and no fact speaks against it; distant where the name agrees and the date of
// birth is another, where a name that misses words is too common or only a part of a longer one, or where sex and nationality speak
// against a name that is only alike.
func Assess(c Comparison, grade NameGrade, f Facts) Band {
	switch {
	case f.Number == Agrees:
		return BandStrong
	case grade == NameOther:
		return BandNone
	case f.Birth == BirthConflict || c.Score < Threshold:
		return BandDistant
	case grade == NameWeak:
		if f.Birth == BirthSame || f.Birth == BirthClose || f.Nationality == Agrees && f.Birth == BirthUnknown {
			return BandPossible
		}
		return BandDistant
	case grade == NameExact || grade == NameVariant && (!c.onlyConsonants() || c.Bits >= consonantBits):
		if f.Sex == Differs && f.Nationality == Differs {
			return BandDistant
		}
		if f.Birth == BirthSame {
			return BandStrong
		}
		return BandPossible
	}
	return assessAlike(c, f)
}

// assessAlike is for names that miss words or letters, or where one has no vowels.
func assessAlike(c Comparison, f Facts) Band {
	needed := fullBits + scoreBits*(1-c.Score)
	if f.Sex != Differs && c.Bits+f.Bits() >= needed {
		return BandPossible
	}
	return BandDistant
}
