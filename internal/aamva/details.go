package aamva

import (
	"math"
	"strings"
	"time"
)

// Details are what a card says beyond the holder's name, number and dates. What it does not say is empty, zero or false.
type Details struct {
	Street, Street2, City, State, PostalCode string

	HeightCM     int
	WeightKG     int
	Eyes, Hair   string // the standard's three letters: BRO, BLU, …
	PlaceOfBirth string

	VehicleClass, Restrictions, Endorsements string // the issuer's own codes; NONE is empty

	Discriminator string // tells this card from others of the same holder
	Inventory     string // number of the blank
	Audit         string

	Compliance   string // F: REAL ID, N: not
	DateRevised  string // of the card's design, YYYY-MM-DD
	HazMatExpiry string
	Under18Until string
	Under19Until string
	Under21Until string
	LimitedStay  bool
	OrganDonor   bool
	Veteran      bool

	AliasFamily, AliasGiven, AliasSuffix string
}

func (p *Payload) readDetails() {
	d := &p.Details
	d.HeightCM = heightCM(p.first("DAU", "DAV"))
	if v := p.first("DAV"); p.Version <= 1 && v != "" {
		d.HeightCM = heightCM(v + " CM")
	}
	d.WeightKG = number(p.first("DAX"))
	if pounds := number(p.first("DAW")); d.WeightKG == 0 {
		d.WeightKG = int(math.Round(float64(pounds) * .45359237))
	}
	d.Eyes, d.Hair = strings.ToUpper(p.first("DAY")), strings.ToUpper(p.first("DAZ"))
	d.PlaceOfBirth = p.first("DCI")
	d.VehicleClass, d.Restrictions, d.Endorsements = p.first("DCA", "DAR"), p.first("DCB", "DAS"), p.first("DCD", "DAT")
	d.Discriminator, d.Inventory, d.Audit = p.first("DCF"), p.first("DCK"), p.first("DCJ")
	d.Compliance = strings.ToUpper(p.first("DDA"))
	d.DateRevised, d.HazMatExpiry = p.date("DDB"), p.date("DDC")
	d.Under18Until, d.Under19Until, d.Under21Until = p.date("DDH"), p.date("DDI"), p.date("DDJ")
	d.LimitedStay, d.Veteran = p.Elements["DDD"] == "1", p.Elements["DDL"] == "1"
	donor := strings.ToUpper(p.first("DDK", "DBH"))
	d.OrganDonor = donor == "1" || donor == "Y"
	d.AliasFamily, d.AliasGiven, d.AliasSuffix = p.first("DBN"), p.first("DBG"), p.first("DBS")
	if p.Version <= 1 { // DBG was the medical indicator, and aliases had other codes
		d.AliasFamily, d.AliasGiven, d.AliasSuffix = p.first("DBO"), p.first("DBP"), p.first("DBR")
	}
}

// number is the first run of digits, 0 if there is none or it is no number of a person.
func number(s string) int {
	runs := strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if len(runs) == 0 || len(runs[0]) > 4 {
		return 0
	}
	return atoi(runs[0])
}

// tallest is a height in centimetres that nobody has.
const tallest = 300

// heightCM reads "073 in", "185 cm", feet and inches as 6'01", 6-01 or, in version 1, 601. 0 if it is none of these.
func heightCM(s string) int {
	s = strings.ToUpper(s)
	runs := strings.FieldsFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if len(runs) == 0 || len(runs[0]) > 4 {
		return 0
	}
	n := atoi(runs[0])
	feet, inches := 0, 0
	switch {
	case len(runs) == 2 && len(runs[0]) == 1 && len(runs[1]) <= 2:
		feet, inches = n, atoi(runs[1])
	case strings.Contains(s, "CM") && n >= tallest:
		return 0
	case strings.Contains(s, "CM") || n >= 100 && n < tallest && !strings.Contains(s, "IN"):
		return n
	case n < 100:
		inches = n
	default:
		feet, inches = n/100, n%100
	}
	if feet > 8 || feet > 0 && inches > 11 {
		return 0
	}
	return int(math.Round(float64(12*feet+inches) * 2.54))
}

// The orders of a date.
const (
	monthFirst = "01022006"
	yearFirst  = "20060102"
)

// dateOrder is the order that a version's cards of a country use, and the other one.
func dateOrder(country string, version int) [2]string {
	if country == "CAN" || version <= 1 {
		return [2]string{yearFirst, monthFirst}
	}
	return [2]string{monthFirst, yearFirst}
}

// date reads the first of these elements that the card has. Where only the other order gives a day, that one counts and
// is flagged: with years of 1880 to 2120 no text is a day in both orders.
func (p *Payload) date(codes ...string) string {
	v := p.first(codes...)
	bare := strings.Map(func(r rune) rune {
		if r >= '0' && r <= '9' {
			return r
		}
		return -1
	}, v)
	if v == "" || strings.Trim(bare, "0") == "" && bare != "" {
		return ""
	}
	for i, form := range dateOrder(p.Country, p.Version) {
		t, err := time.Parse(form, bare)
		if err != nil || t.Year() < 1880 || t.Year() > 2120 {
			continue
		}
		if i > 0 && p.Country != "" {
			p.fault(codes[0], FaultOrder, 0)
		}
		return t.Format(time.DateOnly)
	}
	p.fault(codes[0], FaultDate, 0)
	return ""
}
