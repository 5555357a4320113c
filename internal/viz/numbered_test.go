package viz

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// unsurely is a line of whose first runes a reader was so sure.
func unsurely(l Line, chars ...float64) Line {
	for range []rune(l.Text) {
		l.Chars = append(l.Chars, 1)
	}
	copy(l.Chars, chars)
	return l
}

func TestTheAddressOfNorthAmericanCards(t *testing.T) {
	licence := at(560, 40, 30, "DRIVER LICENSE")
	for name, c := range map[string]struct {
		lines []Line
		want  string
	}{
		"of a house whose number a field has, too":                  {[]Line{at(350, 240, 22, "8 ADDRESS/ADRESSE 15 MILL STREET"), at(585, 268, 22, "UTOPIA CITY, UP, U3E 6X1")}, "15 MILL STREET, UTOPIA CITY, UP, U3E 6X1"},
		"below its number":                                          {[]Line{at(350, 200, 10, "8"), at(350, 240, 22, "9 OBSERVATORY ROAD"), at(350, 266, 22, "UTOPIA CITY, UP 16252")}, "9 OBSERVATORY ROAD, UTOPIA CITY, UP 16252"},
		"of a house whose number a misread field number looks like": {[]Line{at(350, 200, 10, "8"), at(350, 240, 22, "48 RUE DES TILLEULS"), at(350, 266, 22, "UTOPIA CITY, UP 55952")}, "48 RUE DES TILLEULS, UTOPIA CITY, UP 55952"},
		"of house 8":                                   {[]Line{at(350, 200, 10, "8"), at(350, 240, 22, "8 MILL STREET"), at(350, 266, 22, "UTOPIA CITY, UP 55952")}, "8 MILL STREET, UTOPIA CITY, UP 55952"},
		"of house 8 or of one without a number":        {[]Line{at(350, 240, 22, "8 MILL STREET"), at(350, 266, 22, "UTOPIA CITY, UP 55952")}, ""},
		"beside print that touches it":                 {[]Line{at(350, 240, 22, "72 OBSERVATORY ROAD"), unsurely(at(314, 266, 22, "ONLUTOPIA CITY, UP 16573"), .36, .28, .8)}, "72 OBSERVATORY ROAD, UTOPIA CITY, UP 16573"},
		"beside surely read print":                     {[]Line{at(350, 240, 22, "72 OBSERVATORY ROAD"), at(314, 266, 22, "ONLUTOPIA CITY, UP 16573")}, ""},
		"whose first line was not read":                {[]Line{at(350, 210, 22, "8"), at(350, 240, 22, "UTOPIA CITY, UP 16573")}, ""},
		"whose second line was not read":               {[]Line{at(350, 240, 22, "8 72 OBSERVATORY ROAD"), at(350, 300, 22, "4a ISS 07/14/2022")}, ""},
		"with letters in its postal code":              {[]Line{at(350, 240, 22, "8 72 OBSERVATORY ROAD"), at(372, 266, 22, "UTOPIA CITY, UP, U6S OB3")}, "72 OBSERVATORY ROAD, UTOPIA CITY, UP, U6S 0B3"},
		"with one sign that no postal code has":        {[]Line{at(350, 240, 22, "8 72 OBSERVATORY ROAD"), at(372, 266, 22, "UTOPIA CITY, UP, U6S XB3")}, ""},
		"behind its misread number":                    {[]Line{at(350, 160, 22, "3 DOB 07/09/1984"), at(350, 200, 22, "1 TUEMYESSGOEM"), at(350, 220, 22, "2 PIETER"), at(350, 240, 22, "0 56 HARBOUR LANE"), at(374, 266, 22, "UTOPIA CITY, UP 16573")}, "56 HARBOUR LANE, UTOPIA CITY, UP 16573"},
		"of a house whose number was read as a letter": {[]Line{at(350, 200, 10, "8"), at(350, 240, 22, "S AVENUE"), at(350, 266, 22, "UTOPIA CITY, UP 16573")}, ""},
		"with an unsure comma":                         {[]Line{at(350, 240, 22, "8 72 OBSERVATORY ROAD"), unsurely(at(372, 266, 22, "UTOPIA CITY, UP, U6S 0B3"), 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, .2)}, "72 OBSERVATORY ROAD, UTOPIA CITY, UP, U6S 0B3"},
		"above another that may be it":                 {[]Line{at(350, 240, 22, "72 OBSERVATORY ROAD"), at(350, 266, 22, "UTOPIA CITY, UP 16573"), at(350, 340, 22, "5 MILL STREET"), at(350, 366, 22, "UTOPIA CITY, UP 16570")}, ""},
		"and a rest of another label":                  {[]Line{at(350, 240, 22, "8 ADDRESS/ADRESSE"), at(350, 266, 22, "4a ISS/IDÉL 2025/11/21")}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := stated(Read(pageOf(append(c.lines, licence)...)))[address]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestFieldsOfNorthAmericanCardsWithoutTheirNumbersOrLabels(t *testing.T) {
	licence := at(560, 40, 30, "DRIVER LICENSE")
	column := []Line{licence, at(350, 120, 22, "4d LIC NO 6283214"), at(350, 160, 22, "3 DOB 07/09/1984"), at(350, 200, 22, "1 TUEMYESSGOEM"), at(350, 300, 22, "4a ISS 11/21/2025")}
	below := []Line{
		licence, at(350, 120, 16, "3 DOB"), at(350, 144, 24, "03/25/1984"), at(350, 180, 16, "4a ISS"), at(350, 204, 24, "11/21/2025"), at(650, 180, 16, "16 HGT"), at(650, 204, 24, "5'-09\""),
		at(350, 240, 16, "17 WGT"), at(350, 264, 24, "229 lb"),
	}
	for name, c := range map[string]struct {
		lines []Line
		fact  fact
		want  string
	}{
		"print of a pattern before the number":               {append(column, unsurely(at(314, 240, 22, "OPT2 PIETER"), .81, .57, .39)), givenNames, "PIETER"},
		"surely read print before the number":                {append(column, at(314, 240, 22, "OPT2 PIETER")), givenNames, ""},
		"print before a number that is in no column":         {append(column, unsurely(at(280, 240, 22, "OPT2 PIETER"), .81, .57, .39)), givenNames, ""},
		"given names further down than a next line":          {append(column[:3:3], at(350, 200, 14, "1 NAME/NOM"), at(350, 226, 24, "KAA"), at(350, 265, 24, "AENNCHEN")), surname, "KAA"},
		"a number read as a letter in the column of numbers": {append(column, at(350, 240, 22, "Z PIETER")), givenNames, "PIETER"},
		"a letter right of the column of numbers":            {append(column, at(375, 240, 22, "Z PIETER")), givenNames, "Z PIETER"},
		"a family name of two lines":                         {append(column[:3:3], at(350, 200, 14, "1 NAME/NOM"), at(350, 226, 24, "KAA-"), at(350, 254, 24, "LINDQVIST")), surname, "KAA-LINDQVIST"},
		"the letter of the sex beside the height":            {append(below, at(520, 204, 24, "F")), sex, "F"},
		"a letter that is no sex beside the height":          {append(below, at(520, 204, 24, "C")), sex, ""},
		"a letter below another label beside the height":     {append(below, at(520, 180, 16, "9 CLASS"), at(520, 204, 24, "M")), sex, ""},
		"a letter in another row":                            {append(below, at(520, 264, 24, "F")), sex, ""},
		"two letters":                                        {append(below, at(520, 204, 24, "F"), at(150, 204, 24, "M")), sex, ""},
		"the only day after that of issue":                   {append(below, at(650, 144, 24, "11/20/2033")), dateOfExpiry, "2033-11-20"},
		"the birthday until which one is too young":          {append(below, at(650, 144, 24, "03/25/2033")), dateOfExpiry, ""},
		"two days after that of issue":                       {append(below, at(650, 144, 24, "11/20/2033"), at(650, 264, 24, "10/20/2033")), dateOfExpiry, ""},
		"a number behind what is left of its label":          {append(below, at(350, 300, 22, "4dteNó M214089248896")), documentNumber, "M214089248896"},
		"a word behind what is left of its label":            {append(below, at(350, 300, 22, "4dteNó MILLER")), documentNumber, ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := stated(Read(pageOf(c.lines...)))[c.fact]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestACardIsNorthAmericanByTheLabelsBehindItsNumbers(t *testing.T) {
	card := pageOf(at(560, 40, 30, "CARTE-PHOT0"), at(350, 120, 22, "1 REMTRIN"), at(350, 160, 22, "2 EWAN"), at(350, 200, 22, "3 D0B/DDN 1995-11-27"), at(350, 240, 22, "4a S/DÉL 2025-10-28 4b EXP 2030-10-27"),
		at(350, 280, 22, "15 SEX/SEXE M 16 HGT/HAUT 190 cm"))
	want := claims{surname: "REMTRIN", givenNames: "EWAN", dateOfBirth: "1995-11-27", dateOfIssue: "2025-10-28", dateOfExpiry: "2030-10-27", sex: "M"}
	if d := cmp.Diff(want, stated(Read(card))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if american(pageOf(at(350, 120, 22, "15 SEX"), at(350, 160, 22, "Article 16 HGT"), at(350, 200, 22, "3 DOB"))) {
		t.Error("three labels tell a card")
	}
}

func TestFieldsOfEuropeanLicencesByOrder(t *testing.T) {
	licence, issued, number := at(250, 40, 30, "DRIVING LICENCE"), at(350, 210, 22, "4a. 04.12.2022"), at(350, 270, 22, "5. WR20031382")
	for name, c := range map[string]struct {
		lines []Line
		want  claims
	}{
		"the day of expiry right of that of issue": {[]Line{at(620, 210, 10, "40"), at(650, 210, 22, "03.12.2037")}, claims{dateOfExpiry: "2037-12-03"}},
		"an earlier day right of that of issue":    {[]Line{at(650, 210, 22, "03.12.2012")}, claims{}},
		"the authority left of field 4d":           {[]Line{at(350, 240, 22, "PREFECTURE ZENITH"), at(720, 240, 22, "4d. 2806353808")}, claims{authority: "PREFECTURE ZENITH", personalNumber: "2806353808"}},
		"a text with digits left of field 4d":      {[]Line{at(350, 240, 22, "ZENITH 3"), at(720, 240, 22, "4d. 2806353808")}, claims{personalNumber: "2806353808"}},
		"the authority behind half its number":     {[]Line{at(620, 210, 22, "c. MT-UTO")}, claims{authority: "MT-UTO"}},
		"the address between fields 5 and 9":       {[]Line{at(350, 300, 10, "0."), at(390, 300, 22, "46 Mill Street, 2454 Utopia City"), at(350, 330, 22, "9. AM/B")}, claims{address: "46 Mill Street, 2454 Utopia City"}},
		"a text without a number between them":     {[]Line{at(390, 300, 22, "Jane Ann Sample"), at(350, 330, 22, "9. AM/B")}, claims{}},
		"two texts between them":                   {[]Line{at(390, 300, 22, "46 Mill Street, Utopia"), at(720, 300, 22, "12 Mill Street, Utopia"), at(350, 330, 22, "9. AM/B")}, claims{}},
		"a house whose number looks like field 4b": {[]Line{at(350, 300, 22, "8"), at(390, 300, 22, "46 Quai du Nord, Utopia City"), at(350, 330, 22, "9. AM/B")}, claims{address: "46 Quai du Nord, Utopia City"}},
		"the address behind its misread number":    {[]Line{at(350, 300, 22, "B. 46 Mill Street, 2454 Utopia City"), at(350, 330, 22, "9. AM/B")}, claims{address: "46 Mill Street, 2454 Utopia City"}},
		"an 8 before a day and a place":            {[]Line{at(350, 180, 22, "8. 22.11.1987 ÆRØSKØBING")}, claims{dateOfBirth: "1987-11-22", placeOfBirth: "ÆRØSKØBING"}},
		"names behind their misread numbers":       {[]Line{at(350, 120, 22, "I. BRØNDSTED"), at(350, 150, 22, "Z. SØREN"), at(350, 180, 22, "3. 22.11.1987")}, claims{surname: "BRØNDSTED", givenNames: "SØREN", dateOfBirth: "1987-11-22"}},
		"a line without a number above field 3":    {[]Line{at(350, 120, 22, "1. BRØNDSTED"), at(380, 180, 22, "3. 22.11.1987"), at(100, 150, 22, "UTOPIA")}, claims{surname: "BRØNDSTED", dateOfBirth: "1987-11-22"}},
		"the day of expiry behind a misread 4b":    {[]Line{at(350, 180, 22, "3. 22.11.1987"), at(350, 240, 22, "40. 03.12.2037")}, claims{dateOfBirth: "1987-11-22", dateOfExpiry: "2037-12-03"}},
		"two days that may be that of expiry":      {[]Line{at(350, 180, 22, "3. 22.11.1987"), at(620, 300, 22, "03.12.2037"), at(620, 330, 22, "03.12.2035")}, claims{dateOfBirth: "1987-11-22"}},
		"a family name that begins as a category":  {[]Line{at(350, 120, 22, "1. de la Cruz"), at(350, 300, 22, "C. B"), at(350, 330, 22, "AM / B1 / B")}, claims{surname: "de la Cruz"}},
	} {
		t.Run(name, func(t *testing.T) {
			c.want[dateOfIssue], c.want[documentNumber] = "2022-12-04", "WR20031382"
			if d := cmp.Diff(c.want, stated(Read(pageOf(append(c.lines, licence, issued, number)...)))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestTheDaysOfEuropeanLicencesAreToldByTheirOrder(t *testing.T) {
	both := claims{dateOfBirth: "1987-11-22", dateOfIssue: "2022-12-04", dateOfExpiry: "2037-12-03"}
	for name, c := range map[string]struct {
		days []Line
		want claims
	}{
		"where 4a was read as 4b": {[]Line{at(350, 180, 22, "3. 22.11.1987"), at(350, 210, 22, "4b. 04.12.2022"), at(350, 240, 22, "4b. 03.12.2037")}, both},
		"where 4b was read as 4a": {[]Line{at(350, 180, 22, "3. 22.11.1987"), at(350, 210, 22, "4a. 04.12.2022"), at(350, 240, 22, "4a. 03.12.2037")}, both},
		"where 4a was not read":   {[]Line{at(350, 180, 22, "3. 22.11.1987"), at(390, 210, 22, "04.12.2022"), at(350, 240, 22, "4b. 03.12.2037")}, both},
		"where neither was read":  {[]Line{at(350, 180, 22, "3. 22.11.1987"), at(390, 210, 22, "04.12.2022"), at(390, 240, 22, "03.12.2037")}, both},
		"where the number of a day was not read, nor the day of birth": {[]Line{at(390, 210, 22, "04.12.2022"), at(350, 240, 22, "4b. 03.12.2037")}, claims{dateOfExpiry: "2037-12-03"}},
		"where a day is earlier than that of birth":                    {[]Line{at(350, 180, 22, "3. 22.11.1987"), at(390, 210, 22, "04.12.1982"), at(350, 240, 22, "4b. 03.12.2037")}, claims{dateOfBirth: "1987-11-22", dateOfExpiry: "2037-12-03"}},
	} {
		t.Run(name, func(t *testing.T) {
			if d := cmp.Diff(c.want, stated(Read(pageOf(append(c.days, at(250, 40, 30, "DRIVING LICENCE"))...)))); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestTheLegendOfALicencesBackStatesNoFact(t *testing.T) {
	page := pageOf(at(100, 100, 18, "1. Příjmení"), at(100, 150, 18, "2. Jméno"), at(100, 200, 18, "4a. Datum vydání"), at(300, 200, 20, "06.03.2024"), at(100, 250, 18, "4b. Platnost do"), at(100, 300, 18, "5. Číslo dokladu"))
	for name, beside := range map[string]Line{"alone": at(600, 100, 20, "AM"), "beside print of a pattern": unsurely(at(300, 100, 20, "OPIE"), .4, .5, .4, .4)} {
		page := page
		page.Lines = append(page.Lines[:len(page.Lines):len(page.Lines)], beside)
		if got := stated(Read(page)); len(got) > 0 {
			t.Errorf("%s: stated %v", name, got)
		}
	}
	page.Kind = idv.IDCard
	if got := stated(Read(page))[dateOfIssue]; got != "2024-03-06" {
		t.Errorf("on a card whose zone says that it is no licence, stated %q", got)
	}
}

func TestValuesOfNumberedFieldsThatWereCutBetweenWords(t *testing.T) {
	for name, c := range map[string]struct {
		first, second Line
		fact          fact
		want          string
	}{
		"a name":                     {at(350, 150, 22, "2. SØREN"), at(450, 150, 22, "ÆGIDIUS"), givenNames, "SØREN ÆGIDIUS"},
		"a name and a title":         {at(350, 150, 22, "2. SØREN"), at(450, 150, 22, "MR"), givenNames, "SØREN"},
		"a name behind a point":      {at(350, 120, 22, "1. ST."), at(430, 120, 22, "JOHN"), surname, "ST. JOHN"},
		"an authority":               {at(620, 210, 22, "4c. CITY"), at(722, 210, 22, "OF ZENITH"), authority, "CITY OF ZENITH"},
		"a place":                    {at(350, 180, 22, "3. 22.11.1987 UTOPIA"), at(610, 180, 22, "CITY"), placeOfBirth, "UTOPIA CITY"},
		"a place and print far off":  {at(350, 180, 22, "3. 22.11.1987 UTOPIA"), at(720, 180, 22, "CITY"), placeOfBirth, "UTOPIA"},
		"a place and a larger print": {at(350, 180, 22, "3. 22.11.1987 UTOPIA"), at(610, 180, 40, "CITY"), placeOfBirth, "UTOPIA"},
		"an address behind a house":  {at(350, 300, 22, "8. 86"), at(420, 300, 22, "Mill Street, Utopia City"), address, "86 Mill Street, Utopia City"},
		"the end of an address":      {at(350, 300, 22, "8. 86 Mill Street, UTOPIA, UT2"), at(715, 300, 22, "1QX"), address, "86 Mill Street, UTOPIA, UT2 1QX"},
		"the rest of another's line": {at(350, 150, 22, "1. SØREN"), at(450, 180, 22, "MARIA"), surname, "SØREN"},
	} {
		t.Run(name, func(t *testing.T) {
			page := pageOf(at(250, 40, 30, "DRIVING LICENCE"), c.first, c.second, at(350, 210, 22, "4a. 04.12.2022"), at(350, 270, 22, "5. WR20031382"))
			if got := stated(Read(page))[c.fact]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestPrintBeforeTheNumbersOfFields(t *testing.T) {
	lines := func(x float64, chars ...float64) []Line {
		return []Line{
			at(250, 40, 30, "DRIVING LICENCE"), at(350, 120, 22, "1. EK"), at(350, 150, 22, "2. BO"), unsurely(at(x, 180, 22, "OT3. 22.11.1987 UTOPIA"), chars...),
			at(350, 210, 22, "4a. 04.12.2022"), at(350, 240, 22, "4b. 03.12.2037"),
		}
	}
	for name, c := range map[string]struct {
		lines []Line
		want  string
	}{
		"unsurely read":                  {lines(326, .6, .5), "1987-11-22"},
		"surely read":                    {lines(326, .6, .95), ""},
		"before a number in no column":   {lines(300, .6, .5), ""},
		"that is as far in as its lines": {lines(350, .6, .5), ""},
	} {
		t.Run(name, func(t *testing.T) {
			if got := stated(Read(pageOf(c.lines...)))[dateOfBirth]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestASignOfANumberThatMayBeAnotherMustBeReadSurely(t *testing.T) {
	for name, c := range map[string]struct {
		number string
		sign   int
		sure   float64
		want   string
	}{
		"a letter behind digits":        {"A16536544S", 9, .89, ""},
		"a letter behind digits, surer": {"A16536544S", 9, .93, "A16536544S"},
		"a digit among digits":          {"A165365445", 6, .85, "A165365445"},
		"a letter of no digit's shape":  {"A16536544K", 9, .85, "A16536544K"},
		"a sign whose place tells it":   {"DARVI222197LC0PL", 13, .85, "DARVI222197LC0PL"},
	} {
		t.Run(name, func(t *testing.T) {
			line := at(350, 270, 22, "5. "+c.number)
			line = unsurely(line)
			line.Chars[3+c.sign] = c.sure
			if got := stated(Read(pageOf(at(250, 40, 30, "DRIVING LICENCE"), at(350, 210, 22, "4a. 04.12.2022"), line)))[documentNumber]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestADriverNumberOfGreatBritainIsReadByItsForm(t *testing.T) {
	for name, c := range map[string]struct{ printed, want string }{
		"as it is":                         {"DARVI222197LC0PL", "DARVI222197LC0PL"},
		"with a letter for a digit":        {"DARVI222197LCOPL", "DARVI222197LC0PL"},
		"with two digits for letters":      {"DARV1222197L60PL", "DARVI222197LG0PL"},
		"padded":                           {"EK999222197L99PL", "EK999222197L99PL"},
		"with too many":                    {"0ARV122ZI97LCOPL", "0ARV122ZI97LCOPL"},
		"of another form":                  {"OARVI22X197LCOPL", "OARVI22X197LCOPL"},
		"of another length":                {"DARVI222197LCOP", "DARVI222197LCOP"},
		"of letters as digits of no shape": {"D4RVI222197LCOPL", "D4RVI222197LCOPL"},
	} {
		t.Run(name, func(t *testing.T) {
			page := pageOf(at(250, 40, 30, "DRIVING LICENCE"), at(350, 210, 22, "4a. 04.12.2022"), at(350, 270, 22, "5. "+c.printed))
			if got := stated(Read(page))[documentNumber]; got != c.want {
				t.Errorf("%q, want %q", got, c.want)
			}
		})
	}
}

func TestABackWhoseCategoriesWereNotReadStatesNoFact(t *testing.T) {
	days := []Line{at(500, 140, 20, "06.03.24"), at(620, 140, 20, "05.03.39"), at(500, 220, 20, "06.03.24"), at(620, 220, 20, "05.03.39"), at(300, 180, 18, "4a. Datum vydání")}
	if got := stated(Read(pageOf(append(days, at(500, 100, 18, "10."))...))); len(got) > 0 {
		t.Errorf("stated: %v", got)
	}
}
