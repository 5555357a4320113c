package viz

import (
	"os"
	"strings"
	"testing"
)

// TestTheWordsOfTheSpecimensAreKnown holds the label tables against those that the generator of specimens prints; they
// were written apart from each other.
func TestTheWordsOfTheSpecimensAreKnown(t *testing.T) {
	raw, err := os.ReadFile("../../fixtures/words.tsv")
	if err != nil {
		t.Skip("no fixtures/words.tsv")
	}
	facts := map[string]fact{
		"surname": surname, "given": givenNames, "nationality": nationality, "born": dateOfBirth, "sex": sex, "birthplace": placeOfBirth, "issued": dateOfIssue, "expires": dateOfExpiry,
		"authority": authority, "number": documentNumber, "passport_no": documentNumber, "card_no": documentNumber, "visa_no": documentNumber, "personal": personalNumber, "address": address,
		"height": other, "type": other, "code": issuer, "permit_type": other, "remarks": other, "signature": other, "valid_for": other, "from": dateOfIssue, "until": dateOfExpiry,
		"entries": other, "issued_at": other,
	}
	also := map[string]fact{"Name": wholeName, "Visa N°": documentNumber}
	for line := range strings.Lines(string(raw)) {
		cells := strings.Split(strings.TrimSpace(line), "\t")
		want, ok := facts[cells[0]]
		if !ok {
			continue
		}
		for _, cell := range cells[1:] {
			for form := range strings.SplitSeq(cell, "|") {
				got := labelOf(form)
				if got == want || got == also[form] && got != "" || want == other && got == issueDayOrPlace || want == dateOfIssue && got == issueDayOrPlace || got == expiryOrScope {
					continue
				}
				t.Errorf("%s: %q is taken for %q, want %q", cells[0], form, got, want)
			}
		}
	}
}

// labelOf is the fact that a line announces which is that label alone.
func labelOf(text string) fact {
	r := newReader(pageOf(at(100, 100, 20, text)))
	r.findLabels()
	if len(r.labels) != 1 {
		return ""
	}
	return r.labels[0].fact
}
