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

// tallest is by how much a tile may say that a frequency stands out: many tiles have to say it, not a few loudly.
const tallest = 2.5

// stand is by how much each frequency stands out of those around it, in natural logarithms of power, within ±tallest.
// Power is averaged over 3×3 bins first, which also forgives a frequency that drifts.
func stand(p []float32) spectrum {
	rows := make([]float32, len(p))
	for y := range tileSide {
		for x := range tileSide {
			at := y * tileSide
			rows[at+x] = p[at+(x-1)&(tileSide-1)] + p[at+x] + p[at+(x+1)&(tileSide-1)]
		}
	}
	out := make(spectrum, len(p))
	for y := range tileSide {
		up, down := ((y-1)&(tileSide-1))*tileSide, ((y+1)&(tileSide-1))*tileSide
		for x := range tileSide {
			i := y*tileSide + x
			out[i] = float32(math.Log(float64(rows[up+x]+rows[i]+rows[down+x])/9 + 1))
		}
	}
	out.level()
	return out
}

// nearBox is half the side of what counts as around a frequency.
const nearBox = 8

// level subtracts the mean around each bin; silent bins do not count.
func (s spectrum) level() {
	const n = tileSide + 2*nearBox + 1
	sums, counts := make([]float32, n*n), make([]int32, n*n)
	for y := 1; y < n; y++ {
		var row float32
		var count int32
		for x := 1; x < n; x++ {
			i := ((y-1-nearBox)&(tileSide-1))*tileSide + (x-1-nearBox)&(tileSide-1)
			if !silent[i] {
				row += s[i]
				count++
			}
			sums[y*n+x], counts[y*n+x] = sums[(y-1)*n+x]+row, counts[(y-1)*n+x]+count
		}
	}
	for y := range tileSide {
		for x := range tileSide {
			i := y*tileSide + x
			a, b := y*n+x, (y+2*nearBox+1)*n+x
			c := counts[b+2*nearBox+1] - counts[a+2*nearBox+1] - counts[b] + counts[a]
			if silent[i] || c == 0 {
				s[i] = missing
				continue
			}
			sum := sums[b+2*nearBox+1] - sums[a+2*nearBox+1] - sums[b] + sums[a]
			s[i] = max(-tallest, min(tallest, s[i]-sum/float32(c)))
		}
	}
}

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

func (s spectrum) at(x, y int) float32 { return s[(y&(tileSide-1))*tileSide+(x&(tileSide-1))] }
