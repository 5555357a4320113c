package mrz

import (
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/internal/icao"
)

// Write makes the lines of a zone from a document's fields: names are
// transliterated by their recommended form and truncated by ICAO 9303-3 §4.6,
// long card numbers run into the optional field, check digits are computed.
// Lines, Checks, Faults and NameCutAt of the argument are ignored. An error
// names the field that the format cannot hold.
func Write(d Document) ([]string, error) {
	lay, ok := layouts[d.Format]
	if !ok {
		return nil, fmt.Errorf("write zone: unknown format %q", d.Format)
	}
	w := writer{format: d.Format, layout: lay}
	for range lay.lines {
		w.lines = append(w.lines, []byte(strings.Repeat("<", lay.width)))
	}
	if len(d.Code) == 0 || len(d.Code) > 2 {
		return nil, fmt.Errorf("write zone: code %q is not one or two letters", d.Code)
	}
	w.put("code", d.Code[:1])
	w.put("issuer", d.Issuer)
	w.code2(d.Code)
	w.put("nationality", d.Nationality)
	w.number(d)
	w.put("optional2", fill(d.Optional2))
	w.date("birth_date", d.BirthDate)
	w.date("expiry_date", d.ExpiryDate)
	w.put("sex", strings.TrimPrefix(d.Sex, "X"))
	w.name(d)
	w.checks()
	out := w.strings()
	if w.err == nil && !fitsCode(d.Format, out[0]) {
		w.err = fmt.Errorf("write zone: code %q and issuer %q are not %s", d.Code, d.Issuer, d.Format)
	}
	return out, w.err
}

type writer struct {
	format Format
	layout layout
	lines  [][]byte
	err    error // the first

	longNumber bool // the number runs into the optional field
}

func (w *writer) strings() []string {
	out := make([]string, len(w.lines))
	for i, l := range w.lines {
		out[i] = string(l)
	}
	return out
}

// put writes a value into its field; an empty value leaves fillers, also where
// the format has no such field.
func (w *writer) put(name, value string) {
	if w.err != nil || value == "" {
		return
	}
	f, ok := w.layout.find(name)
	switch {
	case !ok:
		w.err = fmt.Errorf("write zone: %s has no %s", w.format, name)
	case len(value) > f.to-f.from:
		w.err = fmt.Errorf("write zone: %s %q is longer than %d", name, value, f.to-f.from)
	case !f.class.AllowsAll(value):
		w.err = fmt.Errorf("write zone: %s %q has a character that the field cannot hold", name, value)
	default:
		copy(w.lines[f.line][f.from:f.to], value)
	}
}

// code2 writes the second character of the document code, whose class depends on the issuer.
func (w *writer) code2(code string) {
	if w.err == nil && len(code) == 2 && PermitCode(w.format, code+string(w.lines[0][2:5])) && PermitClass.AllowsAll(code[1:]) {
		w.lines[0][1] = code[1]
		return
	}
	w.put("code2", code[1:])
}

func (w *writer) date(name string, d Date) {
	if w.err == nil && d != "" && !d.Possible() {
		w.err = fmt.Errorf("write zone: %s %q is no date", name, d)
		return
	}
	w.put(name, string(d))
}

// number writes the document number and the optional field, which share their
// place when the number is long.
func (w *writer) number(d Document) {
	number, optional := fill(d.Number), fill(d.Optional)
	if len(number) <= 9 || w.format != TD1 && w.format != TD2 {
		w.put("document_number", number)
		w.put("optional", optional)
		return
	}
	if strings.Contains(number, "<") {
		w.err = fmt.Errorf("write zone: long document number %q has a filler", number)
		return
	}
	w.longNumber = true
	rest := number[9:] + string(CheckDigit(number)) + "<" + optional
	w.put("document_number", number[:9])
	w.put("optional", strings.TrimRight(rest, "<"))
	// The filler after the check digit ends the number: without it the rest of
	// the field would be read as part of it.
	if f, ok := w.layout.find("optional"); ok && optional == "" && len(rest) > f.to-f.from {
		w.err = fmt.Errorf("write zone: document number %q is too long", number)
	}
}

func (w *writer) name(d Document) {
	surname, err := romanize(d.Surname)
	if err != nil && w.err == nil {
		w.err = err
	}
	given, err := romanize(d.GivenNames)
	if err != nil && w.err == nil {
		w.err = err
	}
	if w.format == IDFRA {
		w.put("surname", cutTo(surname, 25))
		w.put("given_names", cutTo(strings.ReplaceAll(given, "<", "<<"), 14))
		return
	}
	f, _ := w.layout.find("name")
	w.put("name", TruncateName(surname, given, f.to-f.from))
}

func (w *writer) checks() {
	if w.err != nil {
		return
	}
	for _, c := range w.layout.checks {
		lines := w.strings()
		if c.field == "document_number" && w.longNumber {
			continue // its check digit stands in the optional field
		}
		covered := c.covers(lines)
		if c.field == "optional" && strings.Trim(covered, "<") == "" {
			continue // a filler is allowed there and is what most issuers print
		}
		w.lines[c.line][c.col] = CheckDigit(covered)
	}
}

// fill turns what a printed value has between its characters into fillers.
func fill(s string) string {
	return strings.Map(func(r rune) rune {
		if r == ' ' || r == '-' || r == '/' || r == '.' {
			return '<'
		}
		return r
	}, s)
}

func romanize(name string) (string, error) {
	if strings.TrimSpace(name) == "" {
		return "", nil
	}
	forms := icao.Transliterations(name)
	if len(forms) == 0 {
		return "", fmt.Errorf("write zone: a name has a letter without transliteration")
	}
	return strings.ReplaceAll(forms[0], " ", "<"), nil
}

// TruncateName joins surname and given names (A–Z, fillers between words) in a
// field of the width. What is too long is cut so that a letter stands in the
// last place, which is the sign of truncation, and so that at least the first
// letter of the given names remains (ICAO 9303-3 §4.6).
func TruncateName(surname, given string, width int) string {
	if given == "" {
		return cutTo(surname, width)
	}
	if len(surname)+3 > width {
		surname = strings.TrimRight(surname[:width-3], "<")
	}
	return cutTo(surname+"<<"+given, width)
}

// cutTo cuts to the width. Where the cut would leave a filler at the end, the
// word before it gives up a letter so that the next word's initial shows.
func cutTo(s string, width int) string {
	if len(s) <= width {
		return s
	}
	if s[width-1] != '<' {
		return s[:width]
	}
	head := strings.TrimRight(s[:width-1], "<")
	sep := s[len(head) : width-1+1]
	next := strings.TrimLeft(s[width:], "<")
	if next == "" || len(head)+len(sep)+1-width > len(head)-1 {
		return s[:width]
	}
	head = head[:width-1-len(sep)]
	return strings.TrimRight(head, "<") + sep + next[:1]
}
