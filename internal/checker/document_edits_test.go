package checker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestAnEditedRegionRefers(t *testing.T) {
	portrait := forensic.Edits().Signs[forensic.PortraitHistorySign].Threshold
	print := forensic.Edits().Signs[forensic.PrintHistorySign].Threshold
	edit := func(sign, region string, value float64, suspect bool) idv.Edit {
		return idv.Edit{Sign: sign, Region: region, Value: value, Suspect: suspect, Box: idv.Box{X: value, Width: .1, Height: .1}}
	}
	for name, c := range map[string]struct {
		edits     []idv.Edit
		nobody    bool // looked
		want      idv.Outcome
		codes     []string
		score     float64
		threshold float64
	}{
		"nothing could be compared": {want: ""},
		"nobody looked":             {nobody: true, want: idv.Inconclusive, codes: []string{"check.not_run"}},
		"all is as the page": {
			edits: []idv.Edit{edit(forensic.PortraitHistorySign, "portrait", .1, false), edit(forensic.PrintHistorySign, "zone", -.2, false)},
			want:  idv.Pass, score: .1, threshold: portrait,
		},
		"one region is not": {
			edits: []idv.Edit{edit(forensic.PortraitHistorySign, "portrait", .1, false), edit(forensic.PrintHistorySign, "zone", .7, true)},
			want:  idv.Fail, codes: []string{"document.edited"}, score: .7, threshold: print,
		},
		"the first that is suspect is the score": {
			edits: []idv.Edit{
				edit(forensic.PortraitHistorySign, "portrait", .9, true), edit(forensic.PrintHistorySign, "family_name", .8, true),
				edit(forensic.PrintHistorySign, "zone", .7, true),
			},
			want: idv.Fail, codes: []string{"document.edited"}, score: .9, threshold: portrait,
		},
	} {
		t.Run(name, func(t *testing.T) {
			signs := genuineSigns()
			signs.Edits = c.edits
			e := withSigns(t, idv.Front, &signs)
			if c.nobody {
				e = withSigns(t, idv.Front, nil)
			}
			f, err := DocumentEdits{}.Check(t.Context(), e.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			if f.NotApply != (c.want == "") || !f.NotApply && f.Outcome != c.want {
				t.Fatalf("got %s, does not apply %t", f.Outcome, f.NotApply)
			}
			var codes []string
			for _, r := range f.Reasons {
				codes = append(codes, r.Code)
			}
			if d := cmp.Diff(c.codes, codes); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			var places, suspects []string
			for _, p := range f.Places {
				if p.Box == nil || p.Box.X != *p.Value || p.Side != idv.Front {
					t.Errorf("a place that is not the region's: %+v", p)
				}
				places = append(places, p.What)
			}
			for _, e := range c.edits {
				if e.Suspect {
					suspects = append(suspects, e.Region)
				}
			}
			if d := cmp.Diff(suspects, places); d != "" {
				t.Errorf("places (-want +got)\n%s", d)
			}
			if f.Rates != nil && f.Rates.DataSet != forensic.Edits().DataSet {
				t.Errorf("rates of %s, measured on %s", f.Rates.DataSet, forensic.Edits().DataSet)
			}
			if c.threshold != 0 && (f.Score == nil || *f.Score != c.score || *f.Threshold != c.threshold) {
				t.Errorf("score %v at %v, want %v at %v", f.Score, f.Threshold, c.score, c.threshold)
			}
		})
	}
}
