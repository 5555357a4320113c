// Package emrtdtest makes what a state and a chip make: signing authorities, document signers, master lists, revocation lists and the
// files of a chip, with every signature algorithm and with the faults that must be refused. Curves are those of the standard library
// and of ProtonMail's, so that what package pki verifies was signed by somebody else's arithmetic. For tests, and for the chip of test mode.
package emrtdtest

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/asn1"
	"fmt"
	"math/big"
	"strings"
	"sync"

	"github.com/ProtonMail/go-crypto/brainpool"

	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Kind is a kind of key with the algorithm that it signs with: "ECDSA P-256 SHA-256", "RSA-2048 PSS SHA-512"; "explicit" at the end
// writes curve parameters in full.
type Kind string

// Kinds are all that the tests go through.
var Kinds = []Kind{
	"RSA-2048 PKCS1 SHA-1", "RSA-2048 PKCS1 SHA-224", "RSA-2048 PKCS1 SHA-256", "RSA-2048 PKCS1 SHA-384", "RSA-3072 PKCS1 SHA-512",
	"RSA-2048 PSS SHA-1", "RSA-2048 PSS SHA-256", "RSA-2048 PSS SHA-384", "RSA-3072 PSS SHA-512",
	"ECDSA P-224 SHA-224", "ECDSA P-256 SHA-1", "ECDSA P-256 SHA-256", "ECDSA P-384 SHA-384", "ECDSA P-521 SHA-512",
	"ECDSA brainpoolP256r1 SHA-256", "ECDSA brainpoolP384r1 SHA-384", "ECDSA brainpoolP512r1 SHA-512", "ECDSA brainpoolP256t1 SHA-256",
	"ECDSA P-256 SHA-256 explicit", "ECDSA P-521 SHA-512 explicit", "ECDSA brainpoolP256r1 SHA-256 explicit",
	"ECDSA brainpoolP512r1 SHA-512 explicit", "ECDSA P-256 SHA-512",
}

// Key signs.
type Key struct {
	kind  Kind
	hash  crypto.Hash
	rsa   *rsa.PrivateKey
	ecdsa *ecdsa.PrivateKey
}

var keys sync.Map

// NewKey returns a key of a kind. Keys of one kind and number are the same within a process: RSA keys take long to make. Those on P-256
// are the same in all processes, so that what one made is sound in another: fuzzing runs in processes of its own.
func NewKey(kind Kind, number int) *Key {
	name := fmt.Sprint(kind, number)
	if k, ok := keys.Load(name); ok {
		return k.(*Key)
	}
	k := &Key{kind: kind, hash: hashOf(kind)}
	var err error
	if bits := 0; strings.HasPrefix(string(kind), "RSA-") {
		_, _ = fmt.Sscanf(string(kind), "RSA-%d", &bits)
		k.rsa, err = rsa.GenerateKey(rand.Reader, bits)
	} else {
		k.ecdsa, err = newECDSA(curveOf(kind), name)
	}
	if err != nil {
		panic(err)
	}
	kept, _ := keys.LoadOrStore(name, k)
	return kept.(*Key)
}

func newECDSA(curve elliptic.Curve, name string) (*ecdsa.PrivateKey, error) {
	if curve != elliptic.P256() {
		return ecdsa.GenerateKey(curve, rand.Reader)
	}
	secret := sha256.Sum256([]byte(name))
	return ecdsa.ParseRawPrivateKey(curve, secret[:])
}

func (k *Key) pss() bool { return strings.Contains(string(k.kind), " PSS ") }

func hashOf(kind Kind) crypto.Hash {
	for name, h := range map[string]crypto.Hash{
		"SHA-1": crypto.SHA1, "SHA-224": crypto.SHA224, "SHA-256": crypto.SHA256, "SHA-384": crypto.SHA384, "SHA-512": crypto.SHA512,
	} {
		for word := range strings.FieldsSeq(string(kind)) {
			if word == name {
				return h
			}
		}
	}
	panic("no hash in " + kind)
}

type named struct {
	curve elliptic.Curve
	oid   string
}

var curves = map[string]named{
	"P-224":           {elliptic.P224(), "1.3.132.0.33"},
	"P-256":           {elliptic.P256(), "1.2.840.10045.3.1.7"},
	"P-384":           {elliptic.P384(), "1.3.132.0.34"},
	"P-521":           {elliptic.P521(), "1.3.132.0.35"},
	"brainpoolP256r1": {brainpool.P256r1(), "1.3.36.3.3.2.8.1.1.7"},
	"brainpoolP256t1": {brainpool.P256t1(), "1.3.36.3.3.2.8.1.1.8"},
	"brainpoolP384r1": {brainpool.P384r1(), "1.3.36.3.3.2.8.1.1.11"},
	"brainpoolP512r1": {brainpool.P512r1(), "1.3.36.3.3.2.8.1.1.13"},
}

func curveOf(kind Kind) elliptic.Curve { return curves[strings.Fields(string(kind))[1]].curve }

// coefficient returns a of the key's curve: from the base point, so that it need not be written down once more.
func (k *Key) coefficient() *big.Int {
	c := k.ecdsa.Params()
	cube := new(big.Int).Exp(c.Gx, big.NewInt(3), c.P) // a = (y² - x³ - b) / x
	a := new(big.Int).Exp(c.Gy, big.NewInt(2), c.P)
	b := c.B
	if strings.HasSuffix(c.Name, "r1") { // the library leaves b out of these
		b = coefficientB[c.Name]
	}
	a.Sub(a, cube).Sub(a, b).Mul(a, new(big.Int).ModInverse(c.Gx, c.P))
	return a.Mod(a, c.P)
}

// coefficientB is b of RFC 5639's random curves.
var coefficientB = map[string]*big.Int{
	"brainpoolP256r1": hex("26DC5C6CE94A4B44F330B5D9BBD77CBF958416295CF7E1CE6BCCDC18FF8C07B6"),
	"brainpoolP512r1": hex("3DF91610A83441CAEA9863BC2DED5D5AA8253AA10A2EF1C98B9AC8B57F1117A72BF2C7B9E7C1AC4D77FC94CADC083E67984050B75EBAE5DD2809BD638016F723"),
}

func hex(s string) *big.Int {
	n, ok := new(big.Int).SetString(s, 16)
	if !ok {
		panic(s)
	}
	return n
}

// Info returns the SubjectPublicKeyInfo.
func (k *Key) Info() []byte {
	if k.rsa != nil {
		public := tlv.Encode(tlv.Sequence, Int(k.rsa.N), Int(big.NewInt(int64(k.rsa.E))))
		return tlv.Encode(tlv.Sequence, tlv.Encode(tlv.Sequence, OID("1.2.840.113549.1.1.1"), tlv.Encode(tlv.Null)), bits(public))
	}
	if strings.HasSuffix(string(k.kind), " explicit") {
		return k.InfoExplicit()
	}
	return k.info(OID(curves[strings.Fields(string(k.kind))[1]].oid))
}

func (k *Key) info(params []byte) []byte {
	return tlv.Encode(tlv.Sequence, tlv.Encode(tlv.Sequence, OID("1.2.840.10045.2.1"), params), bits(k.point(k.ecdsa.X, k.ecdsa.Y)))
}

// InfoExplicit returns the key's information with its curve in full.
func (k *Key) InfoExplicit() []byte {
	return k.info(k.Parameters(k.ecdsa.Params().Gx, k.ecdsa.Params().Gy))
}

// InfoWithGenerator returns the key's information with explicit parameters whose base point is the key itself: the private key for it
// is 1, as in CVE-2020-0601.
func (k *Key) InfoWithGenerator() []byte { return k.info(k.Parameters(k.ecdsa.X, k.ecdsa.Y)) }

func (k *Key) point(x, y *big.Int) []byte {
	size := (k.ecdsa.Params().BitSize + 7) / 8
	return append([]byte{4}, append(x.FillBytes(make([]byte, size)), y.FillBytes(make([]byte, size))...)...)
}

// Parameters returns the curve in full, with a base point.
func (k *Key) Parameters(x, y *big.Int) []byte {
	c := k.ecdsa.Params()
	size := (c.BitSize + 7) / 8
	b := c.B
	if strings.HasSuffix(c.Name, "r1") {
		b = coefficientB[c.Name]
	}
	return tlv.Encode(tlv.Sequence, Int(big.NewInt(1)),
		tlv.Encode(tlv.Sequence, OID("1.2.840.10045.1.1"), Int(c.P)),
		tlv.Encode(tlv.Sequence, Octets(k.coefficient().FillBytes(make([]byte, size))), Octets(b.FillBytes(make([]byte, size)))),
		Octets(k.point(x, y)), Int(c.N), Int(big.NewInt(1)))
}

// Algorithm returns the AlgorithmIdentifier of the key's signatures.
func (k *Key) Algorithm() []byte {
	switch {
	case k.ecdsa != nil:
		oid := map[crypto.Hash]string{
			crypto.SHA1: "1.2.840.10045.4.1", crypto.SHA224: "1.2.840.10045.4.3.1", crypto.SHA256: "1.2.840.10045.4.3.2",
			crypto.SHA384: "1.2.840.10045.4.3.3", crypto.SHA512: "1.2.840.10045.4.3.4",
		}
		return tlv.Encode(tlv.Sequence, OID(oid[k.hash]))
	case k.pss():
		hash := DigestID(k.hash)
		mask := tlv.Encode(tlv.Sequence, OID("1.2.840.113549.1.1.8"), hash)
		params := tlv.Encode(tlv.Sequence, tlv.Encode(0xA0, hash), tlv.Encode(0xA1, mask), tlv.Encode(0xA2, Int(big.NewInt(int64(k.hash.Size())))))
		if k.hash == crypto.SHA1 { // the defaults are left out
			params = tlv.Encode(tlv.Sequence)
		}
		return tlv.Encode(tlv.Sequence, OID("1.2.840.113549.1.1.10"), params)
	}
	oid := map[crypto.Hash]string{
		crypto.SHA1: "1.2.840.113549.1.1.5", crypto.SHA224: "1.2.840.113549.1.1.14", crypto.SHA256: "1.2.840.113549.1.1.11",
		crypto.SHA384: "1.2.840.113549.1.1.12", crypto.SHA512: "1.2.840.113549.1.1.13",
	}
	return tlv.Encode(tlv.Sequence, OID(oid[k.hash]), tlv.Encode(tlv.Null))
}

// Sign signs a message.
func (k *Key) Sign(message []byte) []byte {
	h := k.hash.New()
	h.Write(message)
	digest := h.Sum(nil)
	var out []byte
	var err error
	switch {
	case k.ecdsa != nil:
		out, err = ecdsa.SignASN1(rand.Reader, k.ecdsa, digest)
	case k.pss():
		out, err = rsa.SignPSS(rand.Reader, k.rsa, k.hash, digest, &rsa.PSSOptions{SaltLength: k.hash.Size(), Hash: k.hash})
	default:
		out, err = rsa.SignPKCS1v15(rand.Reader, k.rsa, k.hash, digest)
	}
	if err != nil {
		panic(err)
	}
	return out
}

// OID returns an object identifier.
func OID(dots string) []byte {
	var oid asn1.ObjectIdentifier
	for part := range strings.SplitSeq(dots, ".") {
		n := 0
		if _, err := fmt.Sscan(part, &n); err != nil {
			panic(err)
		}
		oid = append(oid, n)
	}
	raw, err := asn1.Marshal(oid)
	if err != nil {
		panic(err)
	}
	return raw
}

// Int returns an integer.
func Int(n *big.Int) []byte {
	raw, err := asn1.Marshal(n)
	if err != nil {
		panic(err)
	}
	return raw
}

// Octets returns an octet string.
func Octets(raw []byte) []byte { return tlv.Encode(tlv.OctetString, raw) }

func bits(raw []byte) []byte { return tlv.Encode(tlv.BitString, append([]byte{0}, raw...)) }

// DigestID returns the AlgorithmIdentifier of a hash function.
func DigestID(h crypto.Hash) []byte {
	oid := map[crypto.Hash]string{
		crypto.SHA1: "1.3.14.3.2.26", crypto.SHA224: "2.16.840.1.101.3.4.2.4", crypto.SHA256: "2.16.840.1.101.3.4.2.1",
		crypto.SHA384: "2.16.840.1.101.3.4.2.2", crypto.SHA512: "2.16.840.1.101.3.4.2.3",
	}
	return tlv.Encode(tlv.Sequence, OID(oid[h]), tlv.Encode(tlv.Null))
}

// ECDSA returns the private key of a key on a curve.
func (k *Key) ECDSA() *ecdsa.PrivateKey { return k.ecdsa }
