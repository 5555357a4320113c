package testwallet

import (
	"bytes"
	"compress/zlib"
	"crypto"
	"crypto/ecdsa"
	"crypto/rand"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"math/big"
	"strconv"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/jose"
	"github.com/bonafide-id/bonafide/internal/openid4vp"
	"github.com/bonafide-id/bonafide/internal/pki"
)

// The status list of the issuer, and the places of credentials in it.
const (
	listURL            = issuerURL + "/status"
	soundAt, revokedAt = 0, 1
)

// person presents an SD-JWT credential with the claims that were asked for, and no others (RFC 9901).
func (w Wallet) person(by *issuer, holder *ecdsa.PrivateKey, q openid4vp.CredentialQuery, r *openid4vp.Request) (string, error) {
	point, err := publicKey(holder)
	if err != nil {
		return "", err
	}
	from, until := w.life()
	var digests, disclosures []string
	disclose := func(name string, value any) error {
		text, digest, err := disclosure(name, value)
		digests, disclosures = append(digests, digest), append(disclosures, text)
		return err
	}
	for _, c := range q.Claims {
		name, _ := c.Path[0].(string)
		if value := w.claim(name, c.Path); value != nil {
			if err := disclose(name, value); err != nil {
				return "", err
			}
		}
	}
	token, err := by.persons.token(map[string]any{"alg": "ES256", "typ": "dc+sd-jwt", "x5c": by.persons.chain()}, map[string]any{
		"iss": issuerURL, "vct": typeOf(q), "iat": from.Unix(), "exp": until.Unix(), "cnf": map[string]any{"jwk": jose.Key(point)},
		"_sd_alg": "sha-256", "_sd": digests, "status": map[string]any{"status_list": map[string]any{"uri": listURL, "idx": w.index()}},
	})
	if err != nil {
		return "", err
	}
	issued := token + "~"
	for _, d := range disclosures {
		issued += d + "~"
	}
	sum := sha256.Sum256([]byte(issued))
	binding, err := party{key: holder}.token(map[string]any{"alg": "ES256", "typ": "kb+jwt"}, map[string]any{
		"nonce": r.Nonce, "aud": "origin:" + r.Origin, "iat": w.Now.Unix(), "sd_hash": encode(sum[:]),
	})
	return issued + binding, err
}

// claim is the value of a claim; nil where the wallet has none.
func (w Wallet) claim(name string, path []any) any {
	if fact, known := facts[name]; known {
		return w.fact(fact)
	}
	switch {
	case name == "picture":
		return w.picture()
	case name == "nationalities":
		return []string{w.fact(idv.Nationality)}
	case name == "age_equal_or_over" && len(path) > 1:
		if years, ok := path[1].(string); ok {
			n, err := strconv.Atoi(years)
			return map[string]bool{years: err == nil && w.reached(n)}
		}
	}
	return nil
}

// disclosure returns a claim as it is disclosed, and the digest by which it is signed.
func disclosure(name string, value any) (text, digest string, err error) {
	salt := make([]byte, 16)
	_, _ = rand.Read(salt) // never fails
	raw, err := json.Marshal([]any{encode(salt), name, value})
	text = encode(raw)
	sum := sha256.Sum256([]byte(text))
	return text, encode(sum[:]), err
}

// statusList returns the signed status list.
func (by *issuer) statusList(now time.Time) (string, error) {
	var packed bytes.Buffer
	z := zlib.NewWriter(&packed)
	if _, err := z.Write([]byte{1 << revokedAt, 0, 0, 0}); err != nil {
		return "", err
	}
	if err := z.Close(); err != nil {
		return "", err
	}
	return by.persons.token(map[string]any{"alg": "ES256", "typ": "statuslist+jwt", "x5c": by.persons.chain()}, map[string]any{
		"sub": listURL, "iat": now.Add(-time.Minute).Unix(), "exp": now.Add(time.Hour).Unix(),
		"status_list": map[string]any{"bits": 1, "lst": encode(packed.Bytes())},
	})
}

// chain is the certificate of a party as tokens have it. The root does not come along: it is for others to know.
func (p party) chain() []string {
	return []string{base64.StdEncoding.EncodeToString(p.certificate.Raw)}
}

// token returns a signed compact token.
func (p party) token(header, payload map[string]any) (string, error) {
	head, err := json.Marshal(header)
	if err != nil {
		return "", err
	}
	body, err := json.Marshal(payload)
	if err != nil {
		return "", err
	}
	text := encode(head) + "." + encode(body)
	signature, err := p.sign([]byte(text))
	return text + "." + encode(signature), err
}

// sign signs with SHA-256, the two numbers side by side.
func (p party) sign(message []byte) ([]byte, error) {
	digest := sha256.Sum256(message)
	raw, err := p.key.Sign(rand.Reader, digest[:], crypto.SHA256)
	if err != nil {
		return nil, err
	}
	var halves struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(raw, &halves); err != nil {
		return nil, err
	}
	return append(halves.R.FillBytes(make([]byte, 32)), halves.S.FillBytes(make([]byte, 32))...), nil
}

func publicKey(k *ecdsa.PrivateKey) (*pki.PublicKey, error) {
	point, err := k.PublicKey.Bytes()
	if err != nil {
		return nil, err
	}
	return pki.ParsePoint("P-256", point)
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }
