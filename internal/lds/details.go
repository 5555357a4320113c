package lds

import (
	"encoding/hex"
	"strings"

	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Person is DG11, additional personal details (ICAO 9303-10 section 4.7.11). What a document does not have is empty.
type Person struct {
	Name           string   `json:"name,omitempty"` // in national characters, surname and given names with a comma between
	OtherNames     []string `json:"other_names,omitempty"`
	PersonalNumber string   `json:"personal_number,omitempty"`
	Birth          string   `json:"date_of_birth,omitempty"` // YYYYMMDD
	BirthPlace     []string `json:"place_of_birth,omitempty"`
	Address        []string `json:"address,omitempty"`
	Telephone      string   `json:"telephone,omitempty"`
	Profession     string   `json:"profession,omitempty"`
	Title          string   `json:"title,omitempty"`
	Summary        string   `json:"summary,omitempty"`
	OtherDocuments []string `json:"other_documents,omitempty"`
	Custody        string   `json:"custody,omitempty"`
}

// ParsePerson reads DG11.
func ParsePerson(raw []byte) (*Person, error) {
	parts, others, err := details(raw, "DG11", 0x5F0F)
	if err != nil {
		return nil, err
	}
	return &Person{
		Name: text(parts[0x5F0E]), OtherNames: others, PersonalNumber: text(parts[0x5F10]), Birth: date(parts[0x5F2B]),
		BirthPlace: split(parts[0x5F11]), Address: split(parts[0x5F42]), Telephone: text(parts[0x5F12]), Profession: text(parts[0x5F13]),
		Title: text(parts[0x5F14]), Summary: text(parts[0x5F15]), OtherDocuments: split(parts[0x5F17]), Custody: text(parts[0x5F18]),
	}, nil
}

// Issue is DG12, additional details of the document (ICAO 9303-10 section 4.7.12). What a document does not have is empty.
type Issue struct {
	Authority    string   `json:"authority,omitempty"`
	Date         string   `json:"date_of_issue,omitempty"` // YYYYMMDD
	Others       []string `json:"others,omitempty"`
	Endorsements string   `json:"endorsements,omitempty"`
	Tax          string   `json:"tax_or_exit,omitempty"`
	Personalized string   `json:"personalized,omitempty"` // YYYYMMDDhhmmss
	System       string   `json:"personalization_system,omitempty"`
}

// ParseIssue reads DG12.
func ParseIssue(raw []byte) (*Issue, error) {
	parts, others, err := details(raw, "DG12", 0x5F1A)
	if err != nil {
		return nil, err
	}
	return &Issue{
		Authority: text(parts[0x5F19]), Date: date(parts[0x5F26]), Others: others, Endorsements: text(parts[0x5F1B]),
		Tax: text(parts[0x5F1C]), Personalized: date(parts[0x5F55]), System: text(parts[0x5F56]),
	}, nil
}

// details reads a group of tagged details, and the list of others that A0 holds.
func details(raw []byte, f File, other tlv.Tag) (map[tlv.Tag][]byte, []string, error) {
	e, err := open(raw, f)
	if err != nil {
		return nil, nil, err
	}
	children, err := e.Children()
	if err != nil {
		return nil, nil, err
	}
	parts := map[tlv.Tag][]byte{}
	var others []string
	for _, c := range children {
		if _, twice := parts[c.Tag]; twice {
			return nil, nil, refusal.New(Malformed, "%s has %X twice", f, uint32(c.Tag))
		}
		parts[c.Tag] = c.Content
		if c.Tag != 0xA0 {
			continue
		}
		list, err := c.Children()
		if err != nil {
			return nil, nil, err
		}
		for _, o := range list {
			if o.Tag == other {
				others = append(others, text(o.Content))
			}
		}
	}
	if _, listed := parts[0x5C]; !listed {
		return nil, nil, refusal.New(Malformed, "%s lacks its list of tags", f)
	}
	return parts, others, nil
}

// date returns the digits of a date, which are written as characters or, two a byte, as numbers.
func date(raw []byte) string {
	s := string(raw)
	if len(raw) == 4 || len(raw) == 7 {
		s = hex.EncodeToString(raw)
	}
	if strings.Trim(s, "0123456789") != "" {
		return ""
	}
	return s
}

// split returns the parts of a detail, which < separates.
func split(raw []byte) []string {
	var out []string
	for part := range strings.SplitSeq(string(raw), "<") {
		if part = text([]byte(part)); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// ParseActiveKey reads DG15, the key of Active Authentication.
func ParseActiveKey(raw []byte) (*pki.PublicKey, error) {
	e, err := open(raw, "DG15")
	if err != nil {
		return nil, err
	}
	inner, err := tlv.Parse(e.Content)
	if err != nil {
		return nil, err
	}
	return pki.ParsePublicKey(inner)
}

// SameZone reports whether two zones say the same, character by character and line by line.
func SameZone(a, b mrz.Document) bool {
	return strings.Join(a.Lines, "\n") == strings.Join(b.Lines, "\n")
}
