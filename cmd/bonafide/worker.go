package main

import (
	"cmp"
	"context"
	"errors"
	"net/url"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// workerCommand works jobs without serving.
type workerCommand struct {
	config.Storage
	config.Work
	config.Engine
	config.Mail
	config.Log
	PublicURL   string `help:"Public URL of the server; links in emails start with it." placeholder:"URL"`
	Brand       string `help:"Name of the deployment in emails. Default: the host of --public-url." placeholder:"NAME"`
	AdminListen string `help:"Address of /metrics; none if left out." placeholder:"HOST:PORT"`
}

// Run implements the command.
func (c *workerCommand) Run(ctx context.Context, s streams) error {
	log, err := startLog(c.Log, s.Err)
	if err != nil {
		return err
	}
	d, err := openDeployment(ctx, &c.Storage, c.Work, c.Engine, applicant.Options{}, c.post(), log)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var parts sync.WaitGroup
	parts.Go(d.load)
	parts.Go(func() { d.live.Run(ctx) })
	parts.Go(func() { d.keepFaces(ctx) })
	parts.Go(func() { d.store.WatchPages(ctx, c.CheckDatabase) })
	var admin error
	if c.AdminListen != "" {
		parts.Go(func() {
			admin = listenAndAnswer(ctx, c.AdminListen, d.metrics.Handler())
			stop()
		})
	}
	log.Info("working", "database", d.store.Engine(), "at_once", c.Workers)
	err = d.work(ctx, c.Work)
	stop()
	parts.Wait()
	return errors.Join(err, admin, d.Close())
}

// post returns what a worker knows of mails.
func (c *workerCommand) post() post {
	name := c.Brand
	if u, err := url.Parse(c.PublicURL); err == nil {
		name = cmp.Or(name, u.Hostname())
	}
	return post{Mail: c.Mail, publicURL: strings.TrimRight(c.PublicURL, "/"), brand: mail.Brand{Name: cmp.Or(name, "Bonafide")}}
}
