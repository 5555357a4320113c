package account

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io"
	"time"
)

// SecretLength is the length of a secret in characters.
const SecretLength = 43

// NewSecret returns 256 bits from random as SecretLength characters of base64url.
func NewSecret(random io.Reader) (string, error) {
	var raw [32]byte
	if _, err := io.ReadFull(random, raw[:]); err != nil {
		return "", fmt.Errorf("draw a secret: %w", err)
	}
	return base64.RawURLEncoding.EncodeToString(raw[:]), nil
}

// Digest returns what is stored of a secret, its SHA-256 in hex. The secret must be too random to be guessed.
func Digest(secret string) string {
	h := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(h[:])
}

// Moment returns t in UTC and in whole microseconds, the precision that every database stores.
func Moment(t time.Time) time.Time { return t.UTC().Truncate(time.Microsecond) }
