package signin

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// CeremonyLife is how long a browser has to answer a challenge.
const CeremonyLife = 5 * time.Minute

// Ceremonies stores the state of a challenge until a browser answers it.
type Ceremonies interface {
	SaveCeremony(ctx context.Context, hash string, state []byte, expires time.Time) error
	// ClaimCeremony returns the state and deletes it; of two at once, one succeeds. Problem not_found when it is gone or
	// has expired.
	ClaimCeremony(ctx context.Context, hash string, now time.Time) ([]byte, error)
}

// purpose is what a challenge is for. The answer to one does not serve another.
type purpose string

const (
	forSignIn       purpose = "sign in"
	forProof        purpose = "prove"
	forRegistration purpose = "register"
	forSSO          purpose = "single sign-on"
)

// ceremonies saves the state of challenges under a digest of what the browser has to send back. Part of it is a secret
// that only this browser has, so that no other can answer in its place.
type ceremonies struct {
	store Ceremonies
	now   func() time.Time
}

func (c ceremonies) save(ctx context.Context, p purpose, browser, challenge string, state any) error {
	raw, err := json.Marshal(state)
	if err != nil {
		return fmt.Errorf("encode a challenge: %w", err)
	}
	return c.store.SaveCeremony(ctx, ceremonyHash(p, browser, challenge), raw, c.now().UTC().Add(CeremonyLife))
}

// claim decodes the state of a challenge, once. Problems: not_found.
func (c ceremonies) claim(ctx context.Context, p purpose, browser, challenge string, state any) error {
	if browser == "" || challenge == "" {
		return problem.New(problem.NotFound)
	}
	raw, err := c.store.ClaimCeremony(ctx, ceremonyHash(p, browser, challenge), c.now().UTC())
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, state); err != nil {
		return fmt.Errorf("decode a challenge: %w", err)
	}
	return nil
}

func ceremonyHash(p purpose, browser, challenge string) string {
	return account.Digest(string(p) + "\x00" + browser + "\x00" + challenge)
}
