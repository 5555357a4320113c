package webhook

import (
	"context"
	"crypto/rand"
	"crypto/x509"
	"encoding/json"
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

// Store reads and writes endpoints and deliveries, with an audit entry for each change by a person or a key. Reads return
// problem not_found where there is nothing.
type Store interface {
	// AddEndpoint adds an endpoint. It returns TooManyEndpoints if its mode has most of them already.
	AddEndpoint(ctx context.Context, e Endpoint, most int) error
	WebhookEndpoint(ctx context.Context, id idv.EndpointID) (Endpoint, error)
	WebhookEndpoints(ctx context.Context, mode idv.Mode) ([]Endpoint, error)
	RemoveEndpoint(ctx context.Context, id idv.EndpointID) error
	// SaveSecrets replaces the secrets, if the endpoint still has e.Version.
	SaveSecrets(ctx context.Context, e Endpoint) error
	// StartEndpoint clears StoppedAt, if the endpoint still has e.Version.
	StartEndpoint(ctx context.Context, e Endpoint) error
	// ChangeEndpoint writes address, types, content and pause, if the endpoint still has e.Version. Where it was resumed, what waits is
	// enqueued.
	ChangeEndpoint(ctx context.Context, e Endpoint, resumed bool) error

	Deliveries(ctx context.Context, f DeliveryFilter) ([]Delivery, error)
	Resend(ctx context.Context, e idv.EndpointID, id idv.DeliveryID) (Delivery, error)
	AddTest(ctx context.Context, e Endpoint, event Event) (Delivery, error)
	Feed(ctx context.Context, f FeedFilter) ([]Event, error)

	Outbox
}

// Outbox is the queue that the delivery job works on.
type Outbox interface {
	// Lease reserves an endpoint's queue until a time. It returns false if another worker holds it.
	Lease(ctx context.Context, id idv.EndpointID, until time.Time) (bool, error)
	// Release returns the queue, or blocks it until rest if that is later than now. If something is due by then, or later and
	// worked is true, a job is enqueued in the same transaction, so that nothing is missed that became due during the lease.
	Release(ctx context.Context, id idv.EndpointID, until, rest time.Time, worked bool) error
	// Due returns an endpoint's deliveries that are due, the longest due first.
	Due(ctx context.Context, id idv.EndpointID, limit int) ([]Due, error)
	// SaveResults stores the results of one endpoint. gone stops the endpoint and gives up its other deliveries.
	SaveResults(ctx context.Context, id idv.EndpointID, results []Result, gone bool) error
	// GiveUp gives up the deliveries of an endpoint, if it is still stopped.
	GiveUp(ctx context.Context, id idv.EndpointID) error
	// ListStalled returns up to limit endpoints where something is due and no worker holds the queue.
	ListStalled(ctx context.Context, limit int) ([]idv.EndpointID, error)
	// EnqueueDelivery enqueues a delivery job for an endpoint.
	EnqueueDelivery(ctx context.Context, id idv.EndpointID) error
}

// Due is a delivery that is due, with its event.
type Due struct {
	ID       idv.DeliveryID
	Attempts int    // attempts so far
	Event    Event  // its Mode may be empty
	Parent   string // traceparent of what caused it; empty if that was not traced
}

// Result is the outcome of an attempt and the state that follows.
type Result struct {
	Delivery idv.DeliveryID
	Before   int // attempts before this one; if the delivery has more by now, it was resent, and the result does not change it
	Attempt  Attempt
	State    State
	NextAt   time.Time // of the next attempt; zero for none
}

// Subjects reads what webhooks say about sessions.
type Subjects interface {
	// Subject returns a session as it is now; with whole also as the API answers it. Problems: not_found.
	Subject(ctx context.Context, id idv.SessionID, whole bool) (Subject, error)
}

// Subject is the session that an event is about. Of an erased one nothing is left.
type Subject struct {
	ExternalReference string
	Metadata          map[string]string
	Session           json.RawMessage // as the API answers it, without link and verified facts; nil where it was not asked for
}

// Options of a Service. The zero value works, and sends to public addresses only.
type Options struct {
	Subjects Subjects       // nil where webhooks say nothing but ids
	Allowed  []netip.Prefix // networks that are not public but that the operator lets webhooks reach
	Timeout  time.Duration  // of an attempt; defaults to DefaultTimeout
	Resolver Resolver       // net.DefaultResolver
	Roots    *x509.CertPool // the system's
	Now      func() time.Time
	Random   io.Reader // crypto/rand
	Log      *slog.Logger
	Tracer   *trace.Tracer // nil for none
}

// Service manages endpoints, delivers events and reads the feed. It is safe for concurrent use.
type Service struct {
	store   Store
	about   Subjects
	guard   guard
	client  *http.Client
	timeout time.Duration
	now     func() time.Time
	random  io.Reader
	log     *slog.Logger
	tracer  *trace.Tracer
}

// New returns a Service.
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
	now := func() time.Time { return o.Now().UTC().Truncate(time.Microsecond) } // the precision that every database stores
	g := guard{allowed: o.Allowed, resolver: o.Resolver}
	return &Service{
		store: store, about: o.Subjects, guard: g, client: newClient(g, o.Roots), timeout: o.Timeout, now: now, random: o.Random, log: o.Log, tracer: o.Tracer,
	}
}

// Handlers returns h with the handlers of this service's jobs.
func (s *Service) Handlers(h job.Handlers) job.Handlers {
	h.Deliver = func(ctx context.Context, a job.Deliver) error { return s.Deliver(ctx, a.Endpoint) }
	h.Redeliver = s.Redeliver
	return h
}
