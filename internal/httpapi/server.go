package httpapi

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/docsite"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/webhook"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// Verifier runs a whole verification in memory (flow.Engine).
type Verifier interface {
	Verify(ctx context.Context, q flow.Request) (flow.Result, error)
}

// Stores keep what only the edge needs.
type Stores struct {
	Web         edge.Logins // console sessions
	Idempotency edge.Idempotency
	Log         AuditLog
	Requests    edge.CallLog // calls made with API keys; nil keeps none
}

// Options of a Server.
type Options struct {
	PublicURL    string         // scheme, host and port; links start with it
	Brand        string         // who asks, on the applicant's start screen; the host if empty
	Look         brand.Look     // the operator's colour, logo and links on the applicant's screens
	Site         fs.FS          // applicant/index.html, console/index.html and assets/…; nil for none
	Docs         fs.FS          // integrate/*.md and reference/*.md of /docs; nil for the reference of calls alone
	Proxies      []netip.Prefix // whose X-Forwarded-For is believed
	VerifyAtOnce int            // verifications that run at the same time; 2 if zero
	VerifyWait   time.Duration  // how long one more waits for its turn before it is told to come back; 5 s if zero
	PictureBytes int64          // memory for pictures that are being sent, of all calls together; 256 MiB if zero
	PictureWait  time.Duration  // how long a call waits for some of it before it is told to come back; 5 s if zero
	Rates        edge.Rates
	Grants       edge.Grants                 // shares them with other processes; nil where there is none
	GrantWait    time.Duration               // how long a call waits for an answer of Grants before this process counts alone; 2 s if zero
	Heartbeat    time.Duration               // of live updates; 15 s if zero
	Now          func() time.Time            // time.Now
	Log          *slog.Logger                // slog.Default
	Ready        func(context.Context) error // whether requests can be taken; nil for always
	Models       func() string               // loading, ready or broken; nil for ready
	Metrics      *edge.Metrics               // shared with the rest of the process; nil for its own
	Tracer       *trace.Tracer               // nil for none
	// Audit records what happens outside of sessions: logins, and verifications that keep nothing. nil records nothing.
	Audit func(context.Context, audit.Record) error
	// Insight answers figures; nil where only the description is wanted.
	Insight *insight.Service
	// Webhooks are endpoints, deliveries and the feed of events; nil where only the description is wanted.
	Webhooks *webhook.Service
	// Workflows are what sessions follow; nil where only the description is wanted.
	Workflows *workflow.Service
}

// Server answers every call.
type Server struct {
	sessions  *services.Services
	accounts  Accounts
	edge      *edge.Edge
	problems  *edge.Problems
	consoles  *edge.ConsoleSessions
	updates   *edge.Updates
	members   *team.Members
	callLog   edge.CallLog
	verifier  Verifier
	hooks     *webhook.Service
	insight   *insight.Service
	workflows *workflow.Service
	trail     AuditLog

	publicURL string
	brand     string
	site      *site
	now       func() time.Time
	log       *slog.Logger
	readiness func(context.Context) error
	models    func() string
	record    func(context.Context, audit.Record) error

	room       *edge.Room    // bounds the pictures in memory
	verifying  chan struct{} // bounds the work
	verifyWait time.Duration
	loginTries *edge.Limiter
	api        huma.API
	described  func() ([]byte, error) // the OpenAPI file
	downgraded func() ([]byte, error) // the same as OpenAPI 3.0
	docs       func() (*docsite.Site, error)
	handler    http.Handler
	streams    edge.Viewers // of applicants
}

// New makes a Server. Sessions and verifier may be nil and accounts zero where only the description is wanted.
func New(sessions *services.Services, accounts Accounts, verifier Verifier, stores Stores, o Options) (*Server, error) {
	o.fill()
	u, err := url.Parse(o.PublicURL)
	if err != nil {
		return nil, errors.New("the public URL is not a web address")
	}
	if o.Brand == "" {
		o.Brand = u.Hostname()
	}
	if sessions == nil {
		sessions = &services.Services{}
	}
	publicURL := strings.TrimRight(o.PublicURL, "/")
	e, err := edge.New(edge.Options{
		PublicURL: publicURL, Proxies: o.Proxies, Keys: accounts.Keys, Members: accounts.Members, Handoffs: sessions.Handoffs,
		Logins: stores.Web, Idempotency: stores.Idempotency, Calls: stores.Requests,
		Rates: o.Rates, Grants: o.Grants, GrantWait: o.GrantWait, Heartbeat: o.Heartbeat,
		Now: o.Now, Log: o.Log, Metrics: o.Metrics, Tracer: o.Tracer,
	})
	if err != nil {
		return nil, err
	}
	s := &Server{
		sessions: sessions, accounts: accounts, verifier: verifier, hooks: o.Webhooks, workflows: o.Workflows, insight: o.Insight, trail: stores.Log,
		edge: e, problems: e.Problems, consoles: e.Consoles, updates: e.Updates, members: accounts.Members, callLog: stores.Requests,
		publicURL: publicURL, brand: o.Brand, loginTries: e.Logins,
		now: o.Now, log: o.Log, readiness: o.Ready, models: o.Models, record: o.Audit,
		room: edge.NewRoom(o.PictureBytes, o.PictureWait), verifying: make(chan struct{}, o.VerifyAtOnce), verifyWait: o.VerifyWait,
	}
	if s.site, err = newSite(o.Site, o.Look); err != nil {
		return nil, err
	}
	mux := http.NewServeMux()
	s.api = humago.New(e.Router(mux, s.Routes()), apiConfig())
	s.register(s.api)
	s.described = sync.OnceValues(s.OpenAPI)
	s.downgraded = sync.OnceValues(s.OpenAPI30)
	s.docs = sync.OnceValues(s.makeDocs(o.Docs))
	mux.HandleFunc("GET /openapi.json", s.serveDescription(s.described))
	mux.HandleFunc("GET /openapi-3.0.json", s.serveDescription(s.downgraded))
	mux.HandleFunc("/", s.serveSite)
	s.handler = e.Outer(mux)
	return s, nil
}

func (o *Options) fill() {
	if o.VerifyAtOnce <= 0 {
		o.VerifyAtOnce = 2
	}
	if o.VerifyWait == 0 {
		o.VerifyWait = 5 * time.Second
	}
	if o.PictureBytes <= 0 {
		o.PictureBytes = 256 << 20
	}
	if o.GrantWait == 0 {
		o.GrantWait = 2 * time.Second
	}
	if o.PictureWait == 0 {
		o.PictureWait = 5 * time.Second
	}
	if o.Heartbeat <= 0 {
		o.Heartbeat = 15 * time.Second
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.Default()
	}
	if o.Ready == nil {
		o.Ready = func(context.Context) error { return nil }
	}
	if o.Models == nil {
		o.Models = func() string { return "ready" }
	}
	if o.Audit == nil {
		o.Audit = func(context.Context, audit.Record) error { return nil }
	}
}

// Handler answers the web apps and the API.
func (s *Server) Handler() http.Handler { return s.handler }

// Stop ends the live updates, which would otherwise keep a server from shutting down. Call it once.
func (s *Server) Stop() { s.edge.Stop() }
