package verifier

import (
	"fmt"
	"net/url"
	"time"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// Options returns how wallets are asked. With --dev and without a certificate one is made, which made says.
func Options(c config.Wallets, publicURL string, dev bool) (out applicant.WalletOptions, made bool, err error) {
	out = applicant.WalletOptions{PublicURL: publicURL, Plain: c.WalletPlain, HAIP: c.WalletHAIP}
	switch {
	case c.WalletCertificate != "":
		out.Verifier, err = Read(c.WalletCertificate, c.WalletKey)
	case dev:
		u, parseErr := url.Parse(publicURL)
		if parseErr != nil {
			return out, false, fmt.Errorf("read --public-url: %w", parseErr)
		}
		out.Verifier, err = Make(u.Hostname(), time.Now())
		made = true
	}
	return out, made, err
}

// Found is what is said of the certificate that requests to wallets are signed with.
type Found struct {
	Says, Remedy string
	Soon, Over   bool // it ends within the time that is given, or has ended
}

// Examine looks at what requests to wallets are signed with. The certificate should be valid for longer than soon.
func Examine(c config.Wallets, publicURL string, dev bool, soon time.Duration, now time.Time) (Found, error) {
	if err := c.Complete(); err != nil {
		return Found{}, err
	}
	switch {
	case c.WalletCertificate == "" && dev:
		return Found{Says: "requests are signed with a certificate that is made at each start, and that no wallet trusts"}, nil
	case c.WalletCertificate == "":
		return Found{
			Says: "only browsers can ask wallets here, unsigned", Remedy: "To ask by links and codes too, set --wallet-certificate and --wallet-key.",
		}, nil
	}
	v, err := Read(c.WalletCertificate, c.WalletKey)
	if err != nil {
		return Found{}, err
	}
	leaf := v.Chain[0]
	out := Found{Says: fmt.Sprintf("certificate of %s, good until %s", leaf.Subject, leaf.NotAfter.UTC().Format(time.DateOnly))}
	switch {
	case now.After(leaf.NotAfter):
		out.Over, out.Remedy = true, "Renew it, and start the server again."
	case leaf.NotAfter.Sub(now) < soon:
		out.Soon, out.Remedy = true, "Renew it soon, and start the server again."
	}
	if u, err := url.Parse(publicURL); err == nil && u.Host != "" && !v.IsFor(u.Hostname()) {
		out.Says += "; wallets know you by the certificate, not by " + u.Hostname()
	}
	return out, nil
}
