package policy

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

var workflow = idv.WorkflowVersion{Required: []idv.CheckKind{idv.CheckMRZVerified, idv.CheckFaceMatch, idv.CheckDocumentExpiry}}

// live requires liveness besides.
var live = idv.WorkflowVersion{Required: append([]idv.CheckKind{idv.CheckLiveness, idv.CheckReplay}, workflow.Required...)}

func settled(k idv.CheckKind, f idv.Finding) idv.Check {
	return idv.Check{Kind: k, Lifecycle: idv.CheckSettled, Finding: &f}
}

// report has every required check passed, but for the given ones.
func report(changed ...idv.Check) idv.Report {
	r := idv.Report{}
	for _, k := range workflow.Required {
		c := settled(k, idv.Passed())
		for _, other := range changed {
			if other.Kind == k {
				c = other
			}
		}
		r.Checks = append(r.Checks, c)
	}
	for _, c := range changed {
		if !workflow.Requires(c.Kind) {
			r.Checks = append(r.Checks, c)
		}
	}
	return r
}

func reason(k problem.Kind, step idv.Step) idv.Reason { return idv.Reason{Code: k.Code, Step: step} }

func TestDecideAnswersTheFirstRowThatApplies(t *testing.T) {
	front, selfie := idv.StepDocumentFront, idv.StepSelfie
	blurred := settled(idv.CheckMRZVerified, idv.Failed(reason(problem.CaptureBlurred, front)))
	mismatch := settled(idv.CheckFaceMatch, idv.Failed(reason(problem.FaceMismatch, selfie)))
	expired := settled(idv.CheckDocumentExpiry, idv.Failed(idv.Reason{Code: problem.DocumentExpired.Code, Confirmed: idv.ByCheckDigits}))
	unconfirmed := settled(idv.CheckDocumentExpiry, idv.Failed(reason(problem.DocumentExpired, "")))
	left := AttemptsLeft{Steps: map[idv.Step]int{front: 1, selfie: 3}, FaceExtra: true}
	for _, c := range []struct {
		name  string
		r     idv.Report
		tries AttemptsLeft
		want  idv.DecisionOutcome
		code  string
		redo  []idv.Step
	}{
		{"every required check passed", report(), left, idv.DecideApprove, "", nil},
		{"a retry reason with tries left reopens its step", report(blurred), left, idv.DecideReopen, "capture.blurred", []idv.Step{front}},
		{"a retry reason without tries left is referred", report(blurred), AttemptsLeft{}, idv.DecideRefer, "capture.blurred", nil},
		{"two retry reasons reopen both steps", report(blurred, mismatch), left, idv.DecideReopen, "capture.blurred", []idv.Step{front, selfie}},
		{"a final reason that is confirmed comes before a retry", report(blurred, expired), left, idv.DecideDecline, "document.expired", nil},
		{"a retry comes before a final reason that nothing confirms", report(blurred, unconfirmed), left, idv.DecideReopen, "capture.blurred", []idv.Step{front}},
		{"a final reason that is confirmed declines", report(expired), left, idv.DecideDecline, "document.expired", nil},
		{"a final reason that nothing confirms is referred", report(unconfirmed), left, idv.DecideRefer, "document.expired", nil},
		{
			"a mismatch declines also where a final reason is not confirmed", report(unconfirmed, mismatch), AttemptsLeft{}, idv.DecideDecline, "face.mismatch",
			nil,
		},
		{"a mismatch has one extra try", report(mismatch), AttemptsLeft{FaceExtra: true}, idv.DecideReopen, "face.mismatch", []idv.Step{selfie}},
		{
			"a mismatch after its extra try declines, whatever tries the step has", report(mismatch), AttemptsLeft{Steps: map[idv.Step]int{selfie: 3}},
			idv.DecideDecline, "face.mismatch", nil,
		},
		{
			"an uncertain face is referred", report(settled(idv.CheckFaceMatch, idv.Undecided(reason(problem.FaceUncertain, selfie)))), left, idv.DecideRefer,
			"face.uncertain", nil,
		},
		{"a broken check is referred", report(idv.Check{Kind: idv.CheckFaceMatch, Lifecycle: idv.CheckBroken}), left, idv.DecideRefer, "check.not_run", nil},
		{"a running check is referred", report(idv.Check{Kind: idv.CheckFaceMatch, Lifecycle: idv.CheckRunning}), left, idv.DecideRefer, "check.not_run", nil},
		{
			"a settled check without a finding is referred", report(idv.Check{Kind: idv.CheckFaceMatch, Lifecycle: idv.CheckSettled}), left, idv.DecideRefer,
			"check.not_run", nil,
		},
		{
			"an inconclusive check without a reason is referred as one that told nothing", report(settled(idv.CheckMRZVerified, idv.Undecided())),
			left, idv.DecideRefer, "check.not_run", nil,
		},
		{
			"a code that the catalogue does not know is referred", report(settled(idv.CheckMRZVerified, idv.Failed(idv.Reason{Code: "new.reason"}))), left,
			idv.DecideRefer, "new.reason", nil,
		},
		{
			"a check that does not apply does not stand in the way", report(idv.Check{Kind: idv.CheckDocumentExpiry, Lifecycle: idv.CheckSkipped}), left,
			idv.DecideApprove, "", nil,
		},
		{
			"a signal that the workflow does not require never decides", report(settled(idv.CheckPassiveLiveness, idv.Failed(reason(problem.LivenessFailed, selfie)))),
			left, idv.DecideApprove, "", nil,
		},
		{"an empty report is referred", idv.Report{}, left, idv.DecideRefer, "check.not_run", nil},
		{
			"a superseded check does not count", idv.Report{Checks: []idv.Check{{Kind: idv.CheckFaceMatch, Lifecycle: idv.CheckSuperseded}}}, left, idv.DecideRefer,
			"check.not_run", nil,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Decide(c.r, workflow, c.tries)
			code := ""
			if len(got.Reasons) > 0 {
				code = got.Reasons[0].Code
			}
			want := []any{c.want, c.code, append([]idv.Step{}, c.redo...)}
			if d := cmp.Diff(want, []any{got.Outcome, code, got.Redo}); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestARecordingThatShowsDeceitIsNotRepeated(t *testing.T) {
	selfie := idv.StepSelfie
	missed := settled(idv.CheckLiveness, idv.Failed(reason(problem.LivenessChallengeMissed, selfie)))
	twoFaces := settled(idv.CheckLiveness, idv.Failed(reason(problem.LivenessFacesDiffer, selfie)))
	replayed := settled(idv.CheckReplay, idv.Failed(reason(problem.LivenessReplayed, selfie)))
	mismatch := settled(idv.CheckFaceMatch, idv.Failed(reason(problem.FaceMismatch, selfie)))
	blurred := settled(idv.CheckMRZVerified, idv.Failed(reason(problem.CaptureBlurred, idv.StepDocumentFront)))
	ok := func(k idv.CheckKind) idv.Check { return settled(k, idv.Passed()) }
	tries := AttemptsLeft{Steps: map[idv.Step]int{selfie: 2, idv.StepDocumentFront: 2}, FaceExtra: true}
	for _, c := range []struct {
		name   string
		checks []idv.Check
		want   idv.DecisionOutcome
	}{
		{"a person who missed a movement tries again", []idv.Check{missed, ok(idv.CheckReplay)}, idv.DecideReopen},
		{"two faces are looked at by a person", []idv.Check{twoFaces, ok(idv.CheckReplay)}, idv.DecideRefer},
		{"two faces of which one is a stranger's have no extra try", []idv.Check{twoFaces, ok(idv.CheckReplay), mismatch}, idv.DecideRefer},
		{"a recording that was sent before has no other try, though its movements are missing", []idv.Check{missed, replayed}, idv.DecideRefer},
		{"the document is asked for again all the same", []idv.Check{twoFaces, ok(idv.CheckReplay), blurred}, idv.DecideReopen},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Decide(report(c.checks...), live, tries)
			if got.Outcome != c.want {
				t.Errorf("got %s for %v, want %s", got.Outcome, got.Reasons, c.want)
			}
			for _, r := range got.Reasons {
				if got.Outcome == idv.DecideReopen && r.Code == problem.LivenessFacesDiffer.Code {
					t.Errorf("the applicant is asked again for %s", r.Code)
				}
			}
		})
	}
}

func TestAFaceOnWhatSeemsACopyIsComparedByAPerson(t *testing.T) {
	w := workflow
	w.Required = append(slices.Clone(workflow.Required), idv.CheckDocumentOriginal)
	mismatch := idv.Failed(reason(problem.FaceMismatch, idv.StepSelfie))
	signed := mismatch
	signed.Portrait = idv.FromChip
	for _, c := range []struct {
		name     string
		original idv.Finding
		face     idv.Finding
		want     idv.DecisionOutcome
		codes    []string
	}{
		{"a print", idv.Failed(idv.Reason{Code: problem.DocumentPaperCopy.Code}), mismatch, idv.DecideRefer, []string{"document.paper_copy", "face.mismatch"}},
		{"a screen", idv.Failed(idv.Reason{Code: problem.DocumentScreenCopy.Code}), mismatch, idv.DecideRefer, []string{"document.screen_copy", "face.mismatch"}},
		{"no copy", idv.Passed(), mismatch, idv.DecideDecline, []string{"face.mismatch"}},
		{
			"a print whose portrait was read from the chip", idv.Failed(idv.Reason{Code: problem.DocumentPaperCopy.Code}), signed, idv.DecideDecline,
			[]string{"face.mismatch"},
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := report(settled(idv.CheckFaceMatch, c.face), settled(idv.CheckDocumentOriginal, c.original))
			got := Decide(r, w, AttemptsLeft{})
			var codes []string
			for _, r := range got.Reasons {
				codes = append(codes, r.Code)
			}
			slices.Sort(codes)
			if got.Outcome != c.want || !slices.Equal(codes, c.codes) {
				t.Errorf("got %s for %v, want %s for %v", got.Outcome, codes, c.want, c.codes)
			}
			again := Decide(r, w, AttemptsLeft{FaceExtra: true})
			if again.Outcome != idv.DecideReopen {
				t.Errorf("with the extra try: %s, want that a better picture is asked for", again.Outcome)
			}
		})
	}
}

func TestAWorkflowThatRequiresNothingApprovesNothing(t *testing.T) {
	if got := Decide(idv.Report{}, idv.WorkflowVersion{}, AttemptsLeft{}).Outcome; got != idv.DecideRefer {
		t.Errorf("got %s, want %s", got, idv.DecideRefer)
	}
}

func TestOnlyPassesAndSkipsApprove(t *testing.T) {
	lifecycles := []idv.Lifecycle{idv.CheckPending, idv.CheckRunning, idv.CheckSettled, idv.CheckBroken, idv.CheckSkipped, idv.CheckSuperseded, "new"}
	outcomes := []idv.Outcome{idv.Pass, idv.Fail, idv.Inconclusive, "", "new"}
	rapid.Check(t, func(t *rapid.T) {
		var r idv.Report
		clean := true
		for _, k := range workflow.Required {
			c := idv.Check{Kind: k, Lifecycle: rapid.SampledFrom(lifecycles).Draw(t, "lifecycle")}
			f := idv.Finding{Outcome: rapid.SampledFrom(outcomes).Draw(t, "outcome")}
			if rapid.Bool().Draw(t, "answered") {
				c.Finding = &f
			}
			ok := c.Lifecycle == idv.CheckSkipped || c.Lifecycle == idv.CheckSettled && c.Finding != nil && f.Outcome == idv.Pass
			clean = clean && ok
			r.Checks = append(r.Checks, c)
		}
		if got := Decide(r, workflow, AttemptsLeft{}).Outcome == idv.DecideApprove; got != clean {
			t.Fatalf("approved %v, want %v for %+v", got, clean, r.Checks)
		}
	})
}

func TestASignalRefersAndNeverDeclines(t *testing.T) {
	none, low := 0., .001
	left := AttemptsLeft{Steps: map[idv.Step]int{idv.StepSelfie: 2}, FaceExtra: true}
	onPeople := idv.Finding{
		Outcome: idv.Inconclusive, Reasons: []idv.Reason{{Code: problem.LivenessNotAHead.Code}}, Rates: &idv.ErrorRates{BPCER: &low, APCER: &none, OnPeople: true},
	}
	for _, k := range idv.Signals() {
		w := workflow
		w.Required = append(slices.Clone(workflow.Required), k)
		for name, c := range map[string]idv.Check{
			"a doubt":                        settled(k, idv.Undecided(idv.Reason{Code: problem.LivenessNotAHead.Code})),
			"a doubt of the passive signal":  settled(k, idv.Undecided(idv.Reason{Code: problem.LivenessFailed.Code})),
			"one that is measured on people": settled(k, onPeople),
			"it could not look":              settled(k, idv.Undecided(idv.Reason{Code: problem.CheckNotRun.Code})),
			"it broke":                       {Kind: k, Lifecycle: idv.CheckBroken, BrokenBy: "failed"},
		} {
			if got := Decide(report(c), w, left); got.Outcome != idv.DecideRefer || len(got.Redo) > 0 {
				t.Errorf("%s of %s: %+v", name, k, got)
			}
			if got := Decide(report(c), workflow, left); got.Outcome != idv.DecideApprove {
				t.Errorf("%s of %s, which is switched off: %+v", name, k, got)
			}
		}
		if got := Decide(report(), w, left); got.Outcome != idv.DecideRefer {
			t.Errorf("%s was never asked: %+v", k, got)
		}
		if got := Decide(report(settled(k, idv.Passed())), w, left); got.Outcome != idv.DecideApprove {
			t.Errorf("%s passed: %+v", k, got)
		}
	}
}
