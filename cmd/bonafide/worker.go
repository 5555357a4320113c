package main

import (
	"context"
	"errors"
	"sync"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// workerCommand works jobs without serving.
type workerCommand struct {
	config.Storage
	config.Work
	config.Engine
	config.Log
	AdminListen string `help:"Address of /metrics; none if left out." placeholder:"HOST:PORT"`
}

// Run implements the command.
func (c *workerCommand) Run(ctx context.Context, s streams) error {
	log, err := startLog(c.Log, s.Err)
	if err != nil {
		return err
	}
	d, err := openDeployment(ctx, &c.Storage, c.Work, c.Engine, applicant.WalletOptions{}, log)
	if err != nil {
		return err
	}
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	var parts sync.WaitGroup
	parts.Go(d.load)
	parts.Go(func() { d.live.Run(ctx) })
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
