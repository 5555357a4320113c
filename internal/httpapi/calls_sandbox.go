package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/persona"
)

func (s *Server) listPersonas(context.Context, *none) (*answer[PersonaList], error) {
	out := PersonaList{Items: []Persona{}}
	for _, p := range persona.All() {
		out.Items = append(out.Items, personaOf(p))
	}
	return &answer[PersonaList]{Body: out}, nil
}

func personaOf(p persona.Persona) Persona {
	return Persona{Name: p.Name, DocumentNumber: p.Number(), What: p.What, Ends: p.Ends, Reason: p.Reason.Code, Check: string(p.Check)}
}

func (s *Server) simulateSession(ctx context.Context, in *bySessionPosted) (*answer[Session], error) {
	v, err := s.sessions.Sandbox.Simulate(ctx, modeOf(ctx), in.ID)
	return reply(written(ctx, sessionOf(v)), err)
}

func (s *Server) consoleSimulateSession(ctx context.Context, in *bySessionPosted) (*answer[Session], error) {
	v, err := s.seen(ctx, account.SessionsWrite, in.ID)
	if err != nil {
		return nil, err
	}
	v, err = s.sessions.Sandbox.Simulate(ctx, v.Session.Mode, in.ID)
	return reply(sessionOf(v), err)
}

func (s *Server) simulateHere(ctx context.Context, _ *posted) (*answer[Task], error) {
	t, err := s.sessions.Sandbox.SimulateHere(ctx, applicantOf(ctx))
	return s.next(ctx, t, err)
}
