package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/vault"
)

type keysetRow struct {
	bun.BaseModel `bun:"table:keysets"`
	Owner         string    `bun:"owner"`
	Purpose       string    `bun:"purpose"`
	Wrapped       []byte    `bun:"wrapped"`
	CreatedAt     time.Time `bun:"created_at"`
	DestroyedAt   time.Time `bun:"destroyed_at,nullzero"`
}

// deploymentOwner owns the keyset of what belongs to no session.
const deploymentOwner = "deployment"

// deployment answers the deployment's keyset, which Migrate makes.
func (s *Store) deployment(ctx context.Context) (*vault.Keyset, error) {
	s.ownMu.Lock()
	defer s.ownMu.Unlock()
	if s.own != nil {
		return s.own, nil
	}
	if s.master == nil {
		return nil, errors.New("the store was opened without a master key")
	}
	k, err := loadKeyset(ctx, s.write, s.master, deploymentOwner, vault.Deployment)
	if err != nil {
		return nil, err
	}
	s.own = k
	return k, nil
}

// makeDeployment makes the deployment's keyset the first time, and tries it.
func (s *Store) makeDeployment(ctx context.Context) error {
	_, wrapped, err := s.master.NewKeyset(deploymentOwner, vault.Deployment)
	if err != nil {
		return err
	}
	row := keysetRow{Owner: deploymentOwner, Purpose: string(vault.Deployment), Wrapped: wrapped, CreatedAt: s.now()}
	if _, err := s.write.NewInsert().Model(&row).On("CONFLICT (owner, purpose) DO NOTHING").Exec(ctx); err != nil {
		return fmt.Errorf("make the deployment's keyset: %w", err)
	}
	_, err = s.deployment(ctx)
	return err
}

// errNoKeyset is that of a keyset that is not there.
var errNoKeyset = errors.New("a keyset is missing")

func loadKeyset(ctx context.Context, db bun.IDB, m *vault.Master, owner string, p vault.Purpose) (*vault.Keyset, error) {
	var row keysetRow
	err := db.NewSelect().Model(&row).Where("owner = ? AND purpose = ?", owner, string(p)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: %s", errNoKeyset, p)
	}
	if err != nil {
		return nil, fmt.Errorf("read keyset: %w", err)
	}
	return m.Open(owner, p, row.Wrapped)
}

// keyset answers a session's keyset. One that was destroyed is problem session.erased.
func (r *reader) keyset(ctx context.Context, id idv.SessionID, p vault.Purpose) (*vault.Keyset, error) {
	at := string(id) + "|" + string(p)
	k, known := r.cache[at]
	if !known {
		var err error
		if k, err = loadKeyset(ctx, r.db, r.s.master, string(id), p); err != nil && !errors.Is(err, vault.ErrDestroyed) {
			return nil, err
		}
		if r.cache != nil {
			r.cache[at] = k
		}
	}
	if k == nil {
		return nil, problem.New(problem.SessionErased)
	}
	return k, nil
}

// addKeysets draws the two keysets of a new session.
func (t *tx) addKeysets(ctx context.Context, id idv.SessionID) error {
	var rows []keysetRow
	for _, p := range []vault.Purpose{vault.Pictures, vault.Facts} {
		k, wrapped, err := t.s.master.NewKeyset(string(id), p)
		if err != nil {
			return err
		}
		rows = append(rows, keysetRow{Owner: string(id), Purpose: string(p), Wrapped: wrapped, CreatedAt: t.s.now()})
		t.cache[string(id)+"|"+string(p)] = k
	}
	return t.insert(ctx, &rows, "keysets")
}

// DestroyKeyset erases, for ever, everything that the keyset covers.
func (s *Store) DestroyKeyset(ctx context.Context, id idv.SessionID, p vault.Purpose) error {
	return s.inTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		return s.destroyKeyset(ctx, btx, id, p)
	})
}

func (s *Store) destroyKeyset(ctx context.Context, db bun.IDB, id idv.SessionID, p vault.Purpose) error {
	if p == vault.Pictures {
		if err := eraseMarks(ctx, db, id); err != nil {
			return err
		}
	}
	_, err := db.NewUpdate().Model((*keysetRow)(nil)).Set("wrapped = NULL").Set("destroyed_at = ?", s.now()).
		Where("owner = ? AND purpose = ? AND destroyed_at IS NULL", string(id), string(p)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("destroy keyset: %w", err)
	}
	return nil
}

// sealJSON seals a value as JSON for a column of the session, under its facts key.
func (r *reader) sealJSON(ctx context.Context, id idv.SessionID, column string, v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", column, err)
	}
	k, err := r.keyset(ctx, id, vault.Facts)
	if err != nil {
		return nil, err
	}
	return k.Seal(column, raw)
}

// unsealJSON opens what sealJSON sealed.
func (r *reader) unsealJSON(ctx context.Context, id idv.SessionID, column string, sealed []byte, v any) error {
	k, err := r.keyset(ctx, id, vault.Facts)
	if err != nil {
		return err
	}
	raw, err := k.Unseal(column, sealed)
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, v); err != nil {
		return fmt.Errorf("decode %s: %w", column, err)
	}
	return nil
}
