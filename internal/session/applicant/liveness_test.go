package applicant_test

import (
	"math"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/sessiontest"
)

// atSelfie is an applicant whose next step is a selfie that answers a challenge.
func atSelfie(t *testing.T, d *sessiontest.Deployment) (*sessiontest.Person, idv.Task) {
	t.Helper()
	p := d.Start(t, session.Spec{Workflow: idv.WorkflowLiveness})
	task := p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if task.Step != idv.StepSelfie || task.Takes != idv.Frames || task.Challenge == nil {
		t.Fatalf("after the passport: step %s takes %s, challenge %v", task.Step, task.Takes, task.Challenge)
	}
	return p, task
}

func TestFramesAnswerTheirChallengeOnce(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, task := atSelfie(t, d)
	if again := p.Task(t); !cmp.Equal(again.Challenge, task.Challenge) {
		t.Error("looking at the task draws another challenge")
	}
	run := p.Run(t, task.Challenge.Token, idvtest.Selfie("anna"))
	for range 2 { // a repeat answers as before
		if next, err := d.Captures.SubmitFrames(t.Context(), p.ID, run); err != nil || next.State != idv.TaskWait {
			t.Fatalf("%s, %v", next.State, err)
		}
	}
	rows, err := d.Store.Challenges(t.Context(), p.ID)
	if err != nil || len(rows) != 1 || rows[0].UsedAt.IsZero() {
		t.Errorf("challenges %+v, %v", rows, err)
	}
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.Approved {
		t.Errorf("it is %s", s.State)
	}
}

func TestEveryChallengeButTheOpenOneIsRefusedAlike(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, task := atSelfie(t, d)
	_, other := atSelfie(t, d)
	token := task.Challenge.Token
	for name, wrong := range map[string]string{
		"none": "", "no token": "hello", "another session's": other.Challenge.Token, "another signature": token[:len(token)-1] + "x",
		"a challenge that there is not": "chl_" + strings.Repeat("0", 26) + token[strings.Index(token, "."):],
	} {
		if _, err := d.Captures.SubmitFrames(t.Context(), p.ID, p.Run(t, wrong, idvtest.Selfie("anna"))); !problem.Has(err, problem.ChallengeExpired) {
			t.Errorf("%s: %v", name, err)
		}
	}
	d.Store.EditChallenges(p.ID, func(c *session.ChallengeRow) { c.Spec.Gentle = !c.Spec.Gentle })
	_, err := d.Captures.SubmitFrames(t.Context(), p.ID, p.Run(t, token, idvtest.Selfie("anna")))
	sessiontest.WantProblem(t, err, problem.ChallengeExpired) // it was changed in the database
	d.Store.EditChallenges(p.ID, func(c *session.ChallengeRow) { c.Spec.Gentle = !c.Spec.Gentle })
	d.Clock.Advance(idv.ChallengeLife)
	_, err = d.Captures.SubmitFrames(t.Context(), p.ID, p.Run(t, token, idvtest.Selfie("anna")))
	sessiontest.WantProblem(t, err, problem.ChallengeExpired)
	if s := d.Session(t, p.ID); s.Attempts[idv.StepSelfie] != 0 {
		t.Error("an answer to no challenge costs a try")
	}
	if present, err := d.Applicant.Captures.Present(t.Context(), p.ID); err != nil || present.Challenge != nil {
		t.Errorf("who only watches is shown the challenge %v, %v", present.Challenge, err)
	}
}

func TestAskingAgainDoesNotChangeWhatATryHasToShow(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, task := atSelfie(t, d)
	moves := func(c *idv.IssuedChallenge) (out []any) {
		for _, one := range c.Challenge.Prompts {
			out = append(out, one.Move)
		}
		return out
	}
	first := moves(task.Challenge)
	for n := 1; n < applicant.ChallengesPerTry; n++ {
		d.Clock.Advance(idv.ChallengeLife)
		next := p.Task(t)
		if diff := cmp.Diff(first, moves(next.Challenge)); diff != "" || next.AttemptsLeft != task.AttemptsLeft {
			t.Fatalf("challenge %d: %d tries left\n%s", n+1, next.AttemptsLeft, diff)
		}
	}
	d.Clock.Advance(idv.ChallengeLife)
	if next := p.Task(t); next.AttemptsLeft != task.AttemptsLeft-1 {
		t.Errorf("%d tries are left after %d challenges", next.AttemptsLeft, applicant.ChallengesPerTry+1)
	}
}

func TestWhoHadTooManyChallengesGoesToAPerson(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, _ := atSelfie(t, d)
	for range idv.DefaultStepAttempts*applicant.ChallengesPerTry + 1 {
		d.Clock.Advance(idv.ChallengeLife)
		d.Store.EditSession(p.ID, func(r *session.Record) { r.ExpiresAt = d.Clock.Now().Add(time.Hour) })
		p.Task(t)
	}
	if task := p.Task(t); task.Takes != idv.FaceImage || d.Session(t, p.ID).Liveness != idv.PersonPath {
		t.Errorf("the step takes %s on the path %q", task.Takes, d.Session(t, p.ID).Liveness)
	}
	p.Send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	d.Work(t)
	if s := d.Session(t, p.ID); s.State != idv.InReview {
		t.Errorf("it is %s", s.State)
	}
}

func TestAnApplicantChoosesHowToShowThatTheyAreThere(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, task := atSelfie(t, d)
	gentle, err := d.Applicant.ChooseLiveness(t.Context(), p.ID, idv.GentlePath)
	if err != nil || !gentle.Challenge.Challenge.Gentle || gentle.Challenge.Token == task.Challenge.Token {
		t.Fatalf("%+v, %v", gentle.Challenge, err)
	}
	_, err = d.Captures.SubmitFrames(t.Context(), p.ID, p.Run(t, task.Challenge.Token, idvtest.Selfie("anna")))
	sessiontest.WantProblem(t, err, problem.ChallengeExpired) // that of the path before
	if person, err := d.Applicant.ChooseLiveness(t.Context(), p.ID, idv.PersonPath); err != nil || person.Takes != idv.FaceImage || person.Challenge != nil {
		t.Errorf("%+v, %v", person, err)
	}
	if back, err := d.Applicant.ChooseLiveness(t.Context(), p.ID, idv.UsualPath); err != nil || back.Challenge == nil {
		t.Errorf("%+v, %v", back, err)
	}
	_, err = d.Applicant.ChooseLiveness(t.Context(), p.ID, "by letter")
	sessiontest.WantProblem(t, err, problem.RequestMalformed)
	pictures := d.Start(t, session.Spec{})
	_, err = d.Applicant.ChooseLiveness(t.Context(), pictures.ID, idv.GentlePath)
	sessiontest.WantProblem(t, err, problem.CaptureOutOfOrder)
}

func TestWhatIsNoRunOfFramesIsRefused(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	p, task := atSelfie(t, d)
	malformed := problem.RequestMalformed
	for _, c := range []struct {
		name   string
		change func(*applicant.FrameSubmission)
		want   problem.Kind
	}{
		{"another step", func(s *applicant.FrameSubmission) { s.Step = idv.StepDocumentFront }, problem.CaptureOutOfOrder},
		{"no attempt", func(s *applicant.FrameSubmission) { s.Attempt = "" }, malformed},
		{"a time too few", func(s *applicant.FrameSubmission) { s.TimesMS = s.TimesMS[1:] }, malformed},
		{"times that do not rise", func(s *applicant.FrameSubmission) { s.TimesMS[3] = s.TimesMS[2] }, malformed},
		{"a first time that is not 0", func(s *applicant.FrameSubmission) { s.TimesMS[0] = 1 }, malformed},
		{"a colour that was shown before it began", func(s *applicant.FrameSubmission) { s.LightMS = []int{-1} }, malformed},
		{"colours in another order", func(s *applicant.FrameSubmission) { s.LightMS = []int{900, 800} }, malformed},
		{"more colours than there are", func(s *applicant.FrameSubmission) { s.LightMS = make([]int, 9) }, malformed},
		{"too many frames", func(s *applicant.FrameSubmission) {
			s.Frames, s.TimesMS = make([][]byte, idv.MostFrames+1), make([]int, idv.MostFrames+1)
		}, problem.RequestTooLarge},
		{"a camera with a long name", func(s *applicant.FrameSubmission) { s.Camera.Label = strings.Repeat("x", 201) }, malformed},
		{"a camera with many hints", func(s *applicant.FrameSubmission) { s.Camera.Hints = make([]string, 17) }, malformed},
		{"a camera with a long hint", func(s *applicant.FrameSubmission) { s.Camera.Hints = []string{strings.Repeat("x", 65)} }, malformed},
		{"a camera without a size", func(s *applicant.FrameSubmission) { s.Camera.Width = -1 }, malformed},
		{"a camera without a rate", func(s *applicant.FrameSubmission) { s.Camera.FrameRate = math.NaN() }, malformed},
		{"a frame that is no picture", func(s *applicant.FrameSubmission) { s.Frames[7] = []byte("hello") }, problem.CaptureNotAnImage},
	} {
		t.Run(c.name, func(t *testing.T) {
			run := p.Run(t, task.Challenge.Token, idvtest.Selfie("anna"))
			c.change(&run)
			_, err := d.Captures.SubmitFrames(t.Context(), p.ID, run)
			sessiontest.WantProblem(t, err, c.want)
			if s := d.Session(t, p.ID); s.Attempts[idv.StepSelfie] != 0 {
				t.Error("it costs a try")
			}
			task = p.Task(t)
		})
	}
	_, err := p.Try(t, idv.StepSelfie, idvtest.Selfie("anna"))
	sessiontest.WantProblem(t, err, malformed) // the step takes frames
	short := p.Run(t, task.Challenge.Token, idvtest.Selfie("anna"))
	short.Frames, short.TimesMS = short.Frames[:2], short.TimesMS[:2]
	_, err = d.Captures.SubmitFrames(t.Context(), p.ID, short)
	sessiontest.WantProblem(t, err, problem.LivenessChallengeMissed)
	if next := p.Task(t); next.AttemptsLeft != task.AttemptsLeft-1 || next.Challenge.Token == task.Challenge.Token {
		t.Errorf("after a run that was too short: %d tries left", next.AttemptsLeft)
	}
	pictures := d.Start(t, session.Spec{})
	pictures.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	_, err = d.Captures.SubmitFrames(t.Context(), pictures.ID, pictures.Run(t, "", idvtest.Selfie("anna")))
	sessiontest.WantProblem(t, err, malformed) // the step takes a picture
}

func TestOnlyAWorkflowThatRequiresLightShowsColours(t *testing.T) {
	t.Parallel()
	d := sessiontest.New(t)
	if _, task := atSelfie(t, d); len(task.Challenge.Light) != 0 {
		t.Errorf("colours that nobody asked for: %v", task.Challenge.Light)
	}
	lit := d.Workflow("lit", func(w *idv.WorkflowVersion) {
		w.Required = append(w.Required, idv.CheckLiveness, idv.CheckReplay, idv.CheckLight)
	})
	p := d.Start(t, session.Spec{Workflow: lit})
	task := p.Send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if len(task.Challenge.Light) < 3 {
		t.Fatalf("colours %v", task.Challenge.Light)
	}
	order := func(c *idv.IssuedChallenge) (out []idv.Colour) {
		for _, g := range c.Light {
			out = append(out, g.Colour)
		}
		return out
	}
	d.Clock.Advance(idv.ChallengeLife)
	next := p.Task(t)
	if diff := cmp.Diff(order(task.Challenge), order(next.Challenge)); diff != "" || cmp.Equal(task.Challenge.Light, next.Challenge.Light) {
		t.Errorf("asked again, other colours or the same times:\n%s", diff)
	}
	if gentle, err := d.Applicant.ChooseLiveness(t.Context(), p.ID, idv.GentlePath); err != nil || len(gentle.Challenge.Light) != 0 {
		t.Errorf("a gentle challenge has colours: %+v, %v", gentle.Challenge, err)
	}
}
