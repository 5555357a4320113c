package pki

import (
	"crypto/ecdsa"
	"crypto/rsa"
	"math/big"
	"strconv"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// PublicKey is an RSA key or a point of a named curve.
type PublicKey struct {
	RSA   *rsa.PublicKey
	Curve *Curve
	X, Y  *big.Int // the point; on the curve
}

// String implements fmt.Stringer: "RSA 4096", "brainpoolP256r1".
func (k *PublicKey) String() string {
	if k.RSA != nil {
		return "RSA " + strconv.Itoa(k.RSA.N.BitLen())
	}
	return k.Curve.Name
}

// Equal reports whether two keys are the same, however they are encoded.
func (k *PublicKey) Equal(o *PublicKey) bool {
	if k.RSA != nil || o.RSA != nil {
		return k.RSA != nil && o.RSA != nil && k.RSA.Equal(o.RSA)
	}
	return k.Curve == o.Curve && k.X.Cmp(o.X) == 0 && k.Y.Cmp(o.Y) == 0
}

// ParsePublicKey reads a SubjectPublicKeyInfo.
func ParsePublicKey(e tlv.Element) (*PublicKey, error) {
	r := tlv.Read(e, tlv.Sequence)
	alg, bits := r.Take(tlv.Sequence), r.Take(tlv.BitString)
	if err := r.End(); err != nil {
		return nil, err
	}
	id, err := ParseAlgorithmID(alg)
	if err != nil {
		return nil, err
	}
	raw, unused, err := bits.Bits()
	if err != nil {
		return nil, err
	}
	if unused != 0 {
		return nil, refusal.New(tlv.Malformed, "public key that ends within a byte")
	}
	switch id.OID {
	case oidRSA, oidPSS:
		return parseRSA(raw)
	case oidECKey:
		c, err := curveOf(id.Params)
		if err != nil {
			return nil, err
		}
		x, y, err := c.point(raw)
		return &PublicKey{Curve: c, X: x, Y: y}, err
	}
	return nil, refusal.New(UnsupportedKey, "keys of kind %s are not accepted", id.OID)
}

// ParsePoint reads an encoded point (SEC 1 section 2.3.4) of the curve of that name, "P-256" or "brainpoolP256r1".
func ParsePoint(curve string, raw []byte) (*PublicKey, error) {
	c, err := CurveNamed(curve)
	if err != nil {
		return nil, err
	}
	return c.Point(raw)
}

// Point returns the point of a key on a curve, uncompressed.
func (k *PublicKey) Point() []byte {
	size := k.Curve.Size()
	out := append([]byte{4}, make([]byte, 2*size)...)
	k.X.FillBytes(out[1 : 1+size])
	k.Y.FillBytes(out[1+size:])
	return out
}

// maxModulus is the largest RSA modulus that is computed with, in bits.
const maxModulus = 8192

func parseRSA(raw []byte) (*PublicKey, error) {
	e, err := tlv.Parse(raw)
	if err != nil {
		return nil, err
	}
	r := tlv.Read(e, tlv.Sequence)
	n, exp := r.Take(tlv.Integer), r.Take(tlv.Integer)
	if err := r.End(); err != nil {
		return nil, err
	}
	modulus := new(big.Int).SetBytes(n.Content) // some write it without the leading zero
	exponent, err := exp.Int()
	if err != nil {
		return nil, err
	}
	if modulus.BitLen() < 1024 || modulus.BitLen() > maxModulus || modulus.Bit(0) == 0 {
		return nil, refusal.New(UnsupportedKey, "RSA modulus of %d bits is not accepted", modulus.BitLen())
	}
	if !exponent.IsInt64() || exponent.Int64() < 3 || exponent.Int64() > 1<<31-1 || exponent.Bit(0) == 0 {
		return nil, refusal.New(UnsupportedKey, "RSA exponent is not accepted")
	}
	return &PublicKey{RSA: &rsa.PublicKey{N: modulus, E: int(exponent.Int64())}}, nil
}

// Verify checks the signature of a message. The error is a refusal: UnknownAlgorithm, KeyMismatch or InvalidSignature.
func (k *PublicKey) Verify(a Algorithm, message, signature []byte) error {
	if (k.RSA != nil) != (a.Scheme == PKCS1 || a.Scheme == PSS) {
		return refusal.New(KeyMismatch, "%s cannot be verified with a key of kind %s", a, k)
	}
	h := a.Hash.New()
	h.Write(message)
	digest := h.Sum(nil)
	var ok bool
	switch a.Scheme {
	case PKCS1:
		ok = rsa.VerifyPKCS1v15(k.RSA, a.Hash, digest, signature) == nil
	case PSS:
		if a.Mask != a.Hash {
			return refusal.New(UnknownAlgorithm, "RSA-PSS with %s and a mask of %s is not accepted", a.Hash, a.Mask)
		}
		ok = rsa.VerifyPSS(k.RSA, a.Hash, digest, signature, &rsa.PSSOptions{SaltLength: a.Salt, Hash: a.Hash}) == nil
	case ECDSA, Plain:
		r, s, err := k.halves(a.Scheme, signature)
		if err != nil {
			return err
		}
		ok = k.verifyECDSA(digest, r, s)
	}
	if !ok {
		return refusal.New(InvalidSignature, "the key (%s) did not make this signature (%s)", k, a)
	}
	return nil
}

// halves reads the two numbers of an ECDSA signature.
func (k *PublicKey) halves(s Scheme, signature []byte) (*big.Int, *big.Int, error) {
	if s == Plain {
		size := (k.Curve.N.BitLen() + 7) / 8
		if len(signature) != 2*size {
			return nil, nil, refusal.New(InvalidSignature, "signature of %d bytes, %s makes %d", len(signature), k, 2*size)
		}
		return new(big.Int).SetBytes(signature[:size]), new(big.Int).SetBytes(signature[size:]), nil
	}
	broken := refusal.New(InvalidSignature, "the signature is not encoded as ECDSA asks")
	e, err := tlv.Parse(signature)
	if err != nil {
		return nil, nil, broken
	}
	r := tlv.Read(e, tlv.Sequence)
	a, b := r.Take(tlv.Integer), r.Take(tlv.Integer)
	if r.End() != nil {
		return nil, nil, broken
	}
	first, errA := a.Int()
	second, errB := b.Int()
	if errA != nil || errB != nil {
		return nil, nil, broken
	}
	return first, second, nil
}

func (k *PublicKey) verifyECDSA(digest []byte, r, s *big.Int) bool {
	if k.Curve.standard == nil {
		return k.Curve.verify(k.X, k.Y, digest, r, s)
	}
	key, err := ecdsa.ParseUncompressedPublicKey(k.Curve.standard, k.Point())
	return err == nil && ecdsa.Verify(key, digest, r, s)
}
