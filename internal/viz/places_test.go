package viz

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestFieldsWhoseLabelWasNotReadAreFoundByTheirPlace(t *testing.T) {
	french := func(lines ...Line) Page {
		p := pageOf(append(lines, at(100, 40, 30, "CARTE D'IDENTITÉ"), at(100, 100, 20, "NOM: MARTIN"), at(100, 130, 20, "PRÉNOMS: ÉLODIE"))...)
		p.Kind, p.Issuer = idv.IDCard, "FRA"
		return p
	}
	licence := func(lines ...Line) Page {
		return pageOf(append(lines, at(250, 40, 30, "SÜRÜCÜ BELGESI"), at(350, 120, 22, "1. EK"), at(350, 150, 22, "2. BO"), at(350, 180, 22, "3. 05 06 1983 UMEÅ"),
			at(350, 210, 22, "4a. 16 12 2024"), at(350, 240, 22, "4b. 15 12 2039"))...)
	}
	canadian := func(house string, x, second float64) Page {
		return pageOf(at(100, 40, 30, "PROVINCE OF UTOPIA"), at(350, 120, 22, "4d NUMBER/NUMÉRO 2151219"), at(350, 150, 22, "3 DOB/DDN 1966/12/05"), at(350, 180, 22, "1 LOEFF"),
			at(350, 210, 22, "2 CHUKWUEMEKA"), at(x, 240, 22, house), at(second, 266, 22, "UTOPIA CITY, UP, U1A 9F3"), at(350, 300, 22, "4a ISS/DÉL 2025/11/19 4b EXPIEXP 2030/11/18"),
			at(350, 330, 22, "15 SEX/SEXE M 16 HGT/HAUT 158 cm"), at(350, 360, 22, "18 EYESYEUX BLU"))
	}
	visa := func() Page {
		p := under("Vezetéknév", "KISS", "Utónév", "EMESE", "Születési dátum", "28 SZEPT 1996", "Ettő!", "15 MÁRC 2026", "Eddig", "14 MÁRC 2027")
		p.Kind, p.Issuer = idv.Visa, "HUN"
		return p
	}
	for name, c := range map[string]struct {
		page Page
		fact fact
		want string
	}{
		"the birthplace of a French card, its à lost":                {french(at(100, 160, 20, "SEXE: F"), at(110, 190, 20, "UTOPIA CITY"), at(100, 220, 20, "TAILLE: 1,66m")), placeOfBirth, "UTOPIA CITY"},
		"the birthplace of a French card, its à read":                {french(at(100, 160, 20, "SEXE: F"), at(100, 190, 20, "À: TOURS"), at(100, 220, 20, "TAILLE: 1,66m")), placeOfBirth, "TOURS"},
		"two lines between sex and height":                           {french(at(100, 160, 20, "SEXE: F"), at(110, 180, 20, "UTOPIA CITY"), at(110, 200, 20, "CEDEX"), at(100, 230, 20, "TAILLE: 1,66m")), placeOfBirth, ""},
		"a line below the sex where no height follows":               {french(at(100, 160, 20, "SEXE: F"), at(110, 190, 20, "UTOPIA CITY")), placeOfBirth, ""},
		"small print between sex and height":                         {french(at(100, 160, 20, "SEXE: F"), at(110, 190, 9, "UTOPIA CITY"), at(100, 220, 20, "TAILLE: 1,66m")), placeOfBirth, ""},
		"the birthplace of a French card, a box that holds marks":    {french(at(100, 160, 20, "SEXE: F"), at(100, 190, 30, ": ČAČAK"), at(100, 220, 20, "TAILLE: 1,66m")), placeOfBirth, "ČAČAK"},
		"the birthplace of a French card, its à read as a digit":     {french(at(100, 160, 20, "SEXE: F"), at(100, 190, 20, "1 TROMSØ"), at(100, 220, 20, "TAILLE: 1,66m")), placeOfBirth, "TROMSØ"},
		"the birthplace of a French card, a height misread":          {french(at(100, 160, 20, "SEXE: F"), at(110, 190, 20, "UTOPIA CITY"), at(100, 220, 20, "Tale: l.66m")), placeOfBirth, "UTOPIA CITY"},
		"a row below the sex, and what follows is no height":         {french(at(100, 160, 20, "SEXE: F"), at(110, 190, 20, "UTOPIA CITY"), at(100, 220, 20, "Tale: 166")), placeOfBirth, ""},
		"the number of a licence, its 5 lost":                        {licence(at(385, 270, 22, "A085066534"), at(385, 300, 22, "AM / B1 / B")), documentNumber, "A085066534"},
		"the number of a licence, its 5 another":                     {licence(at(385, 270, 22, "A085066534"), at(350, 270, 9, "5b"), at(350, 300, 22, "9. AM / B1 / B")), documentNumber, "A085066534"},
		"the number of a licence that nothing follows":               {licence(at(385, 270, 22, "A085066534")), documentNumber, ""},
		"a number of digits, the 5 lost":                             {licence(at(385, 270, 22, "2085066534"), at(385, 300, 22, "AM / B1 / B")), documentNumber, "2085066534"},
		"a personal number that holds the day of birth, its 4d lost": {licence(at(385, 270, 22, "38306050217"), at(385, 300, 22, "AM / B1 / B")), documentNumber, ""},
		"one that holds it from the day on":                          {licence(at(385, 270, 22, "0506834217"), at(385, 300, 22, "AM / B1 / B")), documentNumber, ""},
		"one that adds to the month":                                 {licence(at(385, 270, 22, "8356051234"), at(385, 300, 22, "AM / B1 / B")), documentNumber, ""},
		"a number of digits where no day of birth was read":          {pageOf(at(250, 40, 30, "SÜRÜCÜ BELGESI"), at(350, 120, 22, "1. EK"), at(340, 210, 22, "4a."), at(385, 210, 22, "16 12 2024"), at(340, 240, 22, "4b."), at(385, 240, 22, "15 12 2039"), at(385, 270, 22, "38306050217"), at(385, 300, 22, "AM / B1 / B")), documentNumber, ""},
		"two numbers below the dates":                                {licence(at(385, 270, 22, "A085066534"), at(385, 300, 22, "B77665544")), documentNumber, ""},
		"no number below the dates":                                  {licence(at(385, 270, 22, "AM / B1 / B")), documentNumber, ""},
		"a number far to the side of the dates":                      {licence(at(700, 270, 22, "A085066534")), documentNumber, ""},
		"labels in two tongues that ran together":                    {canadian("8 9 HARBOUR LANE", 350, 370), surname, "LOEFF"},
		"a house's number that ran into that of its field":           {canadian("89 HARBOUR LANE", 350, 370), address, "9 HARBOUR LANE, UTOPIA CITY, UP, U1A 9F3"},
		"the same, and the house's number is long":                   {canadian("8551 MAPLE AVENUE", 350, 370), address, "551 MAPLE AVENUE, UTOPIA CITY, UP, U1A 9F3"},
		"a house's number with an 8 where the fields' numbers are":   {canadian("855 MAPLE AVENUE", 350, 350), address, ""},
		"a longer one with an 8 where the fields' numbers are":       {canadian("8551 MAPLE AVENUE", 350, 350), address, ""},
		"one without an 8 where the fields' numbers are":             {canadian("755 MAPLE AVENUE", 350, 350), address, "755 MAPLE AVENUE, UTOPIA CITY, UP, U1A 9F3"},
		"a house's number where no field's can be":                   {canadian("89 HARBOUR LANE", 390, 370), address, ""},
		"an l that was read as a stroke and a point":                 {visa(), dateOfIssue, "2026-03-15"},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, stated(Read(c.page))[c.fact]); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestTheLetterOfTheSexIsLookedForWhereItShouldStand(t *testing.T) {
	others := []Line{at(100, 40, 14, "Surname"), at(100, 62, 22, "ERIKSSON"), at(100, 100, 14, "Given names"), at(100, 122, 22, "ANNA")}
	for name, c := range map[string]struct {
		lines []Line
		want  []float64 // where, its middle; none
	}{
		"what was read there is no sex": {[]Line{at(100, 160, 14, "Sex"), at(105, 182, 12, "V")}, []float64{111, 182}},
		"nothing was read there":        {[]Line{at(100, 160, 14, "Sex")}, []float64{110, 182}},
		"it was read":                   {[]Line{at(100, 160, 14, "Sex"), at(100, 182, 22, "F")}, nil},
		"there is no label":             {nil, nil},
		"another value stands there":    {[]Line{at(100, 160, 14, "Sex"), at(100, 182, 22, "12 AUG 1974")}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := Read(pageOf(append(c.lines, others...)...)).Letter
			if len(got) != len(c.want)/2 {
				t.Fatalf("%+v, want one at %v", got, c.want)
			}
			for _, s := range got {
				if math.Abs(s.X-c.want[0]) > 12 || math.Abs(s.Y-c.want[1]) > 3 || s.Height < 18 || s.Height > 26 {
					t.Errorf("%+v, want one at %v", s, c.want)
				}
			}
		})
	}
}

func TestOfALinesLongRestOnlyOneLetterIsLookedAt(t *testing.T) {
	label := Line{Text: "Sex", Strip: Strip{X: 160, Y: 160, Length: 120, Height: 22}, At: []float64{.05, .13, .21}}
	got := Read(pageOf(at(100, 40, 14, "Surname"), at(100, 62, 22, "ERIKSSON"), label)).Letter
	if len(got) == 0 || math.Abs(got[0].Length-letterLong*22) > .1 || math.Abs(got[0].Y-160) > .1 || got[0].X < 140 || got[0].X > 160 {
		t.Errorf("%+v", got)
	}
}

func TestAFieldsNumberIsCutOffItsLabel(t *testing.T) {
	for text, want := range map[string]int{"15SEX": 2, "155EX": 2, "4aISS": 2, "4bEXP": 2, "155": 0, "1555EX": 0, "15": 0, "HGT": 0, "12345": 0} {
		if got := numberBefore(lexicons()[1], word{text: text, plain: letters(text)}); got != want {
			t.Errorf("%s: %d, want %d", text, got, want)
		}
	}
}

func TestNoughtsOfAddressesAreWhatStandsBesideThem(t *testing.T) {
	for read, want := range map[string]string{
		"6O AVENUE DE LA PAIX": "60 AVENUE DE LA PAIX", "2OO1 Utopia City": "2001 Utopia City", "0BSERVATORY ROAD": "OBSERVATORY ROAD", "350 5TH AVE APT 4O": "350 5TH AVE APT 4O",
		"12OBSERVATORY ROAD": "12 OBSERVATORY ROAD", "OTTAWA": "OTTAWA", "U1N 2Z0": "U1N 2Z0",
	} {
		if got := mendAddress(read); got != want {
			t.Errorf("%s: %s, want %s", read, got, want)
		}
	}
}

func TestTheCategoriesBelowAnAddressAreNoneOfIt(t *testing.T) {
	for text, want := range map[string]bool{"AM-A1-B1-B": true, "AM/B/C1": true, "B BE": true, "B Street": false, "7370 Utopia City": false} {
		r := newReader(pageOf(at(100, 100, 20, text)))
		if got := onlyCategories(r.words(0)); got != want {
			t.Errorf("%s: %t, want %t", text, got, want)
		}
	}
}

func TestTheLetterOfTheSexIsLookedForInTheRowsOfWhatItIsPrintedWith(t *testing.T) {
	page := func(more ...Line) []Line {
		return append([]Line{
			at(100, 40, 14, "Surname"), at(100, 62, 22, "ERIKSSON"), at(400, 40, 14, "Passport No."), at(400, 62, 22, "AB1234567"),
			at(100, 100, 14, "Date of birth"), at(100, 122, 22, "12.08.1974"),
		}, more...)
	}
	for name, c := range map[string]struct {
		lines  []Line
		issuer string
		want   int
	}{
		"beside the day of birth, where another value begins": {page(), "", 1},
		"something was read there":                            {page(at(400, 122, 22, "ZENITH")), "", 0},
		"its label was read":                                  {page(at(400, 100, 14, "Sex")), "", 0},
		"it was read":                                         {page(at(400, 100, 14, "Sex"), at(400, 122, 22, "F")), "", 0},
		"M is a woman's letter there":                         {page(), "ESP", 0},
		"no fact is read that it is printed with":             {page()[:4], "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			p := pageOf(c.lines...)
			p.Issuer = c.issuer
			got := Read(p).Open
			if len(got) != c.want {
				t.Fatalf("%+v, want %d", got, c.want)
			}
			for _, s := range got {
				if math.Abs(s.X-410) > 12 || math.Abs(s.Y-122) > 3 {
					t.Errorf("%+v", s)
				}
			}
		})
	}
}
