package main

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/config"
)

// serveCommand runs the server.
type serveCommand struct {
	config.Storage
	config.Listen
	config.Work
	config.Engine
}

// Run implements the command.
func (c *serveCommand) Run(_ context.Context, _ streams) error {
	if err := c.Storage.Complete(); err != nil {
		return err
	}
	if err := c.Listen.Complete(c.Dev); err != nil {
		return err
	}
	return errors.New("serve is not wired yet")
}
