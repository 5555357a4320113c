package account

import (
	"net/netip"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// origin is where passkeys of this deployment work: one host, and only there (WebAuthn §5.1.2).
type origin struct {
	url  string // scheme, host and port
	host string // the relying party's id
	auth *webauthn.WebAuthn
}

// originOf answers an origin without passkeys where the address cannot have any: no address, an IP address, or neither https
// nor localhost.
func originOf(publicURL, brand string) origin {
	u, err := url.Parse(publicURL)
	if err != nil || u.Host == "" {
		return origin{}
	}
	o := origin{url: u.Scheme + "://" + u.Host, host: u.Hostname()}
	if _, err := netip.ParseAddr(o.host); err == nil || (u.Scheme != "https" && o.host != "localhost") {
		return o
	}
	if brand == "" {
		brand = "Bonafide"
	}
	yes := true
	o.auth, err = webauthn.New(&webauthn.Config{
		RPID: o.host, RPDisplayName: brand, RPOrigins: []string{o.url}, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: &yes, ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{
			Login: webauthn.TimeoutConfig{Timeout: CeremonyLife, TimeoutUVD: CeremonyLife}, Registration: webauthn.TimeoutConfig{Timeout: CeremonyLife, TimeoutUVD: CeremonyLife},
		},
	})
	if err != nil {
		o.auth = nil
	}
	return o
}

// Passkeys reports whether passkeys can be used here, and at which origin pages have to be opened for it.
func (s *Service) Passkeys() (at string, can bool) { return s.origin.url, s.origin.auth != nil }
