package reading

import (
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// meaning is how well a label fits each fact, 0–1. other is for what is no fact.
type meaning struct {
	fits  [facts]float64
	other float64
}

func (m meaning) times(s float64) meaning {
	for i := range m.fits {
		m.fits[i] *= s
	}
	m.other *= s
	return m
}

// meaningOf is what the concepts of a label mean together.
func meaningOf(c lexicon.Concept) meaning {
	var m meaning
	any := func(some lexicon.Concept) bool { return c&some != 0 }
	switch {
	case any(lexicon.Sex):
		m.fits[fSex] = 1
	case any(lexicon.Birth):
		m = ofBirth(c)
	case any(lexicon.Nation) && !any(lexicon.Number):
		m.fits[fNationality] = 1
	case any(lexicon.Expiry):
		m = ofValidity(c)
	case any(lexicon.Issue):
		m = ofIssue(c)
	case any(lexicon.Surname), any(lexicon.Given), any(lexicon.Name):
		m = ofName(c)
	case any(lexicon.Authority):
		m.fits[fAuthority] = 1
	case any(lexicon.Other):
		m.other = 1
	case any(lexicon.Personal | lexicon.Number):
		m = ofNumber(c)
	case any(lexicon.Address) && !any(lexicon.Document):
		m.fits[fAddress] = 1
	case any(lexicon.State), any(lexicon.Code):
		m.fits[fIssuer] = .8
	case any(lexicon.Date):
		m.fits[fBirth], m.fits[fIssue], m.fits[fExpiry] = .2, .4, .4
	case any(lexicon.Place):
		m.fits[fBirthplace], m.other = .5, .5
	}
	return m
}

// meaningOfRun is what a label means, all its words together; where a comma or a stroke parts it into the labels of different facts,
// what each of them means: "nationality, sex".
func meaningOfRun(words []word, c lexicon.Concept) meaning {
	whole := meaningOf(c)
	var parts []lexicon.Concept
	for i, w := range words {
		if i == 0 || strings.ContainsAny(w.before, ",/") {
			parts = append(parts, 0)
		}
		parts[len(parts)-1] |= w.concept &^ lexicon.Link
	}
	if len(parts) == 1 {
		return whole
	}
	var joint meaning
	var seen [facts]bool
	different := 0
	for _, part := range parts {
		m := meaningOf(part)
		best := slices.Index(m.fits[:], slices.Max(m.fits[:]))
		if m.fits[best] < .9 {
			return whole
		}
		if !seen[best] {
			seen[best], different = true, different+1
		}
		joint.fits[best] = 1
	}
	if different < 2 {
		return whole
	}
	return joint
}

func ofBirth(c lexicon.Concept) meaning {
	var m meaning
	has := func(all lexicon.Concept) bool { return c&all == all }
	any := func(some lexicon.Concept) bool { return c&some != 0 }
	switch {
	case has(lexicon.Name) && !any(lexicon.Date|lexicon.Place|lexicon.Number), has(lexicon.Surname) && !any(lexicon.Date|lexicon.Place):
		m.fits[fSurname], m.other = .5, .6
	case has(lexicon.Number), has(lexicon.Personal) && !any(lexicon.Date|lexicon.Place):
		m.fits[fPersonal] = 1
	case has(lexicon.Place):
		m.fits[fBirthplace] = 1
		if any(lexicon.Date) {
			m.fits[fBirth] = 1
		}
	case any(lexicon.Date):
		m.fits[fBirth] = 1
	default:
		m.fits[fBirth], m.fits[fBirthplace] = .9, .4
	}
	return m
}

func ofValidity(c lexicon.Concept) meaning {
	var m meaning
	switch {
	case c&lexicon.From != 0 && c&lexicon.Until == 0:
		m.fits[fIssue] = 1
	case c&lexicon.From != 0:
		m.fits[fIssue], m.fits[fExpiry] = .7, .7
	case c&lexicon.Issue != 0:
		m.fits[fIssue], m.fits[fExpiry] = .5, .5
	default:
		m.fits[fExpiry] = 1
	}
	return m
}

func ofIssue(c lexicon.Concept) meaning {
	var m meaning
	switch {
	case c&lexicon.Authority != 0:
		m.fits[fAuthority] = 1
		if c&lexicon.Date != 0 {
			m.fits[fIssue] = .5
		}
	case c&lexicon.State != 0:
		m.fits[fIssuer] = 1
	case c&lexicon.Place != 0 && c&lexicon.Date == 0:
		m.fits[fAuthority], m.other = .3, .7
	case c&lexicon.Date != 0:
		m.fits[fIssue] = 1
	case c&lexicon.By != 0:
		m.fits[fAuthority], m.fits[fIssue] = .9, .2
	default:
		m.fits[fIssue], m.fits[fAuthority] = .7, .4
	}
	return m
}

func ofName(c lexicon.Concept) meaning {
	var m meaning
	switch {
	case c&(lexicon.Number|lexicon.Sex) != 0 && c&(lexicon.Surname|lexicon.Given) == 0:
		m.fits[fPersonal] = .5
	case c&lexicon.Authority != 0:
		m.fits[fAuthority] = 1
	case c&lexicon.Other != 0:
		m.other = 1
	case c&lexicon.Surname != 0 && c&lexicon.Given != 0:
		m.fits[fSurname], m.fits[fGiven] = .6, .6
	case c&lexicon.Surname != 0:
		m.fits[fSurname] = 1
	case c&lexicon.Given != 0:
		m.fits[fGiven] = 1
	default:
		m.fits[fSurname], m.fits[fGiven] = .6, .3
	}
	return m
}

func ofNumber(c lexicon.Concept) meaning {
	var m meaning
	switch {
	case c&lexicon.Personal != 0 && c&lexicon.Document == 0:
		m.fits[fPersonal] = 1
	case c&lexicon.Document != 0:
		m.fits[fNumber] = 1
		if c&lexicon.Personal != 0 {
			m.fits[fPersonal] = .3
		}
	default:
		m.fits[fNumber], m.fits[fPersonal] = .6, .3
	}
	return m
}
