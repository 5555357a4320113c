package reading

import (
	"bytes"
	"math"
	"testing"
)

func TestAModelIsReadAsItWasWritten(t *testing.T) {
	m := &Model{Weights: Weights{"pair names below": 1.5}, Nets: []*Net{inventedNet(t), inventedNet(t)}}
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	got, err := ReadModel(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	if got.Weights["pair names below"] != 1.5 {
		t.Errorf("weights %v", got.Weights)
	}
	want, wantNone := m.Nets[0].Scores(seenPage())
	have, haveNone := got.Nets[1].Scores(seenPage())
	for f := range facts {
		if math.Abs(want[0][f]-have[0][f]) > .02 || math.Abs(wantNone[f]-haveNone[f]) > .02 {
			t.Errorf("%s: got %f and %f, want %f and %f", FactNames[f], have[0][f], haveNone[f], want[0][f], wantNone[f])
		}
	}
	for n := range 40 {
		if _, err := ReadModel(bytes.NewReader(file.Bytes()[:n])); err == nil {
			t.Errorf("%d bytes are a model", n)
		}
	}
}
