package aamva

import (
	"errors"
	"fmt"
	"slices"
	"sort"
	"strings"
	"time"
)

// Write makes a payload of one subfile in the shape of its version from IIN,
// Country, Version, JurisdictionVersion, Type, the person's fields and Elements,
// which add to or replace what the fields give. Details and Address are written
// by their elements only. A name part that is cut (FamilyCut, GivenCut) says so
// from version 4 on.
func Write(p Payload) (string, error) {
	if p.Version < 1 || p.Version > 10 {
		return "", fmt.Errorf("write payload: version %d is not 1 to 10", p.Version)
	}
	if len(p.IIN) != 6 || !slices.Contains(persons, p.Type) {
		return "", errors.New("write payload: the issuer number has six digits and the type is DL, ID or EN")
	}
	elements, err := p.elements()
	if err != nil {
		return "", err
	}
	body := p.Type
	for i, code := range inOrder(elements) {
		if i > 0 {
			body += "\n"
		}
		body += code + elements[code]
	}
	body += "\r"
	head := fmt.Sprintf("%s%s%s%02d%02d01", standardStart, fileType, p.IIN, p.Version, p.JurisdictionVersion)
	if p.Version == 1 {
		head = fmt.Sprintf("%s%s%s0101", standardStart, fileTypeOne, p.IIN)
	}
	offset := len(head) + 10
	if len(body) > 9999 {
		return "", errors.New("write payload: a subfile has at most 9999 characters")
	}
	return fmt.Sprintf("%s%s%04d%04d%s", head, p.Type, offset, len(body), body), nil
}

func (p Payload) elements() (map[string]string, error) {
	m := p.nameElements()
	m["DAQ"] = p.Number
	m["DBC"] = map[string]string{"M": "1", "F": "2", "X": "9"}[p.Sex]
	if p.Version == 1 {
		m["DBC"] = p.Sex
	} else {
		m["DCG"] = p.Country
	}
	form := dateOrder(p.Country, p.Version)[0]
	for code, day := range map[string]string{"DBB": p.DateOfBirth, "DBA": p.DateOfExpiry, "DBD": p.DateOfIssue} {
		if day == "" {
			continue
		}
		t, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return nil, fmt.Errorf("write payload: element %s: %w", code, err)
		}
		m[code] = t.Format(form)
	}
	for code, v := range p.Elements {
		m[code] = v
	}
	for code, v := range m {
		if v == "" {
			delete(m, code)
			continue
		}
		if !isCode(code) || strings.ContainsAny(v, "\n\r\x1e") {
			return nil, fmt.Errorf("write payload: element %q cannot be written", code)
		}
	}
	return m, nil
}

// nameElements writes the name as the version does.
func (p Payload) nameElements() map[string]string {
	first, middle, _ := strings.Cut(p.GivenNames, " ")
	if p.Version == 1 {
		all := p.FamilyName + "," + first
		if middle != "" || p.Suffix != "" {
			all += "," + middle
		}
		if p.Suffix != "" {
			all += "," + p.Suffix
		}
		return map[string]string{"DAA": all}
	}
	m := map[string]string{"DCS": p.FamilyName, "DCU": p.Suffix}
	if p.Version < 4 {
		m["DCT"] = p.GivenNames
		return m
	}
	flag := func(cut bool) string {
		if cut {
			return "T"
		}
		return "N"
	}
	m["DAC"], m["DAD"] = first, middle
	m["DDE"], m["DDF"], m["DDG"] = flag(p.FamilyCut), flag(p.GivenCut && middle == ""), flag(p.GivenCut && middle != "")
	return m
}

// inOrder puts the number first, as issued cards do.
func inOrder(m map[string]string) []string {
	codes := make([]string, 0, len(m))
	for c := range m {
		codes = append(codes, c)
	}
	sort.Slice(codes, func(i, j int) bool {
		if (codes[i] == "DAQ") != (codes[j] == "DAQ") {
			return codes[i] == "DAQ"
		}
		return codes[i] < codes[j]
	})
	return codes
}
