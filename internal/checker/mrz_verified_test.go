package checker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// TestAnotherDocumentInViewHidesNothingThatIsWrongWithTheZone: to put a second document into the picture is no way to have a
// forgery taken for a picture that has to be taken again.
func TestAnotherDocumentInViewHidesNothingThatIsWrongWithTheZone(t *testing.T) {
	zone := func(issuer string, change func(*idv.MRZ)) idv.MRZ {
		lines, err := mrz.Write(mrz.Document{
			Format: mrz.TD3, Code: "P", Issuer: issuer, Nationality: "SWE", Number: "A1234567", Surname: "BERG", GivenNames: "ANNA",
			Sex: "F", BirthDate: "740812", ExpiryDate: "300415",
		})
		if err != nil {
			t.Fatal(err)
		}
		z := idv.MRZ{Format: "TD3", Lines: lines, CheckDigitsOK: true, ReadersAgree: true, PrintedZone: idv.PrintedAgrees}
		change(&z)
		return z
	}
	nothing := func(*idv.MRZ) {}
	forged := func(z *idv.MRZ) { z.PrintedZone = idv.PrintedDisagrees }
	both := []idv.ClaimSource{idv.FromMRZ, idv.FromPrinted}
	for name, c := range map[string]struct {
		zone    idv.MRZ
		want    problem.Kind
		sources []idv.ClaimSource
	}{
		"print that disagrees":            {zone("SWE", forged), problem.DocumentFactsDisagree, both},
		"print and an issuer":             {zone("XQX", forged), problem.DocumentFactsDisagree, both},
		"an issuer that there is not":     {zone("XQX", nothing), problem.DocumentMRZInvalid, nil},
		"readers that disagree":           {zone("SWE", func(z *idv.MRZ) { z.ReadersAgree = false }), problem.DocumentReadersDisagree, nil},
		"wrong check digits":              {zone("SWE", func(z *idv.MRZ) { z.CheckDigitsOK = false }), problem.DocumentMRZInvalid, nil},
		"nothing: whose it is is unclear": {zone("SWE", nothing), problem.CaptureSeveralDocuments, nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := clean(t).present(idv.ArtifactMRZ, idv.Front, c.zone)
			e.present(idv.ArtifactPage, idv.Front, idv.Page{Kind: idv.Passport, Issuer: "SWE", Quality: idv.Quality{
				Sharpness: 900, ShortSide: 900, Reasons: []string{problem.CaptureSeveralDocuments.Code},
			}})
			f, err := MRZVerified{}.Check(t.Context(), e.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			want := []idv.Reason{{Code: c.want.Code, Step: idv.StepDocumentFront, Sources: c.sources}}
			if d := cmp.Diff(want, f.Reasons); d != "" || f.Outcome == idv.Pass {
				t.Errorf("%s (-want +got):\n%s", f.Outcome, d)
			}
		})
	}
}
