package viz

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestADayFromWhichWholeYearsRunIsThatOfIssue(t *testing.T) {
	for name, c := range map[string]struct {
		expiry string
		lines  []Line
		but    func(*Page)
		want   string
	}{
		"its label was misread":                          {"04-JAN-2035", []Line{at(300, 282, 24, "05-JAN-2025")}, nil, "2025-01-05"},
		"on the first day of a year":                     {"31 DEC 2034", []Line{at(300, 282, 24, "01 JAN 2025")}, nil, "2025-01-01"},
		"on a day that few years have":                   {"28 FEB 2034", []Line{at(300, 282, 24, "29 FEB 2024")}, nil, "2024-02-29"},
		"until the day that the zone states":             {"", []Line{at(300, 282, 24, "05-JAN-2025")}, func(p *Page) { p.Dates = []string{"1974-08-12", "2035-01-04"} }, "2025-01-05"},
		"before the last, with what was misread between": {"", []Line{at(300, 282, 24, "23 MAR 26 tddig 22 MAR 27")}, func(p *Page) { p.Dates = []string{"1974-08-12", "2027-03-22"} }, "2026-03-23"},
		"the same day of another year":                   {"05-JAN-2035", []Line{at(300, 282, 24, "05-JAN-2025")}, nil, ""},
		"for longer than documents are":                  {"04-JAN-2035", []Line{at(300, 282, 24, "05-JAN-2015")}, nil, ""},
		"one of two":                                     {"04-JAN-2035", []Line{at(300, 282, 24, "05-JAN-2025"), at(300, 320, 24, "05-JAN-2026")}, nil, ""},
		"of another label":                               {"04-JAN-2035", []Line{at(300, 282, 24, "Height: 05-JAN-2025")}, nil, ""},
		"where the birth is not known":                   {"04-JAN-2035", []Line{at(300, 282, 24, "05-JAN-2025")}, func(p *Page) { p.Lines[3].Text = "ANNA" }, ""},
		"in small print":                                 {"04-JAN-2035", []Line{at(300, 282, 6, "05-JAN-2025")}, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			p := under("Surname", "NOVAK", "Date of birth", "12 AUG 1974", "Passport No.", "AB1234567", "Date of expiry", c.expiry)
			if c.expiry == "" {
				p = under("Surname", "NOVAK", "Date of birth", "12 AUG 1974", "Passport No.", "AB1234567", "Place of birth", "ZENITH")
			}
			p.Lines = append(p.Lines, c.lines...)
			p.Kind = idv.Passport
			if c.but != nil {
				c.but(&p)
			}
			if got := stated(Read(p))[dateOfIssue]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestBothDaysOfATermAreToldByIt(t *testing.T) {
	for name, c := range map[string]struct {
		label string
		want  claims
	}{
		"the label of neither was read": {"", claims{dateOfIssue: "2025-01-05", dateOfExpiry: "2035-01-04"}},
		"only that of issue":            {"Date of issue", claims{dateOfIssue: "2025-01-05", dateOfExpiry: "2035-01-04"}},
	} {
		t.Run(name, func(t *testing.T) {
			p := under("Surname", "NOVAK", "Date of birth", "12 AUG 1974", c.label, "05 JAN 2025")
			p.Lines = append(p.Lines, at(600, 184, 24, "04 JAN 2035"))
			c.want[surname], c.want[dateOfBirth] = "NOVAK", "1974-08-12"
			if d := cmp.Diff(c.want, stated(Read(p))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
