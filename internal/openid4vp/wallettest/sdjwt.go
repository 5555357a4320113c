// Package wallettest makes what issuers and wallets make: SD-JWT credentials, mobile documents, status lists and presentations, sound
// and with every fault that must be refused. For tests only.
package wallettest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"encoding/asn1"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/emrtd/emrtdtest"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Now is the moment of the tests.
var Now = emrtdtest.Now

// The request that presentations of the tests answer.
const (
	Nonce    = "n-0S6_WzA2Mj-of-the-tests"
	Audience = "x509_san_dns:verifier.example"
	VCT      = "https://credentials.example/person"
	ListURI  = "https://issuer.example/lists/1"
)

// Sound is the kind of key that wallets have.
const Sound emrtdtest.Kind = "ECDSA P-256 SHA-256"

// Issuer is somebody who signs credentials, under an authority.
type Issuer struct{ Root, Signer *emrtdtest.Holder }

// NewIssuer returns an issuer whose certificate is for issuer.example. Issuers with different numbers have different authorities.
func NewIssuer(number int) *Issuer {
	root := emrtdtest.NewAuthority("UT", Sound, 20+number)
	signer := emrtdtest.Template{Name: "Signer", Extra: [][]byte{HostName("issuer.example")}}
	return &Issuer{Root: root, Signer: root.Issue(signer, emrtdtest.NewKey(Sound, 40+number))}
}

// HostName returns the extension that says for which host a certificate is.
func HostName(host string) []byte {
	return emrtdtest.Extension("2.5.29.17", false, tlv.Encode(tlv.Sequence, tlv.Encode(0x82, []byte(host))))
}

// Disclosure is a claim that is disclosed on its own.
type Disclosure struct{ Text, Digest string }

// Disclose returns a disclosure of a claim.
func Disclose(name string, value any) Disclosure { return disclosure(salt(), name, value) }

// DiscloseElement returns a disclosure of an element of an array.
func DiscloseElement(value any) Disclosure { return disclosure(salt(), value) }

// DiscloseRaw returns a disclosure of any JSON.
func DiscloseRaw(text string) Disclosure {
	encoded := encode([]byte(text))
	sum := sha256.Sum256([]byte(encoded))
	return Disclosure{encoded, encode(sum[:])}
}

func disclosure(parts ...any) Disclosure { return DiscloseRaw(string(toJSON(parts))) }

func salt() string { return encode(random(16)) }

func random(n int) []byte {
	out := make([]byte, n)
	_, _ = rand.Read(out) // never fails
	return out
}

func encode(raw []byte) string { return base64.RawURLEncoding.EncodeToString(raw) }

func toJSON(v any) []byte {
	raw, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return raw
}

// Credential is an SD-JWT credential before it is signed.
type Credential struct {
	Header, Payload map[string]any
	Disclosures     []Disclosure
	Key             *emrtdtest.Key
}

// Person returns a credential about a person, with disclosures of claims, within a claim and of an element.
func (i *Issuer) Person(holder *ecdsa.PrivateKey) *Credential {
	given, family, birth := Disclose("given_name", "Erika"), Disclose("family_name", "Mustermann"), Disclose("birthdate", "1984-08-12")
	locality, nationality := Disclose("locality", "Utopolis"), DiscloseElement("UT")
	address := Disclose("address", map[string]any{"country": "UT", "_sd": []string{locality.Digest}})
	return &Credential{
		Header: map[string]any{"alg": "ES256", "typ": "dc+sd-jwt", "x5c": []string{base64.StdEncoding.EncodeToString(i.Signer.Raw)}},
		Payload: map[string]any{
			"iss": "https://issuer.example/pid", "vct": VCT, "iat": Now.Add(-time.Hour).Unix(), "exp": Now.AddDate(0, 1, 0).Unix(),
			"cnf": map[string]any{"jwk": JWK(&holder.PublicKey)}, "_sd_alg": "sha-256",
			"_sd":           []string{given.Digest, family.Digest, birth.Digest, address.Digest, Disclose("decoy", 1).Digest},
			"nationalities": []any{map[string]any{"...": nationality.Digest}, map[string]any{"...": Disclose("decoy", 2).Digest}, "XX"},
		},
		Disclosures: []Disclosure{given, family, birth, address, locality, nationality},
		Key:         i.Signer.Key,
	}
}

// Hide adds a disclosure to the digests that the issuer signs, and to what is sent.
func (c *Credential) Hide(d Disclosure) {
	c.Payload["_sd"] = append(c.Payload["_sd"].([]string), d.Digest)
	c.Disclosures = append(c.Disclosures, d)
}

// Issue returns the credential with all disclosures and without a holder's signature.
func (c *Credential) Issue() string {
	out := Token(c.Key, c.Header, c.Payload) + "~"
	for _, d := range c.Disclosures {
		out += d.Text + "~"
	}
	return out
}

// Without returns an issued credential less a number of its last disclosures.
func Without(issued string, last int) string {
	parts := strings.Split(issued, "~")
	return strings.Join(parts[:len(parts)-1-last], "~") + "~"
}

// Present adds the holder's signature for the request of the tests. What is given in header or claims replaces what is usual; nil takes
// it out.
func Present(issued string, holder *ecdsa.PrivateKey, header, claims map[string]any) string {
	sum := sha256.Sum256([]byte(issued))
	h := over(map[string]any{"alg": "ES256", "typ": "kb+jwt"}, header)
	c := over(map[string]any{"nonce": Nonce, "aud": Audience, "iat": Now.Unix(), "sd_hash": encode(sum[:])}, claims)
	return issued + signedBy(holder, h, c)
}

func over(usual, instead map[string]any) map[string]any {
	maps.Copy(usual, instead)
	maps.DeleteFunc(usual, func(_ string, v any) bool { return v == nil })
	return usual
}

// Token returns a compact token signed by a key on a curve.
func Token(k *emrtdtest.Key, header, payload map[string]any) string {
	text := encode(toJSON(header)) + "." + encode(toJSON(payload))
	return text + "." + encode(Plain(k.Sign([]byte(text)), 32))
}

// Plain returns an ECDSA signature with its two numbers side by side, each of so many bytes.
func Plain(signature []byte, size int) []byte {
	var halves struct{ R, S *big.Int }
	if _, err := asn1.Unmarshal(signature, &halves); err != nil {
		panic(err)
	}
	return append(halves.R.FillBytes(make([]byte, size)), halves.S.FillBytes(make([]byte, size))...)
}

func signedBy(key *ecdsa.PrivateKey, header, payload map[string]any) string {
	text := encode(toJSON(header)) + "." + encode(toJSON(payload))
	return text + "." + encode(SignPlain(key, []byte(text)))
}

// SignPlain signs a message with SHA-256 and the two numbers side by side.
func SignPlain(key *ecdsa.PrivateKey, message []byte) []byte {
	digest := sha256.Sum256(message)
	signature, err := key.Sign(rand.Reader, digest[:], crypto.SHA256)
	if err != nil {
		panic(err)
	}
	return Plain(signature, 32)
}

// NewHolder returns the key of a holder.
func NewHolder() *ecdsa.PrivateKey {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		panic(err)
	}
	return key
}

// JWK returns a public key as JSON has it.
func JWK(k *ecdsa.PublicKey) map[string]any {
	point, err := k.Bytes()
	if err != nil {
		panic(err)
	}
	return map[string]any{"kty": "EC", "crv": "P-256", "x": encode(point[1:33]), "y": encode(point[33:])}
}

// NewVerifier returns the key of a verifier, and its certificate for a host with that of its authority.
func NewVerifier(host string) (*ecdsa.PrivateKey, []*emrtdtest.Holder) {
	root := emrtdtest.NewAuthority("UT", Sound, 90)
	key := emrtdtest.NewKey(Sound, 91)
	return key.ECDSA(), []*emrtdtest.Holder{root.Issue(emrtdtest.Template{Name: "Verifier", Extra: [][]byte{HostName(host)}}, key), root}
}
