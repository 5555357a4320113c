package reading

import (
	"slices"
	"strings"
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
func meaningOf(c concept) meaning {
	var m meaning
	any := func(some concept) bool { return c&some != 0 }
	switch {
	case any(cSex):
		m.fits[fSex] = 1
	case any(cBirth):
		m = ofBirth(c)
	case any(cNation) && !any(cNumber):
		m.fits[fNationality] = 1
	case any(cExpiry):
		m = ofValidity(c)
	case any(cIssue):
		m = ofIssue(c)
	case any(cSurname), any(cGiven), any(cName):
		m = ofName(c)
	case any(cAuthority):
		m.fits[fAuthority] = 1
	case any(cOther):
		m.other = 1
	case any(cPersonal | cNumber):
		m = ofNumber(c)
	case any(cAddress) && !any(cDocument):
		m.fits[fAddress] = 1
	case any(cState), any(cCode):
		m.fits[fIssuer] = .8
	case any(cDate):
		m.fits[fBirth], m.fits[fIssue], m.fits[fExpiry] = .2, .4, .4
	case any(cPlace):
		m.fits[fBirthplace], m.other = .5, .5
	}
	return m
}

// meaningOfRun is what a label means, all its words together; where a comma or a stroke parts it into the labels of different facts,
// what each of them means: "nationality, sex".
func meaningOfRun(words []word, c concept) meaning {
	whole := meaningOf(c)
	var parts []concept
	for i, w := range words {
		if i == 0 || strings.ContainsAny(w.before, ",/") {
			parts = append(parts, 0)
		}
		parts[len(parts)-1] |= w.concept &^ cLink
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

func ofBirth(c concept) meaning {
	var m meaning
	has := func(all concept) bool { return c&all == all }
	any := func(some concept) bool { return c&some != 0 }
	switch {
	case has(cName) && !any(cDate|cPlace|cNumber), has(cSurname) && !any(cDate|cPlace):
		m.fits[fSurname], m.other = .5, .6
	case has(cNumber), has(cPersonal) && !any(cDate|cPlace):
		m.fits[fPersonal] = 1
	case has(cPlace):
		m.fits[fBirthplace] = 1
		if any(cDate) {
			m.fits[fBirth] = 1
		}
	case any(cDate):
		m.fits[fBirth] = 1
	default:
		m.fits[fBirth], m.fits[fBirthplace] = .9, .4
	}
	return m
}

func ofValidity(c concept) meaning {
	var m meaning
	switch {
	case c&cFrom != 0 && c&cUntil == 0:
		m.fits[fIssue] = 1
	case c&cFrom != 0:
		m.fits[fIssue], m.fits[fExpiry] = .7, .7
	case c&cIssue != 0:
		m.fits[fIssue], m.fits[fExpiry] = .5, .5
	default:
		m.fits[fExpiry] = 1
	}
	return m
}

func ofIssue(c concept) meaning {
	var m meaning
	switch {
	case c&cAuthority != 0:
		m.fits[fAuthority] = 1
		if c&cDate != 0 {
			m.fits[fIssue] = .5
		}
	case c&cState != 0:
		m.fits[fIssuer] = 1
	case c&cPlace != 0 && c&cDate == 0:
		m.fits[fAuthority], m.other = .3, .7
	case c&cDate != 0:
		m.fits[fIssue] = 1
	case c&cBy != 0:
		m.fits[fAuthority], m.fits[fIssue] = .9, .2
	default:
		m.fits[fIssue], m.fits[fAuthority] = .7, .4
	}
	return m
}

func ofName(c concept) meaning {
	var m meaning
	switch {
	case c&(cNumber|cSex) != 0 && c&(cSurname|cGiven) == 0:
		m.fits[fPersonal] = .5
	case c&cAuthority != 0:
		m.fits[fAuthority] = 1
	case c&cOther != 0:
		m.other = 1
	case c&cSurname != 0 && c&cGiven != 0:
		m.fits[fSurname], m.fits[fGiven] = .6, .6
	case c&cSurname != 0:
		m.fits[fSurname] = 1
	case c&cGiven != 0:
		m.fits[fGiven] = 1
	default:
		m.fits[fSurname], m.fits[fGiven] = .6, .3
	}
	return m
}

func ofNumber(c concept) meaning {
	var m meaning
	switch {
	case c&cPersonal != 0 && c&cDocument == 0:
		m.fits[fPersonal] = 1
	case c&cDocument != 0:
		m.fits[fNumber] = 1
		if c&cPersonal != 0 {
			m.fits[fPersonal] = .3
		}
	default:
		m.fits[fNumber], m.fits[fPersonal] = .6, .3
	}
	return m
}
