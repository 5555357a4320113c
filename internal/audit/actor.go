package audit

import "context"

// ActorKind is what sort of actor did something.
type ActorKind string

// The kinds of actor.
const (
	System    ActorKind = "system"
	APIKey    ActorKind = "api_key"
	Applicant ActorKind = "applicant"
	User      ActorKind = "user"
)

// ActorKinds lists every kind of actor.
func ActorKinds() []ActorKind { return []ActorKind{System, APIKey, Applicant, User} }

// Actor is who did something: a kind and, but for the system, an id.
type Actor struct {
	Kind    ActorKind
	ID      string
	Address string // network address; shortened before it is kept
}

type actorKey struct{}

// WithActor says who acts in everything done with the context.
func WithActor(ctx context.Context, a Actor) context.Context {
	return context.WithValue(ctx, actorKey{}, a)
}

// ActorFrom answers who acts; the system if nobody was named.
func ActorFrom(ctx context.Context) Actor {
	if a, ok := ctx.Value(actorKey{}).(Actor); ok {
		return a
	}
	return Actor{Kind: System}
}
