package main

import (
	"fmt"
	"net/url"
	"time"

	"github.com/bonafide-id/bonafide/cmd/bonafide/verifier"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// walletOptions returns how wallets are asked. With --dev and without a certificate one is made.
func walletOptions(c config.Wallets, publicURL string, dev bool) (applicant.WalletOptions, error) {
	out := applicant.WalletOptions{PublicURL: publicURL, Plain: c.WalletPlain, HAIP: c.WalletHAIP}
	var err error
	switch {
	case c.WalletCertificate != "":
		out.Verifier, err = verifier.Read(c.WalletCertificate, c.WalletKey)
	case dev:
		u, parseErr := url.Parse(publicURL)
		if parseErr != nil {
			return out, fmt.Errorf("read --public-url: %w", parseErr)
		}
		out.Verifier, err = verifier.Make(u.Hostname(), time.Now())
	}
	return out, err
}

// examineWallets checks what requests to wallets are signed with.
func examineWallets(c config.Wallets, l config.Listen, dev bool) symptom {
	const what = "wallets"
	if err := c.Complete(); err != nil {
		return judge(what, err, "", "See bonafide serve --help.")
	}
	switch {
	case c.WalletCertificate == "" && dev:
		return symptom{What: what, Health: healthy, Found: "requests are signed with a certificate made at each start, which no wallet trusts"}
	case c.WalletCertificate == "":
		return symptom{
			What: what, Health: healthy, Found: "only browsers can ask wallets here, unsigned; links and codes need a certificate",
			Remedy: "To use links and codes, set --wallet-certificate and --wallet-key.",
		}
	}
	v, err := verifier.Read(c.WalletCertificate, c.WalletKey)
	if err != nil {
		return judge(what, err, "", "Get a certificate on P-256 from an authority that wallets trust, such as a registrar of relying parties.")
	}
	leaf := v.Chain[0]
	s := symptom{What: what, Health: healthy, Found: "certificate of " + leaf.Subject.String() + ", good until " + leaf.NotAfter.UTC().Format(time.DateOnly)}
	u, err := url.Parse(l.PublicURL)
	switch {
	case time.Now().After(leaf.NotAfter):
		s.Health, s.Found, s.Remedy = wrong, "the certificate ran out on "+leaf.NotAfter.UTC().Format(time.DateOnly), "Renew it, and start the server again."
	case time.Until(leaf.NotAfter) < certificateSoon:
		s.Health, s.Remedy = warning, "Renew it soon, and start the server again."
	case err == nil && u.Host != "" && !v.IsFor(u.Hostname()):
		s.Found += "; wallets know you by the certificate, not by " + u.Hostname()
	}
	return s
}
