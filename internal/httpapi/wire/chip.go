package wire

import (
	"encoding/hex"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/testchip"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

// ChipChallenge is a challenge to the chip of a document.
type ChipChallenge struct {
	ID        idv.ChallengeID `json:"id" doc:"Send it as challenge, with the chip's response"`
	Challenge string          `json:"challenge" example:"0123456789abcdef" doc:"Eight bytes in hexadecimal: the data of INTERNAL AUTHENTICATE"`
	ExpiresAt time.Time       `json:"expires_at"`
}

// ChipChallengeOf returns the wire form of a challenge.
func ChipChallengeOf(c session.ChipChallengeRow) ChipChallenge {
	return ChipChallenge{ID: c.ID, Challenge: hex.EncodeToString(c.Bytes), ExpiresAt: c.ExpiresAt.UTC()}
}

// ChipTest says which chip of test mode is sent.
type ChipTest struct {
	Choice testchip.Choice `json:"choice" enum:"genuine,other_name,other_face,copy,changed,untrusted"`
}

// ChipProgress is how far an app's relay is with the chip of a session.
type ChipProgress struct {
	State   applicant.RelayState `json:"state" enum:"none,open,reading,stopped" doc:"open: an app waits for the chip or its key; stopped: contact was lost"`
	Reading string               `json:"reading" doc:"File that is being read; empty before the first"`
	Read    int                  `json:"read" doc:"Bytes"`
	Of      int                  `json:"of" doc:"Bytes in all; 0 until it is known"`
}

// ChipProgressOf returns the wire form of a relay's progress.
func ChipProgressOf(p applicant.RelayProgress) ChipProgress {
	return ChipProgress{State: p.State, Reading: p.File, Read: p.Read, Of: p.Of}
}
