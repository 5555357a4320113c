package reading

import (
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/reading/calendar"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// sorted are features by name, in order.
func sorted(values map[string]float64) []Feature {
	var out []Feature
	for _, name := range slices.Sorted(maps.Keys(values)) {
		out = append(out, Feature{name, values[name]})
	}
	return out
}

// witnesses are what speaks for each state, by its code.
type witnesses map[string]map[string]float64

func (w witnesses) say(code, what string, much float64) {
	if w[code] == nil {
		w[code] = map[string]float64{}
	}
	w[code][what] = max(w[code][what], much)
}

// Issuers are the guesses at the state that issued the page, the first of them "not known".
func (p *Problem) Issuers() []Guess {
	w := witnesses{}
	for k := range p.rows {
		p.namesOfStates(w, k)
		p.postalCodes(w, k)
	}
	p.numbersOfStates(w)
	p.tonguesOfTitles(w)
	if p.Family == string(american) {
		for _, code := range []string{"USA", "CAN"} {
			printed := w[code]["code alone"] + w[code]["code apart"] + w[code]["code within"] + w[code]["region alone"]
			w.say(code, "american", 1)
			w.say(code, "american and named", min(1, printed))
		}
	}
	named := 0
	var out []Guess
	for _, code := range slices.Sorted(maps.Keys(w)) {
		for what := range w[code] {
			if strings.HasPrefix(what, "name") {
				named++
				break
			}
		}
		out = append(out, Guess{Value: code, Features: prefixed("issuer ", sorted(w[code]))})
	}
	none := Guess{Features: []Feature{{"issuer none", 1}}}
	if named > 0 {
		none.Features = append(none.Features, Feature{"issuer none though named", 1})
	}
	if named > 1 {
		none.Features = append(none.Features, Feature{"issuer none of several", 1})
	}
	return append([]Guess{none}, out...)
}

// orderOfStates returns the order of day and month that the states on the page use. A known issuer decides. Without one, the day comes first if the
// page names a state, and none that may put the month first. Otherwise the order is not told.
func (p *Problem) orderOfStates() calendar.Order {
	if p.page.Issuer != "" {
		return orderOfIssuer(p.page.Issuer)
	}
	all := p.Issuers()
	if issuer := surest(all); issuer != "" {
		return orderOfIssuer(issuer)
	}
	out := calendar.Told
	for _, g := range all {
		if !slices.ContainsFunc(g.Features, namesState) {
			continue
		}
		switch order := orderOfIssuer(g.Value); {
		case order == calendar.DayFirst:
			out = order
		case order == calendar.MonthFirst, g.Value == "CAN":
			return calendar.Told
		}
	}
	return out
}

// namesState reports whether a feature of an issuer says that its name, its people, its code or one of its regions is printed.
func namesState(f Feature) bool {
	what, _ := strings.CutPrefix(f.Name, "issuer ")
	what, _, _ = strings.Cut(what, " ")
	return slices.Contains([]string{"name", "people", "code", "region"}, what)
}

// longestStateName is how many words a state's name has at most, and longStateName the letters from which it is nothing else's.
const (
	longestStateName = 8
	longStateName    = 12
)

// namesOfStates finds names of states, of their regions and of their peoples, and their codes, in a row.
func (p *Problem) namesOfStates(w witnesses, k int) {
	r := p.rows[k]
	for i := range r.words {
		text := ""
		for j := i; j < min(i+longestStateName, len(r.words)); j++ {
			text += r.words[j].plain
			if len(text) < 2 {
				continue
			}
			how := p.setHow(r, i, j+1, len(text))
			code, named := lexicon.StateNames()[text]
			if named {
				w.say(code, "name"+how, 1)
				w.say(code, "name height", clamp(math.Log(r.h/p.usual), -1, 1)+1)
				w.say(code, "name up", 1-p.depth(k))
			}
			if code, ok := lexicon.Provinces()[text]; ok && len(text) > 3 {
				w.say(code, "region"+how, 1)
				w.say(code, "region up", 1-p.depth(k))
			}
			if code, ok := lexicon.PeopleNames()[text]; ok && !named && len(text) > 2 {
				w.say(code, "people"+how, 1)
			}
			if s, ok := icao.StateByCode(text); ok && i == j && len(r.words[i].text) == 3 && allCapitals(r.words[i].text) {
				w.say(s.Code, "code"+how, 1)
			}
		}
	}
}

// setHow says how a run of words is set in its row: alone, between signs, or among others, long or not.
func (p *Problem) setHow(r row, from, to, length int) string {
	const signs = "/|·•:–*-"
	apart := (from == 0 || strings.ContainsAny(r.words[from].before, signs)) &&
		(to == len(r.words) || strings.ContainsAny(r.words[to].before, signs))
	switch {
	case from == 0 && to == len(r.words):
		return " alone"
	case apart:
		return " apart"
	case length >= longStateName:
		return " long"
	}
	return " within"
}

// americanStates are the letters of the states before a postal code.
const americanStates = `A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]|W[AIVY]`

// postalForms are forms of postal codes that only one state has, with what must be beside them.
var postalForms = []struct {
	code string
	form *regexp.Regexp
}{
	{"USA", postalState},
	{"CAN", regexp.MustCompile(`\b[ABCEGHJ-NPRSTVXY]\d[A-Z] ?\d[A-Z]\d\b`)},
	{"GBR", regexp.MustCompile(`\b[A-Z]{1,2}\d[A-Z\d]? \d[ABD-HJLNP-UW-Z]{2}\b`)},
	{"NLD", regexp.MustCompile(`\b\d{4} [A-Z]{2}\b`)},
	{"LUX", regexp.MustCompile(`\bL-\d{4}\b`)},
	{"BRA", regexp.MustCompile(`\b\d{5}-\d{3}\b`)},
	{"POL", regexp.MustCompile(`\b\d{2}-\d{3} \p{L}{3}`)},
}

func (p *Problem) postalCodes(w witnesses, k int) {
	text := string(p.rows[k].runes)
	for _, f := range postalForms {
		if f.form.MatchString(text) {
			w.say(f.code, "postal code", 1)
		}
	}
}

// numbersOfStates finds numbers with check digits that few states give.
func (p *Problem) numbersOfStates(w witnesses) {
	for i := range p.all {
		for _, n := range p.all[i].number {
			if n.Checked && len(n.Issuers) == 1 {
				w.say(n.Issuers[0], "number", 1)
			}
		}
	}
}

// tonguesOfTitles finds the languages of the page's titles.
func (p *Problem) tonguesOfTitles(w witnesses) {
	for _, t := range titleStems() {
		states := lexicon.StatesOf(t.language)
		if len(states) == 0 {
			continue
		}
		for k := range p.rows {
			if !p.shows(k, t) {
				continue
			}
			for _, code := range states {
				w.say(code, "tongue", 1/float64(len(states)))
			}
			break
		}
	}
}

// ofTitle reports whether a word is of a title that has these stems, or what titles have beside them.
func ofTitle(plain string, stems []string) bool {
	if plain == "" || slices.Contains(besideTitles, plain) {
		return true
	}
	for _, s := range stems {
		if (titleStem{}).begins(s, plain) {
			return true
		}
	}
	_, state := lexicon.StateNames()[plain]
	return state
}
