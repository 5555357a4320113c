// Package mrz reads and writes the machine readable zone of travel documents
// (ICAO 9303 parts 3 to 7) and the two national cards that have a layout of
// their own (France's 2×36, Romania's 2×36).
//
// One table per format says which field stands where, what characters it may
// hold and which check digits cover it; parsing, repair, the reader's character
// mask and writing all follow that table. Check digits are modulo 10 and blind
// to 6/G/Q, 1/L/B/V, 0/</A/K/U and others, and names have none, so nothing
// here ever searches for substitutions that make them pass: Repair changes a
// character only because its field cannot hold it.
package mrz

import (
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
)

// ErrNotMRZ says that the lines are not a machine readable zone of any known
// format: wrong number or length of lines, wrong first letter, or a character
// outside A–Z, 0–9 and <. The caller may try the next reader.
var ErrNotMRZ = errors.New("not a machine readable zone")

// Document is what a zone says, field by field. Texts come without fillers;
// where the zone has a filler inside a field, there is a space.
type Document struct {
	Format Format
	Lines  []string // as parsed

	Code        string // document code, one or two characters
	Issuer      string // as the zone writes it: "D", "UTO"
	Number      string // whole number, also where it runs into the optional field
	Optional    string // personal number or what else the issuer puts there
	Optional2   string // second line of TD1; office of issue on IDFRA
	Surname     string // primary identifier, words joined by spaces
	GivenNames  string // secondary identifier
	Nationality string
	Sex         string // "M", "F", "X" (the zone's <), or "" where the format has none
	BirthDate   Date
	ExpiryDate  Date   // empty for IDFRA
	IssueMonth  string // YYMM, IDFRA only

	// NameCutAt is the length of the name field when the name fills it, or leaves no room for another, so
	// that it may have been truncated (ICAO 9303-3 §4.6); else 0.
	NameCutAt int
	Checks    []Check
	Faults    []Fault
}

// Check is one check digit with its verdict (ICAO 9303-3 §4.9).
type Check struct {
	Field string // document_number, birth_date, expiry_date, optional, composite
	Want  byte   // the digit that the field gives
	Got   byte   // the character that the zone has
	OK    bool
}

// FaultReason is why a field cannot be right although check digits may pass.
type FaultReason string

// Reasons of a fault.
const (
	FaultClass   FaultReason = "class"   // a character that the field cannot hold
	FaultDate    FaultReason = "date"    // no such day
	FaultState   FaultReason = "state"   // not a code of ICAO 9303-3 §5
	FaultNoName  FaultReason = "no_name" // an empty name field
	FaultNoValue FaultReason = "empty"   // an empty document number
)

// Fault names a field and what is wrong with it.
type Fault struct {
	Field  string
	Reason FaultReason
}

// CheckDigitsOK reports whether every check digit of the format passes.
func (d Document) CheckDigitsOK() bool {
	for _, c := range d.Checks {
		if !c.OK {
			return false
		}
	}
	return len(d.Checks) > 0
}

// Valid reports whether every check digit passes and no field has a fault.
func (d Document) Valid() bool { return d.CheckDigitsOK() && len(d.Faults) == 0 }

// Kind tells passport, identity card, visa or residence permit from the code.
func (d Document) Kind() icao.DocumentKind {
	return icao.DocumentTypeOf(d.Code).Kind
}

// Parse reads a zone of exactly the lines and lengths of one format. Wrong
// check digits and impossible values are no error: they stand in Checks and
// Faults. The error is ErrNotMRZ, wrapped with what did not fit.
func Parse(lines []string) (Document, error) {
	f, ok := FormatOf(lines)
	if !ok {
		return Document{}, fmt.Errorf("%w: %s", ErrNotMRZ, shape(lines))
	}
	for i, l := range lines {
		for c := range len(l) {
			if !isMRZ(l[c]) {
				return Document{}, fmt.Errorf("%w: line %d has a character outside A-Z, 0-9 and <", ErrNotMRZ, i+1)
			}
		}
	}
	d := Document{Format: f, Lines: append([]string(nil), lines...)}
	lay := layouts[f]
	d.readFields(lay)
	d.readChecks(lay)
	d.findFaults(lay)
	return d, nil
}

func shape(lines []string) string {
	n := make([]string, len(lines))
	for i, l := range lines {
		n[i] = fmt.Sprint(len(l))
	}
	return "lines of length " + strings.Join(n, ", ")
}

func (d *Document) readFields(lay layout) {
	get := func(name string) string { return plain(lay.text(d.Lines, name)) }
	d.Code, d.Issuer = strings.TrimRight(d.Lines[0][:2], "<"), strings.TrimRight(lay.text(d.Lines, "issuer"), "<")
	d.Nationality = strings.TrimRight(lay.text(d.Lines, "nationality"), "<")
	d.Number, d.Optional, d.Optional2 = get("document_number"), get("optional"), get("optional2")
	d.BirthDate, d.ExpiryDate = Date(lay.text(d.Lines, "birth_date")), Date(lay.text(d.Lines, "expiry_date"))
	d.IssueMonth = lay.text(d.Lines, "issue_month")
	d.Sex = readSex(lay.text(d.Lines, "sex"))
	if n, rest, ok := longNumber(d.Format, d.Lines); ok {
		d.Number, d.Optional = plain(n[:len(n)-1]), plain(rest)
	}
	d.readName(lay)
}

func (d *Document) readName(lay layout) {
	field := lay.text(d.Lines, "name")
	if field == "" { // IDFRA: surname and given names have a field each
		d.Surname, d.GivenNames = plain(lay.text(d.Lines, "surname")), plain(lay.text(d.Lines, "given_names"))
		if room(lay.text(d.Lines, "surname")) <= 1 || room(lay.text(d.Lines, "given_names")) <= 1 {
			d.NameCutAt = len(lay.text(d.Lines, "surname"))
		}
		return
	}
	primary, secondary, _ := strings.Cut(strings.TrimLeft(field, "<"), "<<")
	d.Surname, d.GivenNames = plain(primary), plain(secondary)
	if left := room(field); left <= 1 || left <= 2 && d.GivenNames == "" {
		d.NameCutAt = len(field)
	}
}

// Name is the whole name as the zone orders it: surname, then given names.
func (d Document) Name() string {
	return strings.TrimSpace(d.Surname + " " + d.GivenNames)
}

// room returns how many fillers end a field. A further name needs two places, the given names three: some states drop what does
// not fit instead of abbreviating (ICAO 9303-3 §4.6), so that a name which leaves less may be cut between two words.
func room(field string) int { return len(field) - len(strings.TrimRight(field, "<")) }

func readSex(s string) string {
	switch s {
	case "<":
		return "X"
	case "M", "F":
		return s
	}
	return ""
}

// plain turns a field into words: fillers become single spaces.
func plain(field string) string {
	return strings.Join(strings.FieldsFunc(field, func(r rune) bool { return r == '<' }), " ")
}

func isMRZ(c byte) bool {
	return c == '<' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

func (d *Document) findFaults(lay layout) {
	add := func(field string, why FaultReason) { d.Faults = append(d.Faults, Fault{field, why}) }
	for _, f := range lay.fields {
		if !f.classOf(d.Format, d.Lines).AllowsAll(f.in(d.Lines)) {
			add(f.name, FaultClass)
		}
	}
	if !icao.MayIssue(d.Issuer) {
		add("issuer", FaultState)
	}
	if _, ok := icao.StateByCode(d.Nationality); !ok && lay.has("nationality") {
		add("nationality", FaultState)
	}
	if !d.BirthDate.Possible() {
		add("birth_date", FaultDate)
	}
	if lay.has("expiry_date") && !d.ExpiryDate.Possible() {
		add("expiry_date", FaultDate)
	}
	if d.Surname == "" {
		add("name", FaultNoName)
	}
	if d.Number == "" {
		add("document_number", FaultNoValue)
	}
}

// unlimited is the date of expiry of documents that have none, in some states.
const unlimited = "991231"

// Birth is the date of birth with its century: the latest that is not after today, the date of expiry, or another day on which the
// person was alive, such as that of issue. Somebody over 99 is taken for a child where no date of the document speaks against it.
func (d Document) Birth(today time.Time, alive ...time.Time) Calendar {
	by := today
	if e := d.Expiry(today); e.Year != 0 && d.ExpiryDate != unlimited {
		alive = append(alive, e.Last())
	}
	for _, day := range alive {
		if day.Before(by) {
			by = day
		}
	}
	return BirthDate(d.BirthDate, by)
}

// Expiry is the date of expiry with its century: within fifty years of today.
func (d Document) Expiry(today time.Time) Calendar { return ExpiryDate(d.ExpiryDate, today) }
