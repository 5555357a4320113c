package account

import (
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Invitation lets one person join, with the address and the roles that were chosen for them. Its token is shown once
// and never stored.
type Invitation struct {
	ID        idv.InvitationID
	Email     string
	Roles     []Role
	InvitedBy idv.UserID
	Hash      string // Digest of the token
	CreatedAt time.Time
	ExpiresAt time.Time
}
