package pki

import (
	"slices"
	"strings"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Name is a distinguished name.
type Name struct {
	Country string // two capital letters, or what the name has for them; empty if it has none
	text    string
	key     string
}

// String implements fmt.Stringer: "C=DE, O=bund, CN=csca-germany", without characters that a terminal would act on.
func (n Name) String() string { return n.text }

// Equal compares names as RFC 5280 section 7.1 asks: without regard to case, kind of string and repeated spaces.
func (n Name) Equal(o Name) bool { return n.key == o.key }

const oidCountry = "2.5.4.6"

var attributes = map[string]string{
	"2.5.4.3": "CN", "2.5.4.5": "serialNumber", oidCountry: "C", "2.5.4.7": "L", "2.5.4.8": "ST", "2.5.4.10": "O", "2.5.4.11": "OU",
	"1.2.840.113549.1.9.1": "E", "0.9.2342.19200300.100.1.25": "DC",
}

// ParseName reads a distinguished name.
func ParseName(e tlv.Element) (Name, error) {
	sets, err := e.Children()
	if err != nil {
		return Name{}, err
	}
	var n Name
	var texts, keys []string
	for _, set := range sets {
		members, err := set.Children()
		if err != nil {
			return Name{}, err
		}
		var together []string
		for _, m := range members {
			oid, value, err := attribute(m)
			if err != nil {
				return Name{}, err
			}
			if oid == oidCountry && n.Country == "" {
				n.Country = strings.ToUpper(value)
			}
			together = append(together, oid+"\x01"+strings.ToLower(strings.Join(strings.Fields(value), " ")))
			texts = append(texts, label(oid)+"="+value)
		}
		slices.Sort(together)
		keys = append(keys, strings.Join(together, "\x02"))
	}
	n.text, n.key = strings.Join(texts, ", "), strings.Join(keys, "\x03")
	return n, nil
}

func attribute(e tlv.Element) (oid, value string, err error) {
	r := tlv.Read(e, tlv.Sequence)
	kind, text := r.Take(tlv.ObjectID), r.Any()
	if err := r.End(); err != nil {
		return "", "", err
	}
	oid, err = kind.OID()
	return oid, printable(text.Text()), err
}

func label(oid string) string {
	if l, ok := attributes[oid]; ok {
		return l
	}
	return oid
}

// printable leaves out what would move a cursor or hide text.
func printable(s string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return -1
	}, s))
}
