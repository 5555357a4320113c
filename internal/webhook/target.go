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

// errRefused is what the dialer answers for an address that webhooks do not go to.
var errRefused = errors.New("webhooks are not sent to this address")

// refused is problem webhook.target_refused. It never says which address a name has: that would map the network that
// this server stands in.
func refused(why string) error {
	return problem.New(problem.WebhookTargetRefused).At("/url").Saying("%s", why)
}

// guard decides where webhooks may go.
type guard struct {
	allowed  []netip.Prefix // by the operator, although they are not public
	resolver Resolver
}

// open reports whether webhooks may go to an address.
func (g guard) open(a netip.Addr) bool {
	return public(a) || (a.Zone() == "" && within(g.allowed, a.Unmap()))
}

// check refuses a target by its form, and by the addresses that its host has now. Problems: webhook.target_refused.
func (g guard) check(ctx context.Context, raw string, mode idv.Mode) error {
	u, err := parseTarget(raw, mode)
	if err != nil {
		return err
	}
	_, err = g.addresses(ctx, u.Hostname())
	return err
}

// parseTarget reads a target and refuses what its form rules out.
func parseTarget(raw string, mode idv.Mode) (*url.URL, error) {
	u, err := url.Parse(raw)
	switch {
	case err != nil || len(raw) > MaxURL || u.Hostname() == "" || u.Opaque != "":
		return nil, refused("It is not a web address.")
	case u.User != nil:
		return nil, refused("It holds credentials. The signature shows that a webhook is ours.")
	case u.Fragment != "" || strings.Contains(raw, "#"):
		return nil, refused("It has a part after #, which is never sent.")
	case u.Scheme == "http" && mode == idv.Test && loopback(u.Hostname()):
		return u, nil
	case u.Scheme != "https":
		return nil, refused("It does not start with https. Only test mode sends over http, and only to this machine.")
	}
	return u, nil
}

func loopback(host string) bool {
	a, err := netip.ParseAddr(host)
	return host == "localhost" || (err == nil && a.Unmap().IsLoopback())
}

// addresses finds the addresses of a host, all of which have to be open: a name that has a public and a private address
// is no mistake of anybody honest.
func (g guard) addresses(ctx context.Context, host string) ([]netip.Addr, error) {
	if a, err := netip.ParseAddr(host); err == nil {
		if !g.open(a) {
			return nil, refused("Its address is not on the public internet.")
		}
		return []netip.Addr{a}, nil
	}
	found, err := g.resolver.LookupNetIP(ctx, "ip", host)
	if err != nil || len(found) == 0 {
		return nil, refused("Its host has no address.")
	}
	for _, a := range found {
		if !g.open(a) {
			return nil, refused("Its host has an address that is not on the public internet.")
		}
	}
	return found, nil
}

// dial connects to a host by addresses that were checked, and checks once more the one that the kernel is told.
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

// control is called with the address that is connected to, after every name and disguise was resolved.
func (g guard) control(_, address string, _ syscall.RawConn) error {
	a, err := netip.ParseAddrPort(address)
	if err != nil || !g.open(a.Addr()) {
		return errRefused
	}
	return nil
}
