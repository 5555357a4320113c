package reading

import (
	"bytes"
	"math"
	"testing"
)

func TestAModelIsReadAsItWasWritten(t *testing.T) {
	m := &Model{Weights: Weights{"pair names below": 1.5}, Senses: new(SenseNet), Judge: &Judge{At: map[string]int{"a": 1, "b": 0}}}
	m.Judge.In, m.Judge.Direct = make([][JudgeWidth]float32, 2), make([][facts]float32, 2)
	m.Judge.In[1][3], m.Judge.Direct[0][fSex], m.Judge.Out[fBirth][3], m.Judge.Bias[3] = .5, -2, 4, .1
	m.Senses.Parts[SenseBucket("<NAME>")][2], m.Senses.Out[Place][2] = 20, 1
	var file bytes.Buffer
	if err := m.Write(&file); err != nil {
		t.Fatal(err)
	}
	got, err := ReadModel(bytes.NewReader(file.Bytes()))
	if err != nil {
		t.Fatal(err)
	}
	inputs := []Feature{{"a", 1}, {"b", .5}, {"unknown", 9}}
	want, have := m.Judge.Scores(inputs), got.Judge.Scores(inputs)
	for f := range want {
		if math.Abs(want[f]-have[f]) > .02 {
			t.Errorf("%s: got %f, want %f", FactNames[f], have[f], want[f])
		}
	}
	if have[fBirth] < 2.3 || have[fSex] > -.98 || got.Weights["pair names below"] != 1.5 {
		t.Errorf("got %v and %v", have, got.Weights)
	}
	if a, b := m.Senses.Of("Name"), got.Senses.Of("Name"); math.Abs(float64(a[Place]-b[Place])) > .01 || b[Place] < .2 {
		t.Errorf("a place with %f, want %f", b[Place], a[Place])
	}
	for n := range 40 {
		if _, err := ReadModel(bytes.NewReader(file.Bytes()[:n])); err == nil {
			t.Errorf("%d bytes are a model", n)
		}
	}
}

func TestTheModelThatShipsTellsLabelsFromNames(t *testing.T) {
	net := Fitted().Senses
	for text, want := range map[string]int{
		"Date de naissance": fBirth, "Gültig bis": fExpiry, "Surname": fSurname, "Katarzyna": GivenNames, "Place of birth / Geburtsort": fBirthplace,
		"Préfecture de police": Office,
	} {
		got := net.Of(text)
		for sense, p := range got {
			if p > got[want] {
				t.Errorf("%q is %s (%.2f), want %s (%.2f)", text, senseNames[sense], p, senseNames[want], got[want])
			}
		}
	}
	if got := net.Of(" – "); got != [Senses]float32{} {
		t.Errorf("a text without letters has senses: %v", got)
	}
}
