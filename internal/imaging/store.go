package imaging

import (
	"image"
	"sync"
)

// deepest is how many times a picture is halved at most.
const deepest = 6

// store holds a picture as its file did: planes of brightness and colour, brightness alone, or RGB.
type store struct {
	w, h      int
	rgb       *RGB
	y, cb, cr []uint8
	ys, cs    int                          // strides
	cx, cy    int                          // by how many bits the colour planes are coarser, across and down
	steps     [SquareSide * SquareSide]int // of a JPEG's brightness; zeros for other formats

	mu     sync.Mutex
	levels [deepest + 1]*RGB // levels[k] is the picture shrunk by 2^k; levels[0] only where it was asked for
}

// storeOf keeps the planes of what decoders answer for JPEG and WebP; everything else becomes RGB.
func storeOf(m image.Image) *store {
	b := m.Bounds()
	s := &store{w: b.Dx(), h: b.Dy()}
	switch m := m.(type) {
	case *image.Gray:
		s.y, s.ys = m.Pix[m.PixOffset(b.Min.X, b.Min.Y):], m.Stride
		return s
	case *image.YCbCr:
		if b.Min == (image.Point{}) && s.planar(m) {
			return s
		}
	}
	s.rgb = FromImage(m)
	return s
}

// planar takes the planes over, if it knows how they are subsampled.
func (s *store) planar(m *image.YCbCr) bool {
	switch m.SubsampleRatio {
	case image.YCbCrSubsampleRatio444:
	case image.YCbCrSubsampleRatio422:
		s.cx = 1
	case image.YCbCrSubsampleRatio420:
		s.cx, s.cy = 1, 1
	case image.YCbCrSubsampleRatio440:
		s.cy = 1
	default:
		return false
	}
	s.y, s.cb, s.cr, s.ys, s.cs = m.Y, m.Cb, m.Cr, m.YStride, m.CStride
	return true
}

// crop makes RGB of the stored pixels inside r, which must lie within.
func (s *store) crop(r image.Rectangle) *RGB {
	if s.rgb != nil {
		return s.rgb.Crop(r)
	}
	p := NewRGB(r.Dx(), r.Dy())
	p.eachRow(func(y int, row []uint8) {
		luma := s.y[(r.Min.Y+y)*s.ys+r.Min.X:][:p.W]
		if s.cb == nil {
			for x, v := range luma {
				row[3*x], row[3*x+1], row[3*x+2] = v, v, v
			}
			return
		}
		at := ((r.Min.Y + y) >> s.cy) * s.cs
		s.colour(row, luma, s.cb[at:], s.cr[at:], r.Min.X)
	})
	return p
}

// colour converts a row whose first pixel is in column x0, the chroma part of each pair of pixels once.
func (s *store) colour(row, luma, cbs, crs []uint8, x0 int) {
	var dr, dg, db int32
	last := -1
	for x, v := range luma {
		if c := (x0 + x) >> s.cx; c != last {
			last = c
			dr, dg, db = chroma(int32(cbs[c]), int32(crs[c]))
		}
		yCbCr(row[3*x:3*x+3:3*x+3], int32(v)*0x10101, dr, dg, db)
	}
}

// chroma is the colour part of color.YCbCrToRGB's sums (JFIF), as 16.16 numbers.
func chroma(cb, cr int32) (dr, dg, db int32) {
	cb, cr = cb-128, cr-128
	return 91881 * cr, -22554*cb - 46802*cr, 116130 * cb
}

// yCbCr adds a 16.16 luma and the parts of its colour.
func yCbCr(out []uint8, y, dr, dg, db int32) {
	out[0], out[1], out[2] = clamp16(y+dr), clamp16(y+dg), clamp16(y+db)
}

// gray copies the luma of the stored pixels inside r, which must lie within.
func (s *store) gray(r image.Rectangle) *Gray {
	if s.rgb != nil {
		return s.rgb.Crop(r).Gray()
	}
	g := NewGray(r.Dx(), r.Dy())
	for y := range g.H {
		copy(g.Pix[y*g.W:(y+1)*g.W], s.y[(r.Min.Y+y)*s.ys+r.Min.X:])
	}
	return g
}

// resize makes RGB of w×h pixels, each plane scaled for itself.
func (s *store) resize(w, h int) *RGB {
	luma := resizePlane(s.y, s.ys, s.w, s.h, w, h, float64(s.w), float64(s.h))
	if s.cb == nil {
		return (&Gray{W: w, H: h, Pix: luma}).RGB()
	}
	cw, ch := (s.w+1<<s.cx-1)>>s.cx, (s.h+1<<s.cy-1)>>s.cy
	fw, fh := float64(s.w)/float64(int(1)<<s.cx), float64(s.h)/float64(int(1)<<s.cy)
	cb, cr := resizePlane(s.cb, s.cs, cw, ch, w, h, fw, fh), resizePlane(s.cr, s.cs, cw, ch, w, h, fw, fh)
	p := NewRGB(w, h)
	for i, v := range luma {
		dr, dg, db := chroma(int32(cb[i]), int32(cr[i]))
		yCbCr(p.Pix[3*i:3*i+3:3*i+3], int32(v)*0x10101, dr, dg, db)
	}
	return p
}

func (s *store) levelW(k int) int { return (s.w + 1<<k - 1) >> k }
func (s *store) levelH(k int) int { return (s.h + 1<<k - 1) >> k }

// level is the picture halved k times.
func (s *store) level(k int) *RGB {
	s.mu.Lock()
	defer s.mu.Unlock()
	from := k
	for from > 0 && s.levels[from] == nil {
		from--
	}
	if from == 0 && s.levels[0] == nil {
		switch {
		case s.rgb != nil:
			s.levels[0] = s.rgb
		case k == 0:
			return s.crop(image.Rect(0, 0, s.w, s.h)) // too large to keep
		default:
			s.levels[1] = s.half()
			from = 1
		}
	}
	for ; from < k; from++ {
		s.levels[from+1] = s.levels[from].half()
	}
	return s.levels[k]
}

// half makes RGB of the planes at half their size: the mean of four in brightness and, where it is that fine, in colour.
func (s *store) half() *RGB {
	p := NewRGB((s.w+1)/2, (s.h+1)/2)
	luma, cb, cr := make([]int32, p.W), make([]int32, p.W), make([]int32, p.W)
	p.eachRow(func(y int, row []uint8) {
		top, foot := 2*y, min(2*y+1, s.h-1)
		blocks(luma, 2, s.y[top*s.ys:][:s.w], s.y[foot*s.ys:][:s.w])
		if s.cb == nil {
			for x, v := range luma {
				g := uint8((v + 2) >> 2)
				row[3*x], row[3*x+1], row[3*x+2] = g, g, g
			}
			return
		}
		s.chromaRow(cb, s.cb, top, foot)
		s.chromaRow(cr, s.cr, top, foot)
		for x, v := range luma {
			dr, dg, db := chroma(cb[x], cr[x])
			yCbCr(row[3*x:3*x+3:3*x+3], v*0x4040+0x4000, dr, dg, db)
		}
	})
	return p
}

// chromaRow is one colour plane at half the size of the picture, between two rows of it.
func (s *store) chromaRow(out []int32, plane []uint8, top, foot int) {
	a, b := plane[(top>>s.cy)*s.cs:], plane[(foot>>s.cy)*s.cs:]
	switch {
	case s.cx == 1 && s.cy == 1:
		for x := range out {
			out[x] = int32(a[x])
		}
	case s.cx == 1:
		for x := range out {
			out[x] = (int32(a[x]) + int32(b[x]) + 1) >> 1
		}
	default:
		blocks(out, 2, a[:s.w], b[:s.w])
		for x, v := range out {
			out[x] = (v + 2) >> 2
		}
	}
}

// half is p at half its size, the mean of blocks of 2×2.
func (p *RGB) half() *RGB {
	out := NewRGB((p.W+1)/2, (p.H+1)/2)
	out.eachRow(func(y int, row []uint8) {
		a, b := p.Pix[3*2*y*p.W:][:3*p.W], p.Pix[3*min(2*y+1, p.H-1)*p.W:][:3*p.W]
		for x := range p.W / 2 {
			s, t, to := a[6*x:6*x+6:6*x+6], b[6*x:6*x+6:6*x+6], row[3*x:3*x+3:3*x+3]
			to[0] = uint8((uint32(s[0]) + uint32(s[3]) + uint32(t[0]) + uint32(t[3]) + 2) >> 2)
			to[1] = uint8((uint32(s[1]) + uint32(s[4]) + uint32(t[1]) + uint32(t[4]) + 2) >> 2)
			to[2] = uint8((uint32(s[2]) + uint32(s[5]) + uint32(t[2]) + uint32(t[5]) + 2) >> 2)
		}
		for i := 3 * (p.W &^ 1); i < len(a); i++ { // the last column, where it has none beside it
			row[len(row)-len(a)+i] = uint8((2*uint32(a[i]) + 2*uint32(b[i]) + 2) >> 2)
		}
	})
	return out
}
