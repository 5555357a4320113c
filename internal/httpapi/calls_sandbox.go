package httpapi

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/persona"
)

func (s *Server) listPersonas(context.Context, *wire.None) (*wire.Answer[wire.PersonaList], error) {
	out := wire.PersonaList{Items: []wire.Persona{}}
	for _, p := range persona.All() {
		out.Items = append(out.Items, wire.PersonaOf(p))
	}
	return &wire.Answer[wire.PersonaList]{Body: out}, nil
}

func (s *Server) simulateSession(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Session], error) {
	v, err := s.sessions.Sandbox.Simulate(ctx, edge.KeyMode(ctx), in.ID)
	return wire.Reply(written(ctx, wire.SessionOf(v)), err)
}

func (s *Server) consoleSimulateSession(ctx context.Context, in *wire.BySessionPosted) (*wire.Answer[wire.Session], error) {
	v, err := s.seen(ctx, account.SessionsWrite, in.ID)
	if err != nil {
		return nil, err
	}
	v, err = s.sessions.Sandbox.Simulate(ctx, v.Session.Mode, in.ID)
	return wire.Reply(wire.SessionOf(v), err)
}

func (s *Server) simulateHere(ctx context.Context, _ *wire.Posted) (*wire.Answer[wire.Task], error) {
	t, err := s.sessions.Sandbox.SimulateHere(ctx, edge.ApplicantSession(ctx))
	return s.next(ctx, t, err)
}
