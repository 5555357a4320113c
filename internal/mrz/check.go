package mrz

import "strings"

// CheckDigit computes the modulo 10 digit of ICAO 9303-3 §4.9 over the
// characters: weights 7, 3, 1; A is 10 … Z is 35, the filler is 0. Characters
// outside the zone's alphabet count 0.
func CheckDigit(s string) byte {
	weights := [3]int{7, 3, 1}
	sum := 0
	for i := range len(s) {
		sum += value(s[i]) * weights[i%3]
	}
	return byte('0' + sum%10)
}

func value(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'A' && c <= 'Z':
		return int(c-'A') + 10
	}
	return 0
}

func (d *Document) readChecks(lay layout) {
	for _, c := range lay.checks {
		covered := c.covers(d.Lines)
		got := d.Lines[c.line][c.col]
		if c.field == "document_number" {
			if n, _, ok := longNumber(d.Format, d.Lines); ok {
				covered, got = n[:len(n)-1], n[len(n)-1]
			}
		}
		want := CheckDigit(covered)
		ok := got == want || c.empty && got == '<' && strings.Trim(covered, "<") == ""
		d.Checks = append(d.Checks, Check{Field: c.field, Want: want, Got: got, OK: ok})
	}
}

func (c check) covers(lines []string) string {
	var b strings.Builder
	for _, s := range c.over {
		b.WriteString(lines[s.line][s.from:s.to])
	}
	return b.String()
}

// longNumber returns a document number of more than nine characters, which runs
// into the optional field: a filler where its check digit would stand, then
// the rest, the check digit, and a filler (ICAO 9303-5 §4.2.2 note j, 9303-6
// note j). number ends with the check digit; rest is what remains of the
// optional field.
func longNumber(f Format, lines []string) (number, rest string, ok bool) {
	if f != TD1 && f != TD2 {
		return "", "", false
	}
	lay := layouts[f]
	head, optional := lay.text(lines, "document_number"), lay.text(lines, "optional")
	if lay.text(lines, "document_number_check") != "<" || strings.Contains(head, "<") {
		return "", "", false
	}
	run, rest, _ := strings.Cut(optional, "<")
	if len(run) < 2 {
		return "", "", false
	}
	return head + run, rest, true
}
