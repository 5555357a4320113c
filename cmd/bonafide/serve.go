package main

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/cmd/bonafide/verifier"
	"github.com/bonafide-id/bonafide/docs"
	"github.com/bonafide-id/bonafide/internal/account/signin"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/console"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/web"
)

// serveCommand runs the server.
type serveCommand struct {
	config.Storage
	config.Listen
	config.Rates
	config.SSO
	config.Wallets
	config.Origins
	config.Mail
	config.Work
	config.Engine
	config.Log
}

// How long the end may take, and how long a client may take to say what it wants.
const (
	shutdownTime  = 10 * time.Second
	headerTime    = 10 * time.Second
	answerTime    = 5 * time.Minute // a page or a picture to a slow phone; event streams set their own deadlines
	idleTime      = 2 * time.Minute
	maxHeaderSize = 32 << 10
)

// Run implements the command.
func (c *serveCommand) Run(ctx context.Context, s streams) error {
	log, err := startLog(c.Log, s.Err)
	if err != nil {
		return err
	}
	if err := c.check(); err != nil {
		return err
	}
	listener, err := c.bind(ctx)
	if err != nil {
		return err
	}
	wallets, made, err := verifier.Options(c.Wallets, c.PublicURL, c.Dev)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	if made {
		log.Info("requests to wallets are signed with a certificate that was made for trying out: no wallet trusts it")
	}
	origins := c.Files(time.Now, log)
	go origins.Watch(ctx)
	d, err := openDeployment(ctx, &c.Storage, c.Work, c.Engine, applicant.Options{Wallet: wallets, Origins: origins}, c.post(), log)
	if err != nil {
		return errors.Join(err, listener.Close())
	}
	server, err := c.newServer(d)
	if err != nil {
		return errors.Join(err, listener.Close(), d.Close())
	}
	release, err := d.store.Serve(ctx)
	if err != nil {
		return errors.Join(err, listener.Close(), d.Close())
	}
	if err := c.greet(ctx, d, s); err != nil {
		return errors.Join(err, release(), listener.Close(), d.Close())
	}
	return errors.Join(c.serve(ctx, d, server, listener), release(), d.Close())
}

// check refuses settings that cannot work, all of them at once.
func (c *serveCommand) check() error {
	storage, listen := c.Storage, c.Listen // what is filled in may depend on the port
	_, look := listen.Look()
	_, signOn := c.SSO.SSO(listen.PublicURL)
	_, networks := c.Networks(c.Dev)
	_, mails := c.Server()
	return errors.Join(storage.Complete(), listen.Complete(c.Dev), look, signOn, networks, c.Wallets.Complete(), mails)
}

// bind takes the address. A port of 0 is any free one; links then name the one that was given.
func (c *serveCommand) bind(ctx context.Context) (net.Listener, error) {
	c.Listen.Listen = c.Address(c.Dev)
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", c.Listen.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen on %s: %w", c.Listen.Listen, err)
	}
	if _, port, err := net.SplitHostPort(c.Listen.Listen); err == nil && port == "0" {
		c.Listen.Listen = l.Addr().String()
	}
	if err := c.Listen.Complete(c.Dev); err != nil {
		return nil, errors.Join(err, l.Close())
	}
	if c.TLSCert == "" {
		return l, nil
	}
	pair, err := tls.LoadX509KeyPair(c.TLSCert, c.TLSKey)
	if err != nil {
		return nil, errors.Join(fmt.Errorf("read --tls-cert and --tls-key: %w", err), l.Close())
	}
	return tls.NewListener(l, &tls.Config{
		Certificates: []tls.Certificate{pair}, MinVersion: tls.VersionTLS12, NextProtos: []string{"h2", "http/1.1"},
	}), nil
}

func (c *serveCommand) newServer(d *deployment) (*httpapi.Server, error) {
	proxies, err := c.Proxies()
	if err != nil {
		return nil, err
	}
	look, err := c.Look()
	if err != nil {
		return nil, err
	}
	signOn, err := c.SSO.SSO(c.PublicURL)
	if err != nil {
		return nil, err
	}
	d.accounts = newAccounts(d.store, signin.Options{PublicURL: c.PublicURL, Brand: c.Brand, SSO: signOn})
	d.prepareMails()
	var grants edge.Grants
	if d.store.Engine() == "postgres" { // SQLite has one node
		grants = d.store
	}
	return httpapi.New(d.sessions, d.accounts, d.engine.Flow,
		httpapi.Stores{Web: d.store, Idempotency: d.store.Replays(), Log: d.store, Requests: d.store},
		httpapi.Options{
			PublicURL: c.PublicURL, Brand: c.Brand, Look: look, Site: web.Dist(), Docs: docs.Pages, Proxies: proxies, VerifyAtOnce: c.VerifyAtOnce, Log: d.log,
			PictureBytes: pictureBytes(c.PictureMB), Grants: grants, Rates: ratesOf(c.Rates),
			Metrics: d.metrics, Tracer: d.tracer, Ready: d.ready(c.Storage), Outage: d.outage, Models: d.models.String, Audit: d.store.RecordAudit, Webhooks: d.hooks,
			Workflows: d.flows, Trust: d.trust, Insight: c.newInsight(d), Office: d.office,
			Screening: console.ScreeningOptions{Lists: d.lists, Live: d.live, Monitor: d.monitor, Fetch: d.store.EnqueueFetch},
		})
}

// serve answers, and works jobs unless told not to, until the context ends or a part fails.
func (c *serveCommand) serve(ctx context.Context, d *deployment, server *httpapi.Server, listener net.Listener) error {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var parts sync.WaitGroup
	failed := make(chan error, 3)
	part := func(run func() error) {
		parts.Go(func() {
			if err := run(); err != nil {
				failed <- err
				stop()
			}
		})
	}
	part(func() error { return answer(ctx, listener, server.Handler(), server.Stop) })
	if c.AdminListen != "" {
		part(func() error { return listenAndAnswer(ctx, c.AdminListen, d.metrics.Handler()) })
	}
	parts.Go(d.load)
	parts.Go(func() { d.live.Run(ctx) })
	parts.Go(func() { d.keepFaces(ctx) })
	parts.Go(func() { d.store.WatchPages(ctx, c.CheckDatabase) })
	if !c.NoWork {
		part(func() error { return d.work(ctx, c.Work) })
	}
	d.log.Info("serving", "address", listener.Addr().String(), "public_url", c.PublicURL, "database", d.store.Engine(), "works_jobs", !c.NoWork)
	parts.Wait()
	close(failed)
	var all []error
	for err := range failed {
		all = append(all, err)
	}
	d.log.Info("stopped")
	return errors.Join(all...)
}

// listenAndAnswer is answer on an address of its own.
func listenAndAnswer(ctx context.Context, address string, h http.Handler) error {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	if err != nil {
		return fmt.Errorf("listen on %s: %w", address, err)
	}
	return answer(ctx, l, h, func() {})
}

// answer serves until the context ends, then lets requests under way finish. before is called first at the end.
func answer(ctx context.Context, l net.Listener, h http.Handler, before func()) error {
	server := &http.Server{
		Handler: h, ReadHeaderTimeout: headerTime, WriteTimeout: answerTime, IdleTimeout: idleTime, MaxHeaderBytes: maxHeaderSize,
		ErrorLog: slog.NewLogLogger(slog.DiscardHandler, slog.LevelDebug), // its lines name network addresses of people
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	before()
	last, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownTime)
	defer cancel()
	if err := server.Shutdown(last); err != nil {
		return errors.Join(fmt.Errorf("requests were cut off: %w", err), server.Close())
	}
	return nil
}

// ratesOf are the limits that were set; those that were not keep their defaults.
func ratesOf(c config.Rates) edge.Rates {
	minute := func(n uint) edge.Rate { return edge.Rate{Calls: int(min(n, math.MaxInt32)), Window: time.Minute} }
	return edge.Rates{Key: minute(c.KeyRate), Applicant: minute(c.ApplicantRate), Member: minute(c.MemberRate), Address: minute(c.AddressRate)}
}
