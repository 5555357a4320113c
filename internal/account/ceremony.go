package account

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// CeremonyLife is how long a browser may take to answer a challenge.
const CeremonyLife = 5 * time.Minute

// Ceremonies keep what was asked of a browser until it answers, once.
type Ceremonies interface {
	// KeepCeremony keeps what was asked under a digest.
	KeepCeremony(ctx context.Context, hash string, asked []byte, expires time.Time) error
	// TakeCeremony answers it and forgets it: of two who take it, one does. Problem not_found when it is gone or expired.
	TakeCeremony(ctx context.Context, hash string, now time.Time) ([]byte, error)
}

// purpose is what a ceremony is for. An answer to one is no answer to another.
type purpose string

const (
	toSignIn   purpose = "sign in"
	toProve    purpose = "prove"
	toRegister purpose = "register"
)

// ask keeps what was asked of a browser. challenge is what it will send back; browser is a secret that only it has, so that
// nobody can answer in its place.
func (s *Service) ask(ctx context.Context, p purpose, browser, challenge string, asked any) error {
	raw, err := json.Marshal(asked)
	if err != nil {
		return fmt.Errorf("encode a challenge: %w", err)
	}
	return s.store.KeepCeremony(ctx, ceremonyHash(p, browser, challenge), raw, s.now().UTC().Add(CeremonyLife))
}

// answered reads back what was asked, this once. Problems: not_found.
func (s *Service) answered(ctx context.Context, p purpose, browser, challenge string, asked any) error {
	if browser == "" || challenge == "" {
		return problem.New(problem.NotFound)
	}
	raw, err := s.store.TakeCeremony(ctx, ceremonyHash(p, browser, challenge), s.now().UTC())
	if err != nil {
		return err
	}
	if err := json.Unmarshal(raw, asked); err != nil {
		return fmt.Errorf("decode a challenge: %w", err)
	}
	return nil
}

func ceremonyHash(p purpose, browser, challenge string) string {
	return digest(string(p) + "\x00" + browser + "\x00" + challenge)
}
