package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/cmd/bonafide/verifier"
	"github.com/bonafide-id/bonafide/internal/config"
)

// certificateSoon is how long before its end a certificate is worth a word.
const certificateSoon = 21 * 24 * time.Hour

// examineListen checks how people reach the server, as far as its settings say.
func examineListen(l config.Listen, dev bool) []symptom {
	if l.PublicURL == "" && !dev {
		return []symptom{{
			What: "public address", Health: warning, Found: "not set, so not checked",
			Remedy: "Run doctor with the same flags or BONAFIDE_ variables as the server.",
		}}
	}
	if err := l.Complete(dev); err != nil {
		return []symptom{judge("public address", err, "", "Links, cookies and cameras need an https address that people can reach.")}
	}
	out := []symptom{judge("public address", nil, l.PublicURL, "")}
	out = append(out, examineProxies(l)...)
	if l.TLSCert != "" {
		out = append(out, examineCertificate(l))
	}
	return out
}

// examineProxies: behind a proxy that is not trusted everybody has one address; where everybody is trusted, anybody can
// have any.
func examineProxies(l config.Listen) []symptom {
	networks, err := l.Proxies()
	if err != nil {
		return []symptom{judge("trusted proxies", err, "", "Name networks like 10.0.0.0/8.")}
	}
	for _, n := range networks {
		if n.Bits() == 0 {
			return []symptom{{
				What: "trusted proxies", Health: wrong, Found: "every client can claim any address",
				Remedy: "Name the proxy's own network in --trusted-proxy, not " + n.String() + ".",
			}}
		}
	}
	u, err := url.Parse(l.PublicURL)
	if err == nil && u.Scheme == "https" && l.TLSCert == "" && len(networks) == 0 {
		return []symptom{{What: "trusted proxies", Health: warning, Found: "HTTPS ends at a proxy that is not trusted, so every client appears to have the " +
			"proxy's address",
			Remedy: "Set --trusted-proxy to the proxy's network; otherwise rate limits treat all clients as one."}}
	}
	return nil
}

func examineCertificate(l config.Listen) symptom {
	const what = "certificate"
	pair, err := tls.LoadX509KeyPair(l.TLSCert, l.TLSKey)
	if err != nil {
		return judge(what, errors.New("certificate and key cannot be read, or do not go together"), "", "Check --tls-cert and --tls-key, and who may read them.")
	}
	leaf, err := x509.ParseCertificate(pair.Certificate[0])
	if err != nil {
		return judge(what, err, "", "")
	}
	s := symptom{What: what, Health: healthy, Found: "good until " + leaf.NotAfter.UTC().Format(time.DateOnly)}
	u, err := url.Parse(l.PublicURL)
	switch {
	case time.Now().After(leaf.NotAfter):
		s.Health, s.Found, s.Remedy = wrong, "it ran out on "+leaf.NotAfter.UTC().Format(time.DateOnly), "Renew it, and start the server again."
	case err == nil && leaf.VerifyHostname(u.Hostname()) != nil:
		s.Health, s.Found, s.Remedy = wrong, fmt.Sprintf("it is not for %s", u.Hostname()), "Get one for the host of --public-url."
	case time.Until(leaf.NotAfter) < certificateSoon:
		s.Health, s.Remedy = warning, "Renew it soon, and start the server again."
	}
	return s
}

// examineWallets checks what requests to wallets are signed with.
func examineWallets(c config.Wallets, l config.Listen, dev bool) symptom {
	const what = "wallets"
	found, err := verifier.Examine(c, l.PublicURL, dev, certificateSoon, time.Now())
	if err != nil {
		return judge(what, err, "", "Get a certificate on P-256 from an authority that wallets trust, such as a registrar of relying parties.")
	}
	s := symptom{What: what, Health: healthy, Found: found.Says, Remedy: found.Remedy}
	switch {
	case found.Over:
		s.Health = wrong
	case found.Soon:
		s.Health = warning
	}
	return s
}

// examineNetworks checks the files that say from where sessions are opened. Without one there is nothing to say: workflows that ask
// refer.
func examineNetworks(c config.Origins) []symptom {
	const what = "network file"
	var out []symptom
	for _, f := range c.Files(time.Now, quiet()).Examine() {
		s := symptom{What: what, Health: healthy}
		switch {
		case f.Err != nil:
			s = judge(what, fmt.Errorf("%s: %w", filepath.Base(f.Path), f.Err), "",
				"Put a database in the MaxMind DB format there, by renaming, or take it out of --network-file. Until then workflows that ask refer.")
		default:
			s.Found = fmt.Sprintf("%s of %s answers %s", f.Title, f.Built.UTC().Format(time.DateOnly), strings.Join(f.Answers, ", "))
			if f.Old {
				s.Health, s.Remedy = wrong, "It is older than --network-max-age, so workflows that use it send sessions to review. Replace it with the provider's "+
					"newest file."
			}
		}
		out = append(out, s)
	}
	return out
}
