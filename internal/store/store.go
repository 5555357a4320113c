// Package store keeps everything in SQL, on SQLite and on PostgreSQL, by one code path: bun writes the queries, goose moves
// the schema, River queues the jobs. It and the packages below it are the only ones that know any of them.
//
// What is kept is split by subject: sessions, workflows, webhooks, events, accounts, the audit log, figures. Package database
// opens the connections and runs transactions; groupcommit lets those of SQLite share a commit. Store puts them together.
//
// A use case writes in InTx: rows, audit entries, events and jobs commit together. Personal columns are sealed by the vault
// before they reach SQL.
package store

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"time"

	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/screening/monitor"
	"github.com/bonafide-id/bonafide/internal/store/accounts"
	"github.com/bonafide-id/bonafide/internal/store/anchors"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/backup"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/edge"
	"github.com/bonafide-id/bonafide/internal/store/erasing"
	"github.com/bonafide-id/bonafide/internal/store/events"
	"github.com/bonafide-id/bonafide/internal/store/figures"
	"github.com/bonafide-id/bonafide/internal/store/galleries"
	"github.com/bonafide-id/bonafide/internal/store/mails"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/schema"
	"github.com/bonafide-id/bonafide/internal/store/screenings"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/store/watchlists"
	"github.com/bonafide-id/bonafide/internal/store/webhooks"
	"github.com/bonafide-id/bonafide/internal/store/workflows"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/vault"
	"github.com/bonafide-id/bonafide/internal/webhook"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// Options configure a Store. Master and Blobs are required for everything but migrations; the other fields have defaults.
type Options struct {
	Master *vault.Master
	Blobs  *vault.Blobs
	Now    func() time.Time // defaults to time.Now
	Random io.Reader        // defaults to crypto/rand
	Log    *slog.Logger     // defaults to slog.Default
	Tracer *trace.Tracer    // nil for none
}

// Store is an open database together with its vault. It is safe for concurrent use.
type Store struct {
	*database.DB
	reader
	*auditlog.Log
	*events.Stream
	*workflows.Catalogue
	*webhooks.Endpoints
	*webhooks.Outbox
	*mails.Box
	*accounts.Members
	*accounts.APIKeys
	*accounts.Logins
	*accounts.CallLog
	*edge.Grants
	*anchors.Anchors
	*watchlists.Shelf
	*screenings.Screenings
	*erasing.Eraser
	*figures.Statistics
	*figures.History
	*figures.Machine
	*backup.Backups

	schema *schema.Schema
	queue  *queue.Queue
}

var (
	_ signin.Store         = (*Store)(nil)
	_ team.SetupStore      = (*Store)(nil)
	_ team.InvitationStore = (*Store)(nil)
	_ team.MemberStore     = (*Store)(nil)
	_ apikey.Store         = (*Store)(nil)
	_ webhook.Store        = (*Store)(nil)
	_ webhook.Outbox       = (*Store)(nil)
	_ mail.Store           = (*Store)(nil)
	_ workflow.Store       = (*Store)(nil)
	_ workflow.History     = (*Store)(nil)
	_ insight.Store        = (*Store)(nil)
	_ insight.Machine      = (*Store)(nil)
	_ register.Store       = (*Store)(nil)
	_ lists.Store          = (*Store)(nil)
	_ monitor.Store        = (*Store)(nil)
)

// Open connects to sqlite:PATH or postgres://…. It does not change the schema: see Migrate. Where the schema is there, the
// master key is tried, and a wrong one is vault.ErrWrongMaster.
func Open(ctx context.Context, where string, o Options) (*Store, error) {
	db, err := database.Open(ctx, where, database.Options(o))
	if err != nil {
		return nil, err
	}
	s, err := assemble(db)
	if err != nil {
		return nil, errors.Join(err, db.Close())
	}
	if err := s.tryMaster(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

// assemble puts the parts of a Store together over an open database.
func assemble(db *database.DB) (*Store, error) {
	q, err := queue.New(db)
	if err != nil {
		return nil, err
	}
	s := &Store{DB: db, schema: schema.New(db), queue: q, Log: auditlog.New(db), Stream: events.New(db), Grants: edge.NewGrants(db)}
	s.Catalogue = workflows.New(db, q)
	s.Endpoints, s.Outbox = webhooks.New(db, q)
	s.Box = mails.New(db, q)
	s.Members, s.APIKeys, s.Logins, s.CallLog = accounts.New(db, s.Log)
	s.Anchors = anchors.New(db)
	s.Shelf = watchlists.New(db, q)
	s.Screenings = screenings.New(db, q)
	s.Eraser = erasing.New(db, s.Log)
	s.Statistics, s.History, s.Machine = figures.New(db, s.schema)
	s.Backups = backup.New(backup.Parts{DB: db, Log: s.Log, Schema: s.schema, Eraser: s.Eraser, Queue: q, Migrate: s.migrate})
	s.reader = newReader(db.Reader(), s.Eraser)
	return s, nil
}

// tryMaster tries the master keys where the schema is there and a restore did not leave it out. It makes nothing: a
// restore wants the keyset of the backup.
func (s *Store) tryMaster(ctx context.Context) error {
	ok, err := s.Current(ctx)
	if err != nil || !ok || s.Master == nil {
		return err
	}
	switch _, err = s.Deployment(ctx); {
	case errors.Is(err, database.ErrNoKeyset):
		return nil
	case err != nil:
		return err
	}
	return s.TryMaster(ctx)
}

// Current reports whether the schema is what this binary needs.
func (s *Store) Current(ctx context.Context) (bool, error) { return s.schema.Current(ctx) }

// Close closes the connections. Nothing may use the Store any more.
func (s *Store) Close() error {
	s.Stream.Close()
	return s.DB.Close()
}

// Galleries returns the galleries of faces, whose faces are overwritten in memory as a part of every erasing from now on.
func (s *Store) Galleries(model func() galleries.Model) *galleries.Galleries {
	g := galleries.New(s.DB, model, galleries.Options{})
	s.Forgetting(g.ForgetFaces)
	return g
}

// Pictures returns the blobs of sessions, for services.New.
func (s *Store) Pictures() sessions.Pictures { return sessions.NewPictures(s.DB) }

// Replays returns the answers to calls with an idempotency key.
func (s *Store) Replays() edge.Replays { return edge.NewReplays(s.DB) }

// WorkflowNamed implements session.RecordReader outside of a transaction. What it returns is shared and must not be changed.
func (s *Store) WorkflowNamed(ctx context.Context, mode idv.Mode, name string) (idv.WorkflowVersion, error) {
	return s.Catalogue.WorkflowNamed(ctx, mode, name)
}
