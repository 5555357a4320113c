// Package applicant answers the calls of the person who is verified, whose browser has the token of one session: one handler for
// each resource, its routes beside it.
package applicant

import (
	"log/slog"
	"slices"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/session/services"
)

// Options are what the handlers need.
type Options struct {
	Sessions  *services.Services
	Updates   *edge.Updates
	Room      *edge.Room
	Brand     string // who asks, where the workflow does not say
	PublicURL string // links start with it
	Log       *slog.Logger
}

// Handlers answer the calls, each those of one resource.
type Handlers struct {
	sessions   *Sessions
	captures   *Captures
	chips      *Chips
	wallets    *Wallets
	handoffs   *Handoffs
	events     *Events
	withdrawal *Withdrawal
	Sandbox    *Sandbox
}

// New returns the Handlers.
func New(o Options) *Handlers {
	s := o.Sessions
	next := &tasks{sessions: s.Sessions}
	return &Handlers{
		sessions:   &Sessions{sessions: s.Sessions, applicants: s.Applicant, tasks: next, brand: o.Brand},
		captures:   &Captures{captures: s.Captures, uploads: s.Uploads, applicants: s.Applicant, tasks: next, room: o.Room, log: o.Log},
		chips:      &Chips{chips: s.Chips, tasks: next, room: o.Room},
		wallets:    &Wallets{wallets: s.Wallets, tasks: next, room: o.Room},
		handoffs:   &Handoffs{handoffs: s.Handoffs, tasks: next, publicURL: o.PublicURL},
		events:     &Events{sessions: s.Sessions, applicants: s.Applicant, handoffs: s.Handoffs, tasks: next, updates: o.Updates},
		withdrawal: &Withdrawal{applicants: s.Applicant, tasks: next},
		Sandbox:    &Sandbox{sandbox: s.Sandbox, tasks: next},
	}
}

// Routes returns the calls, without that of the Sandbox.
func (h *Handlers) Routes() []edge.Route {
	return slices.Concat(
		h.sessions.Routes(), h.captures.Routes(), h.chips.Routes(), h.wallets.Routes(), h.handoffs.Routes(), h.events.Routes(), h.withdrawal.Routes(),
	)
}
