package pki

import (
	"crypto/rand"
	"math/big"
	"testing"
)

func TestFieldsComputeAsBigNumbersDo(t *testing.T) {
	for _, c := range named {
		f := newField(c.P)
		below := new(big.Int).Sub(c.P, big.NewInt(1))
		values := []*big.Int{new(big.Int), big.NewInt(1), big.NewInt(2), below, new(big.Int).Rsh(c.P, 1)}
		for range 20 {
			n, err := rand.Int(rand.Reader, c.P)
			if err != nil {
				t.Fatal(err)
			}
			values = append(values, n)
		}
		for _, x := range values {
			for _, y := range values {
				a, b := f.enter(x), f.enter(y)
				for name, op := range map[string]struct {
					fast func(z, x, y *element)
					slow func(z, x, y *big.Int) *big.Int
				}{"+": {f.add, (*big.Int).Add}, "-": {f.sub, (*big.Int).Sub}, "*": {f.mul, (*big.Int).Mul}} {
					var z element
					op.fast(&z, &a, &b)
					want := op.slow(new(big.Int), x, y)
					if got := f.leave(&z); got.Cmp(want.Mod(want, c.P)) != 0 {
						t.Fatalf("%s: %v %s %v: got %v, want %v", c.Name, x, name, y, got, want)
					}
				}
			}
		}
	}
}

// BenchmarkVerify measures one signature on the curves that are not the standard library's.
func BenchmarkVerify(b *testing.B) {
	for _, c := range named {
		if c.standard != nil {
			continue
		}
		b.Run(c.Name, func(b *testing.B) {
			digest := make([]byte, c.Size())
			for i := range digest {
				digest[i] = byte(i)
			}
			r := new(big.Int).Rsh(c.N, 1)
			for b.Loop() {
				c.verify(c.X, c.Y, digest, r, r)
			}
		})
	}
}
