package idnumber

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// The numbers are examples that the issuers or their handbooks publish, or made by their rules (Hungary, Kazakhstan); none is a living person's.
func TestRead(t *testing.T) {
	for _, c := range []struct {
		name, number string
		want         []Number
	}{
		{"a British driver", "MORGA657054SM9IJ", []Number{
			{Form: "driver number", Issuers: []string{"GBR"}, Births: []string{"1964-07-05", "2064-07-05"}, Family: "MORGA"},
		}},
		{"a British driver of a short name, in groups", "GILL9 605109 C99LY", []Number{
			{Form: "driver number", Issuers: []string{"GBR"}, Births: []string{"1969-05-10", "2069-05-10"}, Family: "GILL", Whole: true},
		}},
		{"a Swede", "811228-9874", []Number{
			{Form: "personal identity number", Issuers: []string{"SWE"}, Births: []string{"1981-12-28", "2081-12-28"}, Checked: true},
		}},
		{"a Swede, with the century", "19811228-9874", []Number{
			{Form: "personal identity number", Issuers: []string{"SWE"}, Births: []string{"1981-12-28"}, Checked: true},
		}},
		{"a Finn", "131052-308T", []Number{
			{Form: "personal identity code", Issuers: []string{"FIN"}, Births: []string{"1852-10-13", "1952-10-13"}, Checked: true},
		}},
		{"a Norwegian", "151086 95088", []Number{
			{Form: "national identity number", Issuers: []string{"NOR"}, Births: []string{"1886-10-15", "1986-10-15", "2086-10-15"}, Checked: true},
		}},
		{"an Estonian, who may be a Hungarian of a later day as well", "37605030299", []Number{
			{Form: "personal code", Issuers: []string{"EST", "LTU"}, Births: []string{"1976-05-03"}, Checked: true},
			{Form: "personal identifier", Issuers: []string{"HUN"}, Births: []string{"2076-05-03"}, Checked: true},
		}},
		{"a Pole", "44051401458", []Number{{Form: "PESEL", Issuers: []string{"POL"}, Births: []string{"1944-05-14"}, Checked: true}}},
		{"a Belgian", "93.05.18-223.61", []Number{{Form: "national number", Issuers: []string{"BEL"}, Births: []string{"1993-05-18"}, Checked: true}}},
		{"a Czech", "710319/2745", []Number{
			{Form: "birth number", Issuers: []string{"CZE", "SVK"}, Births: []string{"1971-03-19", "2071-03-19"}, Checked: true},
		}},
		{"a Bulgarian of the nineteenth century", "7523169263", []Number{
			{Form: "unified civil number", Issuers: []string{"BGR"}, Births: []string{"1875-03-16"}, Checked: true},
		}},
		{"a Romanian", "1630615123457", []Number{{Form: "personal numerical code", Issuers: []string{"ROU"}, Births: []string{"1963-06-15"}, Checked: true}}},
		{"an Italian", "RSSMRA85T10A562S", []Number{
			{Form: "tax code", Issuers: []string{"ITA"}, Births: []string{"1985-12-10", "2085-12-10"}, Checked: true},
		}},
		{"an Italian whose check letter is wrong", "RSSMRA85T10A562T", nil},
		{"an Italian with a letter for a figure that none stands for", "RSSMRA8XT10A562S", nil},
		{"a Latvian, which may be a Greek as well", "161175-19997", []Number{
			{Form: "personal code", Issuers: []string{"LVA"}, Births: []string{"1975-11-16"}, Checked: true},
			{Form: "social security number", Issuers: []string{"GRC"}, Births: []string{"1975-11-16", "2075-11-16"}, Checked: true},
		}},
		{"an Icelander", "120174-3399", []Number{{Form: "identification number", Issuers: []string{"ISL"}, Births: []string{"1974-01-12"}, Checked: true}}},
		{"a Slovene", "0101006500006", []Number{{
			Form: "citizen number", Issuers: []string{"BIH", "HRV", "MKD", "MNE", "SRB", "SVN"}, Births: []string{"2006-01-01"}, Checked: true,
		}}},
		{"a Greek", "01013099997", []Number{
			{Form: "social security number", Issuers: []string{"GRC"}, Births: []string{"1930-01-01", "2030-01-01"}, Checked: true},
		}},
		{"a Hungarian, who may be an Estonian of the nineteenth century as well", "1-800101-1004", []Number{
			{Form: "personal code", Issuers: []string{"EST", "LTU"}, Births: []string{"1880-01-01"}, Checked: true},
			{Form: "personal identifier", Issuers: []string{"HUN"}, Births: []string{"1980-01-01"}, Checked: true},
		}},
		{"a Hungarian born after 1996", "4-050203-1008", []Number{
			{Form: "personal identifier", Issuers: []string{"HUN"}, Births: []string{"2005-02-03"}, Checked: true},
		}},
		{"a Kazakh", "800101300125", []Number{
			{Form: "individual identification number", Issuers: []string{"KAZ"}, Births: []string{"1980-01-01"}, Checked: true},
		}},
		{"a Korean", "971013-9019902", []Number{{Form: "resident registration number", Issuers: []string{"KOR"}, Births: []string{"1897-10-13"}, Checked: true}}},
		{"a Chinese", "11010519491231002X", []Number{
			{Form: "citizen identification number", Issuers: []string{"CHN"}, Births: []string{"1949-12-31"}, Checked: true},
		}},
		{"a South African, who may be a resident of Romania as well", "800101 5009 087", []Number{
			{Form: "personal numerical code", Issuers: []string{"ROU"}, Births: []string{"1900-10-15", "2000-10-15"}, Checked: true},
			{Form: "identity number", Issuers: []string{"ZAF"}, Births: []string{"1980-01-01", "2080-01-01"}, Checked: true},
		}},
		{"a Mexican", "BOXW310820HNERXN09", []Number{
			{Form: "unique population registry code", Issuers: []string{"MEX"}, Births: []string{"1931-08-20"}, Checked: true},
		}},
		{"a number of no form", "X1234567", nil},
		{"nothing", "", nil},
		{"a month that there is not", "44991401458", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			if d := cmp.Diff(c.want, Read(c.number)); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

// TestAMisreadDigitStatesNoOtherDay changes each digit of each checked example to each other one. Iceland's last digit, the century, and Mexico's
// eighth are not protected by their checks.
func TestAMisreadDigitStatesNoOtherDay(t *testing.T) {
	for _, number := range []string{
		"8112289874", "131052308T", "15108695088", "37605030299", "44051401458", "93051822361", "7103192745", "7523169263", "1630615123457",
		"16117519997", "0101006500006",
		"01013099997", "40502031008", "800101300125", "9710139019902", "11010519491231002X",
		"8001015009087",
		"RSSMRA85T10A562S",
	} {
		was := Read(number)[0]
		for i := range number {
			for _, digit := range "0123456789" {
				other := number[:i] + string(digit) + number[i+1:]
				if other == number || number[i] > '9' {
					continue
				}
				for _, n := range Read(other) {
					if n.Form == was.Form && strings.Join(n.Births, " ") != strings.Join(was.Births, " ") {
						t.Errorf("%s, misread as %s, states %v", number, other, n.Births)
					}
				}
			}
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{
		"MORGA657054SM9IJ", "811228-9874", "131052A308T", "93.05.18-223.61", "RSSMRA85T10A562S", "BOXW310820HNERXN09",
		"11010519491231002X", "ÅÄÖ", "",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		for _, n := range Read(s) {
			if len(n.Births) == 0 || n.Form == "" {
				t.Errorf("%q: %+v", s, n)
			}
		}
	})
}
