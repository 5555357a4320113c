package viz

import (
	"strconv"
	"strings"
	"unicode"
)

// datePart is one number or word of a printed date.
type datePart struct {
	from, to int // runes
	text     string
	before   string // what stands between it and the part before
}

// glued reports whether a part is the end of a run of letters and digits: the 08 of 3D08 and of D08, and the 8 of DO8, are no
// day. The shortest names of months have three letters.
func glued(parts []datePart, i int) bool {
	return i > 0 && parts[i].before == "" && number(parts[i].text) >= 0 && len(parts[i-1].text) < 3 && number(parts[i-1].text) < 0
}

// dateParts cuts a text into runs of digits and runs of letters; digits written in one go fall apart into day, month and year.
func dateParts(runes []rune) []datePart {
	var out []datePart
	last := 0
	for i := 0; i < len(runes); {
		kind := classOf(runes[i])
		if kind == 0 {
			i++
			continue
		}
		j := i
		for j < len(runes) && classOf(runes[j]) == kind {
			j++
		}
		out = append(out, datePart{i, j, Fold(string(runes[i:j])), string(runes[last:i])})
		i, last = j, j
	}
	return splitDigits(mendDigits(out))
}

// classOf tells letters (1), digits (2) and the signs that stand for unknown digits (3) from all else (0).
func classOf(r rune) int {
	switch {
	case unicode.IsLetter(r), unicode.Is(unicode.Mn, r):
		return 1
	case r >= '0' && r <= '9':
		return 2
	case r == '*' || r == '?':
		return 3
	}
	return 0
}

// mendDigits joins what a reader saw as letters within a number: 2O26, l2.O8.1974.
func mendDigits(parts []datePart) []datePart {
	var out []datePart
	for i := 0; i < len(parts); i++ {
		p := parts[i]
		if p.text == "0" && i+1 < len(parts) && parts[i+1].before == "" && number(parts[i+1].text) < 0 && lookUp("O"+parts[i+1].text, nil) != 0 {
			parts[i+1].text, parts[i+1].from, parts[i+1].before = "O"+parts[i+1].text, p.from, p.before // 0CT
			continue
		}
		run := p
		j := i + 1
		for j < len(parts) && parts[j].before == "" && len(run.text)+len(parts[j].text) <= 4 {
			run.text, run.to = run.text+parts[j].text, parts[j].to
			j++
		}
		folded := strings.NewReplacer("O", "0", "Q", "0", "I", "1", "L", "1", "S", "5", "B", "8", "Z", "2").Replace(run.text)
		if j > i+1 && number(folded) >= 0 && strings.ContainsAny(run.text, "0123456789") {
			run.text = folded
			out = append(out, run)
			i = j - 1
			continue
		}
		out = append(out, p)
	}
	return out
}

// splitDigits cuts dates written in one go: DDMMYYYY, YYYYMMDD; pairs of six digits are too common for dates. Behind a day and a sign
// they are month and year, between which the sign was not read: 27.012027.
func splitDigits(parts []datePart) []datePart {
	var out []datePart
	for i, p := range parts {
		if i > 0 && signLost(parts[i-1], p) {
			out = append(out, datePart{p.from, p.from + 2, p.text[:2], p.before}, datePart{p.from + 2, p.to, p.text[2:], p.before})
			continue
		}
		if len(p.text) != 8 || number(p.text) < 0 {
			out = append(out, p)
			continue
		}
		cuts := []int{2, 4, 8}
		if y := number(p.text[:4]); y >= 1900 && y < 2100 && number(p.text[4:6]) <= 12 {
			cuts = []int{4, 6, 8}
		}
		at := 0
		for _, cut := range cuts {
			before := "."
			if at == 0 {
				before = p.before
			}
			out = append(out, datePart{p.from + at, p.from + cut, p.text[at:cut], before})
			at = cut
		}
	}
	return out
}

// signLost reports whether a part is a month and a year behind a day.
func signLost(day, p datePart) bool {
	if len(p.text) != 6 || number(p.text) < 0 || len(day.text) > 2 || number(day.text) < 1 || !strings.Contains("./-", p.before) || p.before == "" {
		return false
	}
	month, year := number(p.text[:2]), number(p.text[2:])
	return month > 0 && month <= 12 && year >= 1880 && year < 2150
}

// number is the value of a text of digits, −1 for any other.
func number(s string) int {
	if s == "" || strings.Trim(s, "0123456789") != "" || len(s) > 9 {
		return -1
	}
	n, _ := strconv.Atoi(s) //nolint:errcheck // only digits
	return n
}
