package imaging

import (
	"image"
	"image/color"
)

// FromImage copies any picture of the standard library into an RGB. What is transparent shows white.
func FromImage(m image.Image) *RGB {
	b := m.Bounds()
	if m, ok := m.(*image.YCbCr); ok && b.Min == (image.Point{}) {
		if s := (&store{w: b.Dx(), h: b.Dy()}); s.planar(m) {
			return s.crop(b)
		}
	}
	p := NewRGB(b.Dx(), b.Dy())
	switch m := m.(type) {
	case *image.Gray:
		p.eachRow(func(y int, row []uint8) {
			src := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range p.W {
				v := src[x]
				row[3*x], row[3*x+1], row[3*x+2] = v, v, v
			}
		})
	case *image.RGBA: // premultiplied
		p.eachRow(func(y int, row []uint8) {
			src := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range p.W {
				s, white := src[4*x:4*x+4:4*x+4], 255-src[4*x+3]
				row[3*x], row[3*x+1], row[3*x+2] = s[0]+white, s[1]+white, s[2]+white
			}
		})
	case *image.NRGBA:
		p.eachRow(func(y int, row []uint8) {
			src := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range p.W {
				s := src[4*x : 4*x+4 : 4*x+4]
				row[3*x], row[3*x+1], row[3*x+2] = onWhite(s[0], s[3]), onWhite(s[1], s[3]), onWhite(s[2], s[3])
			}
		})
	case *image.CMYK:
		p.eachRow(func(y int, row []uint8) {
			src := m.Pix[m.PixOffset(b.Min.X, b.Min.Y+y):]
			for x := range p.W {
				s := src[4*x : 4*x+4 : 4*x+4]
				row[3*x], row[3*x+1], row[3*x+2] = color.CMYKToRGB(s[0], s[1], s[2], s[3])
			}
		})
	default:
		p.fromAny(m)
	}
	return p
}

func (p *RGB) eachRow(f func(y int, row []uint8)) {
	for y := range p.H {
		f(y, p.Pix[3*y*p.W:3*(y+1)*p.W])
	}
}

func onWhite(v, alpha uint8) uint8 {
	if alpha == 255 {
		return v
	}
	return uint8((uint32(v)*uint32(alpha) + 255*(255-uint32(alpha)) + 127) / 255)
}

// fromAny is for what is rare: palettes and 16-bit pictures.
func (p *RGB) fromAny(m image.Image) {
	b := m.Bounds()
	p.eachRow(func(y int, row []uint8) {
		for x := range p.W {
			r, g, bl, a := m.At(b.Min.X+x, b.Min.Y+y).RGBA()
			white := 0xffff - a
			row[3*x], row[3*x+1], row[3*x+2] = uint8((r+white)>>8), uint8((g+white)>>8), uint8((bl+white)>>8)
		}
	})
}

// clamp16 rounds down a 16.16 number to 0–255.
func clamp16(v int32) uint8 {
	if uint32(v)&0xff000000 == 0 {
		return uint8(v >> 16)
	}
	return uint8(^(v >> 31))
}
