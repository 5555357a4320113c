package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/fstest"
	"time"

	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/checker"
	"github.com/bonafide-id/bonafide/internal/chip"
	"github.com/bonafide-id/bonafide/internal/emrtd/testchip"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/console"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/insight"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/openid4vp/testwallet"
	"github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/screening/monitor"
	"github.com/bonafide-id/bonafide/internal/session/decision"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/galleries"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/vault"
	"github.com/bonafide-id/bonafide/internal/wallet"
	"github.com/bonafide-id/bonafide/internal/webhook"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// world is a whole server over SQLite, with an engine whose pictures say what is in them.
type world struct {
	blobs    *vault.Blobs
	t        *testing.T
	url      string
	api      *httpapi.Server
	lab      *idvtest.Lab
	verifier *verifier
	store    *store.Store
	sessions *services.Services
	accounts httpapi.Accounts
	hooks    *webhook.Service
	office   *mail.Office
	flows    *workflow.Service
	roles    *roles
	lists    *lists.Keeper
	compiled *lists.Live
	monitor  *monitor.Monitor
	log      *lockedBuffer
	clock    *clock
	records  *records
	gate     *gate
	status   *statusLists
	key      string // test mode, every scope
	live     string // live mode, every scope
	views    int    // saved while walking
	faces    atomic.Pointer[galleries.Model]
}

const ownerEmail, ownerPassword = "ada@example.test", "correct horse battery"

// page is what the tests serve as the console.
const page = `<!doctype html><meta property="csp-nonce" nonce="__CSP_NONCE__"><script nonce="__CSP_NONCE__"></script>`

func newWorld(t *testing.T, change ...func(*httpapi.Options)) *world {
	t.Helper()
	return newWorldOn(t, migrated.SQLite(t), change...)
}

func newWorldOn(t *testing.T, where string, change ...func(*httpapi.Options)) *world {
	t.Helper()
	return newWorldSSO(t, where, signin.SSOConfig{}, change...)
}

// onEveryDatabase runs a test in a world on SQLite and in one on PostgreSQL.
func onEveryDatabase(t *testing.T, test func(*testing.T, *world)) {
	t.Helper()
	t.Run("on SQLite", func(t *testing.T) {
		t.Parallel()
		test(t, newWorld(t))
	})
	t.Run("on PostgreSQL", func(t *testing.T) {
		t.Parallel()
		test(t, newWorldOn(t, migrated.Postgres(t)))
	})
}

// newWorldSSO is newWorldOn with single sign-on.
func newWorldSSO(t *testing.T, where string, sso signin.SSOConfig, change ...func(*httpapi.Options)) *world {
	t.Helper()
	return newWorldMail(t, where, sso, mail.Server{}, change...)
}

// newWorldMail is newWorldSSO with a mail server.
func newWorldMail(t *testing.T, where string, sso signin.SSOConfig, post mail.Server, change ...func(*httpapi.Options)) *world {
	t.Helper()
	w := &world{t: t, lab: &idvtest.Lab{}, verifier: &verifier{}, log: &lockedBuffer{}, clock: &clock{}, records: &records{}}
	log := slog.New(slog.NewTextHandler(w.log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	w.openStore(where, log)
	w.gate = &gate{Logins: w.store}
	w.office = mail.NewOffice(w.store, mail.Options{
		Server: post, Brand: mail.Brand{Name: "Example"}, PublicURL: "http://localhost", Now: w.clock.now, Log: log,
	})
	anchors := register.New(w.store, register.Options{Now: w.clock.now})
	trusted := testwallet.Trust{Loader: testchip.Trust{Loader: anchors, Now: w.clock.now}, Now: w.clock.now}
	chips := chip.NewExtractor(trusted, portraits{}, portraits{})
	w.lists = lists.New(w.store, lists.Options{Now: w.clock.now, Log: log})
	var err error
	w.compiled, err = lists.NewLive(w.lists, t.TempDir())
	must(t, err)
	t.Cleanup(func() { must(t, w.compiled.Close()) })
	w.status = &statusLists{}
	wallets := wallet.NewExtractor(trusted, portraits{}, portraits{}, wallet.Options{
		Lists: testwallet.Lists{Getter: w.status, Now: w.clock.now}, Now: w.clock.now,
	})
	engine, err := flow.New(
		w.lab.Gates(), append(w.lab.Extractors(), chips, wallets),
		slices.Concat(w.lab.Checkers(), checker.OfChip(), checker.OfWallet(), checker.OfSeen(idvtest.Faces{}), screening.Checkers(w.compiled)), flow.Options{},
	)
	must(t, err)
	w.faces.Store(&galleries.Model{Name: idvtest.TemplateModel, Calibration: faceCurve(10_000_000)})
	w.sessions = services.New(w.store, w.store.Pictures(), engine, services.Options{
		Log: log, Now: w.clock.now, Wallet: asksWallets(), Office: w.office,
		Seeks: decision.Seeks{Faces: idvtest.Faces{}, Galleries: w.store.Galleries(func() galleries.Model { return *w.faces.Load() })},
	})
	w.monitor = monitor.New(w.store, w.sessions.Life, w.lists, w.compiled, monitor.Options{Now: w.clock.now, Log: log})
	w.hooks = webhook.New(w.store, webhook.Options{
		Allowed: []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}, Now: w.clock.now, Log: log, Subjects: sessions.NewSubjects(w.sessions.Sessions),
	})
	w.flows = workflow.New(w.store, workflow.Options{Now: w.clock.now, Face: func() (modelcard.Card, bool) { return faceCard, true }})
	w.roles = &roles{accountStore: w.store, records: w.records}
	w.accounts = newAccounts(w.roles, w.clock.now, sso)
	console.PrepareResets(w.office, w.accounts.SignIn.Resets)
	o := httpapi.Options{
		PublicURL: "http://localhost", Log: log, Audit: w.records.through(w.store.RecordAudit), Heartbeat: 50 * time.Millisecond,
		Now: w.clock.now, Webhooks: w.hooks, Workflows: w.flows, Ready: w.store.Ready, Outage: database.IsOutage,
		Trust: anchors, Office: w.office,
		Screening: console.ScreeningOptions{Lists: w.lists, Live: w.compiled, Monitor: w.monitor, Fetch: w.store.EnqueueFetch},
		Insight:   insight.New(w.store, insight.Options{Now: w.clock.now}),
		Site: fstest.MapFS{
			"applicant/index.html":       {Data: []byte("<!doctype html><head><title>applicant</title></head>")},
			"console/index.html":         {Data: []byte(page)},
			"assets/applicant/app-1a.js": {Data: []byte(strings.Repeat("console.log(1);\n", 200))},
		},
	}
	for _, c := range change {
		c(&o)
	}
	w.api, err = httpapi.New(w.sessions, w.accounts, w.verifier, httpapi.Stores{Web: w.gate, Idempotency: w.store.Replays(), Log: w.store, Requests: w.store}, o)
	must(t, err)
	listening := httptest.NewServer(w.api.Handler())
	t.Cleanup(func() { w.api.Stop(); listening.Close() }) // live updates would keep it open
	w.url = listening.URL
	_, w.key, err = w.accounts.Keys.Create(t.Context(), "test key", idv.Test)
	must(t, err)
	_, w.live, err = w.accounts.Keys.Create(t.Context(), "live key", idv.Live)
	must(t, err)
	return w
}

// openStore opens a copy of migrated.
func (w *world) openStore(where string, log *slog.Logger) {
	w.t.Helper()
	master, err := vault.OpenMaster(idvtest.Master(w.t))
	must(w.t, err)
	w.blobs, err = vault.OpenBlobs(w.t.Context(), "file://"+filepath.Join(w.t.TempDir(), "blobs"))
	must(w.t, err)
	w.store, err = store.Open(w.t.Context(), where, store.Options{Master: master, Blobs: w.blobs, Log: log, Now: w.clock.now})
	must(w.t, err)
	w.t.Cleanup(func() { _ = w.store.Close(); _ = w.blobs.Close() })
}

// run is t.Run with the world in the subtest's hands.
func (w *world) run(t *testing.T, name string, f func(*testing.T)) {
	t.Helper()
	t.Run(name, func(t *testing.T) {
		outer := w.t
		w.t = t
		defer func() { w.t = outer }()
		f(t)
	})
}

// work works jobs until the function that it answers is called, or the test ends.
func (w *world) work() (stop func()) {
	w.t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() {
		done <- w.store.Work(ctx, w.monitor.Handlers(w.hooks.Handlers(w.sessions.Handlers()), w.lists), queue.WorkOptions{Workers: 2, Poll: 50 * time.Millisecond})
	}()
	stop = sync.OnceFunc(func() {
		cancel()
		if err := <-done; err != nil {
			w.t.Errorf("work: %v", err)
		}
	})
	w.t.Cleanup(stop)
	return stop
}

// clock can be moved.
type clock struct {
	mu    sync.Mutex
	moved time.Duration
}

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return time.Now().Add(c.moved)
}

func (c *clock) move(d time.Duration) { c.mu.Lock(); c.moved += d; c.mu.Unlock() }

// verifier answers what a test tells it to.
type verifier struct {
	answer func(context.Context, flow.Request) (flow.Result, error)
}

func (v *verifier) Verify(ctx context.Context, q flow.Request) (flow.Result, error) {
	if v.answer == nil {
		return flow.Result{Verdict: idv.Verdict{Outcome: idv.DecideRefer, Rule: "test"}}, nil
	}
	return v.answer(ctx, q)
}

type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// create makes a session by key and answers its id and link.
func (w *world) create(key string, body map[string]any) (id, link string) {
	w.t.Helper()
	if body == nil {
		body = map[string]any{}
	}
	if body["workflow"] == nil {
		body["workflow"] = "no_liveness" // liveness has tests of its own
	}
	a := w.do(ask{method: "POST", path: "/v1/sessions", bearer: key, body: body})
	if a.status != http.StatusCreated {
		w.t.Fatalf("create a session: %d %s", a.status, a.body)
	}
	u := field(a.body, "url")
	return field(a.body, "id"), u[strings.LastIndex(u, "/")+1:]
}

// newLink makes a new link for a session and answers its secret part.
func (w *world) newLink(id string) string {
	w.t.Helper()
	u := field(w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/link", bearer: w.key}).want(w.t, 200, "").body, "url")
	return u[strings.LastIndex(u, "/")+1:]
}

// open opens a link and answers the applicant's token.
func (w *world) open(link string) string {
	w.t.Helper()
	a := w.do(ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": link}})
	if a.status != http.StatusOK {
		w.t.Fatalf("open: %d %s", a.status, a.body)
	}
	return field(a.body, "token")
}

// referred is a session, made with that key, that waits for a person, with its case.
func (w *world) referred(key string) (id, review, token string) { return w.referredWith(key, nil) }

// referredWith is referred with what the integrator stated.
func (w *world) referredWith(key string, stated map[string]any) (id, review, token string) {
	w.t.Helper()
	id, link := w.create(key, stated)
	token = w.open(link)
	w.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(w.t, 200, "")
	w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(w.t, 200, "")
	w.send(token, "document_front", idvtest.Passport("anna")).want(w.t, 200, "")
	w.send(token, "selfie", idvtest.Selfie("unsure")).want(w.t, 200, "")
	sid := idv.SessionID(id)
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(20 * time.Millisecond) {
		if c, err := w.sessions.Queue.CaseOf(w.t.Context(), sid); err == nil {
			return id, string(c.ID), token
		}
	}
	w.t.Fatalf("session %s was not referred\n%s", id, w.log.String())
	return "", "", ""
}

// begun is a session that was opened, consented to, and waits for a passport.
func (w *world) begun() (id, token string) {
	w.t.Helper()
	id, link := w.create(w.key, nil)
	token = w.open(link)
	w.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(w.t, 200, "")
	w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(w.t, 200, "")
	return id, token
}

// attempts counts the sends of all worlds, so that no two of them have one name.
var attempts atomic.Int64

// send sends a picture for a step.
func (w *world) send(token, step string, s idvtest.Scene) answer {
	w.t.Helper()
	return w.do(ask{method: "PUT", path: "/v1/applicant/steps/" + step, bearer: token,
		body: form{"attempt": fmt.Sprintf("attempt-%06d", attempts.Add(1)), "picture": idvtest.Picture(w.t, s)}})
}

// decided is a session that reached a verdict.
func (w *world) decided(selfie string) (id, token string) {
	w.t.Helper()
	id, token = w.begun()
	w.send(token, "document_front", idvtest.Passport("anna")).want(w.t, 200, "")
	w.send(token, "selfie", idvtest.Selfie(selfie)).want(w.t, 200, "")
	w.wait(id)
	return id, token
}

// wait waits until the server has nothing to do for a session.
func (w *world) wait(id string) string {
	w.t.Helper()
	wake, stop := w.sessions.Sessions.Watch(idv.SessionID(id))
	defer stop()
	deadline := time.Now().Add(20 * time.Second)
	for time.Now().Before(deadline) {
		a := w.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key})
		if s := field(a.body, "state"); s != "processing" && s != "" {
			return s
		}
		select {
		case <-wake:
		case <-time.After(200 * time.Millisecond): // another server may work on it
		}
	}
	w.t.Fatalf("session %s got no verdict\n%s", id, w.log.String())
	return ""
}

// signIn makes the owner, if there is none, and answers a console cookie.
func (w *world) signIn() string {
	w.t.Helper()
	if needed, err := w.accounts.Setup.Needed(w.t.Context()); err == nil && needed {
		token, err := w.accounts.Setup.NewToken(w.t.Context())
		must(w.t, err)
		_, err = w.accounts.Setup.CreateOwner(w.t.Context(), team.Owner{Token: token, Name: "Ada", Email: ownerEmail, Password: ownerPassword})
		must(w.t, err)
	}
	a := w.do(ask{method: "POST", path: "/v1/console/login", body: map[string]any{"email": ownerEmail, "password": ownerPassword}})
	if a.status != http.StatusOK {
		w.t.Fatalf("sign in: %d %s", a.status, a.body)
	}
	cookie, _, _ := strings.Cut(a.header.Get("Set-Cookie"), ";")
	return cookie
}
