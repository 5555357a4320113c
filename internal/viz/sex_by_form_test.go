package viz

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestALetterThatStandsAloneBelowTheNamesIsTheSex(t *testing.T) {
	unsure := at(300, 182, 20, "M")
	unsure.Chars = []float64{.9}
	spain := func(p *Page) { p.Issuer = "ESP" }
	licence := func(p *Page) { p.Kind = idv.DrivingLicence }
	for name, c := range map[string]struct {
		lines []Line
		but   func(*Page)
		want  string
	}{
		"on a row of its own":                   {[]Line{at(300, 182, 20, "F")}, nil, "F"},
		"behind the date of birth":              {[]Line{at(100, 160, 14, "Date of birth"), at(100, 182, 22, "12 AUG 1974  M")}, nil, "M"},
		"in two languages":                      {[]Line{at(300, 182, 20, "K/F")}, nil, "F"},
		"the label counts before the form":      {[]Line{at(100, 160, 14, "Sex"), at(100, 182, 22, "F"), at(400, 260, 22, "M")}, nil, "F"},
		"of two letters neither":                {[]Line{at(300, 182, 20, "M"), at(500, 182, 20, "F")}, nil, ""},
		"a letter of a pattern's small print":   {[]Line{at(300, 182, 8, "M")}, nil, ""},
		"a letter of a word across the page":    {[]Line{at(300, 182, 60, "M")}, nil, ""},
		"one above the names":                   {[]Line{at(300, 20, 20, "M")}, nil, ""},
		"not surely read":                       {[]Line{unsure}, nil, ""},
		"a small letter":                        {[]Line{at(300, 182, 20, "m")}, nil, ""},
		"what is no sex":                        {[]Line{at(300, 182, 20, "P")}, nil, ""},
		"X, which much looks like":              {[]Line{at(300, 182, 20, "X")}, nil, ""},
		"an M on a Spanish card is a woman's":   {[]Line{at(300, 182, 20, "M")}, spain, ""},
		"a category on a licence":               {[]Line{at(300, 182, 20, "M")}, licence, ""},
		"a page of which nothing else is known": {[]Line{at(300, 182, 20, "M")}, func(p *Page) { p.Lines = p.Lines[:1] }, ""},
		"beside a text that no label explains":  {[]Line{at(300, 182, 20, "M HOUSE")}, nil, ""},
		"with a mark, which no state prints":    {[]Line{at(300, 182, 20, "Ḿ")}, nil, ""},
		"between two strokes with what is none": {[]Line{at(300, 182, 20, "V/M/F")}, nil, ""},
		"of a number with a gap within":         {[]Line{at(300, 182, 20, "M 12")}, nil, ""},
		"further down":                          {[]Line{at(300, 300, 20, "M")}, nil, "M"},
	} {
		t.Run(name, func(t *testing.T) {
			p := pageOf(append(c.lines, at(100, 40, 14, "Surname"), at(100, 62, 22, "ERIKSSON"), at(100, 100, 14, "Given names"), at(100, 122, 22, "ANNA"))...)
			p.Kind = idv.IDCard
			if c.but != nil {
				c.but(&p)
			}
			if got := stated(Read(p))[sex]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
