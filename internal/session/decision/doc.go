// Package decision extracts what captures hold, has the checks answered, and decides sessions by their policy. Its methods
// are jobs: running one twice counts once.
package decision

import (
	"context"
	"log/slog"

	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Personas act for applicants in test sessions.
type Personas interface {
	// Resume goes on for a persona whose session was reopened since it was read.
	Resume(ctx context.Context, read session.Record) error
}

// Service decides sessions. It is safe for concurrent use.
type Service struct {
	life     *session.Lifecycle
	store    Store
	pictures session.Pictures
	engine   session.Engine
	personas Personas
	judge    policy.Judge
	log      *slog.Logger
	seeks    Seeks
}

// Seeks searches faces of other sessions. Without it every such search refers.
type Seeks struct {
	Faces     session.FaceSource
	Galleries session.Galleries
}

// New returns a Service.
func New(life *session.Lifecycle, st Store, pictures session.Pictures, engine session.Engine, personas Personas, seeks Seeks, log *slog.Logger) *Service {
	return &Service{life: life, store: st, pictures: pictures, engine: engine, personas: personas, seeks: seeks, log: log}
}
