package aamva

import "testing"

func TestHeightsAreReadInEveryForm(t *testing.T) {
	for _, c := range []struct {
		text string
		want int
	}{
		{"073 in", 185}, {"073 IN", 185}, {"73", 185}, {"185 cm", 185}, {"185", 185}, {"6'01\"", 185}, {"6-01", 185}, {"601", 185}, {"700 cm", 0},
		{"510", 178}, {"5'-10\"", 178}, {"", 0}, {"NONE", 0}, {"699", 0}, {"99999", 0}, {"9-00", 0},
	} {
		if got := heightCM(c.text); got != c.want {
			t.Errorf("%q: %d, want %d", c.text, got, c.want)
		}
	}
}

func TestDetailsAreTyped(t *testing.T) {
	p, err := Parse(write(t, card(func(p *Payload) {
		for code, v := range map[string]string{
			"DAW": "150", "DAZ": "BLK", "DCI": "UTOPOLIS", "DCK": "123", "DDA": "F", "DDB": "08292017", "DDD": "1", "DDK": "1", "DDL": "1",
			"DDH": "08122040", "DBN": "OTHER", "DCU": "JR", "DAH": "APT 2", "DCD": "HX",
		} {
			p.Elements[code] = v
		}
	})))
	if err != nil {
		t.Fatal(err)
	}
	want := Details{
		Street: "1 MAIN STREET", Street2: "APT 2", City: "UTOPOLIS", State: "CA", PostalCode: "90223", HeightCM: 163, WeightKG: 68,
		Eyes: "BRO", Hair: "BLK", PlaceOfBirth: "UTOPOLIS", VehicleClass: "C", Endorsements: "HX", Discriminator: "01/02/2025A", Inventory: "123",
		Compliance: "F", DateRevised: "2017-08-29", Under18Until: "2040-08-12", LimitedStay: true, OrganDonor: true, Veteran: true, AliasFamily: "OTHER",
	}
	if p.Details != want || p.Suffix != "JR" || len(p.Faults) > 0 {
		t.Errorf("%+v\nwant %+v\nfaults %v", p.Details, want, p.Faults)
	}
}

func TestFullNamesOfVersionOne(t *testing.T) {
	for _, c := range []struct {
		name, full            string
		family, given, suffix string
		fault                 bool
	}{
		{"commas", "SPECIMEN,ANNA,MARIA", "SPECIMEN", "ANNA MARIA", "", false},
		{"commas and spaces", "VAN SPECIMEN, ANNA, MARIA LOUISE", "VAN SPECIMEN", "ANNA MARIA LOUISE", "", false},
		{"at signs", "SPECIMEN@ANNA@MARIA", "SPECIMEN", "ANNA MARIA", "", false},
		{"a suffix", "SPECIMEN,ANNA,,JR", "SPECIMEN", "ANNA", "JR", false},
		{"nothing between the names", "SPECIMEN ANNA", "SPECIMEN ANNA", "", "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, err := Parse("@\n\x1e\rAAMVA6360140101DL00290067DLDAA" + c.full + "\nDAQ1234567\nDBB19740812\nDBA20300812\nDBCF\r")
			if err != nil {
				t.Fatal(err)
			}
			fault := false
			for _, f := range p.Faults {
				fault = fault || f.Reason == FaultName
			}
			if p.FamilyName != c.family || p.GivenNames != c.given || p.Suffix != c.suffix || p.DateOfBirth != "1974-08-12" || p.Sex != "F" || fault != c.fault {
				t.Errorf("%+v", p)
			}
		})
	}
}

func TestEveryJurisdictionIsListed(t *testing.T) {
	count := map[string]int{}
	codes := map[string]bool{}
	for iin, j := range jurisdictions {
		if len(iin) != 6 || j.name == "" || codes[j.code] {
			t.Errorf("%s: %+v", iin, j)
		}
		codes[j.code] = true
		count[j.country]++
	}
	// 50 states, the district, 5 territories and the Department of State; 10 provinces and 3 territories.
	if count["USA"] != 57 || count["CAN"] != 13 {
		t.Errorf("%v", count)
	}
}
