package signin

import (
	"net/netip"
	"net/url"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"
)

// relyingParty is the host that the deployment's passkeys belong to; they work nowhere else (WebAuthn §5.1.2).
type relyingParty struct {
	origin   string             // scheme, host and port
	id       string             // the host
	webauthn *webauthn.WebAuthn // nil where passkeys cannot work
}

// newRelyingParty returns a relying party. It supports no passkeys where the public URL is empty, has an IP address, or is
// neither https nor localhost.
func newRelyingParty(publicURL, brand string) relyingParty {
	u, err := url.Parse(publicURL)
	if err != nil || u.Host == "" {
		return relyingParty{}
	}
	p := relyingParty{origin: u.Scheme + "://" + u.Host, id: u.Hostname()}
	if _, err := netip.ParseAddr(p.id); err == nil || (u.Scheme != "https" && p.id != "localhost") {
		return p
	}
	if brand == "" {
		brand = "Bonafide"
	}
	yes := true
	timeout := webauthn.TimeoutConfig{Timeout: CeremonyLife, TimeoutUVD: CeremonyLife}
	p.webauthn, err = webauthn.New(&webauthn.Config{
		RPID: p.id, RPDisplayName: brand, RPOrigins: []string{p.origin}, AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			RequireResidentKey: &yes, ResidentKey: protocol.ResidentKeyRequirementRequired, UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
	})
	if err != nil {
		p.webauthn = nil
	}
	return p
}
