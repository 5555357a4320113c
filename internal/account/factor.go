package account

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Factor is what a member signs in with besides the password: an authenticator app (RFC 6238), passkeys, and recovery
// codes for when both are lost.
type Factor struct {
	Secret   string   `json:"secret,omitempty"`    // base32; empty without an app
	Pending  string   `json:"pending,omitempty"`   // a new secret that no code has confirmed yet
	LastStep int64    `json:"last_step,omitempty"` // time step of the newest accepted code, so that none works twice
	Recovery []string `json:"recovery,omitempty"`  // digests of the unused recovery codes

	Passkeys []Passkey `json:"passkeys,omitempty"`
}

// On reports whether signing in with the password asks for a second factor.
func (f Factor) On() bool { return f.App() || len(f.Passkeys) > 0 }

// App reports whether an authenticator app is set up.
func (f Factor) App() bool { return f.Secret != "" }

// Passkey is the public half of a key pair whose private half stays with the member's device or password manager
// (WebAuthn Level 3). Since user verification is required, each use proves both possession and the person.
type Passkey struct {
	ID         idv.PasskeyID `json:"id"`
	Name       string        `json:"name"`       // chosen by the member
	Credential []byte        `json:"credential"` // credential id, chosen by the authenticator
	PublicKey  []byte        `json:"public_key"` // COSE (RFC 9052 §7)
	SignCount  uint32        `json:"sign_count"` // at the last use; stays 0 for authenticators that do not count
	Synced     bool          `json:"synced"`     // backup eligible: may be copied between devices; never changes
	Transports []string      `json:"transports,omitempty"`
	CreatedAt  time.Time     `json:"created_at"`
	LastUsedAt time.Time     `json:"last_used_at"`
}
