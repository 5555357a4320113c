package optical

import (
	"slices"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/viz"
)

// labelled is a page of two lines with a label each.
func labelled(sure float64) viz.Page {
	p := viz.Page{Width: 1000, Height: 700, Kind: idv.UnknownKind, Today: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	for i, text := range []string{"Date of birth: 12.08.1964", "Date of expiry: 31.10.2029"} {
		l := viz.Line{Text: text, Strip: viz.Strip{X: 300, Y: 100 + 60*float64(i), Length: 400, Height: 30}}
		for range []rune(text) {
			l.Chars = append(l.Chars, sure)
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}

func TestRulesAndTheJointReadingAgreeOnAPlainPage(t *testing.T) {
	got := ReadTogether(labelled(.95))
	rules := viz.Read(labelled(.95))
	if len(got.Claims) != 2 || len(got.Fields) != 2 {
		t.Fatalf("%d claims, %d fields", len(got.Claims), len(got.Fields))
	}
	for i, c := range got.Claims {
		if r := rules.Claims[i]; c.Name != r.Name || c.Value != r.Value || c.Confidence > r.Confidence || *c.Box != *r.Box {
			t.Errorf("got %+v, the rules have %+v", c, r)
		}
	}
}

func TestWhatIsNotSureIsLikelyAndNoClaim(t *testing.T) {
	for _, texts := range [][]string{
		{"12.08.1964", "31.10.2029"}, {"Qorlan: 12.08.1964", "Zimtal: 31.10.2029"}, {"MUSTERFRAU", "ERIKA"}, {"Vorbu MUSTERFRAU", "Qorlan 12.08.1964"},
	} {
		p := labelled(.95)
		for i, text := range texts {
			p.Lines[i].Text, p.Lines[i].Chars = text, p.Lines[i].Chars[:len(text)]
		}
		got := ReadTogether(p)
		for _, l := range got.Likely {
			if l.Confidence < .5 || l.Box == nil || l.Source != idv.FromPrinted {
				t.Errorf("%q: likely %+v", texts, l)
			}
			if slices.ContainsFunc(got.Claims, func(c idv.Claim) bool { return c.Name == l.Name }) {
				t.Errorf("%q: %s is claimed and only likely", texts, l.Name)
			}
		}
	}
}

func TestPlacesWorthASecondLookAreNamedOnce(t *testing.T) {
	got := ReadTogether(labelled(.6))
	for i, a := range got.Again {
		for _, b := range got.Again[i+1:] {
			if a.Line == b.Line && a.From < b.To && b.From < a.To {
				t.Errorf("%+v and %+v overlap", a, b)
			}
		}
	}
	if len(got.Again) == 0 || len(got.Claims) != 0 {
		t.Errorf("%d second looks, %d claims", len(got.Again), len(got.Claims))
	}
}

func TestAnEmptyPageSaysNothing(t *testing.T) {
	got := ReadTogether(viz.Page{Width: 100, Height: 100, Today: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	if len(got.Claims)+len(got.Likely)+len(got.Again) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestAReaderTakesFactsOutAsItIsTold(t *testing.T) {
	r := New(nil, nil, nil, Options{})
	if got := r.options.Facts(labelled(1)); len(got.Claims) != 2 {
		t.Errorf("by default: %+v", got)
	}
	other := r.WithFacts(func(viz.Page) viz.Reading { return viz.Reading{Issuer: "UTO"} })
	if got := other.options.Facts(labelled(1)); got.Issuer != "UTO" || len(got.Claims) != 0 {
		t.Errorf("with another reader: %+v", got)
	}
}
