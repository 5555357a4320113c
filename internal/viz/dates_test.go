package viz

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestPrintedDatesAreReadInTheFormsOfDocuments(t *testing.T) {
	for name, c := range map[string]struct {
		text    string
		issuer  string
		era     era
		zone    []string
		want    string // "" for none
		tongues []string
	}{
		"with a month's name":                                  {text: "12 AUG 1974", want: "1974-08-12"},
		"with a month in two languages":                        {text: "12 AUG/AOÛT 74", want: "1974-08-12"},
		"with a month in two languages, one misread":           {text: "12 AUG/AOXT 74", want: "1974-08-12"},
		"with a month in full":                                 {text: "12 August 1974", want: "1974-08-12"},
		"with a month in full, misread":                        {text: "12 Augvst 1974", want: "1974-08-12"},
		"without spaces":                                       {text: "12AUG1974", want: "1974-08-12"},
		"without spaces, in two languages":                     {text: "12AUG/AOUT1974", want: "1974-08-12"},
		"in two languages whose stroke was taken for a letter": {text: "17 JUILIJUL 2025", want: "2025-07-17"},
		"in two languages whose stroke was lost":               {text: "8 AoûtAug 2011", want: "2011-08-08"},
		"with signs that are not there":                        {text: "1974-.08 .12", want: "1974-08-12"},
		"month first":                                          {text: "Aug 12, 1974", want: "1974-08-12"},
		"in figures with points":                               {text: "12.08.1974", want: "1974-08-12"},
		"in figures with points and a short year":              {text: "12.08.74", want: "1974-08-12"},
		"year first":                                           {text: "1974-08-12", want: "1974-08-12"},
		"year first with strokes":                              {text: "1974/08/12", want: "1974-08-12"},
		"in one go":                                            {text: "12081974", want: "1974-08-12"},
		"with points of which the second was not read":         {text: "27.012027", era: coming, want: "2027-01-27"},
		"with six digits that are no month and year":           {text: "27.952027", era: coming, want: ""},
		"in one go, year first":                                {text: "19740812", want: "1974-08-12"},
		"with letters that look like digits":                   {text: "l2.O8.1974", want: "1974-08-12"},
		"with noughts in its months":                           {text: "15 0UT/0CT 1972", issuer: "UTO", want: "1972-10-15"},
		"after what a label was misread as":                    {text: "3 08 07/22/1964", want: "1964-07-22"},
		"one of two whose hyphen was lost":                     {text: "10 03-2009-05-09-2013", want: ""},
		"one of two in spaces, the other with hyphens":         {text: "10 03 2009 - 05-09-2013", want: ""},
		"one of two with a hyphen less":                        {text: "12-08 1974-12-08-2024", want: ""},
		"with its month's name before another":                 {text: "08 AUG 1974/08/12", want: "1974-08-08"},
		"with a Roman month":                                   {text: "12.VIII.1974", want: "1974-08-12"},
		"before a place":                                       {text: "12.08.1974 ZENITH", want: "1974-08-12"},
		"of which no number but one can be a month":            {text: "22/08/1974", want: "1974-08-22"},
		"of which no number but the second can be a day":       {text: "08/22/1974", want: "1974-08-22"},
		"of which day and month are the same":                  {text: "08/08/1974", want: "1974-08-08"},
		"that can be two days":                                 {text: "03/04/1974", want: ""},
		"that can be two days, on a card of the States":        {text: "03/04/1974", issuer: "USA", want: "1974-03-04"},
		"that can be two days, on a French page":               {text: "03/04/1974", issuer: "FRA", want: "1974-04-03"},
		"that can be two days, one of which the zone says":     {text: "03/04/1974", zone: []string{"1974-03-04"}, want: "1974-03-04"},
		"that can be two days, on a Canadian page":             {text: "03/04/1974", issuer: "CAN", want: ""},
		"with points, on a card of the States":                 {text: "03.04.1974", issuer: "USA", want: "1974-04-03"},
		"a month that two languages share":                     {text: "12 LIP 1974", want: ""},
		"a month that two languages share, Polish":             {text: "12 LIP 1974", issuer: "POL", want: "1974-07-12"},
		"a month that two languages share, Croatian":           {text: "12 LIP 1974", issuer: "HRV", want: "1974-06-12"},
		"a month that the second language settles":             {text: "12 LIP/JUL 1974", want: "1974-07-12"},
		"a November that is October elsewhere":                 {text: "12 LIS/NOV 1974", want: "1974-11-12"},
		"in Finnish":                                           {text: "12 ELO 1974", issuer: "FIN", want: "1974-08-12"},
		"in Czech":                                             {text: "12 ČVC 1974", want: "1974-07-12"},
		"in German, on a page of Utopia":                       {text: "15 DEZ 2027", issuer: "UTO", era: coming, want: "2027-12-15"},
		"in Hungarian":                                         {text: "12 SZEPT 1974", want: "1974-09-12"},
		"in Turkish":                                           {text: "12 AĞU 1974", want: "1974-08-12"},
		"with an unknown day":                                  {text: "XX AUG 1974", want: "1974-08-XX"},
		"with an unknown day and month":                        {text: "00.00.1974", want: "1974-XX-XX"},
		"with unknown parts as crosses":                        {text: "XX.XX.1974", want: "1974-XX-XX"},
		"a month and year after a day that was not understood": {text: "Z? 2X AUG 1974", want: ""},
		"a month and year":                                     {text: "AUG 1974", want: "1974-08-XX"},
		"a birth with a short year is in the past":             {text: "12.08.30", want: "1930-08-12"},
		"an expiry with a short year is to come":               {text: "12.08.30", era: coming, want: "2030-08-12"},
		"an expiry of the nineties is long past":               {text: "12.08.98", era: coming, want: "1998-08-12"},
		"a Buddhist year of Thailand":                          {text: "12 AUG 2517", issuer: "THA", want: "1974-08-12"},
		"a Buddhist year that the zone confirms":               {text: "12 AUG 2517", zone: []string{"1974-08-12"}, want: "1974-08-12"},
		"a Buddhist year of nowhere":                           {text: "12 AUG 2517", want: ""},
		"a Hijri day that the zone confirms":                   {text: "24/07/1394", zone: []string{"1974-08-12"}, want: "1974-08-12"},
		"a Hijri day that is none of the zone's":               {text: "24/07/1394", zone: []string{"1980-01-01"}, want: ""},
		"a Hijri day without a zone":                           {text: "24/07/1394", issuer: "SAU", want: ""},
		"a day that does not exist":                            {text: "31.02.1990", want: ""},
		"a number":                                             {text: "L898902C36", want: ""},
		"a long number":                                        {text: "4219376068", want: ""},
		"a word":                                               {text: "UTOPIA", want: ""},
		"nothing":                                              {text: "", want: ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := newReader(Page{Issuer: c.issuer, Today: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), Dates: c.zone, Lines: []Line{{Text: c.text}}})
			context := r.contextOf()
			if c.issuer == "" {
				context.order = unsettled
			}
			got := ""
			if found := context.findDates(c.text, c.era); len(found) > 0 {
				got = found[0].day.String()
			}
			if got != c.want {
				t.Errorf("%q: %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestAnotherDateOnThePageTellsTheOrder(t *testing.T) {
	p := under("Date of birth", "03/04/1974", "Date of expiry", "25/12/2030")
	if d := cmp.Diff(claims{dateOfBirth: "1974-04-03", dateOfExpiry: "2030-12-25"}, stated(Read(p))); d != "" {
		t.Errorf("day first (-want +got):\n%s", d)
	}
	p = under("Date of birth", "03/04/1974", "Date of expiry", "12/25/2030")
	if d := cmp.Diff(claims{dateOfBirth: "1974-03-04", dateOfExpiry: "2030-12-25"}, stated(Read(p))); d != "" {
		t.Errorf("month first (-want +got):\n%s", d)
	}
	p = under("Data de nascimento / Date of birth", "03/04/1974")
	if d := cmp.Diff(claims{dateOfBirth: "1974-04-03"}, stated(Read(p))); d != "" {
		t.Errorf("a label in Portuguese, too, says day first (-want +got):\n%s", d)
	}
	p = under("Fecha de nacimiento / Date of birth", "03/04/1974")
	if d := cmp.Diff(claims{}, stated(Read(p))); d != "" {
		t.Errorf("Spanish is of states that put the month first, too (-want +got):\n%s", d)
	}
	p = under("Date of birth", "03/04/1974", "Date of expiry", "05/06/2030")
	if d := cmp.Diff(claims{}, stated(Read(p))); d != "" {
		t.Errorf("nothing tells (-want +got):\n%s", d)
	}
}

func TestTheZoneTellsAMonthWhoseWordNamesSeveral(t *testing.T) {
	for name, c := range map[string]struct {
		zone []string
		want claims
	}{
		"a day of March":                     {[]string{"1975-12-06", "2028-03-04"}, claims{dateOfIssue: "2026-03-05", dateOfExpiry: "2028-03-04"}},
		"a day of November":                  {[]string{"1975-12-06", "2028-11-04"}, claims{dateOfIssue: "2025-11-05", dateOfExpiry: "2028-11-04"}},
		"a day of neither":                   {[]string{"1975-12-06", "2028-05-04"}, claims{}},
		"the zone's other days tell nothing": {nil, claims{}},
	} {
		t.Run(name, func(t *testing.T) {
			issued := "05-MAR-2026"
			if day, ok := c.want[dateOfIssue]; ok {
				issued = "05-MAR-" + day[:4]
			}
			p := under("Myöntämispäivä / Date of issue", issued, "Viimeinen voimassaolopäivä / Date of expiry", "04-MAR-2028")
			p.Dates = c.zone
			if d := cmp.Diff(c.want, stated(Read(p))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestTheDaysOfTheHijriCalendar(t *testing.T) {
	for hijri, want := range map[[3]int]string{{1394, 7, 24}: "1974-08-13", {1400, 1, 1}: "1979-11-21", {1445, 9, 1}: "2024-03-11"} {
		got := fromHijri(hijri[0], hijri[1], hijri[2])
		day, err := time.Parse(time.DateOnly, want)
		if err != nil {
			t.Fatal(err)
		}
		if off := got.Sub(day).Abs(); off > hijriSlack*24*time.Hour {
			t.Errorf("%v: %s, want about %s", hijri, got.Format(time.DateOnly), want)
		}
	}
}

func TestADocumentThatDoesNotRunOutTakesNoOtherDayForItsLast(t *testing.T) {
	for text, want := range map[string]claims{
		"UNBEFRISTET": {}, "Illimité": {}, "PERMANENTE": {}, "BEZTERMINOWO": {},
		"UTOPIA": {dateOfExpiry: "2031-02-01"}, // no value of the label: the day below it is
	} {
		p := pageOf(at(300, 60, 14, "Date of expiry"), at(300, 84, 24, text), at(300, 108, 24, "01.02.2031"))
		if d := cmp.Diff(want, stated(Read(p))); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}
