package viz

import "testing"

func TestAnAddressOfNorthAmericaIsReadByItsForm(t *testing.T) {
	card := func(street, city Line) Page {
		return pageOf(at(560, 40, 30, "DRIVER LICENSE"), street, city, at(350, 200, 22, "3 DOB 08/12/1974"), at(350, 240, 22, "4a ISS 07/04/2022"))
	}
	// printed is a line that begins with so many letters of small print left of x.
	printed := func(n int, text string, chars ...float64) Line {
		l := unsurely(at(350, 142, 22, text), chars...)
		small, wide, count := 4.0, 12.1, float64(len([]rune(text))-n)
		l.Strip.Length = small*float64(n) + wide*count
		l.Strip.X = 350 - small*float64(n) + l.Strip.Length/2
		for i := range []rune(text) {
			x := (float64(i) + .5) * small
			if i >= n {
				x = small*float64(n) + (float64(i-n)+.5)*wide
			}
			l.At = append(l.At, x/l.Strip.Length)
		}
		return l
	}
	street, want := at(350, 112, 22, "175 MILL STREET"), "175 MILL STREET, UTOPIA CITY, UP 05443"
	for name, c := range map[string]struct {
		page Page
		want string
	}{
		"a hyphen for the space before the postal code": {card(street, at(350, 142, 22, "UTOPIA CITY, UP-05443")), want},
		"a colon for the comma":                         {card(street, at(350, 142, 22, "UTOPIA CITY, UP: U6C 8J3")), "175 MILL STREET, UTOPIA CITY, UP U6C 8J3"},
		"a house's number that is a field's too":        {card(at(350, 112, 22, "5 MILL STREET"), at(350, 142, 22, "UTOPIA CITY, UP: U6C 8J3")), "5 MILL STREET, UTOPIA CITY, UP U6C 8J3"},
		"names of which one has a postal code's shape":  {card(at(350, 112, 22, "1 SAMPLE JR"), at(350, 142, 22, "2 MARIA DE ROSIGO")), ""},
		"a name without its number that does":           {card(at(350, 112, 22, "1 SAMPLE JR"), at(350, 142, 22, "MARIA DE ROSIGO")), ""},
		"a hyphen behind what is no state":              {card(street, at(350, 142, 22, "UTOPIA CITY-05443")), ""},
		"small print before the city":                   {card(street, printed(5, "TOPI UTOPIA CITY, UP 05443", .2, .6, .6, .3)), want},
		"small print that runs into the city":           {card(street, printed(4, "OPIEUTOPIA CITY, UP 05443", .85, .96, .75, .35)), want},
		"small print that was read surely":              {card(street, printed(4, "OPIEUTOPIA CITY, UP 05443", .95, .96, .95, .95)), ""},
		"a city's first word that was read unsurely":    {card(street, unsurely(at(350, 142, 22, "ST PAUL, UP 05443"), .3, .8)), ""},
		"a street whose box takes a pattern with it":    {card(at(350, 112, 31, "8 175 MILL STREET"), at(384, 142, 21, "UTOPIA CITY, UP 05443")), want},
		"a street set much larger, without its number":  {card(at(350, 112, 31, "175 MILL STREET"), at(350, 142, 21, "UTOPIA CITY, UP 05443")), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := stated(Read(c.page))[address]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}
