package database

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/vault"
)

// rewrapBatch is how many keysets are wrapped anew in one transaction, and rewrapPause how long Rewrap waits for rows that others
// have locked.
const (
	rewrapBatch = 50
	rewrapPause = 50 * time.Millisecond
)

// ErrMixedMaster is a vault.ErrWrongMaster: some keysets open, others need a master key that was not given.
var ErrMixedMaster = fmt.Errorf("the master key is being changed, and one of the two keys is missing: give both, "+
	"--master-key and --other-master-key, until bonafide rotate-master-key says that it is done (%w)", vault.ErrWrongMaster)

// WrappedBy counts the keysets that were not destroyed by the fingerprint of the master key that wrapped them; empty where nobody
// noted it.
func (d *DB) WrappedBy(ctx context.Context) (map[string]int, error) {
	var rows []struct {
		Master string `bun:"master"`
		N      int    `bun:"n"`
	}
	err := d.Read.NewSelect().Model((*KeysetRow)(nil)).Column("master").ColumnExpr("COUNT(*) AS n").
		Where("destroyed_at IS NULL").Group("master").Scan(ctx, &rows)
	if err != nil {
		return nil, fmt.Errorf("count keysets: %w", err)
	}
	out := map[string]int{}
	for _, r := range rows {
		out[r.Master] = r.N
	}
	return out, nil
}

// masters returns the fingerprints that WrappedBy counts, without counting.
func (d *DB) masters(ctx context.Context) ([]string, error) {
	var out []string
	q := d.Read.NewSelect().Model((*KeysetRow)(nil)).Column("master").Where("destroyed_at IS NULL").Order("master").Limit(1)
	for {
		var next []string
		if err := q.Scan(ctx, &next); err != nil {
			return nil, fmt.Errorf("look for master keys: %w", err)
		}
		if len(next) == 0 {
			return out, nil
		}
		out = append(out, next[0])
		q = d.Read.NewSelect().Model((*KeysetRow)(nil)).Column("master").Where("destroyed_at IS NULL").
			Where("master > ?", next[0]).Order("master").Limit(1)
	}
}

// TryMaster returns ErrMixedMaster unless every keyset was wrapped by one of the master keys that were given. Of those that do not
// say by which, it tries one.
func (d *DB) TryMaster(ctx context.Context) error {
	found, err := d.masters(ctx)
	if err != nil {
		return err
	}
	known := map[string]bool{}
	for _, f := range d.Master.Fingerprints() {
		known[f] = true
	}
	for _, f := range found {
		switch {
		case f == "":
			err = d.tryUnnoted(ctx)
		case !known[f]:
			err = ErrMixedMaster
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (d *DB) tryUnnoted(ctx context.Context) error {
	var rows []KeysetRow
	if err := d.Read.NewSelect().Model(&rows).Where("destroyed_at IS NULL AND master = ''").Limit(1).Scan(ctx); err != nil {
		return fmt.Errorf("read a keyset: %w", err)
	}
	for _, r := range rows {
		if _, err := d.Master.Open(r.Owner, vault.Purpose(r.Purpose), r.Wrapped); errors.Is(err, vault.ErrWrongMaster) {
			return ErrMixedMaster
		}
	}
	return nil
}

// Rewrap wraps every keyset by the master key that wraps, whichever of the master keys wrapped it before. It may run while servers
// do, also several times at once; one that is interrupted goes on at the next call. The deployment's keyset comes last: until
// then nothing starts without the key of before. progress is called after each transaction with how many keysets this call has
// wrapped.
func (d *DB) Rewrap(ctx context.Context, progress func(done int)) (int, error) {
	done := 0
	for _, last := range []bool{false, true} {
		n, err := d.rewrapAll(ctx, last, func(n int) { progress(done + n) })
		if done += n; err != nil {
			return done, err
		}
	}
	return done, nil
}

// rewrapAll wraps the keysets of sessions, or that of the deployment.
func (d *DB) rewrapAll(ctx context.Context, deployment bool, progress func(done int)) (int, error) {
	done := 0
	for {
		stale, err := d.stale(ctx, deployment)
		if err != nil || len(stale) == 0 {
			return done, err
		}
		n := 0
		err = d.RunInTx(ctx, func(ctx context.Context, tx bun.Tx) error {
			var err error
			n, err = d.rewrapSome(ctx, tx, stale[0], deployment)
			return err
		})
		if err != nil {
			return done, err
		}
		if done += n; n > 0 {
			progress(done)
			continue
		}
		select { // all of them are locked: they are being erased, or wrapped by another call
		case <-ctx.Done():
			return done, ctx.Err()
		case <-time.After(rewrapPause):
		}
	}
}

// stale returns the fingerprints of the master keys that wrapped keysets which Rewrap has to wrap.
func (d *DB) stale(ctx context.Context, deployment bool) ([]string, error) {
	found, err := d.masters(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, f := range found {
		if f == d.Master.Fingerprint() {
			continue
		}
		there, err := ofDeployment(d.Read.NewSelect().Model((*KeysetRow)(nil)).Where("destroyed_at IS NULL AND master = ?", f), deployment).Exists(ctx)
		if err != nil {
			return nil, fmt.Errorf("look for keysets: %w", err)
		}
		if there {
			out = append(out, f)
		}
	}
	return out, nil
}

func ofDeployment(q *bun.SelectQuery, yes bool) *bun.SelectQuery {
	if yes {
		return q.Where("owner = ?", DeploymentOwner)
	}
	return q.Where("owner <> ?", DeploymentOwner)
}

// rewrapSome wraps a batch. A row that somebody else has locked is left for later, so that an erasing never waits in a circle;
// a keyset that was destroyed stays destroyed.
func (d *DB) rewrapSome(ctx context.Context, tx bun.Tx, master string, deployment bool) (int, error) {
	var rows []KeysetRow
	q := ofDeployment(tx.NewSelect().Model(&rows).Where("destroyed_at IS NULL AND master = ?", master), deployment).Limit(rewrapBatch)
	if d.Pool != nil {
		q = q.For("UPDATE SKIP LOCKED") // on SQLite the transaction already is the only writer
	}
	if err := q.Scan(ctx); err != nil {
		return 0, fmt.Errorf("read keysets: %w", err)
	}
	for _, r := range rows {
		wrapped, err := d.Master.Rewrap(r.Owner, vault.Purpose(r.Purpose), r.Wrapped)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", r.Owner, err)
		}
		_, err = tx.NewUpdate().Model((*KeysetRow)(nil)).Set("wrapped = ?", wrapped).Set("master = ?", d.Master.Fingerprint()).
			Where("owner = ? AND purpose = ? AND destroyed_at IS NULL", r.Owner, r.Purpose).Exec(ctx)
		if err != nil {
			return 0, fmt.Errorf("keep a keyset: %w", err)
		}
	}
	return len(rows), nil
}
