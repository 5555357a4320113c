package main

import (
	"context"
	"errors"

	"github.com/bonafide-id/bonafide/internal/config"
)

// doctorCommand checks what a server needs.
type doctorCommand struct {
	config.Storage
	config.Engine
}

// Run implements the command.
func (c *doctorCommand) Run(_ context.Context, _ streams) error {
	return errors.New("doctor is not wired yet")
}
