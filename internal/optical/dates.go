package optical

import (
	"regexp"
	"strconv"
	"strings"
	"time"
)

// monthStarts are beginnings of month names as documents print them, in English, French, German, Spanish, Italian,
// Portuguese, Dutch, the Nordic and Slavic languages, without diacritics; the longest that fits wins.
var monthStarts = [12][]string{
	{"JAN", "JANV", "ENE", "GEN", "GENN", "LED", "STY", "SIJ", "TAM"},
	{"FEB", "FEV", "FEVR", "UNO", "LUT", "VEL", "HEL"},
	{"MAR", "MARS", "MRT", "MAE", "MRZ", "BRE", "OZU"},
	{"APR", "AVR", "ABR", "DUB", "KWI", "TRA", "HUH"},
	{"MAY", "MAI", "MAG", "MEI", "MAJ", "KVE", "SVI", "TOU"},
	{"JUN", "JUIN", "GIU", "CZE", "CER", "LIP", "KES"},
	{"JUL", "JUIL", "LUG", "HEI"},
	{"AUG", "AOU", "AOUT", "AGO", "SRP", "SIE", "KOL", "ELO"},
	{"SEP", "SEPT", "SET", "ZAR", "WRZ", "RUJ", "SYY"},
	{"OCT", "OKT", "OUT", "OTT", "RIJ", "PAZ", "LOK"},
	{"NOV", "LIS", "STU", "MARR"},
	{"DEC", "DEZ", "DIC", "DES", "PRO", "GRU", "JOU"},
}

var dateWord = regexp.MustCompile(`[0-9]+|[A-Z]{3,}`)

// statesDate reports whether the printed text shows the day: in any order of day, month and year, in digits with or
// without separators, or with the month's name; the year with two or four digits. Unknown parts (0) are not looked for.
func statesDate(text string, year, month, day int) bool {
	var words []string
	for _, t := range dateWord.FindAllString(strings.ToUpper(bare(text)), -1) {
		words = append(words, splitDigits(t)...)
	}
	for i := range words {
		if dateAt(words[i:], year, month, day) {
			return true
		}
	}
	return false
}

// splitDigits cuts dates written in one go: DDMMYYYY, YYYYMMDD, DDMMYY and YYMMDD fall apart into pairs.
func splitDigits(t string) []string {
	if t[0] < '0' || t[0] > '9' || len(t) != 6 && len(t) != 8 {
		return []string{t}
	}
	if len(t) == 6 {
		return []string{t[:2], t[2:4], t[4:]}
	}
	if t[:2] == "19" || t[:2] == "20" {
		return []string{t[:4], t[4:6], t[6:]}
	}
	return []string{t[:2], t[2:4], t[4:]}
}

// dateAt looks at the next words: three parts in any usual order, where the month may be named once or in two
// languages (12 AUG/AOUT 74).
func dateAt(words []string, year, month, day int) bool {
	if len(words) < 3 {
		return false
	}
	a, b, c := words[0], words[1], words[2]
	switch {
	case isDay(a, day) && isMonth(b, month) && isYear(c, year): // 12.08.1974, 12 AUG 74
		return true
	case isYear(a, year) && isMonth(b, month) && isDay(c, day): // 1974-08-12
		return true
	case isMonth(a, month) && isDay(b, day) && isYear(c, year): // AUG 12 1974, 08/12/1974
		return true
	}
	return len(words) > 3 && isDay(a, day) && isMonth(b, month) && isMonth(c, month) && isYear(words[3], year)
}

func isDay(s string, day int) bool { return day == 0 || number(s) == day && len(s) <= 2 }

func isYear(s string, year int) bool {
	return len(s) == 4 && number(s) == year || len(s) == 2 && number(s) == year%100
}

func isMonth(s string, month int) bool {
	if month == 0 {
		return true
	}
	if n := number(s); n >= 0 {
		return n == month && len(s) <= 2
	}
	for _, start := range monthStarts[month-1] {
		if strings.HasPrefix(s, start) {
			return true
		}
	}
	return false
}

// number is the value of a text of digits, -1 for any other.
func number(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil || n < 0 {
		return -1
	}
	return n
}

// printedDate reads the first date of a text: day, month and year, or year first; the month in digits or by name. A year
// of two digits is in the past where past, else within the next fifty years.
func printedDate(text string, now time.Time, past bool) (time.Time, bool) {
	var words []string
	for _, t := range dateWord.FindAllString(strings.ToUpper(bare(text)), -1) {
		words = append(words, splitDigits(t)...)
	}
	for i := range words {
		rest := words[i:]
		if len(rest) > 3 && monthOf(rest[1]) > 0 && monthOf(rest[1]) == monthOf(rest[2]) && number(rest[1]) < 0 {
			rest = append([]string{rest[0], rest[1]}, rest[3:]...) // 12 AUG/AOUT 74
		}
		if len(rest) < 3 {
			break
		}
		day, month, year := rest[0], rest[1], rest[2]
		if len(day) == 4 {
			day, year = year, day
		}
		y, m, d := yearOf(year, now, past), monthOf(month), number(day)
		t := time.Date(y, time.Month(m), d, 0, 0, 0, 0, time.UTC)
		if y > 0 && m > 0 && d > 0 && t.Day() == d && len(day) <= 2 {
			return t, true
		}
	}
	return time.Time{}, false
}

func monthOf(s string) int {
	for m := 1; m <= 12; m++ {
		if isMonth(s, m) {
			return m
		}
	}
	return 0
}

func yearOf(s string, now time.Time, past bool) int {
	n := number(s)
	switch {
	case n < 0, len(s) != 2 && len(s) != 4:
		return 0
	case len(s) == 4:
		return n
	}
	n += now.Year() / 100 * 100
	if past && n > now.Year() {
		return n - 100
	}
	if !past && n < now.Year()-50 {
		return n + 100
	}
	return n
}
