package webhook

import (
	"context"
	"net/netip"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestOnlyPublicAddressesAreOpen(t *testing.T) {
	tests := map[string]struct {
		address string
		want    bool
	}{
		"a public IPv4 address":                             {"93.184.215.14", true},
		"a public IPv6 address":                             {"2606:2800:21f:cb07:6820:80da:af6b:8b2c", true},
		"this machine":                                      {"127.0.0.1", false},
		"this machine, another of its names":                {"127.8.8.8", false},
		"this machine by IPv6":                              {"::1", false},
		"no address":                                        {"0.0.0.0", false},
		"no address by IPv6":                                {"::", false},
		"a private network, 10":                             {"10.1.2.3", false},
		"a private network, 172.16":                         {"172.31.255.1", false},
		"beside the private network 172.16":                 {"172.32.0.1", true},
		"a private network, 192.168":                        {"192.168.1.1", false},
		"carrier NAT":                                       {"100.64.0.1", false},
		"a cloud's metadata":                                {"169.254.169.254", false},
		"a cloud's metadata by IPv6":                        {"fd00:ec2::254", false},
		"link-local IPv6":                                   {"fe80::1", false},
		"an IPv6 address with a zone":                       {"2606:2800:21f::1%eth0", false},
		"this machine, mapped to IPv6":                      {"::ffff:127.0.0.1", false},
		"a private address, mapped to IPv6":                 {"::ffff:10.0.0.1", false},
		"a public address, mapped to IPv6":                  {"::ffff:93.184.215.14", true},
		"IPv4-compatible IPv6":                              {"::7f00:1", false},
		"NAT64 of this machine":                             {"64:ff9b::7f00:1", false},
		"NAT64 of a private address":                        {"64:ff9b::a00:1", false},
		"NAT64 of a public address":                         {"64:ff9b::5db8:d70e", true},
		"NAT64 of a local prefix":                           {"64:ff9b:1::5db8:d70e", false},
		"6to4, which hides an IPv4 address":                 {"2002:7f00:1::", false},
		"Teredo":                                            {"2001:0:4136:e378:8000:63bf:3fff:fdd2", false},
		"documentation, IPv4":                               {"192.0.2.1", false},
		"documentation, IPv6":                               {"2001:db8::1", false},
		"newer documentation, IPv6":                         {"3fff::1", false},
		"a test network":                                    {"198.18.0.1", false},
		"multicast":                                         {"224.0.0.1", false},
		"broadcast":                                         {"255.255.255.255", false},
		"reserved":                                          {"250.1.1.1", false},
		"multicast, IPv6":                                   {"ff02::1", false},
		"the old site-local prefix, which nobody routes":    {"fec0::1", false},
		"a prefix that stands for nothing, discard (100::)": {"100::1", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			a := netip.MustParseAddr(tt.address)
			if got := isPublic(a); got != tt.want {
				t.Errorf("%s: got %v, want %v", tt.address, got, tt.want)
			}
			allowed := guard{allowed: prefixes("127.0.0.0/8", "10.0.0.0/8")}
			if inside := a.Zone() == "" && containsAddr(allowed.allowed, a.Unmap()); allowed.allows(a) != (tt.want || inside) {
				t.Errorf("%s with networks allowed: got %v", tt.address, allowed.allows(a))
			}
		})
	}
}

// names is a resolver with answers of its own.
type names map[string][]string

func (n names) LookupNetIP(_ context.Context, _, host string) ([]netip.Addr, error) {
	var out []netip.Addr
	for _, s := range n[host] {
		out = append(out, netip.MustParseAddr(s))
	}
	return out, nil
}

func TestATargetIsRefusedByItsFormAndItsAddresses(t *testing.T) {
	known := names{
		"hooks.example.com": {"93.184.215.14"}, "inside.example.com": {"10.0.0.7"}, "both.example.com": {"93.184.215.14", "127.0.0.1"},
		"localhost": {"127.0.0.1", "::1"}, "2130706433": {"127.0.0.1"}, "0x7f.1": {"127.0.0.1"},
		"017700000001": {"127.0.0.1"}, "mapped.example.com": {"::ffff:169.254.169.254"},
		"hooks.example.com.": {"93.184.215.14"},
	}
	tests := map[string]struct {
		url  string
		mode idv.Mode
		good bool
	}{
		"a public host":                             {"https://hooks.example.com/in?tenant=7", idv.Live, true},
		"a public host on another port":             {"https://hooks.example.com:8443/in", idv.Live, true},
		"a public host with a final dot":            {"https://hooks.example.com./in", idv.Live, true},
		"a public address":                          {"https://93.184.215.14/in", idv.Live, true},
		"http":                                      {"http://hooks.example.com/in", idv.Live, false},
		"http in test mode":                         {"http://hooks.example.com/in", idv.Test, false},
		"http to this machine, live":                {"http://127.0.0.1/in", idv.Live, false},
		"http to this machine, not allowed":         {"http://127.0.0.1/in", idv.Test, false},
		"https to this machine":                     {"https://localhost/in", idv.Test, false},
		"another scheme":                            {"file:///etc/passwd", idv.Test, false},
		"gopher":                                    {"gopher://hooks.example.com/in", idv.Live, false},
		"no scheme":                                 {"hooks.example.com", idv.Live, false},
		"no host":                                   {"https:///in", idv.Live, false},
		"no host but a port":                        {"https://:443/in", idv.Live, false},
		"an opaque address":                         {"https:hooks.example.com", idv.Live, false},
		"credentials":                               {"https://user:word@hooks.example.com/", idv.Live, false},
		"a name before an @":                        {"https://hooks.example.com@10.0.0.7/", idv.Live, false},
		"a fragment":                                {"https://hooks.example.com/#x", idv.Live, false},
		"an empty fragment":                         {"https://hooks.example.com/#", idv.Live, false},
		"a host of no address":                      {"https://nowhere.example.com/", idv.Live, false},
		"a host inside":                             {"https://inside.example.com/", idv.Live, false},
		"a host with one address inside":            {"https://both.example.com/", idv.Live, false},
		"a host that maps the metadata service":     {"https://mapped.example.com/", idv.Live, false},
		"this machine as a decimal number":          {"https://2130706433/", idv.Live, false},
		"this machine, half in hexadecimal":         {"https://0x7f.1/", idv.Live, false},
		"this machine in octal":                     {"https://017700000001/", idv.Live, false},
		"this machine, mapped to IPv6":              {"https://[::ffff:127.0.0.1]/", idv.Live, false},
		"a private address, mapped, in hexadecimal": {"https://[::ffff:a00:1]/", idv.Live, false},
		"NAT64 of this machine":                     {"https://[64:ff9b::7f00:1]/", idv.Live, false},
		"link-local with a zone":                    {"https://[fe80::1%25eth0]/", idv.Live, false},
		"not a URL":                                 {"https://exa mple.com/", idv.Live, false},
		"a control character":                       {"https://hooks.example.com/\n", idv.Live, false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			err := guard{resolver: known}.check(t.Context(), tt.url, tt.mode)
			if (err == nil) != tt.good || (err != nil && !problem.Has(err, problem.WebhookTargetRefused)) {
				t.Errorf("%s: got %v, want it good: %v", tt.url, err, tt.good)
			}
		})
	}
	inside := guard{resolver: known, allowed: prefixes("127.0.0.0/8", "10.0.0.0/8", "::1/128")}
	for url, good := range map[string]bool{
		"https://inside.example.com/": true, "https://both.example.com/": true, "http://localhost:8080/": true, "http://inside.example.com/": false,
		"https://mapped.example.com/": false,
	} {
		if err := inside.check(t.Context(), url, idv.Test); (err == nil) != good {
			t.Errorf("with networks allowed, %s: got %v, want it good: %v", url, err, good)
		}
	}
}

func TestARefusalDoesNotSayWhichAddressANameHas(t *testing.T) {
	err := guard{resolver: names{"inside.example.com": {"10.20.30.40"}}}.check(t.Context(), "https://inside.example.com/", idv.Live)
	for _, lacks := range []string{"10.20", "inside.example"} {
		if p, _ := problem.As(err); p == nil || contains(p.Error(), lacks) {
			t.Errorf("got %v, which should lack %q", err, lacks)
		}
	}
}

func FuzzTarget(f *testing.F) {
	for _, seed := range []string{"https://hooks.example.com/", "http://localhost", "https://[::1%25lo]/", "https://a@b#c", "https:///", "\x00"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, raw string) {
		for _, mode := range []idv.Mode{idv.Live, idv.Test} {
			u, err := parseTarget(raw, mode)
			if err != nil {
				continue
			}
			if u.User != nil || u.Hostname() == "" || (u.Scheme != "https" && (mode != idv.Test || u.Scheme != "http" || !loopback(u.Hostname()))) {
				t.Errorf("%q was taken in %s mode", raw, mode)
			}
		}
	})
}
