package jose

import (
	"crypto"
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

const (
	maxHeader = 64 << 10 // bytes of a header as it is encoded: certificates are in it
	maxChain  = 6        // certificates in a header
)

// Token is a compact token whose signature has not been verified yet.
type Token struct {
	Header    map[string]any
	Type      string // "typ" of the header, empty if it has none
	Algorithm string // "ES256"
	Payload   []byte

	signed    string
	signature []byte
}

// kind is a signature algorithm with the curve that it is for.
type kind struct {
	algorithm pki.Algorithm
	curve     string
}

// kinds are the algorithms that are accepted (RFC 7518 section 3.4). Symmetric ones and "none" would let everybody sign.
var kinds = map[string]kind{
	"ES256": {pki.Algorithm{Scheme: pki.Plain, Hash: crypto.SHA256}, "P-256"},
	"ES384": {pki.Algorithm{Scheme: pki.Plain, Hash: crypto.SHA384}, "P-384"},
	"ES512": {pki.Algorithm{Scheme: pki.Plain, Hash: crypto.SHA512}, "P-521"},
}

// Algorithms are the accepted algorithms as requests name them, the preferred one first.
var Algorithms = []string{"ES256", "ES384", "ES512"}

// ParseToken reads a compact token of at most limit bytes.
func ParseToken(raw string, limit int) (*Token, error) {
	if len(raw) > limit {
		return nil, refusal.New(TooLarge, "a token has more than %d bytes", limit)
	}
	parts := strings.SplitN(raw, ".", 4)
	if len(parts) != 3 || len(parts[0]) > maxHeader {
		return nil, refusal.New(Malformed, "a token has three parts and a header of at most %d bytes", maxHeader)
	}
	header, err := DecodeBase64(parts[0])
	if err != nil {
		return nil, err
	}
	t := &Token{signed: raw[:len(parts[0])+1+len(parts[1])]}
	if t.Header, err = DecodeObject(header); err != nil {
		return nil, err
	}
	if t.Payload, err = DecodeBase64(parts[1]); err != nil {
		return nil, err
	}
	if t.signature, err = DecodeBase64(parts[2]); err != nil {
		return nil, err
	}
	return t, t.readHeader()
}

func (t *Token) readHeader() (err error) {
	if t.Algorithm, err = Text(t.Header, "alg"); err != nil {
		return err
	}
	if _, known := kinds[t.Algorithm]; !known {
		return refusal.New(Algorithm, "the token is signed with an algorithm that is not accepted")
	}
	if _, there := t.Header["crit"]; there {
		return refusal.New(Critical, "the token has a header that has to be understood")
	}
	if _, there := t.Header["typ"]; there {
		if t.Type, err = Text(t.Header, "typ"); err != nil {
			return err
		}
	}
	return nil
}

// Verify checks that the key signed the token.
func (t *Token) Verify(key *pki.PublicKey) error {
	k := kinds[t.Algorithm]
	if key.Curve == nil || key.Curve.Name != k.curve {
		return refusal.New(KeyMismatch, "%s is not for a key of kind %s", t.Algorithm, key)
	}
	if key.Verify(k.algorithm, []byte(t.signed), t.signature) != nil {
		return refusal.New(Signature, "the key did not sign the token")
	}
	return nil
}

// Claims reads the payload as an object.
func (t *Token) Claims() (map[string]any, error) { return DecodeObject(t.Payload) }

// Certificates returns the certificates of the header (x5c), the signer's first. Nothing about them has been checked.
func (t *Token) Certificates() ([]*pki.Certificate, error) {
	list, ok := t.Header["x5c"].([]any)
	if !ok || len(list) == 0 {
		return nil, refusal.New(NoCertificate, "the token does not bring the certificate of its signer")
	}
	if len(list) > maxChain {
		return nil, refusal.New(TooLarge, "the token brings more than %d certificates", maxChain)
	}
	var out []*pki.Certificate
	for i, v := range list {
		text, ok := v.(string)
		if !ok {
			return nil, refusal.New(Malformed, "certificate %d is no text", i+1)
		}
		raw, err := base64.StdEncoding.Strict().DecodeString(text)
		if err != nil || strings.ContainsAny(text, "\r\n") {
			return nil, refusal.New(Malformed, "certificate %d is not written in base64", i+1)
		}
		c, err := pki.ParseCertificate(raw)
		if err != nil {
			return nil, fmt.Errorf("read certificate %d of the token: %w", i+1, err)
		}
		out = append(out, c)
	}
	return out, nil
}

// DecodeBase64 reads base64url without padding, in the one way that it can be written.
func DecodeBase64(s string) ([]byte, error) {
	out, err := base64.RawURLEncoding.Strict().DecodeString(s)
	if err != nil || strings.ContainsAny(s, "\r\n") { // the standard library passes over ends of lines
		return nil, refusal.New(Malformed, "a part is not written in base64url")
	}
	return out, nil
}
