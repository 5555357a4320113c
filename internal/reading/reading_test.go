package reading

import (
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// labelled is a page of two lines with a label each.
func labelled(sure float64) Page {
	p := Page{Width: 1000, Height: 700, Kind: idv.UnknownKind, Today: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)}
	for i, text := range []string{"Date of birth: 12.08.1964", "Date of expiry: 31.10.2029"} {
		l := Line{Text: text, Strip: Strip{X: 300, Y: 100 + 60*float64(i), Length: 400, Height: 30}}
		for range []rune(text) {
			l.Chars = append(l.Chars, sure)
		}
		p.Lines = append(p.Lines, l)
	}
	return p
}

func TestAPlainPageIsRead(t *testing.T) {
	got := Read(labelled(.95))
	want := map[idv.ClaimName]string{idv.DateOfBirth: "1964-08-12", idv.DateOfExpiry: "2029-10-31"}
	if d := cmp.Diff(want, valuesOf(got, idv.DateOfBirth, idv.DateOfExpiry)); d != "" || len(got.Claims) != 2 || len(got.Fields) != 2 {
		t.Errorf("%d claims, %d fields, (-want +got):\n%s", len(got.Claims), len(got.Fields), d)
	}
	for _, c := range got.Claims {
		if c.Confidence > .95 {
			t.Errorf("%s is %f sure of characters that are .95", c.Name, c.Confidence)
		}
	}
}

// The order of witnesses is that in which a network adds them up, and sums of single precision differ by their order.
func TestAPageIsSeenAlikeEachTime(t *testing.T) {
	p := labelled(.95)
	for i, text := range []string{"Vorbu: 12.08.1964", "Qorlan: 31.10.2029"} {
		p.Lines[i].Text, p.Lines[i].Chars = text, p.Lines[i].Chars[:len(text)]
		caption := p.Lines[i]
		caption.Text, caption.Chars = "Zimtal", caption.Chars[:6]
		caption.Strip = Strip{X: 250, Y: caption.Strip.Y - 25, Length: 90, Height: 18}
		p.Lines = append(p.Lines, caption)
	}
	_, first := SightOf(p)
	for range 20 {
		_, again := SightOf(p)
		if d := cmp.Diff(first, again); d != "" {
			t.Fatalf("seen once more (-first +now):\n%s", d)
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
		got := Read(p)
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
	got := Read(labelled(.6))
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
	got := Read(Page{Width: 100, Height: 100, Today: time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)})
	if len(got.Claims)+len(got.Likely)+len(got.Again) != 0 {
		t.Errorf("got %+v", got)
	}
}

func TestARomanNumeralWithStrokesMustBeReadSurely(t *testing.T) {
	for _, tc := range []struct {
		what, day string
		at        int     // the character that is
		sure      float64 // so sure; all others are .95
		claimed   bool
	}{
		{"strokes that were read surely", "12.III.1964", 3, .95, true},
		{"a stroke that was not", "12.III.1964", 3, .85, false},
		{"a stroke that was not, behind the year", "1964.III.12", 5, .85, false},
		{"a figure of the day that was not", "12.III.1964", 0, .85, true},
		{"a numeral without strokes", "12.X.1964", 3, .85, true},
		{"a month in figures", "12.11.1964", 3, .85, true},
	} {
		p := labelled(.95)
		l := &p.Lines[0]
		l.Text = "Date of birth: " + tc.day
		l.Chars = slices.Repeat([]float64{.95}, len(l.Text))
		l.Chars[len("Date of birth: ")+tc.at] = tc.sure
		if _, claimed := valuesOf(Read(p), idv.DateOfBirth)[idv.DateOfBirth]; claimed != tc.claimed {
			t.Errorf("%s: claimed %t, want %t", tc.what, claimed, tc.claimed)
		}
	}
}
