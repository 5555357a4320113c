package relaid

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/bench/facts"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

func TestKnownLayoutsAreDrawnWithoutPictures(t *testing.T) {
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip(err)
	}
	o := Options{Pages: 12, Seed: 3}
	pages, err := DrawKnown(known(), o)
	if err != nil {
		t.Fatal(err)
	}
	again, err := DrawKnown(known(), o)
	if d := cmp.Diff(pages, again); err != nil || d != "" {
		t.Errorf("the same seed, first −, second +: %v\n%s", err, d)
	}
	stated, found, zones := 0, 0, 0
	for _, c := range pages {
		text := ""
		for _, l := range c.Lines {
			text += l.Text
			if strings.Contains(l.Text, "<<") {
				t.Errorf("%s: a line of the zone is among the print: %q", c.Picture, l.Text)
			}
		}
		for _, fact := range c.Truth {
			stated++
			if strings.Contains(lexicon.Alphanumerics(text), lexicon.Alphanumerics(fact.Printed)) {
				found++
			}
		}
		if len(c.Zone) > 0 {
			zones++
		}
		if c.Layout != facts.KnownLayout || (c.WantKind == "") != strings.HasSuffix(c.Picture, "-back") {
			t.Errorf("%s: layout %s, kind %q", c.Picture, c.Layout, c.WantKind)
		}
	}
	if stated < 60 || found < 7*stated/10 || found == stated || zones == 0 || zones == len(pages) {
		t.Errorf("%d of %d facts are in the lines, want most and not all; %d of %d pages have a zone", found, stated, zones, len(pages))
	}
}

func TestWhatAZoneStatesIsWhatItsPageDoes(t *testing.T) {
	c := content{fields: []field{
		{truth: facts.Truth{Name: idv.FamilyName, Value: "D'ÉON"}}, {truth: facts.Truth{Name: idv.DateOfBirth, Value: "1980-02-03"}},
		{truth: facts.Truth{Name: idv.Address, Value: "Hauptstr. 1"}},
	}}
	claims, dates, _ := c.zoneClaims()
	if len(claims) != 2 || claims[0].Value != "DEON" || len(dates) != 1 {
		t.Errorf("got %v and %v", claims, dates)
	}
}
