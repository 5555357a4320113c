package optical

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestAPrintedLineKnowsHowSureItIsOfEachCharacterAndWhereItIs(t *testing.T) {
	r := textReader{dict: []string{"", "A", "é", " "}}
	raw := []float32{ // frames of blank, A, é, space
		.1, .1, .1, .7,
		.1, .9, 0, 0,
		.1, .9, 0, 0, // the same character goes on
		1, 0, 0, 0,
		.2, 0, .8, 0,
		.3, 0, 0, .7,
	}
	want := printed{text: "Aé", conf: .85, least: .8, chars: []float64{.9, .8}, at: []float64{1.5 / 6, 4.5 / 6}}
	near := cmpopts.EquateApprox(0, 1e-6)
	if d := cmp.Diff(want, r.decode(raw, 6, 1./6), cmp.AllowUnexported(printed{}), near); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff(printed{}, r.decode(raw, 1, 1./6), cmp.AllowUnexported(printed{})); d != "" {
		t.Errorf("a line of one space (-want +got):\n%s", d)
	}
	if d := cmp.Diff(printed{}, r.decode([]float32{float32(math.NaN()), 0, 0, 0}, 9, 1), cmp.AllowUnexported(printed{})); d != "" {
		t.Errorf("frames that are no numbers (-want +got):\n%s", d)
	}
}
