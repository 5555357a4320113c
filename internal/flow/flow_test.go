package flow

import (
	"context"
	"errors"
	"math"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// reader yields one artifact for each capture it reads.
type reader struct {
	reads  idv.CaptureKind
	yields []idv.ArtifactKind
	err    error
}

func (r reader) Reads() []idv.CaptureKind   { return []idv.CaptureKind{r.reads} }
func (r reader) Yields() []idv.ArtifactKind { return r.yields }
func (r reader) Extract(_ context.Context, c idv.Capture) (idv.Extraction, error) {
	var x idv.Extraction
	for _, k := range r.yields {
		x.Artifacts = append(x.Artifacts, idv.AbsentArtifact(k, c, "capture.blurred"))
	}
	return x, r.err
}

// asker answers what it was made with.
type asker struct {
	kind   idv.CheckKind
	needs  []idv.ArtifactKind
	answer idv.Finding
	err    error
}

func (a asker) Kind() idv.CheckKind       { return a.kind }
func (a asker) Needs() []idv.ArtifactKind { return a.needs }
func (a asker) Check(context.Context, idv.Evidence) (idv.Finding, error) {
	return a.answer, a.err
}

func engine(t *testing.T, ex []idv.Extractor, ch []idv.Checker) *Engine {
	t.Helper()
	e, err := New(nil, ex, ch, Options{})
	if err != nil {
		t.Fatal(err)
	}
	return e
}

func twoSteps() idv.WorkflowVersion {
	return idv.WorkflowVersion{
		Steps:    []idv.Step{idv.StepConsent, idv.StepChoose, idv.StepDocumentFront, idv.StepDocumentBack, idv.StepSelfie},
		Required: []idv.CheckKind{idv.CheckMRZVerified, idv.CheckFaceMatch}, StepAttempts: 3,
	}
}

func pages(err error) reader {
	return reader{reads: idv.DocumentImage, yields: []idv.ArtifactKind{idv.ArtifactMRZ}, err: err}
}

func TestVerifyRefersWhateverCouldNotRun(t *testing.T) {
	mrz := asker{kind: idv.CheckMRZVerified, needs: []idv.ArtifactKind{idv.ArtifactMRZ}, answer: idv.Passed()}
	match := asker{kind: idv.CheckFaceMatch, answer: idv.Passed()}
	for _, c := range []struct {
		name     string
		ex       []idv.Extractor
		ch       []idv.Checker
		want     idv.DecisionOutcome
		brokenBy string
	}{
		{"everything ran and passed", []idv.Extractor{pages(nil)}, []idv.Checker{mrz, match}, idv.DecideApprove, ""},
		{"the extractor failed", []idv.Extractor{pages(errors.New("out of memory"))}, []idv.Checker{mrz, match}, idv.DecideRefer, BrokenMissing},
		{"there is no extractor", nil, []idv.Checker{mrz, match}, idv.DecideRefer, BrokenMissing},
		{"a checker is missing", []idv.Extractor{pages(nil)}, []idv.Checker{match}, idv.DecideRefer, BrokenMissing},
		{
			"a checker failed", []idv.Extractor{pages(nil)}, []idv.Checker{asker{kind: idv.CheckMRZVerified, err: errors.New("timeout")}, match},
			idv.DecideRefer, BrokenFailed,
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			res, err := engine(t, c.ex, c.ch).Verify(context.Background(), Request{Document: []byte("x"), Workflow: twoSteps(), Now: time.Unix(0, 0)})
			if err != nil {
				t.Fatal(err)
			}
			check, _ := res.Report.Check(idv.CheckMRZVerified)
			if d := cmp.Diff([]string{string(c.want), c.brokenBy}, []string{string(res.Verdict.Outcome), check.BrokenBy}); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
			if !res.Report.Intact() {
				t.Error("the report is not intact")
			}
		})
	}
}

func TestABackThatCouldNotBeLookedAtIsNotABackThatWasNotSent(t *testing.T) {
	sides := asker{kind: idv.CheckMRZVerified, needs: []idv.ArtifactKind{idv.ArtifactMRZ}, answer: idv.DoesNotApply("The document was shown from one side.")}
	match := asker{kind: idv.CheckFaceMatch, answer: idv.Passed()}
	res, err := engine(t, []idv.Extractor{failsOnBack{pages(nil)}}, []idv.Checker{sides, match}).Verify(context.Background(), Request{
		Document: []byte("x"), Back: []byte("y"), Workflow: twoSteps(), Now: time.Unix(0, 0),
	})
	if err != nil {
		t.Fatal(err)
	}
	if res.Verdict.Outcome != idv.DecideRefer {
		t.Errorf("the verdict is %s", res.Verdict.Outcome)
	}
}

type failsOnBack struct{ reader }

func (f failsOnBack) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	if c.Side == idv.Back {
		return idv.Extraction{}, errors.New("out of memory")
	}
	return f.reader.Extract(ctx, c)
}

func TestVerifyReturnsAPictureThatCannotBeOpenedAsAProblem(t *testing.T) {
	e := engine(t, []idv.Extractor{pages(problem.New(problem.CaptureNotAnImage))}, nil)
	_, err := e.Verify(context.Background(), Request{Document: []byte("x"), Workflow: twoSteps()})
	p, ok := problem.As(err)
	if !ok || p.Kind.Code != "capture.not_an_image" || p.Field != "document_front" {
		t.Errorf("got %v", err)
	}
}

func TestAnExtractorThatLeavesAnArtifactUnsettledIsAnError(t *testing.T) {
	e := engine(t, []idv.Extractor{silent{}}, nil)
	if _, err := e.Extract(context.Background(), idv.Capture{Kind: idv.FaceImage}); err == nil {
		t.Error("no error")
	}
}

type silent struct{}

func (silent) Reads() []idv.CaptureKind   { return []idv.CaptureKind{idv.FaceImage} }
func (silent) Yields() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactSelfie} }
func (silent) Extract(context.Context, idv.Capture) (idv.Extraction, error) {
	return idv.Extraction{}, nil
}

func TestACheckIsReadyWhenEverySideThatTheFlowAsksForIsSettled(t *testing.T) {
	e := engine(t, []idv.Extractor{pages(nil)}, []idv.Checker{asker{kind: idv.CheckMRZVerified, needs: []idv.ArtifactKind{idv.ArtifactMRZ}}})
	front := idv.Artifact{Kind: idv.ArtifactMRZ, Side: idv.Front}
	back := idv.Artifact{Kind: idv.ArtifactMRZ, Side: idv.Back, Present: true}
	for _, c := range []struct {
		name   string
		chosen idv.DocumentKind
		have   []idv.Artifact
		want   bool
	}{
		{"nothing yet", idv.Passport, nil, false},
		{"a passport has one side", idv.Passport, []idv.Artifact{front}, true},
		{"a card has two", idv.IDCard, []idv.Artifact{front}, false},
		{"absent counts as settled", idv.IDCard, []idv.Artifact{front, back}, true},
	} {
		if got := e.Ready(idv.CheckMRZVerified, twoSteps(), c.chosen, c.have); got != c.want {
			t.Errorf("%s: got %v, want %v", c.name, got, c.want)
		}
	}
}

func TestPlanNamesTheFirstStepThatIsDue(t *testing.T) {
	shot := func(s idv.Step) idv.Capture { return idv.Capture{Step: s} }
	front, back, selfie := shot(idv.StepDocumentFront), shot(idv.StepDocumentBack), shot(idv.StepSelfie)
	for _, c := range []struct {
		name     string
		s        idv.Session
		have     []idv.Capture
		state    idv.TaskState
		step     idv.Step
		position int
	}{
		{"consent comes first", idv.Session{State: idv.Capturing}, nil, idv.TaskStep, idv.StepConsent, 1},
		{"then the choice", idv.Session{State: idv.Capturing, Consented: true}, nil, idv.TaskStep, idv.StepChoose, 2},
		{
			"a passport has no back", idv.Session{State: idv.Capturing, Consented: true, DocumentKind: idv.Passport}, []idv.Capture{front},
			idv.TaskStep, idv.StepSelfie, 4,
		},
		{"a card has one", idv.Session{State: idv.Capturing, Consented: true, DocumentKind: idv.IDCard}, []idv.Capture{front}, idv.TaskStep, idv.StepDocumentBack, 4},
		{
			"with everything sent there is nothing to do but wait", idv.Session{State: idv.Capturing, Consented: true, DocumentKind: idv.IDCard},
			[]idv.Capture{front, back, selfie}, idv.TaskWait, "", 0,
		},
		{
			"a step to redo is due again",
			idv.Session{State: idv.Capturing, Consented: true, DocumentKind: idv.Passport, Redo: []idv.Step{idv.StepDocumentFront}},
			[]idv.Capture{front, selfie}, idv.TaskStep, idv.StepDocumentFront, 3,
		},
		{"a final session has no step", idv.Session{State: idv.Approved}, nil, idv.TaskApproved, "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			got := Plan(c.s, twoSteps(), c.have)
			if d := cmp.Diff([]any{c.state, c.step, c.position}, []any{got.State, got.Step, got.Position}); d != "" {
				t.Errorf("(-want +got)\n%s", d)
			}
		})
	}
}

func TestTwoCheckersForOneQuestionAreRefused(t *testing.T) {
	a := asker{kind: idv.CheckFaceMatch}
	if _, err := New(nil, nil, []idv.Checker{a, a}, Options{}); err == nil {
		t.Error("no error")
	}
}

func TestANumberThatIsNoneIsAQuestionNotAsked(t *testing.T) {
	none, one := math.NaN(), 1.0
	for _, c := range []struct {
		name string
		f    idv.Finding
		ok   bool
	}{
		{"a score", idv.Finding{Outcome: idv.Pass, Score: &none}, false},
		{"a measure", idv.Finding{Outcome: idv.Pass, Score: &one, Measures: map[string]float64{"glare": math.Inf(1)}}, false},
		{"all numbers", idv.Finding{Outcome: idv.Pass, Score: &one, Measures: map[string]float64{"glare": 0}}, true},
	} {
		e := engine(t, nil, []idv.Checker{asker{kind: idv.CheckFaceMatch, answer: c.f}})
		if _, err := e.Ask(context.Background(), idv.CheckFaceMatch, idv.Evidence{}); (err == nil) != c.ok {
			t.Errorf("%s: got error %v, want an answer: %v", c.name, err, c.ok)
		}
	}
}

func TestAClaimWithoutANumberForItsPlaceIsAnError(t *testing.T) {
	e := engine(t, []idv.Extractor{nowhere{}}, nil)
	if _, err := e.Extract(context.Background(), idv.Capture{Kind: idv.FaceImage}); err == nil {
		t.Error("no error")
	}
}

// nowhere states a fact whose box is no rectangle.
type nowhere struct{ silent }

func (nowhere) Yields() []idv.ArtifactKind { return nil }
func (nowhere) Extract(context.Context, idv.Capture) (idv.Extraction, error) {
	return idv.Extraction{Claims: []idv.Claim{{Name: idv.Sex, Value: "F", Box: &idv.Box{X: math.NaN()}}}}, nil
}

func TestASelfieTakesWhatTheWorkflowAndItsPathAsk(t *testing.T) {
	picture, frames := twoSteps(), twoSteps()
	frames.Required = append(frames.Required, idv.CheckLiveness)
	for _, c := range []struct {
		name string
		w    idv.WorkflowVersion
		path idv.LivenessPath
		want idv.CaptureKind
	}{
		{"a workflow without a challenge takes a picture", picture, idv.UsualPath, idv.FaceImage},
		{"one with a challenge takes frames", frames, idv.UsualPath, idv.Frames},
		{"the gentle path takes frames", frames, idv.GentlePath, idv.Frames},
		{"who goes straight to a person sends a picture", frames, idv.PersonPath, idv.FaceImage},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := idv.Session{State: idv.Capturing, Consented: true, DocumentKind: idv.Passport, Liveness: c.path}
			got := Plan(s, c.w, []idv.Capture{{Step: idv.StepDocumentFront}})
			if got.Step != idv.StepSelfie || got.Takes != c.want {
				t.Errorf("got step %s which takes %s, want %s", got.Step, got.Takes, c.want)
			}
		})
	}
}

func TestQuestionsAboutFramesAreAskedWhereFramesAreAskedFor(t *testing.T) {
	still := reader{reads: idv.FaceImage, yields: []idv.ArtifactKind{idv.ArtifactSelfie}}
	moving := reader{reads: idv.Frames, yields: []idv.ArtifactKind{idv.ArtifactSelfie, idv.ArtifactTrack}}
	about := asker{kind: idv.CheckReplay, needs: []idv.ArtifactKind{idv.ArtifactTrack}}
	quality := asker{kind: idv.CheckSelfieQuality, needs: []idv.ArtifactKind{idv.ArtifactSelfie}}
	e := engine(t, []idv.Extractor{still, moving}, []idv.Checker{about, quality})
	w := twoSteps()
	if d := cmp.Diff([]idv.CheckKind{idv.CheckMRZVerified, idv.CheckFaceMatch, idv.CheckSelfieQuality}, e.Expected(w)); d != "" {
		t.Errorf("without a challenge (-want +got):\n%s", d)
	}
	w.Required = []idv.CheckKind{idv.CheckLiveness}
	if d := cmp.Diff([]idv.CheckKind{idv.CheckLiveness, idv.CheckReplay, idv.CheckSelfieQuality}, e.Expected(w)); d != "" {
		t.Errorf("with a challenge (-want +got):\n%s", d)
	}
	if e.Ready(idv.CheckReplay, w, idv.Passport, nil) {
		t.Error("the question about frames is asked before there are any")
	}
}
