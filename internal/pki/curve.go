package pki

import (
	"crypto/elliptic"
	"math/big"
	"sync"

	"github.com/bonafide-id/bonafide/internal/refusal"
	"github.com/bonafide-id/bonafide/internal/tlv"
)

// Curve is a named curve y² = x³ + ax + b over the prime field of p, with a base point of order n and cofactor 1.
type Curve struct {
	Name             string
	OID              string
	P, A, B, X, Y, N *big.Int

	standard elliptic.Curve // where the standard library verifies
	once     sync.Once
	field    *field // from the first verification on
	base     *table // multiples of the base point, likewise
}

func curve(name, oid, p, a, b, x, y, n string) *Curve {
	hex := func(s string) *big.Int {
		v, ok := new(big.Int).SetString(s, 16)
		if !ok {
			panic("pki: curve " + name + " is not written in hexadecimal")
		}
		return v
	}
	c := &Curve{Name: name, OID: oid, P: hex(p), A: hex(a), B: hex(b), X: hex(x), Y: hex(y), N: hex(n)}
	for _, s := range []elliptic.Curve{elliptic.P224(), elliptic.P256(), elliptic.P384(), elliptic.P521()} {
		if s.Params().Name == name {
			c.standard = s
		}
	}
	return c
}

// Size returns the length of a coordinate in bytes.
func (c *Curve) Size() int { return (c.P.BitLen() + 7) / 8 }

// contains reports whether the point is on the curve.
func (c *Curve) contains(x, y *big.Int) bool {
	if x.Sign() < 0 || y.Sign() < 0 || x.Cmp(c.P) >= 0 || y.Cmp(c.P) >= 0 {
		return false
	}
	left := new(big.Int).Mul(y, y)
	return left.Mod(left, c.P).Cmp(c.right(x)) == 0
}

// right returns x³ + ax + b.
func (c *Curve) right(x *big.Int) *big.Int {
	v := new(big.Int).Mul(x, x)
	v.Add(v, c.A)
	v.Mul(v, x)
	v.Add(v, c.B)
	return v.Mod(v, c.P)
}

// point reads an encoded point, compressed or not (SEC 1 section 2.3.4).
func (c *Curve) point(raw []byte) (x, y *big.Int, err error) {
	off := refusal.New(PointOffCurve, "the point is none of %s", c.Name)
	size := c.Size()
	switch {
	case len(raw) == 1+2*size && raw[0] == 4:
		x, y = new(big.Int).SetBytes(raw[1:1+size]), new(big.Int).SetBytes(raw[1+size:])
	case len(raw) == 1+size && (raw[0] == 2 || raw[0] == 3):
		x = new(big.Int).SetBytes(raw[1:])
		if y = new(big.Int).ModSqrt(c.right(x), c.P); y == nil {
			return nil, nil, off
		}
		if y.Bit(0) != uint(raw[0]&1) {
			y.Sub(c.P, y)
		}
	default:
		return nil, nil, off
	}
	if !c.contains(x, y) {
		return nil, nil, off
	}
	return x, y, nil
}

// curveOf reads ECParameters: a name, or explicit values that a named curve must have.
func curveOf(params tlv.Element) (*Curve, error) {
	switch params.Tag {
	case tlv.ObjectID:
		oid, err := params.OID()
		if err != nil {
			return nil, err
		}
		for _, c := range named {
			if c.OID == oid {
				return c, nil
			}
		}
		return nil, refusal.New(UnknownCurve, "curve %s is not accepted", oid)
	case tlv.Sequence:
		return explicitCurve(params)
	}
	return nil, refusal.New(UnknownCurve, "the key does not say its curve")
}

// explicitCurve finds the named curve that has the explicit parameters: prime, both coefficients, base point, order and, where it is
// given, cofactor. Comparing fewer of them would let somebody choose a base point for which they know a private key.
func explicitCurve(params tlv.Element) (*Curve, error) {
	r := tlv.Read(params, tlv.Sequence)
	r.Take(tlv.Integer)
	field := tlv.Read(r.Take(tlv.Sequence), tlv.Sequence)
	kind, prime := field.Take(tlv.ObjectID), field.Any()
	coefficients := tlv.Read(r.Take(tlv.Sequence), tlv.Sequence)
	a, b := coefficients.Take(tlv.OctetString), coefficients.Take(tlv.OctetString)
	base, order := r.Take(tlv.OctetString), r.Take(tlv.Integer)
	cofactor, given := r.Maybe(tlv.Integer)
	for _, r := range []*tlv.Reader{r, field, coefficients} {
		if r.Err() != nil {
			return nil, r.Err()
		}
	}
	if oid, err := kind.OID(); err != nil || oid != oidPrimeField {
		return nil, refusal.New(UnknownCurve, "the curve is over no prime field")
	}
	if given && new(big.Int).SetBytes(cofactor.Content).Cmp(big.NewInt(1)) != 0 {
		return nil, refusal.New(UnknownCurve, "explicit parameters have another cofactor than 1")
	}
	for _, c := range named {
		if c.is(prime.Content, a.Content, b.Content, base.Content, order.Content) {
			return c, nil
		}
	}
	return nil, refusal.New(UnknownCurve, "explicit parameters are those of no named curve")
}

func (c *Curve) is(p, a, b, base, n []byte) bool {
	same := func(want *big.Int, raw []byte) bool { return new(big.Int).SetBytes(raw).Cmp(want) == 0 }
	if !same(c.P, p) || !same(c.A, a) || !same(c.B, b) || !same(c.N, n) {
		return false
	}
	x, y, err := c.point(base)
	return err == nil && x.Cmp(c.X) == 0 && y.Cmp(c.Y) == 0
}
