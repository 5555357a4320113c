package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/account/apikey"
	"github.com/bonafide-id/bonafide/internal/account/password"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/biometric"
	"github.com/bonafide-id/bonafide/internal/buildinfo"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/emrtd/testchip"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/sessions"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/openid4vp/testwallet"
	"github.com/bonafide-id/bonafide/internal/pdf"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/screening/monitor"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/session/decision"
	"github.com/bonafide-id/bonafide/internal/session/review"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/store/database"
	facestore "github.com/bonafide-id/bonafide/internal/store/galleries"
	"github.com/bonafide-id/bonafide/internal/store/queue"
	"github.com/bonafide-id/bonafide/internal/trace"
	"github.com/bonafide-id/bonafide/internal/trust/register"
	"github.com/bonafide-id/bonafide/internal/vault"
	"github.com/bonafide-id/bonafide/internal/wallet"
	"github.com/bonafide-id/bonafide/internal/webhook"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// deployment is what a server and a worker have in common: data, engine and use cases, put together.
type deployment struct {
	log         *slog.Logger
	blobs       *vault.Blobs
	store       *store.Store
	engine      *engine
	sessions    *services.Services
	accounts    httpapi.Accounts
	hooks       *webhook.Service
	office      *mail.Office
	flows       *workflow.Service
	trust       *register.Register
	revocations *register.Fetching
	lists       *lists.Keeper
	live        *lists.Live
	monitor     *monitor.Monitor
	galleries   *facestore.Galleries
	metrics     *edge.Metrics
	models      *loading
	tracer      *trace.Tracer    // nil where no traces are asked for
	fetcher     *webhook.Fetcher // of what strangers name the address of
}

// openStore opens the master key, the bucket and the database, by the clock that the store tells time by. With --dev a missing
// key is made. A tracer may be nil.
func openStore(ctx context.Context, c *config.Storage, log *slog.Logger, tracer *trace.Tracer, now func() time.Time) (*store.Store, *vault.Blobs, error) {
	if err := c.Complete(); err != nil {
		return nil, nil, err
	}
	if path, ok := strings.CutPrefix(c.MasterKey, "file:"); ok && c.Dev {
		if err := makeMaster(ctx, c, path); err != nil {
			return nil, nil, err
		}
	}
	master, err := vault.OpenMaster(c.MasterKey, c.OtherMasterKey...)
	if err != nil {
		return nil, nil, err
	}
	blobs, err := vault.OpenBlobs(ctx, c.Blobs)
	if err != nil {
		return nil, nil, err
	}
	st, err := store.Open(ctx, c.Database, store.Options{Master: master, Blobs: blobs, Now: now, Log: slog.New(calm{log.Handler()}), Tracer: tracer})
	if err != nil {
		return nil, nil, errors.Join(err, blobs.Close())
	}
	return st, blobs, nil
}

// errKeyLost refuses to make a key for data that it could not open.
var errKeyLost = errors.New("the database holds data, and the master key that opens it is missing")

// makeMaster makes a master key where there is none and the database is new. Data that was encrypted with another key is left alone,
// and no key is written beside it, which would be taken for the right one later.
func makeMaster(ctx context.Context, c *config.Storage, path string) error {
	if _, err := os.Stat(path); !errors.Is(err, os.ErrNotExist) {
		return nil // it is there, or why it cannot be read is said when it is opened
	}
	unused, err := isUnused(ctx, c.Database)
	if err != nil {
		return err
	}
	if !unused {
		return fmt.Errorf("%w: put it back at %s, or start with new data (another --data-dir or --database)", errKeyLost, path)
	}
	_, err = vault.CreateMaster(path)
	return err
}

// isUnused reports whether nothing was ever kept in a database. It makes an SQLite database that is not there.
func isUnused(ctx context.Context, database string) (bool, error) {
	st, err := store.Open(ctx, database, store.Options{Log: quiet()})
	if err != nil {
		return false, err
	}
	unused, err := st.Unused(ctx)
	return unused, errors.Join(err, st.Close())
}

// openTraces opens the way to the collector that the environment names, if it names one. The log then says to which trace a
// line belongs.
func (d *deployment) openTraces(ctx context.Context) error {
	var err error
	d.tracer, err = trace.Open(ctx, trace.Options{Environment: os.Getenv, Version: buildinfo.Read().String(), Instance: rand.Text(), Log: d.log})
	if err != nil || d.tracer == nil {
		return err
	}
	d.log = slog.New(trace.Logs(d.log.Handler()))
	return nil
}

// use does something with the data of a deployment, as one command. A database into which a restore did not come to its end is
// refused.
func use(ctx context.Context, c *config.Storage, l config.Log, s streams, do func(*store.Store) error) error {
	return useAt(ctx, c, l, s, time.Now, do)
}

// useAt is use with the clock that the store tells time by.
func useAt(ctx context.Context, c *config.Storage, l config.Log, s streams, now func() time.Time, do func(*store.Store) error) error {
	return useUnfinished(ctx, c, l, s, now, func(st *store.Store) error {
		if err := st.Finished(ctx); err != nil {
			return err
		}
		return do(st)
	})
}

// useUnfinished is useAt for the command that finishes what a restore left behind.
func useUnfinished(ctx context.Context, c *config.Storage, l config.Log, s streams, now func() time.Time, do func(*store.Store) error) error {
	log, err := startLog(l, s.Err)
	if err != nil {
		return err
	}
	st, blobs, err := openStore(ctx, c, log, nil, now)
	if err != nil {
		return err
	}
	return errors.Join(do(st), st.Close(), blobs.Close())
}

// openDeployment opens everything that a server or a worker needs. Models are loaded later, by load.
func openDeployment(ctx context.Context, c *config.Storage, w config.Work, e config.Engine, front applicant.Options, p post,
	log *slog.Logger,
) (*deployment, error) {
	d := &deployment{log: log, models: &loading{}}
	networks, err := w.Networks(c.Dev)
	if err != nil {
		return nil, err
	}
	if err := d.openTraces(ctx); err != nil {
		return nil, err
	}
	if d.store, d.blobs, err = openStore(ctx, c, d.log, d.tracer, time.Now); err != nil {
		d.tracer.Close()
		return nil, err
	}
	if err := d.openOffice(p); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.trust = register.New(d.store, register.Options{TwoPersons: w.TrustTwoPersons})
	d.fetcher = webhook.NewFetcher(webhook.FetchOptions{Allowed: networks})
	if d.revocations, err = register.NewFetching(d.trust, d.fetcher, w.CRLURL, d.log); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	reach := webhook.New(nil, webhook.Options{Allowed: networks, Log: d.log}).Reach()
	d.lists = lists.New(d.store, lists.Options{Log: d.log, Client: reach.Client, Check: reach.Check})
	if d.live, err = openLists(c, w, d.lists); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	if err := d.assemble(ctx, c, e, front); err != nil {
		return nil, errors.Join(err, d.Close())
	}
	d.hooks = webhook.New(d.store, webhook.Options{
		Allowed: networks, Log: d.log, Tracer: d.tracer, Subjects: sessions.NewSubjects(d.sessions.Sessions),
	})
	return d, nil
}

func (d *deployment) assemble(ctx context.Context, c *config.Storage, e config.Engine, front applicant.Options) error {
	if err := d.store.Finished(ctx); err != nil {
		return err
	}
	if c.Dev {
		if err := d.store.Migrate(ctx); err != nil {
			return err
		}
	}
	if current, err := d.store.Current(ctx); err != nil || !current {
		return errors.Join(errors.New("the database is not of this version; run bonafide migrate"), err)
	}
	var err error
	if d.metrics, err = edge.NewMetrics(); err != nil {
		return err
	}
	signed := evidence{
		trust: testwallet.Trust{Loader: testchip.Trust{Loader: d.trust}}, lists: testwallet.Lists{Getter: wallet.NewStatusLists(d.fetcher, nil)}, watchlists: d.live,
	}
	if d.engine, err = engineWith(e, time.Now, signed); err != nil {
		return err
	}
	d.accounts = newAccounts(d.store, signin.Options{})
	faces := biometric.NewEarlierFaces(d.engine.Faces)
	d.galleries = d.store.Galleries(func() facestore.Model {
		return facestore.Model{Name: faces.Templates(), Calibration: faces.Calibration()}
	})
	d.sessions = services.New(d.store, d.store.Pictures(), observed{d.engine.Flow, d.metrics}, services.Options{
		Log: d.log, Renderer: pdf.New(pdf.Options{}), Wallet: front.Wallet, Origins: front.Origins, Deciders: deciders(d.accounts.Members), Office: d.office,
		Seeks: decision.Seeks{Faces: faces, Galleries: d.galleries},
	})
	d.monitor = monitor.New(d.store, d.sessions.Life, d.lists, d.live, monitor.Options{Log: d.log})
	d.prepareMails()
	d.flows = workflow.New(d.store, workflow.Options{Face: func() (modelcard.Card, bool) { return d.engine.Set.Card(face.TemplateModel) }})
	return errors.Join(d.metrics.Sessions(d.sessions.Sessions.CountStates), d.metrics.Vitals(edge.Vital{
		Read: d.store.Vitals, Models: d.models.String, Free: func() map[string]uint64 { return freeSpace(*c) }, Now: time.Now, Log: d.log,
	}))
}

// deciders lists the members who may decide cases, for those that are given out without anybody's asking.
func deciders(members *team.Members) review.Deciders {
	return func(ctx context.Context, mode idv.Mode) ([]review.Reviewer, error) {
		users, err := members.ListPermitted(ctx, account.CasesDecide, mode)
		out := make([]review.Reviewer, 0, len(users))
		for _, u := range users {
			out = append(out, review.Reviewer{ID: u.ID, Overrules: account.May(u.Roles, account.CasesOverrule, mode)})
		}
		return out, err
	}
}

// spaceLeast is the free space, in bytes, below which a server takes no requests: a picture may not fit any more.
const spaceLeast = 16 << 20

// ready returns whether requests can be taken. Problems: unavailable.
func (d *deployment) ready(c config.Storage) func(context.Context) error {
	return func(ctx context.Context) error {
		for what, free := range freeSpace(c) {
			if free < spaceLeast {
				return errors.Join(problem.New(problem.Unavailable).Saying("The disk is full."), fmt.Errorf("%s: %d bytes free", what, free))
			}
		}
		return d.store.Ready(ctx)
	}
}

// outage reports whether an error means that data cannot be read or kept just now; readiness then looks again.
func (d *deployment) outage(err error) bool {
	if !database.IsOutage(err) {
		return false
	}
	d.store.Suspect()
	return true
}

// Close releases what was opened. Work has to have ended.
func (d *deployment) Close() error {
	err := errors.Join(d.store.Close(), d.blobs.Close())
	if d.live != nil {
		err = errors.Join(err, d.live.Close())
	}
	d.tracer.Close()
	return err
}

// work works jobs until the context ends.
func (d *deployment) work(ctx context.Context, c config.Work) error {
	handlers := d.revocations.Handlers(d.office.Handlers(d.monitor.Handlers(d.hooks.Handlers(d.sessions.Handlers()), d.lists)))
	err := d.store.Work(ctx, d.countJobs(handlers), queue.WorkOptions{Workers: c.Workers})
	if ctx.Err() != nil && errors.Is(err, context.Canceled) {
		return nil // told to stop while it was still starting
	}
	return err
}

// keepFaces reads the faces of galleries, and overwrites those that other servers remove, until the context ends.
func (d *deployment) keepFaces(ctx context.Context) {
	d.galleries.Run(ctx, func(err error) { d.log.ErrorContext(ctx, "the faces of galleries could not be read", "error", err) })
}

// countJobs counts the jobs that concern a session or an endpoint.
func (d *deployment) countJobs(h job.Handlers) job.Handlers {
	extract, check, deliver := h.Extract, h.Check, h.Deliver
	h.Extract = func(ctx context.Context, a job.Extract) error {
		return d.countJob(ctx, a.Kind(), func() error { return extract(ctx, a) })
	}
	h.Check = func(ctx context.Context, a job.Check) error {
		return d.countJob(ctx, a.Kind(), func() error { return check(ctx, a) })
	}
	h.Deliver = func(ctx context.Context, a job.Deliver) error {
		return d.countJob(ctx, a.Kind(), func() error { return deliver(ctx, a) })
	}
	return h
}

func (d *deployment) countJob(ctx context.Context, kind string, work func() error) error {
	start, result := time.Now(), "done"
	err := work()
	if err != nil {
		result = "failed"
	}
	d.metrics.Job(ctx, kind, result, time.Since(start))
	return err
}

// load loads the models, so that the first applicant does not wait for them.
func (d *deployment) load() {
	start := time.Now()
	err := errors.Join(
		d.engine.Optical.Ready(),
		d.engine.Faces.Ready(face.DetectModel, face.MeshModel, face.TemplateModel, face.LivenessModel))
	d.models.done(err)
	if err != nil {
		d.log.Error("models are broken: sessions will go to review; run bonafide doctor to see how to fix it", "error", err)
		return
	}
	d.log.Info("models loaded", "took_ms", time.Since(start).Milliseconds())
}

// observed is the engine with its checks counted.
type observed struct {
	session.Engine
	metrics *edge.Metrics
}

// Ask implements session.Engine.
func (o observed) Ask(ctx context.Context, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error) {
	start := time.Now()
	f, err := o.Engine.Ask(ctx, k, ev)
	outcome := string(f.Outcome)
	switch {
	case err != nil:
		outcome = "error"
	case f.NotApply:
		outcome = "skipped"
	}
	o.metrics.Check(ctx, k, outcome, time.Since(start))
	return f, err
}

// openLists opens the compiled watchlists of this server.
func openLists(c *config.Storage, w config.Work, k *lists.Keeper) (*lists.Live, error) {
	dir := w.WatchlistDir
	switch {
	case dir != "":
	case c.Dev:
		dir = filepath.Join(c.DataDir, "watchlists")
	default:
		cache, err := os.UserCacheDir()
		if err != nil { // it can be made anew at any time
			cache = os.TempDir()
		}
		dir = filepath.Join(cache, "bonafide", "watchlists")
	}
	return lists.NewLive(k, dir)
}

// newAccounts returns the services that manage members and API keys.
func newAccounts(st *store.Store, o signin.Options) httpapi.Accounts {
	hasher := password.NewHasher(password.Options{})
	members := team.Options{SingleSignOn: o.SSO.Provider != nil}
	return httpapi.Accounts{
		SignIn:      signin.New(st, hasher, o),
		Setup:       team.NewSetup(st, hasher, members),
		Invitations: team.NewInvitations(st, hasher, members),
		Members:     team.NewMembers(st, members),
		Keys:        apikey.New(st, apikey.Options{}),
	}
}
