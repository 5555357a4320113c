package pki

import (
	"math/big"
	"math/bits"
)

// maxLimbs is enough for 521 bits.
const maxLimbs = 9

// element is a number below the prime of a field, least limb first, times R modulo the prime (Montgomery's form), where R is 2 to the
// power of the bits of all limbs.
type element [maxLimbs]uint64

// field computes modulo an odd prime.
type field struct {
	limbs   int
	prime   element
	inverse uint64  // -1/prime modulo 2^64
	square  element // R² modulo the prime
}

func newField(prime *big.Int) *field {
	f := &field{limbs: (prime.BitLen() + 63) / 64}
	f.prime = f.split(prime)
	f.inverse = 1
	for range 6 { // each step doubles the bits that are right
		f.inverse *= 2 - f.prime[0]*f.inverse
	}
	f.inverse = -f.inverse
	r := new(big.Int).Lsh(big.NewInt(1), uint(128*f.limbs))
	f.square = f.split(r.Mod(r, prime))
	return f
}

func (f *field) split(n *big.Int) element {
	var e element
	raw := n.FillBytes(make([]byte, 8*f.limbs))
	for i, b := range raw {
		at := len(raw) - 1 - i
		e[at/8] |= uint64(b) << (8 * (at % 8))
	}
	return e
}

// enter returns a number in Montgomery's form.
func (f *field) enter(n *big.Int) element {
	e := f.split(n)
	f.mul(&e, &e, &f.square)
	return e
}

// leave returns the number itself.
func (f *field) leave(e *element) *big.Int {
	var out element
	f.mul(&out, e, &element{1})
	raw := make([]byte, 8*f.limbs)
	for i := range raw {
		at := len(raw) - 1 - i
		raw[i] = byte(out[at/8] >> (8 * (at % 8)))
	}
	return new(big.Int).SetBytes(raw)
}

// mul sets z to xy/R (Montgomery multiplication, operands scanned coarsely).
func (f *field) mul(z, x, y *element) {
	var t [maxLimbs + 2]uint64
	n := f.limbs
	for i := range n {
		var c, carry uint64
		for j := range n {
			c, t[j] = accumulate(x[j], y[i], t[j], c)
		}
		t[n], carry = bits.Add64(t[n], c, 0)
		t[n+1] = carry
		m := t[0] * f.inverse
		c, _ = accumulate(m, f.prime[0], t[0], 0)
		for j := 1; j < n; j++ {
			c, t[j-1] = accumulate(m, f.prime[j], t[j], c)
		}
		t[n-1], carry = bits.Add64(t[n], c, 0)
		t[n] = t[n+1] + carry
	}
	copy(z[:n], t[:n])
	f.reduce(z, t[n])
}

// accumulate returns ab + c + d in two words, the upper one first. It cannot overflow.
func accumulate(a, b, c, d uint64) (high, low uint64) {
	high, low = bits.Mul64(a, b)
	low, carry := bits.Add64(low, c, 0)
	high += carry
	low, carry = bits.Add64(low, d, 0)
	return high + carry, low
}

// reduce subtracts the prime where z, with one more limb above it, is not below it.
func (f *field) reduce(z *element, above uint64) {
	var less element
	var borrow uint64
	for i := range f.limbs {
		less[i], borrow = bits.Sub64(z[i], f.prime[i], borrow)
	}
	if above != 0 || borrow == 0 {
		*z = less
	}
}

func (f *field) add(z, x, y *element) {
	var carry uint64
	for i := range f.limbs {
		z[i], carry = bits.Add64(x[i], y[i], carry)
	}
	f.reduce(z, carry)
}

func (f *field) sub(z, x, y *element) {
	var borrow, carry uint64
	for i := range f.limbs {
		z[i], borrow = bits.Sub64(x[i], y[i], borrow)
	}
	if borrow == 0 {
		return
	}
	for i := range f.limbs {
		z[i], carry = bits.Add64(z[i], f.prime[i], carry)
	}
}
