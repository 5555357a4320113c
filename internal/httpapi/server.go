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

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi/applicant"
	"github.com/bonafide-id/bonafide/internal/httpapi/console"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/integrator"
	"github.com/bonafide-id/bonafide/internal/httpapi/pages"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/httpapi/webhooks"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/mail"
	sessionservices "github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/webhook"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// Stores keep what only the edge needs.
type Stores struct {
	Web         edge.Logins // console sessions
	Idempotency edge.Idempotency
	Log         console.AuditLog
	Requests    edge.CallLog // calls made with API keys; nil keeps none
}

// Options of a Server.
type Options struct {
	PublicURL    string         // scheme, host and port; links start with it
	Brand        string         // who asks, on the applicant's start screen; the host if empty
	Look         brand.Look     // the operator's colour, logo and links on the applicant's screens
	Site         fs.FS          // applicant/index.html, console/index.html and assets/…; nil for none
	Docs         fs.FS          // integrate/*.md, operate/*.md and reference/*.md of /docs; nil for the reference of calls alone
	Proxies      []netip.Prefix // whose X-Forwarded-For is believed
	VerifyAtOnce int            // verifications that run at the same time; 2 if zero
	VerifyWait   time.Duration  // how long one more waits for its turn before it is told to come back; 5 s if zero
	PictureBytes int64          // memory for pictures that are being sent, of all calls together; 256 MiB if zero
	PictureWait  time.Duration  // how long a call waits for some of it before it is told to come back; 5 s if zero
	BodyGrace    time.Duration  // how long the pace at which a body arrives does not matter; 10 s if zero
	Rates        edge.Rates
	Grants       edge.Grants                 // shares them with other processes; nil where there is none
	GrantWait    time.Duration               // how long a call waits for an answer of Grants before this process counts alone; 2 s if zero
	Heartbeat    time.Duration               // of live updates; 15 s if zero
	RelayTimes   applicant.RelayTimes        // of reading chips; applicant.DefaultRelayTimes if zero
	Now          func() time.Time            // time.Now
	Log          *slog.Logger                // slog.Default
	Ready        func(context.Context) error // whether requests can be taken; nil for always
	Outage       func(error) bool            // whether an error means that data cannot be read or kept just now; nil for never
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
	// Trust is whom the deployment trusts for signed evidence; nil where only the description is wanted.
	Trust *register.Register
	// Screening is the watchlists, and who is screened against them; zero where only the description is wanted.
	Screening console.ScreeningOptions
	// Office sends mails; nil for none.
	Office *mail.Office
}

// Server answers every call.
type Server struct {
	edge    *edge.Edge
	routes  []edge.Route
	api     huma.API
	handler http.Handler
}

// New returns a Server. services and verifier may be nil and accounts zero where only the description is wanted.
func New(services *sessionservices.Services, accounts Accounts, verifier integrator.Verifier, stores Stores, o Options) (*Server, error) {
	o.fill()
	u, err := url.Parse(o.PublicURL)
	if err != nil {
		return nil, errors.New("the public URL is not a web address")
	}
	if o.Brand == "" {
		o.Brand = u.Hostname()
	}
	o.Look.Name = o.Brand
	if services == nil {
		services = &sessionservices.Services{}
	}
	publicURL := strings.TrimRight(o.PublicURL, "/")
	e, err := edge.New(edge.Options{
		PublicURL: publicURL, Proxies: o.Proxies, Keys: accounts.Keys, Members: accounts.Members, Handoffs: services.Handoffs,
		Logins: stores.Web, Idempotency: stores.Idempotency, Calls: stores.Requests,
		Rates: o.Rates, Grants: o.Grants, GrantWait: o.GrantWait, Heartbeat: o.Heartbeat, BodyGrace: o.BodyGrace,
		Now: o.Now, Log: o.Log, Metrics: o.Metrics, Tracer: o.Tracer, Outage: o.Outage,
	})
	if err != nil {
		return nil, err
	}
	room := edge.NewRoom(o.PictureBytes, o.PictureWait)
	calls := sessions.New(services.Sessions, services.Exports, room, publicURL, o.Log)
	tables := &sessions.Tables{
		Service: services.Sessions, Calls: calls, Entries: stores.Log, Insight: o.Insight, Record: o.Audit, Log: o.Log,
	}
	s := &Server{edge: e}
	s.routes = routes{
		integrator: integrator.New(integrator.Options{
			Sessions: services, Workflows: o.Workflows, Watchlists: o.Screening.Lists, Searched: o.Screening.Live, Calls: calls, Verifier: verifier, Room: room,
			VerifyAtOnce: o.VerifyAtOnce, VerifyWait: o.VerifyWait, Tables: tables, Audit: o.Audit,
			Now: o.Now, Log: o.Log,
		}),
		applicant: applicant.New(applicant.Options{
			Sessions: services, Updates: e.Updates, Problems: e.Problems, Room: room, Brand: o.Brand, PublicURL: publicURL, Log: o.Log,
			RelayTimes: o.RelayTimes,
		}),
		console: console.New(console.Options{
			Sessions: services, Workflows: o.Workflows, Trust: o.Trust, Screening: o.Screening, Insight: o.Insight, SignIn: accounts.SignIn, Setup: accounts.Setup,
			Invitations: accounts.Invitations, Members: accounts.Members, Keys: accounts.Keys, Office: o.Office,
			Calls: calls, Tables: tables, Edge: e, Room: room, AuditLog: stores.Log, CallLog: stores.Requests,
			Brand: o.Brand, PublicURL: publicURL, Audit: o.Audit, Now: o.Now, Log: o.Log,
		}),
		webhooks: webhooks.New(o.Webhooks, o.Now),
		open:     &open{readiness: o.Ready, models: o.Models, log: o.Log},
	}.all()
	mux := http.NewServeMux()
	s.api = humago.New(e.Router(mux, s.routes), apiConfig())
	s.register()
	described, downgraded := sync.OnceValues(s.OpenAPI), sync.OnceValues(s.OpenAPI30)
	site, err := pages.New(pages.Options{
		Files: o.Site, Docs: o.Docs, Look: o.Look, Description: described,
		Applicants: services.Applicant, Workflows: o.Workflows, Problems: e.Problems, Log: o.Log,
	})
	if err != nil {
		return nil, err
	}
	mux.HandleFunc("GET /openapi.json", site.ServeDescription(described))
	mux.HandleFunc("GET /openapi-integrator.json", site.ServeDescription(sync.OnceValues(func() ([]byte, error) { return s.IntegratorOpenAPI(publicURL) })))
	mux.HandleFunc("GET /openapi-3.0.json", site.ServeDescription(downgraded))
	mux.Handle("/", e.Methods(mux, "/", site))
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
