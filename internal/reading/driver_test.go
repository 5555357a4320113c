package reading

import (
	"slices"
	"testing"
)

func TestTheNumberOfABritishDriverIsWrittenByItsForm(t *testing.T) {
	for text, want := range map[string]string{
		"ODON0809263S95XH": "ODONO809263S95XH",
		"LEFL0603162Y91ZS": "LEFLO603162Y91ZS", "MORGA657O54SM9IJ": "MORGA657054SM9IJ", "FOX99851234A99AB": "FOX99851234A99AB",
		"MORGA613054SM9IJ": "", "MORGA657454SM9IJ": "", "123456789012345X": "", "MORGA657054SM9I": "",
		"MORGA6570545M9IJ": "MORGA657054SM9IJ",
	} {
		if got, ok := britishDriver(text); ok != (want != "") || ok && got != want {
			t.Errorf("%s is written %q (%t), want %q", text, got, ok, want)
		}
	}
}

func TestTheNumberOfAnAmericanDriverIsWrittenByItsForm(t *testing.T) {
	for _, tc := range []struct{ what, jurisdiction, text, want string }{
		{"a 2 that was read as a Z", "CA", "B5568Z40", "B5568240"},
		{"an I that was read as a 1", "CA", "11234568", "I1234568"},
		{"a number that has the form already", "CA", "B5568240", ""},
		{"a letter that looks like no figure", "CA", "B55K8240", ""},
		{"too long for the state", "CA", "B5568Z400", ""},
		{"digits are as right as a letter before them", "AZ", "812345678", ""},
		{"two forms could be meant", "OH", "8O1234", ""},
		{"a state that is not known", "", "B5568Z40", ""},
	} {
		if got, ok := americanDriver(tc.text, tc.jurisdiction); got != tc.want || ok != (tc.want != "") {
			t.Errorf("%s: americanDriver(%q, %q) = %q, %t, want %q", tc.what, tc.text, tc.jurisdiction, got, ok, tc.want)
		}
	}
}

func TestTheStateOfALicenceIsTheOneThatItNames(t *testing.T) {
	for _, tc := range []struct {
		what  string
		lines []string
		want  string
	}{
		{"by name", []string{"CALIFORNIA", "DRIVER LICENSE"}, "CA"},
		{"a name within another", []string{"West Virginia"}, "WV"},
		{"before a postal code", []string{"LANCASTER, CA 93535"}, "CA"},
		{"both", []string{"USA California", "LANCASTER CA 93535-1234"}, "CA"},
		{"somebody who lives elsewhere", []string{"OHIO", "LANCASTER, CA 93535"}, ""},
		{"none", []string{"DRIVER LICENSE"}, ""},
		{"a province", []string{"ONTARIO"}, "ON"},
	} {
		var all []printed
		for i, text := range tc.lines {
			all = append(all, printed{x: 100, y: 100 + 50*float64(i), text: text})
		}
		if got := jurisdictionOf(rowsOf(sheet(all...))); got != tc.want {
			t.Errorf("%s: jurisdictionOf(%q) = %q, want %q", tc.what, tc.lines, got, tc.want)
		}
	}
}

func TestALicenceOfAStateSpellsItsNumber(t *testing.T) {
	p := sheet(printed{x: 100, y: 100, text: "CALIFORNIA"}, printed{x: 100, y: 150, text: "DL B5568Z40"}, printed{x: 100, y: 200, text: "HGT 5-03"},
		printed{x: 100, y: 250, text: "DOB 02/01/1995"})
	var got []string
	for _, o := range viewOf(p).options(fNumber) {
		got = append(got, o.Value)
	}
	if !slices.Contains(got, "B5568240") || slices.Contains(got, "B5568Z40") {
		t.Errorf("got numbers %q, want B5568240 in place of B5568Z40", got)
	}
}
