package aamva

import (
	"strings"
	"time"
)

// mandatory elements, those of each group by whichever code the version uses
// (annex D.12.5.1).
var mandatory = [][]string{{"DAQ"}, {"DCS", "DAB", "DAA"}, {"DBB"}, {"DBA"}}

func (p *Payload) interpret() {
	for _, group := range mandatory {
		if p.first(group...) == "" {
			p.fault(group[0], FaultMissing, 0)
		}
	}
	p.readCountry()
	p.readName()
	p.Number = p.first("DAQ")
	p.DateOfBirth, p.DateOfExpiry, p.DateOfIssue = p.date("DBB"), p.date("DBA"), p.date("DBD")
	p.Sex = sexes[strings.ToUpper(p.first("DBC"))]
	p.readAddress()
}

var sexes = map[string]string{"1": "M", "M": "M", "2": "F", "F": "F", "9": "X", "X": "X", "0": "X"}

// absent are values that stand for no value.
var absent = map[string]bool{"NONE": true, "UNAVL": true, "UNAVAIL": true, "N/A": true}

// first is the value of the first of these elements that the card has.
func (p *Payload) first(codes ...string) string {
	for _, c := range codes {
		if v := p.Elements[c]; v != "" && !absent[strings.ToUpper(v)] {
			return v
		}
	}
	return ""
}

func (p *Payload) readCountry() {
	switch v := strings.ToUpper(p.first("DCG")); v {
	case "USA", "CAN", "MEX":
		p.Country = v
	}
}

// readName: versions 4 and later have family, first and middle name; 2 and 3
// family and all given names; version 1 may have one element of all, by commas.
func (p *Payload) readName() {
	p.FamilyName = p.first("DCS", "DAB")
	p.GivenNames = spaced(p.first("DCT"))
	if v := p.first("DAC"); v != "" {
		p.GivenNames = spaced(v + " " + p.first("DAD"))
	}
	p.Suffix = p.first("DCU", "DAE")
	if all := p.first("DAA"); p.FamilyName == "" && all != "" {
		family, given, _ := strings.Cut(all, ",")
		if !strings.Contains(all, ",") {
			family, given, _ = strings.Cut(all, "@")
		}
		p.FamilyName, p.GivenNames = spaced(family), spaced(given)
	}
	for _, code := range []string{"DDE", "DDF", "DDG"} {
		p.NameCut = p.NameCut || p.Elements[code] == "T"
	}
}

func spaced(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return r == ' ' || r == ',' || r == '@' }), " ")
}

func (p *Payload) readAddress() {
	postal := p.first("DAK")
	if p.Country == "USA" {
		postal = strings.TrimSuffix(strings.TrimSpace(postal), "0000")
	}
	var parts []string
	for _, v := range []string{p.first("DAG", "DAL"), p.first("DAH", "DAM"), p.first("DAI", "DAN"), p.first("DAJ", "DAO"), postal} {
		if v = strings.TrimSpace(v); v != "" {
			parts = append(parts, v)
		}
	}
	p.Address = strings.Join(parts, ", ")
}

// date reads an element in the country's order; where only the other order
// gives a day, that one counts and is flagged.
func (p *Payload) date(code string) string {
	v := p.first(code)
	if v == "" {
		return ""
	}
	american, canadian := "01022006", "20060102"
	order := []string{american, canadian}
	if p.Country == "CAN" || p.Version == 1 {
		order = []string{canadian, american}
	}
	for i, form := range order {
		t, err := time.Parse(form, v)
		if err != nil || t.Year() < 1880 || t.Year() > 2120 {
			continue
		}
		if i > 0 && p.Country != "" && p.Version != 1 {
			p.fault(code, FaultDate, 0)
		}
		return t.Format(time.DateOnly)
	}
	p.fault(code, FaultDate, 0)
	return ""
}
