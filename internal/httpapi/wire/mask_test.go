package wire

import (
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// maskedRoots are the bodies of calls that mask.
var maskedRoots = []reflect.Type{
	reflect.TypeFor[HitPage](), reflect.TypeFor[SessionHits](), reflect.TypeFor[SeenSessions](), reflect.TypeFor[SessionSeen](),
	reflect.TypeFor[DuplicateClusters](),
	reflect.TypeFor[ConsoleSessionPage](), reflect.TypeFor[SessionFile](), reflect.TypeFor[CasePage](), reflect.TypeFor[CaseFile](),
	reflect.TypeFor[SessionFacets](), reflect.TypeFor[SavedViews](), reflect.TypeFor[SavedView](), reflect.TypeFor[Receipt](),
}

func TestSomebodySaidOfEveryFieldWhetherItIsPersonal(t *testing.T) {
	used := map[reflect.Type]bool{}
	var look func(reflect.Type)
	look = func(in reflect.Type) {
		switch in.Kind() {
		case reflect.Pointer, reflect.Slice:
			look(in.Elem())
		case reflect.Interface:
			t.Errorf("%s can hold anything", in)
		case reflect.Struct:
			if in == reflect.TypeFor[time.Time]() || used[in] {
				return
			}
			used[in] = true
			table, known := veils[in]
			if !known {
				t.Errorf("nobody said what is personal in %s", in)
				return
			}
			var named []string
			for _, list := range []string{table.plain, table.number, table.fact, table.facts, table.pairs, table.bare, table.gone} {
				named = append(named, strings.Fields(list)...)
			}
			for i := range in.NumField() {
				name := in.Field(i).Name
				if n := len(slices.DeleteFunc(slices.Clone(named), func(s string) bool { return s != name })); n != 1 {
					t.Errorf("%s.%s is named %d times, want once", in, name, n)
				}
				named = slices.DeleteFunc(named, func(s string) bool { return s == name })
				if names(table.plain, name) {
					look(in.Field(i).Type)
				}
			}
			if len(named) > 0 {
				t.Errorf("%s has no %v", in, named)
			}
		}
	}
	for _, root := range maskedRoots {
		look(root)
	}
	for known := range veils {
		if !used[known] {
			t.Errorf("%s is in no answer that is masked", known)
		}
	}
}

func TestAFieldThatNobodyThoughtOfIsNotAnswered(t *testing.T) {
	type novel struct{ Name string }
	for name, err := range map[string]error{
		"a type":               second(masked(novel{"Eriksson"})),
		"a type within others": second(masked([]*novel{{"Eriksson"}})),
		"anything":             second(masked([]any{"Eriksson"})),
	} {
		if err == nil || strings.Contains(err.Error(), "Eriksson") {
			t.Errorf("%s: %v", name, err)
		}
	}
	was := veils[reflect.TypeFor[Member]()]
	defer func() { veils[reflect.TypeFor[Member]()] = was }()
	veils[reflect.TypeFor[Member]()] = veil{plain: "ID"}
	if _, err := masked(&Case{Assignee: &Member{Name: "Ada"}}); err == nil {
		t.Error("a field that is in no list is answered")
	}
}

func second[T any](_ T, err error) error { return err }

func TestFactsAreMaskedByTheirKind(t *testing.T) {
	for name, c := range map[string]struct {
		fact        idv.ClaimName
		value, want string
	}{
		"a family name":               {idv.FamilyName, "Quill-Feather", "Q••• F•••"},
		"a name in a zone":            {idv.FamilyName, "VAN<DER<MUELLEN", "V••• D••• M•••"},
		"a name of one letter":        {idv.GivenNames, "O", "•"},
		"a name in another script":    {idv.GivenNames, "Олена", "О•••"},
		"a number":                    {idv.DocumentNumber, "L898902C3", hidden + "C3"},
		"a short number":              {idv.PersonalNumber, "12345", hidden},
		"a date":                      {idv.DateOfBirth, "1974-08-12", "1974-••-••"},
		"a date with an unknown part": {idv.DateOfBirth, "1974-XX-XX", "1974-••-••"},
		"something that is no date":   {idv.DateOfBirth, "12 August", hidden},
		"an address":                  {idv.Address, "1 Harbour Road", hidden},
		"a sex":                       {idv.Sex, "F", hidden},
		"a nationality":               {idv.Nationality, "UTO", hidden},
		"a place":                     {idv.PlaceOfBirth, "ZENITH", hidden},
		"an authority":                {idv.Authority, "ZENITH CITY", hidden},
		"an issuer":                   {idv.Issuer, "UTO", "UTO"},
		"a kind of later":             {"height", "186", hidden},
		"nothing":                     {idv.FamilyName, "", ""},
	} {
		if got := maskedFact(c.fact, c.value); got != c.want {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
}

func TestOfMeasuresOnlyThoseStayThatSayNothingOfThePerson(t *testing.T) {
	f := idv.Finding{Measures: map[string]float64{
		"days_left": 1211, "front_days_left": 1211, "height_cm": 186, "sharpness": 88, "front_glare_area": 0.01, "back_skew": 1.5, "fmr_at_score": 1e-6,
	}}
	got, err := masked(f)
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]float64{"sharpness": 88, "front_glare_area": 0.01, "back_skew": 1.5, "fmr_at_score": 1e-6}
	if diff := cmp.Diff(want, got.Measures); diff != "" {
		t.Errorf("measures (-want +got):\n%s", diff)
	}
	if len(f.Measures) != 7 {
		t.Error("masking changed what it was given")
	}
	if got, err := masked(idv.Finding{}); err != nil || got.Measures != nil {
		t.Errorf("of no measures: %v, %v", got.Measures, err)
	}
}

func TestMaskingCopies(t *testing.T) {
	in := SessionFile{
		Session: Session{
			ID: "ses_1", ExternalReference: "customer-4711", Metadata: map[string]string{"branch": "harbour"}, ReturnURL: "https://example.org/anna",
			Claimed: map[idv.ClaimName]string{idv.FamilyName: "Eriksson"},
		},
		Report: &idv.Report{
			Document: idv.DocumentSummary{Issuer: "UTO", MRZ: &idv.MRZ{Lines: []string{"P<UTO"}, Verified: true}},
			Claims:   []idv.Claim{{Name: idv.DateOfBirth, Value: "1974-08-12"}},
		},
		Captures: []Capture{{ID: "cap_1", URL: "/x"}}, Reviews: []Review{{Note: "Looks like Anna"}},
	}
	got, err := masked(in)
	if err != nil {
		t.Fatal(err)
	}
	want := SessionFile{
		Session: Session{
			ID: "ses_1", ExternalReference: hidden + "11", Metadata: map[string]string{hidden + "1": hidden},
			Claimed: map[idv.ClaimName]string{idv.FamilyName: "E•••"},
		},
		Report: &idv.Report{
			Document: idv.DocumentSummary{Issuer: "UTO", MRZ: &idv.MRZ{Lines: []string{}, Verified: true}},
			Claims:   []idv.Claim{{Name: idv.DateOfBirth, Value: "1974-••-••"}},
		},
		Captures: []Capture{{ID: "cap_1"}}, Reviews: []Review{{}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("masked (-want +got):\n%s", diff)
	}
	if in.Report.Claims[0].Value != "1974-08-12" || in.Session.Metadata["branch"] != "harbour" || len(in.Report.Document.MRZ.Lines) != 1 {
		t.Error("masking changed what it was given")
	}
}
