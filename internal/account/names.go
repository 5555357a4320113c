package account

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

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
