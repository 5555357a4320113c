package webhook

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strings"
	"syscall"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// MaxURL is the length of a target in bytes.
const MaxURL = 2000

// dialTime is how long a connection may take to be made.
const dialTime = 5 * time.Second

// Resolver finds the addresses of a host (net.Resolver).
type Resolver interface {
	LookupNetIP(ctx context.Context, network, host string) ([]netip.Addr, error)
}

// errRefused is the dialer's error for an address that webhooks may not be sent to.
var errRefused = errors.New("webhooks are not sent to this address")

// targetRefused returns problem webhook.target_refused. It must not reveal the address of a name, which would map the server's own
// network.
func targetRefused(reason string) error {
	return problem.New(problem.WebhookTargetRefused).At("/url").Saying("%s", reason)
}

// guard decides which addresses webhooks may be sent to.
type guard struct {
	allowed  []netip.Prefix // networks that are not public but that the operator allows
	resolver Resolver
}

// allows reports whether webhooks may be sent to an address.
func (g guard) allows(a netip.Addr) bool {
	return isPublic(a) || (a.Zone() == "" && containsAddr(g.allowed, a.Unmap()))
}

// check returns a problem for a target that is malformed, or whose host has an address that is not allowed now. Problems: webhook.target_refused.
func (g guard) check(ctx context.Context, raw string, mode idv.Mode) error {
	u, err := parseTarget(raw, mode)
	if err != nil {
		return err
	}
	_, err = g.addresses(ctx, u.Hostname())
	return err
}

// parseTarget parses a target. Problems: webhook.target_refused.
func parseTarget(raw string, mode idv.Mode) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || len(raw) > MaxURL || u.Hostname() == "" || u.Opaque != "":
		return nil, targetRefused("It is not a web address.")
	case u.User != nil:
		return nil, targetRefused("It holds credentials. The signature shows that a webhook is ours.")
	case u.Fragment != "" || strings.Contains(raw, "#"):
		return nil, targetRefused("It has a part after #, which is never sent.")
	case u.Scheme == "http" && mode == idv.Test && loopback(u.Hostname()):
		return u, nil
	case u.Scheme != "https":
		return nil, targetRefused("It does not start with https. Only test mode sends over http, and only to this machine.")
	}
	return u, nil
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && a.Unmap().IsLoopback())
}

// addresses returns the addresses of a host. All of them must be allowed: a name with both public and private addresses is
// not an honest mistake. Problems: webhook.target_refused.
func (g guard) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		if !g.allows(a) {
			return nil, targetRefused("Its address is not on the public internet.")
		}
		return []netip.Addr{a}, nil
	}
	found, err := g.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(found) == 0 {
		return nil, targetRefused("Its host has no address.")
	}
	for _, a := range found {
		if !g.allows(a) {
			return nil, targetRefused("Its host has an address that is not on the public internet.")
		}
	}
	return found, nil
}

// dial connects to one of the checked addresses of a host, and checks the address again as the connection is made.
func (g guard) dial(ctx context.Context, network, address string) (net.Conn, error) {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return nil, fmt.Errorf("connect: %w", err)
	}
	found, err := g.addresses(ctx, host)
	if err != nil {
		return nil, err
	}
	d := net.Dialer{Timeout: dialTime, Control: g.control}
	var failed error
	for _, a := range found {
		conn, err := d.DialContext(ctx, network, net.JoinHostPort(a.String(), port))
		if err == nil {
			return conn, nil
		}
		failed = errors.Join(failed, err)
	}
	return nil, failed
}

// control refuses the address that the kernel is about to connect to unless it is allowed.
func (g guard) control(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !g.allows(a.Addr()) {
		return errRefused
	}
	return nil
}
