package account

import (
	"context"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"
)

// Limits of a password in characters.
const (
	MinPassword = 12
	MaxPassword = 256
)

// hashesAtOnce bounds the memory that logins can take: each hash takes its 64 MiB.
const hashesAtOnce = 2

// hasher makes and compares argon2id hashes (RFC 9106 §4, second recommended option).
type hasher struct {
	params *argon2id.Params
	turn   chan struct{}
	decoy  func() (string, error) // a hash that no password has, compared with where there is no member
}

func newHasher(memory uint32) hasher {
	if memory == 0 {
		memory = 64 << 10
	}
	p := &argon2id.Params{Memory: memory, Iterations: 3, Parallelism: 2, SaltLength: 16, KeyLength: 32}
	return hasher{params: p, turn: make(chan struct{}, hashesAtOnce), decoy: sync.OnceValues(func() (string, error) {
		return argon2id.CreateHash("a decoy that nobody types", p)
	})}
}

func (h hasher) hash(ctx context.Context, password string) (string, error) {
	done, err := h.wait(ctx)
	if err != nil {
		return "", err
	}
	defer done()
	out, err := argon2id.CreateHash(norm.NFC.String(password), h.params)
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return out, nil
}

// matches compares a password with a hash. An empty hash matches nothing and takes as long.
func (h hasher) matches(ctx context.Context, password, hash string) (bool, error) {
	done, err := h.wait(ctx)
	if err != nil {
		return false, err
	}
	defer done()
	known := hash != ""
	if !known {
		if hash, err = h.decoy(); err != nil {
			return false, fmt.Errorf("hash a password: %w", err)
		}
	}
	same, err := argon2id.ComparePasswordAndHash(norm.NFC.String(password), hash)
	if err != nil {
		return false, fmt.Errorf("compare a password: %w", err)
	}
	return same && known, nil
}

func (h hasher) wait(ctx context.Context) (func(), error) {
	select {
	case h.turn <- struct{}{}:
		return func() { <-h.turn }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}

// goodPassword says what is wrong with a password; "" if nothing is.
func goodPassword(p string, besides ...string) string {
	n := utf8.RuneCountInString(p)
	if n < MinPassword || n > MaxPassword {
		return fmt.Sprintf("A password has %d to %d characters.", MinPassword, MaxPassword)
	}
	for _, b := range besides {
		if b != "" && Normal(p) == Normal(b) {
			return "A password is not your name or address."
		}
	}
	first, _ := utf8.DecodeRuneInString(p)
	for _, r := range p {
		if r != first {
			return ""
		}
	}
	return "A password is not one character repeated."
}
