package reading

import (
	"slices"
	"testing"
)

func TestARowBelowAValueIsTakenOrLeft(t *testing.T) {
	label, place := printed{x: 100, y: 60, text: "Place of birth", h: 15}, printed{x: 100, y: 100, text: "LOWER TOWN"}
	for _, tc := range []struct {
		what  string
		below []printed
		want  map[string][]string // features by value
	}{
		{"a row right below", []printed{{x: 100, y: 135, text: "UPLAND"}}, map[string][]string{
			"LOWER TOWN":        {"own place_of_birth leaves a row right below"},
			"LOWER TOWN UPLAND": {"own place_of_birth takes a row right below"},
		}},
		{"a row further below", []printed{{x: 100, y: 150, text: "UPLAND"}}, map[string][]string{
			"LOWER TOWN":        {"own place_of_birth leaves a row further below"},
			"LOWER TOWN UPLAND": {"own place_of_birth takes a row further below"},
		}},
		{"a state", []printed{{x: 100, y: 135, text: "KENYA"}}, map[string][]string{
			"LOWER TOWN":       {"own place_of_birth leaves a state's row"},
			"LOWER TOWN KENYA": {"own place_of_birth takes a state's row"},
		}},
		{"a label", []printed{{x: 100, y: 135, text: "Date of birth"}}, map[string][]string{"LOWER TOWN": nil}},
		{"nothing", nil, map[string][]string{"LOWER TOWN": nil}},
	} {
		p := NewProblem(sheet(append([]printed{label, place}, tc.below...)...), &Model{})
		for value, want := range tc.want {
			at := slices.IndexFunc(p.Options[fBirthplace], func(o Option) bool { return o.Value == value })
			if at < 0 {
				t.Errorf("%s: no place is %q", tc.what, value)
				continue
			}
			var got []string
			for _, f := range p.OwnFeatures(fBirthplace, at) {
				got = append(got, f.Name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s: %q has %q, want %q", tc.what, value, got, want)
			}
		}
	}
}

func TestARowThatStatesAnotherFactIsNotLeft(t *testing.T) {
	p := NewProblem(sheet(printed{x: 100, y: 100, text: "LOWER TOWN"}, printed{x: 100, y: 135, text: "UPLAND"}), &Model{})
	if s := (span{1, 0, 6}); p.statesOther(fBirthplace, s) {
		t.Errorf("%q states something before anything is judged", "UPLAND")
	}
	at := slices.IndexFunc(p.Options[fSurname], func(o Option) bool { return o.Value == "UPLAND" })
	p.Options[fSurname][at].Score = 1
	if s := (span{1, 0, 6}); !p.statesOther(fBirthplace, s) {
		t.Errorf("%q states nothing though it is likely a name", "UPLAND")
	}
}

func TestAPlaceOnTwoRowsIsReadAsItIsPrinted(t *testing.T) {
	for _, tc := range []struct{ first, second, place, address string }{
		{"LOWER TOWN", "UPLAND", "LOWER TOWN UPLAND", "LOWER TOWN, UPLAND"},
		{"LOWER TOWN,", "UPLAND", "LOWER TOWN, UPLAND", "LOWER TOWN, UPLAND"},
	} {
		v := viewOf(sheet(printed{x: 100, y: 100, text: tc.first}, printed{x: 100, y: 135, text: tc.second}))
		for fact, want := range map[int]string{fBirthplace: tc.place, fAuthority: tc.place, fAddress: tc.address} {
			if !slices.ContainsFunc(v.options(fact), func(o Option) bool { return o.Value == want }) {
				t.Errorf("%q and %q: no %s is %q", tc.first, tc.second, FactNames[fact], want)
			}
		}
	}
}

func TestNamesOfFathersAreNoGivenNames(t *testing.T) {
	options := viewOf(sheet(printed{x: 100, y: 100, text: "ЛУКЬЯН"}, printed{x: 100, y: 140, text: "ОНИСИМОВИЧ"})).options(fGiven)
	for value, want := range map[string]bool{"ЛУКЬЯН": true, "ЛУКЬЯН ОНИСИМОВИЧ": true, "ОНИСИМОВИЧ": false} {
		if got := slices.ContainsFunc(options, func(o Option) bool { return o.Value == value }); got != want {
			t.Errorf("%s may be given names: %t, want %t", value, got, want)
		}
	}
	for _, o := range inOneScript(fGiven, options) {
		if o.Value != "" && o.Key != "ЛУКЬЯН" {
			t.Errorf("%q has the key %q, want ЛУКЬЯН: whether the father's name is one of them is no doubt about what is printed", o.Value, o.Key)
		}
	}
	for word, want := range map[string]bool{
		"Петровна": true, "ИЛЬИНИЧНА": true, "ВАСИЛЬОВИЧ": true, "БЕРІКҚЫЗЫ": true, "ВИЧ": false, "ПЕТРОВ": false, "IVANOVIC": false,
	} {
		if got := isFathersName(word); got != want {
			t.Errorf("%s is the name of a father: %t, want %t", word, got, want)
		}
	}
}
