package main

import (
	"bytes"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/gallery"
)

func TestTheListOfModelsSaysWhichNobodyKnowsTheOriginOf(t *testing.T) {
	var out bytes.Buffer
	if err := (&modelsList{}).Run(streams{Out: &out}); err != nil {
		t.Fatal(err)
	}
	said := out.String()
	for _, want := range []string{"Of undocumented origin: face-liveness, face-template.\n", "--models DIR", "BlazeFace", "Apache-2.0", "skin tone"} {
		if !strings.Contains(said, want) {
			t.Errorf("the list does not say %q", want)
		}
	}
	set, err := openModels((&modelsList{}).Engine)
	if err != nil {
		t.Fatal(err)
	}
	if n := len(set.Cards()); strings.Count(said, "\n  origin") != n || strings.Count(said, "\n  evaluation") != n || strings.Count(said, "\n  licence") != n {
		t.Errorf("not each of %d models has origin, licence and evaluation:\n%s", n, said)
	}
}

func TestTheDocsSayHowManyFacesThePresentModelCarries(t *testing.T) {
	set, err := openModels((&modelsList{}).Engine)
	if err != nil {
		t.Fatal(err)
	}
	card, ok := set.Card(face.TemplateModel)
	if !ok {
		t.Fatal("there is no card of templates")
	}
	page, err := os.ReadFile("../../docs/operate/seen-before.md")
	if err != nil {
		t.Fatal(err)
	}
	said := regexp.MustCompile(`among at most ([\d ]+) others at once in 100, ([\d ]+) at once in 20, ([\d ]+) at once in 10`).FindSubmatch(page)
	if said == nil {
		t.Fatal("the page does not say how many faces the model carries")
	}
	for i, target := range []float64{1. / 100, 1. / 20, 1. / 10} {
		n, err := strconv.Atoi(strings.ReplaceAll(string(said[i+1]), " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		at, err := gallery.PlanFor(card.Calibration, n, target)
		if err != nil || at.Closed() || at.MostAlone != n {
			t.Errorf("at %.2f the docs say %d faces, the card carries %d (%v)", target, n, at.MostAlone, err)
		}
		if beyond, err := gallery.PlanFor(card.Calibration, n+1, target); err != nil || !beyond.Closed() || beyond.Beside == 0 {
			t.Errorf("at %.2f one face more than %d is %+v, %v", target, n, beyond, err)
		}
	}
}
