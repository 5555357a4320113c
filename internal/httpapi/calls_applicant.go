package httpapi

import (
	"cmp"
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

func (s *Server) peek(ctx context.Context, in *body[Link]) (*answer[Peeked], error) {
	v, err := s.sessions.Applicant.Peek(ctx, in.Body.Link)
	if err != nil {
		return nil, err
	}
	return reply(peekedOf(v, s.brand), nil)
}

func peekedOf(v applicant.Peeked, brand string) Peeked {
	return Peeked{
		Brand: cmp.Or(v.Workflow.Brand.Name, brand), Mode: v.Session.Mode, State: v.Session.State, Steps: list0(v.Workflow.Steps),
		Accepts: accepted(v.Workflow), Locale: v.Session.Locale, ExpiresAt: v.ExpiresAt.UTC(),
		Handoff: v.Handoff,
	}
}

func (s *Server) open(ctx context.Context, in *body[Link]) (*answer[Opened], error) {
	ctx = session.WithDevice(ctx, idv.DeviceOf(requestOf(ctx).UserAgent()))
	opened, err := s.sessions.Applicant.Open(ctx, in.Body.Link)
	if err != nil {
		return nil, err
	}
	t, err := s.taskOf(ctx, opened.Session, opened.Task)
	return reply(Opened{Token: opened.Token, Task: t}, err)
}

func (s *Server) task(ctx context.Context, _ *none) (*answer[Task], error) {
	t, err := s.sessions.Applicant.Task(ctx, applicantOf(ctx))
	return s.next(ctx, t, err)
}

func (s *Server) consent(ctx context.Context, in *body[ConsentAnswer]) (*answer[Task], error) {
	t, err := s.sessions.Applicant.Consent(ctx, applicantOf(ctx), session.Consent{
		Given: in.Body.Decision == "given", About: in.Body.About, TextVersion: in.Body.TextVersion, Locale: in.Body.Locale, Address: addressOf(ctx),
	})
	return s.next(ctx, t, err)
}

func (s *Server) choose(ctx context.Context, in *body[Choice]) (*answer[Task], error) {
	t, err := s.sessions.Applicant.Choose(ctx, applicantOf(ctx), applicant.Choice{Kind: in.Body.DocumentKind, Country: in.Body.Country})
	return s.next(ctx, t, err)
}

func (s *Server) submit(ctx context.Context, in *stepInput) (*answer[Task], error) {
	if _, _, ok := in.Step.KindOf(); !ok {
		return nil, problem.New(problem.NotFound).At("step")
	}
	leave, err := s.room.enter(ctx, requestOf(ctx), string(applicantOf(ctx)), Picture.MaxBytes())
	if err != nil {
		return nil, err
	}
	defer leave()
	form, err := readForm(requestOf(ctx), stepFields)
	if err != nil {
		return nil, err
	}
	t, err := s.submitForm(ctx, in.Step, form)
	return s.next(ctx, t, err)
}

// submitForm hands on one picture or one run of frames, which came with the form or in parts before it.
func (s *Server) submitForm(ctx context.Context, step idv.Step, f form) (idv.Task, error) {
	if f.has("upload") {
		return s.submitUpload(ctx, step, f)
	}
	if !f.has("run") && !f.has("frame") {
		if !f.has("picture") {
			return idv.Task{}, malformed("picture", "The field is missing.")
		}
		return s.submitPicture(ctx, step, f, f.files["picture"])
	}
	if f.has("picture") {
		return idv.Task{}, malformed("picture", "One picture or frames, not both.")
	}
	run, err := readRun(f.text["run"])
	if err != nil {
		return idv.Task{}, err
	}
	return s.submitFrames(ctx, step, f, run, f.lists["frame"])
}

func (s *Server) submitPicture(ctx context.Context, step idv.Step, f form, b []byte) (idv.Task, error) {
	return s.sessions.Captures.Submit(ctx, applicantOf(ctx), applicant.Submission{
		Step: step, Attempt: f.text["attempt"], MediaType: f.types["picture"], Bytes: b,
	})
}

func (s *Server) submitFrames(ctx context.Context, step idv.Step, f form, run frameRun, frames [][]byte) (idv.Task, error) {
	return s.sessions.Captures.SubmitFrames(ctx, applicantOf(ctx), applicant.FrameSubmission{
		Step: step, Attempt: f.text["attempt"], Challenge: run.Challenge, TimesMS: run.TimesMS, Camera: run.Camera, Frames: frames,
	})
}

func (s *Server) chooseLiveness(ctx context.Context, in *body[LivenessChoice]) (*answer[Task], error) {
	path := idv.LivenessPath(in.Body.Path)
	if in.Body.Path == usualPath {
		path = idv.UsualPath
	}
	t, err := s.sessions.Applicant.ChooseLiveness(ctx, applicantOf(ctx), path)
	return s.next(ctx, t, err)
}

func (s *Server) withdraw(ctx context.Context, _ *posted) (*answer[Task], error) {
	id := applicantOf(ctx)
	if err := s.sessions.Applicant.Withdraw(ctx, id); err != nil {
		return nil, err
	}
	t, err := s.sessions.Applicant.Task(ctx, id)
	return s.next(ctx, t, err)
}

// next answers the task that a use case gave.
func (s *Server) next(ctx context.Context, t idv.Task, err error) (*answer[Task], error) {
	if err != nil {
		return nil, err
	}
	return reply(s.taskOf(ctx, applicantOf(ctx), t))
}

// taskOf puts a task into the applicant's words.
func (s *Server) taskOf(ctx context.Context, id idv.SessionID, t idv.Task) (Task, error) {
	v, err := s.viewOf(ctx, id)
	if err != nil {
		return Task{}, err
	}
	return wireTask(t, v), nil
}

func wireTask(t idv.Task, v session.View) Task {
	out := Task{
		State: t.State, Session: v.Session.ID, Step: t.Step, Takes: t.Takes, Challenge: challengeOf(t.Challenge), Position: t.Position, Total: t.Total,
		DocumentKind: present(t.DocumentKind), Country: t.Country, AsksCountry: t.AsksCountry, Accepts: list0(t.Accepts), FaceOptional: t.FaceOptional, AttemptsLeft: t.AttemptsLeft,
		Problem: told(t.Problem), Deadline: at(t.Deadline), Persona: t.Persona, ReturnURL: v.Session.ReturnURL, Notices: []string{},
	}
	if n := v.Workflow.LivenessNotice(); n != "" {
		out.Notices = append(out.Notices, n)
	}
	return out
}

// told is a problem in the applicant's words. A sign of deceit is never explained to them.
func told(p *idv.StepProblem) *TaskProblem {
	if p == nil {
		return nil
	}
	k, ok := problem.Lookup(p.Code)
	if !ok || k.Severity == problem.Fraud || k.Reader != problem.Applicant {
		return nil
	}
	return &TaskProblem{Code: k.Code, Step: p.Step, Title: k.Title, Remedy: k.Remedy}
}

// viewOf reads a session of either mode, for callers that are bound to it or checked against its mode.
func (s *Server) viewOf(ctx context.Context, id idv.SessionID) (session.View, error) {
	return s.sessions.Sessions.Get(ctx, "", id)
}

// accepted lists the kinds of document that a workflow takes: an empty list there means all.
func accepted(w idv.WorkflowVersion) []idv.DocumentKind {
	if len(w.Documents) == 0 {
		return idv.DocumentKinds()
	}
	return w.Documents
}
