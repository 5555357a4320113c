package account

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
)

// User is a member of the deployment.
type User struct {
	ID           idv.UserID
	Name         string
	Email        string // as it was typed
	Normal       string // NormalizeEmail of Email; members are looked up by it
	PasswordHash string // argon2id; empty for members without a password
	Roles        []Role
	CreatedAt    time.Time
	LastLoginAt  time.Time
	DisabledAt   time.Time // zero while the member may sign in
	SessionsFrom time.Time // console sessions that began earlier have ended
	Factor       Factor
	Subject      Subject  // the account at the identity provider; zero for members who do not use single sign-on
	Notices      []Notice // what they asked to be told of by mail
	Failures     Failures // set by signing in alone: the wrong proofs since the sign-in before
}

// Subject identifies a person at an identity provider. Issuer and sub together are unique and never reassigned
// (OpenID Connect Core §2).
type Subject struct {
	Issuer string `json:"issuer"`
	ID     string `json:"id"`
}

// CanSignIn reports whether the member has a way to sign in: a password, a passkey or, where the deployment has
// single sign-on, an account at its provider.
func (u User) CanSignIn(singleSignOn bool) bool {
	return u.PasswordHash != "" || len(u.Factor.Passkeys) > 0 || (singleSignOn && u.Subject != (Subject{}))
}

// WithActor returns a context whose audit entries name the member as the actor, from the address that the request
// came from. It is for the requests in which somebody first says who they are.
func WithActor(ctx context.Context, id idv.UserID) context.Context {
	return audit.WithActor(ctx, audit.Actor{Kind: audit.User, ID: string(id), Address: audit.ActorFrom(ctx).Address})
}

// AuditRecord returns an audit record whose subject is a member.
func AuditRecord(id idv.UserID, action string) audit.Record {
	return audit.Record{Action: action, Subject: string(id)}
}
