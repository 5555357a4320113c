package viz

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// FuzzRead: whatever the lines say and wherever they stand, reading ends, and a claim lies on the page.
func FuzzRead(f *testing.F) {
	f.Add("Surname / Nom|ERIKSSON|Date of birth|12 AUG/AOÛT 74", 0.0, 20.0, "")
	f.Add("1. BRØNDSTED|3. 22.11.1987 X|4b.03.12.2037", .1, 10.0, "UTO")
	f.Add("DRIVER LICENSE|4d DLN D1234567|3 DOB 08/12/1974", -.2, 30.0, "USA")
	f.Add("Luogo e data di nascita|ROMA 12.08.1974", math.NaN(), math.Inf(1), "ITA")
	f.Fuzz(func(t *testing.T, text string, tilt, height float64, issuer string) {
		if len(text) > 600 {
			return
		}
		p := pageOf()
		p.Issuer, p.Dates = issuer, []string{"1974-08-12"}
		for i, l := range strings.Split(text, "|") {
			line := at(100, 40+30*float64(i), height, l)
			line.Strip.Tilt = tilt
			p.Lines = append(p.Lines, line)
		}
		r := Read(p)
		zone := []idv.Claim{{Name: surname, Value: "ERIKSSON"}, {Name: documentNumber, Value: "D1234567"}, {Name: dateOfBirth, Value: "1974-08-12"}}
		answers, claims := Compare(p, r, zone, 0)
		for _, a := range answers {
			if a.Verdict != Silent {
				claims = append(claims, a.Claim)
			}
		}
		for _, c := range append(claims, r.Claims...) {
			if c.Value == "" || c.Box == nil || !(c.Box.X >= 0 && c.Box.Y >= 0 && c.Box.X+c.Box.Width <= 1.0001 && c.Box.Y+c.Box.Height <= 1.0001) {
				t.Errorf("%q: claim %+v, box %+v", text, c, c.Box)
			}
			if utf8.ValidString(text) && !utf8.ValidString(c.Value) {
				t.Errorf("%q: value %q", text, c.Value)
			}
		}
	})
}

// FuzzDates: a date that is read exists, and lies within its text.
func FuzzDates(f *testing.F) {
	for _, s := range []string{"12 AUG/AOÛT 74", "12.08.1974", "1974-08-12", "08/12/1974", "XX AUG 1974", "12.VIII.1974", "24/07/1394", "12 AUG 2517", "12081974", "l2.O8.74"} {
		f.Add(s, "POL", true)
	}
	f.Fuzz(func(t *testing.T, text, issuer string, birth bool) {
		if len(text) > 300 {
			return
		}
		r := newReader(Page{Issuer: issuer, Today: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC), Dates: []string{"1974-08-12"}})
		e := coming
		if birth {
			e = past
		}
		last := 0
		for _, d := range r.contextOf().findDates(text, e) {
			if !d.day.exists() || d.from < last || d.to <= d.from || d.to > utf8.RuneCountInString(text) {
				t.Errorf("%q: %+v", text, d)
			}
			last = d.to
			if d.day.Month > 0 && d.day.Day > 0 {
				if _, err := time.Parse(time.DateOnly, d.day.String()); err != nil {
					t.Errorf("%q: %s", text, d.day)
				}
			}
		}
	})
}
