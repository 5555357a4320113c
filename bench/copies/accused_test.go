package copies

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAPageIsAccusedOfWhatTheCheckersSay(t *testing.T) {
	table := forensic.Rates().Signs
	smooth := table[forensic.GrainSign].Threshold - 1
	for name, c := range map[string]struct {
		change func(*idv.Signs)
		want   []string
	}{
		"an ordinary page": {func(*idv.Signs) {}, nil},
		"a grid":           {func(s *idv.Signs) { s.Grid = table[forensic.GridSign].Threshold + .1 }, []string{"document.screen_copy"}},
		"no colour":        {func(s *idv.Signs) { s.Colour = table[forensic.ColourSign].Threshold / 2 }, []string{"document.paper_copy"}},
		"no colour and no portrait": {func(s *idv.Signs) {
			s.Colour, s.Pictured = table[forensic.ColourSign].Threshold/2, false
		}, nil},
		"a portrait that is too smooth": {func(s *idv.Signs) { s.Grain = &smooth }, []string{"document.portrait_altered"}},
	} {
		a := Accused{Side: idv.Front, Signs: idv.Signs{PixelsPerMM: 20, Places: 24, Grid: .4, Colour: 8, Pictured: true}}
		c.change(&a.Signs)
		if err := a.ask(t.Context(), checker.OfDocument(checker.Models{})); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(c.want, a.Codes); d != "" {
			t.Errorf("%s (-want +got)\n%s", name, d)
		}
	}
}

func TestAccusationsAreCountedByReasonAndGroup(t *testing.T) {
	got := sumAccusations([]Accused{
		{File: "a", Camera: "scanner", Light: Pale, Side: idv.Front, Codes: []string{"document.paper_copy"}},
		{File: "b", Camera: "scanner", Light: Daylight, Side: idv.Front, Codes: []string{"document.paper_copy", "document.portrait_altered"}},
		{File: "c", Camera: "web camera", Light: Daylight, Side: idv.Back},
	})
	counts := map[string]int{}
	for code, r := range got.Codes {
		counts[code] = r.Count
	}
	want := map[string]int{"document.paper_copy": 2, "document.portrait_altered": 1, "document.screen_copy": 0}
	if d := cmp.Diff(want, counts); d != "" || got.Any.Count != 2 || got.Any.Of != 3 || len(got.Who) != 2 {
		t.Errorf("any %+v, named %v (-want +got)\n%s", got.Any, got.Who, d)
	}
	groups := map[string]int{}
	for _, g := range got.Groups {
		groups[g.Name] = g.Codes["document.paper_copy"].Count*100 + g.Pages
	}
	if d := cmp.Diff(map[string]int{
		"camera: scanner": 202, "camera: web camera": 1, "light: daylight": 102, "light: little colour": 101, "side: back": 1, "side: front": 202,
	}, groups); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}
