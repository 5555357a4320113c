package optical

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

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

func TestTheJointReaderAnswersAsTheRulesDo(t *testing.T) {
	for _, read := range []func(viz.Page) viz.Reading{viz.Read, ReadJointly} {
		got := read(labelled(.95))
		values := map[idv.ClaimName]string{}
		for i, c := range got.Claims {
			values[c.Name] = c.Value
			if c.Box == nil || c.Source != idv.FromPrinted || c.Confidence > .95+1e-9 {
				t.Errorf("claim %+v", c)
			}
			if f := got.Fields[i]; f.Name != c.Name || f.Parts[0].Line != i {
				t.Errorf("field %+v of claim %+v", f, c)
			}
		}
		want := map[idv.ClaimName]string{idv.DateOfBirth: "1964-08-12", idv.DateOfExpiry: "2029-10-31"}
		if d := cmp.Diff(want, values); d != "" {
			t.Errorf("want −, got +:\n%s", d)
		}
	}
}

func TestWhatWasNotSurelyReadIsNoClaimButWorthASecondLook(t *testing.T) {
	got := ReadJointly(labelled(.6))
	if len(got.Claims) != 0 || len(got.Again) != 2 {
		t.Errorf("%d claims, %d second looks", len(got.Claims), len(got.Again))
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
