package main

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/config"
)

// workerCommand works jobs without serving.
type workerCommand struct {
	config.Storage
	config.Work
	config.Engine
}

// Run implements the command.
func (c *workerCommand) Run(_ context.Context, _ streams) error {
	if err := c.Storage.Complete(); err != nil {
		return err
	}
	return errors.New("worker is not wired yet")
}
