package pki

import "math/big"

// jacobian is a point (X/Z², Y/Z³); Z is 0 at infinity.
type jacobian struct{ x, y, z big.Int }

// field computes modulo p and keeps its scratch space.
type field struct {
	c       *Curve
	quo     big.Int
	product big.Int
	t       [8]big.Int
}

func (f *field) mul(z, x, y *big.Int) {
	f.product.Mul(x, y)
	f.quo.QuoRem(&f.product, f.c.P, z)
}

func (f *field) sub(z, x, y *big.Int) {
	if z.Sub(x, y); z.Sign() < 0 {
		z.Add(z, f.c.P)
	}
}

func (f *field) add(z, x, y *big.Int) {
	if z.Add(x, y); z.Cmp(f.c.P) >= 0 {
		z.Sub(z, f.c.P)
	}
}

// double sets p to 2p.
func (f *field) double(p *jacobian) {
	if p.z.Sign() == 0 {
		return
	}
	xx, yy, yyyy, zz, s, m := &f.t[0], &f.t[1], &f.t[2], &f.t[3], &f.t[4], &f.t[5]
	f.mul(xx, &p.x, &p.x)
	f.mul(yy, &p.y, &p.y)
	f.mul(yyyy, yy, yy)
	f.mul(zz, &p.z, &p.z)
	f.mul(s, &p.x, yy) // s = 4xy²
	f.add(s, s, s)
	f.add(s, s, s)
	f.mul(m, zz, zz) // m = 3x² + az⁴
	f.mul(m, m, f.c.A)
	for range 3 {
		f.add(m, m, xx)
	}
	f.mul(&p.z, &p.y, &p.z)
	f.add(&p.z, &p.z, &p.z)
	f.mul(&p.x, m, m)
	f.sub(&p.x, &p.x, s)
	f.sub(&p.x, &p.x, s)
	f.sub(s, s, &p.x)
	f.mul(&p.y, m, s)
	for range 3 {
		f.add(yyyy, yyyy, yyyy)
	}
	f.sub(&p.y, &p.y, yyyy)
}

// plus sets p to p+q.
func (f *field) plus(p, q *jacobian) {
	if q.z.Sign() == 0 {
		return
	}
	if p.z.Sign() == 0 {
		p.x.Set(&q.x)
		p.y.Set(&q.y)
		p.z.Set(&q.z)
		return
	}
	pz, qz, u1, u2, s1, s2, h, r := &f.t[0], &f.t[1], &f.t[2], &f.t[3], &f.t[4], &f.t[5], &f.t[6], &f.t[7]
	f.mul(pz, &p.z, &p.z)
	f.mul(qz, &q.z, &q.z)
	f.mul(u1, &p.x, qz)
	f.mul(u2, &q.x, pz)
	f.mul(s1, &p.y, qz)
	f.mul(s1, s1, &q.z)
	f.mul(s2, &q.y, pz)
	f.mul(s2, s2, &p.z)
	f.sub(h, u2, u1)
	f.sub(r, s2, s1)
	if h.Sign() == 0 {
		if r.Sign() == 0 {
			f.double(p)
		} else {
			p.z.SetInt64(0)
		}
		return
	}
	f.mul(&p.z, &p.z, &q.z)
	f.mul(&p.z, &p.z, h)
	hh := pz
	f.mul(hh, h, h)
	f.mul(h, h, hh)   // h³
	f.mul(u1, u1, hh) // u1h²
	f.mul(&p.x, r, r)
	f.sub(&p.x, &p.x, h)
	f.sub(&p.x, &p.x, u1)
	f.sub(&p.x, &p.x, u1)
	f.sub(u1, u1, &p.x)
	f.mul(s1, s1, h)
	f.mul(&p.y, r, u1)
	f.sub(&p.y, &p.y, s1)
}

// table holds the multiples 1 to 15 of a point.
type table [16]jacobian

func (f *field) table(x, y *big.Int) *table {
	var t table
	one := &t[1]
	one.x.Set(x)
	one.y.Set(y)
	one.z.SetInt64(1)
	for i := 2; i < len(t); i++ {
		f.plus(&t[i], &t[i-1])
		f.plus(&t[i], one)
	}
	return &t
}

// verify reports whether (r, s) is an ECDSA signature of the digest by the point (SEC 1 section 4.1.4).
func (c *Curve) verify(x, y *big.Int, digest []byte, r, s *big.Int) bool {
	if r.Sign() <= 0 || s.Sign() <= 0 || r.Cmp(c.N) >= 0 || s.Cmp(c.N) >= 0 {
		return false
	}
	e := new(big.Int).SetBytes(digest)
	if excess := len(digest)*8 - c.N.BitLen(); excess > 0 {
		e.Rsh(e, uint(excess))
	}
	w := new(big.Int).ModInverse(s, c.N)
	u1 := e.Mul(e, w)
	u1.Mod(u1, c.N)
	u2 := w.Mul(r, w)
	u2.Mod(u2, c.N)

	f := &field{c: c}
	c.once.Do(func() { c.base = f.table(c.X, c.Y) })
	key := f.table(x, y)
	var sum jacobian
	for i := (c.N.BitLen()+3)/4 - 1; i >= 0; i-- {
		for range 4 {
			f.double(&sum)
		}
		f.plus(&sum, &c.base[nibble(u1, i)])
		f.plus(&sum, &key[nibble(u2, i)])
	}
	if sum.z.Sign() == 0 {
		return false
	}
	inverse := new(big.Int).ModInverse(&sum.z, c.P)
	f.mul(inverse, inverse, inverse)
	f.mul(&sum.x, &sum.x, inverse)
	return sum.x.Mod(&sum.x, c.N).Cmp(r) == 0
}

// nibble returns the i-th group of four bits.
func nibble(n *big.Int, i int) uint {
	return n.Bit(4*i) | n.Bit(4*i+1)<<1 | n.Bit(4*i+2)<<2 | n.Bit(4*i+3)<<3
}
