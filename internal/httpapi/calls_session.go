package httpapi

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/review"
)

func (s *Server) createSession(ctx context.Context, in *body[NewSession]) (*answer[Session], error) {
	mode := modeOf(ctx)
	if in.Body.Mode != "" && in.Body.Mode != mode {
		return nil, problem.New(problem.RequestMalformed).At("/mode").Saying("The API key decides the mode.")
	}
	in.Body.Mode = mode
	return s.create(ctx, in.Body)
}

func (s *Server) create(ctx context.Context, n NewSession) (*answer[Session], error) {
	if err := checkClaimed("/claimed", n.Claimed); err != nil {
		return nil, err
	}
	made, err := s.sessions.Sessions.Create(ctx, session.Spec{
		Mode: n.Mode, Workflow: n.Workflow, ExternalReference: n.ExternalReference, Metadata: n.Metadata,
		Claimed: n.Claimed, Locale: n.Locale, ReturnURL: n.ReturnURL,
	})
	if err != nil {
		return nil, err
	}
	return &answer[Session]{Body: s.linked(made)}, nil
}

func (s *Server) listSessions(ctx context.Context, in *SessionFilter) (*answer[SessionPage], error) {
	items, next, err := s.page(ctx, modeOf(ctx), in)
	return reply(SessionPage{Items: items, Next: next}, err)
}

// page reads a page of sessions of a mode.
func (s *Server) page(ctx context.Context, mode idv.Mode, in *SessionFilter) ([]Session, string, error) {
	f, err := in.filter(mode)
	if err != nil {
		return nil, "", err
	}
	return sessionsOf(s.sessions.Sessions.List(ctx, f))
}

func sessionsOf(views []session.View, next string, err error) ([]Session, string, error) {
	items := make([]Session, len(views))
	for i, v := range views {
		items[i] = sessionOf(v)
	}
	return items, next, err
}

// filter is what the address says.
func (in *SessionFilter) filter(mode idv.Mode) (session.Filter, error) {
	from, err := moment("from", in.From)
	if err != nil {
		return session.Filter{}, err
	}
	to, err := moment("to", in.To)
	return session.Filter{
		Mode: mode, States: in.State, Outcome: in.Outcome, Reason: in.Reason, Workflow: in.Workflow, Countries: in.Country,
		Kinds: in.Kind, Search: in.Query, From: from, To: to, Limit: in.Limit, After: in.After,
	}, err
}

func (s *Server) getSession(ctx context.Context, in *BySession) (*answer[Session], error) {
	v, err := s.sessions.Sessions.Get(ctx, modeOf(ctx), in.ID)
	return reply(sessionOf(v), err)
}

func (s *Server) listWorkflows(ctx context.Context, _ *none) (*answer[WorkflowList], error) {
	found, err := s.sessions.Sessions.Workflows(ctx, modeOf(ctx))
	out := WorkflowList{Items: []Workflow{}}
	for _, w := range found {
		out.Items = append(out.Items, workflowOf(w))
	}
	return reply(out, err)
}

func workflowOf(w idv.WorkflowVersion) Workflow {
	return Workflow{
		WorkflowRef: workflowRef(w), Liveness: w.AsksLiveness(), Steps: list0(w.Steps), Documents: accepted(w),
		Countries: list0(w.Countries), Required: list0(w.Required),
	}
}

func workflowRef(w idv.WorkflowVersion) WorkflowRef {
	return WorkflowRef{ID: w.ID, Name: w.Name, Number: w.Number, LivenessNotice: w.LivenessNotice()}
}

func (s *Server) cancelSession(ctx context.Context, in *bySessionPosted) (*answer[Session], error) {
	v, err := s.sessions.Sessions.Cancel(ctx, modeOf(ctx), in.ID)
	return reply(written(ctx, sessionOf(v)), err)
}

func (s *Server) newLink(ctx context.Context, in *bySessionPosted) (*answer[Session], error) {
	made, err := s.sessions.Sessions.NewLink(ctx, modeOf(ctx), in.ID)
	return reply(written(ctx, s.linked(made)), err)
}

// written is a session as the key that changed it may see it. Keys to write are made by people who may not read live sessions:
// a key that may not read is told how the session stands, and the link that it asked for, but not what somebody else stated.
func written(ctx context.Context, x Session) Session {
	if known(ctx).key.May(account.SessionsRead) {
		return x
	}
	out := foundOnly(x)
	out.ExternalReference, out.URL = "", x.URL
	return out
}

func (s *Server) getReport(ctx context.Context, in *BySession) (*answer[ReportAndDecisions], error) {
	report, decisions, err := s.sessions.Sessions.Report(ctx, modeOf(ctx), in.ID)
	return reply(ReportAndDecisions{Report: whole(report), Decisions: decisionsOf(decisions)}, err)
}

func (s *Server) getEvidence(ctx context.Context, in *byCapture) (*picture, error) {
	p, err := s.sessions.Pictures.Evidence(ctx, modeOf(ctx), in.ID, in.Capture, in.Frame)
	return show(p, err)
}

// show answers a picture, to be looked at and not to be kept.
func show(p review.Picture, err error) (*picture, error) {
	if err != nil {
		return nil, err
	}
	return &picture{ContentType: p.MediaType, CacheControl: "private, no-store", ContentDisposition: "inline", Body: p.Bytes}, nil
}

// linked is a session with the link that is shown this once.
func (s *Server) linked(made session.Created) Session {
	out := sessionOf(made.View)
	if made.Link != "" {
		out.URL = s.publicURL + "/v/" + made.Link
	}
	return out
}

func sessionOf(v session.View) Session {
	x := v.Session
	out := Session{
		ID: x.ID, Mode: x.Mode, State: x.State, Outcome: present(x.Outcome),
		ExternalReference: x.ExternalReference, Metadata: x.Metadata, Claimed: x.Claimed,
		Workflow:     workflowRef(v.Workflow),
		DocumentKind: present(x.DocumentKind), Country: present(x.Country), LastProblem: x.LastProblem, Locale: x.Locale, ReturnURL: x.ReturnURL,
		CreatedAt: x.CreatedAt.UTC(), LinkExpiresAt: x.LinkExpiresAt.UTC(),
		ExpiresAt: at(x.ExpiresAt), OpenedAt: at(x.OpenedAt), SubmittedAt: at(x.SubmittedAt), DecidedAt: at(x.DecidedAt), ErasedAt: at(x.ErasedAt),
		Persona: x.Persona, Keeping: keepingOf(v),
	}
	if out.Metadata == nil {
		out.Metadata = map[string]string{}
	}
	if out.Claimed == nil {
		out.Claimed = map[idv.ClaimName]string{}
	}
	return out
}

// decisionsOf answers the decisions newest first.
func decisionsOf(ds []idv.Decision) []Decision {
	out := make([]Decision, 0, len(ds))
	for _, d := range slices.Backward(ds) {
		out = append(out, Decision{
			ID: d.ID, Outcome: d.Outcome, Reasons: list0(d.Reasons), Rule: d.Rule, By: d.By, Note: d.Note,
			Report: d.Report, ReportDigest: d.Digest, DecidedAt: d.DecidedAt.UTC(),
		})
	}
	return out
}

// whole makes sure that a report's lists are lists, never null.
func whole(r idv.Report) idv.Report {
	r.Checks, r.Claims, r.Notices = list0(r.Checks), list0(r.Claims), list0(r.Notices)
	if m := r.Document.MRZ; m != nil {
		zone := *m
		zone.Lines, zone.RawLines, zone.SecondLines = list0(zone.Lines), list0(zone.RawLines), list0(zone.SecondLines)
		zone.Boxes, zone.FailedChecks = list0(zone.Boxes), list0(zone.FailedChecks)
		r.Document.MRZ = &zone
	}
	return r
}

// list0 makes nil an empty list.
func list0[T any](l []T) []T {
	if l == nil {
		return []T{}
	}
	return l
}

// present is nil for an empty word.
func present[T ~string](v T) *T {
	if v == "" {
		return nil
	}
	return &v
}

// at is nil for no time.
func at(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.UTC()
	return &t
}

// moment reads a date or a time.
func moment(field, v string) (time.Time, error) {
	if v == "" {
		return time.Time{}, nil
	}
	for _, layout := range []string{time.RFC3339, time.DateOnly} {
		if t, err := time.Parse(layout, v); err == nil {
			return t.UTC(), nil
		}
	}
	return time.Time{}, problem.New(problem.RequestMalformed).At(field).Saying("A date (YYYY-MM-DD) or a time (RFC 3339).")
}
