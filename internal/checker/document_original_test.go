package checker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// genuineSigns are those of an ordinary photograph of a document.
func genuineSigns() idv.Signs {
	return idv.Signs{PixelsPerMM: 20, Places: 24, Grid: .4, Colour: 20, Pictured: true}
}

func withSigns(t *testing.T, side idv.Side, s *idv.Signs, reasons ...problem.Kind) *scene {
	e := clean(t)
	p := idv.Page{Kind: idv.Passport, Issuer: "SWE", Signs: s}
	for _, r := range reasons {
		p.Quality.Reasons = append(p.Quality.Reasons, r.Code)
	}
	return e.present(idv.ArtifactPage, side, p)
}

func TestACopyIsToldFromTheDocument(t *testing.T) {
	signs := func(change func(*idv.Signs)) *idv.Signs {
		s := genuineSigns()
		change(&s)
		return &s
	}
	over := forensic.Rates().Signs[forensic.GridSign].Threshold + .1
	for name, c := range map[string]struct {
		signs   *idv.Signs
		quality []problem.Kind
		want    idv.Outcome
		codes   []string
	}{
		"an ordinary photograph": {signs(func(*idv.Signs) {}), nil, idv.Pass, nil},
		"a coarse photograph passes, with the rates of its resolution": {
			signs(func(s *idv.Signs) { s.PixelsPerMM = 8 }), nil, idv.Pass, nil},
		"a grid along the page is a screen": {
			signs(func(s *idv.Signs) { s.Grid, s.GridAngle = over, 1 }), nil, idv.Fail, []string{"document.screen_copy"},
		},
		"a grid askew is a print": {
			signs(func(s *idv.Signs) { s.Grid, s.GridAngle = over, 43 }), nil, idv.Fail, []string{"document.paper_copy"},
		},
		"a page without colour is a print":              {signs(func(s *idv.Signs) { s.Colour = 1.2 }), nil, idv.Fail, []string{"document.paper_copy"}},
		"a back without colour may be printed in black": {signs(func(s *idv.Signs) { s.Colour, s.Pictured = 1.2, false }), nil, idv.Pass, nil},
		"a back too dark to tell colour passes":         {signs(func(s *idv.Signs) { s.Colour, s.Pictured = 0, false }), nil, idv.Pass, nil},
		"dots and no colour are one reason": {
			signs(func(s *idv.Signs) { s.Grid, s.GridAngle, s.Colour = over, 43, 1.2 }), nil, idv.Fail, []string{"document.paper_copy"},
		},
		"a grid on a blurred picture counts": {
			signs(func(s *idv.Signs) { s.Grid, s.GridAngle = over, 1 }), []problem.Kind{problem.CaptureBlurred}, idv.Fail, []string{"document.screen_copy"},
		},
		"a blurred picture says nothing": {signs(func(*idv.Signs) {}), []problem.Kind{problem.CaptureBlurred}, idv.Inconclusive, []string{"capture.blurred"}},
		"a small picture says nothing":   {signs(func(*idv.Signs) {}), []problem.Kind{problem.CaptureTooSmall}, idv.Inconclusive, []string{"capture.too_small"}},
		"a black-and-white picture":      {signs(func(s *idv.Signs) { s.Colour, s.Monochrome = .3, true }), nil, idv.Inconclusive, []string{"capture.no_colour"}},
		"a page too dark to tell colour": {signs(func(s *idv.Signs) { s.Colour = 0 }), nil, idv.Inconclusive, []string{"capture.dark"}},
		"a page that is burnt out":       {signs(func(s *idv.Signs) { s.Places, s.Grid = 2, 0 }), nil, idv.Inconclusive, []string{"capture.glare"}},
		"a page that nobody looked at":   {nil, nil, idv.Inconclusive, []string{"check.not_run"}},
	} {
		t.Run(name, func(t *testing.T) {
			e := withSigns(t, idv.Front, c.signs, c.quality...)
			f, err := DocumentOriginal{}.Check(t.Context(), e.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			var codes []string
			for _, r := range f.Reasons {
				codes = append(codes, r.Code)
				if r.Step != idv.StepDocumentFront {
					t.Errorf("%s names step %q", r.Code, r.Step)
				}
			}
			if d := cmp.Diff([]any{c.want, c.codes}, []any{f.Outcome, codes}); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if (len(f.Places) == 1) != (c.want == idv.Fail) || len(f.Places) == 1 && (f.Places[0].What != idv.PageRegion || f.Places[0].Box == nil) {
				t.Errorf("where it is seen: %+v", f.Places)
			}
			if c.signs != nil && (f.Score == nil || f.Threshold == nil || f.Rates == nil || f.Rates.OnPeople) {
				t.Errorf("score, threshold and rates on generated data are missing: %+v", f)
			}
		})
	}
}

func TestACopyOfTheBackIsACopy(t *testing.T) {
	s := genuineSigns()
	e := withSigns(t, idv.Front, &s)
	back := genuineSigns()
	back.Grid, back.GridAngle = 2, 0
	e.present(idv.ArtifactPage, idv.Back, idv.Page{Kind: idv.IDCard, Signs: &back})
	f, err := DocumentOriginal{}.Check(t.Context(), e.Evidence)
	if err != nil {
		t.Fatal(err)
	}
	want := []idv.Reason{{Code: "document.screen_copy", Step: idv.StepDocumentBack}}
	if d := cmp.Diff(want, f.Reasons); d != "" || f.Outcome != idv.Fail || *f.Score != 2 {
		t.Errorf("%s with score %v (-want +got)\n%s", f.Outcome, *f.Score, d)
	}
}

func TestThePortraitIsItsOwn(t *testing.T) {
	value := func(v float64) *float64 { return &v }
	table := forensic.Rates().Signs
	// A curve on which strangers are less alike than 0.25.
	card := modelcard.Card{Name: "face-template", Calibration: &modelcard.Calibration{DataSet: "test", Points: []modelcard.Point{
		{Threshold: .1, FMR: .1, FNMR: .001, Genuine: 1000, Impostors: 1000}, {Threshold: .25, FMR: .01, FNMR: .01, Genuine: 1000, Impostors: 1000},
	}}}
	for name, c := range map[string]struct {
		grain, ghost *float64
		want         idv.Outcome
	}{
		"grain as the page's, ghost alike": {value(0), value(.7), idv.Pass},
		"no ghost":                         {value(0), nil, idv.Pass},
		"smoother than its page":           {value(table[forensic.GrainSign].Threshold - .5), nil, idv.Fail},
		"a ghost of somebody else":         {value(0), value(.1), idv.Fail},
		"a ghost alone, of somebody else":  {nil, value(.1), idv.Fail},
		"nothing to compare":               {nil, nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			s := genuineSigns()
			s.Grain, s.Ghost, s.GhostWidth = c.grain, c.ghost, 80
			f, err := PortraitOriginal{template: card}.Check(t.Context(), withSigns(t, idv.Front, &s).Evidence)
			if err != nil {
				t.Fatal(err)
			}
			if f.Outcome != c.want || f.NotApply != (c.want == "") {
				t.Fatalf("got %q, does not apply: %v", f.Outcome, f.NotApply)
			}
			if c.want == idv.Fail && (len(f.Reasons) != 1 || f.Reasons[0].Code != problem.DocumentPortraitAltered.Code) {
				t.Errorf("reasons %v", f.Reasons)
			}
			if c.want != "" && (f.Rates == nil || f.Rates.OnPeople || f.Score == nil || f.Threshold == nil) {
				t.Errorf("score, threshold and rates on generated data are missing: %+v", f)
			}
		})
	}
}

func TestGrainOfACoarsePictureIsRecordedOnly(t *testing.T) {
	odd, ghosts := forensic.Rates().Signs[forensic.GrainSign].Threshold-1, map[string]float64{"alike": .7, "of somebody else": .1}
	card := modelcard.Card{Name: "face-template", Calibration: &modelcard.Calibration{DataSet: "test", Points: []modelcard.Point{
		{Threshold: .25, FMR: .01, FNMR: .01, Genuine: 1000, Impostors: 1000},
	}}}
	for name, c := range map[string]struct {
		ghost string // key of ghosts, empty for none
		want  idv.Outcome
	}{
		"alone it compares nothing, and that is no pass":    {"", ""},
		"a second portrait is compared all the same":        {"alike", idv.Pass},
		"a second portrait of somebody else fires the same": {"of somebody else", idv.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			s := genuineSigns()
			s.Grain, s.PixelsPerMM = &odd, grainLeast-1
			if v, ok := ghosts[c.ghost]; ok {
				s.Ghost, s.GhostWidth = &v, 80
			}
			f, err := PortraitOriginal{template: card}.Check(t.Context(), withSigns(t, idv.Front, &s).Evidence)
			if err != nil {
				t.Fatal(err)
			}
			if f.Outcome != c.want || f.NotApply != (c.want == "") || f.Note == "" {
				t.Errorf("got %q, does not apply: %v, note %q", f.Outcome, f.NotApply, f.Note)
			}
			if f.Measures["grain"] != odd {
				t.Errorf("measures %v lack the grain", f.Measures)
			}
			if c.want == "" && f.Score != nil || c.want != "" && *f.Score != *s.Ghost {
				t.Errorf("score %v", f.Score)
			}
		})
	}
}

// What generated data says about an attack is no ground to decline anybody.
func TestASignMeasuredOnGeneratedDataRefersAndNeverDeclines(t *testing.T) {
	s := genuineSigns()
	s.Grid, s.GridAngle = 2.5, 0
	f, err := DocumentOriginal{}.Check(t.Context(), withSigns(t, idv.Front, &s).Evidence)
	if err != nil {
		t.Fatal(err)
	}
	w := idv.WorkflowVersion{Required: []idv.CheckKind{idv.CheckDocumentOriginal}}
	report := idv.Report{Checks: []idv.Check{{Kind: idv.CheckDocumentOriginal, Lifecycle: idv.CheckSettled, Finding: &f}}}
	for _, left := range []int{0, 2} {
		tries := policy.AttemptsLeft{Steps: map[idv.Step]int{idv.StepDocumentFront: left}}
		if v := policy.Decide(report, w, tries); v.Outcome != idv.DecideRefer {
			t.Errorf("with %d tries left: %s", left, v.Outcome)
		}
	}
}
