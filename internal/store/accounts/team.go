package accounts

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// Users implements team.MemberReader and signin.PasskeyStore.
func (s *Members) Users(ctx context.Context) ([]account.User, error) {
	var rows []userRow
	if err := s.db.Read.NewSelect().Model(&rows).OrderExpr("u.created_at, u.id").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read users: %w", err)
	}
	out := make([]account.User, 0, len(rows))
	for _, row := range rows {
		u, err := s.unsealUser(ctx, row)
		if err != nil {
			return nil, err
		}
		out = append(out, u)
	}
	return out, nil
}

// ChangeUser implements team.MemberWriter and signin.UserStore.
func (s *Members) ChangeUser(ctx context.Context, id idv.UserID, change func(*account.User) error, done ...audit.Record) (account.User, error) {
	return s.changeUser(ctx, id, change, func(context.Context, bun.Tx) error { return nil }, done...)
}

// ChangeUserAndRevokeKeys implements team.MemberWriter.
func (s *Members) ChangeUserAndRevokeKeys(
	ctx context.Context,
	id idv.UserID,
	at time.Time,
	change func(*account.User) error,
	done ...audit.Record,
) (account.User, error) {
	return s.changeUser(ctx, id, change, func(ctx context.Context, btx bun.Tx) error { return s.keys.revokeKeysOf(ctx, btx, id, at) }, done...)
}

// changeUser changes a member and does what belongs to it.
func (s *Members) changeUser(ctx context.Context, id idv.UserID, change func(*account.User) error, also func(context.Context, bun.Tx) error,
	done ...audit.Record,
) (u account.User, err error) {
	err = s.lockTeam(ctx, func(ctx context.Context, btx bun.Tx) error {
		var row userRow
		if err := btx.NewSelect().Model(&row).Where("u.id = ?", string(id)).Scan(ctx); err != nil {
			return database.Missing(err, "read user")
		}
		if u, err = s.unsealUser(ctx, row); err != nil {
			return err
		}
		if err := change(&u); err != nil {
			return err
		}
		changed, err := s.sealUser(ctx, u)
		if err != nil {
			return err
		}
		if _, err := btx.NewUpdate().Model(&changed).Where("u.id = ?", string(id)).Exec(ctx); err != nil {
			return fmt.Errorf("write user: %w", err)
		}
		if err := s.log.AuditIn(ctx, btx, done...); err != nil {
			return err
		}
		if err := also(ctx, btx); err != nil {
			return err
		}
		return someOwner(ctx, btx)
	})
	return u, err
}

// lockTeam runs f while nobody else changes the team.
func (s *Members) lockTeam(ctx context.Context, f func(context.Context, bun.Tx) error) error {
	return s.db.RunInTx(ctx, func(ctx context.Context, btx bun.Tx) error {
		if _, err := btx.ExecContext(ctx, "UPDATE locks SET taken = taken + 1 WHERE name = 'team'"); err != nil {
			return fmt.Errorf("lock the team: %w", err)
		}
		return f(ctx, btx)
	})
}

// someOwner is a problem where no owner is left who may sign in.
func someOwner(ctx context.Context, btx bun.Tx) error {
	var rows []userRow
	if err := btx.NewSelect().Model(&rows).Column("u.roles").Where("u.disabled_at IS NULL").Scan(ctx); err != nil {
		return fmt.Errorf("read roles: %w", err)
	}
	if !slices.ContainsFunc(rows, func(r userRow) bool { return slices.Contains(r.Roles, account.Owner) }) {
		return problem.New(problem.AuthForbidden).Saying("A deployment keeps one owner at least.")
	}
	return nil
}

// InvitationRow is an invitation that was not accepted yet.
type InvitationRow struct {
	bun.BaseModel `bun:"table:invitations,alias:i"`
	ID            string         `bun:"id"`
	Hash          string         `bun:"hash"`
	Personal      []byte         `bun:"personal"`
	Roles         []account.Role `bun:"roles,type:json"`
	InvitedBy     string         `bun:"invited_by"`
	CreatedAt     time.Time      `bun:"created_at"`
	ExpiresAt     time.Time      `bun:"expires_at"`
}

// AddInvitation implements team.InvitationStore.
func (s *Members) AddInvitation(ctx context.Context, i account.Invitation, done ...audit.Record) error {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return err
	}
	raw, err := json.Marshal(member{Email: i.Email})
	if err != nil {
		return fmt.Errorf("encode invitation: %w", err)
	}
	sealed, err := k.Seal(database.Place("invitations.personal", string(i.ID)), raw)
	if err != nil {
		return err
	}
	row := InvitationRow{
		ID: string(i.ID), Hash: i.Hash, Personal: sealed, Roles: i.Roles, InvitedBy: string(i.InvitedBy), CreatedAt: i.CreatedAt, ExpiresAt: i.ExpiresAt,
	}
	return s.db.Write.RunInTx(ctx, nil, func(ctx context.Context, btx bun.Tx) error {
		if _, err := btx.NewInsert().Model(&row).Exec(ctx); err != nil {
			return fmt.Errorf("write invitation: %w", err)
		}
		return s.log.AuditIn(ctx, btx, done...)
	})
}

// Invitations implements team.InvitationStore.
func (s *Members) Invitations(ctx context.Context, now time.Time) ([]account.Invitation, error) {
	var rows []InvitationRow
	if err := s.db.Read.NewSelect().Model(&rows).Where("i.expires_at > ?", now).OrderExpr("i.created_at DESC, i.id DESC").Scan(ctx); err != nil {
		return nil, fmt.Errorf("read invitations: %w", err)
	}
	out := make([]account.Invitation, 0, len(rows))
	for _, row := range rows {
		i, err := s.unsealInvitation(ctx, row)
		if err != nil {
			return nil, err
		}
		out = append(out, i)
	}
	return out, nil
}

// InvitationByHash implements team.InvitationStore.
func (s *Members) InvitationByHash(ctx context.Context, hash string, now time.Time) (account.Invitation, error) {
	var row InvitationRow
	if err := s.db.Read.NewSelect().Model(&row).Where("i.hash = ? AND i.expires_at > ?", hash, now).Scan(ctx); err != nil {
		return account.Invitation{}, database.Missing(err, "read invitation")
	}
	return s.unsealInvitation(ctx, row)
}

func (s *Members) unsealInvitation(ctx context.Context, row InvitationRow) (account.Invitation, error) {
	k, err := s.db.Deployment(ctx)
	if err != nil {
		return account.Invitation{}, err
	}
	raw, err := k.Unseal(database.Place("invitations.personal", row.ID), row.Personal)
	if err != nil {
		return account.Invitation{}, err
	}
	var m member
	if err := json.Unmarshal(raw, &m); err != nil {
		return account.Invitation{}, fmt.Errorf("decode invitation: %w", err)
	}
	return account.Invitation{
		ID: idv.InvitationID(row.ID), Email: m.Email, Roles: row.Roles, InvitedBy: idv.UserID(row.InvitedBy), Hash: row.Hash,
		CreatedAt: row.CreatedAt.UTC(), ExpiresAt: row.ExpiresAt.UTC(),
	}, nil
}

// RevokeInvitation implements team.InvitationStore.
func (s *Members) RevokeInvitation(ctx context.Context, id idv.InvitationID, done ...audit.Record) error {
	return s.db.Write.RunInTx(ctx, nil, func(ctx context.Context, btx bun.Tx) error {
		res, err := btx.NewDelete().Model((*InvitationRow)(nil)).Where("id = ?", string(id)).Exec(ctx)
		if err != nil {
			return fmt.Errorf("revoke invitation: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return problem.New(problem.NotFound)
		}
		return s.log.AuditIn(ctx, btx, done...)
	})
}

// AcceptInvitation implements team.InvitationStore.
func (s *Members) AcceptInvitation(ctx context.Context, hash string, u account.User, now time.Time, done ...audit.Record) error {
	row, err := s.sealUser(ctx, u)
	if err != nil {
		return err
	}
	return s.lockTeam(ctx, func(ctx context.Context, btx bun.Tx) error {
		res, err := btx.NewDelete().Model((*InvitationRow)(nil)).Where("hash = ? AND expires_at > ?", hash, now).Exec(ctx)
		if err != nil {
			return fmt.Errorf("take invitation: %w", err)
		}
		if n, err := res.RowsAffected(); err != nil || n != 1 {
			return problem.New(problem.AuthInvalid)
		}
		known, err := btx.NewSelect().Model((*userRow)(nil)).Where("u.email_digest = ?", row.EmailDigest).Exists(ctx)
		if err != nil {
			return fmt.Errorf("look for the address: %w", err)
		}
		if known {
			return problem.New(problem.AuthInvalid)
		}
		if _, err := btx.NewInsert().Model(&row).Exec(ctx); err != nil {
			return fmt.Errorf("write user: %w", err)
		}
		return s.log.AuditIn(ctx, btx, done...)
	})
}

// AddMember implements signin.SSOStore.
func (s *Members) AddMember(ctx context.Context, u account.User, done ...audit.Record) error {
	row, err := s.sealUser(ctx, u)
	if err != nil {
		return err
	}
	return s.lockTeam(ctx, func(ctx context.Context, btx bun.Tx) error {
		known, err := btx.NewSelect().Model((*userRow)(nil)).
			Where("u.email_digest = ? OR u.subject_digest = ?", row.EmailDigest, row.SubjectDigest).Exists(ctx)
		if err != nil {
			return fmt.Errorf("look for the address: %w", err)
		}
		if known {
			return problem.New(problem.AuthInvalid)
		}
		if _, err := btx.NewInsert().Model(&row).Exec(ctx); err != nil {
			return fmt.Errorf("write user: %w", err)
		}
		return s.log.AuditIn(ctx, btx, done...)
	})
}
