package reading

import (
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// tilted is a page of one line of ten characters, 400 pixels long and 40 high, about the middle of a picture of 1000 by 500.
func tilted(tilt float64) Problem {
	return NewProblem(Page{Width: 1000, Height: 500, Lines: []Line{{
		Text: "4b 1234567", Strip: Strip{X: 500, Y: 250, Tilt: tilt, Length: 400, Height: 40},
	}}}, &Model{})
}

func TestTheBoxOfAClaimIsItsRunOfTheLine(t *testing.T) {
	near := cmpopts.EquateApprox(0, .003)
	for name, tt := range map[string]struct {
		tilt     float64
		from, to int
		want     idv.Box
	}{
		"a whole line":                     {0, 0, 10, idv.Box{X: .3, Y: .46, Width: .4, Height: .08}},
		"the end of a line":                {0, 3, 10, idv.Box{X: .418, Y: .46, Width: .282, Height: .08}},
		"the beginning of a line":          {0, 0, 2, idv.Box{X: .3, Y: .46, Width: .082, Height: .08}},
		"a line that is read upwards":      {-math.Pi / 2, 0, 10, idv.Box{X: .48, Y: .1, Width: .04, Height: .8}},
		"the end of one that goes upwards": {-math.Pi / 2, 3, 10, idv.Box{X: .48, Y: .1, Width: .04, Height: .564}},
	} {
		t.Run(name, func(t *testing.T) {
			p := tilted(tt.tilt)
			got := p.boxOf([]span{{0, tt.from, tt.to}})
			if d := cmp.Diff(tt.want, *got, near); d != "" && tt.tilt == 0 {
				t.Errorf("want −, got +:\n%s", d)
			}
			if d := cmp.Diff(tt.want, *got, cmpopts.EquateApprox(0, .02)); d != "" {
				t.Errorf("want −, got +:\n%s", d)
			}
		})
	}
}

func TestABoxEndsWithThePicture(t *testing.T) {
	p := NewProblem(Page{Width: 100, Height: 50, Lines: []Line{{Text: "ANNA", Strip: Strip{X: 95, Y: 2, Length: 80, Height: 20}}}}, &Model{})
	b := p.boxOf([]span{{0, 0, 4}})
	if b.X < 0 || b.Y != 0 || b.X+b.Width > 1 || b.Y+b.Height > 1 || b.Width <= 0 || b.Height <= 0 {
		t.Errorf("got %+v", *b)
	}
}

func TestAFieldBeginsWithItsNumberOnNumberedPages(t *testing.T) {
	p := tilted(0)
	if f := p.fieldOf(fExpiry, []span{{0, 3, 10}}); f.Number != "" || f.Parts[0].From != 3 {
		t.Errorf("on a page of another family: %+v", f)
	}
	p.Family = string(numbered)
	if f := p.fieldOf(fExpiry, []span{{0, 3, 10}}); f.Number != "4B" || f.Parts[0].From != 0 || f.Parts[0].To != 10 {
		t.Errorf("got %+v", f)
	}
}

func TestWhatIsWorthASecondLook(t *testing.T) {
	p := tilted(0)
	p.page.Number = "X1234567"
	surely := Option{Value: "X1234567", Mean: .99, Least: .99}
	for name, tt := range map[string]struct {
		fact   int
		o      Option
		likely bool
		want   bool
	}{
		"a name, however surely it was read":            {fSurname, Option{Value: "EK", Mean: 1, Least: 1}, true, true},
		"a name that is likely none":                    {fSurname, Option{Value: "EK", Mean: 1, Least: 1}, false, false},
		"a day that was surely read":                    {fBirth, Option{Value: "2000-01-01", Mean: .99, Least: .95}, true, false},
		"a day one figure of which was not":             {fBirth, Option{Value: "2000-01-01", Mean: .99, Least: .8}, true, true},
		"the number that the zone states":               {fNumber, surely, true, false},
		"a number that is the zone's but for one sign":  {fNumber, Option{Value: "X1234587", Mean: .99, Least: .99}, true, true},
		"a number that has nothing in common with it":   {fNumber, Option{Value: "998877665", Mean: .99, Least: .99}, true, false},
		"the zone's number but for a sign, as personal": {fPersonal, Option{Value: "X1234587", Mean: .99, Least: .99}, true, false},
	} {
		if got := p.worthAgain(tt.fact, tt.o, tt.likely, Measured()); got != tt.want {
			t.Errorf("%s: got %t", name, got)
		}
	}
}

func TestEveryClaimHasABoxAndAField(t *testing.T) {
	got := Read(sheet(
		printed{x: 100, y: 100, text: "Surname: MUSTERFRAU"}, printed{x: 100, y: 150, text: "Date of birth: 12.08.1964"}, printed{x: 100, y: 200, text: "Sex: F"},
	))
	if len(got.Claims) == 0 || len(got.Claims) != len(got.Fields) {
		t.Fatalf("%d claims, %d fields", len(got.Claims), len(got.Fields))
	}
	for i, c := range got.Claims {
		if c.Box == nil || c.Box.Width <= 0 || got.Fields[i].Name != c.Name || len(got.Fields[i].Parts) == 0 {
			t.Errorf("%+v, %+v", c, got.Fields[i])
		}
	}
}

func TestAFieldsNumberMayBeALineOfItsOwn(t *testing.T) {
	p := sheet(
		printed{x: 100, y: 60, text: "1. MUSTERFRAU"}, printed{x: 100, y: 110, text: "2."}, printed{x: 140, y: 110, text: "ERIKA"},
		printed{x: 100, y: 160, text: "3. 12.08.1964 BERLIN"}, printed{x: 100, y: 210, text: "4a. 03.04.2021 4c. STADT KÖLN"},
		printed{x: 100, y: 260, text: "4b. 02.04.2036"},
	)
	problem := NewProblem(p, &Model{})
	for text, want := range map[string]Field{
		"ERIKA":      {Name: idv.GivenNames, Number: "2", Parts: []Part{{Line: 1, From: 0, To: 1}, {Line: 2, From: 0, To: 5}}},
		"MUSTERFRAU": {Name: idv.FamilyName, Number: "1", Parts: []Part{{Line: 0, From: 0, To: 13}}},
	} {
		f := slices.Index(FactNames[:], want.Name)
		at := slices.IndexFunc(problem.Options[f], func(o Option) bool { return o.Value == text })
		if at < 0 {
			t.Fatalf("no option %q", text)
		}
		got := problem.fieldOf(f, problem.Options[f][at].Spans)
		for i := range got.Parts {
			got.Parts[i].Strip = Strip{}
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%q (-want +got):\n%s", text, d)
		}
	}
}
