//nolint:staticcheck // no other arithmetic on these points can be had
package pki

import (
	"crypto/ecdh"
	"crypto/elliptic"
	"crypto/rand"
	"math/big"
	"slices"
	"testing"

	"github.com/ProtonMail/go-crypto/brainpool"
)

// others are curves by somebody else's arithmetic.
var others = map[string]elliptic.Curve{
	"P-224": elliptic.P224(), "P-256": elliptic.P256(), "P-384": elliptic.P384(), "P-521": elliptic.P521(),
	"brainpoolP256r1": brainpool.P256r1(), "brainpoolP384r1": brainpool.P384r1(), "brainpoolP512r1": brainpool.P512r1(),
}

func TestPointsAreMultipliedAndAddedAsByOthers(t *testing.T) {
	t.Parallel()
	for name, other := range others {
		c, err := CurveNamed(name)
		if err != nil {
			t.Fatal(err)
		}
		for range 8 {
			a, errA := c.Secret(rand.Reader)
			b, errB := c.Secret(rand.Reader)
			if errA != nil || errB != nil {
				t.Fatal(errA, errB)
			}
			p, errP := c.Base().Times(a)
			q, errQ := p.Times(b)
			sum, errSum := p.Plus(q)
			twice, errTwice := p.Plus(p)
			if errP != nil || errQ != nil || errSum != nil || errTwice != nil {
				t.Fatal(errP, errQ, errSum, errTwice)
			}
			px, py := other.ScalarBaseMult(a.Bytes())
			qx, qy := other.ScalarMult(px, py, b.Bytes())
			sx, sy := other.Add(px, py, qx, qy)
			dx, dy := other.Double(px, py)
			for what, pair := range map[string][2]*big.Int{
				"x of a multiple": {q.X, qx}, "y of a multiple": {q.Y, qy}, "x of a sum": {sum.X, sx}, "y of a sum": {sum.Y, sy},
				"x of a double": {twice.X, dx}, "y of a double": {twice.Y, dy},
			} {
				if pair[0].Cmp(pair[1]) != 0 {
					t.Errorf("%s: %s differs", name, what)
				}
			}
		}
	}
}

func TestAnAgreementKeepsItsLeadingZeros(t *testing.T) {
	t.Parallel()
	c, err := CurveNamed("P-256")
	if err != nil {
		t.Fatal(err)
	}
	own, err := ecdh.P256().GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	for range 1_000_000 { // one of 256 begins with a zero
		peer, err := ecdh.P256().GenerateKey(rand.Reader)
		if err != nil {
			t.Fatal(err)
		}
		want, err := own.ECDH(peer.PublicKey())
		if err != nil {
			t.Fatal(err)
		}
		if want[0] != 0 {
			continue
		}
		point, err := c.Point(peer.PublicKey().Bytes())
		if err != nil {
			t.Fatal(err)
		}
		shared, err := point.Times(new(big.Int).SetBytes(own.Bytes()))
		if err != nil || !slices.Equal(shared.Coordinate(), want) {
			t.Fatalf("%x, %v, want %x", shared.Coordinate(), err, want)
		}
		return
	}
	t.Fatal("no secret begins with a zero")
}

func TestWhatIsNoAgreementIsRefused(t *testing.T) {
	t.Parallel()
	c, err := CurveNamed("brainpoolP256r1")
	if err != nil {
		t.Fatal(err)
	}
	p, err := c.Base().Times(big.NewInt(7))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := p.Plus(&PublicKey{Curve: c, X: p.X, Y: new(big.Int).Sub(c.P, p.Y)}); err == nil {
		t.Error("a point and its opposite have a sum")
	}
	if _, err := p.Times(new(big.Int)); err == nil {
		t.Error("no times a point is a point")
	}
	raw := p.Point()
	raw[40] ^= 1
	if _, err := c.Point(raw); err == nil {
		t.Error("a point off the curve is taken")
	}
	if _, err := CurveNamed("P-25519"); err == nil {
		t.Error("a curve of no name is known")
	}
}
