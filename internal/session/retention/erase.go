package retention

import (
	"cmp"
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Receipt proves an erasing.
type Receipt struct {
	session.Erasure
	Entry audit.Entry  // its Position is -1 until the log's sequencer came by
	Proof *audit.Proof // nil until then
}

// Erase removes everything personal of a session, for ever, and of one that it follows or that follows it with another document: all of
// them or none. One that is not finished is cancelled first; one that was erased before answers as then. Problems: not_found,
// session.legal_hold, also where the other one is held.
func (s *Erasures) Erase(ctx context.Context, mode idv.Mode, id idv.SessionID) (Receipt, error) {
	rec, err := s.life.Record(ctx, mode, id)
	if err != nil {
		return Receipt{}, err
	}
	first := cmp.Or(rec.Follows, id) // locked first here and by whoever adds the second
	done := []idv.SessionID{first}
	_, err = s.life.Change(ctx, mode, first, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		if _, err := s.strike(ctx, tx, rec, session.ScopeAll, session.OnRequest); err != nil || rec.FollowedBy == "" {
			return err
		}
		next, err := tx.Lock(ctx, rec.FollowedBy)
		if err != nil {
			return err
		}
		done = append(done, next.ID)
		_, err = s.strike(ctx, tx, &next, session.ScopeAll, session.OnRequest)
		return err
	})
	if err != nil {
		return Receipt{}, err
	}
	s.clean(ctx, done)
	return s.Receipt(ctx, mode, id)
}

// clean finishes erasings at once, as well as it can: what is left is left to the job.
func (s *Erasures) clean(ctx context.Context, ids []idv.SessionID) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), cleanTime)
	defer cancel()
	if err := s.store.Clean(ctx, ids); err != nil {
		s.log.WarnContext(ctx, "erasing is not finished and will be tried again", "sessions", len(ids), "error", err)
	}
}

// cleanTime is how long a caller waits for an erasing to be finished; the keys are gone before.
const cleanTime = 10 * time.Second

// erase strikes a session in one transaction. false: it was done before.
func (s *Erasures) erase(ctx context.Context, id idv.SessionID, scope session.Scope, ground session.Ground) (bool, error) {
	fresh := false
	_, err := s.life.Change(ctx, "", id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		var err error
		fresh, err = s.strike(ctx, tx, rec, scope, ground)
		return err
	})
	return fresh && err == nil, err
}

// strike strikes a locked session, which is withdrawn first where it has not ended. false: it was done before.
func (s *Erasures) strike(ctx context.Context, tx session.Tx, rec *session.Record, scope session.Scope, ground session.Ground) (bool, error) {
	if !rec.ErasedAt.IsZero() || (scope == session.ScopePictures && !rec.PicturesErasedAt.IsZero()) {
		return false, nil
	}
	if !rec.HeldAt.IsZero() {
		return false, problem.New(problem.SessionLegalHold)
	}
	if !rec.State.Final() {
		if err := s.life.Move(ctx, tx, rec, idv.Withdrawn, nil); err != nil {
			return false, err
		}
	}
	return true, s.life.Strike(ctx, tx, rec, scope, ground)
}

// Receipt reads the receipt of a session's erasing; of its pictures, where only they were erased. Problems: not_found, also
// where nothing was erased.
func (s *Erasures) Receipt(ctx context.Context, mode idv.Mode, id idv.SessionID) (Receipt, error) {
	if _, err := s.life.Record(ctx, mode, id); err != nil {
		return Receipt{}, err
	}
	all, err := s.store.Erasures(ctx, id)
	if err != nil {
		return Receipt{}, err
	}
	if len(all) == 0 {
		return Receipt{}, problem.New(problem.NotFound)
	}
	out := Receipt{Erasure: all[len(all)-1]}
	out.Entry, out.Proof, err = s.store.EntryOf(ctx, id, string(session.ErasedAs[out.Scope]))
	return out, err
}

// FinishErasing is the job that finishes what a call or a server that died left undone. Running it twice does no harm.
func (s *Erasures) FinishErasing(ctx context.Context, id idv.SessionID) error {
	return s.store.Clean(ctx, []idv.SessionID{id})
}

// unfinishedAge is how old an erasure must be before the sweep finishes it: younger ones are still under way.
const unfinishedAge = 2 * time.Minute

// cleanBatch bounds how many erasings are finished together.
const cleanBatch = 16

// FinishStale finishes erasings whose job was lost.
func (s *Erasures) FinishStale(ctx context.Context) error {
	ids, err := s.store.Unfinished(ctx, s.life.Now().Add(-unfinishedAge), cleanBatch)
	if err != nil || len(ids) == 0 {
		return err
	}
	return s.store.Clean(ctx, ids)
}
