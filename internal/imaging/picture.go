// Package imaging opens pictures sent by strangers and prepares them for reading.
//
// Open is the only door: it looks at the content and never at the name, compares what the header claims with the
// limits and with the bytes that are really there before anything is allocated, refuses animations, and answers an
// upright picture whatever the file held (turned by EXIF, grey, palette, CMYK, 16-bit, transparent): a Photo, which keeps
// what was stored and makes 8-bit parts and small copies of it, or with Decode the whole of it at once.
//
// The rest is geometry (resize, crop, turn, rectify) and a few measures of quality. Pictures are plain slices without
// padding, so that they can be handed to a network without another copy. Nothing here knows documents or faces.
package imaging

import "image"

// RGB is an upright 8-bit picture: R, G, B interleaved, row stride 3*W, no padding.
type RGB struct {
	W, H int
	Pix  []uint8
}

// Gray is an upright 8-bit picture of luma, row stride W, no padding.
type Gray struct {
	W, H int
	Pix  []uint8
}

// Point is a place in pixels; the centre of the first pixel is (0.5, 0.5).
type Point struct{ X, Y float64 }

// Quad holds the top-left, top-right, bottom-right and bottom-left corner of a thing as it is seen upright.
type Quad [4]Point

// NewRGB returns a black picture of w×h pixels.
func NewRGB(w, h int) *RGB { return &RGB{W: w, H: h, Pix: make([]uint8, 3*w*h)} }

// NewGray returns a black picture of w×h pixels.
func NewGray(w, h int) *Gray { return &Gray{W: w, H: h, Pix: make([]uint8, w*h)} }

// At returns the colour of the pixel in column x and row y, which must be inside.
func (p *RGB) At(x, y int) (r, g, b uint8) {
	i := 3 * (y*p.W + x)
	return p.Pix[i], p.Pix[i+1], p.Pix[i+2]
}

// At returns the luma of the pixel in column x and row y, which must be inside.
func (g *Gray) At(x, y int) uint8 { return g.Pix[y*g.W+x] }

// Gray returns the luma of p (ITU-R BT.601 weights).
func (p *RGB) Gray() *Gray {
	g := NewGray(p.W, p.H)
	src := p.Pix
	for i := range g.Pix {
		s := src[3*i : 3*i+3 : 3*i+3]
		g.Pix[i] = uint8((19595*uint32(s[0]) + 38470*uint32(s[1]) + 7471*uint32(s[2]) + 1<<15) >> 16)
	}
	return g
}

// RGB returns g as a colour picture.
func (g *Gray) RGB() *RGB {
	p := NewRGB(g.W, g.H)
	for i, v := range g.Pix {
		p.Pix[3*i], p.Pix[3*i+1], p.Pix[3*i+2] = v, v, v
	}
	return p
}

// Bounds returns the rectangle (0, 0)–(W, H).
func (p *RGB) Bounds() image.Rectangle { return image.Rect(0, 0, p.W, p.H) }

// Bounds returns the rectangle (0, 0)–(W, H).
func (g *Gray) Bounds() image.Rectangle { return image.Rect(0, 0, g.W, g.H) }

// Crop returns a copy of the part of p inside r. What of r lies outside p is left away; the result may be empty.
func (p *RGB) Crop(r image.Rectangle) *RGB {
	r = r.Intersect(p.Bounds())
	return &RGB{W: r.Dx(), H: r.Dy(), Pix: crop(p.Pix, p.W, 3, r)}
}

// Crop returns a copy of the part of g inside r. What of r lies outside g is left away; the result may be empty.
func (g *Gray) Crop(r image.Rectangle) *Gray {
	r = r.Intersect(g.Bounds())
	return &Gray{W: r.Dx(), H: r.Dy(), Pix: crop(g.Pix, g.W, 1, r)}
}

func crop(pix []uint8, w, ch int, r image.Rectangle) []uint8 {
	out := make([]uint8, r.Dx()*r.Dy()*ch)
	n := r.Dx() * ch
	for y := range r.Dy() {
		at := ((r.Min.Y+y)*w + r.Min.X) * ch
		copy(out[y*n:(y+1)*n], pix[at:at+n])
	}
	return out
}

// Turn returns p turned clockwise by the number of quarter turns, which may be negative.
func (p *RGB) Turn(quarters int) *RGB {
	o := [4]int{1, 6, 3, 8}[quarters&3]
	w, h, pix := orient(p.Pix, p.W, p.H, 3, o)
	return &RGB{W: w, H: h, Pix: pix}
}

// Turn returns g turned clockwise by the number of quarter turns, which may be negative.
func (g *Gray) Turn(quarters int) *Gray {
	o := [4]int{1, 6, 3, 8}[quarters&3]
	w, h, pix := orient(g.Pix, g.W, g.H, 1, o)
	return &Gray{W: w, H: h, Pix: pix}
}

// orient returns a copy set upright according to the EXIF orientation o (1–8; CIPA DC-008 §4.6.4 tag 274).
func orient(pix []uint8, w, h, ch, o int) (int, int, []uint8) {
	out := make([]uint8, len(pix))
	if o <= 1 || o > 8 || len(pix) == 0 {
		copy(out, pix)
		return w, h, out
	}
	// The source pixel (x, y) lands on out[base + x*dx + y*dy].
	ow, oh := w, h
	if o >= 5 {
		ow, oh = h, w
	}
	var base, dx, dy int
	switch o {
	case 2: // mirrored left to right
		base, dx, dy = w-1, -1, ow
	case 3: // upside down
		base, dx, dy = w-1+(h-1)*ow, -1, -ow
	case 4: // mirrored top to bottom
		base, dx, dy = (h-1)*ow, 1, -ow
	case 5: // mirrored along the falling diagonal
		base, dx, dy = 0, ow, 1
	case 6: // needs a quarter turn clockwise
		base, dx, dy = h-1, ow, -1
	case 7: // mirrored along the rising diagonal
		base, dx, dy = h-1+(w-1)*ow, -ow, -1
	case 8: // needs a quarter turn counter-clockwise
		base, dx, dy = (w-1)*ow, -ow, 1
	}
	scatter(out, pix, w, h, ch, base, dx, dy)
	return ow, oh, out
}

// scatter works in tiles, so that both sides of a transposition stay in the cache.
func scatter(out, pix []uint8, w, h, ch, base, dx, dy int) {
	const tile = 32
	for ty := 0; ty < h; ty += tile {
		for tx := 0; tx < w; tx += tile {
			for y := ty; y < min(ty+tile, h); y++ {
				n := min(tile, w-tx)
				src := pix[(y*w+tx)*ch:]
				to := base + tx*dx + y*dy
				if ch == 1 {
					for x := range n {
						out[to] = src[x]
						to += dx
					}
					continue
				}
				for x := range n {
					s := src[3*x : 3*x+3 : 3*x+3]
					d := out[3*to : 3*to+3 : 3*to+3]
					d[0], d[1], d[2] = s[0], s[1], s[2]
					to += dx
				}
			}
		}
	}
}
