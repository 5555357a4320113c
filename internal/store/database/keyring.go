package database

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Blind computes the index of a value under the deployment's key: case, spacing and Unicode form do not matter.
func (r *Reader) Blind(ctx context.Context, kind, value string) (string, error) {
	k, err := r.DB.Deployment(ctx)
	if err != nil {
		return "", err
	}
	normal := strings.ToUpper(strings.Join(strings.Fields(norm.NFKC.String(value)), " "))
	return k.Digest("blind."+kind, []byte(normal))
}

// KeysetRow is a keyset, wrapped under the master key.
type KeysetRow struct {
	bun.BaseModel `bun:"table:keysets"`
	Owner         string    `bun:"owner"`
	Purpose       string    `bun:"purpose"`
	Wrapped       []byte    `bun:"wrapped"`
	Master        string    `bun:"master"` // fingerprint of the master key that wrapped it; empty where nobody noted it
	CreatedAt     time.Time `bun:"created_at"`
	DestroyedAt   time.Time `bun:"destroyed_at,nullzero"`
}

// DeploymentOwner owns the keyset of what belongs to no session.
const DeploymentOwner = "deployment"

// Deployment returns the deployment's keyset, which Migrate makes.
func (d *DB) Deployment(ctx context.Context) (*vault.Keyset, error) {
	d.ownMu.Lock()
	defer d.ownMu.Unlock()
	if d.own != nil {
		return d.own, nil
	}
	if d.Master == nil {
		return nil, errors.New("the store was opened without a master key")
	}
	k, err := loadKeyset(ctx, d.Write, d.Master, DeploymentOwner, vault.Deployment)
	if err != nil {
		return nil, err
	}
	d.own = k
	return k, nil
}

// MakeDeployment makes the deployment's keyset the first time, and tries it.
func (d *DB) MakeDeployment(ctx context.Context) error {
	_, wrapped, err := d.Master.NewKeyset(DeploymentOwner, vault.Deployment)
	if err != nil {
		return err
	}
	row := KeysetRow{Owner: DeploymentOwner, Purpose: string(vault.Deployment), Wrapped: wrapped, Master: d.Master.Fingerprint(), CreatedAt: d.Now()}
	if _, err := d.Write.NewInsert().Model(&row).On("CONFLICT (owner, purpose) DO NOTHING").Exec(ctx); err != nil {
		return fmt.Errorf("make the deployment's keyset: %w", err)
	}
	_, err = d.Deployment(ctx)
	return err
}

// dayOwner owns the keyset of a day: what is digested under it cannot be linked once the key is gone.
func dayOwner(day time.Time) string { return "day:" + day.UTC().Format(time.DateOnly) }

// DayKeyset returns the keyset of a day, made the first time. Two servers that make one at once agree on the first.
func (t *Tx) DayKeyset(ctx context.Context, day time.Time) (*vault.Keyset, error) {
	return t.MakeOwnKeyset(ctx, dayOwner(day))
}

// OwnKeyset returns the keyset of an owner that is no session; ErrNoKeyset if there is none.
func (r *Reader) OwnKeyset(ctx context.Context, owner string) (*vault.Keyset, error) {
	return loadKeyset(ctx, r.Conn, r.DB.Master, owner, vault.Deployment)
}

// MakeOwnKeyset is OwnKeyset that makes the keyset the first time.
func (t *Tx) MakeOwnKeyset(ctx context.Context, owner string) (*vault.Keyset, error) {
	k, err := loadKeyset(ctx, t.Conn, t.DB.Master, owner, vault.Deployment)
	if err == nil || !errors.Is(err, ErrNoKeyset) {
		return k, err
	}
	_, wrapped, err := t.DB.Master.NewKeyset(owner, vault.Deployment)
	if err != nil {
		return nil, err
	}
	row := KeysetRow{Owner: owner, Purpose: string(vault.Deployment), Wrapped: wrapped, Master: t.DB.Master.Fingerprint(), CreatedAt: t.DB.Now()}
	if _, err := t.Conn.NewInsert().Model(&row).On("CONFLICT (owner, purpose) DO NOTHING").Exec(ctx); err != nil {
		return nil, fmt.Errorf("make the keyset of %s: %w", owner, err)
	}
	return loadKeyset(ctx, t.Conn, t.DB.Master, owner, vault.Deployment)
}

// DropDayKeysets deletes the keysets of days before one. Their digests mean nothing afterwards.
func (d *DB) DropDayKeysets(ctx context.Context, before time.Time) error {
	_, err := d.Write.NewDelete().Model((*KeysetRow)(nil)).Where("owner LIKE 'day:%' AND owner < ?", dayOwner(before)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("drop the keysets of days that are over: %w", err)
	}
	return nil
}

// ErrNoKeyset is returned for a keyset that is not in the database.
var ErrNoKeyset = errors.New("a keyset is missing")

func loadKeyset(ctx context.Context, db bun.IDB, m *vault.Master, owner string, p vault.Purpose) (*vault.Keyset, error) {
	var row KeysetRow
	err := db.NewSelect().Model(&row).Where("owner = ? AND purpose = ?", owner, string(p)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return nil, fmt.Errorf("%w: %s", ErrNoKeyset, p)
	}
	if err != nil {
		return nil, fmt.Errorf("read keyset: %w", err)
	}
	return m.Open(owner, p, row.Wrapped)
}

// ForgetDeployment drops the deployment's keyset that was opened: a restore brings another.
func (d *DB) ForgetDeployment() {
	d.ownMu.Lock()
	defer d.ownMu.Unlock()
	d.own = nil
}

// ForgetKeyset drops a session's keyset that was opened, before it is destroyed.
func (r *Reader) ForgetKeyset(id idv.SessionID, p vault.Purpose) {
	delete(r.keysets, string(id)+"|"+string(p))
}

// Keyset returns a session's keyset. One that was destroyed is problem session.erased.
func (r *Reader) Keyset(ctx context.Context, id idv.SessionID, p vault.Purpose) (*vault.Keyset, error) {
	at := string(id) + "|" + string(p)
	k, known := r.keysets[at]
	if !known {
		var err error
		if k, err = loadKeyset(ctx, r.Conn, r.DB.Master, string(id), p); err != nil && !errors.Is(err, vault.ErrDestroyed) {
			return nil, err
		}
		if r.keysets != nil {
			r.keysets[at] = k
		}
	}
	if k == nil {
		return nil, problem.New(problem.SessionErased)
	}
	return k, nil
}

// AddKeysets draws the two keysets of a new session.
func (t *Tx) AddKeysets(ctx context.Context, id idv.SessionID) error {
	var rows []KeysetRow
	for _, p := range []vault.Purpose{vault.Pictures, vault.Facts} {
		k, wrapped, err := t.DB.Master.NewKeyset(string(id), p)
		if err != nil {
			return err
		}
		rows = append(rows, KeysetRow{
			Owner: string(id), Purpose: string(p), Wrapped: wrapped, Master: t.DB.Master.Fingerprint(), CreatedAt: t.DB.Now(),
		})
		t.keysets[string(id)+"|"+string(p)] = k
	}
	return t.Insert(ctx, &rows, "keysets")
}

// SealJSON seals a value as JSON for a column of the session, under its facts key.
func (r *Reader) SealJSON(ctx context.Context, id idv.SessionID, column string, v any) ([]byte, error) {
	raw, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", column, err)
	}
	k, err := r.Keyset(ctx, id, vault.Facts)
	if err != nil {
		return nil, err
	}
	return k.Seal(column, raw)
}

// UnsealJSON opens what SealJSON sealed.
func (r *Reader) UnsealJSON(ctx context.Context, id idv.SessionID, column string, sealed []byte, v any) error {
	k, err := r.Keyset(ctx, id, vault.Facts)
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

// WithKeysets returns a Reader that holds the facts keysets of sessions, read with one statement.
func (r *Reader) WithKeysets(ctx context.Context, ids []string) (*Reader, error) {
	var rows []KeysetRow
	if err := r.Conn.NewSelect().Model(&rows).Where("owner IN (?) AND purpose = ?", bun.List(ids), string(vault.Facts)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read keysets: %w", err)
	}
	with := *r
	with.keysets = make(map[string]*vault.Keyset, len(rows))
	for _, row := range rows {
		if len(row.Wrapped) == 0 {
			with.keysets[row.Owner+"|"+row.Purpose] = nil // destroyed: Keyset returns session.erased
			continue
		}
		k, err := r.DB.Master.Open(row.Owner, vault.Facts, row.Wrapped)
		if err != nil {
			return nil, err
		}
		with.keysets[row.Owner+"|"+row.Purpose] = k
	}
	return &with, nil
}
