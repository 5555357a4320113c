package session

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestOnlyASelfieThatDidNotMatchHasAnExtraTry(t *testing.T) {
	w := idv.DefaultWorkflow(idv.Test)
	mismatch := &idv.StepProblem{Code: problem.FaceMismatch.Code, Step: idv.StepSelfie}
	blurred := &idv.StepProblem{Code: problem.CaptureBlurred.Code, Step: idv.StepSelfie}
	for name, c := range map[string]struct {
		step idv.Step
		used int
		last *idv.StepProblem
		want int
	}{
		"a fresh step":                     {idv.StepSelfie, 0, nil, 3},
		"a mismatch with tries left":       {idv.StepSelfie, 1, mismatch, 2},
		"a mismatch on the last try":       {idv.StepSelfie, 3, mismatch, 1},
		"a blurred picture on the last":    {idv.StepSelfie, 3, blurred, 0},
		"another step than the mismatched": {idv.StepDocumentFront, 3, mismatch, 0},
	} {
		rec := Record{Session: idv.Session{Attempts: map[idv.Step]int{c.step: c.used}, LastProblem: c.last}}
		if got := stepLimit(rec, w, c.step) - c.used; got != c.want {
			t.Errorf("%s: %d tries left, want %d", name, got, c.want)
		}
	}
}

func TestOnlyAStepThatWasTakenCanBeRepeated(t *testing.T) {
	ev := evidence{captures: []CaptureRow{{Capture: idv.Capture{Step: idv.StepDocumentFront}}}}
	rec := Record{Session: idv.Session{Attempts: map[idv.Step]int{idv.StepDocumentFront: 1}}}
	want := map[idv.Step]int{idv.StepDocumentFront: 2}
	if d := cmp.Diff(want, policy.Attempts{Steps: stepsTried(rec, ev)}.Remaining(idv.DefaultWorkflow(idv.Test)).Steps); d != "" {
		t.Error(d)
	}
}

func TestAPictureWaitsForItsTurn(t *testing.T) {
	s := New(nil, nil, nil, Options{})
	var leave func()
	for range looksAtOnce {
		var err error
		if leave, err = s.look(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	impatient, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.look(impatient); err == nil {
		t.Error("more pictures are open than the bound allows")
	}
	leave()
	if _, err := s.look(t.Context()); err != nil {
		t.Error(err)
	}
}

func TestTextsAreBroughtToNFC(t *testing.T) {
	n := Spec{Mode: idv.Test, ExternalReference: "Zoe\u0308", Claimed: map[idv.ClaimName]string{idv.GivenNames: "Zoe\u0308"}}
	if err := n.check(); err != nil {
		t.Fatal(err)
	}
	if want := "Zo\u00eb"; n.ExternalReference != want || n.Claimed[idv.GivenNames] != want {
		t.Errorf("%q and %q, want %q", n.ExternalReference, n.Claimed[idv.GivenNames], want)
	}
	if n.Locale != "" {
		t.Errorf("locale %q, want none: the person's browser decides", n.Locale)
	}
	if _, err := text(strings.Repeat("e\u0308", 300), "/x", 300); err != nil {
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
		return evidence{artifacts: artifacts}.digest(k, needs, rec)
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

func TestAnApplicantIsNeverToldOfDeceit(t *testing.T) {
	if p := speakable([]idv.Reason{{Code: "no.such.code"}}); p != nil {
		t.Errorf("an unknown code is told: %+v", p)
	}
	for _, k := range problem.All() {
		p := speakable([]idv.Reason{{Code: k.Code}})
		if (p == nil) != (k.Severity == problem.Fraud) {
			t.Errorf("%s of severity %q: %+v", k.Code, k.Severity, p)
		}
	}
}
