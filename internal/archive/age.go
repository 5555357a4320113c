package archive

import (
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"filippo.io/age"
)

// Recipients reads whom a backup is encrypted to: public keys of age ("age1…"), or @FILE with one a line.
func Recipients(list []string) ([]age.Recipient, error) {
	var out []age.Recipient
	for _, s := range list {
		text := s
		if path, ok := strings.CutPrefix(s, "@"); ok {
			raw, err := os.ReadFile(path)
			if err != nil {
				return nil, fmt.Errorf("--recipient: %w", err)
			}
			text = string(raw)
		}
		some, err := age.ParseRecipients(strings.NewReader(text))
		if err != nil {
			return nil, fmt.Errorf("--recipient: want a public key of age like age1…, or @FILE with some: %w", err)
		}
		out = append(out, some...)
	}
	if len(out) == 0 {
		return nil, errors.New("--recipient is missing: to whom is the backup encrypted? bonafide backup-key FILE makes a key and prints its public half")
	}
	return out, nil
}

// Identities reads the private keys of a file as bonafide backup-key or age-keygen writes it.
func Identities(path string) ([]age.Identity, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("--identity: %w", err)
	}
	defer func() { _ = f.Close() }()
	out, err := age.ParseIdentities(f)
	if err != nil {
		return nil, fmt.Errorf("--identity: %s holds no private key of age (AGE-SECRET-KEY-…)", path) // the cause may show it
	}
	return out, nil
}

// NewIdentity draws a key pair: the text of a file for Identities, and the public half.
func NewIdentity() (file, recipient string, err error) {
	k, err := age.GenerateX25519Identity()
	if err != nil {
		return "", "", fmt.Errorf("draw a key: %w", err)
	}
	recipient = k.Recipient().String()
	return "# Opens backups of Bonafide, together with the master key. Keep it apart from both.\n" +
		"# public key: " + recipient + "\n" + k.String() + "\n", recipient, nil
}

// Encrypt encrypts to any of the recipients. Close ends it, and does not close w.
func Encrypt(w io.Writer, to []age.Recipient) (io.WriteCloser, error) {
	out, err := age.Encrypt(w, to...)
	if err != nil {
		return nil, fmt.Errorf("encrypt a backup: %w", err)
	}
	return out, nil
}

// Decrypt opens what Encrypt wrote. Truncated, reordered and altered bytes are an error of reading.
func Decrypt(r io.Reader, by []age.Identity) (io.Reader, error) {
	out, err := age.Decrypt(r, by...)
	var none *age.NoIdentityMatchError
	if errors.As(err, &none) {
		return nil, errors.New("the backup was encrypted to somebody else: give the --identity that belongs to its --recipient")
	}
	if err != nil {
		return nil, ErrNotArchive
	}
	return out, nil
}
