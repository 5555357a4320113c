package audit

import "context"

// ActorKind is the kind of an actor.
type ActorKind string

// The kinds of actor.
const (
	System    ActorKind = "system"
	APIKey    ActorKind = "api_key"
	Applicant ActorKind = "applicant"
	User      ActorKind = "user"
)

// ActorKinds returns every kind of actor.
func ActorKinds() []ActorKind { return []ActorKind{System, APIKey, Applicant, User} }

// Actor is who did something. The system has no ID.
type Actor struct {
	Kind    ActorKind
	ID      string
	Address string // network address; stored as ShortenAddress returns it
}

type actorKey struct{}

// WithActor returns a context whose audit entries name the actor.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorFrom returns the actor of a context, the system by default.
func ActorFrom(ctx context.Context) Actor {
	if a, ok := ctx.Value(actorKey{}).(Actor); ok {
		return a
	}
	return Actor{Kind: System}
}
