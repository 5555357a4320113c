package relaid

import (
	"math/rand/v2"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

// Texts draws texts with their senses, as pages print them and a recogniser sees them: one of Senses each.
func Texts(h Half, n int, seed uint64) (texts []string, senses []int) {
	w := vocabularyOf(h)
	rng := newRand(seed, n)
	for len(texts) < n {
		text, sense := w.text(rng)
		if text = smudged(rng, text); joint.Alphanumerics(text) != "" {
			texts, senses = append(texts, text), append(senses, sense)
		}
	}
	return texts, senses
}

// text is one text with its sense.
func (w vocabulary) text(rng *rand.Rand) (string, int) {
	c := content{kind: pick(rng, idv.Passport, idv.IDCard, idv.DrivingLicence, idv.ResidencePermit, idv.Visa), state: pick(rng, w.states...)}
	p := personOf(rng, c.state)
	t := setter{words: w, rng: rng, style: w.styleOf(rng, c), state: c.state, kind: c.kind}
	t.style.lose, t.style.invented = 0, false
	if chance(rng, .5) {
		t.words.labels = w.names
	}
	if chance(rng, .5) {
		return w.labelText(rng, &t)
	}
	if chance(rng, .6) {
		p.state = w.withCommon(p.state)
	}
	switch family := p.cased(pick(rng, p.state.families...)); rng.IntN(9) {
	case 0:
		return family, joint.FamilyNames
	case 1:
		return p.cased(p.given(rng)), joint.GivenNames
	case 2:
		both := []string{family, p.cased(p.given(rng))}
		rng.Shuffle(2, func(i, j int) { both[i], both[j] = both[j], both[i] })
		return strings.Join(both, pick(rng, " ", " ", ", ")), joint.BothNames
	case 3:
		return p.cased(pick(rng, p.state.towns...)), joint.Place
	case 4:
		return p.cased(pick(rng, p.state.offices...)), joint.Office
	case 5:
		return p.cased(pick(rng, p.address(rng), pick(rng, p.state.streets...)+" "+itoa(1+rng.IntN(90)))), joint.Residence
	case 6:
		return pick(rng, pick(rng, p.state.peoples...), pick(rng, p.state.names...)), joint.Nation
	case 7:
		return t.titleOf(c), joint.Title
	}
	if chance(rng, .5) {
		return pick(rng, legal...), joint.Remark
	}
	return t.other(content{state: c.state, dates: dateFormOf(rng)}).text, joint.Remark
}

// withCommon is a state whose people, towns and offices are common ones of anywhere.
func (w vocabulary) withCommon(s state) state {
	s.families, s.men, s.women, s.towns, s.offices = w.common["family"], w.common["given"], w.common["given"], w.common["place"], w.common["office"]
	return s
}

// labelText is a label in the page's languages, or one of its words.
func (w vocabulary) labelText(rng *rand.Rand, t *setter) (string, int) {
	sense := rng.IntN(len(joint.FactNames) + 2)
	key := pick(rng, "height", "eye_colour", "type", "categories", "signature", "other")
	if sense < len(joint.FactNames) {
		key = string(joint.FactNames[sense])
	}
	text := strings.Join(t.labelOf(key, rng.IntN(12)), " ")
	if words := strings.Fields(text); len(words) > 2 && chance(rng, .25) {
		from := rng.IntN(len(words) - 1)
		text = strings.Join(words[from:from+2+rng.IntN(len(words)-from-1)], " ")
	}
	return text, min(sense, joint.OtherLabel)
}

// smudged is a text with a few letters read for others.
func smudged(rng *rand.Rand, text string) string {
	share := pick(rng, 0, 0, .02, .06)
	return strings.Map(func(r rune) rune {
		switch others := alike[r]; {
		case !chance(rng, share):
			return r
		case others != "":
			return pick(rng, []rune(others)...)
		case chance(rng, .3):
			return -1
		}
		return r
	}, text)
}
