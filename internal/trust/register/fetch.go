package register

import (
	"context"
	"encoding/pem"
	"errors"
	"fmt"
	"log/slog"
	"net/url"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/trust"
)

// Getter gets what is at an address, of at most so many bytes, behind the guard that keeps requests from the deployment's own network
// (webhook.Fetcher).
type Getter interface {
	Fetch(ctx context.Context, mode idv.Mode, address, accept string, most int64) ([]byte, error)
}

// acceptCRL are the media types of revocation lists (RFC 2585 section 4.2; the second is what many servers say).
const acceptCRL = "application/pkix-crl, application/x-pkcs7-crl, application/octet-stream"

// Fetching fetches revocation lists from the addresses that the operator named, and from no other: none is taken from a certificate.
type Fetching struct {
	register  *Register
	get       Getter
	addresses []string
	log       *slog.Logger
}

// NewFetching returns a Fetching. It refuses addresses that are not https.
func NewFetching(r *Register, g Getter, addresses []string, log *slog.Logger) (*Fetching, error) {
	for _, a := range addresses {
		if u, err := url.Parse(a); err != nil || u.Scheme != "https" || u.Host == "" || u.User != nil {
			return nil, fmt.Errorf("--crl-url %q is not an https address", a)
		}
	}
	return &Fetching{register: r, get: g, addresses: addresses, log: log}, nil
}

// Handlers adds the handler of job.FetchRevocations to others.
func (f *Fetching) Handlers(h job.Handlers) job.Handlers {
	h.FetchRevocations = f.Run
	return h
}

// Run fetches from every address, one after the other. An address that fails is logged with its code and does not keep the others
// waiting; the error is one of our own, of the database.
func (f *Fetching) Run(ctx context.Context) error {
	var failed error
	for _, address := range f.addresses {
		u, changed, err := f.register.FetchCRL(ctx, f.get, idv.Live, address)
		switch p, known := problem.As(err); {
		case ctx.Err() != nil:
			return errors.Join(failed, ctx.Err())
		case known:
			f.log.WarnContext(ctx, "revocation list not taken", "address", shortened(address), "code", p.Kind.Code, "why", p.Error())
		case err != nil:
			failed = errors.Join(failed, fmt.Errorf("%s: %w", shortened(address), err))
		case changed:
			f.log.InfoContext(ctx, "revocation list fetched", "address", shortened(address), "issuer", u.Subject, "dated", u.Dated, "entries", u.Count)
		}
	}
	return failed
}

// FetchCRL fetches a revocation list and puts it in force at once, in place of the one before of the same authority: an authority that is
// trusted already signed it, and all it can do is say whom that authority withdrew. Nothing but a revocation list is taken. changed is
// false where this very list is in force, or somebody undid or declined it. Problems: webhook.target_refused, trust.crl_not_fetched,
// trust.rollback, and those of each refusal.
func (r *Register) FetchCRL(ctx context.Context, g Getter, mode idv.Mode, address string) (u Update, changed bool, err error) {
	raw, err := g.Fetch(ctx, mode, address, acceptCRL, MaxFile)
	if err != nil {
		if _, known := problem.As(err); known || ctx.Err() != nil {
			return Update{}, false, err
		}
		return Update{}, false, asProblem(refusal.New(trust.CRLNotFetched, "%v", withoutAddress(err)))
	}
	if u, err = r.readFetched(ctx, mode, address, raw); err != nil {
		return Update{}, false, asProblem(err)
	}
	err = r.store.ChangeTrust(ctx, func(ctx context.Context, tx Tx) error {
		changed, err = r.replace(ctx, tx, &u)
		return err
	})
	return u, changed && err == nil, asProblem(err)
}

// withoutAddress is an error without the address that it names: what follows its path may be a secret.
func withoutAddress(err error) error {
	if at, ok := errors.AsType[*url.Error](err); ok {
		return at.Err
	}
	return err
}

// readFetched reads what was fetched: a revocation list, in DER or PEM, that somebody who is trusted signed and that is in date.
func (r *Register) readFetched(ctx context.Context, mode idv.Mode, address string, raw []byte) (Update, error) {
	if block, _ := pem.Decode(raw); block != nil {
		raw = block.Bytes
	}
	u := Update{Mode: mode, State: InForce, Source: shortened(address), Raw: raw, Digest: digestOf(raw), ProposedAt: r.now(), SettledAt: r.now()}
	list, err := pki.ParseRevocationList(raw)
	if err != nil {
		return u, err
	}
	if u, err = r.revocationList(ctx, u, list); err != nil {
		return u, err
	}
	u.ID, err = idv.NewID[idv.TrustUpdateID](r.now(), r.random)
	return u, err
}

// shortened is an address as a source: without its query, and at most MaxSource bytes.
func shortened(address string) string {
	if u, err := url.Parse(address); err == nil {
		u.RawQuery, u.Fragment = "", ""
		address = u.String()
	}
	return address[:min(len(address), MaxSource)]
}

// replace puts a fetched list in the place of the one before.
func (r *Register) replace(ctx context.Context, tx Tx, u *Update) (bool, error) {
	before, err := inSlot(ctx, tx, *u)
	if err != nil || before.Digest == u.Digest {
		return false, err
	}
	for _, state := range []State{Undone, Declined} {
		taken, err := tx.TrustUpdates(ctx, Filter{Modes: []idv.Mode{u.Mode}, State: state})
		if err != nil {
			return false, err
		}
		if slices.ContainsFunc(taken, func(o Update) bool { return o.Digest == u.Digest }) {
			return false, nil // a person's word counts until there is a newer list
		}
	}
	if err := follows(before, *u); err != nil {
		return false, err
	}
	if before.ID != "" {
		u.Replaces, before.State = before.ID, Replaced
		if err := tx.SaveTrustUpdate(ctx, before); err != nil {
			return false, err
		}
	}
	if err := tx.AddTrustUpdate(ctx, *u); err != nil {
		return false, err
	}
	return true, tx.Audit(ctx, audit.Record{Action: "trust.fetched", Subject: string(u.ID)})
}
