// Package integrator answers the calls of integrators, who authenticate by an API key: one handler for each resource, its routes
// beside it.
package integrator

import (
	"context"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// Options are what the handlers need.
type Options struct {
	Sessions   *services.Services
	Workflows  *workflow.Service
	Searched   screening.Source
	Watchlists *lists.Keeper
	Calls      *sessions.Calls
	Verifier   Verifier
	Room       *edge.Room

	VerifyAtOnce int           // verifications that run at the same time
	VerifyWait   time.Duration // how long one more waits for its turn before it is refused
	Tables       *sessions.Tables

	Audit func(context.Context, audit.Record) error
	Now   func() time.Time
	Log   *slog.Logger
}

// Handlers answer the calls, each those of one resource.
type Handlers struct {
	Sessions     *Sessions
	Erasures     *Erasures
	Workflows    *Workflows
	Verification *Verification
	Drafts       *Drafts
	Sandbox      *Sandbox
	Search       *Search
	Exports      *Exports
	Screening    *Screening
	Seen         *Seen
}

// New returns the Handlers.
func New(o Options) *Handlers {
	s := o.Sessions
	return &Handlers{
		Sessions:  &Sessions{sessions: s.Sessions, pictures: s.Pictures, calls: o.Calls},
		Erasures:  &Erasures{erasures: s.Erasures, calls: o.Calls},
		Workflows: &Workflows{sessions: s.Sessions},
		Verification: &Verification{
			sessions: s.Sessions, verifier: o.Verifier, room: o.Room, verifying: make(chan struct{}, o.VerifyAtOnce), verifyWait: o.VerifyWait,
			record: o.Audit, now: o.Now, log: o.Log,
		},
		Drafts:  &Drafts{workflows: o.Workflows},
		Sandbox: &Sandbox{sandbox: s.Sandbox},
		Search:  &Search{sessions: s.Sessions, calls: o.Calls},
		Screening: &Screening{
			keeper: o.Watchlists, hits: s.Hits, sessions: s.Sessions, screens: &sessions.Screens{Source: o.Searched, Record: o.Audit, Now: o.Now}, now: o.Now,
		},
		Seen:    &Seen{sessions: s.Sessions, blocks: s.BlockList, galleries: s.Galleries},
		Exports: &Exports{tables: o.Tables},
	}
}
