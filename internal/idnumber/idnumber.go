// Package idnumber reads the numbers that states give to persons and to drivers, where the number encodes facts about its holder.
// Such a number confirms what was read beside it: a misread digit breaks its check digits, or the facts no longer agree.
//
// The forms are those that the issuers publish. A number of another form says nothing.
package idnumber

import (
	"strings"
	"time"
)

// Number is what a number says about its holder.
type Number struct {
	Form    string   // such as "PESEL"
	Issuers []string // ICAO 9303-3 §5 codes of the states that give numbers of this form
	Births  []string // the date of birth, YYYY-MM-DD: one, or one for each century that the number allows; at least one
	Family  string   // the beginning of the family name, A to Z, as far as there is room for it; empty where it is not encoded
	Whole   bool     // Family is the whole name
	Checked bool     // it has check digits, and they are right
}

// form is one way of writing numbers.
type form struct {
	issuers string // codes, separated by spaces
	name    string
	shape   string // D is a digit, L a letter, and * either
	read    func(text string) (Number, bool)
}

// forms of numbers, with what publishes them.
var forms = []form{
	{"GBR", "driver number", "*****DDDDDD*****", british},                     // DVLA, INF45; how its last two signs check it is not published
	{"SWE", "personal identity number", "DDDDDDDDDD", swedish},                // Skatteverket SKV 704
	{"SWE", "personal identity number", "DDDDDDDDDDDD", swedishLong},          // so too, with the century
	{"FIN", "personal identity code", "DDDDDDDDD*", finnish},                  // Digital and Population Data Services Agency; the century is punctuation
	{"FIN", "personal identity code", "DDDDDDLDDD*", finnishLettered},         // so too, from 2000 on
	{"NOR", "national identity number", "DDDDDDDDDDD", norwegian},             // Skatteetaten
	{"EST LTU", "personal code", "DDDDDDDDDDD", baltic},                       // EVS 585:2007
	{"POL", "PESEL", "DDDDDDDDDDD", polish},                                   // Act on population records, art. 15
	{"BEL", "national number", "DDDDDDDDDDD", belgian},                        // Royal decree of 3 April 1984
	{"CZE SVK", "birth number", "DDDDDDDDDD", czech},                          // Act 133/2000, section 13
	{"BGR", "unified civil number", "DDDDDDDDDD", bulgarian},                  // Civil registration act, art. 11
	{"ROU", "personal numerical code", "DDDDDDDDDDDDD", romanian},             // Emergency ordinance 97/2005
	{"ITA", "tax code", "LLLLLL**L**L***L", italian},                          // Decree of the Minister of Finance of 23 December 1976
	{"LVA", "personal code", "DDDDDDDDDDD", latvian},                          // Office of Citizenship and Migration Affairs; codes from 32 on say nothing
	{"ISL", "identification number", "DDDDDDDDDD", icelandic},                 // Registers Iceland
	{"BIH HRV MKD MNE SRB SVN", "citizen number", "DDDDDDDDDDDDD", yugoslav},  // Official Gazette of the SFRY 58/76
	{"GRC", "social security number", "DDDDDDDDDDD", greek},                   // Act 3655/2008, article 153
	{"HUN", "personal identifier", "DDDDDDDDDDD", hungarian},                  // Act XX of 1996, annex
	{"KAZ", "individual identification number", "DDDDDDDDDDDD", kazakh},       // Act 223-III of 2007
	{"KOR", "resident registration number", "DDDDDDDDDDDDD", korean},          // Resident registration act, enforcement rules
	{"CHN", "citizen identification number", "DDDDDDDDDDDDDDDDD*", chinese},   // GB 11643-1999
	{"ZAF", "identity number", "DDDDDDDDDDDDD", southAfrican},                 // Department of Home Affairs
	{"MEX", "unique population registry code", "LLLLDDDDDDLLLLLL*D", mexican}, // Instructivo normativo of 18 October 2021
}

// Read returns what a number can say: one answer for each form that it fits and whose check digits are right. Spaces, punctuation and
// case do not count.
func Read(number string) []Number {
	text := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' {
			return r
		}
		return -1
	}, strings.ToUpper(number))
	var out []Number
	for _, f := range forms {
		if !fits(text, f.shape) {
			continue
		}
		if n, ok := f.read(text); ok && len(n.Births) > 0 {
			n.Form, n.Issuers = f.name, strings.Fields(f.issuers)
			out = append(out, n)
		}
	}
	return out
}

func fits(text, shape string) bool {
	if len(text) != len(shape) {
		return false
	}
	for i := range len(text) {
		digit := text[i] >= '0' && text[i] <= '9'
		if shape[i] == 'D' && !digit || shape[i] == 'L' && digit {
			return false
		}
	}
	return true
}

// checked is a number with right check digits.
func checked(right bool, births ...string) (Number, bool) {
	return Number{Births: births, Checked: true}, right
}

// at returns the number that digits from up to to are.
func at(text string, from, to int) int {
	n := 0
	for _, c := range text[from:to] {
		n = 10*n + int(c-'0')
	}
	return n
}

// weighted returns the sum of the digits, each times its weight.
func weighted(text string, weights ...int) int {
	sum := 0
	for i, w := range weights {
		sum += w * int(text[i]-'0')
	}
	return sum
}

// days returns those days that exist, of one month and day in several years.
func days(month, day int, years ...int) []string {
	var out []string
	for _, y := range years {
		d := time.Date(y, time.Month(month), day, 0, 0, 0, 0, time.UTC)
		if month >= 1 && d.Month() == time.Month(month) && d.Day() == day {
			out = append(out, d.Format(time.DateOnly))
		}
	}
	return out
}
