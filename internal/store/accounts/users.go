package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

type userRow struct {
	bun.BaseModel `bun:"table:users,alias:u"`
	ID            string         `bun:"id"`
	EmailDigest   string         `bun:"email_digest"`
	Personal      []byte         `bun:"personal"`
	PasswordHash  string         `bun:"password_hash"`
	Roles         []account.Role `bun:"roles,type:json"`
	CreatedAt     time.Time      `bun:"created_at"`
	LastLoginAt   time.Time      `bun:"last_login_at,nullzero"`
	DisabledAt    time.Time      `bun:"disabled_at,nullzero"`
	SessionsFrom  time.Time      `bun:"sessions_from,nullzero"`
	Factor        []byte         `bun:"factor"`
	SubjectDigest *string        `bun:"subject_digest"`
}

// member is the part of a user that says who somebody is; it is sealed under the deployment's key.
type member struct {
	Name   string `json:"name"`
	Email  string `json:"email"`
	Normal string `json:"normal"`

	Subject account.Subject  `json:"subject,omitzero"`
	Notices []account.Notice `json:"notices,omitempty"`
}

// CountUsers implements team.SetupStore and signin.SSOStore.
func (s *Members) CountUsers(ctx context.Context) (int, error) {
	n, err := s.db.Read.NewSelect().Model((*userRow)(nil)).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count users: %w", err)
	}
	return int(n), nil
}

// UserByEmail implements team.MemberReader, team.InvitationStore and signin.PasswordStore.
func (s *Members) UserByEmail(ctx context.Context, normal string) (account.User, error) {
	digest, err := s.emailDigest(ctx, normal)
	if err != nil {
		return account.User{}, err
	}
	return s.userBy(ctx, "email_digest", digest)
}

// User implements team.MemberReader and signin.SSOStore.
func (s *Members) User(ctx context.Context, id idv.UserID) (account.User, error) {
	return s.userBy(ctx, "id", string(id))
}

func (s *Members) userBy(ctx context.Context, column, value string) (account.User, error) {
	var row userRow
	if err := s.db.Read.NewSelect().Model(&row).Where("? = ?", bun.Ident("u."+column), value).Scan(ctx); err != nil {
		return account.User{}, database.Missing(err, "read user")
	}
	return s.unsealUser(ctx, row)
}

func (s *Members) unsealUser(ctx context.Context, row userRow) (account.User, error) {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return account.User{}, err
	}
	open := func(column string, sealed []byte, v any) error {
		raw, err := k.Unseal(database.Place(column, row.ID), sealed)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(raw, v); err != nil {
			return fmt.Errorf("decode %s: %w", column, err)
		}
		return nil
	}
	var m member
	if err := open("users.personal", row.Personal, &m); err != nil {
		return account.User{}, err
	}
	u := account.User{
		ID: idv.UserID(row.ID), Name: m.Name, Email: m.Email, Normal: m.Normal, PasswordHash: row.PasswordHash,
		Roles: row.Roles, CreatedAt: row.CreatedAt.UTC(), LastLoginAt: database.UTC(row.LastLoginAt), DisabledAt: database.UTC(row.DisabledAt),
		SessionsFrom: database.UTC(row.SessionsFrom), Subject: m.Subject, Notices: m.Notices,
	}
	if row.Factor != nil {
		err = open("users.factor", row.Factor, &u.Factor)
	}
	return u, err
}

func (s *Members) emailDigest(ctx context.Context, normal string) (string, error) {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return "", err
	}
	return k.Digest("blind.email", []byte(normal))
}

type setupRow struct {
	bun.BaseModel `bun:"table:setup_tokens"`
	Name          string    `bun:"name"`
	Hash          string    `bun:"hash"`
	ExpiresAt     time.Time `bun:"expires_at"`
}

// setupName is the name of the only row: there is one setup token.
const setupName = "owner"

// SetSetupToken implements team.SetupStore.
func (s *Members) SetSetupToken(ctx context.Context, hash string, expires time.Time) error {
	row := setupRow{Name: setupName, Hash: hash, ExpiresAt: expires}
	_, err := s.db.Write.NewInsert().Model(&row).On("CONFLICT (name) DO UPDATE").
		Set("hash = EXCLUDED.hash").Set("expires_at = EXCLUDED.expires_at").Exec(ctx)
	if err != nil {
		return fmt.Errorf("keep the setup token: %w", err)
	}
	return nil
}

// AddOwner implements team.SetupStore.
func (s *Members) AddOwner(ctx context.Context, u account.User, tokenHash string, now time.Time, done ...audit.Record) error {
	row, err := s.sealUser(ctx, u)
	if err != nil {
		return err
	}
	return s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		// Taking the token is also what makes two owners at once impossible: only one transaction deletes it.
		res, err := btx.NewDelete().Model((*setupRow)(nil)).
			Where("name = ? AND hash = ? AND expires_at > ?", setupName, tokenHash, now).Exec(ctx)
		if err != nil {
			return fmt.Errorf("take the setup token: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return problem.New(problem.AuthInvalid)
		}
		n, err := btx.NewSelect().Model((*userRow)(nil)).Count(ctx)
		if err != nil {
			return fmt.Errorf("count users: %w", err)
		}
		if n > 0 {
			return problem.New(problem.AuthForbidden)
		}
		if _, err := btx.NewInsert().Model(&row).Exec(ctx); err != nil {
			return fmt.Errorf("write user: %w", err)
		}
		return s.log.AuditIn(ctx, btx, done...)
	})
}

func (s *Members) sealUser(ctx context.Context, u account.User) (userRow, error) {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return userRow{}, err
	}
	seal := func(column string, v any) ([]byte, error) {
		raw, err := json.Marshal(v)
		if err != nil {
			return nil, fmt.Errorf("encode %s: %w", column, err)
		}
		return k.Seal(database.Place(column, string(u.ID)), raw)
	}
	personal, err := seal("users.personal", member{Name: u.Name, Email: u.Email, Normal: u.Normal, Subject: u.Subject, Notices: u.Notices})
	if err != nil {
		return userRow{}, err
	}
	factor, err := seal("users.factor", u.Factor)
	if err != nil {
		return userRow{}, err
	}
	digest, err := s.emailDigest(ctx, u.Normal)
	if err != nil {
		return userRow{}, err
	}
	subject, err := s.subjectDigest(ctx, u.Subject)
	if err != nil {
		return userRow{}, err
	}
	return userRow{
		SubjectDigest: subject,
		ID:            string(u.ID), EmailDigest: digest, Personal: personal, PasswordHash: u.PasswordHash, Roles: u.Roles,
		CreatedAt: u.CreatedAt, LastLoginAt: u.LastLoginAt, DisabledAt: u.DisabledAt, SessionsFrom: u.SessionsFrom, Factor: factor,
	}, nil
}

// subjectDigest is how a member is found by what their identity provider calls them; nil where no provider vouches.
func (s *Members) subjectDigest(ctx context.Context, of account.Subject) (*string, error) {
	if of == (account.Subject{}) {
		return nil, nil //nolint:nilnil // a column without a value
	}
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return nil, err
	}
	d, err := k.Digest("blind.subject", []byte(of.Issuer+"\x00"+of.ID))
	return &d, err
}

// UserBySubject implements signin.SSOStore.
func (s *Members) UserBySubject(ctx context.Context, of account.Subject) (account.User, error) {
	d, err := s.subjectDigest(ctx, of)
	if err != nil {
		return account.User{}, err
	}
	if d == nil {
		return account.User{}, problem.New(problem.NotFound)
	}
	return s.userBy(ctx, "subject_digest", *d)
}

// RecordSignIn implements signin.SessionStore.
func (s *Members) RecordSignIn(ctx context.Context, id idv.UserID, at time.Time, done ...audit.Record) error {
	return s.db.Write.RunInTx(ctx, nil, func(ctx context.Context, btx bun.Tx) error {
		if _, err := btx.NewUpdate().Model((*userRow)(nil)).Set("last_login_at = ?", at).Where("id = ?", string(id)).Exec(ctx); err != nil {
			return fmt.Errorf("note login: %w", err)
		}
		return s.log.AuditIn(ctx, btx, done...)
	})
}
