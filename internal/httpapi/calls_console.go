package httpapi

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

func (s *Server) getSetup(ctx context.Context, _ *wire.None) (*wire.Answer[wire.SetupState], error) {
	needed, err := s.accounts.Setup.Needed(ctx)
	origin, passkeys := s.accounts.SignIn.Passkeys.Origin()
	return wire.Reply(wire.SetupState{Needed: needed, Origin: origin, Passkeys: passkeys, SSO: s.ssoName()}, err)
}

func (s *Server) setup(ctx context.Context, in *wire.Body[wire.SetupAnswer]) (*wire.Answer[wire.Me], error) {
	u, err := s.accounts.Setup.CreateOwner(ctx, team.Owner(in.Body))
	if err != nil {
		return nil, err
	}
	return wire.Reply(wire.MeOf(u), s.consoles.SignIn(ctx, u))
}

func (s *Server) login(ctx context.Context, in *wire.Body[wire.Credentials]) (*wire.Answer[wire.Me], error) {
	if err := s.loginTries.Take(ctx, account.NormalizeEmail(in.Body.Email)+" "+edge.ClientAddress(ctx)); err != nil {
		return nil, err
	}
	u, err := s.loginBy(ctx, in.Body)
	if problem.Has(err, problem.AuthInvalid) || (problem.Has(err, problem.AuthSecondFactor) && in.Body.Code != "") {
		err = errors.Join(err, s.record(ctx, audit.Record{Action: "user.refused"}))
	}
	if err != nil {
		return nil, s.refusedPasskey(ctx, err)
	}
	return wire.Reply(wire.MeOf(u), s.consoles.SignIn(ctx, u))
}

func (s *Server) loginBy(ctx context.Context, c wire.Credentials) (account.User, error) {
	if c.Passkey == nil {
		return s.accounts.SignIn.Passwords.SignIn(ctx, c.Email, c.Password, c.Code)
	}
	shown, err := c.Passkey.Decode()
	if err != nil {
		return account.User{}, err
	}
	return s.accounts.SignIn.Passwords.SignInWithPasskey(ctx, s.consoles.Browser(ctx), c.Email, c.Password, shown)
}

func (s *Server) logout(ctx context.Context, _ *wire.Posted) (*wire.None, error) {
	return nil, s.consoles.SignOut(ctx, audit.Record{Action: "user.signed_out"})
}

func (s *Server) me(ctx context.Context, _ *wire.None) (*wire.Answer[wire.Me], error) {
	return wire.Reply(wire.MeOf(edge.Member(ctx)), nil)
}

func (s *Server) consoleListSessions(ctx context.Context, in *consoleFilter) (*wire.Answer[wire.ConsoleSessionPage], error) {
	if err := edge.CheckMay(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	if _, id := idv.ParseID[idv.SessionID](in.Query); in.Query != "" && !id && edge.Masked(ctx) {
		return nil, problem.New(problem.AuthForbidden).Saying("References are masked for your role, and cannot be searched for.")
	}
	items, next, err := s.page(ctx, in.Mode, &in.SessionFilter)
	if err != nil {
		return nil, err
	}
	counts, err := s.sessions.Sessions.CountStates(ctx, in.Mode)
	return wire.Reply(wire.ConsoleSessionPage{Items: items, Next: next, Counts: counts}, err)
}

func (s *Server) consoleCreateSession(ctx context.Context, in *wire.Body[wire.NewSession]) (*wire.Answer[wire.Session], error) {
	if in.Body.Mode == "" {
		in.Body.Mode = idv.Test
	}
	if err := edge.CheckMay(ctx, account.SessionsWrite, in.Body.Mode); err != nil {
		return nil, err
	}
	return s.create(ctx, in.Body)
}

func (s *Server) consoleGetSession(ctx context.Context, in *wire.BySession) (*wire.Answer[wire.SessionFile], error) {
	v, err := s.seen(ctx, account.SessionsRead, in.ID)
	if err != nil {
		return nil, err
	}
	file := wire.SessionFile{Session: wire.SessionOf(v), Decisions: []wire.Decision{}}
	if err := s.addReport(ctx, v, &file); err != nil {
		return nil, err
	}
	if err := s.addCase(ctx, v, &file); err != nil {
		return nil, err
	}
	if err := s.addLettingGo(ctx, v, &file); err != nil {
		return nil, err
	}
	return wire.Reply(file, s.addEvidence(ctx, v, &file))
}

// addReport adds what was decided, as far as it was and as far as this person may see it.
func (s *Server) addReport(ctx context.Context, v session.View, file *wire.SessionFile) error {
	if !edge.May(ctx, account.ReportsRead, v.Session.Mode) {
		return nil
	}
	report, decisions, err := s.sessions.Sessions.Report(ctx, v.Session.Mode, v.Session.ID)
	if problem.Has(err, problem.NotFound) {
		return nil
	}
	if problem.Has(err, problem.SessionErased) {
		left, err := s.sessions.Sessions.Decisions(ctx, v.Session.Mode, v.Session.ID)
		file.Decisions = wire.DecisionsOf(left)
		return err
	}
	if err != nil {
		return err
	}
	report = wire.ReportOf(report)
	file.Report, file.Decisions = &report, wire.DecisionsOf(decisions)
	return nil
}

// addEvidence adds pictures, what was found in them, and the timeline.
func (s *Server) addEvidence(ctx context.Context, v session.View, file *wire.SessionFile) error {
	captures, artifacts, err := s.sessions.Sessions.Captures(ctx, v.Session.Mode, v.Session.ID)
	if err != nil && !problem.Has(err, problem.SessionErased) {
		return err
	}
	base := "/v1/console/sessions/" + string(v.Session.ID)
	if !edge.May(ctx, account.EvidenceRead, v.Session.Mode) {
		for i := range artifacts {
			if session.GoesWithPictures(artifacts[i].Kind) {
				artifacts[i].Data = nil // whoever may not see pictures sees nothing that is as personal
			}
		}
	}
	file.Captures, file.Artifacts = wire.CapturesOf(base, captures, artifacts), wire.ArtifactsOf(base, artifacts)
	if !edge.May(ctx, account.EvidenceRead, v.Session.Mode) { // what they may not open they are not led to
		for i := range file.Captures {
			file.Captures[i].URL = ""
		}
		for i := range file.Artifacts {
			file.Artifacts[i].URL = ""
		}
	}
	events, err := s.sessions.Sessions.Timeline(ctx, v.Session.Mode, v.Session.ID)
	if err != nil {
		return err
	}
	file.Timeline = wire.EventsOf(events)
	return nil
}

func (s *Server) consoleGetEvidence(ctx context.Context, in *wire.ByCapture) (*wire.Picture, error) {
	v, err := s.seen(ctx, account.EvidenceRead, in.ID)
	if err != nil {
		return nil, err
	}
	p, err := s.sessions.Pictures.Evidence(ctx, v.Session.Mode, in.ID, in.Capture, in.Frame)
	return wire.PictureOf(p, err)
}

func (s *Server) consoleGetArtifact(ctx context.Context, in *byArtifact) (*wire.Picture, error) {
	v, err := s.seen(ctx, account.EvidenceRead, in.ID)
	if err != nil {
		return nil, err
	}
	p, err := s.sessions.Pictures.ArtifactPicture(ctx, v.Session.Mode, in.ID, in.Artifact)
	return wire.PictureOf(p, err)
}

// seen reads a session of either mode, if the person who is signed in may do p in that mode. To somebody who
// may not, it is not there.
func (s *Server) seen(ctx context.Context, p account.Permission, id idv.SessionID) (session.View, error) {
	v, err := s.viewOf(ctx, id)
	if err != nil {
		return session.View{}, err
	}
	if !edge.May(ctx, p, v.Session.Mode) {
		return session.View{}, problem.New(problem.NotFound)
	}
	return v, nil
}
