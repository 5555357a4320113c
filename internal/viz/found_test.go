package viz

import (
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestADayThatMayHaveLostItsFirstDigitIsNotStated(t *testing.T) {
	for name, c := range map[string]struct {
		text  string
		moved float64 // to the right of its label, in parts of the print's height
		want  string
	}{
		"two digits below the label":                             {"22 SEP 2034", 0, "2034-09-22"},
		"two digits, set further in":                             {"22 SEP 2034", 0.6, "2034-09-22"},
		"one digit right below the label":                        {"2 SEP 2034", 0, "2034-09-02"},
		"one digit where a second one may stand before it":       {"2 SEP 2034", 0.6, ""},
		"one digit, padded, where a second one may stand before": {"02 SEP 2034", 0.6, "2034-09-02"},
	} {
		t.Run(name, func(t *testing.T) {
			page := under("Surname", "NOVÁK", "Date of expiry", c.text)
			page.Lines[3].Strip.X += c.moved * page.Lines[3].Strip.Height
			got := ""
			for _, claim := range Read(page).Claims {
				if claim.Name == "date_of_expiry" {
					got = claim.Value
				}
			}
			if got != c.want {
				t.Errorf("got %q, want %q", got, c.want)
			}
		})
	}
}

func TestWhatIsBesideAFactIsNoPartOfIt(t *testing.T) {
	beside := func(more ...Line) Page {
		return pageOf(append([]Line{
			at(100, 60, 20, "Surname:"), at(400, 60, 26, "HOLMGREN"), at(100, 140, 20, "Document No.:"), at(400, 140, 26, "AB1234567"),
			at(100, 180, 20, "Date of birth:"), at(400, 180, 26, "12 AUG 1974"),
		}, more...)...)
	}
	for name, c := range map[string]struct {
		page Page
		fact idv.ClaimName
		want string
	}{
		"the next row has a label of its own, far to the left": {beside(at(100, 98, 20, "Sex:"), at(400, 98, 26, "M")), surname, "HOLMGREN"},
		"a name goes on where no label stands on its row":      {beside(at(400, 98, 26, "BLOM")), surname, "HOLMGREN BLOM"},
		"the name behind a label is no letters of it":          {pageOf(at(100, 60, 22, "Family name ST. JOHN"), at(100, 120, 22, "Given names HARRIET")), surname, "ST. JOHN"},
		"a day of issue of which the beginning was not read":   {pageOf(at(100, 60, 22, "Date of issue AUG 2025")), dateOfIssue, ""},
		"of a birth no more than the month may be known":       {pageOf(at(100, 60, 22, "Date of birth AUG 1975")), dateOfBirth, "1975-08-XX"},
		"print between two names is a label, misread":          {pageOf(at(100, 60, 16, "Surname"), at(100, 90, 26, "HOLMGREN"), at(102, 112, 12, "Gv Udames"), at(100, 132, 26, "CAOIMHE")), surname, "HOLMGREN"},
		"the next column's value is none of an address": {pageOf(
			at(100, 60, 20, "Address"), at(600, 60, 20, "Place of birth"), at(100, 95, 26, "43 Mill Street, 7622 Utopia City"), at(600, 95, 26, "LOGROÑO"),
		), address, "43 Mill Street, 7622 Utopia City"},
		"a house's number is none of a field": {pageOf(
			at(100, 40, 30, "DRIVING LICENCE"), at(100, 90, 22, "1. EL AMRANI"), at(100, 120, 22, "2. LOÏC"), across(at(100, 150, 22, "8."), at(160, 150, 22, "7 Mill Street, 7370 Utopia City")),
		), address, "7 Mill Street, 7370 Utopia City"},
		"a title of which a letter was not read": {pageOf(at(100, 40, 30, "AJOKORTI"), at(100, 90, 22, "1. LINDQVIST"), at(100, 120, 22, "2. OSKAR")), surname, "LINDQVIST"},
		"a label in two languages is one column": {pageOf(
			at(100, 60, 22, "UTFÄRDAD / DATE OF ISSUE"), at(600, 60, 22, "MYNDIGHET / AUTHORITY"), at(100, 90, 24, "05 SEP 2023"), at(600, 90, 24, "UTOPIA CITY"),
		), dateOfIssue, "2023-09-05"},
		"the last letter of a label was not read":               {pageOf(at(100, 60, 22, "UYRUĞU/NATÍONALIT:"), at(500, 60, 26, "JPN")), nationality, "JPN"},
		"a card's own number is not that of a European licence": {pageOf(at(100, 40, 30, "DRIVING LICENCE"), at(100, 90, 22, "5 DD/REF 4446507818")), documentNumber, ""},
	} {
		if got := stated(Read(c.page))[c.fact]; got != c.want {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}
