// Package applicant does what an applicant's browser asks for: it opens links, takes answers and pictures, issues liveness
// challenges, and moves a session from one browser to another.
package applicant

import (
	"log/slog"

	"github.com/bonafide-id/bonafide/internal/session"
)

// Service opens sessions for applicants and takes every answer that is no picture. It is safe for concurrent use.
type Service struct {
	*challenges
	origins  session.Origins
	Handoffs *Handoffs
	Captures *Captures
	Chips    *Chips
	Relays   *Relays
	Wallets  *Wallets
	Uploads  *Uploads
}

// Options configure a Service. The zero value works.
type Options struct {
	Renderer Renderer // of PDF files; without one a PDF file is no picture
	Wallet   WalletOptions
	Origins  session.Origins // without it nothing is known of the network from which a session is opened
}

// New returns a Service with its Handoffs, Captures, Chips, Relays, Wallets and Uploads.
func New(life *session.Lifecycle, st Store, pictures session.Pictures, o Options, log *slog.Logger) *Service {
	c := &challenges{turns: &turns{life: life, store: st}}
	captures := &Captures{challenges: c, pictures: pictures, renderer: o.Renderer, log: log}
	chips := &Chips{captures: captures}
	return &Service{
		challenges: c,
		origins:    o.Origins,
		Handoffs:   &Handoffs{challenges: c},
		Captures:   captures,
		Chips:      chips,
		Relays:     newRelays(chips),
		Wallets:    &Wallets{captures: captures, options: o.Wallet},
		Uploads:    &Uploads{challenges: c, captures: captures, pictures: pictures, log: log},
	}
}

// turns answers whose turn it is and what comes next.
type turns struct {
	life  *session.Lifecycle
	store Store
}

// challenges issues the liveness challenges of steps that take frames.
type challenges struct{ *turns }

// Handoffs moves sessions from one browser to another.
type Handoffs struct{ *challenges }

// Captures takes pictures and recordings.
type Captures struct {
	*challenges
	pictures session.Pictures
	renderer Renderer
	log      *slog.Logger
}

// Uploads takes pictures in parts.
type Uploads struct {
	*challenges
	captures *Captures
	pictures session.Pictures
	log      *slog.Logger
}
