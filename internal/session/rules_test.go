package session

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestAPictureWaitsForItsTurn(t *testing.T) {
	s := NewLifecycle(nil, nil, nil, Options{})
	var leave func()
	for range pictureSlots {
		var err error
		if leave, err = s.PictureSlot(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.PictureSlot(impatient); err == nil {
		t.Error("more pictures are open than the bound allows")
	}
	leave()
	if _, err := s.PictureSlot(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTextsAreBroughtToNFC(t *testing.T) {
	n := Spec{Mode: idv.Test, ExternalReference: "Zoe\u0308", Claimed: map[idv.ClaimName]string{idv.GivenNames: "Zoe\u0308"}}
	if err := n.check(time.Now()); err != nil {
		t.Fatal(err)
	}
	if want := "Zo\u00eb"; n.ExternalReference != want || n.Claimed[idv.GivenNames] != want {
		t.Errorf("%q and %q, want %q", n.ExternalReference, n.Claimed[idv.GivenNames], want)
	}
	if n.Locale != "" {
		t.Errorf("locale %q, want none: the person's browser decides", n.Locale)
	}
	if _, err := CleanText(strings.Repeat("e\u0308", 300), "/x", 300); err != nil {
		t.Errorf("characters are counted as bytes: %v", err)
	}
}

func TestACheckIsAboutTheEvidenceItNeeds(t *testing.T) {
	page := func(c idv.CaptureID) idv.Artifact {
		return idv.Artifact{Kind: idv.ArtifactPage, Side: idv.Front, Capture: c}
	}
	selfie := idv.Artifact{Kind: idv.ArtifactSelfie, Capture: "cap_2"}
	needs := []idv.ArtifactKind{idv.ArtifactPage}
	rec := Record{Session: idv.Session{Workflow: "wfv_1", DocumentKind: idv.Passport}}
	digest := func(k idv.CheckKind, artifacts ...idv.Artifact) idv.Digest {
		return Evidence{Artifacts: artifacts}.Digest(k, needs, rec)
	}
	one := digest(idv.CheckDocumentReadable, page("cap_1"))
	if one != digest(idv.CheckDocumentReadable, selfie, page("cap_1")) {
		t.Error("an artifact that the check does not need changes what it is about")
	}
	if one == digest(idv.CheckDocumentReadable, page("cap_3")) {
		t.Error("a retake does not change what the check is about")
	}
	if one == digest(idv.CheckDocumentAccepted, page("cap_1")) {
		t.Error("two kinds of check are about the same")
	}
}

func TestWhatIsSuspectedIsNeverExplainedToTheApplicant(t *testing.T) {
	if p := ApplicantProblem([]idv.Reason{{Code: "no.such.code"}}); p != nil {
		t.Errorf("an unknown code is told: %+v", p)
	}
	for _, k := range problem.All() {
		p := ApplicantProblem([]idv.Reason{{Code: k.Code}})
		if (p == nil) != (k.Severity == problem.Fraud || k.Severity == problem.Suspect) {
			t.Errorf("%s of severity %q: %+v", k.Code, k.Severity, p)
		}
	}
}
