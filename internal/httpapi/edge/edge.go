// Package edge is what every request passes: request ids and the access log, credentials and permissions, limits of size and rate,
// repeats by Idempotency-Key, console sessions, problems, traces and metrics; and what handlers of any kind need of it: routes,
// forms, live updates and room for pictures.
//
// Nothing that identifies a person reaches the log: routes are logged by pattern, never by path, and bodies, queries and
// credentials are not logged at all.
package edge

import (
	"cmp"
	"log/slog"
	"net/http"
	"net/netip"
	"net/url"
	"time"

	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// Options configure an Edge. Now and Log must be set; stores and services may be nil where only the description of the API is
// wanted.
type Options struct {
	PublicURL string         // scheme, host and port
	Proxies   []netip.Prefix // whose X-Forwarded-For is believed

	Keys     *apikey.Service
	Members  *team.Members
	Handoffs *applicant.Handoffs

	Logins      Logins
	Idempotency Idempotency
	Calls       CallLog // calls made with API keys; nil keeps none

	Rates     Rates
	Grants    Grants        // shares the counts of calls with other processes; nil where there is none
	GrantWait time.Duration // how long a call waits for an answer of Grants before this process counts alone
	Heartbeat time.Duration // of live updates
	BodyGrace time.Duration // how long the pace of a body does not matter; BodyGrace if zero

	Now     func() time.Time
	Log     *slog.Logger
	Metrics *Metrics      // shared with the rest of the process; nil for its own
	Tracer  *trace.Tracer // nil for none

	Outage func(error) bool // whether an error means that data cannot be read or kept just now; nil for never
}

// Edge takes requests in and lets answers out.
type Edge struct {
	Problems *Problems
	Consoles *ConsoleSessions
	Updates  *Updates
	Logins   *Limiter // of tries to sign in, by account and address
	Resets   *Limiter // of links to reset a password, by account and by address

	keys     *apikey.Service
	handoffs *applicant.Handoffs
	limits   *Limits
	replays  *Replays
	calls    *callWriter
	turns    *Turns // of most calls

	pictureTurns *Turns // of calls with a picture
	publicURL    string
	proxies      []netip.Prefix
	bodyGrace    time.Duration
	now          func() time.Time
	log          *slog.Logger
	metrics      *Metrics
	tracer       *trace.Tracer
	stopping     chan struct{}
}

// New returns an Edge. Call Stop when it takes no more requests.
func New(o Options) (*Edge, error) {
	if o.Metrics == nil {
		var err error
		if o.Metrics, err = NewMetrics(); err != nil {
			return nil, err
		}
	}
	problems, stopping := &Problems{log: o.Log, outage: o.Outage}, make(chan struct{})
	limits, shared := newLimits(o), newPressure(time.Now)
	return &Edge{
		Problems: problems, Consoles: newConsoleSessions(o),
		Updates: &Updates{heartbeat: o.Heartbeat, stopping: stopping, problems: problems}, Logins: limits.logins, Resets: limits.resets,
		keys: o.Keys, handoffs: o.Handoffs, limits: limits,
		replays: &Replays{store: o.Idempotency, now: o.Now, log: o.Log, problems: problems},
		calls:   newCallWriter(o.Calls, stopping, o.Log.Warn), publicURL: o.PublicURL, proxies: o.Proxies, bodyGrace: cmp.Or(o.BodyGrace, BodyGrace),
		turns: newTurns(time.Now, burstTime, shared), pictureTurns: newTurns(time.Now, pictureBurstTime, shared),
		now: o.Now, log: o.Log, metrics: o.Metrics, tracer: o.Tracer, stopping: stopping,
	}, nil
}

// Stop ends the live updates, which would otherwise keep a server from shutting down, and writes what waits for the log of calls.
// Call it once.
func (e *Edge) Stop() {
	close(e.stopping)
	<-e.calls.done
}

// secure reports whether browsers reach the server by https.
func (o Options) secure() bool {
	u, err := url.Parse(o.PublicURL)
	return err == nil && u.Scheme == "https"
}

// Router is the mux as the framework sees it: every handler that the framework registers is put behind its row's guard.
type Router struct {
	mux  *http.ServeMux
	edge *Edge
	rows map[string]Route
}

// Router returns a Router of those routes. A handler without a row is a programming error, at which it panics.
func (e *Edge) Router(mux *http.ServeMux, rows []Route) Router {
	out := Router{mux: mux, edge: e, rows: map[string]Route{}}
	for _, r := range rows {
		out.rows[r.Pattern()] = r
	}
	return out
}

// HandleFunc implements humago.Mux.
func (g Router) HandleFunc(pattern string, h func(http.ResponseWriter, *http.Request)) {
	row, ok := g.rows[pattern]
	if !ok {
		panic("httpapi: a handler without a row in the table: " + pattern)
	}
	g.mux.Handle(pattern, g.edge.guard(row, http.HandlerFunc(h)))
}

// ServeHTTP implements humago.Mux.
func (g Router) ServeHTTP(w http.ResponseWriter, r *http.Request) { g.mux.ServeHTTP(w, r) }
