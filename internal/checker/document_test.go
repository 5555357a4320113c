package checker

import (
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

// scene is the evidence of a passport's front, which the tests change.
type scene struct {
	t *testing.T
	idv.Evidence
}

func clean(t *testing.T) *scene {
	e := &scene{t: t, Evidence: idv.Evidence{Now: today, Workflow: idv.DefaultWorkflow(idv.Live)}}
	e.present(idv.ArtifactPage, idv.Front, idv.Page{Kind: idv.Passport, Issuer: "SWE", Quality: idv.Quality{Sharpness: 900, ShortSide: 900}})
	e.present(idv.ArtifactMRZ, idv.Front, idv.MRZ{
		Format: "TD3", Lines: []string{"A", "B"}, CheckDigitsOK: true, ReadersAgree: true, Verified: true, Confidence: .99,
	})
	e.present(idv.ArtifactPortrait, idv.Front, idv.Face{})
	e.claim(idv.DateOfBirth, "1974-08-12").claim(idv.DateOfExpiry, "2030-04-15")
	return e
}

func (e *scene) present(k idv.ArtifactKind, side idv.Side, data any) *scene {
	e.t.Helper()
	a, err := idv.PresentArtifact(k, idv.Capture{Side: side, SHA256: "d"}, data)
	if err != nil {
		e.t.Fatal(err)
	}
	return e.put(a)
}

func (e *scene) absent(k idv.ArtifactKind, side idv.Side, why problem.Kind) *scene {
	return e.put(idv.AbsentArtifact(k, idv.Capture{Side: side, SHA256: "d"}, why.Code))
}

func (e *scene) put(a idv.Artifact) *scene {
	for i, b := range e.Artifacts {
		if b.Kind == a.Kind && b.Side == a.Side {
			e.Artifacts[i] = a
			return e
		}
	}
	e.Artifacts = append(e.Artifacts, a)
	return e
}

func (e *scene) claim(name idv.ClaimName, value string) *scene {
	for i, c := range e.Claims {
		if c.Name == name {
			e.Claims[i].Value = value
			return e
		}
	}
	e.Claims = append(e.Claims, idv.Claim{Name: name, Value: value, Source: idv.FromMRZ, Side: idv.Front})
	return e
}

func TestQuestionsAboutOneDocument(t *testing.T) {
	page := func(change func(*idv.Page)) idv.Page {
		p := idv.Page{Kind: idv.Passport, Issuer: "SWE", Quality: idv.Quality{Sharpness: 900, ShortSide: 900}}
		change(&p)
		return p
	}
	for name, c := range map[string]struct {
		ask     idv.Checker
		change  func(*scene)
		want    idv.Outcome
		reasons []problem.Kind
	}{
		"a good page is readable": {DocumentReadable{}, func(*scene) {}, idv.Pass, nil},
		"a blurred page is asked for again": {DocumentReadable{}, func(e *scene) {
			e.present(idv.ArtifactPage, idv.Front, page(func(p *idv.Page) { p.Quality.Reasons = []string{problem.CaptureBlurred.Code} }))
		}, idv.Fail, []problem.Kind{problem.CaptureBlurred}},
		"a picture without a page is asked for again": {DocumentReadable{}, func(e *scene) {
			e.absent(idv.ArtifactPage, idv.Front, problem.CaptureNoDocument)
		}, idv.Fail, []problem.Kind{problem.CaptureNoDocument}},
		"a page without a portrait is asked for again": {DocumentReadable{}, func(e *scene) {
			e.absent(idv.ArtifactPortrait, idv.Front, problem.DocumentPortraitMissing)
		}, idv.Fail, []problem.Kind{problem.DocumentPortraitMissing}},
		"the zone of a card's back in the place of its front is the wrong side": {DocumentReadable{}, func(e *scene) {
			e.absent(idv.ArtifactPortrait, idv.Front, problem.DocumentPortraitMissing).present(idv.ArtifactMRZ, idv.Front, idv.MRZ{Format: "TD1"})
		}, idv.Fail, []problem.Kind{problem.CaptureWrongSide}},
		"a face on the back is no portrait": {DocumentReadable{}, func(e *scene) {
			e.absent(idv.ArtifactPortrait, idv.Front, problem.DocumentPortraitMissing).present(idv.ArtifactPortrait, idv.Back, idv.Face{})
		}, idv.Fail, []problem.Kind{problem.DocumentPortraitMissing}},
		"the same side twice is asked for again": {DocumentReadable{}, func(e *scene) {
			e.present(idv.ArtifactPage, idv.Back, page(func(*idv.Page) {}))
			e.present(idv.ArtifactMRZ, idv.Back, idv.MRZ{Lines: []string{"A", "B"}})
			e.present(idv.ArtifactPortrait, idv.Back, idv.Face{})
		}, idv.Fail, []problem.Kind{problem.CaptureSameSideTwice}},

		"a kind that identifies a person is accepted where the workflow names none": {DocumentAccepted{}, func(*scene) {}, idv.Pass, nil},
		"a visa is declined where the workflow names no kind": {DocumentAccepted{}, func(e *scene) {
			e.present(idv.ArtifactPage, idv.Front, page(func(p *idv.Page) { p.Kind = idv.Visa }))
		}, idv.Fail, []problem.Kind{problem.DocumentTypeNotAccepted}},
		"a visa is accepted where the workflow names it": {DocumentAccepted{}, func(e *scene) {
			e.Workflow.Documents = []idv.DocumentKind{idv.Visa}
			e.present(idv.ArtifactPage, idv.Front, page(func(p *idv.Page) { p.Kind = idv.Visa }))
		}, idv.Pass, nil},
		"a page in a script that is not read is referred": {DocumentReadable{}, func(e *scene) {
			e.present(idv.ArtifactPage, idv.Front, page(func(p *idv.Page) { p.OtherScript = true }))
		}, idv.Inconclusive, []problem.Kind{problem.DocumentUnsupportedScript}},
		"a page in such a script whose zone states the name passes": {DocumentReadable{}, func(e *scene) {
			e.present(idv.ArtifactPage, idv.Front, page(func(p *idv.Page) { p.OtherScript = true }))
			e.claim(idv.FamilyName, "IVANOV")
		}, idv.Pass, nil},
		"a kind that is not on the list is declined": {DocumentAccepted{}, func(e *scene) {
			e.Workflow.Documents = []idv.DocumentKind{idv.IDCard}
		}, idv.Fail, []problem.Kind{problem.DocumentTypeNotAccepted}},
		"an issuer that is not on the list is declined": {DocumentAccepted{}, func(e *scene) {
			e.Workflow.Countries = []string{"NOR"}
		}, idv.Fail, []problem.Kind{problem.DocumentCountryNotAccepted}},
		"a kind that cannot be told is referred": {DocumentAccepted{}, func(e *scene) {
			e.present(idv.ArtifactPage, idv.Front, page(func(p *idv.Page) { p.Kind = idv.UnknownKind }))
		}, idv.Inconclusive, []problem.Kind{problem.DocumentUnsupported}},

		"a verified zone passes": {MRZVerified{}, func(*scene) {}, idv.Pass, nil},
		"wrong check digits are asked for again": {MRZVerified{}, func(e *scene) {
			e.present(idv.ArtifactMRZ, idv.Front, idv.MRZ{ReadersAgree: true})
		}, idv.Fail, []problem.Kind{problem.DocumentMRZInvalid}},
		"readers that disagree are referred": {MRZVerified{}, func(e *scene) {
			e.present(idv.ArtifactMRZ, idv.Front, idv.MRZ{CheckDigitsOK: true})
		}, idv.Inconclusive, []problem.Kind{problem.DocumentReadersDisagree}},
		"print that disagrees is referred": {MRZVerified{}, func(e *scene) {
			e.present(idv.ArtifactMRZ, idv.Front, idv.MRZ{CheckDigitsOK: true, ReadersAgree: true, PrintedZone: idv.PrintedDisagrees})
		}, idv.Inconclusive, []problem.Kind{problem.DocumentFactsDisagree}},
		"an issuer that there is not is referred": {MRZVerified{}, func(e *scene) {
			e.present(idv.ArtifactMRZ, idv.Front, idv.MRZ{CheckDigitsOK: true, ReadersAgree: true, PrintedZone: idv.PrintedAgrees})
		}, idv.Inconclusive, []problem.Kind{problem.DocumentMRZInvalid}},
		"a missing zone is asked for again": {MRZVerified{}, func(e *scene) {
			e.absent(idv.ArtifactMRZ, idv.Front, problem.DocumentMRZMissing)
		}, idv.Fail, []problem.Kind{problem.DocumentMRZMissing}},

		"a valid document has not expired": {DocumentExpiry{}, func(*scene) {}, idv.Pass, nil},
		"the last day counts as valid":     {DocumentExpiry{}, func(e *scene) { e.claim(idv.DateOfExpiry, "2026-06-01") }, idv.Pass, nil},
		"the day after is too late": {
			DocumentExpiry{}, func(e *scene) { e.claim(idv.DateOfExpiry, "2026-05-31") }, idv.Fail, []problem.Kind{problem.DocumentExpired},
		},
		"a month without a day runs to its end": {DocumentExpiry{}, func(e *scene) { e.claim(idv.DateOfExpiry, "2026-06-XX") }, idv.Pass, nil},
		"no date of expiry decides nothing":     {DocumentExpiry{}, func(e *scene) { e.Claims = nil }, idv.Inconclusive, nil},

		"dates that fit together pass": {DatesPlausible{}, func(*scene) {}, idv.Pass, nil},
		"a birth in the future is referred": {
			DatesPlausible{}, func(e *scene) { e.claim(idv.DateOfBirth, "2027-01-01") }, idv.Fail, []problem.Kind{problem.DocumentDatesImplausible},
		},
		"a day that does not exist": {
			DatesPlausible{}, func(e *scene) { e.claim(idv.DateOfBirth, "1974-02-30") }, idv.Fail, []problem.Kind{problem.DocumentDatesImplausible},
		},
		"an expiry before birth": {DatesPlausible{}, func(e *scene) {
			e.claim(idv.DateOfExpiry, "1970-01-01")
		}, idv.Fail, []problem.Kind{problem.DocumentDatesImplausible}},
		"a validity of half a century": {
			DatesPlausible{}, func(e *scene) { e.claim(idv.DateOfExpiry, "2076-01-01") }, idv.Fail, []problem.Kind{problem.DocumentDatesImplausible},
		},
		"a birthday that is partly unknown": {DatesPlausible{}, func(e *scene) { e.claim(idv.DateOfBirth, "1974-XX-XX") }, idv.Pass, nil},

		"a real document is no specimen": {DocumentSpecimen{}, func(*scene) {}, idv.Pass, nil},
		"Utopia issues nothing": {DocumentSpecimen{}, func(e *scene) {
			e.present(idv.ArtifactPage, idv.Front, page(func(p *idv.Page) { p.Issuer = "UTO" }))
		}, idv.Fail, []problem.Kind{problem.DocumentSpecimen}},
		"a holder called specimen": {DocumentSpecimen{}, func(e *scene) { e.claim(idv.FamilyName, "SPECIMEN") }, idv.Fail, []problem.Kind{problem.DocumentSpecimen}},
		"a workflow for tests accepts specimens": {DocumentSpecimen{}, func(e *scene) {
			e.Workflow.AcceptSpecimens = true
			e.claim(idv.FamilyName, "SPECIMEN")
		}, idv.Pass, nil},
	} {
		t.Run(name, func(t *testing.T) {
			e := clean(t)
			c.change(e)
			f, err := c.ask.Check(t.Context(), e.Evidence)
			if err != nil {
				t.Fatal(err)
			}
			var got, want []string
			for _, r := range f.Reasons {
				got = append(got, r.Code)
			}
			for _, k := range c.reasons {
				want = append(want, k.Code)
			}
			if f.Outcome != c.want || !cmp.Equal(want, got, cmpopts.EquateEmpty()) {
				t.Errorf("%s %v, want %s %v", f.Outcome, got, c.want, want)
			}
		})
	}
}

func TestOnlyALicenceNeedsNoZone(t *testing.T) {
	for name, c := range map[string]struct {
		chosen, found idv.DocumentKind
		skipped       bool
		want          idv.Outcome
	}{
		"a licence chosen and shown":        {idv.DrivingLicence, idv.DrivingLicence, true, ""},
		"a licence of whom nothing is said": {"", idv.DrivingLicence, true, ""},
		"a passport chosen as licence":      {idv.DrivingLicence, idv.Passport, false, idv.Fail},
		"a licence chosen as passport":      {idv.Passport, idv.DrivingLicence, false, idv.Fail},
		"a licence that does not say so":    {idv.DrivingLicence, idv.UnknownKind, false, idv.Inconclusive},
		"a page of which nothing is known":  {"", idv.UnknownKind, false, idv.Fail},
	} {
		t.Run(name, func(t *testing.T) {
			e := clean(t).absent(idv.ArtifactMRZ, idv.Front, problem.DocumentMRZMissing)
			e.present(idv.ArtifactPage, idv.Front, idv.Page{Kind: c.found})
			e.Chosen = c.chosen
			f, err := MRZVerified{}.Check(t.Context(), e.Evidence)
			if err != nil || f.NotApply != c.skipped || f.Outcome != c.want {
				t.Errorf("%+v %v", f, err)
			}
		})
	}
}
