package mrz

import "strings"

// Format names a layout of the zone.
type Format string

// The known formats: lines × characters.
const (
	TD1   Format = "TD1"   // 3×30, cards
	TD2   Format = "TD2"   // 2×36, cards
	TD3   Format = "TD3"   // 2×44, passports
	MRVA  Format = "MRV-A" // 2×44, visas
	MRVB  Format = "MRV-B" // 2×36, visas
	IDFRA Format = "IDFRA" // 2×36, French identity card before 2021
	IDROU Format = "IDROU" // 2×36, Romanian identity card
)

// Formats lists every format.
func Formats() []Format { return []Format{TD1, TD2, TD3, MRVA, MRVB, IDFRA, IDROU} }

// Shape returns the number of lines and of characters in each; 0, 0 for an
// unknown format.
func (f Format) Shape() (lines, width int) {
	lay := layouts[f]
	return lay.lines, lay.width
}

// Class is the set of characters that a position may hold.
type Class string

// The classes. The value lists the characters.
const (
	Letters       Class = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
	LettersFill   Class = Letters + "<"
	Digits        Class = "0123456789"
	DigitsFill    Class = Digits + "<"
	Alphanumerics Class = Letters + Digits + "<"
	Sexes         Class = "MF<"
)

// Allows reports whether the position may hold the character.
func (c Class) Allows(b byte) bool { return strings.IndexByte(string(c), b) >= 0 }

// AllowsAll reports whether each character of the text is allowed.
func (c Class) AllowsAll(s string) bool {
	for i := range len(s) {
		if !c.Allows(s[i]) {
			return false
		}
	}
	return true
}

// ClassAt returns what the position may hold; line and col count from 0. Outside
// the format it is empty, which allows nothing.
func ClassAt(f Format, line, col int) Class {
	for _, field := range layouts[f].fields {
		if field.line == line && col >= field.from && col < field.to {
			return field.class
		}
	}
	return ""
}

// PermitClass is what the second character of the document code holds on cards of the United States whose code begins with C: 1 or 2
// for permanent residents, a letter for others. I and Z are left out: there they are misread digits.
const PermitClass Class = "ABCDEFGHJKLMNOPQRSTUVWXY<12"

// PermitCode reports whether the first line of a card begins as that of a permanent resident of the United States, so that the
// second character is of PermitClass and not a letter.
func PermitCode(f Format, first string) bool {
	return f == TD1 && len(first) >= 5 && first[0] == 'C' && asLetters(first[2:5]) == "USA"
}

// classOf returns what a field of these lines holds.
func (f field) classOf(format Format, lines []string) Class {
	if f.name == "code2" && PermitCode(format, lines[0]) {
		return PermitClass
	}
	return f.class
}

type field struct {
	name     string
	line     int
	from, to int // columns, to exclusive
	class    Class
}

func (f field) in(lines []string) string { return lines[f.line][f.from:f.to] }

type check struct {
	field string
	line  int
	col   int
	over  []span
	empty bool // a filler is right when all that it covers is fillers (ICAO 9303-4 §4.2.2)
}

type span struct{ line, from, to int }

type layout struct {
	lines, width int
	fields       []field
	checks       []check
}

func (l layout) find(name string) (field, bool) {
	for _, f := range l.fields {
		if f.name == name {
			return f, true
		}
	}
	return field{}, false
}

func (l layout) has(name string) bool {
	_, ok := l.find(name)
	return ok
}

func (l layout) text(lines []string, name string) string {
	f, ok := l.find(name)
	if !ok {
		return ""
	}
	return f.in(lines)
}

var layouts = map[Format]layout{
	TD1:   td1(),
	TD2:   td2(LettersFill, Alphanumerics),
	TD3:   td3(),
	MRVA:  visa(44),
	MRVB:  visa(36),
	IDFRA: idfra(),
	// Romania prints the last seven digits of the personal number where TD2 has
	// its optional field; its specimens carry digits where the nationality stands.
	IDROU: td2(Alphanumerics, DigitsFill),
}

// head is the first line of every two-line format.
func head(width int) []field {
	return []field{
		{"code", 0, 0, 1, Letters},
		{"code2", 0, 1, 2, LettersFill},
		{"issuer", 0, 2, 5, LettersFill},
		{"name", 0, 5, width, LettersFill},
	}
}

// middle is the second line of every two-line ICAO format up to column 28.
func middle(nationality Class) []field {
	return []field{
		{"document_number", 1, 0, 9, Alphanumerics},
		{"document_number_check", 1, 9, 10, DigitsFill},
		{"nationality", 1, 10, 13, nationality},
		{"birth_date", 1, 13, 19, DigitsFill},
		{"birth_date_check", 1, 19, 20, DigitsFill},
		{"sex", 1, 20, 21, Sexes},
		{"expiry_date", 1, 21, 27, DigitsFill},
		{"expiry_date_check", 1, 27, 28, DigitsFill},
	}
}

func middleChecks() []check {
	return []check{
		{field: "document_number", line: 1, col: 9, over: []span{{1, 0, 9}}},
		{field: "birth_date", line: 1, col: 19, over: []span{{1, 13, 19}}, empty: true},
		{field: "expiry_date", line: 1, col: 27, over: []span{{1, 21, 27}}, empty: true},
	}
}

// td3 is ICAO 9303-4 §4.2.2.
func td3() layout {
	return layout{2, 44,
		join(head(44), middle(LettersFill),
			field{"optional", 1, 28, 42, Alphanumerics},
			field{"optional_check", 1, 42, 43, DigitsFill},
			field{"composite_check", 1, 43, 44, Digits}),
		append(middleChecks(),
			check{field: "optional", line: 1, col: 42, over: []span{{1, 28, 42}}, empty: true},
			check{field: "composite", line: 1, col: 43, over: []span{{1, 0, 10}, {1, 13, 20}, {1, 21, 43}}}),
	}
}

// td2 is ICAO 9303-6 §4.2.2.
func td2(nationality, optional Class) layout {
	return layout{2, 36,
		join(head(36), middle(nationality),
			field{"optional", 1, 28, 35, optional},
			field{"composite_check", 1, 35, 36, Digits}),
		append(middleChecks(),
			check{field: "composite", line: 1, col: 35, over: []span{{1, 0, 10}, {1, 13, 20}, {1, 21, 35}}}),
	}
}

// visa is ICAO 9303-7 §4.2.2: no check digit over the whole.
func visa(width int) layout {
	return layout{2, width,
		join(head(width), middle(LettersFill), field{"optional", 1, 28, width, Alphanumerics}),
		middleChecks(),
	}
}

// td1 is ICAO 9303-5 §4.2.2.
func td1() layout {
	return layout{3, 30,
		[]field{
			{"code", 0, 0, 1, Letters},
			{"code2", 0, 1, 2, LettersFill}, // but see PermitCode
			{"issuer", 0, 2, 5, LettersFill},
			{"document_number", 0, 5, 14, Alphanumerics},
			{"document_number_check", 0, 14, 15, DigitsFill},
			{"optional", 0, 15, 30, Alphanumerics},
			{"birth_date", 1, 0, 6, DigitsFill},
			{"birth_date_check", 1, 6, 7, DigitsFill},
			{"sex", 1, 7, 8, Sexes},
			{"expiry_date", 1, 8, 14, DigitsFill},
			{"expiry_date_check", 1, 14, 15, DigitsFill},
			{"nationality", 1, 15, 18, LettersFill},
			{"optional2", 1, 18, 29, Alphanumerics},
			{"composite_check", 1, 29, 30, Digits},
			{"name", 2, 0, 30, LettersFill},
		},
		[]check{
			{field: "document_number", line: 0, col: 14, over: []span{{0, 5, 14}}},
			{field: "birth_date", line: 1, col: 6, over: []span{{1, 0, 6}}, empty: true},
			{field: "expiry_date", line: 1, col: 14, over: []span{{1, 8, 14}}, empty: true},
			{field: "composite", line: 1, col: 29, over: []span{{0, 5, 30}, {1, 0, 7}, {1, 8, 15}, {1, 18, 29}}},
		},
	}
}

// idfra is the French card of 1988 to 2021: the number begins with the year and
// month of issue, the given names stand in the second line, there is no
// nationality and no date of expiry.
func idfra() layout {
	return layout{2, 36,
		[]field{
			{"code", 0, 0, 1, Letters},
			{"code2", 0, 1, 2, LettersFill},
			{"issuer", 0, 2, 5, LettersFill},
			{"surname", 0, 5, 30, LettersFill},
			{"optional2", 0, 30, 36, Alphanumerics},
			{"issue_month", 1, 0, 4, Digits},
			{"department", 1, 4, 7, Alphanumerics},
			{"serial", 1, 7, 12, Digits},
			{"document_number_check", 1, 12, 13, Digits},
			{"given_names", 1, 13, 27, LettersFill},
			{"birth_date", 1, 27, 33, DigitsFill},
			{"birth_date_check", 1, 33, 34, DigitsFill},
			{"sex", 1, 34, 35, Sexes},
			{"composite_check", 1, 35, 36, Digits},
			{"document_number", 1, 0, 12, Alphanumerics},
		},
		[]check{
			{field: "document_number", line: 1, col: 12, over: []span{{1, 0, 12}}},
			{field: "birth_date", line: 1, col: 33, over: []span{{1, 27, 33}}, empty: true},
			{field: "composite", line: 1, col: 35, over: []span{{0, 0, 36}, {1, 0, 35}}},
		},
	}
}

func join(a, b []field, rest ...field) []field {
	return append(append(append([]field(nil), a...), b...), rest...)
}
