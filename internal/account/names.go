package account

import (
	"context"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Holders answers the members who can sign in and have a permission in a mode, by name.
func (s *Service) Holders(ctx context.Context, p Permission, mode idv.Mode) ([]User, error) {
	users, err := s.store.Users(ctx)
	if err != nil {
		return nil, err
	}
	users = slices.DeleteFunc(users, func(u User) bool { return !u.DisabledAt.IsZero() || !May(u.Roles, p, mode) })
	slices.SortStableFunc(users, func(a, b User) int {
		return strings.Compare(strings.ToLower(a.Name), strings.ToLower(b.Name))
	})
	return users, nil
}

// Names answers what members are called. Those who are gone are left out.
func (s *Service) Names(ctx context.Context, ids ...idv.UserID) (map[idv.UserID]string, error) {
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
