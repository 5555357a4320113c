package relaid

import (
	"os"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/reading/lexicon"
)

// TestUnknownDocumentsPrintNoWordsOfTrainingPages holds that what the network is trained on has no label, title, name, town or street of the
// documents that it is measured on (fixtures/strange), as a whole. Short ones, such as No. and DoB, say nothing.
func TestUnknownDocumentsPrintNoWordsOfTrainingPages(t *testing.T) {
	strange := map[string]string{}
	for _, table := range []string{"labels", "near", "titles", "people"} {
		raw, err := os.ReadFile("../../../fixtures/strange/" + table + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		for i, row := range rowsOf(string(raw)) {
			for _, cell := range row[1:] {
				for text := range strings.SplitSeq(cell, "|") {
					if plain := lexicon.Alphanumerics(text); i > 0 && len(plain) > 4 {
						strange[plain] = table
					}
				}
			}
		}
	}
	if len(strange) < 800 {
		t.Fatalf("the unknown documents have %d words", len(strange))
	}
	for name, table := range map[string]string{
		"labels": labelTable, "names": nameTable, "titles": titleTable, "common": commonTable, "people": peopleTable, "countries": countryTable,
	} {
		for _, row := range rowsOf(table) {
			for _, text := range strings.FieldsFunc(strings.Join(row[1:], ";"), func(r rune) bool { return r == ';' || r == '/' }) {
				if from, shared := strange[lexicon.Alphanumerics(text)]; shared {
					t.Errorf("%s of %s.tsv is in %s.tsv of unknown documents", text, name, from)
				}
			}
		}
	}
}
