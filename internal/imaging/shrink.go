package imaging

import (
	"encoding/binary"
	"image"
)

// blocks adds up the pixels of blocks of side×side, side being 2 or 4, of rows that are as many: one sum for each of out. What of
// a block lies beyond the rows' end repeats the last pixel. Eight pixels of a row are added at a time, in lanes of 16 bits.
func blocks(out []int32, side int, rows ...[]uint8) {
	const lanes = 0x00ff00ff00ff00ff
	each := 8 / side // blocks in eight pixels
	n := min(len(out)/each, len(rows[0])/8)
	for i := range n {
		var sum uint64
		for _, row := range rows {
			v := binary.LittleEndian.Uint64(row[8*i:])
			sum += v&lanes + v>>8&lanes
		}
		to := out[each*i : each*i+each : each*i+each]
		if side == 2 {
			to[0], to[1], to[2], to[3] = int32(sum&0xffff), int32(sum>>16&0xffff), int32(sum>>32&0xffff), int32(sum>>48)
			continue
		}
		sum += sum >> 16
		to[0], to[1] = int32(sum&0xffff), int32(sum>>32&0xffff)
	}
	for i := each * n; i < len(out); i++ {
		out[i] = 0
		for _, row := range rows {
			for x := side * i; x < side*(i+1); x++ {
				out[i] += int32(row[min(x, len(row)-1)])
			}
		}
	}
}

// lumaRows are the rows of brightness that make one row of a copy that is shrunk by side, from column x on.
func (s *store) lumaRows(rows [][]uint8, y, x, side int) {
	for i := range side {
		at := min(y*side+i, s.h-1) * s.ys
		rows[i] = s.y[at+x*side : at+s.w]
	}
}

// quarter makes RGB of the planes at a quarter of their size, where colour is half as fine as brightness or there is none: the
// largest copy that is needed as a whole of what cameras take.
func (s *store) quarter() *RGB {
	p := NewRGB(s.levelW(2), s.levelH(2))
	luma, cb, cr := make([]int32, p.W), make([]int32, p.W), make([]int32, p.W)
	rows := make([][]uint8, 4)
	cw, ch := (s.w+1)/2, (s.h+1)/2
	p.eachRow(func(y int, row []uint8) {
		s.lumaRows(rows, y, 0, 4)
		blocks(luma, 4, rows...)
		if s.cb == nil {
			for x, v := range luma {
				g := uint8((v + 8) >> 4)
				row[3*x], row[3*x+1], row[3*x+2] = g, g, g
			}
			return
		}
		top, foot := 2*y*s.cs, min(2*y+1, ch-1)*s.cs
		blocks(cb, 2, s.cb[top:top+cw], s.cb[foot:foot+cw])
		blocks(cr, 2, s.cr[top:top+cw], s.cr[foot:foot+cw])
		for x, v := range luma {
			dr, dg, db := chroma((cb[x]+2)>>2, (cr[x]+2)>>2)
			yCbCr(row[3*x:3*x+3:3*x+3], v*0x1010+0x3000, dr, dg, db)
		}
	})
	return p
}

// grayOf is the luma of a part of the picture shrunk by 2^k: the mean of blocks. r must lie within that copy.
func (s *store) grayOf(r image.Rectangle, k int) *Gray {
	switch {
	case k == 0:
		return s.gray(r)
	case s.rgb != nil:
		return s.level(k).Crop(r).Gray()
	}
	step := min(k, 2)
	side, up := 1<<step, k-step
	g := NewGray(r.Dx()<<up, r.Dy()<<up)
	sums, rows := make([]int32, g.W), make([][]uint8, side)
	for y := range g.H {
		s.lumaRows(rows, r.Min.Y<<up+y, r.Min.X<<up, side)
		blocks(sums, side, rows...)
		row := g.Pix[y*g.W : (y+1)*g.W]
		for x, v := range sums {
			row[x] = uint8((v + int32(side*side)/2) >> (2 * step))
		}
	}
	if up > 0 {
		g = g.Resize(r.Dx(), r.Dy())
	}
	return g
}

// halfColour reports whether colour is half as fine as brightness both ways, as most cameras store it.
func (s *store) halfColour() bool { return s.cb != nil && s.cx == 1 && s.cy == 1 }

// planesOf are brightness and colour of a part of the picture shrunk by 2^k, where colour is half as fine and k at least 1. r must
// lie within that copy.
func (s *store) planesOf(r image.Rectangle, k int) planes {
	colour := func(pix []uint8) *Gray {
		return (&store{w: (s.w + 1) / 2, h: (s.h + 1) / 2, y: pix, ys: s.cs}).grayOf(r, k-1)
	}
	return planes{s.grayOf(r, k), colour(s.cb), colour(s.cr)}
}

// planes are brightness and the two differences of colour, all of one size.
type planes struct{ y, cb, cr *Gray }

// rgb converts them.
func (p planes) rgb() *RGB {
	out := NewRGB(p.y.W, p.y.H)
	for i, v := range p.y.Pix {
		dr, dg, db := chroma(int32(p.cb.Pix[i]), int32(p.cr.Pix[i]))
		yCbCr(out.Pix[3*i:3*i+3:3*i+3], int32(v)*0x10101, dr, dg, db)
	}
	return out
}

// warp rectifies the part under q to w×h pixels, as RGB.Warp does. The planes are not halved: that was done before.
func (p planes) warp(q Quad, w, h int) *RGB {
	out := NewRGB(max(w, 1), max(h, 1))
	if len(p.y.Pix) == 0 {
		return out
	}
	q.eachRow(out.W, out.H, func(y int, r ray) { p.sampleRow(out.Pix[3*y*out.W:3*(y+1)*out.W], r) })
	return out
}

// sampleRow reads the picture along a ray, bilinear; what lies outside repeats the nearest pixel.
func (p planes) sampleRow(out []uint8, r ray) {
	w, h := p.y.W, p.y.H
	right, foot := float64(w-1), float64(h-1)
	for i := 0; i+3 <= len(out); i += 3 {
		scale := 1 / r.d
		x, y := r.x*scale, r.y*scale
		r.x, r.y, r.d = r.x+r.dx, r.y+r.dy, r.d+r.dd
		var a, b, c, d int // the four samples
		var fx, fy int32
		if x >= 0 && y >= 0 && x < right && y < foot {
			x0, y0 := int(x), int(y)
			fx, fy = int32((x-float64(x0))*256), int32((y-float64(y0))*256)
			a = y0*w + x0
			b, c, d = a+1, a+w, a+w+1
		} else {
			var x0, y0, x1, y1 int
			x0, y0, x1, y1, fx, fy = cell(x, y, w, h)
			a, b, c, d = y0*w+x0, y0*w+x1, y1*w+x0, y1*w+x1
		}
		at := func(g []uint8) int32 { return int32(lerp2(g[a], g[b], g[c], g[d], fx, fy)) }
		dr, dg, db := chroma(at(p.cb.Pix), at(p.cr.Pix))
		yCbCr(out[i:i+3:i+3], at(p.y.Pix)*0x10101, dr, dg, db)
	}
}
