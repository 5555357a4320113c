// Package password hashes and checks the passwords of members.
package password

import (
	"context"
	"fmt"
	"sync"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"
	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of a password in characters.
const (
	MinLength = 12
	MaxLength = 256
)

// concurrent bounds the memory of hashing: each hash takes 64 MiB.
const concurrent = 2

// defaultMemory is the memory of one hash in KiB.
const defaultMemory = 64 << 10

// Options of a Hasher. The zero value is what servers use.
type Options struct {
	// Memory of one hash in KiB. Defaults to 64 MiB. Only tests make it smaller.
	Memory uint32
}

// Hasher makes and compares argon2id hashes (RFC 9106 §4, second recommended option). It is safe for concurrent use and
// hashes two passwords at a time, so a process needs one for all its sign-ins.
type Hasher struct {
	params *argon2id.Params
	slots  chan struct{}
	decoy  func() (string, error) // the hash compared with where a member has none
}

// NewHasher returns a Hasher.
func NewHasher(o Options) *Hasher {
	if o.Memory == 0 {
		o.Memory = defaultMemory
	}
	p := &argon2id.Params{Memory: o.Memory, Iterations: 3, Parallelism: 2, SaltLength: 16, KeyLength: 32}
	return &Hasher{params: p, slots: make(chan struct{}, concurrent), decoy: sync.OnceValues(func() (string, error) {
		return argon2id.CreateHash("a decoy that nobody types", p)
	})}
}

// Hash returns the hash of a password, in the PHC string format.
func (h *Hasher) Hash(ctx context.Context, password string) (string, error) {
	release, err := h.acquire(ctx)
	if err != nil {
		return "", err
	}
	defer release()
	out, err := argon2id.CreateHash(norm.NFC.String(password), h.params)
	if err != nil {
		return "", fmt.Errorf("hash a password: %w", err)
	}
	return out, nil
}

// Matches reports whether a password has that hash. An empty hash matches no password, and takes as long to say so: the
// time does not tell whether there is a member.
func (h *Hasher) Matches(ctx context.Context, password, hash string) (bool, error) {
	release, err := h.acquire(ctx)
	if err != nil {
		return false, err
	}
	defer release()
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

// acquire waits for a slot and returns what releases it.
func (h *Hasher) acquire(ctx context.Context) (release func(), err error) {
	select {
	case h.slots <- struct{}{}:
		return func() { <-h.slots }, nil
	case <-ctx.Done():
		return nil, fmt.Errorf("wait to hash a password: %w", ctx.Err())
	}
}

// Check returns problem request.malformed unless a password has MinLength to MaxLength characters, is not one character
// repeated and is none of the given words, such as the member's name and address.
func Check(password string, words ...string) error {
	if fault := faultOf(password, words); fault != "" {
		return problem.New(problem.RequestMalformed).At("/password").Saying("%s", fault)
	}
	return nil
}

// faultOf returns what is wrong with a password in a sentence, "" for a good one.
func faultOf(password string, words []string) string {
	n := utf8.RuneCountInString(password)
	if n < MinLength || n > MaxLength {
		return fmt.Sprintf("A password has %d to %d characters.", MinLength, MaxLength)
	}
	for _, w := range words {
		if w != "" && account.NormalizeEmail(password) == account.NormalizeEmail(w) {
			return "A password is not your name or address."
		}
	}
	first, _ := utf8.DecodeRuneInString(password)
	for _, r := range password {
		if r != first {
			return ""
		}
	}
	return "A password is not one character repeated."
}
