package webhook

import (
	"context"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// ErrNotFetched is the error of an address that answers something else than what was asked for.
var ErrNotFetched = errors.New("it was not fetched")

// Fetcher gets files from addresses that strangers name, such as status lists of credentials, behind the guard of webhooks: public
// addresses and those that the operator allows, https alone (in test mode also http to this machine), no redirects, no cookies, no proxy.
type Fetcher struct {
	guard  guard
	client *http.Client
}

// FetchOptions configure a Fetcher. The zero value works, and reaches public addresses only.
type FetchOptions struct {
	Allowed  []netip.Prefix // networks that are not public but that the operator lets webhooks reach
	Resolver Resolver       // net.DefaultResolver
	Roots    *x509.CertPool // the system's
}

// NewFetcher returns a Fetcher.
func NewFetcher(o FetchOptions) *Fetcher {
	if o.Resolver == nil {
		o.Resolver = net.DefaultResolver
	}
	g := guard{allowed: o.Allowed, resolver: o.Resolver}
	return &Fetcher{guard: g, client: newClient(g, o.Roots)}
}

// fetchTime is how long a file may take to arrive.
const fetchTime = 5 * time.Second

// Fetch returns what is at an address, at most so many bytes. Problems: webhook.target_refused; ErrNotFetched for anything but a whole
// answer with status 200.
func (f *Fetcher) Fetch(ctx context.Context, mode idv.Mode, address, accept string, most int64) ([]byte, error) {
	if err := f.guard.check(ctx, address, mode); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, fetchTime)
	defer cancel()
	r, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotFetched, err)
	}
	r.Header.Set("Accept", accept)
	r.Header.Set("User-Agent", "Bonafide/1")
	answer, err := f.client.Do(r)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrNotFetched, err)
	}
	defer func() { _ = answer.Body.Close() }() // nothing of it is needed any more
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%w: status %d", ErrNotFetched, answer.StatusCode)
	}
	raw, err := io.ReadAll(io.LimitReader(answer.Body, most+1))
	if err != nil || int64(len(raw)) > most {
		return nil, fmt.Errorf("%w: it is cut off or too large", ErrNotFetched)
	}
	return raw, nil
}
