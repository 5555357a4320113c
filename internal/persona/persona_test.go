package persona

import (
	"bytes"
	"image/jpeg"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/mrz"
	"github.com/bonafide-id/bonafide/internal/problem"
)

var today = time.Date(2026, 5, 4, 0, 0, 0, 0, time.UTC)

func TestEveryReasonOfTheCatalogueHasAPersona(t *testing.T) {
	var want, got []string
	// The workflow gives these reasons, not a check: by a rule, or by the assurance level that it asks for. So no persona is named after them.
	// Questions are no reasons of a check either.
	ofRules := []string{problem.WorkflowRule.Code, problem.WorkflowRuleFailed.Code, problem.AssuranceShort.Code}
	// No persona sends a chip or a wallet's credential yet.
	ofRules = append(ofRules, problem.ChipMissing.Code, problem.ChipPageUnread.Code)
	ofRules = append(ofRules, problem.WalletMissing.Code, problem.WalletHolderUnproved.Code, problem.WalletRevoked.Code, problem.WalletRevocationUnknown.Code)
	ofRules = append(ofRules, codes(problem.Credentials())...)
	for _, k := range problem.All() {
		if k.Severity != problem.None && k.Severity != problem.Question && !slices.Contains(ofRules, k.Code) {
			want = append(want, k.Code)
		}
	}
	for _, k := range problem.All() {
		if p, ok := Named(k.Code); ok {
			got = append(got, p.Reason.Code)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("reasons (-catalogue +personas):\n%s", diff)
	}
}

func codes(all []problem.Kind) []string {
	var out []string
	for _, k := range all {
		out = append(out, k.Code)
	}
	return out
}

func TestPersonasAreToldApart(t *testing.T) {
	seen := map[string]bool{}
	for _, p := range All() {
		if seen[p.Name] {
			t.Errorf("%s is there twice", p.Name)
		}
		seen[p.Name] = true
		if p.What == "" || p.Ends == "" || len(p.Number()) > 60 {
			t.Errorf("%+v says too little", p)
		}
		if _, known := problem.Lookup(p.Reason.Code); p.Reason.Code != "" && !known {
			t.Errorf("%s raises %s, which is not in the catalogue", p.Name, p.Reason.Code)
		}
	}
}

func TestOnlyAClaimedNumberWithThePrefixAsksForAPersona(t *testing.T) {
	for _, c := range []struct {
		what, number, name string
		asked              bool
	}{
		{"a persona", "persona:approved", "approved", true},
		{"a persona with spaces around", " persona:face.uncertain ", "face.uncertain", true},
		{"a name that nobody has", "persona:somebody", "", true},
		{"no name", "persona:", "", true},
		{"a number", "C01X00T47", "", false},
		{"nothing", "", "", false},
		{"the word alone", "persona", "", false},
	} {
		p, asked := Of(map[idv.ClaimName]string{idv.DocumentNumber: c.number, idv.FamilyName: "persona:approved"})
		if p.Name != c.name || asked != c.asked {
			t.Errorf("%s: got %q, %v, want %q, %v", c.what, p.Name, asked, c.name, c.asked)
		}
	}
}

func TestAPersonaRaisesItsReasonOnItsCheckAlone(t *testing.T) {
	for _, p := range All() {
		for _, k := range append(idv.DefaultWorkflow(idv.Test).Required, idv.CheckPassiveLiveness) {
			f, ran := p.Finds(k, map[idv.Step]int{p.Reason.Step: 1})
			if ran != (!p.Broken || k != p.Check) {
				t.Errorf("%s: %s ran: %v", p.Name, k, ran)
			}
			if !ran {
				continue
			}
			if raised := len(f.Reasons) > 0; raised != (k == p.Check && !p.Gate) || raised == (f.Outcome == idv.Pass) {
				t.Errorf("%s: %s is %s for %v", p.Name, k, f.Outcome, f.Reasons)
			}
			if !strings.Contains(f.Note, "test persona") || (f.Rates != nil && p.Name != "substantial") || f.Score != nil {
				t.Errorf("%s: %s does not say that a persona settled it, or states a measure: %+v", p.Name, k, f)
			}
		}
		if f, ran := p.Finds(p.Check, map[idv.Step]int{p.Reason.Step: 2}); p.Once && (!ran || f.Outcome != idv.Pass) {
			t.Errorf("%s: the second try is %+v", p.Name, f)
		}
	}
}

func TestWhatAPersonaShowsIsSettledAndItsZoneVerifies(t *testing.T) {
	yields := []idv.ArtifactKind{idv.ArtifactPage, idv.ArtifactMRZ, idv.ArtifactPortrait, idv.ArtifactPortraitTemplate}
	claimed := map[idv.ClaimName]string{idv.FamilyName: "Müller", idv.DocumentNumber: "persona:approved", idv.Address: "somewhere"}
	for _, c := range []struct {
		persona string
		chosen  idv.DocumentKind
		side    idv.Side
		lines   int
	}{
		{"approved", idv.Passport, idv.Front, 2}, {"document.sides_differ", idv.IDCard, idv.Back, 3},
		{"document.sides_differ", idv.IDCard, idv.Front, 0}, {"approved", idv.Visa, idv.Front, 0},
	} {
		p, _ := Named(c.persona)
		x, err := p.Found(idv.Capture{ID: "cap_1", Kind: idv.DocumentImage, Side: c.side}, yields, c.chosen, claimed, today)
		if err != nil {
			t.Fatal(err)
		}
		var kinds []idv.ArtifactKind
		for _, a := range x.Artifacts {
			kinds = append(kinds, a.Kind)
			if a.Producer != Producer || (!a.Present && a.Absent == "") {
				t.Errorf("%s: %+v", c.persona, a)
			}
			if a.Kind != idv.ArtifactMRZ {
				continue
			}
			zone, err := idv.ValueOf[idv.MRZ](a)
			if (err == nil) != (c.lines > 0) || len(zone.Lines) != c.lines {
				t.Fatalf("%s on %s: %d lines, %v", c.chosen, c.side, len(zone.Lines), err)
			}
			if d, err := mrz.Parse(zone.Lines); c.lines > 0 && (err != nil || !d.CheckDigitsOK() || d.Surname != "MUELLER") {
				t.Errorf("zone %v: %v", zone.Lines, err)
			}
		}
		if diff := cmp.Diff(yields, kinds); diff != "" {
			t.Errorf("artifacts (-yields +settled):\n%s", diff)
		}
		for _, claim := range x.Claims {
			if strings.Contains(claim.Value, Prefix) || claim.Name == idv.Address {
				t.Errorf("the document states %s %q", claim.Name, claim.Value)
			}
		}
	}
}

func TestFactsThatNoZoneCanHoldLeaveItOut(t *testing.T) {
	p, _ := Named("approved")
	for _, claimed := range []map[idv.ClaimName]string{
		{idv.FamilyName: "名"}, {idv.DateOfBirth: "1980-XX-XX"}, {idv.Nationality: "not a code at all"}, {
			idv.FamilyName: strings.Repeat("A", 300),
		}, {idv.DateOfBirth: "x"},
	} {
		if _, err := p.Found(idv.Capture{Kind: idv.DocumentImage, Side: idv.Front}, []idv.ArtifactKind{idv.ArtifactMRZ}, idv.Passport, claimed, today); err != nil {
			t.Errorf("%v: %v", claimed, err)
		}
	}
}

func TestPicturesSayWhatTheyAreAndNoTwoAreAlike(t *testing.T) {
	p, _ := Named("document.barcode_unreadable")
	one, err := p.Picture(idv.StepDocumentFront, 1)
	if err != nil {
		t.Fatal(err)
	}
	two, err := p.Picture(idv.StepDocumentBack, 2)
	if err != nil || bytes.Equal(one, two) {
		t.Errorf("front and back are the same picture, %v", err)
	}
	frames, times, err := p.Recording(1)
	if err != nil || len(frames) < idv.LeastFrames || len(times) != len(frames) || times[len(times)-1] < idv.LeastFrameSpanMS {
		t.Fatalf("%d frames over %v, %v", len(frames), times, err)
	}
	for _, raw := range append(frames, one, two) {
		if _, err := jpeg.Decode(bytes.NewReader(raw)); err != nil {
			t.Error(err)
		}
	}
}
