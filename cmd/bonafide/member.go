package main

import (
	"context"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/account/team"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/store"
)

// memberCommand is what only whoever runs the server does with members.
type memberCommand struct {
	ResetFactor resetFactorCommand `cmd:"" help:"Remove the second factors of a member who lost them: only the password is asked for then. Audited."`
}

// resetFactorCommand helps an only owner who lost what signing in asks for: nobody in the console could.
type resetFactorCommand struct {
	config.Storage
	config.Log
	Email string `arg:"" help:"The member's e-mail address."`
}

// Run implements the command.
func (c *resetFactorCommand) Run(ctx context.Context, s streams) error {
	return use(ctx, &c.Storage, c.Log, s, func(st *store.Store) error {
		if _, err := team.NewMembers(st, team.Options{}).ResetFactorAsOperator(ctx, c.Email); err != nil {
			return err
		}
		_, err := fmt.Fprintln(s.Out, "Signing in asks this member for the password only now. Their console sessions have ended.")
		return err
	})
}
