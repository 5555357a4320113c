package pki

import (
	"crypto/rand"
	"fmt"
	"io"
	"math/big"

	"github.com/bonafide-id/bonafide/internal/refusal"
)

// CurveNamed returns the curve of a name, "P-256" or "brainpoolP256r1". UnknownCurve if there is none.
func CurveNamed(name string) (*Curve, error) {
	for _, c := range named {
		if c.Name == name {
			return c, nil
		}
	}
	return nil, refusal.New(UnknownCurve, "this curve is not accepted")
}

// Base returns the base point.
func (c *Curve) Base() *PublicKey { return &PublicKey{Curve: c, X: c.X, Y: c.Y} }

// Secret draws a private key from a source of randomness: a number from 1 to below the order.
func (c *Curve) Secret(random io.Reader) (*big.Int, error) {
	for {
		k, err := rand.Int(random, c.N)
		if err != nil {
			return nil, fmt.Errorf("draw a private key: %w", err)
		}
		if k.Sign() > 0 {
			return k, nil
		}
	}
}

// Point reads an encoded point of the curve (SEC 1 section 2.3.4). PointOffCurve if it is none.
func (c *Curve) Point(raw []byte) (*PublicKey, error) {
	x, y, err := c.point(raw)
	if err != nil {
		return nil, err
	}
	return &PublicKey{Curve: c, X: x, Y: y}, nil
}

// Times returns the multiple of a point by a number below the order. PointOffCurve at infinity. The time it takes depends on the number:
// it is for secrets that are used once.
func (k *PublicKey) Times(n *big.Int) (*PublicKey, error) {
	g := k.Curve.group()
	multiples := g.table(k.X, k.Y)
	var sum jacobian
	for i := (k.Curve.N.BitLen()+3)/4 - 1; i >= 0; i-- {
		for range 4 {
			g.double(&sum)
		}
		g.plus(&sum, &multiples[nibble(n, i)])
	}
	return k.Curve.leave(g, &sum)
}

// Plus returns the sum of two points of one curve. PointOffCurve at infinity.
func (k *PublicKey) Plus(o *PublicKey) (*PublicKey, error) {
	g := k.Curve.group()
	sum := jacobian{g.enter(k.X), g.enter(k.Y), g.enter(big.NewInt(1))}
	other := jacobian{g.enter(o.X), g.enter(o.Y), g.enter(big.NewInt(1))}
	g.plus(&sum, &other)
	return k.Curve.leave(g, &sum)
}

// Coordinate returns the first coordinate of the point, with its leading zeros: the secret that two sides of an agreement share (BSI
// TR-03111 section 3.1.3, FE2OS).
func (k *PublicKey) Coordinate() []byte { return k.X.FillBytes(make([]byte, k.Curve.Size())) }

func (c *Curve) group() *group {
	c.once.Do(c.prepare)
	return &group{c.field, c.field.enter(c.A)}
}

// leave returns the point in coordinates of its own.
func (c *Curve) leave(g *group, p *jacobian) (*PublicKey, error) {
	if p.z == (element{}) {
		return nil, refusal.New(PointOffCurve, "the agreement leads to infinity")
	}
	z := new(big.Int).ModInverse(g.leave(&p.z), c.P)
	square := new(big.Int).Mul(z, z)
	x := new(big.Int).Mul(g.leave(&p.x), square)
	y := square.Mul(square, z)
	y.Mul(y, g.leave(&p.y))
	return &PublicKey{Curve: c, X: x.Mod(x, c.P), Y: y.Mod(y, c.P)}, nil
}
