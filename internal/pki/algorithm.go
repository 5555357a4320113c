package pki

import (
	"bytes"
	"crypto"
	_ "crypto/sha1" // old documents are signed over it; verdicts call them weak
	_ "crypto/sha256"
	_ "crypto/sha512"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// AlgorithmID is an AlgorithmIdentifier as received.
type AlgorithmID struct {
	OID    string
	Params tlv.Element // zero where there are none
}

// ParseAlgorithmID reads an AlgorithmIdentifier.
func ParseAlgorithmID(e tlv.Element) (AlgorithmID, error) {
	r := tlv.Read(e, tlv.Sequence)
	oid := r.Take(tlv.ObjectID)
	if r.Err() != nil {
		return AlgorithmID{}, r.Err()
	}
	name, err := oid.OID()
	if err != nil {
		return AlgorithmID{}, err
	}
	a := AlgorithmID{OID: name}
	if r.End() != nil {
		a.Params = r.Any()
	}
	return a, r.End()
}

// same reports whether two identifiers mean the same: absent parameters and NULL do.
func (a AlgorithmID) same(b AlgorithmID) bool {
	return a.OID == b.OID && bytes.Equal(a.params(), b.params())
}

func (a AlgorithmID) params() []byte {
	if a.Params.Tag == tlv.Null {
		return nil
	}
	return a.Params.Raw
}

var digests = map[string]crypto.Hash{
	"1.3.14.3.2.26":          crypto.SHA1,
	"2.16.840.1.101.3.4.2.4": crypto.SHA224,
	"2.16.840.1.101.3.4.2.1": crypto.SHA256,
	"2.16.840.1.101.3.4.2.2": crypto.SHA384,
	"2.16.840.1.101.3.4.2.3": crypto.SHA512,
}

// Digest returns the hash function that the identifier names.
func (a AlgorithmID) Digest() (crypto.Hash, error) {
	if h, ok := digests[a.OID]; ok {
		return h, nil
	}
	return 0, refusal.New(UnknownAlgorithm, "digest algorithm %s is not accepted", a.OID)
}

// Scheme is a way to sign.
type Scheme string

// The schemes that are verified.
const (
	PKCS1 Scheme = "RSA PKCS#1 v1.5"
	PSS   Scheme = "RSA-PSS"
	ECDSA Scheme = "ECDSA"
	Plain Scheme = "ECDSA plain" // r and s side by side (BSI TR-03111 section 5.2.1)
)

// Algorithm is a scheme with its hash functions.
type Algorithm struct {
	Scheme Scheme
	Hash   crypto.Hash
	Mask   crypto.Hash // PSS: hash of the mask generation function
	Salt   int         // PSS: length of the salt in bytes
}

// String implements fmt.Stringer: "ECDSA with SHA-256".
func (a Algorithm) String() string { return string(a.Scheme) + " with " + a.Hash.String() }

const (
	oidRSA        = "1.2.840.113549.1.1.1"
	oidPSS        = "1.2.840.113549.1.1.10"
	oidMGF1       = "1.2.840.113549.1.1.8"
	oidECKey      = "1.2.840.10045.2.1"
	oidPrimeField = "1.2.840.10045.1.1"
)

var algorithms = map[string]Algorithm{
	"1.2.840.113549.1.1.5":  {Scheme: PKCS1, Hash: crypto.SHA1},
	"1.2.840.113549.1.1.14": {Scheme: PKCS1, Hash: crypto.SHA224},
	"1.2.840.113549.1.1.11": {Scheme: PKCS1, Hash: crypto.SHA256},
	"1.2.840.113549.1.1.12": {Scheme: PKCS1, Hash: crypto.SHA384},
	"1.2.840.113549.1.1.13": {Scheme: PKCS1, Hash: crypto.SHA512},
	"1.2.840.10045.4.1":     {Scheme: ECDSA, Hash: crypto.SHA1},
	"1.2.840.10045.4.3.1":   {Scheme: ECDSA, Hash: crypto.SHA224},
	"1.2.840.10045.4.3.2":   {Scheme: ECDSA, Hash: crypto.SHA256},
	"1.2.840.10045.4.3.3":   {Scheme: ECDSA, Hash: crypto.SHA384},
	"1.2.840.10045.4.3.4":   {Scheme: ECDSA, Hash: crypto.SHA512},

	"0.4.0.127.0.7.1.1.4.1.1": {Scheme: Plain, Hash: crypto.SHA1},
	"0.4.0.127.0.7.1.1.4.1.2": {Scheme: Plain, Hash: crypto.SHA224},
	"0.4.0.127.0.7.1.1.4.1.3": {Scheme: Plain, Hash: crypto.SHA256},
	"0.4.0.127.0.7.1.1.4.1.4": {Scheme: Plain, Hash: crypto.SHA384},
	"0.4.0.127.0.7.1.1.4.1.5": {Scheme: Plain, Hash: crypto.SHA512},
}

// Signature returns the signature algorithm that the identifier names. Where it names only a kind of key, as in some SignerInfos, the
// hash is the given digest; 0 if there is none.
func (a AlgorithmID) Signature(digest crypto.Hash) (Algorithm, error) {
	switch alg, known := algorithms[a.OID]; {
	case known:
		return alg, nil
	case a.OID == oidPSS:
		return a.pss()
	case a.OID == oidRSA && digest != 0:
		return Algorithm{Scheme: PKCS1, Hash: digest}, nil
	case a.OID == oidECKey && digest != 0:
		return Algorithm{Scheme: ECDSA, Hash: digest}, nil
	}
	return Algorithm{}, refusal.New(UnknownAlgorithm, "signature algorithm %s is not accepted", a.OID)
}

// pss reads RSASSA-PSS-params (RFC 4055 section 3.1), whose defaults are SHA-1 and a salt of 20 bytes.
func (a AlgorithmID) pss() (Algorithm, error) {
	alg := Algorithm{Scheme: PSS, Hash: crypto.SHA1, Mask: crypto.SHA1, Salt: 20}
	if a.Params.Tag == 0 || a.Params.Tag == tlv.Null {
		return alg, nil
	}
	r := tlv.Read(a.Params, tlv.Sequence)
	var err error
	if e, ok := r.Maybe(0xA0); ok {
		if alg.Hash, err = innerDigest(e.Content); err != nil {
			return alg, err
		}
	}
	if e, ok := r.Maybe(0xA1); ok {
		if alg.Mask, err = maskDigest(e.Content); err != nil {
			return alg, err
		}
	}
	trailer := 1
	if e, ok := r.Maybe(0xA2); ok {
		if err := small(e.Content, &alg.Salt); err != nil {
			return alg, err
		}
	}
	if e, ok := r.Maybe(0xA3); ok {
		if err := small(e.Content, &trailer); err != nil {
			return alg, err
		}
	}
	if trailer != 1 || alg.Salt > 64 {
		return alg, refusal.New(UnknownAlgorithm, "RSA-PSS with trailer %d and a salt of %d bytes is not accepted", trailer, alg.Salt)
	}
	return alg, r.End()
}

func small(raw []byte, into *int) error {
	e, err := tlv.Parse(raw)
	if err == nil {
		*into, err = e.Small()
	}
	return err
}

func innerDigest(raw []byte) (crypto.Hash, error) {
	e, err := tlv.Parse(raw)
	if err != nil {
		return 0, err
	}
	id, err := ParseAlgorithmID(e)
	if err != nil {
		return 0, err
	}
	return id.Digest()
}

func maskDigest(raw []byte) (crypto.Hash, error) {
	e, err := tlv.Parse(raw)
	if err != nil {
		return 0, err
	}
	id, err := ParseAlgorithmID(e)
	if err != nil {
		return 0, err
	}
	if id.OID != oidMGF1 {
		return 0, refusal.New(UnknownAlgorithm, "mask generation %s is not accepted", id.OID)
	}
	return innerDigest(id.Params.Raw)
}

// Weaknesses returns what makes a signature by the key less than today's standards ask for; nothing if it is sound.
func Weaknesses(a Algorithm, key *PublicKey) []string {
	var out []string
	if a.Hash == crypto.SHA1 {
		out = append(out, "SHA-1")
	}
	switch {
	case key.RSA != nil && key.RSA.N.BitLen() < 2048:
		out = append(out, "RSA of "+strconv.Itoa(key.RSA.N.BitLen())+" bits")
	case key.Curve != nil && key.Curve.N.BitLen() < 224:
		out = append(out, key.Curve.Name)
	}
	return out
}
