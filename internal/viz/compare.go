package viz

import (
	"math"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// Verdict is what a page says about a fact of the machine-readable zone.
type Verdict int

// The verdicts.
const (
	Silent    Verdict = iota // nothing
	Agrees                   // it states the same
	Disagrees                // it states it, surely, and differently
)

// Answer is the verdict on one fact.
type Answer struct {
	Fact    idv.ClaimName
	Verdict Verdict
	Claim   idv.Claim // what the page states; the zero claim for Silent
	Filled  bool      // the claim is spelled as in the zone: print that agrees with it was not read surely enough to spell it
}

// When a printed text may contradict the zone.
const (
	// Pixels: lower print, whose capitals are some eight pixels high, is misread with the same confidence.
	contradictHeight = 16.0
)

// comparedFacts are those of the zone that pages print for people, the most telling first.
var comparedFacts = []idv.ClaimName{documentNumber, surname, givenNames, dateOfBirth, dateOfExpiry}

// Compare looks for the zone's facts on a page that was read: first where their labels say, then anywhere, for a fact is
// on the page wherever it stands. Names are compared by the set of allowed transliterations; cutAt is the length of the
// zone's name field where the name fills it, else 0. The answers come with those of the page's own claims that the zone
// does not speak against: what differs and was not surely read is no claim.
func Compare(p Page, read Reading, zone []idv.Claim, cutAt int) ([]Answer, []idv.Claim) {
	c := comparer{reader: newReader(p), zone: map[idv.ClaimName]string{}, read: map[idv.ClaimName]idv.Claim{}, cut: cutAt}
	left := mostNames
	c.names = &left
	for _, z := range zone {
		c.zone[z.Name] = z.Value
	}
	for _, r := range read.Claims {
		c.read[r.Name] = r
	}
	c.reader.issuer, c.reader.kind, c.reader.numbers = read.Issuer, read.Kind, read.Numbered
	c.reader.dates = c.reader.contextOf()
	var answers []Answer
	for _, name := range comparedFacts {
		if want := c.zone[name]; want != "" {
			answers = append(answers, c.answer(name, want))
		}
	}
	return answers, append(c.rest(read.Claims), c.alone(read.Claims)...)
}

type comparer struct {
	reader *reader
	zone   map[idv.ClaimName]string
	read   map[idv.ClaimName]idv.Claim
	cut    int
	names  *int // comparisons of names that are left
}

// mostNames bounds the runs of words of one page that are compared with a name: pages of documents have some hundred, one
// that was made to cost time has thousands. What lies beyond was not looked at, and proves nothing.
const mostNames = 1500

// rest are the page's claims about what Compare gives no answer to.
func (c comparer) rest(claims []idv.Claim) []idv.Claim {
	var out []idv.Claim
	for _, r := range claims {
		z, stated := c.zone[r.Name], c.zone[r.Name] != ""
		switch {
		case stated && slices.Contains(comparedFacts, r.Name):
		case stated && r.Name == personalNumber && Alphanumerics(r.Value) != Alphanumerics(z): // the zone's field is the issuer's own
		case stated && (r.Name == sex || r.Name == nationality || r.Name == issuer) && !icao.SameState(r.Value, z) && r.Confidence < c.reader.page.Limits.Against.Mean:
		default:
			out = append(out, r)
		}
	}
	return out
}

// answer judges one fact.
func (c comparer) answer(name idv.ClaimName, want string) Answer {
	own, labelled := c.read[name]
	if labelled && c.same(name, own.Value, want) {
		var filled bool
		own.Value, filled = spelling(name, own.Value, want, true)
		return Answer{name, Agrees, own, filled}
	}
	found, filled, ok := c.search(name, want)
	// What stands surely beside the label counts before what is found elsewhere: a name that was changed may still stand
	// in a signature, a date of birth's old value may be the day of issue. On one row both belong to the label: 10.03.09-05.09.2013.
	if labelled && c.contradicts(name, own, want) && !(ok && onOneRow(*found.Box, own.Box)) {
		return Answer{name, Disagrees, own, false}
	}
	if ok {
		return Answer{name, Agrees, found, filled}
	}
	if against, ok := c.nearly(name, want); ok {
		return Answer{name, Disagrees, against, false}
	}
	return Answer{Fact: name}
}

// onOneRow reports whether two boxes of a page stand side by side.
func onOneRow(a idv.Box, b *idv.Box) bool {
	return b != nil && math.Abs(a.Y+a.Height/2-b.Y-b.Height/2) < onRow*math.Max(a.Height, b.Height)
}

// same reports whether a printed value states what the zone does.
func (c comparer) same(name idv.ClaimName, printed, want string) bool {
	switch name {
	case surname:
		return c.sameName(printed, want)
	case givenNames:
		return c.sameName(printed, want) || c.beginsCut(printed, want)
	case documentNumber:
		return sameNumber(printed, want)
	}
	return sameButCentury(printed, want)
}

// sameButCentury: the zone's years have two digits, so that its century is inferred where the page's is printed.
func sameButCentury(a, b string) bool {
	return len(a) == len(b) && len(a) > 2 && a[2:] == b[2:]
}

// beginsCut: of given names that the zone had room for one letter of (ICAO 9303-3 §4.6), what stands beside their label begins with it.
func (c comparer) beginsCut(printed, want string) bool {
	return c.cut > 0 && len(want) == 1 && strings.HasPrefix(letters(printed), want)
}

func (c comparer) sameName(printed, want string) bool {
	return icao.SameNameBare(printed, want, 0) || c.cut > 0 && icao.SameNameBare(printed, want, c.cut) || letters(printed) != "" && letters(printed) == letters(want)
}

// nearly finds a text that is the fact but for a letter or two, and was surely read: it is about the same fact.
func (c comparer) nearly(name idv.ClaimName, want string) (idv.Claim, bool) {
	if name != surname && name != givenNames && name != documentNumber {
		return idv.Claim{}, false
	}
	for line := range c.reader.page.Lines {
		words := c.reader.words(line)
		for n := 1; n <= min(4, len(words)); n++ {
			for i := 0; i+n <= len(words); i++ {
				from, to := words[i].from, words[i+n-1].to
				text := c.reader.textOf(line, words[i:i+n])
				if name == documentNumber && !nearNumber(text, want) || name != documentNumber && !nearName(text, want) {
					continue
				}
				mean, least := c.reader.sureOf(line, from, to)
				if against := c.claim(name, strings.TrimSpace(text), line, from, to); c.reader.page.Limits.Against.holds(mean, least) && c.large(against) {
					return against, true
				}
			}
		}
	}
	return idv.Claim{}, false
}

// large reports whether a claim's print is large enough to speak against the zone.
func (c comparer) large(claim idv.Claim) bool {
	return claim.Box != nil && claim.Box.Height*float64(c.reader.page.Height) >= contradictHeight
}

// contradicts reports whether a value that differs altogether, but stands beside the fact's label, speaks against the zone.
func (c comparer) contradicts(name idv.ClaimName, own idv.Claim, want string) bool {
	if own.Confidence < c.reader.page.Limits.Against.Mean || !c.large(own) {
		return false
	}
	switch name {
	case surname, givenNames:
		// Labels may have been mixed up, or both names stand in one field.
		all := c.zone[surname] + " " + c.zone[givenNames]
		other := c.zone[map[idv.ClaimName]idv.ClaimName{surname: givenNames, givenNames: surname}[name]]
		if almostLabel(letters(own.Value)) {
			return false
		}
		return len(letters(own.Value)) > shortName && len(letters(want)) > shortName && c.cut == 0 && !strings.Contains(letters(own.Value), letters(want)) && !beginsInPart(own.Value, want) && !c.sameName(own.Value, all) && !c.sameName(own.Value, other) &&
			len(icao.Transliterations(own.Value)) > 0
	case documentNumber:
		return false // cards have several numbers
	}
	other := c.zone[map[idv.ClaimName]idv.ClaimName{dateOfBirth: dateOfExpiry, dateOfExpiry: dateOfBirth}[name]]
	return !strings.Contains(own.Value+want, "X") && !sameButCentury(own.Value, other) // labels may have been mixed up
}

// nearName reports whether the printed text is the name but for one or two letters.
func nearName(printed, name string) bool {
	a, b := letters(printed), letters(name)
	if roughly.Replace(a) == roughly.Replace(b) || readInPart(printed, name) {
		return false
	}
	return len(b) >= 4 && Distance(a, b, 1) <= 1 || len(b) >= 8 && Distance(a, b, 2) <= 2
}

// readInPart reports whether a text is the name with letters left out or answered twice: letters with diacritics that the
// reader does not know are, and no confidence tells, for there is no character to be unsure of.
func readInPart(printed, name string) bool {
	a, b := letters(printed), letters(name)
	if 3*len(a) < 2*len(b) {
		return false
	}
	once := func(s string) []byte { return slices.Compact([]byte(s)) }
	rest := once(a)
	for _, c := range once(b) {
		if len(rest) > 0 && rest[0] == c {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
}

// almostLabel reports whether a text was a long label before some of its letters were misread: a quarter at most.
func almostLabel(text string) bool {
	return slices.ContainsFunc(lexicons()[0], func(l label) bool {
		most := len(l.text) / 4
		return len(l.text) >= longLabel && Distance(text, l.text, most) <= most
	})
}

// beginsInPart is readInPart of the first words of a name, of which the others were not read.
func beginsInPart(printed, name string) bool {
	words := strings.Fields(name)
	for n := 1; n <= len(words); n++ {
		if readInPart(printed, strings.Join(words[:n], " ")) {
			return true
		}
	}
	return false
}

// sameNumber ignores separators, and letters that print like digits.
func sameNumber(a, b string) bool {
	return shapes(Alphanumerics(a)) == shapes(Alphanumerics(b))
}

// statesNumber looks for the number in the text, whatever separators it is printed with.
func statesNumber(text, number string) bool {
	all, number := Alphanumerics(text), Alphanumerics(number)
	return strings.Contains(shapes(all), shapes(number)) || inParts(all, number)
}

// inParts: series and number are often printed apart, each after its label (SERIA HD NR 198025).
func inParts(text, number string) bool {
	series := strings.TrimRight(number, "0123456789")
	digits := number[len(series):]
	if len(series) < 2 || len(digits) < 5 {
		return false
	}
	at, rest := strings.Index(text, digits), strings.Index(text, series)
	return at >= 0 && rest >= 0 && rest < at
}

// nearNumber reports whether a text is a number that differs from the wanted one in one or two places.
func nearNumber(text, number string) bool {
	t, number := Alphanumerics(text), Alphanumerics(number)
	if len(t) != len(number) || len(t) < numberLeast {
		return false
	}
	differ, kinds := 0, 0
	a, b := shapes(t), shapes(number)
	for i := range len(a) {
		if a[i] != b[i] {
			differ++
		}
		if (t[i] <= '9') != (number[i] <= '9') {
			kinds++
		}
	}
	return differ > 0 && differ <= 2 && kinds <= 1
}

// Prints reports whether a page prints a fact anywhere, whatever stands beside it: a name as words of their own, a number from five
// signs on, a day in any way of writing it. Nothing proves that it is printed as that fact.
func Prints(p Page, name idv.ClaimName, value string) bool {
	switch name {
	case surname, givenNames, documentNumber, dateOfBirth, dateOfExpiry, dateOfIssue:
	default:
		return false
	}
	left := mostNames
	c := comparer{reader: newReader(p), zone: map[idv.ClaimName]string{name: value}, names: &left}
	c.reader.dates = c.reader.contextOf()
	_, _, ok := c.search(name, value)
	return ok
}
