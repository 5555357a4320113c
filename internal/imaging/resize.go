package imaging

import (
	"math"
	"slices"
)

// Resize returns p scaled to w×h pixels (at least 1×1): the area average in a direction that shrinks, bilinear in one
// that grows.
func (p *RGB) Resize(w, h int) *RGB {
	w, h = max(w, 1), max(h, 1)
	return &RGB{W: w, H: h, Pix: resize(p.Pix, p.W, p.H, 3, w, h)}
}

// Resize returns g scaled to w×h pixels (at least 1×1): the area average in a direction that shrinks, bilinear in one
// that grows.
func (g *Gray) Resize(w, h int) *Gray {
	w, h = max(w, 1), max(h, 1)
	return &Gray{W: w, H: h, Pix: resize(g.Pix, g.W, g.H, 1, w, h)}
}

// Fit shrinks p until its longer side has at most longest pixels, and returns the scale (at most 1; new = old × scale).
// A picture that fits is returned itself, not a copy.
func (p *RGB) Fit(longest int) (*RGB, float64) {
	w, h, s := fit(p.W, p.H, longest)
	if s == 1 {
		return p, 1
	}
	return p.Resize(w, h), s
}

// Fit shrinks g until its longer side has at most longest pixels, and returns the scale (at most 1; new = old × scale).
// A picture that fits is returned itself, not a copy.
func (g *Gray) Fit(longest int) (*Gray, float64) {
	w, h, s := fit(g.W, g.H, longest)
	if s == 1 {
		return g, 1
	}
	return g.Resize(w, h), s
}

func fit(w, h, longest int) (int, int, float64) {
	long := max(w, h)
	if long <= longest || longest < 1 {
		return w, h, 1
	}
	s := float64(longest) / float64(long)
	return max(1, int(math.Round(float64(w)*s))), max(1, int(math.Round(float64(h)*s))), s
}

// span says which n source samples from first on make one target sample. The weights of the first and the last may be
// partial; those between are one (one = 1<<8). The sum of the weights is 1/inv.
type span struct {
	first, n   int
	head, tail uint32
	inv        float32
}

const one = 1 << 8

// spans lays n target samples over m source samples, of which the last may count in part: extent is in (m-1, m].
func spans(m, n int, extent float64) []span {
	out := make([]span, n)
	scale := extent / float64(n)
	for i := range out {
		if n > m {
			out[i] = lerpSpan((float64(i)+.5)*scale-.5, m)
			continue
		}
		from, to := float64(i)*scale, float64(i+1)*scale
		first := int(from + 1e-6)
		last := max(first, min(int(math.Ceil(to-1e-6))-1, m-1))
		s := span{first: first, n: last - first + 1}
		s.head = uint32(math.Round((math.Min(float64(first+1), to) - from) * one))
		s.tail = uint32(math.Round((to - float64(last)) * one))
		sum := s.head
		if s.n > 1 {
			sum += s.tail + uint32(s.n-2)*one
		}
		if sum == 0 {
			s.head, sum = one, one
		}
		s.inv = 1 / float32(sum)
		out[i] = s
	}
	return out
}

func lerpSpan(at float64, m int) span {
	at = math.Max(0, math.Min(at, float64(m-1)))
	first := min(int(at), max(m-2, 0))
	if m == 1 {
		return span{first: 0, n: 1, head: one, inv: 1. / one}
	}
	t := uint32(math.Round((at - float64(first)) * one))
	return span{first: first, n: 2, head: one - t, tail: t, inv: 1. / one}
}

// resize reduces each source row once (horizontally, in integers) and adds it to the target rows that it touches.
func resize(pix []uint8, w, h, ch, nw, nh int) []uint8 {
	return resizePart(pix, w, h, ch, nw, nh, float64(w), float64(h))
}

// resizePlane is resizePart of a single plane whose rows are stride samples apart.
func resizePlane(pix []uint8, stride, w, h, nw, nh int, fw, fh float64) []uint8 {
	if stride == w {
		return resizePart(pix, w, h, 1, nw, nh, fw, fh)
	}
	return resizeRows(func(y int) []uint8 { return pix[y*stride : y*stride+w] }, w, h, 1, nw, nh, fw, fh)
}

// resizePart is resize of a picture whose last column and row may count in part: fw is in (w-1, w], fh in (h-1, h].
func resizePart(pix []uint8, w, h, ch, nw, nh int, fw, fh float64) []uint8 {
	if w == nw && h == nh && fw == float64(w) && fh == float64(h) {
		return slices.Clone(pix[:w*h*ch]) // a plane may have rows beyond the picture's
	}
	if w == 2*nw && h == 2*nh && fw == float64(w) && fh == float64(h) {
		return halved(pix, ch, nw, nh)
	}
	return resizeRows(func(y int) []uint8 { return pix[y*w*ch : (y+1)*w*ch] }, w, h, ch, nw, nh, fw, fh)
}

// halved is resize to half of both sides: the mean of blocks of 2×2, a third of the work.
func halved(pix []uint8, ch, nw, nh int) []uint8 {
	out := make([]uint8, nw*nh*ch)
	row := 2 * nw * ch
	for y := range nh {
		a, b, to := pix[2*y*row:][:row], pix[(2*y+1)*row:][:row], out[y*nw*ch:][:nw*ch]
		if ch == 1 {
			for x := range to {
				p, q := a[2*x:2*x+2:2*x+2], b[2*x:2*x+2:2*x+2]
				to[x] = uint8((uint32(p[0]) + uint32(p[1]) + uint32(q[0]) + uint32(q[1]) + 2) >> 2)
			}
			continue
		}
		for x := range nw {
			p, q, t := a[6*x:6*x+6:6*x+6], b[6*x:6*x+6:6*x+6], to[3*x:3*x+3:3*x+3]
			t[0] = uint8((uint32(p[0]) + uint32(p[3]) + uint32(q[0]) + uint32(q[3]) + 2) >> 2)
			t[1] = uint8((uint32(p[1]) + uint32(p[4]) + uint32(q[1]) + uint32(q[4]) + 2) >> 2)
			t[2] = uint8((uint32(p[2]) + uint32(p[5]) + uint32(q[2]) + uint32(q[5]) + 2) >> 2)
		}
	}
	return out
}

// resizeRows is resizePart of rows that lie anywhere.
func resizeRows(source func(y int) []uint8, w, h, ch, nw, nh int, fw, fh float64) []uint8 {
	out := make([]uint8, nw*nh*ch)
	if w == 0 || h == 0 {
		return out
	}
	across, down := spans(w, nw, fw), spans(h, nh, fh)
	rows := rowCache{at: [2]int{-1, -1}, row: [2][]float32{make([]float32, nw*ch), make([]float32, nw*ch)}}
	sum := make([]float32, nw*ch)
	for y, s := range down {
		to := out[y*nw*ch : (y+1)*nw*ch]
		row, weight := rows.get(s.first, source, ch, across), float32(s.head)
		if s.n == 1 {
			for i, v := range row {
				to[i] = uint8(v*weight*s.inv + .5)
			}
			continue
		}
		for i, v := range row {
			sum[i] = v * weight
		}
		for k := 1; k < s.n-1; k++ {
			for i, v := range rows.get(s.first+k, source, ch, across) {
				sum[i] += v * one
			}
		}
		row, weight = rows.get(s.first+s.n-1, source, ch, across), float32(s.tail)
		for i, v := range row {
			to[i] = uint8((sum[i]+v*weight)*s.inv + .5)
		}
	}
	return out
}

// rowCache keeps the last two reduced rows, since neighbouring target rows share them.
type rowCache struct {
	at  [2]int
	row [2][]float32
}

func (c *rowCache) get(y int, source func(int) []uint8, ch int, across []span) []float32 {
	slot := y & 1
	if c.at[slot] != y {
		c.at[slot] = y
		if ch == 3 {
			reduceRGB(c.row[slot], source(y), across)
		} else {
			reduceGray(c.row[slot], source(y), across)
		}
	}
	return c.row[slot]
}

func reduceRGB(out []float32, src []uint8, across []span) {
	for i := range across {
		s := &across[i]
		p, to := src[3*s.first:3*(s.first+s.n)], out[3*i:3*i+3:3*i+3]
		r, g, b := uint32(p[0])*s.head, uint32(p[1])*s.head, uint32(p[2])*s.head
		switch s.n {
		case 1:
		case 2:
			q := p[3:6:6]
			r, g, b = r+uint32(q[0])*s.tail, g+uint32(q[1])*s.tail, b+uint32(q[2])*s.tail
		case 3:
			q := p[3:9:9]
			r += uint32(q[0])*one + uint32(q[3])*s.tail
			g += uint32(q[1])*one + uint32(q[4])*s.tail
			b += uint32(q[2])*one + uint32(q[5])*s.tail
		case 4:
			q := p[3:12:12]
			r += (uint32(q[0])+uint32(q[3]))*one + uint32(q[6])*s.tail
			g += (uint32(q[1])+uint32(q[4]))*one + uint32(q[7])*s.tail
			b += (uint32(q[2])+uint32(q[5]))*one + uint32(q[8])*s.tail
		default:
			var ir, ig, ib uint32
			q := p[3 : len(p)-3]
			for ; len(q) >= 3; q = q[3:] {
				ir += uint32(q[0])
				ig += uint32(q[1])
				ib += uint32(q[2])
			}
			q = p[len(p)-3:]
			r += ir*one + uint32(q[0])*s.tail
			g += ig*one + uint32(q[1])*s.tail
			b += ib*one + uint32(q[2])*s.tail
		}
		to[0], to[1], to[2] = float32(r)*s.inv, float32(g)*s.inv, float32(b)*s.inv
	}
}

func reduceGray(out []float32, src []uint8, across []span) {
	for i := range across {
		s := &across[i]
		p := src[s.first : s.first+s.n]
		v := uint32(p[0]) * s.head
		switch s.n {
		case 1:
		case 2:
			v += uint32(p[1]) * s.tail
		case 3:
			v += uint32(p[1])*one + uint32(p[2])*s.tail
		default:
			var inner uint32
			for _, x := range p[1 : len(p)-1] {
				inner += uint32(x)
			}
			v += inner*one + uint32(p[len(p)-1])*s.tail
		}
		out[i] = float32(v) * s.inv
	}
}
