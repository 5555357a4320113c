package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

func (s *Server) createSession(ctx context.Context, in *wire.Body[wire.NewSession]) (*wire.Answer[wire.Session], error) {
	mode := edge.KeyMode(ctx)
	if in.Body.Mode != "" && in.Body.Mode != mode {
		return nil, problem.New(problem.RequestMalformed).At("/mode").Saying("The API key decides the mode.")
	}
	in.Body.Mode = mode
	return s.create(ctx, in.Body)
}

func (s *Server) create(ctx context.Context, n wire.NewSession) (*wire.Answer[wire.Session], error) {
	if err := wire.CheckClaimed("/claimed", n.Claimed); err != nil {
		return nil, err
	}
	made, err := s.sessions.Sessions.Create(ctx, session.Spec{
		Mode: n.Mode, Workflow: n.Workflow, ExternalReference: n.ExternalReference, Metadata: n.Metadata,
		Claimed: n.Claimed, Locale: n.Locale, ReturnURL: n.ReturnURL,
	})
	if err != nil {
		return nil, err
	}
	return &wire.Answer[wire.Session]{Body: s.linked(made)}, nil
}

func (s *Server) listSessions(ctx context.Context, in *wire.SessionFilter) (*wire.Answer[wire.SessionPage], error) {
	items, next, err := s.page(ctx, edge.KeyMode(ctx), in)
	return wire.Reply(wire.SessionPage{Items: items, Next: next}, err)
}

// page reads a page of sessions of a mode.
func (s *Server) page(ctx context.Context, mode idv.Mode, in *wire.SessionFilter) ([]wire.Session, string, error) {
	f, err := in.Filter(mode)
	if err != nil {
		return nil, "", err
	}
	return wire.SessionsOf(s.sessions.Sessions.List(ctx, f))
}

func (s *Server) getSession(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.Session], error) {
	v, err := s.sessions.Sessions.Get(ctx, edge.KeyMode(ctx), in.ID)
	return wire.Reply(wire.SessionOf(v), err)
}

func (s *Server) listWorkflows(ctx context.Context, _ *wire.None) (*wire.Answer[wire.WorkflowList], error) {
	found, err := s.sessions.Sessions.Workflows(ctx, edge.KeyMode(ctx))
	out := wire.WorkflowList{Items: []wire.Workflow{}}
	for _, w := range found {
		out.Items = append(out.Items, wire.WorkflowOf(w))
	}
	return wire.Reply(out, err)
}

func (s *Server) cancelSession(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Session], error) {
	v, err := s.sessions.Sessions.Cancel(ctx, edge.KeyMode(ctx), in.ID)
	return wire.Reply(written(ctx, wire.SessionOf(v)), err)
}

func (s *Server) newLink(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Session], error) {
	made, err := s.sessions.Sessions.NewLink(ctx, edge.KeyMode(ctx), in.ID)
	return wire.Reply(written(ctx, s.linked(made)), err)
}

// written is a session as the key that changed it may see it. Keys to write are made by people who may not read live sessions:
// a key that may not read is told how the session stands, and the link that it asked for, but not what somebody else stated.
func written(ctx context.Context, x wire.Session) wire.Session {
	if edge.APIKey(ctx).May(account.SessionsRead) {
		return x
	}
	out := wire.WithoutPersonalData(x)
	out.ExternalReference, out.URL = "", x.URL
	return out
}

func (s *Server) getReport(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.ReportAndDecisions], error) {
	report, decisions, err := s.sessions.Sessions.Report(ctx, edge.KeyMode(ctx), in.ID)
	return wire.Reply(wire.ReportAndDecisions{Report: wire.ReportOf(report), Decisions: wire.DecisionsOf(decisions)}, err)
}

func (s *Server) getEvidence(ctx context.Context, in *wire.ByCapture) (*wire.Picture, error) {
	p, err := s.sessions.Pictures.Evidence(ctx, edge.KeyMode(ctx), in.ID, in.Capture, in.Frame)
	return wire.PictureOf(p, err)
}

// linked is a session with the link that is shown this once.
func (s *Server) linked(made session.Created) wire.Session {
	out := wire.SessionOf(made.View)
	if made.Link != "" {
		out.URL = s.publicURL + "/v/" + made.Link
	}
	return out
}
