package webhook

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// Store keeps endpoints and deliveries, with an audit entry for each change by a person or a key. Reads answer problem
// not_found where nothing is there.
type Store interface {
	// AddEndpoint keeps an endpoint, unless its mode has most of them already: then the answer is TooMany.
	AddEndpoint(ctx context.Context, e Endpoint, most int) error
	WebhookEndpoint(ctx context.Context, id idv.EndpointID) (Endpoint, error)
	WebhookEndpoints(ctx context.Context, mode idv.Mode) ([]Endpoint, error)
	RemoveEndpoint(ctx context.Context, id idv.EndpointID) error
	// SaveSecrets replaces the secrets of an endpoint that was read with e.Version.
	SaveSecrets(ctx context.Context, e Endpoint) error
	// StartEndpoint ends the stop of an endpoint that was read with e.Version.
	StartEndpoint(ctx context.Context, e Endpoint) error

	Deliveries(ctx context.Context, f DeliveryFilter) ([]Delivery, error)
	Resend(ctx context.Context, e idv.EndpointID, id idv.DeliveryID) (Delivery, error)
	AddTest(ctx context.Context, e Endpoint, event Event) (Delivery, error)
	Feed(ctx context.Context, f FeedFilter) ([]Event, error)

	Outbox
}

// Outbox is what the job that delivers works from.
type Outbox interface {
	// Lease takes an endpoint's queue until a time; false means that somebody else has it.
	Lease(ctx context.Context, id idv.EndpointID, until time.Time) (bool, error)
	// Release gives it back, or where rest is later than now leaves it taken by nobody until then. Where something is due by
	// then, or later and worked is true, a job is written for it in the same transaction: what became due while the queue
	// was taken is not forgotten.
	Release(ctx context.Context, id idv.EndpointID, until, rest time.Time, worked bool) error
	// Due lists an endpoint's deliveries that are due, the longest due first.
	Due(ctx context.Context, id idv.EndpointID, limit int) ([]Due, error)
	// Tried writes down how tries went, all of one endpoint. gone stops the endpoint: what else waits for it is given up.
	Tried(ctx context.Context, id idv.EndpointID, results []Result, gone bool) error
	// GiveUp gives up what waits for an endpoint that is stopped. One that somebody started meanwhile stays as it is.
	GiveUp(ctx context.Context, id idv.EndpointID) error
	// Neglected lists endpoints with something due that nobody works, at most limit.
	Neglected(ctx context.Context, limit int) ([]idv.EndpointID, error)
	// Wake writes a job for an endpoint.
	Wake(ctx context.Context, id idv.EndpointID) error
}

// Due is a delivery that is due, with its event.
type Due struct {
	ID      idv.DeliveryID
	Attempt int    // tries so far
	Event   Event  // its mode may be missing
	Parent  string // traceparent of what caused it; empty where that was not traced
}

// Result is how a try of a delivery went, and what follows from it.
type Result struct {
	Delivery idv.DeliveryID
	Attempt  int // tries before this one: whoever resent it meanwhile has the last word
	Try      Try
	State    State
	NextAt   time.Time // when it is due again; zero when it is at its end
}

// Options of a Service. The zero value works, and sends to public addresses only.
type Options struct {
	Allowed  []netip.Prefix // networks that are not public, and that the operator lets webhooks reach
	Timeout  time.Duration  // of a try; DefaultTimeout if zero
	Resolver Resolver       // net.DefaultResolver
	Roots    *x509.CertPool // the system's
	Now      func() time.Time
	Random   io.Reader // crypto/rand
	Log      *slog.Logger
	Tracer   *trace.Tracer // nil for none
}

// Service is everything that is done with webhooks and the feed of events. It is safe for concurrent use.
type Service struct {
	store   Store
	guard   guard
	client  *http.Client
	timeout time.Duration
	now     func() time.Time
	random  io.Reader
	log     *slog.Logger
	tracer  *trace.Tracer
}

// New makes a Service.
func New(store Store, o Options) *Service {
	if o.Timeout == 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) } // as databases keep it
	g := guard{allowed: o.Allowed, resolver: o.Resolver}
	return &Service{
		store: store, guard: g, client: client(g, o.Roots), timeout: o.Timeout, now: now, random: o.Random, log: o.Log, tracer: o.Tracer,
	}
}

// Handlers adds this service's share to the job handlers.
func (s *Service) Handlers(h job.Handlers) job.Handlers {
	h.Deliver = func(ctx context.Context, a job.Deliver) error { return s.Deliver(ctx, a.Endpoint) }
	h.Redeliver = s.Redeliver
	return h
}
