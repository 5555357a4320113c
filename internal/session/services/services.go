// Package services puts together what can be done with sessions.
package services

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/decision"
	"github.com/bonafide-id/bonafide/internal/session/retention"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/sandbox"
)

// Options configure Services. The zero value works.
type Options struct {
	Now    func() time.Time // defaults to time.Now
	Random io.Reader        // defaults to crypto/rand
	Log    *slog.Logger     // defaults to slog.Default

	ClaimLife time.Duration      // how long a reviewer has a case without doing anything; defaults to review.DefaultClaimLife
	Renderer  applicant.Renderer // of PDF files; without one a PDF file is no picture

	CaseTarget time.Duration           // within which a case should be decided; defaults to session.DefaultCaseTarget
	Deciders   review.Deciders         // who may decide cases; without it no case is given to anybody without their asking
	Wallet     applicant.WalletOptions // how wallets are asked
	Origins    session.Origins         // of networks; without it nothing is known of those from which sessions are opened
	Office     *mail.Office            // nil where nothing is mailed
	Seeks      decision.Seeks          // of faces of other sessions; without it every such search refers
}

// Services are the use cases of sessions, each safe for concurrent use.
type Services struct {
	Sessions *session.Service

	Applicant *applicant.Service
	Handoffs  *applicant.Handoffs
	Captures  *applicant.Captures
	Chips     *applicant.Chips
	Relays    *applicant.Relays
	Wallets   *applicant.Wallets
	Uploads   *applicant.Uploads

	Decisions *decision.Service

	Queue       *review.Queue
	Assignments *review.Assignments
	Quality     *review.Quality
	Rulings     *review.Rulings
	Pictures    *review.Pictures
	CaseFiles   *review.CaseFiles
	Views       *review.Views
	Hits        *review.Hits
	Links       *review.Links
	BlockList   *review.BlockList

	Erasures  *retention.Erasures
	Holds     *retention.Holds
	Exports   *retention.Exports
	Retention *retention.Retention

	Sandbox *sandbox.Service

	Galleries session.Galleries // nil where no faces are searched

	Life *session.Lifecycle // of use cases that put sessions into words of their own, such as screening them again
}

// New returns the Services over a store.
func New(st session.Store, pictures session.Pictures, engine session.Engine, o Options) *Services {
	log := cmp.Or(o.Log, slog.Default())
	life := session.NewLifecycle(st, pictures, engine, session.Options{Now: o.Now, Random: o.Random, Log: log, CaseTarget: o.CaseTarget, Office: o.Office})
	people := applicant.New(life, st, pictures, applicant.Options{Renderer: o.Renderer, Wallet: o.Wallet, Origins: o.Origins}, log)
	personas := sandbox.New(life, st, people, log)
	queue := review.NewQueue(life, st, o.ClaimLife)
	erasures := retention.NewErasures(life, st, log)
	return &Services{
		Sessions: session.New(life, st),

		Applicant: people,
		Handoffs:  people.Handoffs,
		Captures:  people.Captures,
		Chips:     people.Chips,
		Relays:    people.Relays,
		Wallets:   people.Wallets,
		Uploads:   people.Uploads,

		Decisions: decision.New(life, st, pictures, engine, personas, o.Seeks, log),

		Queue:       queue,
		Assignments: review.NewAssignments(life, st, queue, o.Deciders),
		Quality:     review.NewQuality(life, st),
		Rulings:     review.NewRulings(life, queue),
		Pictures:    review.NewPictures(life, st, pictures),
		CaseFiles:   review.NewCaseFiles(life, st),
		Views:       review.NewViews(life, st),
		Hits:        review.NewHits(life, st),
		Links:       review.NewLinks(life, st),
		BlockList:   review.NewBlockList(life, st),

		Erasures:  erasures,
		Holds:     retention.NewHolds(life, st),
		Exports:   retention.NewExports(life, st),
		Retention: retention.New(life, st, erasures, log),

		Sandbox: personas,

		Galleries: o.Seeks.Galleries,

		Life: life,
	}
}

// Handlers returns the handlers of the jobs that sessions need. A job of a session that was erased while it waited succeeds:
// nothing is left to do.
func (s *Services) Handlers() job.Handlers {
	return job.Handlers{
		Extract: func(ctx context.Context, a job.Extract) error {
			return ignoreErased(s.Decisions.Extract(ctx, a.Session, a.Capture))
		},
		Check: func(ctx context.Context, a job.Check) error {
			return ignoreErased(s.Decisions.Evaluate(ctx, a.Session))
		},
		Sweep: func(ctx context.Context, a job.Sweep) error {
			if len(a.Sessions) > 0 {
				return s.Decisions.SweepEach(ctx, a.Sessions)
			}
			return s.Sweep(ctx)
		},
		Erase:  func(ctx context.Context, a job.Erase) error { return s.Erasures.FinishErasing(ctx, a.Session) },
		Retain: s.Retention.Run,
		Expire: s.Expire,
		Assign: s.Assignments.Distribute,
	}
}

// Sweep finds sessions and erasures that nothing is under way for, and goes on with them.
func (s *Services) Sweep(ctx context.Context) error {
	return errors.Join(s.Erasures.FinishStale(ctx), s.Decisions.Sweep(ctx))
}

// Expire ends the sessions, claims of cases and uploads that have run out of time.
func (s *Services) Expire(ctx context.Context) error {
	return errors.Join(
		s.Queue.ReleaseExpired(ctx), s.Wallets.EndOverdue(ctx), s.Uploads.DropExpired(ctx), s.Sessions.Expire(ctx), s.Assignments.Distribute(ctx),
	)
}

func ignoreErased(err error) error {
	if problem.Has(err, problem.SessionErased) {
		return nil
	}
	return err
}
