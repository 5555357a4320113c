package account

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// signedIn is the audited action of signing in, whatever the way.
const signedIn = "user.signed_in"

// about is an audit record whose subject is a member.
func about(id idv.UserID, action string) audit.Record {
	return audit.Record{Action: action, Subject: string(id)}
}

// acting names a member as who acts, from where the call came: of whoever signs in, nobody knew before who they are.
func acting(ctx context.Context, id idv.UserID) context.Context {
	return audit.WithActor(ctx, audit.Actor{Kind: audit.User, ID: string(id), Address: audit.ActorFrom(ctx).Address})
}
