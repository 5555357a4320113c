package imaging

import (
	"encoding/binary"
	"errors"
	"image"
)

// errSequential says that a JPEG is not of the kind that is decoded here, or is damaged: the standard library has the last
// word on it.
var errSequential = errors.New("not a plain sequential JPEG")

// sequential decodes the JPEGs that cameras write: 8 bits, Huffman codes, one scan of brightness and colour
// (ITU-T T.81, sequential DCT). It takes half the time of the standard library, whose answer differs by rounding. Whatever is
// otherwise, or ends too early, is left to the standard library.
type sequential struct {
	b          []byte
	w, h       int
	quant      [4][64]int32 // in the order of the file
	dc, ac     [4]*huffman
	components []component
	restart    int // blocks of pixels between two marks, 0 for none
}

// component is brightness or one of both colours.
type component struct {
	id, quant  byte
	h, v       int // blocks of it in one of the picture's blocks
	dc, ac     *huffman
	pix        []uint8
	stride     int
	prediction int32
}

// decodeSequential is errSequential for whatever is not of that kind, or does not end as it should.
func decodeSequential(b []byte) (image.Image, error) {
	s := &sequential{b: b}
	if len(b) < 2 || b[0] != 0xff || b[1] != 0xd8 {
		return nil, errSequential
	}
	for at := 2; at+4 <= len(b); {
		marker := b[at+1]
		n := int(binary.BigEndian.Uint16(b[at+2:]))
		if b[at] != 0xff || n < 2 || at+2+n > len(b) {
			return nil, errSequential
		}
		body := b[at+4 : at+2+n]
		at += 2 + n
		if marker == 0xda {
			return s.scan(body, at)
		}
		if !s.segment(marker, body) {
			return nil, errSequential
		}
	}
	return nil, errSequential
}

// segment takes one segment's body; false where it says that the picture is another kind of JPEG.
func (s *sequential) segment(marker byte, body []byte) bool {
	switch {
	case marker == 0xc0 || marker == 0xc1:
		return s.frame(body)
	case marker == 0xc4:
		return s.huffmanTables(body)
	case marker == 0xdb:
		return s.quantTables(body)
	case marker == 0xdd && len(body) == 2:
		s.restart = int(binary.BigEndian.Uint16(body))
		return true
	case marker == 0xee: // Adobe's, by which colours may be RGB
		return len(body) < 12 || string(body[:5]) != "Adobe" || body[11] == 1
	}
	return marker >= 0xe0 && marker <= 0xef || marker == 0xfe
}

// frame reads the size and the components (§B.2.2).
func (s *sequential) frame(body []byte) bool {
	if s.components != nil || len(body) < 6 || body[0] != 8 || len(body) != 6+3*int(body[5]) || body[5] != 1 && body[5] != 3 {
		return false
	}
	s.h, s.w = int(binary.BigEndian.Uint16(body[1:])), int(binary.BigEndian.Uint16(body[3:]))
	for p := body[6:]; len(p) > 0; p = p[3:] {
		c := component{id: p[0], h: int(p[1] >> 4), v: int(p[1] & 15), quant: p[2]}
		if c.quant > 3 {
			return false
		}
		s.components = append(s.components, c)
	}
	if len(s.components) == 1 {
		s.components[0].h, s.components[0].v = 1, 1
		return s.w > 0 && s.h > 0
	}
	y, cb, cr := s.components[0], s.components[1], s.components[2]
	rgb := y.id == 'R' && cb.id == 'G' && cr.id == 'B'
	_, known := coarser[[2]int{y.h, y.v}]
	return s.w > 0 && s.h > 0 && !rgb && known && cb.h == 1 && cb.v == 1 && cr.h == 1 && cr.v == 1 && y.id != cb.id && y.id != cr.id && cb.id != cr.id
}

// coarser are the ways of storing colour coarser that are known here, by how many blocks of brightness lie over one of it.
var coarser = map[[2]int]image.YCbCrSubsampleRatio{
	{1, 1}: image.YCbCrSubsampleRatio444, {2, 1}: image.YCbCrSubsampleRatio422,
	{2, 2}: image.YCbCrSubsampleRatio420, {1, 2}: image.YCbCrSubsampleRatio440,
}

// quantTables reads what coefficients are multiplied by (§B.2.4.1).
func (s *sequential) quantTables(body []byte) bool {
	for len(body) >= 65 && body[0] <= 3 {
		for i, v := range body[1:65] {
			s.quant[body[0]][i] = int32(v)
		}
		body = body[65:]
	}
	return len(body) == 0
}

// huffmanTables reads codes (§B.2.4.2).
func (s *sequential) huffmanTables(body []byte) bool {
	for len(body) >= 17 && body[0]&0xef <= 3 {
		n := 0
		for _, v := range body[1:17] {
			n += int(v)
		}
		if n > 256 || len(body) < 17+n {
			return false
		}
		t, ok := newHuffman([16]byte(body[1:17]), body[17:17+n], body[0]&0x10 != 0)
		if !ok {
			return false
		}
		if body[0]&0x10 != 0 {
			s.ac[body[0]&3] = t
		} else {
			s.dc[body[0]&3] = t
		}
		body = body[17+n:]
	}
	return len(body) == 0
}

// scan decodes the pixels, which begin at a place of the file (§B.2.3).
func (s *sequential) scan(body []byte, at int) (image.Image, error) {
	n := len(s.components)
	if n == 0 || len(body) != 1+2*n+3 || int(body[0]) != n || body[2*n+1] != 0 || body[2*n+2] != 63 || body[2*n+3] != 0 {
		return nil, errSequential
	}
	for i := range s.components {
		c, tables := &s.components[i], body[2+2*i]
		if body[1+2*i] != c.id || tables&0xcc != 0 {
			return nil, errSequential
		}
		if c.dc, c.ac = s.dc[tables>>4], s.ac[tables&15]; c.dc == nil || c.ac == nil {
			return nil, errSequential
		}
	}
	m := s.allocate()
	if !s.pixels(&scanBits{b: s.b, at: at}) {
		return nil, errSequential
	}
	return m, nil
}

// allocate makes room for whole blocks, and answers the part of them that is the picture.
func (s *sequential) allocate() image.Image {
	across, down := s.blocks()
	y := &s.components[0]
	all := image.Rect(0, 0, 8*y.h*across, 8*y.v*down)
	if len(s.components) == 1 {
		m := image.NewGray(all)
		y.pix, y.stride = m.Pix, m.Stride
		return m.SubImage(image.Rect(0, 0, s.w, s.h))
	}
	m := image.NewYCbCr(all, coarser[[2]int{y.h, y.v}])
	y.pix, y.stride = m.Y, m.YStride
	s.components[1].pix, s.components[1].stride = m.Cb, m.CStride
	s.components[2].pix, s.components[2].stride = m.Cr, m.CStride
	return m.SubImage(image.Rect(0, 0, s.w, s.h))
}

// blocks is how many blocks of pixels the picture is across and down; each holds all blocks of its components.
func (s *sequential) blocks() (across, down int) {
	y := s.components[0]
	return (s.w + 8*y.h - 1) / (8 * y.h), (s.h + 8*y.v - 1) / (8 * y.v)
}

// pixels decodes all blocks; false where the data ends before they do, or goes on behind them.
func (s *sequential) pixels(r *scanBits) bool {
	var block [64]int32
	across, down := s.blocks()
	left, mark := s.restart, byte(0)
	for y := range down {
		for x := range across {
			if s.restart > 0 && left == 0 {
				if !r.mark(0xd0 + mark) {
					return false
				}
				left, mark = s.restart, (mark+1)&7
				for i := range s.components {
					s.components[i].prediction = 0
				}
			}
			left--
			for i := range s.components {
				c := &s.components[i]
				quant := &s.quant[c.quant]
				for k := range c.h * c.v {
					seen, ok := r.block(&block, c, quant)
					if !ok {
						return false
					}
					at := 8 * ((y*c.v+k/c.h)*c.stride + x*c.h + k%c.h)
					show(&block, seen, c.pix[at:], c.stride)
				}
			}
		}
		if r.beyond > r.n {
			return false // the data has ended
		}
	}
	return r.mark(0xd9)
}
