package backup

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/erasing"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// revived is a session whose rows are as before an erasing that destroyed its keys.
type revived struct {
	Session  string    `bun:"id"`
	State    string    `bun:"state"`
	ErasedAt time.Time `bun:"destroyed_at"`
	scope    session.Scope
}

// eraseAgain erases the sessions whose keys are destroyed and whose rows are as before, and returns them.
func (s *Backups) eraseAgain(ctx context.Context) ([]idv.SessionID, error) {
	var struck []idv.SessionID
	for _, scope := range []session.Scope{session.ScopeAll, session.ScopePictures} {
		some, err := s.revived(ctx, scope)
		if err != nil {
			return nil, err
		}
		for _, r := range some {
			if err := s.eraseOneAgain(ctx, r); err != nil {
				return nil, err
			}
			struck = append(struck, idv.SessionID(r.Session))
		}
	}
	return struck, s.eraser.Clean(ctx, struck)
}

func (s *Backups) revived(ctx context.Context, scope session.Scope) ([]revived, error) {
	purpose, noted := vault.Facts, "erased_at"
	if scope == session.ScopePictures {
		purpose, noted = vault.Pictures, "pictures_erased_at"
	}
	var out []revived
	err := s.db.Write.NewSelect().TableExpr("sessions AS s").ColumnExpr("s.id, s.state, k.destroyed_at").
		Join("JOIN keysets AS k ON k.owner = s.id AND k.purpose = ?", string(purpose)).
		Where("k.destroyed_at IS NOT NULL AND s.? IS NULL", bun.Ident(noted)).OrderExpr("s.id").Scan(ctx, &out)
	if err != nil {
		return nil, fmt.Errorf("look for erasings since: %w", err)
	}
	for i := range out {
		out[i].scope = scope
	}
	return out, nil
}

// eraseOneAgain does in one transaction what erasing did to the rows. The keys cannot open them any more, so that nothing of it
// needs them; the statement of then stays the receipt.
func (s *Backups) eraseOneAgain(ctx context.Context, r revived) error {
	id := idv.SessionID(r.Session)
	ctx = audit.WithActor(ctx, audit.Actor{Kind: audit.System})
	return s.db.Transact(ctx, func(ctx context.Context, dtx *database.Tx) error {
		t := s.in(dtx)
		if err := t.endSession(ctx, r); err != nil {
			return err
		}
		if _, err := t.ApplyFates(ctx, id, r.scope); err != nil {
			return err
		}
		if r.scope == session.ScopePictures {
			if err := sessions.EraseMarks(ctx, t.Conn, id); err != nil {
				return err
			}
		}
		return t.noteStruck(ctx, r)
	})
}

// endSession ends what was under way when the data was backed up: nothing is erased before it came to its end.
func (t *tx) endSession(ctx context.Context, r revived) error {
	if !idv.SessionState(r.State).Final() {
		_, err := t.Conn.NewUpdate().TableExpr("sessions").Set("state = ?", string(idv.Cancelled)).Where("id = ?", r.Session).Exec(ctx)
		if err != nil {
			return fmt.Errorf("cancel a session: %w", err)
		}
	}
	_, err := t.Conn.NewUpdate().TableExpr("cases").Set("state = ?", string(idv.CaseClosed)).Set("closed_at = ?", r.ErasedAt).
		Set("claimed_until = NULL").Where("session_id = ? AND closed_at IS NULL", r.Session).Exec(ctx)
	if err != nil {
		return fmt.Errorf("close a case: %w", err)
	}
	return t.LiftHold(ctx, idv.SessionID(r.Session), string(audit.System), r.ErasedAt)
}

// noteStruck notes the erasing in the session, in the audit log and in the events.
func (t *tx) noteStruck(ctx context.Context, r revived) error {
	id := idv.SessionID(r.Session)
	q := t.Conn.NewUpdate().TableExpr("sessions").Set("version = version + 1").Set("pictures_erased_at = COALESCE(pictures_erased_at, ?)", r.ErasedAt).
		Where("id = ?", r.Session)
	kind := session.EventPicturesErased
	if r.scope == session.ScopeAll {
		q, kind = q.Set("erased_at = ?", r.ErasedAt), session.EventErased
	}
	if _, err := q.Exec(ctx); err != nil {
		return fmt.Errorf("note an erasing: %w", err)
	}
	all, err := t.erasures.Erasures(ctx, id)
	if err != nil {
		return err
	}
	var said session.Statement
	rec := audit.Record{Action: string(kind), Session: id}
	for _, e := range all {
		if e.Scope == r.scope {
			rec.Subject = session.StatementDigest(e.Statement)
			if err := json.Unmarshal([]byte(e.Statement), &said); err != nil {
				return fmt.Errorf("read a statement: %w", err)
			}
		}
	}
	if _, err := t.Conn.NewUpdate().Model((*erasing.ErasureRow)(nil)).Set("finished_at = NULL").Where("session_id = ?", r.Session).Exec(ctx); err != nil {
		return fmt.Errorf("take an erasing up again: %w", err)
	}
	if err := t.Audit(ctx, rec); err != nil {
		return err
	}
	event, err := idv.NewID[idv.EventID](t.DB.Now(), t.DB.Random)
	if err != nil {
		return err
	}
	return t.AddEvent(ctx, session.Event{
		ID: event, Session: id, Type: kind, At: t.DB.Now(), Actor: string(audit.System), Payload: map[string]any{"ground": said.Ground},
	})
}
