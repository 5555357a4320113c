// Package console answers the calls of the console, made by members who are signed in: one handler for each resource, its routes
// beside it.
package console

import (
	"context"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/screening/monitor"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// Options are what the handlers need.
type Options struct {
	Sessions    *services.Services
	Workflows   *workflow.Service
	Trust       *register.Register
	Screening   ScreeningOptions
	Insight     *insight.Service
	SignIn      signin.Methods
	Setup       *team.Setup
	Invitations *team.Invitations
	Members     *team.Members
	Keys        *apikey.Service

	Office   *mail.Office // nil for no mail
	Calls    *sessions.Calls
	Tables   *sessions.Tables
	Edge     *edge.Edge
	Room     *edge.Room
	AuditLog AuditLog
	CallLog  edge.CallLog // nil where none is written

	Brand     string // what authenticator apps call the issuer of codes
	PublicURL string // links start with it
	Audit     func(context.Context, audit.Record) error
	Now       func() time.Time
	Log       *slog.Logger
}

// Handlers answer the calls, each those of one resource.
type Handlers struct {
	SignIn      *SignIn
	Sessions    *Sessions
	Erasures    *Erasures
	Retention   *Retention
	Events      *Events
	Cases       *Cases
	Assignments *Assignments
	Quality     *Quality
	Team        *Team
	Account     *Account
	Workflows   *Workflows
	Passkeys    *Passkeys
	SSO         *SSO
	Keys        *Keys
	Sandbox     *Sandbox
	CallLog     *CallLog
	CaseFiles   *CaseFiles
	Audit       *Audit
	Search      *Search
	Exports     *Exports
	Views       *Views
	Insight     *Insight
	Trust       *Trust
	Mails       *Mails
	Resets      *Resets

	Watchlists *Watchlists
	Screening  *Screening
	Seen       *Seen
}

// ScreeningOptions are the watchlists, and who is screened against them.
type ScreeningOptions struct {
	Lists   *lists.Keeper
	Live    Searched
	Monitor *monitor.Monitor
	Fetch   func(context.Context, idv.WatchlistID) error // enqueues the job that fetches a list
}

// Searched is what the server searches (lists.Live).
type Searched interface {
	Compiled
	screening.Source
}

// New returns the Handlers.
func New(o Options) *Handlers {
	s, consoles := o.Sessions, o.Edge.Consoles
	found := &access{sessions: s.Sessions}
	shown := &proofs{consoles: consoles, tries: o.Edge.Logins, record: o.Audit}
	cases := &Cases{
		queue: s.Queue, rulings: s.Rulings, sessions: s.Sessions, members: o.Members, access: found, updates: o.Edge.Updates, now: o.Now,
	}
	erasures := &Erasures{erasures: s.Erasures, holds: s.Holds, calls: o.Calls, access: found}
	return &Handlers{
		SignIn: &SignIn{
			setup: o.Setup, passwords: o.SignIn.Passwords, passkeys: o.SignIn.Passkeys, sso: o.SignIn.SSO,
			consoles: consoles, proofs: shown, tries: o.Edge.Logins, record: o.Audit, office: o.Office,
		},
		Sessions:    &Sessions{sessions: s.Sessions, pictures: s.Pictures, calls: o.Calls, access: found, cases: cases, erasures: erasures},
		Erasures:    erasures,
		Retention:   &Retention{retention: s.Retention, holds: s.Holds, members: o.Members},
		Events:      &Events{sessions: s.Sessions, access: found, updates: o.Edge.Updates},
		Cases:       cases,
		Assignments: &Assignments{assignments: s.Assignments, members: o.Members},
		Quality:     &Quality{quality: s.Quality, members: o.Members},
		Team:        &Team{members: o.Members, invitations: o.Invitations, keys: o.Keys, publicURL: o.PublicURL, office: o.Office, log: o.Log},
		Account: &Account{
			invitations: o.Invitations, passwords: o.SignIn.Passwords, authenticators: o.SignIn.Authenticators,
			signInSessions: o.SignIn.Sessions, consoles: consoles, proofs: shown, brand: o.Brand, members: o.Members,
		},
		Workflows: &Workflows{workflows: o.Workflows},
		Passkeys: &Passkeys{
			passkeys: o.SignIn.Passkeys, passwords: o.SignIn.Passwords, consoles: consoles, proofs: shown,
			tries: o.Edge.Logins, record: o.Audit, now: o.Now,
		},
		SSO: &SSO{
			sso: o.SignIn.SSO, passkeys: o.SignIn.Passkeys, consoles: consoles, proofs: shown, record: o.Audit, log: o.Log,
		},
		Keys:      &Keys{keys: o.Keys, now: o.Now},
		Sandbox:   &Sandbox{sandbox: s.Sandbox, access: found},
		CallLog:   &CallLog{log: o.CallLog, keys: o.Keys},
		CaseFiles: &CaseFiles{caseFiles: s.CaseFiles, members: o.Members, access: found, room: o.Room, log: o.Log},
		Audit:     &Audit{log: o.AuditLog, members: o.Members},
		Search:    &Search{sessions: s.Sessions, calls: o.Calls},
		Exports:   &Exports{tables: o.Tables},
		Views:     &Views{views: s.Views},
		Insight:   &Insight{insight: o.Insight, members: o.Members},
		Trust:     &Trust{register: o.Trust, members: o.Members},
		Mails:     &Mails{office: o.Office, tries: o.Edge.Logins},
		Resets:    &Resets{resets: o.SignIn.Resets, office: o.Office, tries: o.Edge.Resets, now: o.Now, log: o.Log},

		Watchlists: &Watchlists{keeper: o.Screening.Lists, live: o.Screening.Live, fetch: o.Screening.Fetch, now: o.Now},
		Screening: &Screening{
			hits: s.Hits, monitor: o.Screening.Monitor, access: found, members: o.Members,
			screens: &sessions.Screens{Source: o.Screening.Live, Record: o.Audit, Now: o.Now},
		},
		Seen: &Seen{sessions: s.Sessions, links: s.Links, blocks: s.BlockList, access: found, members: o.Members, galleries: s.Galleries},
	}
}
