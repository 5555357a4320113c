package store

import (
	"bytes"
	"crypto/rand"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/store/queue"
)

// atSelfie is an applicant whose next step is a selfie that answers a challenge.
func (d *deployment) atSelfie(t *testing.T) (*person, idv.Task) {
	t.Helper()
	a := d.onlyOpen(t, d.create(t, session.Spec{Workflow: idv.WorkflowLiveness}))
	a.agree(t, idv.Passport)
	task := a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if task.Step != idv.StepSelfie || task.Takes != idv.Frames || task.Challenge == nil {
		t.Fatalf("after the passport: step %s takes %s, challenge %v", task.Step, task.Takes, task.Challenge)
	}
	return a, task
}

// run answers a token with frames of a scene, 200 ms apart.
func (a *person) run(t *testing.T, token string, s idvtest.Scene) (idv.Task, error) {
	t.Helper()
	a.sent++
	return a.d.Captures.SubmitFrames(t.Context(), a.id, runOf(t, "run-"+string(rune('a'+a.sent)), token, s))
}

func runOf(t *testing.T, attempt, token string, s idvtest.Scene) applicant.FrameSubmission {
	t.Helper()
	if s.Take == "" {
		s.Take = attempt + rand.Text()
	}
	sub := applicant.FrameSubmission{Step: idv.StepSelfie, Attempt: attempt, Challenge: token, Frames: idvtest.Frames(t, s, 20)}
	for i := range sub.Frames {
		sub.TimesMS = append(sub.TimesMS, i*200)
	}
	return sub
}

func (a *person) task(t *testing.T) idv.Task {
	t.Helper()
	task, err := a.d.Applicant.Task(t.Context(), a.id)
	if err != nil {
		t.Fatal(err)
	}
	return task
}

func livenessApproved(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a, task := d.atSelfie(t)
	// Meanwhile the reading of an earlier step may end.
	if d := cmp.Diff(task, a.task(t), cmpopts.IgnoreFields(idv.Task{}, "Checking")); d != "" {
		t.Errorf("asked again, the task is another (-first +again):\n%s", d)
	}
	after, err := a.run(t, task.Challenge.Token, idvtest.Selfie("anna"))
	if err != nil || after.State != idv.TaskWait || after.Challenge != nil {
		t.Fatalf("after the frames: %+v, %v", after, err)
	}
	d.await(t, a.id, idv.Approved)
	report, _, err := d.Sessions.Report(t.Context(), "", a.id)
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range []idv.CheckKind{idv.CheckLiveness, idv.CheckReplay} {
		if c, ok := report.Check(k); !ok || c.Finding == nil || c.Finding.Outcome != idv.Pass || !c.Required {
			t.Errorf("%s: %+v", k, c)
		}
	}
	if len(report.Notices) != 1 || report.Notices[0] != "specimens_accepted" {
		t.Errorf("notices %v", report.Notices)
	}
}

func livenessRepeated(t *testing.T, d *deployment) {
	a, task := d.atSelfie(t)
	sub := runOf(t, "same", task.Challenge.Token, idvtest.Selfie("anna"))
	first, err := d.Captures.SubmitFrames(t.Context(), a.id, sub)
	if err != nil {
		t.Fatal(err)
	}
	again, err := d.Captures.SubmitFrames(t.Context(), a.id, sub)
	if err != nil || cmp.Diff(first, again) != "" {
		t.Errorf("the same attempt again: %+v, %v", again, err)
	}
	sub.TimesMS[3]++
	if _, err := d.Captures.SubmitFrames(t.Context(), a.id, sub); !problem.Has(err, problem.CaptureAttemptReused) {
		t.Errorf("the same attempt with another time: %v", err)
	}
}

func livenessMissed(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a, task := d.atSelfie(t)
	if _, err := a.run(t, task.Challenge.Token, idvtest.Scene{Face: "anna", Live: problem.LivenessChallengeMissed.Code}); err != nil {
		t.Fatal(err)
	}
	d.await(t, a.id, idv.Capturing)
	again := a.task(t)
	if again.Problem == nil || again.Problem.Code != problem.LivenessChallengeMissed.Code || again.AttemptsLeft != 2 {
		t.Fatalf("asked again: %+v", again)
	}
	if again.Challenge == nil || again.Challenge.Token == task.Challenge.Token {
		t.Fatalf("the next try has the challenge %+v", again.Challenge)
	}
	if _, err := a.run(t, again.Challenge.Token, idvtest.Selfie("anna")); err != nil {
		t.Fatal(err)
	}
	d.await(t, a.id, idv.Approved)
}

func livenessRefused(t *testing.T, d *deployment) {
	a, task := d.atSelfie(t)
	other, theirs := d.atSelfie(t)
	token := task.Challenge.Token
	id, sum, _ := strings.Cut(token, ".")
	_, othersSum, _ := strings.Cut(theirs.Challenge.Token, ".")
	for name, bad := range map[string]string{
		"none":                              "",
		"text":                              "let me in",
		"one that was never issued":         "chl_00000000000000000000000000." + sum,
		"a token without its signature":     id,
		"a signature that was changed":      id + "." + strings.Repeat("0", len(sum)),
		"the signature of another":          id + "." + othersSum,
		"the challenge of another session":  theirs.Challenge.Token,
		"a challenge signed twice":          token + "." + sum,
		"a signature in another writing":    id + "." + strings.ToUpper(sum),
		"the identifier of another session": string(other.id) + "." + sum,
	} {
		if _, err := a.run(t, bad, idvtest.Selfie("anna")); !problem.Has(err, problem.ChallengeExpired) {
			t.Errorf("%s: %v", name, err)
		} else if p, _ := problem.As(err); p.Field != "" || p.Detail != "" {
			t.Errorf("%s: the answer says more than the others: %v", name, err)
		}
	}
	if got := a.task(t); got.AttemptsLeft != 3 || got.Challenge.Token != token {
		t.Errorf("refused challenges cost tries or the open one: %+v", got)
	}
	if _, err := a.run(t, token, idvtest.Selfie("anna")); err != nil {
		t.Fatalf("the right one afterwards: %v", err)
	}
	if _, err := a.run(t, token, idvtest.Selfie("anna")); problem.Has(err, problem.ChallengeExpired) || err == nil {
		t.Errorf("after the last step: %v", err) // out of order: nothing is asked for any more
	}
}

func livenessSingleUse(t *testing.T, d *deployment) {
	a, task := d.atSelfie(t)
	_, err := a.run(t, task.Challenge.Token, idvtest.Scene{Face: "anna", Glance: problem.CaptureNoFace.Code})
	if !problem.Has(err, problem.CaptureNoFace) {
		t.Fatalf("a run without a face: %v", err)
	}
	if _, err := a.run(t, task.Challenge.Token, idvtest.Selfie("anna")); !problem.Has(err, problem.ChallengeExpired) {
		t.Errorf("a challenge that was answered: %v", err)
	}
	next := a.task(t)
	if next.AttemptsLeft != 2 || next.Challenge.Token == task.Challenge.Token {
		t.Errorf("the next try: %+v", next)
	}
}

func livenessExpires(t *testing.T, d *deployment) {
	a, task := d.atSelfie(t)
	d.clock.advance(idv.ChallengeLife + time.Second)
	if _, err := a.run(t, task.Challenge.Token, idvtest.Selfie("anna")); !problem.Has(err, problem.ChallengeExpired) {
		t.Fatalf("after three minutes: %v", err)
	}
	fresh := a.task(t)
	if fresh.Challenge.Token == task.Challenge.Token || fresh.AttemptsLeft != 3 {
		t.Fatalf("after three minutes the task is %+v", fresh)
	}
	if _, err := a.run(t, fresh.Challenge.Token, idvtest.Selfie("anna")); err != nil {
		t.Fatal(err)
	}
}

func livenessBounded(t *testing.T, d *deployment) {
	d.work(t, queue.WorkOptions{})
	a, task := d.atSelfie(t)
	for n := 1; task.Takes == idv.Frames; n++ {
		if n > idv.DefaultStepAttempts*applicant.ChallengesPerTry {
			t.Fatalf("a session gets %d challenges", n)
		}
		d.clock.advance(idv.ChallengeLife)
		task = a.task(t)
	}
	if task.Step != idv.StepSelfie || task.Takes != idv.FaceImage || task.Challenge != nil {
		t.Fatalf("without challenges left: %+v", task)
	}
	a.send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	notRun(t, d, a)
}

// notRun waits for a session to be referred because its liveness was not checked.
func notRun(t *testing.T, d *deployment, a *person) {
	t.Helper()
	d.await(t, a.id, idv.InReview)
	report, decisions, err := d.Sessions.Report(t.Context(), "", a.id)
	if err != nil {
		t.Fatal(err)
	}
	if c, ok := report.Check(idv.CheckLiveness); !ok || c.Lifecycle != idv.CheckBroken {
		t.Errorf("the check of liveness is %+v", c)
	}
	if len(decisions) != 1 || len(decisions[0].Reasons) != 1 || decisions[0].Reasons[0].Code != problem.CheckNotRun.Code {
		t.Errorf("decisions %+v", decisions)
	}
}

func livenessPaths(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a, task := d.atSelfie(t)
	gentle, err := d.Applicant.ChooseLiveness(ctx, a.id, idv.GentlePath)
	if err != nil || gentle.Challenge == nil || !gentle.Challenge.Gentle || task.Challenge.Gentle {
		t.Fatalf("the gentle path: %+v, %v", gentle, err)
	}
	if _, err := a.run(t, task.Challenge.Token, idvtest.Selfie("anna")); !problem.Has(err, problem.ChallengeExpired) {
		t.Errorf("the challenge of the path that was left: %v", err)
	}
	if got := a.task(t); got.Challenge == nil || got.Challenge.Token != gentle.Challenge.Token {
		t.Errorf("asked again on the gentle path: %+v", got)
	}
	person, err := d.Applicant.ChooseLiveness(ctx, a.id, idv.PersonPath)
	if err != nil || person.Challenge != nil || person.Takes != idv.FaceImage {
		t.Fatalf("straight to a person: %+v, %v", person, err)
	}
	if _, err := a.run(t, gentle.Challenge.Token, idvtest.Selfie("anna")); !problem.Has(err, problem.RequestMalformed) {
		t.Errorf("frames where a picture is asked for: %v", err)
	}
	a.send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	notRun(t, d, a)

	plain := d.open(t)
	plain.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	if _, err := d.Applicant.ChooseLiveness(ctx, plain.id, idv.GentlePath); !problem.Has(err, problem.CaptureOutOfOrder) {
		t.Errorf("a path where nothing is challenged: %v", err)
	}
	if _, err := d.Applicant.ChooseLiveness(ctx, plain.id, "none"); !problem.Has(err, problem.RequestMalformed) {
		t.Errorf("a path that is none: %v", err)
	}
}

func livenessForm(t *testing.T, d *deployment) {
	a, task := d.atSelfie(t)
	for name, c := range map[string]struct {
		change func(*applicant.FrameSubmission)
		want   problem.Kind
	}{
		"a time missing":              {func(s *applicant.FrameSubmission) { s.TimesMS = s.TimesMS[1:] }, problem.RequestMalformed},
		"times that stand still":      {func(s *applicant.FrameSubmission) { s.TimesMS[5] = s.TimesMS[4] }, problem.RequestMalformed},
		"times that go back":          {func(s *applicant.FrameSubmission) { s.TimesMS[5] = 1 }, problem.RequestMalformed},
		"a first time that is not 0":  {func(s *applicant.FrameSubmission) { s.TimesMS[0] = 1 }, problem.RequestMalformed},
		"more frames than allowed":    {many, problem.RequestTooLarge},
		"hints without end":           {func(s *applicant.FrameSubmission) { s.Camera.Hints = make([]string, 17) }, problem.RequestMalformed},
		"a label without end":         {func(s *applicant.FrameSubmission) { s.Camera.Label = strings.Repeat("x", 201) }, problem.RequestMalformed},
		"a width below nothing":       {func(s *applicant.FrameSubmission) { s.Camera.Width = -1 }, problem.RequestMalformed},
		"an attempt with other signs": {func(s *applicant.FrameSubmission) { s.Attempt = "<b>" }, problem.RequestMalformed},
		"a document's step":           {func(s *applicant.FrameSubmission) { s.Step = idv.StepDocumentFront }, problem.CaptureOutOfOrder},
	} {
		sub := runOf(t, "form", task.Challenge.Token, idvtest.Selfie("anna"))
		c.change(&sub)
		if _, err := d.Captures.SubmitFrames(t.Context(), a.id, sub); !problem.Has(err, c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := a.try(t, idv.StepSelfie, idvtest.Selfie("anna"))
	if !problem.Has(err, problem.RequestMalformed) {
		t.Errorf("a picture where frames are asked for: %v", err)
	}
	if got := a.task(t); got.AttemptsLeft != 3 || got.Challenge.Token != task.Challenge.Token {
		t.Errorf("a broken form costs something: %+v", got)
	}
	huge := runOf(t, "huge", task.Challenge.Token, idvtest.Selfie("anna"))
	huge.Frames[7] = bytes.Clone(huge.Frames[7])
	at := bytes.Index(huge.Frames[7], []byte{0xff, 0xc0}) // the frame's header: its height follows
	copy(huge.Frames[7][at+5:], []byte{0x20, 0x00, 0x20, 0x00})
	if _, err := d.Captures.SubmitFrames(t.Context(), a.id, huge); !problem.Has(err, problem.CaptureTooManyPixels) {
		t.Errorf("a frame of 67 million pixels: %v", err)
	}
	few := runOf(t, "few", task.Challenge.Token, idvtest.Selfie("anna"))
	few.Challenge = a.task(t).Challenge.Token
	few.Frames, few.TimesMS = few.Frames[:7], few.TimesMS[:7]
	if _, err := d.Captures.SubmitFrames(t.Context(), a.id, few); !problem.Has(err, problem.LivenessChallengeMissed) {
		t.Errorf("seven frames: %v", err)
	}
	short := runOf(t, "short", a.task(t).Challenge.Token, idvtest.Selfie("anna"))
	for i := range short.TimesMS {
		short.TimesMS[i] /= 2
	}
	if _, err := d.Captures.SubmitFrames(t.Context(), a.id, short); !problem.Has(err, problem.LivenessChallengeMissed) {
		t.Errorf("frames of less than two seconds: %v", err)
	}
	if got := a.task(t); got.AttemptsLeft != 1 {
		t.Errorf("after two runs that could not be used: %+v", got)
	}
}

func many(s *applicant.FrameSubmission) {
	for n := len(s.Frames); n <= idv.MostFrames; n++ {
		s.Frames, s.TimesMS = append(s.Frames, s.Frames[0]), append(s.TimesMS, n*200)
	}
}

// recordMigrateOld takes a database back to the schema before liveness, with a session under way in it.
func recordMigrateOld(t *testing.T, d *deployment) {
	ctx := t.Context()
	d.work(t, queue.WorkOptions{})
	a := d.open(t)
	a.send(t, idv.StepDocumentFront, idvtest.Passport("anna"))
	for _, q := range append(slices.Concat(
		beforeSorted, beforeRelay, beforeGallery, beforeSeen, beforeScreening, beforeWatchlists, beforeMail, beforeReview, beforeWallet,
		beforeChip, beforeAnother, beforeMasters, beforeTrust, beforeCorrections, beforeTabs, beforeChecked, beforeOffers(d), beforeSources,
		beforeHealth, beforeAttempts,
		beforeAssurance, beforeSaid, beforeTraces, beforeSums(d), beforeLogos, beforeUploads, beforeFigures, beforeLists,
		beforeDoor, beforeTrail, beforeSandbox, beforeWorkflows, beforeTeam, beforeWebhooks, beforeErasing, beforeCases),
		"DROP TABLE handoffs", "DROP TABLE frame_marks", "DROP TABLE challenges", "ALTER TABLE sessions DROP COLUMN liveness",
		"DELETE FROM locks WHERE name = 'frames'",
		"DELETE FROM workflow_versions WHERE workflow_id IN (SELECT id FROM workflows WHERE name <> 'no_liveness')",
		"DELETE FROM workflows WHERE name <> 'no_liveness'", "UPDATE workflows SET name = 'default'", "DELETE FROM schema_versions WHERE version_id > 1",
	) {
		if _, err := d.store.Write.ExecContext(ctx, q); err != nil {
			t.Fatalf("%s: %v", q, err)
		}
	}
	if ok, err := d.store.Current(ctx); ok || err != nil {
		t.Fatalf("before: Current = %v, %v", ok, err)
	}
	if err := d.store.Migrate(ctx); err != nil {
		t.Fatal(err)
	}
	if got := a.task(t); got.Takes != idv.FaceImage || got.Challenge != nil {
		t.Fatalf("the session under way: %+v", got)
	}
	a.send(t, idv.StepSelfie, idvtest.Selfie("anna"))
	d.await(t, a.id, idv.Approved)
	plain := d.onlyOpen(t, d.create(t, session.Spec{Workflow: idv.WorkflowDefault}))
	plain.agree(t, idv.Passport)
	if task := plain.send(t, idv.StepDocumentFront, idvtest.Passport("anna")); task.Takes != idv.FaceImage {
		t.Fatalf("the default workflow of an old database takes %s", task.Takes)
	}
	later, task := d.atSelfie(t)
	if _, err := later.run(t, task.Challenge.Token, idvtest.Selfie("anna")); err != nil {
		t.Fatal(err)
	}
	d.await(t, later.id, idv.Approved)
}

// livenessRedrawn asks for challenges until the movements suit, as somebody with one recording would.
func livenessRedrawn(t *testing.T, d *deployment) {
	ctx := t.Context()
	a, task := d.atSelfie(t)
	first := movesOf(task)
	for n := 2; n <= applicant.ChallengesPerTry+1; n++ {
		if _, err := d.Applicant.ChooseLiveness(ctx, a.id, idv.GentlePath); err != nil {
			t.Fatal(err)
		}
		again, err := d.Applicant.ChooseLiveness(ctx, a.id, idv.UsualPath)
		if err != nil || again.Challenge == nil || again.Challenge.Token == task.Challenge.Token {
			t.Fatalf("challenge %d: %+v, %v", n, again, err)
		}
		if n <= applicant.ChallengesPerTry && (again.AttemptsLeft != 3 || movesOf(again) != first) {
			t.Fatalf("challenge %d asks for %s with %d tries left, the first one for %s", n, movesOf(again), again.AttemptsLeft, first)
		}
		if n > applicant.ChallengesPerTry && again.AttemptsLeft != 2 {
			t.Errorf("challenge %d costs no try: %+v", n, again)
		}
	}
}

func movesOf(t idv.Task) string {
	var out []string
	for _, p := range t.Challenge.Prompts {
		out = append(out, string(p.Move))
	}
	return strings.Join(out, " ")
}
