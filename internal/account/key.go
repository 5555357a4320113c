package account

import (
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Key is an API key without its secret, which is shown once and never stored.
type Key struct {
	ID         idv.KeyID
	Name       string
	Mode       idv.Mode
	Scopes     []Permission
	Prefix     string // the first characters of the secret, to tell keys apart
	Hash       string // Digest of the secret
	CreatedAt  time.Time
	LastUsedAt time.Time // zero for never; may be a minute behind
	ExpiresAt  time.Time // zero for never
	RevokedAt  time.Time
	CreatedBy  idv.UserID // empty for keys that the program made itself
}

// May reports whether the key carries a scope.
func (k Key) May(p Permission) bool { return slices.Contains(k.Scopes, p) }

// Ended reports whether the key was revoked or has expired.
func (k Key) Ended(now time.Time) bool {
	return !k.RevokedAt.IsZero() || (!k.ExpiresAt.IsZero() && !now.Before(k.ExpiresAt))
}
