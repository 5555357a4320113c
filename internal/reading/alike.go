package reading

import (
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// digitShapes are the digits that letters look like in ordinary print.
var digitShapes = map[rune]rune{'O': '0', 'Q': '0', 'D': '0', 'I': '1', 'L': '1', 'Z': '2', 'S': '5', 'B': '8', 'G': '6'}

// shapes folds letters onto the digits that they look like.
func shapes(s string) string {
	return strings.Map(func(r rune) rune {
		if d, ok := digitShapes[r]; ok {
			return d
		}
		return r
	}, s)
}

// roughly makes alike what a reader without diacritics takes for each other: it reads Þ as P, Æ as E, ß as B.
var roughly = strings.NewReplacer("TH", "P", "AE", "E", "OE", "O", "UE", "U", "AA", "A", "SS", "B", "DH", "D")

// nearName reports whether the printed text is the name but for one or two letters.
func nearName(printed, name string) bool {
	a, b := lexicon.Letters(printed), lexicon.Letters(name)
	if roughly.Replace(a) == roughly.Replace(b) || readInPart(printed, name) {
		return false
	}
	return len(b) >= 4 && lexicon.Distance(a, b, 1) <= 1 || len(b) >= 8 && lexicon.Distance(a, b, 2) <= 2
}

// readInPart reports whether a text is the name with letters left out or answered twice: letters with diacritics that the
// reader does not know are, and no confidence tells, for there is no character to be unsure of.
func readInPart(printed, name string) bool {
	a, b := lexicon.Letters(printed), lexicon.Letters(name)
	if 3*len(a) < 2*len(b) {
		return false
	}
	rest := slices.Compact([]byte(a))
	for _, c := range slices.Compact([]byte(b)) {
		if len(rest) > 0 && rest[0] == c {
			rest = rest[1:]
		}
	}
	return len(rest) == 0
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

// statesNumber looks for the number in the text, whatever separators it is printed with.
func statesNumber(text, number string) bool {
	all, number := "", lexicon.Alphanumerics(number)
	for word := range strings.FieldsSeq(text) {
		all += numberText(word)
	}
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
	t, number := lexicon.Alphanumerics(text), lexicon.Alphanumerics(number)
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

// buddhist is by how many years the Thai calendar is ahead. Years that are of another calendar: no document of a living person states them
// otherwise.
const (
	buddhist           = 543
	hijriFrom, hijriTo = 1290, 1500
	hijriSlack         = 48 * time.Hour // by how much a printed Hijri date may be off the day that the zone states
)

// inOtherCalendar reports whether a day as it is printed is the zone's in the Thai calendar or in the Islamic one.
func inOtherCalendar(printed, zone time.Time) bool {
	year := printed.Year()
	if year >= hijriFrom && year <= hijriTo {
		return fromHijri(year, int(printed.Month()), printed.Day()).Sub(zone).Abs() <= hijriSlack
	}
	return printed.AddDate(-buddhist, 0, 0).Equal(zone)
}

// fromHijri is the day of the tabular Islamic calendar, civil epoch, years 2, 5, 7, 10, 13, 16, 18, 21, 24, 26 and 29 of
// thirty being long. Calendars in use differ from it by up to two days.
func fromHijri(year, month, day int) time.Time {
	days := day + (59*(month-1)+1)/2 + (year-1)*354 + (3+11*year)/30
	return time.Date(622, 7, 19, 0, 0, 0, 0, time.UTC).AddDate(0, 0, days-1)
}
