package jose

import (
	"crypto/sha256"
	"encoding/base64"
	"fmt"

	"github.com/bonafide-id/bonafide/internal/pki"
	"github.com/bonafide-id/bonafide/internal/refusal"
)

// curves are those of keys that are verified with, as RFC 7518 section 6.2.1.1 names them.
var curves = []string{"P-256", "P-384", "P-521"}

// ParseKey reads a public key on a curve. Members beyond those of the key are passed over, but a private key is refused.
func ParseKey(v any) (*pki.PublicKey, error) {
	o, ok := v.(map[string]any)
	if !ok {
		return nil, refusal.New(Malformed, "the key is no object")
	}
	if _, private := o["d"]; private || o["kty"] != "EC" {
		return nil, refusal.New(UnsupportedKey, "the key is no public key on a curve")
	}
	for _, name := range curves {
		if o["crv"] != name {
			continue
		}
		x, err := coordinate(o, "x")
		if err != nil {
			return nil, err
		}
		y, err := coordinate(o, "y")
		if err != nil {
			return nil, err
		}
		if len(x) != len(y) {
			return nil, refusal.New(Malformed, "the coordinates of the key have different lengths")
		}
		return pki.ParsePoint(name, append(append([]byte{4}, x...), y...))
	}
	return nil, refusal.New(UnsupportedKey, "the key is on a curve that is not accepted")
}

func coordinate(o map[string]any, name string) ([]byte, error) {
	s, err := Text(o, name)
	if err != nil {
		return nil, err
	}
	return DecodeBase64(s)
}

// Key returns a public key on a curve as JSON has it.
func Key(k *pki.PublicKey) map[string]any {
	size, point := k.Curve.Size(), k.Point()
	encode := base64.RawURLEncoding.EncodeToString
	return map[string]any{"kty": "EC", "crv": k.Curve.Name, "x": encode(point[1 : 1+size]), "y": encode(point[1+size:])}
}

// Thumbprint returns the SHA-256 of a public key on a curve (RFC 7638).
func Thumbprint(k *pki.PublicKey) []byte {
	o := Key(k)
	sum := sha256.Sum256(fmt.Appendf(nil, `{"crv":%q,"kty":"EC","x":%q,"y":%q}`, o["crv"], o["x"], o["y"]))
	return sum[:]
}
