package pki

import "math/big"

// jacobian is a point (x/z², y/z³); z is 0 at infinity.
type jacobian struct{ x, y, z element }

// group adds points of a curve.
type group struct {
	*field
	a element
}

// double sets p to 2p.
func (g *group) double(p *jacobian) {
	if p.z == (element{}) {
		return
	}
	var xx, yy, yyyy, zz, s, m element
	g.mul(&xx, &p.x, &p.x)
	g.mul(&yy, &p.y, &p.y)
	g.mul(&yyyy, &yy, &yy)
	g.mul(&zz, &p.z, &p.z)
	g.mul(&s, &p.x, &yy) // s = 4xy²
	g.add(&s, &s, &s)
	g.add(&s, &s, &s)
	g.mul(&m, &zz, &zz) // m = 3x² + az⁴
	g.mul(&m, &m, &g.a)
	for range 3 {
		g.add(&m, &m, &xx)
	}
	g.mul(&p.z, &p.y, &p.z)
	g.add(&p.z, &p.z, &p.z)
	g.mul(&p.x, &m, &m)
	g.sub(&p.x, &p.x, &s)
	g.sub(&p.x, &p.x, &s)
	g.sub(&s, &s, &p.x)
	g.mul(&p.y, &m, &s)
	for range 3 {
		g.add(&yyyy, &yyyy, &yyyy)
	}
	g.sub(&p.y, &p.y, &yyyy)
}

// plus sets p to p+q.
func (g *group) plus(p, q *jacobian) {
	if q.z == (element{}) {
		return
	}
	if p.z == (element{}) {
		*p = *q
		return
	}
	var pz, qz, u1, u2, s1, s2, h, r element
	g.mul(&pz, &p.z, &p.z)
	g.mul(&qz, &q.z, &q.z)
	g.mul(&u1, &p.x, &qz)
	g.mul(&u2, &q.x, &pz)
	g.mul(&s1, &p.y, &qz)
	g.mul(&s1, &s1, &q.z)
	g.mul(&s2, &q.y, &pz)
	g.mul(&s2, &s2, &p.z)
	g.sub(&h, &u2, &u1)
	g.sub(&r, &s2, &s1)
	if h == (element{}) {
		if r == (element{}) {
			g.double(p)
		} else {
			*p = jacobian{}
		}
		return
	}
	g.mul(&p.z, &p.z, &q.z)
	g.mul(&p.z, &p.z, &h)
	hh := pz
	g.mul(&hh, &h, &h)
	g.mul(&h, &h, &hh)   // h³
	g.mul(&u1, &u1, &hh) // u1h²
	g.mul(&p.x, &r, &r)
	g.sub(&p.x, &p.x, &h)
	g.sub(&p.x, &p.x, &u1)
	g.sub(&p.x, &p.x, &u1)
	g.sub(&u1, &u1, &p.x)
	g.mul(&s1, &s1, &h)
	g.mul(&p.y, &r, &u1)
	g.sub(&p.y, &p.y, &s1)
}

// table holds the multiples 0 to 15 of a point.
type table [16]jacobian

func (g *group) table(x, y *big.Int) *table {
	var t table
	t[1] = jacobian{g.enter(x), g.enter(y), g.enter(big.NewInt(1))}
	for i := 2; i < len(t); i++ {
		t[i] = t[i-1]
		g.plus(&t[i], &t[1])
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

	sum := c.combine(u1, x, y, u2)
	if sum == nil {
		return false
	}
	return sum.Mod(sum, c.N).Cmp(r) == 0
}

// prepare makes what every computation on the curve needs.
func (c *Curve) prepare() {
	c.field = newField(c.P)
	g := &group{c.field, c.field.enter(c.A)}
	c.base = g.table(c.X, c.Y)
}

// combine returns the first coordinate of u1 times the base point plus u2 times (x, y); nil at infinity.
func (c *Curve) combine(u1, x, y, u2 *big.Int) *big.Int {
	g := c.group()
	key := g.table(x, y)
	var sum jacobian
	for i := (c.N.BitLen()+3)/4 - 1; i >= 0; i-- {
		for range 4 {
			g.double(&sum)
		}
		g.plus(&sum, &c.base[nibble(u1, i)])
		g.plus(&sum, &key[nibble(u2, i)])
	}
	if sum.z == (element{}) {
		return nil
	}
	z := new(big.Int).ModInverse(g.leave(&sum.z), c.P)
	z.Mul(z, z).Mul(z, g.leave(&sum.x))
	return z.Mod(z, c.P)
}

// nibble returns the i-th group of four bits.
func nibble(n *big.Int, i int) uint {
	return n.Bit(4*i) | n.Bit(4*i+1)<<1 | n.Bit(4*i+2)<<2 | n.Bit(4*i+3)<<3
}
