package optical

import (
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/optical/page"
)

type factPlace struct {
	name  idv.ClaimName
	field string
}

// factPlaces names, for each fact, the field of the zone that states it.
var factPlaces = []factPlace{
	{idv.FamilyName, "name"}, {idv.GivenNames, "name"}, {idv.DocumentNumber, "document_number"},
	{idv.DateOfBirth, "birth_date"}, {idv.DateOfExpiry, "expiry_date"}, {idv.Sex, "sex"},
	{idv.Nationality, "nationality"}, {idv.Issuer, "issuer"}, {idv.PersonalNumber, "optional"},
}

// value is what the zone states about a fact; "" for nothing.
func (z *Zone) value(today time.Time, name idv.ClaimName) string {
	d := z.Document
	switch name {
	case idv.FamilyName:
		return d.Surname
	case idv.GivenNames:
		return d.GivenNames
	case idv.DocumentNumber:
		return strings.ReplaceAll(d.Number, " ", "")
	case idv.DateOfBirth:
		return z.birth(today).String()
	case idv.DateOfExpiry:
		if d.ExpiryDate == "" {
			return ""
		}
		return d.Expiry(today).String()
	case idv.Sex:
		return d.Sex
	case idv.Nationality:
		return icao.ClaimedState(d.Nationality)
	case idv.Issuer:
		return icao.ClaimedState(d.Issuer)
	case idv.PersonalNumber:
		return personalNumber(d)
	}
	return ""
}

// personalNumber is the optional field of passports, which states use for it; elsewhere the field is the issuer's own.
func personalNumber(d mrz.Document) string {
	if d.Format != mrz.TD3 || d.Kind() != icao.Passport {
		return ""
	}
	return strings.ReplaceAll(d.Optional, " ", "")
}

// zoneClaims are the facts that the zone states, each with the place of its characters.
func (w printedText) zoneClaims() []idv.Claim {
	z := w.page.MRZ
	var out []idv.Claim
	for _, f := range factPlaces {
		v := z.value(w.now(), f.name)
		if v == "" {
			continue
		}
		c := idv.Claim{Name: f.name, Value: v, Source: idv.FromMRZ}
		c.Box, c.Confidence = z.span(f.name, f.field)
		out = append(out, c)
	}
	return out
}

// span is the box round a field's characters, without trailing fillers, and the mean of their confidence.
func (z *Zone) span(name idv.ClaimName, field string) (*idv.Box, float64) {
	format := z.Document.Format
	if format == mrz.IDFRA && name == idv.FamilyName {
		field = "surname"
	}
	if format == mrz.IDFRA && name == idv.GivenNames {
		field = "given_names"
	}
	line, from, to, ok := mrz.PlaceOf(format, field)
	if !ok || line >= len(z.boxes) {
		return nil, z.Confidence
	}
	text := z.Lines[line][from:to]
	if field == "name" {
		primary, _, both := strings.Cut(text, "<<")
		switch {
		case name == idv.FamilyName && both:
			to = from + len(primary)
		case name == idv.GivenNames && both:
			from += len(primary) + 2
		}
	}
	for to > from+1 && z.Lines[line][to-1] == '<' {
		to--
	}
	box, sum := z.boxes[line][from], 0.0
	for i := from; i < to; i++ {
		box = page.Union(box, z.boxes[line][i])
		sum += z.Characters[line][i]
	}
	return &box, sum / float64(to-from)
}
