package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/bonafide-id/bonafide/cmd/bonafide/credential"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/trust"
	"github.com/bonafide-id/bonafide/internal/trust/register"
)

// trustCommand looks into files of trust, and adds them to a deployment.
type trustCommand struct {
	credential.Trust
	Add trustAddCommand `cmd:"" help:"Add a certificate, a master list or a revocation list to what a deployment trusts."`
}

// trustAddCommand proposes a file as an update of trust, as the console does.
type trustAddCommand struct {
	config.Storage
	config.Log
	File            string   `arg:"" help:"DER or PEM."`
	Mode            idv.Mode `help:"live or test." enum:"live,test" default:"live"`
	Purpose         string   `help:"Of a certificate: csca, iaca or issuer." enum:"csca,iaca,issuer" default:"csca"`
	Scope           string   `help:"Of an iaca the docType, of an issuer the vct." placeholder:"TEXT"`
	Source          string   `help:"Where the file is from." placeholder:"TEXT"`
	Accept          bool     `help:"Accept it at once. Without, it waits in the console."`
	TrustTwoPersons bool     `help:"Somebody else has to agree to each change of whom you trust for chips."`
}

// Run implements the command.
func (c *trustAddCommand) Run(ctx context.Context, s streams) error {
	raw, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	return use(ctx, &c.Storage, c.Log, s, func(st *store.Store) error {
		r := register.New(st, register.Options{TwoPersons: c.TrustTwoPersons})
		u, err := r.Propose(ctx, register.Proposal{Mode: c.Mode, File: raw, Purpose: trust.Purpose(c.Purpose), Scope: c.Scope, Source: c.Source})
		if err != nil {
			return err
		}
		changes, err := r.Difference(ctx, u)
		if err != nil {
			return err
		}
		for _, change := range changes {
			if _, err := fmt.Fprintf(s.Out, "%s %s\n", change.Kind, change.Country); err != nil {
				return err
			}
		}
		if c.Accept {
			if u, err = r.Accept(ctx, u.ID); err != nil {
				return err
			}
		}
		_, err = fmt.Fprintf(s.Out, "%s: %s of %s, %s, is %s.\n", u.ID, u.Kind, u.Scope, u.Dated.Format(time.DateOnly), u.State)
		return err
	})
}
