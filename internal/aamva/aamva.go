// Package aamva reads and writes the data of the bar code on North American
// driving licences and identification cards (AAMVA DL/ID Card Design Standard,
// annex D, versions 1 to 10).
//
// A payload is a header, a directory of subfiles and, in each subfile, elements
// of a three-letter code and a value. Issued cards often count their own
// lengths and offsets wrong by a few characters, so the directory is taken for
// a hint: what it gets wrong is flagged as a fault and the elements are read
// all the same. Dates are MMDDCCYY in the United States and CCYYMMDD in Canada.
// The payload is unsigned: it shows consistency, never authenticity.
package aamva

import (
	"errors"
	"strconv"
	"strings"
)

// ErrNotAAMVA says that the text is no AAMVA payload: its header is missing or
// holds no licence or identification subfile.
var ErrNotAAMVA = errors.New("not an AAMVA payload")

// FaultReason is what a card gets wrong although it can be read.
type FaultReason string

// The reasons of a fault.
const (
	FaultHeader  FaultReason = "header"  // control characters of the header are missing or others
	FaultVersion FaultReason = "version" // not 1 to 10
	FaultIssuer  FaultReason = "issuer"  // an issuer number that AAMVA does not list
	FaultOffset  FaultReason = "offset"  // a subfile does not begin where the directory says
	FaultLength  FaultReason = "length"  // a subfile is not as long as the directory says
	FaultElement FaultReason = "element" // text in a subfile that is no element
	FaultTwice   FaultReason = "twice"   // an element stands twice; the first counts
	FaultDate    FaultReason = "date"    // no day, or in the other country's order
	FaultMissing FaultReason = "missing" // a mandatory element is missing
)

// Fault says where a card deviates from the standard.
type Fault struct {
	Where  string // subfile type or element code; empty for the header
	Reason FaultReason
	By     int // for offset and length: how many characters it is off
}

// String is the fault as one word pair, as evidence shows it.
func (f Fault) String() string {
	s := string(f.Reason)
	if f.Where != "" {
		s += " " + f.Where
	}
	if f.By != 0 {
		s += " by " + strconv.Itoa(f.By)
	}
	return s
}

// Tolerance is by how many characters offsets and lengths of issued cards were
// seen to be off. What is off further is read too, but Payload.Sound is false.
const Tolerance = 3

// Payload is what a bar code says.
type Payload struct {
	IIN                 string // issuer identification number, six digits
	Jurisdiction        string // two-letter postal code of state or province, "" if the number is not listed
	Country             string // ICAO code: USA, CAN or "" if neither number nor elements tell
	Version             int    // of the standard, 1 to 10
	JurisdictionVersion int    // of the issuer's own, 0 in version 1
	Type                string // DL or ID
	Elements            map[string]string
	Faults              []Fault

	FamilyName   string
	GivenNames   string // first and middle names, joined by spaces
	Suffix       string
	NameCut      bool // the card says that a name is truncated
	Number       string
	DateOfBirth  string // YYYY-MM-DD, "" if missing or impossible
	DateOfExpiry string
	DateOfIssue  string
	Sex          string // M, F, X or ""
	Address      string // street, city, state and postal code, joined by commas
}

// Sound reports whether offsets and lengths are right within the tolerance,
// every date exists and no mandatory element is missing.
func (p Payload) Sound() bool {
	for _, f := range p.Faults {
		switch f.Reason {
		case FaultOffset, FaultLength:
			if f.By > Tolerance || f.By < -Tolerance {
				return false
			}
		case FaultDate, FaultMissing:
			return false
		}
	}
	return true
}

func (p *Payload) fault(where string, why FaultReason, by int) {
	p.Faults = append(p.Faults, Fault{where, why, by})
}

// Parse reads a payload as the bar code holds it (Latin-1 or ASCII). The error
// is ErrNotAAMVA; everything else that is wrong stands in Faults.
func Parse(text string) (Payload, error) {
	p := Payload{Elements: make(map[string]string)}
	dir, ok := p.readHeader(text)
	if !ok {
		return Payload{}, ErrNotAAMVA
	}
	p.readSubfiles(text, dir)
	if p.Type == "" {
		return Payload{}, ErrNotAAMVA
	}
	p.interpret()
	return p, nil
}

// entry of the directory.
type entry struct {
	kind           string
	offset, length int
}

// directory is what the header says about the subfiles.
type directory struct {
	entries []entry
	end     int // where the header ends
}

const standardStart = "@\n\x1e\r"

// readHeader reads annex D.12.3: compliance, separators, file type, issuer,
// versions, number of entries, and the entries.
func (p *Payload) readHeader(text string) (directory, bool) {
	at := -1
	for _, kind := range []string{"ANSI ", "AAMVA"} {
		if i := strings.Index(text, kind); i >= 0 && i <= 12 && (at < 0 || i < at) {
			at = i
		}
	}
	if at < 0 {
		return directory{}, false
	}
	if text[:at] != standardStart {
		p.fault("", FaultHeader, 0)
	}
	r := digits{text, at + 5}
	iin, ok := r.take(6)
	version, ok2 := r.take(2)
	if !ok || !ok2 {
		return directory{}, false
	}
	p.IIN, p.Version = iin, atoi(version)
	if p.Version < 1 || p.Version > 10 {
		p.fault("", FaultVersion, 0)
	}
	if p.Version >= 2 {
		v, _ := r.take(2)
		p.JurisdictionVersion = atoi(v)
	}
	n, ok := r.take(2)
	if !ok {
		return directory{}, false
	}
	if j, listed := jurisdictions[p.IIN]; listed {
		p.Jurisdiction, p.Country = j.code, j.country
	} else {
		p.fault("", FaultIssuer, 0)
	}
	return r.entries(atoi(n)), true
}

// digits reads fixed fields of the header.
type digits struct {
	text string
	at   int
}

func (d *digits) take(n int) (string, bool) {
	if d.at+n > len(d.text) {
		return "", false
	}
	s := d.text[d.at : d.at+n]
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return "", false
		}
	}
	d.at += n
	return s, true
}

func (d *digits) entries(n int) directory {
	var out directory
	for range min(n, 20) {
		if d.at+10 > len(d.text) {
			break
		}
		e := entry{kind: d.text[d.at : d.at+2]}
		d.at += 2
		offset, ok := d.take(4)
		length, ok2 := d.take(4)
		if !ok || !ok2 {
			d.at -= 2
			break
		}
		e.offset, e.length = atoi(offset), atoi(length)
		out.entries = append(out.entries, e)
	}
	out.end = d.at
	return out
}

func atoi(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
