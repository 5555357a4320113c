package copies

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

func quad(x0, y0, x1, y1 float64) imaging.Quad {
	return imaging.Quad{{X: x0, Y: y0}, {X: x1, Y: y0}, {X: x1, Y: y1}, {X: x0, Y: y1}}
}

func TestOverlapIsSharedAreaOverAll(t *testing.T) {
	for name, c := range map[string]struct {
		a, b imaging.Quad
		want float64
	}{
		"the same":      {quad(0, 0, 10, 8), quad(0, 0, 10, 8), 1},
		"a half":        {quad(0, 0, 10, 8), quad(0, 0, 5, 8), .5},
		"side by side":  {quad(0, 0, 10, 8), quad(20, 0, 30, 8), 0},
		"a corner each": {quad(0, 0, 10, 10), quad(5, 5, 15, 15), 25. / 175},
		"a diamond":     {quad(0, 0, 10, 10), imaging.Quad{{X: 5, Y: 0}, {X: 10, Y: 5}, {X: 5, Y: 10}, {X: 0, Y: 5}}, .5},
		"no area":       {quad(0, 0, 10, 10), quad(3, 3, 3, 3), 0},
	} {
		if got := overlap(c.a, c.b); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s: %v, want %v", name, got, c.want)
		}
	}
}

func TestASignIsCountedByWhatThePictureShowsAndItsResolution(t *testing.T) {
	grid := func(what string, perMM, v float64, places int) Score {
		return Score{What: what, PerMM: perMM, Signs: idv.Signs{Grid: v, Places: places, Colour: 20, Pictured: true}}
	}
	table := map[string]forensic.Sign{
		forensic.GridSign: {Threshold: 1, Over: true}, forensic.ColourSign: {Threshold: 3}, forensic.GrainSign: {Threshold: -2},
	}
	res := judge([]Score{
		grid(Genuine, 10, .4, 24), grid(Genuine, 20, 1.2, 24), grid(Genuine, 20, 9, 2), // the last could not be measured
		grid("laser", 20, 2, 24), grid("laser", 20, .6, 24), grid("screen", 30, 1.5, 24),
	}, table)
	s := res.Signs[0]
	type row struct {
		From          float64
		Alarms, Of    int
		Laser, Screen int
	}
	var got []row
	for _, r := range s.Ranges {
		got = append(got, row{r.From, r.FalseAlarms.Count, r.FalseAlarms.Of, r.Found["laser"].Count, r.Found["screen"].Count})
	}
	want := []row{{0, 0, 1, 0, 0}, {13, 0, 0, 0, 0}, {18, 1, 1, 1, 0}, {24, 0, 0, 0, 1}}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if r := res.Together[Genuine]; r.Count != 1 || r.Of != 3 {
		t.Errorf("genuine pictures under suspicion: %+v", r)
	}
}

func TestTheListOfPicturesIsReadAsItWasWritten(t *testing.T) {
	dir := t.TempDir()
	line := "000001-laser.jpg\tlaser\t1.00\t2.00\t3.50\t4.00\t5.00\t6.00\t7.00\t8.25\t85.6\n"
	if err := os.WriteFile(filepath.Join(dir, truthFile), []byte(line), 0o600); err != nil {
		t.Fatal(err)
	}
	got, err := readTruth(dir)
	if err != nil || len(got) != 1 {
		t.Fatalf("%v: %v", got, err)
	}
	want := imaging.Quad{{X: 1, Y: 2}, {X: 3.5, Y: 4}, {X: 5, Y: 6}, {X: 7, Y: 8.25}}
	if got[0].what != "laser" || got[0].quad != want || got[0].mm != 85.6 {
		t.Errorf("%+v", got[0])
	}
	if err := os.WriteFile(filepath.Join(dir, truthFile), []byte("a\tb\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := readTruth(dir); err == nil {
		t.Error("a short line is no error")
	}
}

// What a finding quotes is what was recorded.
func TestTheProgramCarriesTheRatesThatWereRecorded(t *testing.T) {
	raw, err := os.ReadFile(filepath.Join("..", "results", "copies-9001.json"))
	if err != nil {
		t.Fatal(err)
	}
	var record struct {
		Command string `json:"command"`
		Result  Result `json:"result"`
	}
	if err := json.Unmarshal(raw, &record); err != nil {
		t.Fatal(err)
	}
	built := forensic.Rates()
	for _, s := range record.Result.Signs {
		sign := built.Signs[s.Sign]
		if sign.Threshold != s.Threshold {
			t.Errorf("%s was recorded at %.2f and is used at %.2f", s.Sign, s.Threshold, sign.Threshold)
		}
		for _, r := range s.Ranges {
			if r.FalseAlarms.Of == 0 {
				continue
			}
			at, ok := sign.At(r.From)
			if !ok || at.Genuine != r.FalseAlarms.Of || at.FalseAlarms != r.FalseAlarms.Count {
				t.Errorf("%s from %.0f: recorded %+v, used %+v", s.Sign, r.From, r.FalseAlarms, at)
			}
			for a, found := range r.Found {
				if c := at.Attacks[a]; c.Of != found.Of || c.Missed != found.Of-found.Count {
					t.Errorf("%s from %.0f, %s: recorded %+v, used %+v", s.Sign, r.From, a, found, c)
				}
			}
		}
	}
}
