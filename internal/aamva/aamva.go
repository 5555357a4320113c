// Package aamva reads and writes the data of the bar code on North American
// driving licences and identification cards (AAMVA DL/ID Card Design Standard,
// annex D, versions 1 to 10).
//
// A payload is a header, a directory of subfiles and, in each subfile, elements
// of a three-letter code and a value. Issued cards count their own lengths and
// offsets wrong, forget terminators and add line ends, so the directory is taken
// for a hint: what a card gets wrong is flagged as a fault and its elements are
// read all the same. Dates are MMDDCCYY in the United States and CCYYMMDD in
// Canada and in version 1. The payload is unsigned: it shows consistency, never
// authenticity.
package aamva

import (
	"errors"
	"strconv"
	"strings"
)

// ErrNotAAMVA says that the text is no AAMVA payload: its header is missing or
// holds no licence or identification subfile.
var ErrNotAAMVA = errors.New("not an AAMVA payload")

// Payload is what a bar code says.
type Payload struct {
	IIN                 string // issuer identification number, six digits
	Jurisdiction        string // two-letter postal code of state or province, "" if the number is not listed
	JurisdictionName    string // in English, "" if the number is not listed
	Country             string // ICAO code: USA, CAN, MEX or "" if neither number nor elements tell
	Version             int    // of the standard, 1 to 10
	JurisdictionVersion int    // of the issuer's own, 0 in version 1
	Type                string // DL, ID, or EN for an enhanced licence
	Elements            map[string]string
	Faults              []Fault

	FamilyName   string
	GivenNames   string // first and middle names, joined by spaces
	Suffix       string
	FamilyCut    bool // the card says that the family name is truncated
	GivenCut     bool // … that the first or a middle name is
	Number       string
	DateOfBirth  string // YYYY-MM-DD, "" if missing or impossible
	DateOfExpiry string
	DateOfIssue  string
	Sex          string // M, F, X or ""
	Address      string // street, city, state and postal code, joined by commas
	Details
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
	offset, length int // length 0: the directory does not tell where it is
}

// directory is what the header says about the subfiles.
type directory struct {
	entries []entry
	end     int // where the header ends
}

// The starts of a header: the compliance mark, the separators and the file type,
// which was AAMVA in version 1.
const (
	standardStart = "@\n\x1e\r"
	fileType      = "ANSI "
	fileTypeOne   = "AAMVA"
)

// farthestStart is how many characters may stand before the file type.
const farthestStart = 12

// readHeader reads annex D.12.3: compliance, separators, file type, issuer,
// versions, number of entries, and the entries.
func (p *Payload) readHeader(text string) (directory, bool) {
	at, kind := -1, ""
	head := strings.ToUpper(text[:min(len(text), farthestStart+len(fileType))])
	for _, k := range []string{fileType, fileTypeOne} {
		if i := strings.Index(head, k); i >= 0 && (at < 0 || i < at) {
			at, kind = i, k
		}
	}
	if at < 0 {
		return directory{}, false
	}
	at = min(at, len(text)) // the upper case of a foreign letter may be longer
	if text[:at] != standardStart {
		p.fault("", FaultHeader, 0)
	}
	r := digits{text, at + len(kind)}
	run := r.run()
	iin, ok := r.next(6)
	version, ok2 := r.next(2)
	if !ok || !ok2 {
		return directory{}, false
	}
	p.IIN, p.Version = iin, atoi(version)
	if p.Version < 1 || p.Version > 10 {
		p.fault("", FaultVersion, 0)
	}
	if (kind == fileTypeOne) != (p.Version <= 1) {
		p.fault("", FaultFileType, 0)
	}
	// Version 1 has no version of the issuer's own: ten digits, not twelve. Cards
	// of either kind exist in either version.
	if run >= 12 {
		v, _ := r.next(2)
		p.JurisdictionVersion = atoi(v)
	}
	if run != 12 && p.Version >= 2 || run != 10 && p.Version < 2 {
		p.fault("", FaultDigits, 0)
	}
	n, ok := r.next(2)
	if !ok {
		return directory{}, false
	}
	p.readIssuer()
	dir := r.entries()
	if len(dir.entries) != atoi(n) && len(dir.entries) > 0 {
		p.fault("", FaultDirectory, len(dir.entries)-atoi(n))
	}
	return dir, true
}

func (p *Payload) readIssuer() {
	j, listed := jurisdictions[p.IIN]
	if !listed {
		p.fault("", FaultIssuer, 0)
		return
	}
	p.Jurisdiction, p.JurisdictionName, p.Country = j.code, j.name, j.country
}

// digits reads fixed fields of the header.
type digits struct {
	text string
	at   int
}

// run counts the digits that follow.
func (d *digits) run() int {
	n := 0
	for d.at+n < len(d.text) && isDigit(d.text[d.at+n]) {
		n++
	}
	return n
}

func (d *digits) next(n int) (string, bool) {
	if d.at+n > len(d.text) || d.run() < n {
		return "", false
	}
	s := d.text[d.at : d.at+n]
	d.at += n
	return s, true
}

// mostEntries bounds a directory.
const mostEntries = 20

// entries reads as many as there are, whatever the header counts.
func (d *digits) entries() directory {
	var out directory
	for len(out.entries) < mostEntries && d.at+10 <= len(d.text) {
		kind := strings.ToUpper(d.text[d.at : d.at+2])
		if !isLetter(kind[0]) || len(kind) != 2 || !isLetter(kind[1]) {
			break
		}
		d.at += 2
		offset, ok := d.next(4)
		length, ok2 := d.next(4)
		if !ok || !ok2 {
			d.at -= 2
			break
		}
		out.entries = append(out.entries, entry{kind, atoi(offset), atoi(length)})
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

func isDigit(c byte) bool  { return c >= '0' && c <= '9' }
func isLetter(c byte) bool { return c >= 'A' && c <= 'Z' }
