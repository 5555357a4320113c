// Package config holds every setting of a running Bonafide: one struct per concern, read by kong from flags
// and from environment variables named BONAFIDE_ and the flag in capitals (--public-url is BONAFIDE_PUBLIC_URL).
//
// Outside --dev nothing secret has a default: a server without an explicit master key does not start.
package config

import (
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/brand"
)

// Storage says where data lives and what it is encrypted with. Every command that touches data has it.
type Storage struct {
	Dev       bool   `help:"For trial use: creates ./data with a database, pictures and a master key beside them. Never for real people."`
	DataDir   string `help:"Where --dev keeps its data." default:"./data" placeholder:"DIR"`
	Database  string `help:"sqlite:PATH or postgres://… Default with --dev: sqlite in the data directory." placeholder:"URL"`
	Blobs     string `help:"Where encrypted pictures go: file://DIR or s3://BUCKET?… Default with --dev: in the data directory." placeholder:"URL"`
	MasterKey string `help:"The key that wraps all others: file:PATH, credential:NAME or env:NAME. Make one with bonafide master-key." placeholder:"WHERE"`

	OtherMasterKey []string `help:"While the master key is being changed: the other one, which opens keys and wraps none." placeholder:"WHERE"`
}

// Engine says how the models run.
type Engine struct {
	RuntimeDir string `help:"Where the inference library is unpacked. Default: the user's cache directory." placeholder:"DIR"`
	Threads    int    `help:"Threads of one inference." default:"1"`
	Models     string `help:"A directory of cards/ and pack/ whose models replace those of the binary." placeholder:"DIR"`
}

// Work says how jobs are worked.
type Work struct {
	Workers         int           `help:"Jobs worked at the same time." default:"2"`
	CheckDatabase   time.Duration `help:"How often all pages of an SQLite database are checked for damage. 0 for never." default:"6h"`
	TrustTwoPersons bool          `help:"A second person has to accept each change of the authorities trusted for chips."`
	CRLURL          []string      `name:"crl-url" help:"Addresses (https) from which revocation lists are fetched every six hours." placeholder:"URL"`
	WebhookNetwork  []string      `help:"Networks that webhooks and lists may reach although they are not public. With --dev: this machine." placeholder:"CIDR"`
	WatchlistDir    string        `help:"Where compiled watchlists are kept. Default: the user's cache directory, or that of --dev." placeholder:"DIR"`
}

// Networks answers the networks that webhooks may reach besides public addresses.
func (w Work) Networks(dev bool) ([]netip.Prefix, error) {
	list := w.WebhookNetwork
	if dev && len(list) == 0 {
		list = []string{"127.0.0.0/8", "::1/128"}
	}
	return networks("--webhook-network", list)
}

// Log says what the log holds. It never holds personal data, at any level.
type Log struct {
	LogLevel  string `help:"debug, info, warn or error." enum:"debug,info,warn,error" default:"info"`
	LogFormat string `help:"text or json." enum:"text,json" default:"text"`
}

// AsJSON reports whether everything that the command prints is lines of JSON.
func (l Log) AsJSON() bool { return l.LogFormat == "json" }

// Listen says where the server answers.
type Listen struct {
	Listen       string   `help:"Address of the web app and the API. Default :8080; with --dev 127.0.0.1:8080, this machine only." placeholder:"HOST:PORT"`
	PublicURL    string   `help:"How people reach this server; links start with it. Default with --dev: http://localhost and the port." placeholder:"URL"`
	TLSCert      string   `name:"tls-cert" help:"Certificate chain (PEM), to serve https without a proxy. Cameras need https or localhost." placeholder:"FILE"`
	TLSKey       string   `name:"tls-key" help:"Private key (PEM) of --tls-cert." placeholder:"FILE"`
	Brand        string   `help:"Who asks, on the first screen of the people you send links to. Default: the host of --public-url." placeholder:"NAME"`
	BrandColour  string   `help:"Your colour on the applicant's screens, adapted there until it can be read." placeholder:"#RRGGBB"`
	BrandLogo    string   `help:"Your logo on the applicant's screens: a PNG or WebP of at most 256 kB." placeholder:"FILE"`
	BrandSupport string   `help:"Where an applicant finds help: an https or mailto address." placeholder:"URL"`
	BrandPrivacy string   `help:"Your privacy notice, an https address." placeholder:"URL"`
	AdminListen  string   `help:"Address of /metrics. Default 127.0.0.1:9090, off with --dev; \"off\" turns it off." placeholder:"HOST:PORT"`
	TrustedProxy []string `help:"Networks whose X-Forwarded-For is believed." placeholder:"CIDR"`
	VerifyAtOnce int      `help:"Calls of POST /v1/verify answered at the same time; further ones are asked to retry." default:"2"`
	PictureMB    int64    `name:"picture-mb" help:"Memory for pictures being sent, in MiB. Default: an eighth of the memory, 128 to 1024." placeholder:"MIB"`
	NoWork       bool     `help:"Only serve; jobs are worked by bonafide worker."`
}

// Complete fills in what --dev implies and refuses what is missing, all of it at once.
func (s *Storage) Complete() error {
	if s.Dev {
		s.fill(&s.Database, "sqlite:"+filepath.Join(s.DataDir, "bonafide.db"))
		s.fill(&s.MasterKey, "file:"+filepath.Join(s.DataDir, "master.key"))
		dir, err := filepath.Abs(filepath.Join(s.DataDir, "blobs"))
		if err != nil {
			return fmt.Errorf("find the data directory: %w", err)
		}
		s.fill(&s.Blobs, (&url.URL{Scheme: "file", Path: dir}).String())
	}
	var missing []error
	for _, need := range []struct{ flag, value, example string }{
		{"--database", s.Database, "sqlite:/var/lib/bonafide/bonafide.db or postgres://…"},
		{"--blobs", s.Blobs, "file:///var/lib/bonafide/blobs or s3://bucket?region=…"},
		{"--master-key", s.MasterKey, "file:/etc/bonafide/master.key; bonafide master-key FILE makes one"},
	} {
		if need.value == "" {
			missing = append(missing, fmt.Errorf("%s is missing (for example %s); --dev fills everything in for trying out", need.flag, need.example))
		}
	}
	return errors.Join(missing...)
}

func (s *Storage) fill(field *string, value string) {
	if *field == "" {
		*field = value
	}
}

// Address returns where to listen.
func (l *Listen) Address(dev bool) string {
	switch {
	case l.Listen != "":
		return l.Listen
	case dev:
		return "127.0.0.1:8080"
	}
	return ":8080"
}

// ThisMachineOnly reports whether no other device can reach the server.
func (l *Listen) ThisMachineOnly() bool {
	host, _, err := net.SplitHostPort(l.Listen)
	return err == nil && loopback(host)
}

// Complete fills in what --dev implies and refuses what cannot work, all of it at once.
func (l *Listen) Complete(dev bool) error {
	l.Listen = l.Address(dev)
	var errs []error
	if l.PublicURL == "" && dev {
		_, port, err := net.SplitHostPort(l.Listen)
		if err != nil {
			return fmt.Errorf("--listen: %q is not HOST:PORT", l.Listen) // nothing else can be told without it
		}
		l.PublicURL = l.scheme() + "://localhost:" + port
	}
	errs = append(errs, checkPublicURL(l.PublicURL))
	if (l.TLSCert == "") != (l.TLSKey == "") {
		errs = append(errs, errors.New("--tls-cert and --tls-key go together"))
	}
	l.PublicURL = strings.TrimRight(l.PublicURL, "/")
	switch {
	case l.AdminListen == "" && !dev:
		l.AdminListen = "127.0.0.1:9090"
	case l.AdminListen == "off":
		l.AdminListen = ""
	}
	_, err := l.Proxies()
	return errors.Join(append(errs, err)...)
}

func (l *Listen) scheme() string {
	if l.TLSCert != "" {
		return "https"
	}
	return "http"
}

// Look answers how the operator looks on the applicant's screens.
func (l *Listen) Look() (brand.Look, error) {
	return brand.Read(l.BrandColour, l.BrandLogo, l.BrandSupport, l.BrandPrivacy)
}

// Proxies answers the networks whose X-Forwarded-For is believed.
func (l *Listen) Proxies() ([]netip.Prefix, error) {
	return networks("--trusted-proxy", l.TrustedProxy)
}

func networks(flag string, list []string) ([]netip.Prefix, error) {
	var out []netip.Prefix
	for _, s := range list {
		p, err := netip.ParsePrefix(s)
		if err != nil {
			return nil, fmt.Errorf("%s: %q is not a network like 10.0.0.0/8", flag, s)
		}
		out = append(out, p)
	}
	return out, nil
}

func checkPublicURL(s string) error {
	if s == "" {
		return errors.New("--public-url is missing: links and cookies need to know how people reach this server")
	}
	u, err := url.Parse(s)
	switch {
	case err != nil || u.Host == "" || (u.Scheme != "https" && u.Scheme != "http"):
		return fmt.Errorf("--public-url: %q is not a web address", s)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || strings.Trim(u.Path, "/") != "":
		return errors.New("--public-url takes scheme, host and port only")
	case u.Scheme == "http" && !loopback(u.Hostname()):
		return errors.New("--public-url must be https: only localhost may do without")
	}
	return nil
}

func loopback(host string) bool {
	if host == "localhost" {
		return true
	}
	a, err := netip.ParseAddr(host)
	return err == nil && a.IsLoopback()
}
