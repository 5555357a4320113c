package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

func (s *Server) peek(ctx context.Context, in *wire.Body[wire.Link]) (*wire.Answer[wire.Peeked], error) {
	v, err := s.sessions.Applicant.Peek(ctx, in.Body.Link)
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.PeekedOf(v, s.brand), nil)
}

func (s *Server) open(ctx context.Context, in *wire.Body[wire.Link]) (*wire.Answer[wire.Opened], error) {
	ctx = session.WithDevice(ctx, idv.DeviceOf(edge.HTTPRequest(ctx).UserAgent()))
	opened, err := s.sessions.Applicant.Open(ctx, in.Body.Link)
	if err != nil {
		return nil, err
	}
	t, err := s.taskOf(ctx, opened.Session, opened.Task)
	return wire.Reply(wire.Opened{Token: opened.Token, Task: t}, err)
}

func (s *Server) task(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Task], error) {
	t, err := s.sessions.Applicant.Task(ctx, edge.ApplicantSession(ctx))
	return s.next(ctx, t, err)
}

func (s *Server) consent(ctx context.Context, in *wire.Body[wire.ConsentAnswer]) (*wire.Answer[wire.Task], error) {
	t, err := s.sessions.Applicant.Consent(ctx, edge.ApplicantSession(ctx), session.Consent{
		Given: in.Body.Decision == "given", About: in.Body.About, TextVersion: in.Body.TextVersion, Locale: in.Body.Locale, Address: edge.ClientAddress(ctx),
	})
	return s.next(ctx, t, err)
}

func (s *Server) choose(ctx context.Context, in *wire.Body[wire.Choice]) (*wire.Answer[wire.Task], error) {
	t, err := s.sessions.Applicant.Choose(ctx, edge.ApplicantSession(ctx), applicant.Choice{Kind: in.Body.DocumentKind, Country: in.Body.Country})
	return s.next(ctx, t, err)
}

func (s *Server) submit(ctx context.Context, in *stepInput) (*wire.Answer[wire.Task], error) {
	if _, _, ok := in.Step.KindOf(); !ok {
		return nil, problem.New(problem.NotFound).At("step")
	}
	leave, err := s.room.Enter(ctx, edge.HTTPRequest(ctx), string(edge.ApplicantSession(ctx)), edge.Picture.MaxBytes())
	if err != nil {
		return nil, err
	}
	defer leave()
	form, err := edge.ReadForm(edge.HTTPRequest(ctx), stepFields)
	if err != nil {
		return nil, err
	}
	t, err := s.submitForm(ctx, in.Step, form)
	return s.next(ctx, t, err)
}

// submitForm hands on one picture or one run of frames, which came with the form or in parts before it.
func (s *Server) submitForm(ctx context.Context, step idv.Step, f edge.Form) (idv.Task, error) {
	if f.Has("upload") {
		return s.submitUpload(ctx, step, f)
	}
	if !f.Has("run") && !f.Has("frame") {
		if !f.Has("picture") {
			return idv.Task{}, wire.Malformed("picture", "The field is missing.")
		}
		return s.submitPicture(ctx, step, f, f.Files["picture"])
	}
	if f.Has("picture") {
		return idv.Task{}, wire.Malformed("picture", "One picture or frames, not both.")
	}
	run, err := wire.ReadFrameRun(f.Text["run"])
	if err != nil {
		return idv.Task{}, err
	}
	return s.submitFrames(ctx, step, f, run, f.Lists["frame"])
}

func (s *Server) submitPicture(ctx context.Context, step idv.Step, f edge.Form, b []byte) (idv.Task, error) {
	return s.sessions.Captures.Submit(ctx, edge.ApplicantSession(ctx), applicant.Submission{
		Step: step, Attempt: f.Text["attempt"], MediaType: f.Types["picture"], Bytes: b,
	})
}

func (s *Server) submitFrames(ctx context.Context, step idv.Step, f edge.Form, run wire.FrameRun, frames [][]byte) (idv.Task, error) {
	return s.sessions.Captures.SubmitFrames(ctx, edge.ApplicantSession(ctx), applicant.FrameSubmission{
		Step: step, Attempt: f.Text["attempt"], Challenge: run.Challenge, TimesMS: run.TimesMS, Camera: run.Camera, Frames: frames,
	})
}

func (s *Server) chooseLiveness(ctx context.Context, in *wire.Body[wire.LivenessChoice]) (*wire.Answer[wire.Task], error) {
	path := idv.LivenessPath(in.Body.Path)
	if in.Body.Path == wire.UsualPath {
		path = idv.UsualPath
	}
	t, err := s.sessions.Applicant.ChooseLiveness(ctx, edge.ApplicantSession(ctx), path)
	return s.next(ctx, t, err)
}

func (s *Server) withdraw(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Task], error) {
	id := edge.ApplicantSession(ctx)
	if err := s.sessions.Applicant.Withdraw(ctx, id); err != nil {
		return nil, err
	}
	t, err := s.sessions.Applicant.Task(ctx, id)
	return s.next(ctx, t, err)
}

// next answers the task that a use case gave.
func (s *Server) next(ctx context.Context, t idv.Task, err error) (*wire.Answer[wire.Task], error) {
	if err != nil {
		return nil, err
	}
	return wire.Reply(s.taskOf(ctx, edge.ApplicantSession(ctx), t))
}

// taskOf puts a task into the applicant's words.
func (s *Server) taskOf(ctx context.Context, id idv.SessionID, t idv.Task) (wire.Task, error) {
	v, err := s.viewOf(ctx, id)
	if err != nil {
		return wire.Task{}, err
	}
	return wire.TaskOf(t, v), nil
}

// viewOf reads a session of either mode, for callers that are bound to it or checked against its mode.
func (s *Server) viewOf(ctx context.Context, id idv.SessionID) (session.View, error) {
	return s.sessions.Sessions.Get(ctx, "", id)
}
