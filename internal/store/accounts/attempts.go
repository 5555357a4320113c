package accounts

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/store/auditlog"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// AttemptRow counts the wrong passwords and codes of an account from one network.
type AttemptRow struct {
	bun.BaseModel   `bun:"table:sign_in_attempts,alias:a"`
	Account         string    `bun:"account,pk"` // keyed digest of the address
	Network         string    `bun:"network,pk"` // keyed digest of a network that is known; "" for all others together
	Passwords       int       `bun:"passwords"`
	LastPasswordAt  time.Time `bun:"last_password_at,nullzero"`
	Codes           int       `bun:"codes"`
	LastCodeAt      time.Time `bun:"last_code_at,nullzero"`
	FailedPasswords int       `bun:"failed_passwords"`
	FailedCodes     int       `bun:"failed_codes"`
	FailedFrom      time.Time `bun:"failed_from,nullzero"`
	ExpiresAt       time.Time `bun:"expires_at"`
}

// ChangeAttempts implements signin.AttemptStore.
func (s *Logins) ChangeAttempts(
	ctx context.Context, normal, network string, expires time.Time, change func(*account.Attempts) error,
) error {
	of, from, err := s.attemptKey(ctx, normal, network)
	if err != nil {
		return err
	}
	return s.transact(ctx, func(ctx context.Context, t *auditlog.EntryWriter) error {
		row, err := s.lockAttempts(ctx, t, of, from)
		if err != nil {
			return err
		}
		a := row.attempts()
		if err := change(&a); err != nil {
			return err
		}
		row.set(a)
		if row.ExpiresAt.Before(expires) {
			row.ExpiresAt = expires
		}
		return writeAttempts(ctx, t, row)
	})
}

// SettleAttempts implements signin.AttemptStore.
func (s *Logins) SettleAttempts(ctx context.Context, normal, network string, expires time.Time) (account.Failures, error) {
	of, from, err := s.attemptKey(ctx, normal, network)
	if err != nil {
		return account.Failures{}, err
	}
	var all account.Failures
	err = s.transact(ctx, func(ctx context.Context, t *auditlog.EntryWriter) error {
		if from != "" {
			if err := addAttempts(ctx, t, AttemptRow{Account: of, Network: from, ExpiresAt: expires}); err != nil {
				return err
			}
		}
		var rows []AttemptRow
		if err := s.forUpdate(t.Conn.NewSelect().Model(&rows)).Where("account = ?", of).Order("network").Scan(ctx); err != nil {
			return fmt.Errorf("read attempts to sign in: %w", err)
		}
		all = account.Failures{}
		for _, row := range rows {
			a := row.attempts()
			known := row.Network == from && from != ""
			if known {
				row.ExpiresAt = expires
			}
			if !known && !a.Failures.Any() {
				continue
			}
			all = all.Plus(a.Failures)
			a.Failures = account.Failures{}
			row.set(a)
			if err := writeAttempts(ctx, t, row); err != nil {
				return err
			}
		}
		return nil
	})
	return all, err
}

// attemptKey returns the digests under which the attempts of an account from a network are kept.
func (s *Logins) attemptKey(ctx context.Context, normal, network string) (of, from string, err error) {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return "", "", err
	}
	if of, err = k.Digest("blind.attempts", []byte(normal)); err != nil || network == "" {
		return of, "", err
	}
	from, err = k.Digest("blind.attempts.network", []byte(normal+"\x00"+network))
	return of, from, err
}

// lockAttempts reads the row of a network where it is known, otherwise that of all others, and makes the latter where it is missing.
func (s *Logins) lockAttempts(ctx context.Context, t *auditlog.EntryWriter, of, from string) (AttemptRow, error) {
	now := s.db.Now()
	for range 2 {
		var rows []AttemptRow
		q := s.forUpdate(t.Conn.NewSelect().Model(&rows)).Where("account = ? AND network IN ('', ?)", of, from).Order("network DESC")
		if err := q.Scan(ctx); err != nil {
			return AttemptRow{}, fmt.Errorf("read attempts to sign in: %w", err)
		}
		for _, row := range rows {
			if row.ExpiresAt.After(now) {
				return row, nil
			}
			if row.Network == "" {
				return AttemptRow{Account: of, ExpiresAt: now}, nil
			}
		}
		if err := addAttempts(ctx, t, AttemptRow{Account: of, ExpiresAt: now.Add(account.UnknownAttemptsLife)}); err != nil {
			return AttemptRow{}, err
		}
	}
	return AttemptRow{}, fmt.Errorf("count an attempt to sign in: the row was removed twice")
}

// forUpdate locks the rows of a query until the transaction ends.
func (s *Logins) forUpdate(q *bun.SelectQuery) *bun.SelectQuery {
	if s.db.Engine() == "postgres" { // SQLite has one writer
		return q.For("UPDATE")
	}
	return q
}

// addAttempts adds a row unless it is there.
func addAttempts(ctx context.Context, t *auditlog.EntryWriter, row AttemptRow) error {
	if _, err := t.Conn.NewInsert().Model(&row).On("CONFLICT (account, network) DO NOTHING").Returning("NULL").Exec(ctx); err != nil {
		return fmt.Errorf("count attempts to sign in: %w", err)
	}
	return nil
}

func writeAttempts(ctx context.Context, t *auditlog.EntryWriter, row AttemptRow) error {
	if _, err := t.Conn.NewUpdate().Model(&row).WherePK().Exec(ctx); err != nil {
		return fmt.Errorf("count attempts to sign in: %w", err)
	}
	return nil
}

func (r *AttemptRow) attempts() account.Attempts {
	return account.Attempts{
		Passwords: r.Passwords, LastPasswordAt: database.UTC(r.LastPasswordAt), Codes: r.Codes, LastCodeAt: database.UTC(r.LastCodeAt),
		Failures: account.Failures{Passwords: r.FailedPasswords, Codes: r.FailedCodes, Since: database.UTC(r.FailedFrom)},
	}
}

func (r *AttemptRow) set(a account.Attempts) {
	r.Passwords, r.LastPasswordAt, r.Codes, r.LastCodeAt = a.Passwords, a.LastPasswordAt, a.Codes, a.LastCodeAt
	r.FailedPasswords, r.FailedCodes, r.FailedFrom = a.Failures.Passwords, a.Failures.Codes, a.Failures.Since
}
