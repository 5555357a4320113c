package aamva

import (
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"
)

// Write makes a payload of the current shape (header, directory of one subfile,
// elements) from IIN, Country, Version, JurisdictionVersion, Type, the person's
// fields and Elements, which add to or replace what the fields give. Address
// is written by its elements (DAG, DAI, DAJ, DAK) only. Versions 2 and later.
func Write(p Payload) (string, error) {
	if p.Version < 2 || p.Version > 10 {
		return "", fmt.Errorf("write payload: version %d is not 2 to 10", p.Version)
	}
	if len(p.IIN) != 6 || p.Type != "DL" && p.Type != "ID" {
		return "", errors.New("write payload: the issuer number has six digits and the type is DL or ID")
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
	head := fmt.Sprintf("%sANSI %s%02d%02d01", standardStart, p.IIN, p.Version, p.JurisdictionVersion)
	offset := len(head) + 10
	if len(body) > 9999 {
		return "", errors.New("write payload: a subfile has at most 9999 characters")
	}
	return fmt.Sprintf("%s%s%04d%04d%s", head, p.Type, offset, len(body), body), nil
}

func (p Payload) elements() (map[string]string, error) {
	m := map[string]string{"DCS": p.FamilyName, "DAQ": p.Number, "DCG": p.Country, "DCU": p.Suffix}
	first, middle, _ := strings.Cut(p.GivenNames, " ")
	if p.Version >= 4 {
		m["DAC"], m["DAD"] = first, middle
		m["DDE"], m["DDF"], m["DDG"] = "N", "N", "N"
	} else {
		m["DCT"] = p.GivenNames
	}
	m["DBC"] = map[string]string{"M": "1", "F": "2", "X": "9"}[p.Sex]
	for code, day := range map[string]string{"DBB": p.DateOfBirth, "DBA": p.DateOfExpiry, "DBD": p.DateOfIssue} {
		if day == "" {
			continue
		}
		t, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return nil, fmt.Errorf("write payload: element %s: %w", code, err)
		}
		form := "01022006"
		if p.Country == "CAN" {
			form = "20060102"
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
