package idv_test

import (
	"strings"
	"testing"

	"encoding/json"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
)

func TestCapturesComeFromFilesWhereOneOfThemDoes(t *testing.T) {
	page := func(s idv.Source) idv.ReportedCapture { return idv.ReportedCapture{Kind: idv.DocumentImage, Source: s} }
	run := idv.ReportedCapture{Kind: idv.Frames, Source: idv.SourceCamera}
	for name, c := range map[string]struct {
		captures []idv.ReportedCapture
		want     idv.Source
	}{
		"nothing was sent":               {nil, idv.SourceUnknown},
		"both pages by the camera":       {[]idv.ReportedCapture{page(idv.SourceCamera), page(idv.SourceCamera), run}, idv.SourceCamera},
		"one page of a file":             {[]idv.ReportedCapture{page(idv.SourceCamera), page(idv.SourceFile)}, idv.SourceFile},
		"a file and one nobody knows":    {[]idv.ReportedCapture{page(idv.SourceUnknown), page(idv.SourceFile)}, idv.SourceFile},
		"one of which nobody knows":      {[]idv.ReportedCapture{page(idv.SourceCamera), page(idv.SourceUnknown)}, idv.SourceUnknown},
		"frames alone say nothing of it": {[]idv.ReportedCapture{run}, idv.SourceUnknown},
	} {
		if d := cmp.Diff(c.want, idv.Report{Captures: c.captures}.SourceOf(idv.DocumentImage)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestAReportFromBeforeSourcesIsStillIntact(t *testing.T) {
	var r idv.Report
	if err := r.Freeze(); err != nil {
		t.Fatal(err)
	}
	raw, err := json.Marshal(r)
	if err != nil || strings.Contains(string(raw), "captures") || !r.Intact() {
		t.Errorf("a report without captures: %s, %v", raw, err)
	}
	r.Captures = []idv.ReportedCapture{{Source: idv.SourceFile}}
	if r.Intact() {
		t.Error("where a capture came from is not part of the digest")
	}
}

func TestThePlaceOfAPageIsWithinItsPicture(t *testing.T) {
	for name, c := range map[string]struct {
		corners []float64
		want    idv.Box
	}{
		"corners that are not known":  {nil, idv.Box{Width: 1, Height: 1}},
		"a page that is turned":       {[]float64{.25, 0, 1, .25, .75, 1, 0, .75}, idv.Box{Width: 1, Height: 1}},
		"a page beyond the picture":   {[]float64{-.5, .25, 1.5, .25, 1.5, .75, -.5, .75}, idv.Box{Y: .25, Width: 1, Height: .5}},
		"corners that are no numbers": {[]float64{.25, .25, .5}, idv.Box{Width: 1, Height: 1}},
	} {
		if d := cmp.Diff(c.want, idv.Page{Corners: c.corners}.Bounds()); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}
