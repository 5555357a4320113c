package forensic

import "math"

// Lattice is the strongest regular pattern of points that is fixed to a page.
type Lattice struct {
	// Nats is by how much its frequency stands out of those around it, on average over the places looked at, natural
	// logarithm of power, 0 to 1.3: a place counts with 1.2 and hardly more. Fine print that varies from place to place stays below 0.8.
	Nats float64
	// Period in pixels of the picture at the middle of the page; 0 for none. A pattern finer than two pixels shows folded
	// back by the sensor.
	Period float64
	// Angle against the page's edges, −45° to 45°: that of all frequencies which stand out nearly as much, and are coarse enough
	// to show as they are, that is turned most; 0 where none is. A screen's pixels lie along the page that it shows, whatever
	// their colour; of the dots of a print each ink has an angle of its own, by custom 0°, 15°, 45° and 75°.
	Angle float64
	// Places of the page that were looked at. Below 6 nothing is said and Nats is 0.
	Places int
}

// LeastPlaces is how many places of a page must be fit to look at for a Lattice to say anything.
const LeastPlaces = 6

const (
	// coarsest is the largest pattern that counts, in cycles a millimetre: the coarsest print has 3.3, the waves and rows of
	// letters of a page have less than 2.8.
	coarsest = 2.8
	// leastPerMM is the resolution in pixels a millimetre below which no pattern counts: the sensor shows less of a print's dots than of
	// the rows and strokes of small letters.
	leastPerMM = 9
	// rival is the part of the highest peak from which a lower frequency is the pattern's fundamental, and from which an angle counts.
	rival = .8
	// unfolded is the finest pattern whose angle counts, in 1/tileSide cycles a pixel: what is finer may be the sensor's echo of
	// something else, which lies anyhow.
	unfolded = 58
	// second is the part of the highest peak that one in another direction has at least, and apart the sine of the angle between.
	second, apart = .6, .35
	// most peaks that are looked at: those of all inks, each in two directions, some of them as two or three neighbours.
	most = 24
)

// Grid looks for a lattice in the page. width is the page's in millimetres, as its kind has it; 0 where that is not
// known, then 100 is assumed. It costs about 20 ms.
func (p *Places) Grid(width float64) Lattice {
	if width <= 0 || !finite(width) {
		width = 100
	}
	views := p.views()
	l := Lattice{Places: len(views)}
	if len(views) < LeastPlaces || p.across < leastPerMM*width {
		return l
	}
	lowest := math.Max(lowestBin+2, coarsest*tileSide*width/math.Max(1, p.across))
	found := agree(views).peaks(most, lowest)
	if len(found) == 0 {
		return l
	}
	if !crossed(found) {
		return l
	}
	l.Nats = found[0].nats
	best := found[0]
	for _, f := range found[1:] {
		if f.nats >= rival*l.Nats && 3*(f.kx*f.kx+f.ky*f.ky) < 2*(best.kx*best.kx+best.ky*best.ky) {
			best = f
		}
	}
	l.Period = tileSide / math.Hypot(float64(best.kx), float64(best.ky))
	for _, f := range found {
		if a := p.page.angle(middle(found, f)); f.nats >= rival*l.Nats && f.kx*f.kx+f.ky*f.ky <= unfolded*unfolded && math.Abs(a) > math.Abs(l.Angle) {
			l.Angle = a
		}
	}
	return l
}

// crossed reports whether what stands out runs in two directions, as a lattice does. Rules of a table and rows of dashes run in one.
func crossed(found []peak) bool {
	best := found[0]
	ax, ay := unfold(best)
	for _, f := range found[1:] {
		bx, by := unfold(f)
		if f.nats >= second*best.nats && math.Abs(ax*by-ay*bx) > apart*math.Hypot(ax, ay)*math.Hypot(bx, by) {
			return true
		}
	}
	return false
}

// unfold returns the frequency that a sensor shows for one beyond its own.
func unfold(p peak) (x, y float64) {
	near := func(v int) float64 { return float64((v+tileSide/2)&(tileSide-1) - tileSide/2) }
	return near(p.kx), near(p.ky)
}

// middle is that of the peaks round one: what stands out as far as can be said is a few frequencies wide.
func middle(found []peak, of peak) peak {
	var sum peak
	n := 0
	for _, f := range found {
		if abs(f.kx-of.kx) <= 3 && abs(f.ky-of.ky) <= 3 {
			sum.kx, sum.ky = sum.kx+f.kx, sum.ky+f.ky
			n++
		}
	}
	const fine = 1000 // only its direction counts
	return peak{kx: sum.kx * fine / n, ky: sum.ky * fine / n, nats: of.nats}
}

// views takes the spectra of the page's calm places, two for the price of one.
func (p *Places) views() []view {
	var out []view
	tiles := p.calmest()
	for i := 0; i < len(tiles); i += 2 {
		pair := [2]tile{tiles[i], tiles[min(i+1, len(tiles)-1)]}
		a, b := spectra(pair[0].values(), pair[1].values())
		for k, power := range []spectrum{a, b} {
			if lookup, ok := p.page.view(pair[k].u, pair[k].v); ok && i+k < len(tiles) {
				out = append(out, view{lookup, power})
			}
		}
	}
	return out
}

// angle is that of a frequency of the picture's middle against the page's upper edge, in degrees, −45 to 45.
func (m frame) angle(p peak) float64 {
	j := m.around(.5, .5)
	// The upper edge's direction, and the frequency as it runs along and across it.
	length := math.Hypot(j[0], j[2])
	if length == 0 {
		return 0
	}
	ux, uy := j[0]/length, j[2]/length
	a := math.Atan2(-float64(p.kx)*uy+float64(p.ky)*ux, float64(p.kx)*ux+float64(p.ky)*uy) * 180 / math.Pi
	a = math.Mod(a+360+45, 90) - 45
	return a
}
