package pki

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"math/big"
	"time"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Certificate is an X.509 certificate as received.
type Certificate struct {
	Raw                 []byte
	Serial              *big.Int // negative in some
	Issuer              Name
	Subject             Name
	NotBefore, NotAfter time.Time
	Extensions

	// Key is the public key; nil where KeyFault says why it cannot be used.
	Key      *PublicKey
	KeyFault error
	KeyInfo  []byte // the key as it is encoded (SubjectPublicKeyInfo)

	signed
}

// signed is what certificates and revocation lists have in common: a part that is signed, and the signature.
type signed struct {
	tbs          []byte
	inner, outer AlgorithmID
	signature    []byte
}

// openSigned reads the three parts of a signed structure and returns the first one.
func openSigned(e tlv.Element) (tlv.Element, signed, error) {
	r := tlv.Read(e, tlv.Sequence)
	tbs, alg, bits := r.Take(tlv.Sequence), r.Take(tlv.Sequence), r.Take(tlv.BitString)
	if err := r.End(); err != nil {
		return tbs, signed{}, err
	}
	outer, err := ParseAlgorithmID(alg)
	if err != nil {
		return tbs, signed{}, err
	}
	signature, unused, err := bits.Bits()
	if err == nil && unused != 0 {
		err = refusal.New(tlv.Malformed, "signature that ends within a byte")
	}
	return tbs, signed{tbs: tbs.Raw, outer: outer, signature: signature}, err
}

// Algorithm returns the algorithm of the signature. It is the one that is signed along; where another one stands outside, it is
// refused as AlgorithmMismatch.
func (s signed) Algorithm() (Algorithm, error) {
	if !s.inner.same(s.outer) {
		return Algorithm{}, refusal.New(AlgorithmMismatch, "the signed algorithm is %s, the one outside %s", s.inner.OID, s.outer.OID)
	}
	return s.inner.Signature(0)
}

// CheckSignature checks that the key of the issuer made the signature. It checks nothing else.
func (s signed) CheckSignature(issuer *Certificate) error {
	alg, err := s.Algorithm()
	if err != nil {
		return err
	}
	if issuer.Key == nil {
		return issuer.KeyFault
	}
	return issuer.Key.Verify(alg, s.tbs, s.signature)
}

// ParseCertificate reads one certificate in DER or BER. Extensions, keys and algorithms that are not understood are no error: they
// refuse where they are needed.
func ParseCertificate(raw []byte) (*Certificate, error) {
	e, err := tlv.Parse(raw)
	if err != nil {
		return nil, err
	}
	tbs, s, err := openSigned(e)
	if err != nil {
		return nil, err
	}
	c := &Certificate{Raw: e.Raw, signed: s, Extensions: Extensions{PathLen: -1}}
	r := tlv.Read(tbs, tlv.Sequence)
	r.Maybe(0xA0) // version
	serial, alg, issuer, validity := r.Take(tlv.Integer), r.Take(tlv.Sequence), r.Take(tlv.Sequence), r.Take(tlv.Sequence)
	subject, key := r.Take(tlv.Sequence), r.Take(tlv.Sequence)
	for _, unique := range []tlv.Tag{0x81, 0xA1, 0x82, 0xA2} {
		r.Maybe(unique)
	}
	extensions, extended := r.Maybe(0xA3)
	if err := r.End(); err != nil {
		return nil, err
	}
	if c.Serial, err = serial.Int(); err != nil {
		return nil, err
	}
	if c.inner, err = ParseAlgorithmID(alg); err != nil {
		return nil, err
	}
	if err := c.identify(issuer, validity, subject); err != nil {
		return nil, err
	}
	c.KeyInfo = key.Raw
	c.Key, c.KeyFault = ParsePublicKey(key)
	if c.KeyFault != nil {
		c.Key = nil
	}
	if extended {
		return c, c.Extensions.parse(extensions)
	}
	return c, nil
}

func (c *Certificate) identify(issuer, validity, subject tlv.Element) (err error) {
	if c.Issuer, err = ParseName(issuer); err != nil {
		return err
	}
	if c.Subject, err = ParseName(subject); err != nil {
		return err
	}
	r := tlv.Read(validity, tlv.Sequence)
	from, to := r.Any(), r.Any()
	if err := r.End(); err != nil {
		return err
	}
	if c.NotBefore, err = from.Time(); err != nil {
		return err
	}
	c.NotAfter, err = to.Time()
	return err
}

// Fingerprint returns the SHA-256 of the certificate in hexadecimal.
func (c *Certificate) Fingerprint() string {
	sum := sha256.Sum256(c.Raw)
	return hex.EncodeToString(sum[:])
}

// ValidAt reports whether the moment is within the certificate's validity.
func (c *Certificate) ValidAt(t time.Time) bool {
	return !t.Before(c.NotBefore) && !t.After(c.NotAfter)
}

// SignsAt reports whether the moment is within the use of the private key; a limit that is not stated is none.
func (c *Certificate) SignsAt(t time.Time) bool {
	return (c.KeyFrom.IsZero() || !t.Before(c.KeyFrom)) && (c.KeyTo.IsZero() || !t.After(c.KeyTo))
}

// Names reports whether the certificate may be one that the other one issued: by name and, where both state it, by key identifier.
// The signature is not checked.
func (c *Certificate) Names(issuer *Certificate) bool {
	if len(c.AuthorityKeyID) > 0 && len(issuer.SubjectKeyID) > 0 && !bytes.Equal(c.AuthorityKeyID, issuer.SubjectKeyID) {
		return false
	}
	return c.Issuer.Equal(issuer.Subject)
}

// SelfIssued reports whether the certificate names its own key as its issuer's. A link certificate has the same names and another key,
// and does not.
func (c *Certificate) SelfIssued() bool {
	if !c.Names(c) {
		return false
	}
	if len(c.AuthorityKeyID) > 0 && len(c.SubjectKeyID) > 0 {
		return true
	}
	return c.CheckSignature(c) == nil
}
