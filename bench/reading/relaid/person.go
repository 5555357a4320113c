package relaid

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idnumber"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// person is one whom nobody documents.
type person struct {
	state                state
	woman, title         bool
	birth, issue, expiry time.Time
}

// personOf draws a person and the days of a document.
func personOf(rng *rand.Rand, s state) person {
	p := person{state: s, woman: chance(rng, .5), title: chance(rng, .3)}
	p.issue = today.AddDate(0, 0, -rng.IntN(14*365))
	p.birth = p.issue.AddDate(0, 0, -int(between(rng, 1, 80*365)))
	if chance(rng, .8) {
		p.birth = p.issue.AddDate(-17, 0, -rng.IntN(50*365))
	}
	p.expiry = p.issue.AddDate(pick(rng, 1, 2, 3, 4, 5, 5, 6, 8, 10, 10, 10, 15), 0, 0)
	switch n := rng.IntN(20); {
	case n < 10:
		p.expiry = p.expiry.AddDate(0, 0, -1)
	case n < 14: // the same day
	case n < 17:
		p.expiry = time.Date(p.expiry.Year(), p.birth.Month(), p.birth.Day(), 0, 0, 0, 0, time.UTC)
	default:
		p.expiry = p.expiry.AddDate(0, 0, rng.IntN(200))
	}
	return p
}

// value is what a fact states and how it is printed; empty: nothing.
func (p person) value(rng *rand.Rand, c content, name idv.ClaimName) [2]string {
	same := func(s string) [2]string { return [2]string{s, s} }
	switch name {
	case idv.FamilyName:
		return same(p.cased(pick(rng, p.state.families...)))
	case idv.GivenNames:
		return same(p.cased(p.given(rng)))
	case idv.DateOfBirth:
		return c.dates.value(p.birth, c.state)
	case idv.DateOfIssue:
		return c.dates.value(p.issue, c.state)
	case idv.DateOfExpiry:
		return c.dates.value(p.expiry, c.state)
	case idv.Sex:
		return p.sex(rng)
	case idv.Nationality:
		people := pick(rng, p.state.peoples...)
		if chance(rng, .2) {
			people += pick(rng, "/", " / ", " ") + p.state.code
		}
		return [2]string{p.state.code, people}
	case idv.Issuer:
		return same(p.state.code)
	case idv.PlaceOfBirth:
		return same(p.cased(p.birthplace(rng)))
	case idv.DocumentNumber:
		return numberOf(rng)
	case idv.PersonalNumber:
		return p.personal(rng)
	case idv.Authority:
		return same(p.cased(p.office(rng)))
	case idv.Address:
		return same(p.cased(p.address(rng)))
	}
	return [2]string{}
}

func (p person) given(rng *rand.Rand) string {
	all := p.state.men
	if p.woman {
		all = p.state.women
	}
	name := pick(rng, all...)
	if scriptOf(name) == unicode.Cyrillic && !strings.Contains(name, " ") && chance(rng, .5) {
		return name + " " + p.patronymic(rng)
	}
	if second := pick(rng, all...); chance(rng, .3) && second != name {
		name += " " + second
	}
	return name
}

// patronymic is the name of somebody's father as documents in Cyrillic print it behind the given name.
func (p person) patronymic(rng *rand.Rand) string {
	father := strings.TrimRight(pick(rng, p.state.men...), "аеийоуьяъєії")
	if p.woman {
		return father + pick(rng, "овна", "евна", "івна")
	}
	return father + pick(rng, "ович", "евич", "івич")
}

// behind is the patronymic that a page in Cyrillic prints behind given names, under a label of its own, where they have none.
func (p person) behind(rng *rand.Rand, f field) []field {
	if f.key != string(idv.GivenNames) || scriptOf(f.text) != unicode.Cyrillic || strings.Contains(f.text, " ") || chance(rng, .4) {
		return nil
	}
	return []field{{key: "patronymic", text: p.cased(p.patronymic(rng))}}
}

// cased is a text as the page writes names: in capitals or not.
func (p person) cased(s string) string {
	if p.title {
		return s
	}
	return strings.ReplaceAll(strings.ToUpper(s), "ß", "SS")
}

// office is who issued a document: an office by its name, by its town, by its town and a number, or by a number alone.
func (p person) office(rng *rand.Rand) string {
	switch n := rng.IntN(20); {
	case n < 4:
		return pick(rng, p.state.towns...)
	case n < 6:
		return pick(rng, p.state.towns...) + " " + figures(rng, pick(rng, "9", "99", "99", "999"))
	case n < 8:
		return figures(rng, pick(rng, "9999", "9999", "99999", "A9999", "999", "99-999"))
	case n < 9:
		return pick(rng, p.state.offices...) + " " + figures(rng, pick(rng, "9", "99"))
	}
	return pick(rng, p.state.offices...)
}

// easternSexes is how pages in Cyrillic and Greek print the sexes, M then F.
var easternSexes = map[string][2][]string{
	"ru": {{"МУЖ.", "М", "МУЖ", "Мужской"}, {"ЖЕН.", "Ж", "ЖЕН", "Женский"}}, "uk": {{"Ч/M", "Ч", "ЧОЛ/M"}, {"Ж/F", "Ж", "ЖІН/F"}}, "be": {{"М", "M"}, {"Ж", "F"}},
	"bg": {{"М/M", "М"}, {"Ж/F", "Ж"}}, "sr": {{"М", "M"}, {"Ж", "F"}}, "mk": {{"М/M", "М"}, {"Ж/F", "Ж"}}, "kk": {{"ЕР", "МУЖ/M"}, {"ӘЙЕЛ", "ЖЕН/F"}},
	"el": {{"M", "ΑΡΡΕΝ"}, {"F", "ΘΗΛΥ"}},
}

func (p person) sex(rng *rand.Rand) [2]string {
	if words, ok := easternSexes[p.state.languages[0]]; ok && chance(rng, .7) {
		if p.woman {
			return [2]string{"F", pick(rng, words[1]...)}
		}
		return [2]string{"M", pick(rng, words[0]...)}
	}
	two, ok := twoSexes[p.state.languages[0]]
	ok = ok && chance(rng, .5)
	switch {
	case ok && p.woman:
		return [2]string{"F", two[0]}
	case ok:
		return [2]string{"M", two[1]}
	case p.woman:
		return [2]string{"F", pick(rng, "F", "F", "F", "FEMALE", "F/F", "W")}
	}
	return [2]string{"M", pick(rng, "M", "M", "M", "MALE", "M/M")}
}

func (p person) address(rng *rand.Rand) string {
	if chance(rng, .45) {
		return p.home(rng)
	}
	street, n, town := pick(rng, p.state.streets...), 1+rng.IntN(180), pick(rng, p.state.towns...)
	code := figures(rng, pick(rng, "99999", "9999", "99-999", "999 99", "99999"))
	switch p.state.code {
	case "USA", "CAN", "GBR", "AUS", "IRL", "FRA", "IND", "ZAF":
		return fmt.Sprintf("%d %s, %s", n, street, pick(rng, code+" "+town, town+" "+code))
	}
	return fmt.Sprintf("%s %d, %s", street, n, pick(rng, code+" "+town, code+" "+town, town))
}

// numberForms are forms of numbers: 9 a figure, A a letter, X either.
var numberForms = []string{
	"AA999999", "A9999999", "AA9999999", "999999999", "99999999", "XXXXXXXXX", "A99999999", "AAA999999", "9999999A", "AA 999999", "99AA99999", "A999-9999-9999",
	"999 999 999", "999999999999", "A 999 999", "AAAAA999999AA9AA", "99/99/999999", "99.999.999", "AA-999-9999", "999-999-999-9",
}

func numberOf(rng *rand.Rand) [2]string {
	form := pick(rng, numberForms...)
	if chance(rng, .3) {
		form = groupedForm(rng)
	}
	printed := figures(rng, form)
	if n := strings.Count(strings.Map(digits, printed), "") - 1; n < 3 || len(lexicon.Alphanumerics(printed)) < 5 || n > 18 {
		printed = figures(rng, "A9999999")
	}
	return [2]string{lexicon.Alphanumerics(printed), printed}
}

// groupedForm is a form of one to five groups of figures, with letters before them or none: states group their numbers as they like.
func groupedForm(rng *rand.Rand) string {
	sep := pick(rng, "-", "-", " ", " ", ".", "/", "")
	out := pick(rng, "", "", "A", "A", "AA", "AAA")
	if len(out) > 1 && chance(rng, .5) {
		out += sep
	}
	groups := 1 + rng.IntN(5)
	for i := range groups {
		if i > 0 {
			out += sep
		}
		out += "999999"[:min(6, 1+rng.IntN(5)+rng.IntN(2))]
	}
	if chance(rng, .1) {
		out += "A"
	}
	return out
}

func digits(r rune) rune {
	if r >= '0' && r <= '9' {
		return r
	}
	return -1
}

// figures fills a form.
func figures(rng *rand.Rand, form string) string {
	const letters = "ABCDEFGHJKLMNPRSTUVWXYZ"
	return strings.Map(func(r rune) rune {
		switch {
		case r == '9', r == 'X' && chance(rng, .6):
			return rune('0' + rng.IntN(10))
		case r == 'A', r == 'X':
			return rune(letters[rng.IntN(len(letters))])
		}
		return r
	}, form)
}

// personal is a number of a person: half of them have the day of birth in them, and some of these check themselves.
func (p person) personal(rng *rand.Rand) [2]string {
	day := p.birth.Format(pick(rng, "060102", "020106", "20060102"))
	form := pick(rng, "999999999", "9999999999", "99999999999", "999.999.999-99", "99 99 99 999", "A99999999", day+"-9999", day+"9999", day+"99999", day+"-999")
	if chance(rng, .35) {
		form = groupedForm(rng)
	}
	printed := ""
	for range 60 {
		printed = figures(rng, form)
		if !strings.HasPrefix(form, day) || checked(printed) {
			break
		}
	}
	if len(lexicon.Alphanumerics(printed)) < 6 {
		printed = figures(rng, "99.999.9999")
	}
	return [2]string{lexicon.Alphanumerics(printed), printed}
}

func checked(s string) bool {
	for _, n := range idnumber.Read(lexicon.Alphanumerics(s)) {
		if n.Checked {
			return true
		}
	}
	return false
}
