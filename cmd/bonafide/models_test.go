package main

import (
	"bytes"
	"strings"
	"testing"
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
