package signin

import (
	"encoding/base64"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/webauthn"

	"github.com/bonafide-id/bonafide/internal/account"
)

// webauthnUser is a member in the form that the library reads.
type webauthnUser struct{ u account.User }

// WebAuthnID implements webauthn.User. The id says nothing about the person (WebAuthn §14.6.1).
func (w webauthnUser) WebAuthnID() []byte { return []byte(w.u.ID) }

// WebAuthnName implements webauthn.User.
func (w webauthnUser) WebAuthnName() string { return w.u.Email }

// WebAuthnDisplayName implements webauthn.User.
func (w webauthnUser) WebAuthnDisplayName() string { return w.u.Name }

// WebAuthnCredentials implements webauthn.User.
func (w webauthnUser) WebAuthnCredentials() []webauthn.Credential {
	out := make([]webauthn.Credential, 0, len(w.u.Factor.Passkeys))
	for _, k := range w.u.Factor.Passkeys {
		out = append(out, webauthn.Credential{
			ID: k.Credential, PublicKey: k.PublicKey, Flags: webauthn.CredentialFlags{UserPresent: true, UserVerified: true, BackupEligible: k.Synced},
			Authenticator: webauthn.Authenticator{SignCount: k.SignCount},
		})
	}
	return out
}

func descriptorsOf(u account.User) []protocol.CredentialDescriptor {
	out := []protocol.CredentialDescriptor{}
	for _, c := range (webauthnUser{u}).WebAuthnCredentials() {
		out = append(out, c.Descriptor())
	}
	return out
}

func credentialsOf(u account.User) [][]byte {
	out := [][]byte{}
	for _, k := range u.Factor.Passkeys {
		out = append(out, k.Credential)
	}
	return out
}

func publicKey(id []byte) protocol.PublicKeyCredential {
	return protocol.PublicKeyCredential{
		Credential: protocol.Credential{ID: base64.RawURLEncoding.EncodeToString(id), Type: string(protocol.PublicKeyCredentialType)}, RawID: id,
	}
}
