package team

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// MemberStore is what Members reads and writes. Reads return problem not_found where there is no such member.
type MemberStore interface {
	MemberReader
	MemberWriter
}

// MemberReader finds members.
type MemberReader interface {
	// Users returns every member, the oldest first.
	Users(ctx context.Context) ([]account.User, error)
	User(ctx context.Context, id idv.UserID) (account.User, error)
	UserByEmail(ctx context.Context, normal string) (account.User, error)
}

// MemberWriter changes members, one change at a time for the whole team. An error of the callback undoes the change. A
// change that would leave no owner who may sign in is problem auth.forbidden.
type MemberWriter interface {
	ChangeUser(ctx context.Context, id idv.UserID, change func(*account.User) error, done ...audit.Record) (account.User, error)
	// ChangeUserAndRevokeKeys also revokes every working key that the member made, both or neither.
	ChangeUserAndRevokeKeys(
		ctx context.Context, id idv.UserID, at time.Time, change func(*account.User) error, done ...audit.Record,
	) (account.User, error)
}

// Members manages the members of a deployment. It is safe for concurrent use.
type Members struct {
	store        MemberStore
	now          func() time.Time
	singleSignOn bool
}

// NewMembers returns Members.
func NewMembers(store MemberStore, o Options) *Members {
	return &Members{store: store, now: o.withDefaults().Now, singleSignOn: o.SingleSignOn}
}

// List returns every member, the oldest first.
func (s *Members) List(ctx context.Context) ([]account.User, error) { return s.store.Users(ctx) }

// FindActive returns a member who may sign in. Problems: auth.invalid when there is none with that id.
func (s *Members) FindActive(ctx context.Context, id idv.UserID) (account.User, error) {
	u, err := s.store.User(ctx, id)
	if problem.Has(err, problem.NotFound) || (err == nil && !u.DisabledAt.IsZero()) {
		return account.User{}, problem.New(problem.AuthInvalid)
	}
	return u, err
}

// ListPermitted returns the members who may sign in and have a permission in a mode, by name.
func (s *Members) ListPermitted(ctx context.Context, p account.Permission, mode idv.Mode) ([]account.User, error) {
	users, err := s.store.Users(ctx)
	if err != nil {
		return nil, err
	}
	users = slices.DeleteFunc(users, func(u account.User) bool { return !u.DisabledAt.IsZero() || !account.May(u.Roles, p, mode) })
	slices.SortStableFunc(users, func(a, b account.User) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return users, nil
}

// Names returns the names of members. Ids of nobody are left out.
func (s *Members) Names(ctx context.Context, ids ...idv.UserID) (map[idv.UserID]string, error) {
	out := map[idv.UserID]string{}
	for _, id := range ids {
		if _, known := out[id]; known || id == "" {
			continue
		}
		u, err := s.store.User(ctx, id)
		if problem.Has(err, problem.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out[id] = u.Name
	}
	return out, nil
}

// SetRoles replaces a member's roles, with effect on their next call. Problems: not_found, request.malformed,
// auth.forbidden (by themselves, an owner by somebody who is none, or the last owner).
func (s *Members) SetRoles(ctx context.Context, by account.User, id idv.UserID, roles []account.Role) (account.User, error) {
	roles, err := checkRoles(by, roles)
	if err != nil {
		return account.User{}, err
	}
	return s.changeOther(ctx, by, id, "member.roles_changed", func(u *account.User) error {
		u.Roles = roles
		return nil
	})
}

// Disable keeps a member from signing in and ends their console sessions. Their API keys go on working. Problems:
// not_found, auth.forbidden as for SetRoles.
func (s *Members) Disable(ctx context.Context, by account.User, id idv.UserID) (account.User, error) {
	return s.changeOther(ctx, by, id, "member.disabled", s.disable)
}

// DisableAndRevokeKeys disables a member and revokes the working API keys that they made, also where the member is
// disabled already. Problems: as for Disable, and auth.forbidden where by may not revoke keys.
func (s *Members) DisableAndRevokeKeys(ctx context.Context, by account.User, id idv.UserID) (account.User, error) {
	if !account.May(by.Roles, account.KeysWrite, idv.Live) {
		return account.User{}, problem.New(problem.AuthForbidden)
	}
	change, err := restricted(by, id, s.disable)
	if err != nil {
		return account.User{}, err
	}
	return s.store.ChangeUserAndRevokeKeys(ctx, id, s.now().UTC(), change, account.AuditRecord(id, "member.disabled"))
}

// Enable lets a disabled member sign in again. Problems: as for Disable.
func (s *Members) Enable(ctx context.Context, by account.User, id idv.UserID) (account.User, error) {
	return s.changeOther(ctx, by, id, "member.enabled", func(u *account.User) error {
		u.DisabledAt = time.Time{}
		return nil
	})
}

func (s *Members) disable(u *account.User) error {
	if u.DisabledAt.IsZero() {
		u.DisabledAt = account.Moment(s.now())
		u.SessionsFrom = u.DisabledAt
	}
	return nil
}

// SetNotices says what a member is told of by mail from now on. Problems: request.malformed for what their roles do not let them see.
func (s *Members) SetNotices(ctx context.Context, u account.User, notices []account.Notice) (account.User, error) {
	var out []account.Notice
	for _, n := range account.NoticesFor(u.Roles) {
		if slices.Contains(notices, n) {
			out = append(out, n)
		}
	}
	if len(out) != len(notices) {
		return account.User{}, problem.New(problem.RequestMalformed).At("/notices").Saying("Notices that your roles allow, each once.")
	}
	return s.store.ChangeUser(ctx, u.ID, func(u *account.User) error {
		u.Notices = out
		return nil
	}, account.AuditRecord(u.ID, "user.notices_changed"))
}

// ResetFactor removes the second factor, passkeys included, of a member who lost it. Problems: as for Disable, and
// auth.forbidden where they could not sign in any more.
func (s *Members) ResetFactor(ctx context.Context, by account.User, id idv.UserID) (account.User, error) {
	return s.changeOther(ctx, by, id, "member.factor_reset", s.resetFactor)
}

// ResetFactorAsOperator removes the second factor of the member with that address. It is for the operator of the server,
// who answers for it: the only owner has nobody else to ask. Problems: not_found, auth.forbidden (they could not sign in
// any more).
func (s *Members) ResetFactorAsOperator(ctx context.Context, email string) (account.User, error) {
	u, err := s.store.UserByEmail(ctx, account.NormalizeEmail(email))
	if err != nil {
		return account.User{}, err
	}
	return s.store.ChangeUser(ctx, u.ID, s.resetFactor, account.AuditRecord(u.ID, "member.factor_reset_by_operator"))
}

// resetFactor removes a member's second factor and ends their console sessions, unless it is their only way to sign in.
func (s *Members) resetFactor(u *account.User) error {
	u.Factor, u.SessionsFrom = account.Factor{}, account.Moment(s.now())
	if !u.CanSignIn(s.singleSignOn) {
		return problem.New(problem.AuthForbidden).Saying("Without passkeys this member could not sign in any more. " +
			"Single sign-on has to open their account first, or an invitation under another address.")
	}
	return nil
}

// changeOther changes another member than by.
func (s *Members) changeOther(
	ctx context.Context, by account.User, id idv.UserID, action string, change func(*account.User) error,
) (account.User, error) {
	change, err := restricted(by, id, change)
	if err != nil {
		return account.User{}, err
	}
	return s.store.ChangeUser(ctx, id, change, account.AuditRecord(id, action))
}

// restricted returns the change with the rules of who may change whom: nobody themselves, and only owners an owner.
func restricted(by account.User, id idv.UserID, change func(*account.User) error) (func(*account.User) error, error) {
	if by.ID == id {
		return nil, problem.New(problem.AuthForbidden).Saying("Somebody else has to do this for you.")
	}
	return func(u *account.User) error {
		if slices.Contains(u.Roles, account.Owner) && !slices.Contains(by.Roles, account.Owner) {
			return problem.New(problem.AuthForbidden).Saying("Only an owner changes an owner.")
		}
		return change(u)
	}, nil
}
