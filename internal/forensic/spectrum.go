package forensic

import (
	"math"
	"math/bits"
)

// tileSide is the side of the square whose spectrum is taken, in pixels.
const tileSide = 128

// transform is the discrete Fourier transform of tileSide×tileSide values in place, unscaled.
func transform(z []complex64) {
	for y := range tileSide {
		line(z[y*tileSide : (y+1)*tileSide])
	}
	var column [tileSide]complex64
	for x := range tileSide {
		for y := range column {
			column[y] = z[y*tileSide+x]
		}
		line(column[:])
		for y, v := range column {
			z[y*tileSide+x] = v
		}
	}
}

// roots[k] is exp(−2πi·k/tileSide).
var roots = func() (out [tileSide / 2]complex64) {
	for k := range out {
		sin, cos := math.Sincos(-2 * math.Pi * float64(k) / tileSide)
		out[k] = complex(float32(cos), float32(sin))
	}
	return out
}()

// line is the transform of one row (Cooley and Tukey 1965).
func line(z []complex64) {
	const shift = 64 - 7 // tileSide is 2⁷
	for i := range z {
		if j := int(bits.Reverse64(uint64(i)) >> shift); j > i {
			z[i], z[j] = z[j], z[i]
		}
	}
	for size := 2; size <= tileSide; size *= 2 {
		half, step := size/2, tileSide/size
		for at := 0; at < tileSide; at += size {
			low, high := z[at:at+half], z[at+half:at+size]
			for k := range low {
				t := roots[k*step] * high[k]
				high[k] = low[k] - t
				low[k] += t
			}
		}
	}
}

// hann is the window that both directions of a tile are weighted with.
var hann = func() (out [tileSide]float32) {
	for i := range out {
		out[i] = float32(.5 - .5*math.Cos(2*math.Pi*(float64(i)+.5)/tileSide))
	}
	return out
}()

// spectrum is the natural logarithm of the power of a tile, frequency (kx, ky) at ky·tileSide+kx, both modulo tileSide.
type spectrum []float32 // in the end: see stand

// spectra are those of two real tiles, for the price of one transform.
func spectra(a, b []float32) (spectrum, spectrum) {
	z := make([]complex64, tileSide*tileSide)
	ma, mb := mean(a), mean(b)
	for y := range tileSide {
		for x := range tileSide {
			i := y*tileSide + x
			w := hann[x] * hann[y]
			z[i] = complex((a[i]-ma)*w, (b[i]-mb)*w)
		}
	}
	transform(z)
	pa, pb := make([]float32, len(z)), make([]float32, len(z))
	for y := range tileSide {
		for x := range tileSide {
			i, j := y*tileSide+x, (-y&(tileSide-1))*tileSide+(-x&(tileSide-1))
			u, v := z[i], z[j]
			// The transform of a real tile is its own mirror's conjugate: what is even is a's, what is odd is b's.
			ar, ai := real(u)+real(v), imag(u)-imag(v)
			br, bi := imag(u)+imag(v), real(v)-real(u)
			pa[i], pb[i] = ar*ar+ai*ai, br*br+bi*bi
		}
	}
	return stand(pa), stand(pb)
}

// missing marks a frequency that says nothing: the page's own large patterns, and the edges of a JPEG's blocks.
const missing = -100

// lowestBin: below this many periods a tile lie the page's own patterns.
const lowestBin = 10

// tallest is by how much a tile may say that a frequency stands out: nearly all tiles have to say it, not a few loudly, for rows of
// dashes and rules of a table stand out in half of a page as much as a print's dots do in all of it. What is beyond counts just enough
// to tell a peak from its shoulders.
const (
	tallest = 1.2
	beyond  = .01
)

// stand is by how much each frequency stands out of those around it, in natural logarithms of power, within ±tallest.
// Power is averaged over 3×3 bins first, which also forgives a frequency that drifts. The spectrum of a real tile is its own
// mirror: half of it is worked out.
func stand(p []float32) spectrum {
	rows := make([]float32, len(p))
	for y := range tileSide {
		at := y * tileSide
		for x := range tileSide {
			rows[at+x] = p[at+(x-1)&(tileSide-1)] + p[at+x] + p[at+(x+1)&(tileSide-1)]
		}
	}
	out := make(spectrum, len(p))
	for y := range tileSide/2 + 1 {
		up, at, down := ((y-1)&(tileSide-1))*tileSide, y*tileSide, (y+1)&(tileSide-1)*tileSide
		for x := range tileSide {
			out[at+x] = logarithm((rows[up+x]+rows[at+x]+rows[down+x])/9 + 1)
		}
	}
	out.mirror()
	out.level()
	return out
}

// mirror completes a spectrum of which the first half and one row are known.
func (s spectrum) mirror() {
	for y := tileSide/2 + 1; y < tileSide; y++ {
		from, to := s[(tileSide-y)*tileSide:][:tileSide], s[y*tileSide:][:tileSide]
		to[0] = from[0]
		for x := 1; x < tileSide; x++ {
			to[x] = from[tileSide-x]
		}
	}
}

// logarithm is the natural logarithm of a number from 1 on, to within 1e-5: what is looked for is 1e-1.
func logarithm(v float32) float32 {
	b := math.Float32bits(v)
	exponent := float32(int32(b>>23) - 127)
	m := math.Float32frombits(b&(1<<23-1)|127<<23) - 1 // 0–1
	// ln(1+m), by Abramowitz and Stegun 4.1.43.
	l := m * (.99949556 + m*(-.49190896+m*(.28947478+m*(-.13606275+m*.03215845))))
	return exponent*math.Ln2 + l
}

// nearBox is half the side of what counts as around a frequency.
const nearBox = 8

const nearWide = tileSide + 2*nearBox + 1

// level subtracts the mean around each bin; silent bins do not count.
func (s spectrum) level() {
	sums := make([]float32, nearWide*nearWide)
	for y := 1; y < nearWide; y++ {
		var row float32
		line := (y - 1 - nearBox) & (tileSide - 1) * tileSide
		above, here := sums[(y-1)*nearWide:][:nearWide], sums[y*nearWide:][:nearWide]
		for x := 1; x < nearWide; x++ {
			i := line + (x-1-nearBox)&(tileSide-1)
			if !silent[i] {
				row += s[i]
			}
			here[x] = above[x] + row
		}
	}
	const wide = 2*nearBox + 1
	for y := range tileSide/2 + 1 {
		a, b := sums[y*nearWide:][:nearWide], sums[(y+wide)*nearWide:][:nearWide]
		for x := range tileSide {
			i := y*tileSide + x
			if silent[i] || loud[i] == 0 {
				s[i] = missing
				continue
			}
			v := s[i] - (b[x+wide]-a[x+wide]-b[x]+a[x])*loud[i]
			if v > tallest {
				v = tallest + (v-tallest)*beyond
			}
			s[i] = max(-tallest, v)
		}
	}
	s.mirror()
}

// loud is one over how many bins around each are not silent, 0 where all are.
var loud = func() (out [tileSide * tileSide]float32) {
	for i := range out {
		x, y, n := i%tileSide, i/tileSide, 0
		for dy := -nearBox; dy <= nearBox; dy++ {
			for dx := -nearBox; dx <= nearBox; dx++ {
				if !silent[(y+dy)&(tileSide-1)*tileSide+(x+dx)&(tileSide-1)] {
					n++
				}
			}
		}
		if n > 0 {
			out[i] = 1 / float32(n)
		}
	}
	return out
}()

var silent = func() (out [tileSide * tileSide]bool) {
	for i := range out {
		x, y := i%tileSide, i/tileSide
		x, y = (x+tileSide/2)%tileSide-tileSide/2, (y+tileSide/2)%tileSide-tileSide/2
		out[i] = x*x+y*y < lowestBin*lowestBin || blocky(x, y)
	}
	return out
}()

// blocky: the edges of 8×8 blocks make frequencies of k/8 along the axes.
func blocky(x, y int) bool {
	near := func(v int) bool { v &= 15; return v <= 1 || v == 15 }
	return abs(y) <= 2 && near(x) || abs(x) <= 2 && near(y)
}

func abs(v int) int {
	if v < 0 {
		return -v
	}
	return v
}

func mean(v []float32) float32 {
	var sum float64
	for _, x := range v {
		sum += float64(x)
	}
	return float32(sum / float64(max(1, len(v))))
}
