package reading

import (
	"math"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/calendar"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
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

// Surely says how surely characters must have been read: on the mean and the least sure of them, 0–1.
type Surely struct {
	Mean  float64 `json:"mean"`
	Least float64 `json:"least"`
}

func (s Surely) holds(mean, least float64) bool { return mean >= s.Mean && least >= s.Least }

// AgainstZone is how surely a text must have been read to contradict the zone. On scans of 16 forgeries (seeds 42001 and 43001) the same 10
// were seen from .3 to .9 of the least sure character, and 9 at .95; of 16 genuine pages none was spoken against anywhere. A letter that was
// left out or doubled is never seen: it may be the reader's own doing (bonafide bench facts --forged).
func AgainstZone() Surely { return Surely{.97, .9} }

// contradictHeight is how many pixels high a text must be to contradict the zone. Lower print, whose capitals are some eight pixels high, is
// misread with the same confidence.
const contradictHeight = 16.0

// comparedFacts are those of the zone that pages print for people, the most telling first.
var comparedFacts = []idv.ClaimName{idv.DocumentNumber, idv.FamilyName, idv.GivenNames, idv.DateOfBirth, idv.DateOfExpiry}

// Compare looks for the zone's facts on a page that was read: first where the reading has them, then anywhere, for a fact is
// on the page wherever it is. Names are compared by the set of allowed transliterations; cutAt is the length of the
// zone's name field where the name fills it, else 0. The answers come with those of the page's own claims that the zone
// does not speak against: what differs and was not surely read is no claim.
func Compare(p Page, read Reading, zone []idv.Claim, cutAt int) ([]Answer, []idv.Claim) {
	return CompareWith(p, read, zone, cutAt, AgainstZone())
}

// CompareWith is Compare with another limit for what contradicts the zone.
func CompareWith(p Page, read Reading, zone []idv.Claim, cutAt int, against Surely) ([]Answer, []idv.Claim) {
	p.Issuer = read.Issuer
	c := comparerOf(p, cutAt)
	c.against = against
	for _, z := range zone {
		c.zone[z.Name] = z.Value
	}
	for _, r := range read.Claims {
		c.read[r.Name] = r
	}
	var answers []Answer
	for _, name := range comparedFacts {
		if want := c.zone[name]; want != "" {
			answers = append(answers, c.answer(name, want))
		}
	}
	return answers, append(besides(answers, c.rest(read.Claims)), c.agreeing(read.Likely)...)
}

// Prints reports whether a page prints a fact anywhere, whatever is beside it: a name as words of their own, a number from five
// signs on, a day in any way of writing it. Nothing proves that it is printed as that fact.
func Prints(p Page, name idv.ClaimName, value string) bool {
	switch name {
	case idv.FamilyName, idv.GivenNames, idv.DocumentNumber, idv.DateOfBirth, idv.DateOfExpiry, idv.DateOfIssue:
	default:
		return false
	}
	c := comparerOf(p, 0)
	c.zone[name] = value
	_, _, ok := c.search(name, value)
	return ok
}

// comparer holds a page against a zone.
type comparer struct {
	Problem
	order   calendar.Order // of day and month
	zone    map[idv.ClaimName]string
	read    map[idv.ClaimName]idv.Claim
	cut     int
	against Surely
	crowded bool // several words of the page begin with the letters that the zone left of a name
	names   *int // comparisons of names that are left
	texts   *int // comparisons with what nearly is a fact that are left
}

// mostNames bounds the runs of words of one page that are compared with a name, and mostTexts those that are held against what nearly is a
// fact: pages of documents have some hundred, one that was made to cost time has thousands. What is beyond was not looked at, and proves
// nothing.
const mostNames, mostTexts = 1500, 6000

func comparerOf(p Page, cutAt int) comparer {
	left, texts := mostNames, mostTexts
	c := comparer{Problem: Problem{page: p, rows: rowsOf(p)}, cut: cutAt, names: &left, texts: &texts}
	c.zone, c.read = map[idv.ClaimName]string{}, map[idv.ClaimName]idv.Claim{}
	var days []candidate
	for k, r := range c.rows {
		for _, d := range calendar.DaysIn(r.runes) {
			days = append(days, candidate{kind: aDay, value: d.String(), day: d, spans: []span{{k, d.From, d.To}}})
		}
	}
	if c.order = orderOf(days, nil); c.order == calendar.Told {
		c.order = orderOfIssuer(p.Issuer)
	}
	return c
}

// rest are the page's claims about what Compare gives no answer to.
func (c comparer) rest(claims []idv.Claim) []idv.Claim {
	var out []idv.Claim
	for _, r := range claims {
		z := c.zone[r.Name]
		switch {
		case z == "":
			out = append(out, r)
		case slices.Contains(comparedFacts, r.Name):
		case r.Name == idv.PersonalNumber && lexicon.Alphanumerics(r.Value) != lexicon.Alphanumerics(z): // the zone's field is the issuer's own
		case r.Name != idv.PersonalNumber && !icao.SameState(r.Value, z) && r.Confidence < c.against.Mean:
		default:
			out = append(out, r)
		}
	}
	return out
}

// besides drops offices and places that are printed where a fact of the zone is: no text states two facts.
func besides(answers []Answer, claims []idv.Claim) []idv.Claim {
	named := []idv.ClaimName{idv.Authority, idv.PlaceOfBirth, idv.Address}
	return slices.DeleteFunc(claims, func(r idv.Claim) bool {
		return slices.Contains(named, r.Name) && slices.ContainsFunc(answers, func(a Answer) bool {
			b := a.Claim.Box
			return a.Verdict == Agrees && b != nil && onOneRow(*b, r.Box) && min(b.X+b.Width, r.Box.X+r.Box.Width)-max(b.X, r.Box.X) > r.Box.Width/2
		})
	})
}

// agreeing are facts that the page likely states and the zone states, too, with a confidence below idv.SurelyRead: they were taken because they
// agree, and so confirm nothing. The sex is none of them, as one guess in two agrees. What comparedFacts has is looked for anywhere.
func (c comparer) agreeing(likely []idv.Claim) []idv.Claim {
	var out []idv.Claim
	for _, l := range likely {
		z := c.zone[l.Name]
		switch {
		case z == "":
		case (l.Name == idv.Nationality || l.Name == idv.Issuer) && icao.SameState(l.Value, z),
			l.Name == idv.PersonalNumber && lexicon.Alphanumerics(l.Value) == lexicon.Alphanumerics(z):
			l.Confidence = min(l.Confidence, idv.SurelyRead-.01)
			out = append(out, l)
		}
	}
	return out
}

// answer judges one fact.
func (c comparer) answer(name idv.ClaimName, want string) Answer {
	own, stated := c.read[name]
	if stated && c.same(name, own.Value, want) {
		var filled bool
		own.Value, filled = spelling(name, own.Value, want, true)
		return Answer{name, Agrees, own, filled}
	}
	found, filled, ok := c.search(name, want)
	// What the page surely states counts before what is found elsewhere: a name that was changed may still be in a signature, a date of
	// birth's old value may be the day of issue. On one row both may be of one label: 10.03.09-05.09.2013. States write names in other letters
	// by rules of their own, so that no name in Cyrillic or Greek speaks against the zone; one of letters that Latin has, too, may be no such name.
	latin, speaks := lexicon.AsLatin(own.Value)
	if stated && speaks && c.contradicts(name, withValue(own, latin), want) && !(ok && onOneRow(*found.Box, own.Box)) {
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

func withValue(c idv.Claim, value string) idv.Claim {
	c.Value = value
	return c
}

// sameRow is by how much of their height lines of one row differ in height on the page.
const sameRow = .5

// onOneRow reports whether two boxes of a page are side by side.
func onOneRow(a idv.Box, b *idv.Box) bool {
	return b != nil && math.Abs(a.Y+a.Height/2-b.Y-b.Height/2) < sameRow*math.Max(a.Height, b.Height)
}

// same reports whether a printed value states what the zone does.
func (c comparer) same(name idv.ClaimName, printed, want string) bool {
	switch name {
	case idv.FamilyName:
		return c.sameName(printed, want)
	case idv.GivenNames:
		return c.sameName(printed, want) || c.beginsCut(printed, want)
	case idv.DocumentNumber:
		return shapes(lexicon.Alphanumerics(printed)) == shapes(lexicon.Alphanumerics(want))
	}
	return sameButCentury(printed, want)
}

// sameButCentury: the zone's years have two digits, so that its century is inferred where the page's is printed.
func sameButCentury(a, b string) bool {
	return len(a) == len(b) && len(a) > 2 && a[2:] == b[2:]
}

// beginsCut: of given names that the zone had room for one letter of (ICAO 9303-3 §4.6), what the page states begins with it.
func (c comparer) beginsCut(printed, want string) bool {
	return c.cut > 0 && len(want) == 1 && strings.HasPrefix(lexicon.Letters(printed), want)
}

func (c comparer) sameName(printed, want string) bool {
	plain := lexicon.Letters(printed)
	return icao.SameNameBare(printed, want, 0) || c.cut > 0 && icao.SameNameBare(printed, want, c.cut) || plain != "" && plain == lexicon.Letters(want)
}

// nearLonger is by how many characters a text that nearly is a fact may be longer or shorter than it, separators and letters that the zone writes
// as two among them.
const nearLonger = 12

// nearly finds a text that is the fact but for a letter or two, and was surely read: it is about the same fact.
func (c comparer) nearly(name idv.ClaimName, want string) (idv.Claim, bool) {
	near := nearName
	switch name {
	case idv.FamilyName, idv.GivenNames:
	case idv.DocumentNumber:
		near = nearNumber
	default:
		return idv.Claim{}, false
	}
	for k, r := range c.rows {
		for n := 1; n <= min(4, len(r.words)); n++ {
			for i := 0; i+n <= len(r.words); i++ {
				s := span{k, r.words[i].from, r.words[i+n-1].to}
				if d := s.to - s.from - len(want); d > nearLonger || d < -nearLonger {
					continue
				}
				if *c.texts--; *c.texts < 0 {
					return idv.Claim{}, false
				}
				if text, ok := lexicon.AsLatin(c.textAt(s)); !ok || !near(text, want) {
					continue
				}
				mean, least := r.sure(s.from, s.to)
				against := c.found(name, strings.TrimSpace(c.textAt(s)), s)
				if c.against.holds(mean, least) && c.large(against) {
					return against, true
				}
			}
		}
	}
	return idv.Claim{}, false
}

// large reports whether a claim's print is large enough to speak against the zone.
func (c comparer) large(claim idv.Claim) bool {
	return claim.Box != nil && claim.Box.Height*float64(c.page.Height) >= contradictHeight
}

// contradicts reports whether a value that differs altogether, but is what the page states as the fact, speaks against the zone.
func (c comparer) contradicts(name idv.ClaimName, own idv.Claim, want string) bool {
	if own.Confidence < c.against.Mean || !c.large(own) {
		return false
	}
	switch name {
	case idv.FamilyName:
		return c.anotherName(own.Value, want, c.zone[idv.GivenNames])
	case idv.GivenNames:
		return c.anotherName(own.Value, want, c.zone[idv.FamilyName])
	case idv.DocumentNumber:
		return false // cards have several numbers
	case idv.DateOfBirth:
		return c.anotherDay(own.Value, want, c.zone[idv.DateOfExpiry])
	}
	return c.anotherDay(own.Value, want, c.zone[idv.DateOfBirth])
}

// anotherDay reports whether a printed day is neither the zone's nor its other one, nor the one from which a term of whole years ends at the
// zone's day of expiry: labels may have been mixed up.
func (c comparer) anotherDay(printed, want, other string) bool {
	if strings.Contains(printed+want, "X") || sameButCentury(printed, other) {
		return false
	}
	issue, err := time.Parse(time.DateOnly, printed)
	expiry, err2 := time.Parse(time.DateOnly, c.zone[idv.DateOfExpiry])
	return err != nil || err2 != nil || !calendar.Term(issue, expiry)
}

// anotherName reports whether a printed name is neither the zone's nor a part of it, nor its other name, nor a label: labels may have been
// mixed up, or both names are in one field.
func (c comparer) anotherName(printed, want, other string) bool {
	a, b := lexicon.Letters(printed), lexicon.Letters(want)
	switch {
	case c.cut > 0, len(a) <= shortName, len(b) <= shortName, len(icao.Transliterations(printed)) == 0:
		return false
	case strings.Contains(a, b), beginsInPart(printed, want), ofLabelWords(printed):
		return false
	}
	both := c.zone[idv.FamilyName] + " " + c.zone[idv.GivenNames]
	return !c.sameName(printed, both) && !c.sameName(printed, other)
}

// ofLabelWords reports whether a text has a long word that labels are made of, of which a letter may be misread.
func ofLabelWords(text string) bool {
	return slices.ContainsFunc(strings.Fields(text), func(w string) bool { return len(lexicon.Letters(w)) >= longLabel && LabelWord(w) })
}

// longLabel is the length from which a word of a label is told from a name.
const longLabel = 8

// monthFirstStates put the month before the day; in Canada both orders are used.
var monthFirstStates = []string{"USA", "FSM", "MHL", "PLW", "PHL"}

// orderOfIssuer is the order of day and month in which a state writes; told where that is not known.
func orderOfIssuer(issuer string) calendar.Order {
	s, ok := icao.StateByCode(issuer)
	switch {
	case !ok || s.Code == "CAN" || s.Kind == icao.Specimen:
		return calendar.Told
	case slices.Contains(monthFirstStates, s.Code):
		return calendar.MonthFirst
	}
	return calendar.DayFirst
}
