package webhook

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of endpoints.
const (
	MaxEndpoints = 20 // of a mode
	// SecretOverlap is how long the old secret goes on signing beside the new one.
	SecretOverlap = 24 * time.Hour
)

// Endpoint is a target that events of one mode are delivered to.
type Endpoint struct {
	ID        idv.EndpointID
	Mode      idv.Mode
	URL       string
	Events    []string // types; empty for all
	Secrets   []Secret // newest first; two during a rotation
	CreatedAt time.Time
	// FailingSince is when deliveries began to fail, zero while they arrive.
	FailingSince time.Time
	// StoppedAt is when the target answered that it is gone; zero while events are sent to it.
	StoppedAt time.Time
	// RestingUntil is the end of the last pause that the target asked for; it may be over. Zero while it never did.
	RestingUntil time.Time
	Version      int64 // of the address, the secrets, the stop and the pause, for compare and set
}

// Wants reports whether events of a type are delivered to the endpoint.
func (e Endpoint) Wants(typ string) bool {
	return typ == TestType || (Told(typ) && (len(e.Events) == 0 || slices.Contains(e.Events, typ)))
}

// Overlap is until when the secret before the newest signs as well; zero if it does not.
func (e Endpoint) Overlap(now time.Time) time.Time {
	if v := valid(e.Secrets, now); len(v) > 1 {
		return v[1].Until
	}
	return time.Time{}
}

// Secret is the newest secret. It is shown when it is made and never again.
func (e Endpoint) Secret() string {
	if len(e.Secrets) == 0 {
		return ""
	}
	return e.Secrets[0].Value
}

// Spec is what it takes to make an endpoint.
type Spec struct {
	Mode   idv.Mode
	URL    string
	Events []string
}

// Create makes an endpoint. Its secret is answered this once. Problems: webhook.target_refused, request.malformed.
func (s *Service) Create(ctx context.Context, n Spec) (Endpoint, error) {
	events, err := checkEvents(n.Events)
	if err != nil {
		return Endpoint{}, err
	}
	if err := s.guard.check(ctx, n.URL, n.Mode); err != nil {
		return Endpoint{}, err
	}
	now := s.now()
	id, err := idv.NewID[idv.EndpointID](now, s.random)
	if err != nil {
		return Endpoint{}, err
	}
	secret, err := newSecret(s.random)
	if err != nil {
		return Endpoint{}, err
	}
	e := Endpoint{ID: id, Mode: n.Mode, URL: n.URL, Events: events, Secrets: []Secret{secret}, CreatedAt: now}
	return e, s.store.AddEndpoint(ctx, e, MaxEndpoints)
}

// TooMany is what a store answers that has the most endpoints of a mode already.
func TooMany() error {
	return problem.New(problem.RequestMalformed).At("/url").Saying("There are %d endpoints of this mode, the most there can be. Remove one first.", MaxEndpoints)
}

// checkEvents sorts the types that an endpoint asks for, each once.
func checkEvents(events []string) ([]string, error) {
	out := slices.Clone(events)
	slices.Sort(out)
	out = slices.Compact(out)
	for i, typ := range events {
		if !Told(typ) {
			return nil, problem.New(problem.RequestMalformed).At(fmt.Sprintf("/events/%d", i)).Saying("There is no event of that type.")
		}
	}
	if out == nil {
		out = []string{}
	}
	return out, nil
}

// Endpoint reads an endpoint of a mode. Problems: not_found.
func (s *Service) Endpoint(ctx context.Context, mode idv.Mode, id idv.EndpointID) (Endpoint, error) {
	e, err := s.store.WebhookEndpoint(ctx, id)
	if err == nil && mode != "" && e.Mode != mode {
		return Endpoint{}, problem.New(problem.NotFound)
	}
	return e, err
}

// Endpoints lists the endpoints of a mode, oldest first.
func (s *Service) Endpoints(ctx context.Context, mode idv.Mode) ([]Endpoint, error) {
	return s.store.WebhookEndpoints(ctx, mode)
}

// Remove ends an endpoint: nothing more is sent, and its deliveries are forgotten. Problems: not_found.
func (s *Service) Remove(ctx context.Context, mode idv.Mode, id idv.EndpointID) error {
	if _, err := s.Endpoint(ctx, mode, id); err != nil {
		return err
	}
	return s.store.RemoveEndpoint(ctx, id)
}

// Start has events sent again to an endpoint that was stopped: those from now on. What it missed is in the feed. One that
// is not stopped is answered as it is. Problems: not_found, unavailable when somebody else changed it at the same time.
func (s *Service) Start(ctx context.Context, mode idv.Mode, id idv.EndpointID) (Endpoint, error) {
	e, err := s.Endpoint(ctx, mode, id)
	if err != nil || e.StoppedAt.IsZero() {
		return e, err
	}
	if err := s.store.StartEndpoint(ctx, e); err != nil {
		return Endpoint{}, err
	}
	return s.Endpoint(ctx, mode, id)
}

// running refuses what cannot be sent because the endpoint is stopped.
func (e Endpoint) running() error {
	if e.StoppedAt.IsZero() {
		return nil
	}
	return problem.New(problem.WebhookStopped)
}

// Rotate gives an endpoint a new secret, answered this once. The one before signs beside it for SecretOverlap, so that
// nothing is refused while the receiver changes over; any older one ends. Problems: not_found, unavailable when
// somebody else rotated at the same time.
func (s *Service) Rotate(ctx context.Context, mode idv.Mode, id idv.EndpointID) (Endpoint, error) {
	e, err := s.Endpoint(ctx, mode, id)
	if err != nil {
		return Endpoint{}, err
	}
	secret, err := newSecret(s.random)
	if err != nil {
		return Endpoint{}, err
	}
	before := e.Secrets[0]
	before.Until = s.now().Add(SecretOverlap)
	e.Secrets = []Secret{secret, before}
	return e, s.store.SaveSecrets(ctx, e)
}
