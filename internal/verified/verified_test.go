package verified

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// says is a claim of the front.
func says(source idv.ClaimSource, name idv.ClaimName, value string) idv.Claim {
	return idv.Claim{Name: name, Value: value, Source: source, Side: idv.Front, Confidence: 1}
}

// printed, zone and bar are names as a source states them.
func printed(family, given string) []idv.Claim { return named(idv.FromPrinted, family, given) }
func zone(family, given string) []idv.Claim    { return named(idv.FromMRZ, family, given) }
func bar(family, given string) []idv.Claim     { return named(idv.FromBarcode, family, given) }

func named(source idv.ClaimSource, family, given string) []idv.Claim {
	return []idv.Claim{says(source, idv.FamilyName, family), says(source, idv.GivenNames, given)}
}

// report is a report of a passport with those claims, and a verified zone where one of them is of a zone.
func report(t *testing.T, claims ...[]idv.Claim) idv.Report {
	t.Helper()
	r := idv.Report{Document: idv.DocumentSummary{Kind: idv.Passport}, Digest: "this"}
	holder := mrz.Document{Format: mrz.TD3, Code: "P", Issuer: "UTO", Number: "L898902C3", Nationality: "UTO", Sex: "F", BirthDate: "740812", ExpiryDate: "300415"}
	for _, some := range claims {
		for _, c := range some {
			r.Claims = append(r.Claims, c)
			switch {
			case c.Source != idv.FromMRZ:
			case c.Name == idv.FamilyName:
				holder.Surname = c.Value
			case c.Name == idv.GivenNames:
				holder.GivenNames = c.Value
			}
			if c.Source == idv.FromMRZ {
				r.Document.MRZ = &idv.MRZ{Format: "TD3", Verified: true}
			}
		}
	}
	if r.Document.MRZ != nil {
		lines, err := mrz.Write(holder)
		if err != nil {
			t.Fatal(err)
		}
		r.Document.MRZ.Lines = lines
	}
	return r
}

// told is a fact in one line: value, rule, spelling, who agrees and who does not.
func told(f *Fact) string {
	if f == nil {
		return "not known"
	}
	value, spelling := "no value", "nobody"
	if f.Value != nil {
		value, spelling = *f.Value, string(*f.Spelling)
	}
	return fmt.Sprintf("%s by %s as %s: %s, not %s", value, f.Rule, spelling, list(f.Sources), list(f.Disagree))
}

func list(of []idv.ClaimSource) string {
	if len(of) == 0 {
		return "nobody"
	}
	var out []string
	for _, s := range of {
		out = append(out, string(s))
	}
	return strings.Join(out, "+")
}

func TestANameIsGivenOnce(t *testing.T) {
	t.Parallel()
	long := "ALEXANDER MAXIMILIAN FERDINAND JOHANNES"
	for name, c := range map[string]struct {
		claims        [][]idv.Claim
		family, given string
	}{
		"print keeps the diacritics of a zone's transliteration": {
			[][]idv.Claim{printed("MÜLLER", "DANIËL"), zone("MUELLER", "DANIEL")},
			"MÜLLER by zone as printed: mrz+printed, not nobody", "DANIËL by zone as printed: mrz+printed, not nobody",
		},
		"print in small letters is kept, a zone has none": {
			[][]idv.Claim{printed("O’Connor", "Siobhán"), zone("OCONNOR", "SIOBHAN")},
			"O’Connor by zone as printed: mrz+printed, not nobody", "Siobhán by zone as printed: mrz+printed, not nobody",
		},
		"letters of other alphabets' transliterations": {
			[][]idv.Claim{printed("ØSTERGÅRD", "BJØRN ÅGE"), zone("OESTERGAARD", "BJOERN AAGE")},
			"ØSTERGÅRD by zone as printed: mrz+printed, not nobody", "BJØRN ÅGE by zone as printed: mrz+printed, not nobody",
		},
		"a title that only print has is no part of the name": {
			[][]idv.Claim{printed("DR. MÜLLER", "ANNA"), zone("MUELLER", "ANNA")},
			"MÜLLER by zone as printed: mrz+printed, not nobody", "ANNA by zone as printed: mrz+printed, not nobody",
		},
		"a birth name that only print has is no part of the name": {
			[][]idv.Claim{printed("MÜLLER GEB. GABLER", "ANNA"), zone("MUELLER", "ANNA")},
			"MÜLLER by zone as printed: mrz+printed, not nobody", "ANNA by zone as printed: mrz+printed, not nobody",
		},
		"particles in small letters": {
			[][]idv.Claim{printed("van der Berg", "Jan"), zone("VAN DER BERG", "JAN")},
			"van der Berg by zone as printed: mrz+printed, not nobody", "Jan by zone as printed: mrz+printed, not nobody",
		},
		"particles that print puts behind the given names, the zone before the family name": {
			[][]idv.Claim{printed("Bérg", "Jan van der"), zone("VAN DER BERG", "JAN")},
			"van der Bérg by zone as printed: mrz+printed, not nobody", "Jan by zone as printed: mrz+printed, not nobody",
		},
		"a truncated zone, and print that has it all": {
			[][]idv.Claim{printed("PAPADOPOULOS-KONSTANTINIDIS", long), zone("PAPADOPOULOS KONSTANTINIDIS", "ALEXANDER")},
			"PAPADOPOULOS-KONSTANTINIDIS by zone as printed: mrz+printed, not nobody", long + " by zone as printed: mrz+printed, not nobody",
		},
		"a zone with room for one letter": {
			[][]idv.Claim{printed("NILAVADHANANANDA", "CHAYAPA DEJTHAMRONG KRASUANG"), zone("NILAVADHANANANDA", "CHAYAPA DEJTHAMRONG K")},
			"NILAVADHANANANDA by zone as printed: mrz+printed, not nobody",
			"CHAYAPA DEJTHAMRONG KRASUANG by zone as printed: mrz+printed, not nobody",
		},
		"a barcode beside print": {
			[][]idv.Claim{printed("GARCÍA", "JOSÉ"), bar("GARCIA", "JOSE")},
			"GARCÍA by barcode as printed: barcode+printed, not nobody", "JOSÉ by barcode as printed: barcode+printed, not nobody",
		},
		"a zone alone": {
			[][]idv.Claim{zone("ERIKSSON", "ANNA MARIA")},
			"ERIKSSON by zone as mrz: mrz, not nobody", "ANNA MARIA by zone as mrz: mrz, not nobody",
		},
		"print alone": {
			[][]idv.Claim{printed("Žižka", "Ján")},
			"Žižka by print as printed: printed, not nobody", "Ján by print as printed: printed, not nobody",
		},
		"print whose reader lost the diacritics": {
			[][]idv.Claim{printed("MULLER", "JURGEN"), zone("MUELLER", "JUERGEN")},
			"MULLER by zone as printed: mrz+printed, not nobody", "JURGEN by zone as printed: mrz+printed, not nobody",
		},
		"a name in letters that no zone has says nothing against it": {
			[][]idv.Claim{printed("王", "小明"), zone("WANG", "XIAOMING")},
			"WANG by zone as mrz: mrz, not nobody", "XIAOMING by zone as mrz: mrz, not nobody",
		},
		"names that are different": {
			[][]idv.Claim{printed("ERIKSEN", "ANNA"), zone("ERIKSSON", "ANNA")},
			"no value by contradicted as nobody: nobody, not mrz+printed", "ANNA by zone as printed: mrz+printed, not nobody",
		},
		"what the integrator claims is no source": {
			[][]idv.Claim{named(idv.FromClaimed, "ERIKSSON", "ANNA")}, "not known", "not known",
		},
	} {
		got := Of(report(t, c.claims...), nil)
		if d := cmp.Diff([]string{c.family, c.given}, []string{told(got.FamilyName), told(got.GivenNames)}); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestAFactIsInOneForm(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		claims []idv.Claim
		want   string
	}{
		"a century that only print has": {
			[]idv.Claim{says(idv.FromMRZ, idv.DateOfBirth, "2012-03-04"), says(idv.FromPrinted, idv.DateOfBirth, "1912-03-04")},
			"1912-03-04 by zone as printed: mrz+printed, not nobody",
		},
		"a day that the zone does not know": {
			[]idv.Claim{says(idv.FromMRZ, idv.DateOfBirth, "1974-08-XX"), says(idv.FromPrinted, idv.DateOfBirth, "1974-08-12")},
			"1974-08-12 by print as printed: printed, not nobody",
		},
		"a day that nobody knows": {
			[]idv.Claim{says(idv.FromMRZ, idv.DateOfBirth, "1974-XX-XX")}, "1974-XX-XX by zone as mrz: mrz, not nobody",
		},
		"a date that can be read in two ways is read as the zone has it": {
			[]idv.Claim{says(idv.FromMRZ, idv.DateOfBirth, "1974-03-04"), says(idv.FromPrinted, idv.DateOfBirth, "03/04/1974")},
			"1974-03-04 by zone as mrz: mrz+printed, not nobody",
		},
		"a date that can be read in two ways alone is not known": {
			[]idv.Claim{says(idv.FromPrinted, idv.DateOfBirth, "03/04/1974")}, "not known",
		},
		"days that are different": {
			[]idv.Claim{says(idv.FromMRZ, idv.DateOfBirth, "1974-08-12"), says(idv.FromPrinted, idv.DateOfBirth, "1974-08-21")},
			"no value by contradicted as nobody: nobody, not mrz+printed",
		},
		"a number with spaces in print": {
			[]idv.Claim{says(idv.FromPrinted, idv.DocumentNumber, "L89 8902 C3"), says(idv.FromMRZ, idv.DocumentNumber, "L898902C3")},
			"L898902C3 by zone as mrz: mrz+printed, not nobody",
		},
		"a state by its name and by its code": {
			[]idv.Claim{says(idv.FromPrinted, idv.Nationality, "Germany"), says(idv.FromMRZ, idv.Nationality, "D")},
			"DEU by zone as mrz: mrz+printed, not nobody",
		},
		"an adjective of nationality is no code": {
			[]idv.Claim{says(idv.FromPrinted, idv.Nationality, "DEUTSCH")}, "not known",
		},
		"sex in another language": {
			[]idv.Claim{says(idv.FromPrinted, idv.Sex, "W"), says(idv.FromMRZ, idv.Sex, "F")}, "F by zone as mrz: mrz+printed, not nobody",
		},
		"an address in a barcode, printed otherwise": {
			[]idv.Claim{says(idv.FromBarcode, idv.Address, "12 MAIN ST SPRINGFIELD"), says(idv.FromPrinted, idv.Address, "12 MAIN 5T SPRINGFIELD")},
			"12 MAIN ST SPRINGFIELD by barcode as barcode: barcode, not printed",
		},
		"an address of which the barcode has a part": {
			[]idv.Claim{says(idv.FromBarcode, idv.Address, "12 MAIN ST"), says(idv.FromPrinted, idv.Address, "12 MAIN ST, SPRINGFIELD")},
			"12 MAIN ST, SPRINGFIELD by print as printed: printed, not nobody",
		},
		"print that states two days, one a side": {
			[]idv.Claim{
				says(idv.FromPrinted, idv.DateOfExpiry, "2030-01-02"),
				{Name: idv.DateOfExpiry, Value: "2031-01-02", Source: idv.FromPrinted, Side: idv.Back, Confidence: 1},
			},
			"no value by contradicted as nobody: nobody, not printed",
		},
	} {
		got := Of(report(t, c.claims), nil)
		facts := map[idv.ClaimName]*Fact{
			idv.DateOfBirth: got.DateOfBirth, idv.Sex: got.Sex, idv.Nationality: got.Nationality, idv.Address: got.Address,
			idv.DocumentNumber: got.Document.Number, idv.DateOfExpiry: got.Document.DateOfExpiry,
		}
		if d := cmp.Diff(c.want, told(facts[c.claims[0].Name])); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestTheKindIsOfTheZoneElseOfTheBarcodeElseOfPrint(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		kind   idv.DocumentKind
		claims []idv.Claim
		want   string
	}{
		"a zone":         {idv.Passport, zone("ERIKSSON", "ANNA"), "passport by zone as mrz: mrz, not nobody"},
		"a barcode":      {idv.DrivingLicence, bar("ERIKSSON", "ANNA"), "driving_licence by barcode as barcode: barcode, not nobody"},
		"print":          {idv.DrivingLicence, printed("ERIKSSON", "ANNA"), "driving_licence by print as printed: printed, not nobody"},
		"nobody told it": {idv.UnknownKind, zone("ERIKSSON", "ANNA"), "not known"},
	} {
		r := report(t, c.claims)
		r.Document.Kind = c.kind
		if d := cmp.Diff(c.want, told(Of(r, nil).Document.Kind)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
}

func TestAZoneThatWasNotVerifiedComesAfterPrint(t *testing.T) {
	t.Parallel()
	r := report(t, printed("MÜLLER", "ANNA"), zone("MUELLER", "ANNA"))
	r.Document.MRZ.Verified = false
	if d := cmp.Diff("MÜLLER by print as printed: printed+mrz, not nobody", told(Of(r, nil).FamilyName)); d != "" {
		t.Error("beside print (-want +got):\n" + d)
	}
	r.Claims = zone("MUELLER", "ANNA")
	if d := cmp.Diff("MUELLER by unverified_zone as mrz: mrz, not nobody", told(Of(r, nil).FamilyName)); d != "" {
		t.Error("alone (-want +got):\n" + d)
	}
}

func TestWhatAReviewerCorrectedCounts(t *testing.T) {
	t.Parallel()
	at := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	said := func(name idv.ClaimName, to string, report idv.Digest, at time.Time) idv.Review {
		return idv.Review{By: "usr_x", Kind: idv.ReviewCorrected, Report: report, At: at, Correction: &idv.Correction{Name: name, To: to}}
	}
	r := report(t, printed("ERIKSEN", "ANNA"), zone("ERIKSSON", "ANNA"))
	for name, c := range map[string]struct {
		reviews []idv.Review
		want    string
	}{
		"nobody corrected": {nil, "no value by contradicted as nobody: nobody, not mrz+printed"},
		"the zone was right": {
			[]idv.Review{said(idv.FamilyName, "Eriksson", "this", at)}, "Eriksson by correction as reviewer: reviewer+mrz, not printed",
		},
		"neither was right": {
			[]idv.Review{said(idv.FamilyName, "Ericson", "this", at)}, "Ericson by correction as reviewer: reviewer, not mrz+printed",
		},
		"the last of two corrections counts": {
			[]idv.Review{said(idv.FamilyName, "Ericson", "this", at), said(idv.FamilyName, "Eriksson", "this", at)},
			"Eriksson by correction as reviewer: reviewer+mrz, not printed",
		},
		"a correction of another report": {
			[]idv.Review{said(idv.FamilyName, "Eriksson", "other", at)}, "no value by contradicted as nobody: nobody, not mrz+printed",
		},
		"a review that corrects nothing": {
			[]idv.Review{{Kind: idv.ReviewNoted, Report: "this", At: at}}, "no value by contradicted as nobody: nobody, not mrz+printed",
		},
	} {
		got := Of(r, c.reviews).FamilyName
		if d := cmp.Diff(c.want, told(got)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
		if by := got.Correction; (got.Rule == ByCorrection) != (by != nil) || by != nil && (by.By != idv.FromReviewer || !by.At.Equal(at)) {
			t.Errorf("%s: corrected %+v", name, by)
		}
	}
	unread := Of(report(t, zone("ERIKSSON", "ANNA")), []idv.Review{said(idv.Address, "Zenith 1", "this", at)})
	if d := cmp.Diff("Zenith 1 by correction as reviewer: reviewer, not nobody", told(unread.Address)); d != "" {
		t.Error("a fact that was not read (-want +got):\n" + d)
	}
}

func TestASignatureCountsWhereItWasVerified(t *testing.T) {
	t.Parallel()
	const card, check = idv.ClaimSource("signed"), idv.CheckKind("signed.authentic")
	signed := map[idv.ClaimSource]idv.CheckKind{card: check}
	r := report(t, printed("MÜLLER", "ANNA"), zone("MULLER", "ANNA"), named(card, "MUELLER", "ANNA"))
	r.Claims = append(r.Claims, says(card, idv.DateOfBirth, "1974-08-12"), says(idv.FromPrinted, idv.DateOfBirth, "1974-08-21"))
	r.Checks = []idv.Check{{Kind: check, Lifecycle: idv.CheckSettled, Finding: &idv.Finding{Outcome: idv.Fail}}}
	if got := outputs(r, nil, signed); strings.Contains(told(got.FamilyName)+told(got.DateOfBirth), string(card)) {
		t.Errorf("a signature that is not genuine counts: %s, %s", told(got.FamilyName), told(got.DateOfBirth))
	}
	r.Checks[0].Finding.Outcome = idv.Pass
	got := outputs(r, nil, signed)
	if d := cmp.Diff("MÜLLER by signature as printed: signed+mrz+printed, not nobody", told(got.FamilyName)); d != "" {
		t.Error("the name (-want +got):\n" + d)
	}
	if d := cmp.Diff("1974-08-12 by signature as signed: signed, not printed", told(got.DateOfBirth)); d != "" {
		t.Error("the day (-want +got):\n" + d)
	}
}

// A check compares what the report no longer holds, such as which names a barcode says that it cut.
func TestWhatACheckFoundToDisagreeHasNoValue(t *testing.T) {
	t.Parallel()
	r := report(t, printed("FEATHERSTONEHAUGH-CHOLMONDELEY", "ANNA"), bar("FEATHERSTONEHAUGH-CHOLMOND", "ANNA"))
	if d := cmp.Diff("FEATHERSTONEHAUGH-CHOLMONDELEY by barcode as printed: barcode+printed, not nobody", told(Of(r, nil).FamilyName)); d != "" {
		t.Error("before (-want +got):\n" + d)
	}
	f := idv.Failed(idv.Reason{Code: problem.DocumentFactsDisagree.Code, Claim: idv.FamilyName, Sources: []idv.ClaimSource{idv.FromPrinted, idv.FromBarcode}})
	r.Checks = []idv.Check{{Kind: idv.CheckFactsAgree, Lifecycle: idv.CheckSettled, Finding: &f}}
	if d := cmp.Diff("no value by contradicted as nobody: nobody, not barcode+printed", told(Of(r, nil).FamilyName)); d != "" {
		t.Error("after (-want +got):\n" + d)
	}
}

func TestFactsAreInTheOrderOfAForm(t *testing.T) {
	t.Parallel()
	got := Of(report(t, zone("ERIKSSON", "ANNA"), []idv.Claim{says(idv.FromMRZ, idv.DocumentNumber, "L898902C3")}), nil)
	var names []idv.ClaimName
	for _, f := range got.Facts() {
		names = append(names, f.Name)
	}
	if d := cmp.Diff([]idv.ClaimName{idv.FamilyName, idv.GivenNames, KindName, idv.DocumentNumber}, names); d != "" {
		t.Error("(-want +got):\n" + d)
	}
}
