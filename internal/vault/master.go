// Package vault encrypts evidence. Every session has two keysets of its own, one for pictures and face
// templates and one for facts; the deployment has one for what belongs to no session. Each keyset is wrapped
// by the master key and kept beside the data; the master key is kept elsewhere.
//
// Destroying a keyset is the erasure of everything that it covers, in the database, in the bucket and in
// every backup of them. A ciphertext is bound to its session and column (or blob name) by associated data, so
// that it cannot be moved to another place and still open. What must be found again by its exact value has a
// blind index: a keyed digest.
package vault

import (
	"crypto/rand"
	"encoding/base64"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/tink-crypto/tink-go/v2/aead/subtle"
	"github.com/tink-crypto/tink-go/v2/tink"
)

// ErrWrongMaster means that the master key does not open what it should.
var ErrWrongMaster = errors.New("the master key is not the one that this data was encrypted with; restore that key")

// ErrDestroyed means that the keyset is gone for ever.
var ErrDestroyed = errors.New("the key was destroyed")

// masterPrefix makes the key recognisable, and its format changeable.
const masterPrefix = "bonafide-master-1:"

// Master wraps keysets.
type Master struct {
	aead tink.AEAD
}

// OpenMaster reads the master key from file:PATH or env:NAME.
func OpenMaster(where string) (*Master, error) {
	raw, err := readMaster(where)
	if err != nil {
		return nil, err
	}
	m, err := parseMaster(raw)
	if err != nil {
		return nil, fmt.Errorf("master key %s: %w", where, err)
	}
	return m, nil
}

// NewMaster returns a new master key as text, for a file or a variable.
func NewMaster() (string, error) {
	var key [32]byte
	if _, err := rand.Read(key[:]); err != nil {
		return "", fmt.Errorf("draw a master key: %w", err)
	}
	return masterPrefix + base64.StdEncoding.EncodeToString(key[:]), nil
}

// CreateMaster writes a new master key to a file that only its owner can read. It returns false, and changes nothing, if the
// file exists.
func CreateMaster(path string) (bool, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return false, fmt.Errorf("make the directory of the master key: %w", err)
	}
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("write the master key: %w", err)
	}
	text, err := NewMaster()
	if err == nil {
		_, err = f.WriteString(text + "\n")
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return false, fmt.Errorf("write the master key: %w", err)
	}
	return true, nil
}

func readMaster(where string) (string, error) {
	scheme, name, ok := strings.Cut(where, ":")
	switch {
	case ok && scheme == "file":
		raw, err := os.ReadFile(name)
		if errors.Is(err, os.ErrNotExist) {
			return "", fmt.Errorf("master key: there is no file %s; restore it, or with new data make one", name)
		}
		if err != nil {
			return "", fmt.Errorf("master key: %w", err)
		}
		return string(raw), nil
	case ok && scheme == "env":
		raw, found := os.LookupEnv(name)
		if !found {
			return "", fmt.Errorf("master key: the environment has no variable %s", name)
		}
		return raw, nil
	default:
		return "", fmt.Errorf("master key: want file:PATH or env:NAME, not %q", scheme)
	}
}

func parseMaster(text string) (*Master, error) {
	body, ok := strings.CutPrefix(strings.TrimSpace(text), masterPrefix)
	if !ok {
		return nil, fmt.Errorf("it does not start with %q", masterPrefix)
	}
	key, err := base64.StdEncoding.DecodeString(body)
	if err != nil || len(key) != 32 {
		return nil, errors.New("it is not 32 bytes in base64")
	}
	box, err := subtle.NewXChaCha20Poly1305(key)
	if err != nil {
		return nil, fmt.Errorf("use it: %w", err)
	}
	return &Master{aead: box}, nil
}
