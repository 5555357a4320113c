package facts

import (
	"bytes"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/optical"
	"github.com/bonafide-id/bonafide/internal/optical/text"
	joint "github.com/bonafide-id/bonafide/internal/reading"
)

// cachedPage is a page of two lines; the second is not of the document.
func cachedPage() Cached {
	x := reading{
		picture: "p-000001-front", group: "id_card", layout: UnknownLayout, camera: "scan", good: true,
		truth: []Truth{{idv.FamilyName, "Ek", "EK"}}, wantKind: idv.IDCard, wantIssuer: "UTO",
		print:  joint.Page{Lines: []joint.Line{{Text: "EK", Chars: []float64{.99, .9}, At: []float64{.25, .75}}}},
		claims: []idv.Claim{{Name: idv.FamilyName, Value: "EK", Source: idv.FromPrinted}, {Name: idv.Sex, Value: "F", Source: idv.FromMRZ}},
	}
	got := optical.Recognised{
		Of: 1,
		Page: joint.Page{
			Width: 800, Height: 500, Today: time.Date(2026, 6, 1, 0, 0, 0, 0, time.UTC),
			Lines: []joint.Line{
				{Text: "EK", Chars: []float64{.99, .5}, At: []float64{.25, .75}, Strip: joint.Strip{X: 100, Y: 50, Tilt: .01, Length: 40, Height: 20}},
				{Text: "?", Chars: []float64{.2}, At: []float64{.5}, Strip: joint.Strip{X: 700, Y: 400, Length: 20, Height: 20}},
			},
		},
		Alike: []text.Candidates{
			{nil, {{Rune: 'E', Log: -.01}}, nil, nil, {{Rune: 'K', Log: math.Log(.5)}, {Rune: 0, Log: -1.5}, {Rune: '"', Log: -3}}, nil},
			{nil},
		},
	}
	return cachedOf(x, got, &idv.Box{X: .1, Y: .2, Width: .3, Height: .4})
}

func TestLinesAreLoadedAsTheyWereSaved(t *testing.T) {
	c := cachedPage()
	for _, name := range []string{"lines.jsonl", "lines.jsonl.gz"} {
		t.Run(name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), name)
			if err := writeLines(path, []reading{{cached: &c}, {}, {cached: &c}}); err != nil {
				t.Fatal(err)
			}
			got, err := ReadLines(path)
			if err != nil {
				t.Fatal(err)
			}
			want := cachedPage()
			want.Lines[0].Alike[4][0].Log = -.693
			if d := cmp.Diff([]Cached{want, want}, got); d != "" {
				t.Errorf("pictures (-saved +loaded):\n%s", d)
			}
			if first, looked := got[0].Page().Lines, got[0].LookedPage().Lines; len(first) != 1 || len(looked) != 1 || looked[0].Chars[1] != .9 {
				t.Errorf("lines of the document %v, after second looks %v, want one of each", first, looked)
			}
			if d := cmp.Diff([]idv.ClaimName{idv.FamilyName}, []idv.ClaimName{got[0].Read[0].Name}); d != "" || len(got[0].Read) != 1 {
				t.Errorf("only what the print states is kept: %v", got[0].Read)
			}
		})
	}
}

func TestFramesThatAreBlankAreANumber(t *testing.T) {
	raw, err := json.Marshal(cachedPage().Lines[0].Alike)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(`[1,["E",-0.01],2,["K",-0.693,"",-1.5,"\"",-3],1]`, string(raw)); d != "" {
		t.Errorf("frames (-want +got):\n%s", d)
	}
}

func TestLinesThatCannotBeReadAreRefused(t *testing.T) {
	good, err := json.Marshal(cachedPage())
	if err != nil {
		t.Fatal(err)
	}
	for name, tt := range map[string]struct{ from, to string }{
		"no day":                       {`"today":"2026-06-01"`, `"today":"soon"`},
		"more lines than there are":    {`"of_document":1`, `"of_document":3`},
		"a confidence too few":         {`"chars":[0.99,0.5]`, `"chars":[0.99]`},
		"a frame without a likelihood": {`["E",-0.01]`, `["E"]`},
		"a frame of two characters":    {`["E",-0.01]`, `["EF",-0.01]`},
		"blank frames without end":     {`[1,["E"`, `[99999999,["E"`},
	} {
		t.Run(name, func(t *testing.T) {
			bad := strings.Replace(string(good), tt.from, tt.to, 1)
			if bad == string(good) {
				t.Fatalf("%s is not in %s", tt.from, good)
			}
			path := filepath.Join(t.TempDir(), "lines.jsonl")
			if err := os.WriteFile(path, []byte(bad+"\n"), 0o600); err != nil {
				t.Fatal(err)
			}
			if _, err := ReadLines(path); err == nil {
				t.Error("it was loaded")
			}
		})
	}
}

func TestAFactInTheLinesIsScoredWithoutPixels(t *testing.T) {
	c := cachedPage()
	c.Kind, c.WantKind = idv.IDCard, idv.IDCard
	got := summarize([]reading{c.reading()})
	if got.Pictures != 1 || got.Good.Missing.Count+got.Good.Exact.Count != 1 {
		t.Errorf("%+v", got.Good)
	}
}

func FuzzLines(f *testing.F) {
	raw, err := json.Marshal(cachedPage())
	if err != nil {
		f.Fatal(err)
	}
	f.Add(raw)
	f.Add([]byte("{}"))
	f.Fuzz(func(_ *testing.T, raw []byte) {
		all, err := decodeLines(bytes.NewReader(raw))
		if err != nil {
			return
		}
		for _, c := range all {
			c.reading()
		}
	})
}
