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
	// SecretOverlap is how long the old secret signs beside the new one after a rotation.
	SecretOverlap = 24 * time.Hour
)

// Content is how much a webhook says about the session of its event.
type Content string

// The contents, each with what those before it have.
const (
	ContentIDs       Content = "ids"       // ids, outcome and reasons; nothing that somebody stated
	ContentReference Content = "reference" // the integrator's own reference and metadata
	ContentSession   Content = "session"   // the session as the API answers it
)

// Contents returns every content, the least first.
func Contents() []Content { return []Content{ContentIDs, ContentReference, ContentSession} }

// Personal reports whether webhooks of this content can say who somebody is.
func (c Content) Personal() bool { return c != ContentIDs && c != "" }

// Endpoint is a target that events of one mode are delivered to.
type Endpoint struct {
	ID        idv.EndpointID
	Mode      idv.Mode
	URL       string
	Events    []string // types; empty for all
	Content   Content  // empty for ContentIDs
	Secrets   []Secret // newest first; two during a rotation
	CreatedAt time.Time
	// FailingSince is when deliveries began to fail, zero while they arrive.
	FailingSince time.Time
	// StoppedAt is when the target answered 410 Gone; zero while events are sent to it.
	StoppedAt time.Time
	// PausedUntil is the end of the last pause that the target asked for, which may be over; zero for none.
	PausedUntil time.Time
	// HeldAt is when somebody paused the endpoint: what becomes due waits; zero while events are sent to it.
	HeldAt  time.Time
	Version int64 // of address, content, secrets, stop and pauses, for compare-and-set
}

// Wants reports whether events of a type are delivered to the endpoint.
func (e Endpoint) Wants(typ string) bool {
	return typ == TestType || (Published(typ) && (len(e.Events) == 0 || slices.Contains(e.Events, typ)))
}

// OverlapUntil returns until when the previous secret signs as well; zero if it does not.
func (e Endpoint) OverlapUntil(now time.Time) time.Time {
	if v := validSecrets(e.Secrets, now); len(v) > 1 {
		return v[1].Until
	}
	return time.Time{}
}

// Secret returns the newest secret, which may be shown only when it is made.
func (e Endpoint) Secret() string {
	if len(e.Secrets) == 0 {
		return ""
	}
	return e.Secrets[0].Value
}

// Spec describes a new endpoint.
type Spec struct {
	Mode    idv.Mode
	URL     string
	Events  []string
	Content Content // empty for ContentIDs
}

// Create makes an endpoint and returns it with its secret, which cannot be had again. Problems: webhook.target_refused, request.malformed.
func (s *Service) Create(ctx context.Context, n Spec) (Endpoint, error) {
	events, err := checkEvents(n.Events)
	if err == nil {
		n.Content, err = checkContent(n.Content)
	}
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
	e := Endpoint{ID: id, Mode: n.Mode, URL: n.URL, Events: events, Content: n.Content, Secrets: []Secret{secret}, CreatedAt: now}
	return e, s.store.AddEndpoint(ctx, e, MaxEndpoints)
}

// TooManyEndpoints returns the problem for a mode that has MaxEndpoints already.
func TooManyEndpoints() error {
	return problem.New(problem.RequestMalformed).At("/url").Saying("There are %d endpoints of this mode, the most there can be. Remove one first.", MaxEndpoints)
}

// checkEvents returns the types in order, each once. Problems: request.malformed.
func checkEvents(events []string) ([]string, error) {
	out := slices.Clone(events)
	slices.Sort(out)
	out = slices.Compact(out)
	for i, typ := range events {
		if !Published(typ) {
			return nil, problem.New(problem.RequestMalformed).At(fmt.Sprintf("/events/%d", i)).Saying("There is no event of that type.")
		}
	}
	if out == nil {
		out = []string{}
	}
	return out, nil
}

// Endpoint returns an endpoint of a mode; an empty mode stands for any. Problems: not_found.
func (s *Service) Endpoint(ctx context.Context, mode idv.Mode, id idv.EndpointID) (Endpoint, error) {
	e, err := s.store.WebhookEndpoint(ctx, id)
	if err == nil && mode != "" && e.Mode != mode {
		return Endpoint{}, problem.New(problem.NotFound)
	}
	return e, err
}

// Endpoints returns the endpoints of a mode, oldest first.
func (s *Service) Endpoints(ctx context.Context, mode idv.Mode) ([]Endpoint, error) {
	return s.store.WebhookEndpoints(ctx, mode)
}

// Remove removes an endpoint and its deliveries. Nothing more is sent to it. Problems: not_found.
func (s *Service) Remove(ctx context.Context, mode idv.Mode, id idv.EndpointID) error {
	if _, err := s.Endpoint(ctx, mode, id); err != nil {
		return err
	}
	return s.store.RemoveEndpoint(ctx, id)
}

// Start restarts an endpoint that was stopped. Events from now on are sent to it; those that it missed are in the feed. An
// endpoint that is not stopped is returned unchanged. Problems: not_found, unavailable when it was changed at the same time.
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

// running returns problem webhook.stopped for a stopped endpoint, and webhook.paused for one that is paused.
func (e Endpoint) running() error {
	switch {
	case !e.StoppedAt.IsZero():
		return problem.New(problem.WebhookStopped)
	case !e.HeldAt.IsZero():
		return problem.New(problem.WebhookPaused)
	}
	return nil
}

// Rotate gives an endpoint a new secret, which cannot be had again. The previous secret signs beside it for SecretOverlap,
// so that the receiver can change over; older ones end. Problems: not_found, unavailable when the endpoint was changed at
// the same time.
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
