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
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
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

// masterPrefix is what the text of a master key starts with; 32 random bytes in base64 follow. It makes the key recognisable, and its format changeable.
const masterPrefix = "bonafide-master-1:"

// Master wraps keysets. It is safe for concurrent use.
type Master struct {
	aead        tink.AEAD
	fingerprint string
	others      []*Master
}

// OpenMaster reads the master key from file:PATH, credential:NAME (a file of that name in $CREDENTIALS_DIRECTORY, where systemd
// puts credentials) or env:NAME. New keysets are wrapped by it. Others open what they have wrapped, and wrap nothing: they are
// there while the master key is being changed.
func OpenMaster(where string, others ...string) (*Master, error) {
	m, err := openMaster("master key", where)
	if err != nil {
		return nil, err
	}
	for _, place := range others {
		o, err := openMaster("other master key", place)
		if err != nil {
			return nil, err
		}
		m.others = append(m.others, o)
	}
	return m, nil
}

func openMaster(what, where string) (*Master, error) {
	raw, err := readMaster(where)
	if err == nil {
		var m *Master
		if m, err = parseMaster(raw); err == nil {
			return m, nil
		}
		err = fmt.Errorf("%s: %w", where, err)
	}
	return nil, fmt.Errorf("%s: %w", what, err)
}

// Fingerprint names the key that wraps: 16 hex digits, which tell nothing about it.
func (m *Master) Fingerprint() string { return m.fingerprint }

// Fingerprints names every key that is there, the one that wraps first.
func (m *Master) Fingerprints() []string {
	out := []string{m.fingerprint}
	for _, o := range m.others {
		out = append(out, o.fingerprint)
	}
	return out
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
	scheme, name, _ := strings.Cut(where, ":")
	switch scheme {
	case "file":
		return readMasterFile(name)
	case "credential":
		dir := os.Getenv("CREDENTIALS_DIRECTORY")
		if dir == "" {
			return "", errors.New("there is no $CREDENTIALS_DIRECTORY: systemd sets it for a unit with LoadCredential=")
		}
		if name == "" || strings.ContainsRune(name, filepath.Separator) {
			return "", errors.New("want credential:NAME, as LoadCredential=NAME:PATH names it")
		}
		return readMasterFile(filepath.Join(dir, name))
	case "env":
		raw, found := os.LookupEnv(name)
		if !found {
			return "", fmt.Errorf("the environment has no variable %s", name)
		}
		return raw, nil
	default: // what was given may be the key itself
		return "", errors.New("want file:PATH, credential:NAME or env:NAME")
	}
}

func readMasterFile(path string) (string, error) {
	raw, err := os.ReadFile(path)
	if errors.Is(err, os.ErrNotExist) {
		return "", fmt.Errorf("there is no file %s; restore it or, for new data, make one: bonafide master-key %s", path, path)
	}
	return string(raw), err //nolint:wrapcheck // names the path
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
	sum := sha256.Sum256(append([]byte("bonafide master key fingerprint\x00"), key...))
	return &Master{aead: box, fingerprint: hex.EncodeToString(sum[:8])}, nil
}
