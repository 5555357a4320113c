package aamva

import "strings"

// vital elements, those of each group by whichever code the version uses: a
// card without one of them is not sound.
var vital = map[string]bool{"DAQ": true, "DCS": true, "DBB": true, "DBA": true}

// mandatory elements by the versions that ask for them (annex D.12.5.1), with
// the codes that stood in their place before; since is 1 for those of all.
var mandatory = []struct {
	codes []string
	since int
	only  string // subfile type, "" for all
}{
	{[]string{"DAQ"}, 1, ""}, {[]string{"DCS", "DAB", "DAA"}, 1, ""}, {[]string{"DBB"}, 1, ""}, {[]string{"DBA"}, 1, ""},
	{[]string{"DAC", "DCT", "DAA"}, 1, ""}, {[]string{"DBD"}, 1, ""}, {[]string{"DBC"}, 1, ""},
	{[]string{"DAG", "DAL"}, 1, ""}, {[]string{"DAI", "DAN"}, 1, ""}, {[]string{"DAJ", "DAO"}, 1, ""}, {[]string{"DAK", "DAP"}, 1, ""},
	{[]string{"DCA", "DAR"}, 1, "DL"}, {[]string{"DCB", "DAS"}, 1, "DL"}, {[]string{"DCD", "DAT"}, 1, "DL"},
	{[]string{"DAU", "DAV"}, 2, ""}, {[]string{"DAY"}, 2, ""}, {[]string{"DCF"}, 2, ""}, {[]string{"DCG"}, 2, ""},
}

func (p *Payload) interpret() {
	for _, m := range mandatory {
		if p.Version < m.since || m.only != "" && m.only != p.Type {
			continue
		}
		if p.first(m.codes...) == "" && (vital[m.codes[0]] || !p.has(m.codes...)) {
			p.fault(m.codes[0], FaultMissing, 0)
		}
	}
	p.readCountry()
	p.readName()
	p.Number = p.first("DAQ")
	p.DateOfBirth, p.DateOfExpiry, p.DateOfIssue = p.date("DBB", "DBL"), p.date("DBA"), p.date("DBD")
	p.Sex = sexes[strings.ToUpper(p.first("DBC"))]
	p.readDetails()
	p.readAddress()
}

var sexes = map[string]string{
	"1": "M", "M": "M", "MALE": "M", "2": "F", "F": "F", "FEMALE": "F", "9": "X", "X": "X", "0": "X", "3": "X", "N": "X",
}

// absent are values that stand for no value.
var absent = map[string]bool{"NONE": true, "UNAVL": true, "UNAVAIL": true, "N/A": true, "NA": true, "UNK": true}

// alsoNames are those of absent that people are called, such as the Korean family name Na.
var alsoNames = map[string]bool{"NA": true, "UNK": true}

// nameElements hold one name each: of the holder, and of an alias.
var nameElements = map[string]bool{
	"DCS": true, "DAB": true, "DAC": true, "DAD": true, "DCT": true, "DBN": true, "DBG": true, "DBO": true, "DBP": true,
}

// first is the value of the first of these elements that the card has.
func (p *Payload) first(codes ...string) string {
	for _, c := range codes {
		v := p.Elements[c]
		if upper := strings.ToUpper(v); v != "" && (!absent[upper] || nameElements[c] && alsoNames[upper]) {
			return v
		}
	}
	return ""
}

// has reports whether one of the elements stands on the card, even if it says that there is nothing to say.
func (p *Payload) has(codes ...string) bool {
	for _, c := range codes {
		if _, ok := p.Elements[c]; ok {
			return true
		}
	}
	return false
}

func (p *Payload) readCountry() {
	switch v := strings.ToUpper(p.first("DCG")); v {
	case "USA", "CAN", "MEX":
		p.Country = v
	case "US":
		p.Country = "USA"
	case "CA":
		p.Country = "CAN"
	}
}

// readName: versions 4 and later have family, first and middle name; 2 and 3
// family and all given names; version 1 may have one element of all.
func (p *Payload) readName() {
	p.FamilyName = spaced(p.first("DCS", "DAB"))
	p.GivenNames = spaced(p.first("DCT"))
	if v := p.first("DAC"); v != "" {
		p.GivenNames = spaced(v + " " + p.first("DAD"))
	}
	p.Suffix = p.first("DCU", "DAE")
	if all := p.first("DAA"); p.FamilyName == "" && all != "" {
		p.readFullName(all)
	}
	p.FamilyCut = strings.EqualFold(p.Elements["DDE"], "T")
	p.GivenCut = strings.EqualFold(p.Elements["DDF"], "T") || strings.EqualFold(p.Elements["DDG"], "T")
}

// readFullName divides the name of version 1: family, first, middle, suffix,
// with commas or, from some issuers, at signs between them.
func (p *Payload) readFullName(all string) {
	by := ","
	if !strings.Contains(all, by) {
		by = "@"
	}
	parts := strings.Split(all, by)
	p.FamilyName = spaced(parts[0])
	if len(parts) == 1 {
		p.fault("DAA", FaultName, 0)
		return
	}
	p.GivenNames = spaced(strings.Join(parts[1:min(3, len(parts))], " "))
	if len(parts) > 3 && p.Suffix == "" {
		p.Suffix = spaced(parts[3])
	}
}

func spaced(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '@' }), " ")
}

// compareState notes a card whose addresses are all outside the issuer's state or province. One address inside is enough. Codes that belong
// to no issuer, such as those of military post, are ignored.
func (p *Payload) compareState() {
	if p.Jurisdiction == "" {
		return
	}
	other := ""
	for _, element := range []string{"DAJ", "DAO"} {
		switch code := strings.ToUpper(strings.TrimSpace(p.first(element))); {
		case code == p.Jurisdiction:
			return
		case other == "" && isJurisdiction(code):
			other = element
		}
	}
	if other != "" {
		p.fault(other, FaultState, 0)
	}
}

// readAddress takes the mailing address, or the residence where that alone is given.
func (p *Payload) readAddress() {
	p.Street, p.Street2, p.City = p.first("DAG", "DAL"), p.first("DAH", "DAM"), p.first("DAI", "DAN")
	p.State = p.first("DAJ", "DAO")
	p.PostalCode = p.first("DAK", "DAP")
	p.compareState()
	if p.Country != "CAN" {
		// Nine digits, of which the last four may stand for nothing.
		p.PostalCode = strings.TrimRight(strings.TrimSuffix(p.PostalCode, "0000"), "- ")
	}
	var parts []string
	for _, v := range []string{p.Street, p.Street2, p.City, p.State, p.PostalCode} {
		if v != "" {
			parts = append(parts, v)
		}
	}
	p.Address = strings.Join(parts, ", ")
}
