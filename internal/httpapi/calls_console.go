package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

func (s *Server) getSetup(ctx context.Context, _ *none) (*answer[SetupState], error) {
	needed, err := s.accounts.Setup.Needed(ctx)
	origin, passkeys := s.accounts.SignIn.Passkeys.Origin()
	return reply(SetupState{Needed: needed, Origin: origin, Passkeys: passkeys, SSO: s.ssoName()}, err)
}

func (s *Server) setup(ctx context.Context, in *body[SetupAnswer]) (*answer[Me], error) {
	u, err := s.accounts.Setup.CreateOwner(ctx, team.Owner(in.Body))
	if err != nil {
		return nil, err
	}
	return reply(meOf(u), s.signIn(ctx, u))
}

func (s *Server) login(ctx context.Context, in *body[Credentials]) (*answer[Me], error) {
	if err := s.loginTries.take(ctx, account.NormalizeEmail(in.Body.Email)+" "+addressOf(ctx)); err != nil {
		return nil, err
	}
	u, err := s.loginBy(ctx, in.Body)
	if problem.Has(err, problem.AuthInvalid) || (problem.Has(err, problem.AuthSecondFactor) && in.Body.Code != "") {
		err = errors.Join(err, s.record(ctx, audit.Record{Action: "user.refused"}))
	}
	if err != nil {
		return nil, s.refusedPasskey(ctx, err)
	}
	return reply(meOf(u), s.signIn(ctx, u))
}

func (s *Server) loginBy(ctx context.Context, c Credentials) (account.User, error) {
	if c.Passkey == nil {
		return s.accounts.SignIn.Passwords.SignIn(ctx, c.Email, c.Password, c.Code)
	}
	shown, err := c.Passkey.shown()
	if err != nil {
		return account.User{}, err
	}
	return s.accounts.SignIn.Passwords.SignInWithPasskey(ctx, s.browser(ctx), c.Email, c.Password, shown)
}

func (s *Server) logout(ctx context.Context, _ *posted) (*none, error) {
	if err := s.web.Destroy(ending(ctx, audit.Record{Action: "user.signed_out"})); err != nil {
		return nil, fmt.Errorf("sign out: %w", err)
	}
	return nil, nil
}

func (s *Server) me(ctx context.Context, _ *none) (*answer[Me], error) {
	return reply(meOf(userOf(ctx)), nil)
}

func (s *Server) consoleListSessions(ctx context.Context, in *consoleFilter) (*answer[ConsoleSessionPage], error) {
	if err := mayInMode(ctx, account.SessionsRead, in.Mode); err != nil {
		return nil, err
	}
	if _, id := idv.ParseID[idv.SessionID](in.Query); in.Query != "" && !id && known(ctx).masked {
		return nil, problem.New(problem.AuthForbidden).Saying("References are masked for your role, and cannot be searched for.")
	}
	items, next, err := s.page(ctx, in.Mode, &in.SessionFilter)
	if err != nil {
		return nil, err
	}
	counts, err := s.sessions.Sessions.CountStates(ctx, in.Mode)
	return reply(ConsoleSessionPage{Items: items, Next: next, Counts: counts}, err)
}

func (s *Server) consoleCreateSession(ctx context.Context, in *body[NewSession]) (*answer[Session], error) {
	if in.Body.Mode == "" {
		in.Body.Mode = idv.Test
	}
	if err := mayInMode(ctx, account.SessionsWrite, in.Body.Mode); err != nil {
		return nil, err
	}
	return s.create(ctx, in.Body)
}

func (s *Server) consoleGetSession(ctx context.Context, in *BySession) (*answer[SessionFile], error) {
	v, err := s.seen(ctx, account.SessionsRead, in.ID)
	if err != nil {
		return nil, err
	}
	file := SessionFile{Session: sessionOf(v), Decisions: []Decision{}}
	if err := s.addReport(ctx, v, &file); err != nil {
		return nil, err
	}
	if err := s.addCase(ctx, v, &file); err != nil {
		return nil, err
	}
	if err := s.addLettingGo(ctx, v, &file); err != nil {
		return nil, err
	}
	return reply(file, s.addEvidence(ctx, v, &file))
}

// addReport adds what was decided, as far as it was and as far as this person may see it.
func (s *Server) addReport(ctx context.Context, v session.View, file *SessionFile) error {
	if !may(ctx, account.ReportsRead, v.Session.Mode) {
		return nil
	}
	report, decisions, err := s.sessions.Sessions.Report(ctx, v.Session.Mode, v.Session.ID)
	if problem.Has(err, problem.NotFound) {
		return nil
	}
	if problem.Has(err, problem.SessionErased) {
		left, err := s.sessions.Sessions.Decisions(ctx, v.Session.Mode, v.Session.ID)
		file.Decisions = decisionsOf(left)
		return err
	}
	if err != nil {
		return err
	}
	report = whole(report)
	file.Report, file.Decisions = &report, decisionsOf(decisions)
	return nil
}

// addEvidence adds pictures, what was found in them, and the timeline.
func (s *Server) addEvidence(ctx context.Context, v session.View, file *SessionFile) error {
	captures, artifacts, err := s.sessions.Sessions.Captures(ctx, v.Session.Mode, v.Session.ID)
	if err != nil && !problem.Has(err, problem.SessionErased) {
		return err
	}
	base := "/v1/console/sessions/" + string(v.Session.ID)
	if !may(ctx, account.EvidenceRead, v.Session.Mode) {
		for i := range artifacts {
			if session.GoesWithPictures(artifacts[i].Kind) {
				artifacts[i].Data = nil // whoever may not see pictures sees nothing that is as personal
			}
		}
	}
	file.Captures, file.Artifacts = capturesOf(base, captures, artifacts), artifactsOf(base, artifacts)
	if !may(ctx, account.EvidenceRead, v.Session.Mode) { // what they may not open they are not led to
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
	file.Timeline = eventsOf(events)
	return nil
}

func (s *Server) consoleGetEvidence(ctx context.Context, in *byCapture) (*picture, error) {
	v, err := s.seen(ctx, account.EvidenceRead, in.ID)
	if err != nil {
		return nil, err
	}
	p, err := s.sessions.Pictures.Evidence(ctx, v.Session.Mode, in.ID, in.Capture, in.Frame)
	return show(p, err)
}

func (s *Server) consoleGetArtifact(ctx context.Context, in *byArtifact) (*picture, error) {
	v, err := s.seen(ctx, account.EvidenceRead, in.ID)
	if err != nil {
		return nil, err
	}
	p, err := s.sessions.Pictures.ArtifactPicture(ctx, v.Session.Mode, in.ID, in.Artifact)
	return show(p, err)
}

// seen reads a session of either mode, if the person who is signed in may do p in that mode. To somebody who
// may not, it is not there.
func (s *Server) seen(ctx context.Context, p account.Permission, id idv.SessionID) (session.View, error) {
	v, err := s.viewOf(ctx, id)
	if err != nil {
		return session.View{}, err
	}
	if !may(ctx, p, v.Session.Mode) {
		return session.View{}, problem.New(problem.NotFound)
	}
	return v, nil
}

func meOf(u account.User) Me {
	out := Me{
		ID: u.ID, Name: u.Name, Email: u.Email, Roles: u.Roles, May: []string{}, Masked: []string{},
		SecondFactor: u.Factor.On(), App: u.Factor.App(), RecoveryCodes: len(u.Factor.Recovery),
		Password: u.PasswordHash != "", Passkeys: passkeysOf(u), SSO: u.Subject != (account.Subject{}),
	}
	for _, p := range account.Permissions(u.Roles) {
		out.May = append(out.May, string(p))
	}
	for _, p := range account.MaskedPermissions(u.Roles) {
		out.Masked = append(out.Masked, string(p))
	}
	return out
}

// capturesOf tells where each picture can be opened and, where a page was measured in it, how large it is.
func capturesOf(base string, captures []idv.Capture, artifacts []idv.Artifact) []Capture {
	out := []Capture{}
	for _, c := range captures {
		w := Capture{ID: c.ID, Step: c.Step, Side: c.Side, Kind: c.Kind, CreatedAt: c.CreatedAt.UTC(), URL: base + "/evidence/" + string(c.ID)}
		i := slices.IndexFunc(artifacts, func(a idv.Artifact) bool { return a.Capture == c.ID && a.Kind == idv.ArtifactPage && a.Present })
		if i >= 0 {
			if page, err := idv.ValueOf[idv.Page](artifacts[i]); err == nil && page.Width > 0 {
				w.Width, w.Height = &page.Width, &page.Height
			}
		}
		out = append(out, w)
	}
	return out
}

func artifactsOf(base string, artifacts []idv.Artifact) []Artifact {
	out := []Artifact{}
	for _, a := range artifacts {
		w := Artifact{ID: a.ID, Capture: a.Capture, Kind: a.Kind, Side: a.Side, Present: a.Present, Absent: a.Absent, Data: a.Data}
		if session.IsTemplate(a.Kind) {
			w.Data = nil
		}
		if a.BlobType != "" {
			w.URL = base + "/artifacts/" + string(a.ID)
		}
		out = append(out, w)
	}
	return out
}

func eventsOf(events []session.Event) []Event {
	out := []Event{}
	for _, e := range events {
		w := Event{ID: string(e.ID), Type: string(e.Type), At: e.At.UTC(), Actor: e.Actor}
		if raw, err := json.Marshal(e.Payload); err == nil && len(e.Payload) > 0 {
			w.Payload = raw
		}
		out = append(out, w)
	}
	return out
}
