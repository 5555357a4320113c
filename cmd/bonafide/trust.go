package main

import (
	"context"
	"errors"
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
	Purpose         string   `help:"For a certificate: csca, iaca (with --doctype), issuer (with --vct) or vical." enum:",csca,iaca,issuer,vical" default:""`
	Doctype         []string `help:"docType of mobile documents that the certificate is trusted for. Can be repeated." sep:"none" placeholder:"TEXT"`
	VCT             []string `name:"vct" help:"vct of credentials that the certificate is trusted for. Can be repeated." sep:"none" placeholder:"TEXT"`
	Source          string   `help:"Where the file is from." placeholder:"TEXT"`
	Accept          bool     `help:"Accept it at once. Otherwise it waits in the console."`
	TrustTwoPersons bool     `help:"A second person has to accept each change of the trusted authorities."`
}

// Run implements the command.
func (c *trustAddCommand) Run(ctx context.Context, s streams) error {
	purpose, scopes, err := c.goodFor()
	if err != nil {
		return err
	}
	raw, err := os.ReadFile(c.File)
	if err != nil {
		return err
	}
	return use(ctx, &c.Storage, c.Log, s, func(st *store.Store) error {
		r := register.New(st, register.Options{TwoPersons: c.TrustTwoPersons})
		for _, scope := range scopes {
			p := register.Proposal{Mode: c.Mode, File: raw, Purpose: purpose, Scope: scope, Source: c.Source}
			if err := c.add(ctx, s, r, p); err != nil {
				return err
			}
		}
		return nil
	})
}

// goodFor returns what the certificate is to be trusted for; one empty scope for what says so itself.
func (c *trustAddCommand) goodFor() (trust.Purpose, []string, error) {
	purpose := trust.Purpose(c.Purpose)
	if purpose == "" && len(c.Doctype) > 0 {
		purpose = trust.IACA
	}
	if purpose == "" && len(c.VCT) > 0 {
		purpose = trust.Issuer
	}
	switch {
	case (purpose == trust.IACA) != (len(c.Doctype) > 0) || (purpose == trust.Issuer) != (len(c.VCT) > 0):
		return "", nil, errors.New("--doctype goes with the purpose iaca, --vct with the purpose issuer, and neither with csca: an anchor serves one purpose")
	case purpose == trust.IACA:
		return purpose, c.Doctype, nil
	case purpose == trust.Issuer:
		return purpose, c.VCT, nil
	}
	return purpose, []string{""}, nil
}

// add proposes one update, prints its difference, and accepts it where that was asked for.
func (c *trustAddCommand) add(ctx context.Context, s streams, r *register.Register, p register.Proposal) error {
	u, err := r.Propose(ctx, p)
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
	what := string(u.Kind)
	if u.Purpose != trust.CSCA {
		what += " (" + string(u.Purpose) + ")"
	}
	_, err = fmt.Fprintf(s.Out, "%s: %s of %s, %s, is %s.\n", u.ID, what, u.Scope, u.Dated.Format(time.DateOnly), u.State)
	return err
}
