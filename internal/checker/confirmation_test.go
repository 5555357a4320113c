package checker

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// damning is the evidence of a licence that everything speaks against: it has expired, is a specimen of a kind and an issuer that
// are not accepted, and its holder is too young and somebody else. It is read by one reader on one side, and nothing confirms it.
func damning(t *testing.T) *scene {
	e := &scene{t: t, Evidence: idv.Evidence{Now: today, Workflow: idv.DefaultWorkflow(idv.Live)}}
	e.Workflow.MinimumAge, e.Workflow.Documents, e.Workflow.Countries = 18, []idv.DocumentKind{idv.Passport}, []string{"NOR"}
	e.present(idv.ArtifactPage, idv.Front, idv.Page{Kind: idv.DrivingLicence, Issuer: "UTO"})
	e.Claims = append(e.Claims, against(idv.FromPrinted, idv.Front)...)
	e.Claims = append(e.Claims, idv.Claim{Name: idv.DocumentNumber, Value: "X1234567", Source: idv.FromClaimed})
	return e
}

// against are the statements that speak against the holder.
func against(source idv.ClaimSource, side idv.Side) []idv.Claim {
	out := []idv.Claim{}
	for _, c := range []idv.Claim{
		{Name: idv.FamilyName, Value: "SPECIMEN"}, {Name: idv.DateOfBirth, Value: "2015-08-12"}, {Name: idv.DateOfExpiry, Value: "2020-04-15"},
		{Name: idv.DocumentNumber, Value: "L8988890"}, {Name: idv.Issuer, Value: "UTO"},
	} {
		c.Source, c.Side = source, side
		out = append(out, c)
	}
	return out
}

// finals returns what confirms each final reason that any checker gives.
func finals(t *testing.T, ev idv.Evidence) map[string]idv.Confirmation {
	t.Helper()
	out := map[string]idv.Confirmation{}
	for _, c := range append(OfDocument(Models{}), OfStatements()...) {
		f, err := c.Check(t.Context(), ev)
		if err != nil {
			t.Fatal(err)
		}
		for _, r := range f.Reasons {
			if k, ok := problem.Lookup(r.Code); ok && k.Severity == problem.Final {
				out[r.Code] = r.Confirmed
			}
		}
	}
	return out
}

// TestNoCheckerConfirmsAReadingThatStandsAlone asks every checker about every final reason that a document can give.
func TestNoCheckerConfirmsAReadingThatStandsAlone(t *testing.T) {
	zone := func(verified bool) func(*scene) {
		return func(e *scene) {
			e.present(idv.ArtifactMRZ, idv.Back, idv.MRZ{Lines: []string{"A", "B"}, Verified: verified})
			e.Claims = append(e.Claims, against(idv.FromMRZ, idv.Back)...)
		}
	}
	all := func(by idv.Confirmation) map[string]idv.Confirmation {
		out := map[string]idv.Confirmation{}
		for _, k := range []problem.Kind{
			problem.DocumentExpired, problem.DocumentSpecimen, problem.DocumentTypeNotAccepted, problem.PersonUnderAge, problem.PersonClaimMismatch,
		} {
			out[k.Code] = by
		}
		return out
	}
	for name, c := range map[string]struct {
		also func(*scene)
		want map[string]idv.Confirmation
	}{
		"print on one side": {func(*scene) {}, map[string]idv.Confirmation{
			problem.DocumentExpired.Code: "", problem.DocumentSpecimen.Code: "", problem.DocumentTypeNotAccepted.Code: "",
		}},
		"a zone whose check digits are right": {zone(true), all(idv.ByCheckDigits)},
		"a barcode": {func(e *scene) {
			e.present(idv.ArtifactBarcode, idv.Back, idv.Barcode{})
			e.Claims = append(e.Claims, against(idv.FromBarcode, idv.Back)...)
		}, all(idv.ByBarcode)},
		"print on both sides": {func(e *scene) {
			e.present(idv.ArtifactPage, idv.Back, idv.Page{Kind: idv.DrivingLicence, Issuer: "UTO"})
			e.Claims = append(e.Claims, against(idv.FromPrinted, idv.Back)...)
		}, all(idv.ByTwoSources)},
		"print and a zone that is not verified": {zone(false), func() map[string]idv.Confirmation {
			out := all(idv.ByTwoSources)
			out[problem.DocumentTypeNotAccepted.Code] = "" // one page tells the kind
			return out
		}()},
	} {
		t.Run(name, func(t *testing.T) {
			e := damning(t)
			c.also(e)
			if diff := cmp.Diff(c.want, finals(t, e.Evidence)); diff != "" {
				t.Errorf("final reasons by what confirms them (-want +got):\n%s", diff)
			}
		})
	}
}

func TestADateOfExpiryThatASecondSourceContradictsIsNotConfirmed(t *testing.T) {
	e := damning(t)
	e.Claims = append(e.Claims,
		idv.Claim{Name: idv.DateOfExpiry, Value: "2020-04-15", Source: idv.FromPrinted, Side: idv.Back},
		idv.Claim{Name: idv.DateOfExpiry, Value: "2030-04-15", Source: idv.FromPrinted, Side: idv.NoSide},
	)
	if by := finals(t, e.Evidence)[problem.DocumentExpired.Code]; by != "" {
		t.Errorf("confirmed by %s although one of three readings says otherwise", by)
	}
}

// TestEveryFinalReasonOfADocumentIsInTheTest fails where a reason is added to the catalogue that no checker was asked about.
func TestEveryFinalReasonOfADocumentIsInTheTest(t *testing.T) {
	asked := finals(t, func() idv.Evidence {
		e := damning(t)
		e.present(idv.ArtifactMRZ, idv.Back, idv.MRZ{Lines: []string{"A", "B"}, Verified: true})
		e.Claims = append(e.Claims, against(idv.FromMRZ, idv.Back)...)
		return e.Evidence
	}())
	country := damning(t)
	country.Workflow.Documents = nil
	for code, by := range finals(t, country.Evidence) {
		if _, there := asked[code]; !there {
			asked[code] = by
		}
	}
	for _, k := range problem.All() {
		if _, ok := asked[k.Code]; k.Severity == problem.Final && !ok && k.Code != problem.ConsentDeclined.Code {
			t.Errorf("no checker gives %s here: what confirms it was not tried", k.Code)
		}
	}
}
