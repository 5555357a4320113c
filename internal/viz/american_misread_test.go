package viz

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestMisreadFieldsOfNorthAmericanCards(t *testing.T) {
	title := at(560, 40, 30, "DRIVER LICENSE")
	for name, c := range map[string]struct {
		lines []Line
		want  claims
	}{
		"a day that ran into the number behind it": {
			[]Line{at(350, 120, 22, "3 DOB 03/05/19974b EXR 11/16/2031"), at(350, 160, 22, "4a ISS 11/17/2023")},
			claims{dateOfBirth: "1997-03-05", dateOfExpiry: "2031-11-16", dateOfIssue: "2023-11-17"},
		},
		"a day of Canada that did":                  {[]Line{at(350, 120, 22, "4a ISS/DÉL 2025-10-174b EXP/EXP 2030-10-16")}, claims{dateOfIssue: "2025-10-17", dateOfExpiry: "2030-10-16"}},
		"a day that ran into half a number behind":  {[]Line{at(350, 120, 22, "4a IS 08-26-20255SEX M")}, claims{dateOfIssue: "2025-08-26", sex: "M"}},
		"a misread label that ran into a day":       {[]Line{at(350, 120, 22, "4bDP08-25-2033"), at(350, 160, 22, "4a ISS 08-26-2025")}, claims{dateOfExpiry: "2033-08-25", dateOfIssue: "2025-08-26"}},
		"digits before a day that may be its label": {[]Line{at(350, 120, 22, "4bD808-25-2033"), at(350, 160, 22, "4a ISS 08-26-2025")}, claims{dateOfIssue: "2025-08-26"}},
		"a 4a read as 48 before its label":          {[]Line{at(350, 120, 22, "48 IS 04/22/2025"), at(350, 160, 22, "5 DD 248648652433")}, claims{dateOfIssue: "2025-04-22"}},
		"the day of birth behind a misread label":   {[]Line{at(350, 120, 22, "310B 10/29/1966"), at(350, 160, 22, "4a ISS 04/22/2025")}, claims{dateOfBirth: "1966-10-29", dateOfIssue: "2025-04-22"}},
		"a 4b read as 48 before its label":          {[]Line{at(350, 120, 22, "48 EX 04/22/2032"), at(350, 160, 22, "5 DD 248648652433")}, claims{dateOfExpiry: "2032-04-22"}},
		"the sex behind a label that was misread":   {[]Line{at(350, 120, 22, "15Sb F"), at(350, 160, 22, "4a ISS 04/22/2025")}, claims{sex: "F", dateOfIssue: "2025-04-22"}},
		"an X set off from such a label":            {[]Line{across(Line{Text: "15Sb", Strip: Strip{X: 366, Y: 120, Length: 32, Height: 22}}, at(394, 120, 22, "X")), at(350, 160, 22, "4a ISS 04/22/2025")}, claims{sex: "X", dateOfIssue: "2025-04-22"}},
		"an X that may be such a label's own":       {[]Line{at(350, 120, 22, "15SE X"), at(350, 160, 22, "4a ISS 04/22/2025")}, claims{dateOfIssue: "2025-04-22"}},
		"the sex behind a number that was, too":     {[]Line{at(350, 120, 22, "4a ISS 04/22/2025"), at(700, 120, 22, "1SSE M")}, claims{sex: "M", dateOfIssue: "2025-04-22"}},
		"names where another label's number looks like that of one": {
			[]Line{
				at(350, 124, 24, "REZNICKOVA"), at(350, 184, 24, "HARUKI"), at(350, 220, 14, "3 DOB"), at(350, 244, 24, "10/23/1979"),
				at(350, 280, 14, "4a ISS"), at(350, 304, 24, "07/14/2022"), across(at(600, 280, 14, "15SEX"), at(700, 280, 14, "1 HGr")), at(600, 304, 24, "M"), at(350, 340, 14, "2 RESTR"), at(350, 364, 24, "NONE"),
			},
			claims{surname: "REZNICKOVA", givenNames: "HARUKI", dateOfBirth: "1979-10-23", dateOfIssue: "2022-07-14", sex: "M"},
		},
		"a name below print of a pattern that begins as a number": {
			[]Line{
				at(350, 100, 14, "LN"), at(350, 124, 24, "ST. JOHN"), at(350, 160, 14, "1FNjASPECIMÉ"), at(350, 184, 24, "MARIA DEL CARMEN"), at(350, 220, 14, "3 DOB"), at(350, 244, 24, "10/23/1979"),
				at(350, 280, 14, "4a ISS"), at(350, 304, 24, "07/14/2022"),
			},
			claims{surname: "ST. JOHN", givenNames: "MARIA DEL CARMEN", dateOfBirth: "1979-10-23", dateOfIssue: "2022-07-14"},
		},
		"a sign that looks like field 1 between field 2 and its name": {
			[]Line{
				at(350, 124, 24, "DORDEVIC"), at(350, 160, 14, "2"), across(at(250, 184, 24, "1"), at(350, 184, 24, "CAOIMHIN")), at(350, 220, 14, "3 DOB"), at(350, 244, 24, "10/23/1979"),
				at(350, 280, 14, "4a ISS"), at(350, 304, 24, "07/14/2022"),
			},
			claims{surname: "DORDEVIC", givenNames: "CAOIMHIN", dateOfBirth: "1979-10-23", dateOfIssue: "2022-07-14"},
		},
		"a short label that was misread": {
			[]Line{
				at(350, 100, 14, "LN"), at(350, 124, 24, "ST. JOHN"), at(350, 160, 14, "FNs"), at(350, 184, 24, "MARIA DEL CARMEN"), at(350, 220, 14, "3 DOB"), at(350, 244, 24, "10/23/1979"),
				at(350, 280, 14, "4a ISS"), at(350, 304, 24, "07/14/2022"),
			},
			claims{surname: "ST. JOHN", givenNames: "MARIA DEL CARMEN", dateOfBirth: "1979-10-23", dateOfIssue: "2022-07-14"},
		},
		"a country behind a sign that looks like a field's number": {
			[]Line{at(800, 70, 22, "2 USA"), at(350, 120, 22, "1 SAMPLE"), at(350, 200, 22, "3 DOB 10/23/1979")}, claims{surname: "SAMPLE", dateOfBirth: "1979-10-23"},
		},
		"a number behind a long label that was misread": {[]Line{at(350, 120, 22, "4d NUMBeUNUMRO K1547347 stUSS/CATEG. B"), at(350, 200, 22, "3 DOB 10/23/1979")}, claims{documentNumber: "K1547347", dateOfBirth: "1979-10-23"}},
		"a label that is no name":                       {[]Line{at(350, 120, 22, "1 SAMPLE"), at(350, 160, 22, "2 . RESTR"), at(350, 200, 22, "3 DOB 10/23/1979")}, claims{surname: "SAMPLE", dateOfBirth: "1979-10-23"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, stated(Read(pageOf(append(c.lines, title)...)))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestATitleOfNorthAmericaCountsWithALetterLost(t *testing.T) {
	for title, want := range map[string]bool{"DRVER LICENSE": true, "DRIVER'S LCENCE": true, "IDENTIFCATION CARD": true, "DRIVING LICENCE": false, "IDENTITY CARD": false, "DRIVER": false} {
		if got := american(pageOf(at(560, 40, 30, title))); got != want {
			t.Errorf("%s: %v, want %v", title, got, want)
		}
	}
}
