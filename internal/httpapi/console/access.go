package console

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// access finds sessions for the person who is signed in.
type access struct {
	sessions *session.Service
}

// session returns a session of either mode, if the person who is signed in has the permission p in that mode; not_found otherwise.
func (a *access) session(ctx context.Context, p account.Permission, id idv.SessionID) (session.View, error) {
	v, err := a.sessions.Get(ctx, "", id)
	if err != nil {
		return session.View{}, err
	}
	if !edge.May(ctx, p, v.Session.Mode) {
		return session.View{}, problem.New(problem.NotFound)
	}
	return v, nil
}
