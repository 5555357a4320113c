package session

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/idv"
)

var errStub = errors.New("session: not there yet")

// Create makes a session and its link. Problems: request.malformed, workflow.not_published.
func (s *Service) Create(ctx context.Context, n Spec) (Created, error) { return Created{}, errStub }

// Get reads a session of that mode. Problems: not_found.
func (s *Service) Get(ctx context.Context, mode idv.Mode, id idv.SessionID) (View, error) {
	return View{}, errStub
}

// List reads a page of sessions, newest first, and the cursor of the next page ("" at the end).
func (s *Service) List(ctx context.Context, f Filter) ([]View, string, error) {
	return nil, "", errStub
}

// CountStates counts the sessions of a mode by state.
func (s *Service) CountStates(ctx context.Context, mode idv.Mode) (map[idv.SessionState]int, error) {
	return nil, errStub
}

// Cancel withdraws a session. Problems: not_found, session.conflict.
func (s *Service) Cancel(ctx context.Context, mode idv.Mode, id idv.SessionID) (View, error) {
	return View{}, errStub
}

// NewLink replaces a session's link; the browser that opens the new one takes over.
func (s *Service) NewLink(ctx context.Context, mode idv.Mode, id idv.SessionID) (Created, error) {
	return Created{}, errStub
}

// Report reads the newest report and every decision, oldest first. Problems: not_found before the first decision.
func (s *Service) Report(ctx context.Context, mode idv.Mode, id idv.SessionID) (idv.Report, []idv.Decision, error) {
	return idv.Report{}, nil, errStub
}

// Captures reads what was sent and found; superseded captures are left out, templates come without their data.
func (s *Service) Captures(ctx context.Context, mode idv.Mode, id idv.SessionID) ([]idv.Capture, []idv.Artifact, error) {
	return nil, nil, errStub
}

// Evidence reads a capture for showing. Each view is audited.
func (s *Service) Evidence(ctx context.Context, mode idv.Mode, id idv.SessionID, c idv.CaptureID) (Picture, error) {
	return Picture{}, errStub
}

// ArtifactPicture reads the picture of an artifact for showing. Each view is audited.
func (s *Service) ArtifactPicture(ctx context.Context, mode idv.Mode, id idv.SessionID, a idv.ArtifactID) (Picture, error) {
	return Picture{}, errStub
}

// Timeline reads everything that happened to a session, oldest first.
func (s *Service) Timeline(ctx context.Context, mode idv.Mode, id idv.SessionID) ([]Event, error) {
	return nil, errStub
}

// Peek reads the session of a link. It changes nothing. Problems: not_found.
func (s *Service) Peek(ctx context.Context, link string) (View, error) { return View{}, errStub }

// Open binds the session of a link to the caller.
func (s *Service) Open(ctx context.Context, link string) (Opened, error) { return Opened{}, errStub }

// Applicant answers whose token this is. Problems: auth.invalid.
func (s *Service) Applicant(ctx context.Context, token string) (idv.SessionID, error) {
	return "", errStub
}

// Task answers what the applicant does next.
func (s *Service) Task(ctx context.Context, id idv.SessionID) (idv.Task, error) {
	return idv.Task{}, errStub
}

// Consent keeps the applicant's answer to the consent page.
func (s *Service) Consent(ctx context.Context, id idv.SessionID, c Consent) (idv.Task, error) {
	return idv.Task{}, errStub
}

// Choose keeps which kind of document the applicant will show.
func (s *Service) Choose(ctx context.Context, id idv.SessionID, k idv.DocumentKind) (idv.Task, error) {
	return idv.Task{}, errStub
}

// Submit takes the picture of a step.
func (s *Service) Submit(ctx context.Context, id idv.SessionID, sub Submission) (idv.Task, error) {
	return idv.Task{}, errStub
}

// Withdraw ends the session for the applicant.
func (s *Service) Withdraw(ctx context.Context, id idv.SessionID) error { return errStub }

// Extract is the job that looks at a capture.
func (s *Service) Extract(ctx context.Context, id idv.SessionID, c idv.CaptureID) error {
	return errStub
}

// Settle is the job that asks what is ready and decides when nothing is left.
func (s *Service) Settle(ctx context.Context, id idv.SessionID) error { return errStub }

// Sweep is the job that finds stuck sessions.
func (s *Service) Sweep(ctx context.Context) error { return errStub }

// Expire is the job that ends overdue sessions.
func (s *Service) Expire(ctx context.Context) error { return errStub }

// Watch wakes on any event of the session until stop is called.
func (s *Service) Watch(id idv.SessionID) (wake <-chan struct{}, stop func()) {
	return s.store.Watch(id)
}

// Events lists a session's events after the one with that id ("" for all), oldest first.
func (s *Service) Events(ctx context.Context, id idv.SessionID, after idv.EventID) ([]Event, error) {
	return nil, errStub
}
