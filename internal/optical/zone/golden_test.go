package zone

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/packtest"
)

// TestMRZReaderAnswersAsItDidWhereItWasTrained holds the input (size, normalisation), the runtime and the decoding against the
// trainer's own. Resizing may round differently, so confidences may move a little where the text may not.
func TestMRZReaderAnswersAsItDidWhereItWasTrained(t *testing.T) {
	set, lines := packtest.GoldenLines(t, MRZReadModel, "mrz/testdata")
	reader := mrzReader{packtest.Load(t, set, MRZReadModel)}
	for _, g := range lines {
		crop := g.Picture(t)
		if _, w := mrzInput(crop); w != g.Width {
			t.Errorf("%s: resized to %d columns, want %d", g.File, w, g.Width)
		}
		f, err := reader.read(t.Context(), crop)
		if err != nil {
			t.Fatal(err)
		}
		got := greedy(f)
		if d := cmp.Diff(g.Decoded, glyphText(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", g.File, d)
			continue
		}
		for i, c := range got {
			if math.Abs(c.conf-g.Confidence[i]) > .1 {
				t.Errorf("%s: character %d has confidence %.3f, want about %.3f", g.File, i, c.conf, g.Confidence[i])
			}
			if middle := float64(c.first+c.last) / 2; math.Abs(middle-g.Frame[i]) > 1 {
				t.Errorf("%s: character %d is at frame %.1f, want about %.1f", g.File, i, middle, g.Frame[i])
			}
		}
	}
}

// TestLinesAreReadInNarrowTensorsAsInTheWidest puts lines of every width into both.
func TestLinesAreReadInNarrowTensorsAsInTheWidest(t *testing.T) {
	set, lines := packtest.GoldenLines(t, MRZReadModel, "mrz/testdata")
	model := packtest.Load(t, set, MRZReadModel)
	for _, g := range lines {
		picture := g.Picture(t)
		for wide := picture.W / 6; wide < picture.W; wide += picture.W / 6 {
			crop := picture.Resize(wide, picture.H)
			narrow, w := mrzInput(crop)
			least, err := model.Run(t.Context(), narrow)
			if err != nil {
				t.Fatal(err)
			}
			most, err := model.Run(t.Context(), ocr.Normalised(crop.Resize(w, mrzHeight), mrzWidth))
			if err != nil {
				t.Fatal(err)
			}
			for i, v := range least[0].Data[:min(len(least[0].Data), (w+mrzStride)/mrzStride*classes)] {
				if math.Abs(float64(v-most[0].Data[i])) > 1e-3 {
					t.Fatalf("%s at %d columns of %d: frame %d scores %g, in the widest tensor %g", g.File, w, narrow.Shape[3], i/classes, v, most[0].Data[i])
				}
			}
		}
	}
}
