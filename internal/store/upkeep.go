package store

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/store/accounts"
	"github.com/bonafide-id/bonafide/internal/store/edge"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
)

// handoffsKept is how long a hand-off can be watched and handed back: longer than a session that nobody reopens.
const handoffsKept = 30 * 24 * time.Hour

// Work works jobs until the context ends, and then waits up to ten seconds for those under way. A job that takes longer is
// canceled and tried again later. Handlers of what the store does itself may be nil; without Deliver or Mail, what is due stays so.
func (s *Store) Work(ctx context.Context, h job.Handlers, o queue.WorkOptions) error {
	if h.Sequence == nil {
		h.Sequence = s.Sequence
	}
	if h.Tidy == nil {
		h.Tidy = s.Tidy
	}
	if h.Sum == nil {
		h.Sum = s.SumDays
	}
	if h.Deliver == nil {
		h.Deliver = func(context.Context, job.Deliver) error { return nil }
		h.Redeliver = func(context.Context) error { return nil }
	}
	withoutLists(&h)
	if h.Mail == nil {
		h.Mail = func(context.Context, job.Mail) error { return nil }
		h.Notice = func(context.Context) error { return nil }
	}
	return s.queue.Work(ctx, h, queue.Upkeep{
		Adopt:    s.ReleaseLeases,
		Expire:   func(ctx context.Context) error { return errors.Join(s.dropExpired(ctx), s.DropDeliveries(ctx)) },
		Sequence: s.PlaceEvents,
	}, o)
}

// withoutLists fills in handlers that do nothing where nothing keeps watchlists or fetches revocation lists.
func withoutLists(h *job.Handlers) {
	if h.SweepLists == nil {
		h.SweepLists = func(context.Context) error { return nil }
	}
	if h.FetchList == nil {
		h.FetchList = func(context.Context, job.FetchList) error { return nil }
	}
	if h.FetchRevocations == nil {
		h.FetchRevocations = func(context.Context) error { return nil }
	}
	if h.Rescreen == nil {
		h.Rescreen = func(context.Context, job.Rescreen) error { return nil }
	}
}

// Serve notes that this process answers calls, until release. Calls that a server was answering when it died are over: on SQLite,
// where a lock says that no other server runs, their idempotency keys are freed at once, so that clients can repeat them. Elsewhere
// they are free after a minute.
func (s *Store) Serve(ctx context.Context) (release func() error, err error) {
	if s.File == "" {
		return func() error { return nil }, nil
	}
	lock, err := s.TryLock("server", true)
	if err != nil {
		return nil, err
	}
	if lock == nil { // another server runs, and what it has not answered is its own
		if lock, err = s.TryLock("server", false); err != nil {
			return nil, err
		}
		if lock == nil { // it is starting at this moment
			return func() error { return nil }, nil
		}
		return lock.Release, nil
	}
	if err := errors.Join(s.Replays().ReleaseAll(ctx), lock.Share()); err != nil {
		return nil, errors.Join(err, lock.Release())
	}
	return lock.Release, nil
}

// dropExpired removes console sessions, attempts to sign in, idempotency keys, invitations, links to reset a password, and hand-offs whose time is over.
func (s *Store) dropExpired(ctx context.Context) error {
	now := s.Now()
	if _, err := s.Write.NewDelete().Model((*accounts.WebRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop expired console sessions: %w", err)
	}
	if _, err := s.Write.NewDelete().Model((*edge.ReplayRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop expired idempotency keys: %w", err)
	}
	if _, err := s.Write.NewDelete().Model((*accounts.CeremonyRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop challenges that nobody answered: %w", err)
	}
	if _, err := s.Write.NewDelete().Model((*accounts.AttemptRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop old attempts to sign in: %w", err)
	}
	if _, err := s.Write.NewDelete().Model((*accounts.InvitationRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop expired invitations: %w", err)
	}
	if _, err := s.Write.NewDelete().Model((*accounts.ResetRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop expired links to reset a password: %w", err)
	}
	if _, err := s.Write.NewDelete().Model((*edge.GrantRow)(nil)).Where("expires_at <= ?", now).Exec(ctx); err != nil {
		return fmt.Errorf("drop granted calls: %w", err)
	}
	if err := sessions.DropForgotten(ctx, s.DB); err != nil {
		return err
	}
	if err := s.DropOldFaces(ctx); err != nil {
		return err
	}
	if _, err := s.Write.NewDelete().Model((*sessions.HandoffRow)(nil)).Where("made_at <= ?", now.Add(-handoffsKept)).Exec(ctx); err != nil {
		return fmt.Errorf("drop old hand-offs: %w", err)
	}
	return nil
}

// orphanAge is how old a blob has to be before it can count as an orphan: its row may be a moment behind.
const orphanAge = 24 * time.Hour

// orphanBatch bounds one look into the database.
const orphanBatch = 200

// Tidy removes calls that were kept long enough, and blobs that no row refers to. The latter are what is left when a step fails between writing its blob
// and its rows.
func (s *Store) Tidy(ctx context.Context) error {
	return errors.Join(s.ForgetCalls(ctx), s.DropLeft(ctx), s.dropOrphans(ctx))
}

// dropOrphans removes blobs that no row refers to.
func (s *Store) dropOrphans(ctx context.Context) error {
	if s.Blobs == nil {
		return nil
	}
	var names []string
	removed := 0
	flush := func() error {
		n, err := s.RemoveOrphans(ctx, names)
		names, removed = names[:0], removed+n
		return err
	}
	err := s.Blobs.ListBefore(ctx, s.Now().Add(-orphanAge), func(name string) error {
		if names = append(names, name); len(names) < orphanBatch {
			return nil
		}
		return flush()
	})
	if err == nil {
		err = flush()
	}
	if removed > 0 {
		s.Logger.InfoContext(ctx, "orphan blobs removed", "count", removed)
	}
	return err
}
