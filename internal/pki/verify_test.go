package pki

import (
	"crypto"
	"crypto/sha256"
	"math/big"
	"testing"
)

// chosen returns a signature over a digest of our choice, made with schoolbook arithmetic by the private key d.
func (c *Curve) chosen(d, r, k, e *big.Int) (s *big.Int) {
	s = new(big.Int).Mul(r, d)
	s.Add(s, e).Mul(s, new(big.Int).ModInverse(k, c.N))
	return s.Mod(s, c.N)
}

// TestPointsThatMeetWhileVerifying takes the base point itself and its opposite as keys: on the way both sums are the same point, or add
// up to infinity.
func TestPointsThatMeetWhileVerifying(t *testing.T) {
	for _, c := range named {
		if c.standard != nil {
			continue
		}
		k := new(big.Int).Rsh(c.N, 20) // for the opposite key this is the difference of the factors: both begin alike
		base := &plainPoint{c.X, c.Y}
		r := new(big.Int).Mod(c.plainTimes(k, base).x, c.N)
		size := (c.N.BitLen() + 7) / 8
		digest := func(e *big.Int) []byte {
			return new(big.Int).Lsh(e, uint(size*8-c.N.BitLen())).FillBytes(make([]byte, size))
		}
		one := big.NewInt(1)
		if !c.verify(c.X, c.Y, digest(r), r, c.chosen(one, r, k, r)) {
			t.Errorf("%s: the base point as key", c.Name)
		}
		opposite, minus := new(big.Int).Sub(c.P, c.Y), new(big.Int).Sub(c.N, one)
		for i := range int64(3) {
			e := new(big.Int).Sub(r, big.NewInt(i+1))
			if !c.verify(c.X, opposite, digest(e), r, c.chosen(minus, r, k, e)) {
				t.Errorf("%s: the opposite of the base point as key", c.Name)
			}
		}
		if c.verify(c.X, opposite, digest(r), r, r) {
			t.Errorf("%s: a sum at infinity is accepted", c.Name)
		}
	}
}

func TestSignaturesHaveOneForm(t *testing.T) {
	c := named[0]
	d, k := big.NewInt(12345), big.NewInt(67890)
	base := &plainPoint{c.X, c.Y}
	key := c.plainTimes(d, base)
	r := new(big.Int).Mod(c.plainTimes(k, base).x, c.N)
	message := []byte("what is signed")
	digest := sha256.Sum256(message)
	e := new(big.Int).Rsh(new(big.Int).SetBytes(digest[:]), uint(256-c.N.BitLen()))
	s := c.chosen(d, r, k, e)
	if !c.verify(key.x, key.y, digest[:], r, s) {
		t.Fatal("a sound signature is refused")
	}
	minus := func(n *big.Int) *big.Int { return new(big.Int).Sub(n, c.N) }
	plus := func(n *big.Int) *big.Int { return new(big.Int).Add(n, c.N) }
	for name, pair := range map[string][2]*big.Int{"s + n": {r, plus(s)}, "s - n": {r, minus(s)}, "r - n": {minus(r), s}, "r is n": {c.N, s}, "s is n": {r, c.N}} {
		if c.verify(key.x, key.y, digest[:], pair[0], pair[1]) {
			t.Errorf("%s is accepted", name)
		}
	}
	public := &PublicKey{Curve: c, X: key.x, Y: key.y}
	size := (c.N.BitLen() + 7) / 8
	plain := append(r.FillBytes(make([]byte, size)), s.FillBytes(make([]byte, size))...)
	for name, v := range map[string]struct {
		raw  []byte
		want bool
	}{"as it must be": {plain, true}, "a byte more": {append(plain[:len(plain):len(plain)], 0), false}, "a byte less": {plain[:len(plain)-1], false}} {
		err := public.Verify(Algorithm{Scheme: Plain, Hash: crypto.SHA256}, message, v.raw)
		if (err == nil) != v.want {
			t.Errorf("plain, %s: %v", name, err)
		}
	}
}
