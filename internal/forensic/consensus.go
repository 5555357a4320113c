package forensic

import "math"

// consensus is what the spectra of all tiles have in common once each is seen as from the middle of the page. A lattice
// that is fixed to the page (a screen's pixels, a print's dots) has one frequency there, whatever perspective and the
// sensor's sampling made of it: every frequency is looked up where each tile would fold it to.
type consensus struct {
	nats []float32 // (kx + reach) + (ky)·(2·reach+1), ky from 0
}

// reach is the highest frequency that is considered, in 1/tileSide cycles a pixel at the middle of the page: a third
// beyond what the sensor can show without folding it back.
const reach = 170

const consensusWide = 2*reach + 1

// view is how a tile is turned, scaled and sheared against the middle of the page: a frequency seen from the middle is
// lookup × frequency in the tile.
type view struct {
	lookup matrix
	power  spectrum
}

func (m frame) view(u, v float64) (matrix, bool) {
	middle, ok := m.around(.5, .5).inverse()
	if !ok {
		return matrix{}, false
	}
	moved, ok := m.around(u, v).times(middle).inverse()
	return moved.transposed(), ok
}

// agree averages the spectra.
func agree(views []view) consensus {
	c := consensus{nats: make([]float32, consensusWide*(reach+1))}
	seen := make([]uint8, len(c.nats))
	for i := range views {
		views[i].add(c.nats, seen)
	}
	for i, n := range seen {
		if n == 0 || 2*int(n) < len(views) {
			c.nats[i] = missing
		} else {
			c.nats[i] /= float32(n)
		}
	}
	return c
}

// add adds the spectrum, as seen from the middle of the page, and counts where it says something. Places are looked up in 1/65 536
// of a frequency.
func (v *view) add(sums []float32, seen []uint8) {
	const unit = 1 << 16
	dx, dy := int64(v.lookup[0]*unit), int64(v.lookup[2]*unit)
	for ky := range reach + 1 {
		wide := int(math.Sqrt(float64(reach*reach - ky*ky)))
		x := int64((v.lookup[1]*float64(ky)-v.lookup[0]*float64(wide)+.5)*unit + .5)
		y := int64((v.lookup[3]*float64(ky)-v.lookup[2]*float64(wide)+.5)*unit + .5)
		at := ky*consensusWide + reach - wide
		to, n := sums[at:at+2*wide+1], seen[at:at+2*wide+1]
		for i := range to {
			if p := v.power[y>>16&(tileSide-1)*tileSide+x>>16&(tileSide-1)]; p > missing {
				to[i] += p
				n[i]++
			}
			x, y = x+dx, y+dy
		}
	}
}

// peak is a frequency that stands out of its surroundings.
type peak struct {
	kx, ky int     // in 1/tileSide cycles a pixel at the middle of the page
	nats   float64 // by how much, natural logarithm of power
}

func (c consensus) at(x, y int) float32 {
	if y < 0 {
		x, y = -x, -y
	}
	if y > reach || x < -reach || x > reach {
		return missing
	}
	return c.nats[y*consensusWide+x+reach]
}

// peaks lists the points that stand out most, at most limit, by falling height. What is a ridge, as the edges of letters
// and lines make, is no point. Nothing below lowest counts, which is in 1/tileSide cycles a pixel.
func (c consensus) peaks(limit int, lowest float64) []peak {
	var out []peak
	for y := 0; y <= reach-nearBox; y++ {
		for x := -reach + nearBox; x <= reach-nearBox; x++ {
			v := c.at(x, y)
			if v == missing || y == 0 && x < 0 || !c.summit(x, y, v) || folded(x, y) < away(x, y, lowest) || x*x+y*y > (reach-nearBox)*(reach-nearBox) {
				continue
			}
			if nats := float64(v - max(0, c.ridge(x, y))); nats > 0 {
				out = insert(out, peak{x, y, nats}, limit)
			}
		}
	}
	return out
}

// away is how far from the sensor's own frequency a frequency must lie: twice as far where it is folded back, for that is
// where the page's patterns would have to come from.
func away(x, y int, lowest float64) float64 {
	if max(abs(x), abs(y)) > tileSide/2 {
		return math.Max(2*lowestBin, 1.5*lowest)
	}
	return lowest
}

// folded is how far a frequency lies from the nearest multiple of the sensor's own, where the page's large patterns fold to.
func folded(x, y int) float64 {
	near := func(v int) float64 { return float64(abs((v+tileSide/2)&(tileSide-1) - tileSide/2)) }
	return math.Hypot(near(x), near(y))
}

func insert(list []peak, p peak, limit int) []peak {
	list = append(list, p)
	for i := len(list) - 1; i > 0 && list[i].nats > list[i-1].nats; i-- {
		list[i], list[i-1] = list[i-1], list[i]
	}
	return list[:min(len(list), limit)]
}

func (c consensus) summit(x, y int, v float32) bool {
	for dy := -2; dy <= 2; dy++ {
		for dx := -2; dx <= 2; dx++ {
			if c.at(x+dx, y+dy) > v {
				return false
			}
		}
	}
	return true
}

// ridge is the highest mean along a line through the point, without the point itself.
func (c consensus) ridge(x, y int) float32 {
	best := float32(0)
	for _, d := range [8][2]int{{4, 0}, {0, 4}, {3, 3}, {3, -3}, {4, 2}, {2, 4}, {4, -2}, {2, -4}} {
		var sum float32
		n := 0
		for _, k := range [4]int{-2, -1, 1, 2} {
			if v := c.at(x+k*d[0], y+k*d[1]); v != missing {
				sum += v
				n++
			}
		}
		if n >= 3 {
			best = max(best, sum/float32(n))
		}
	}
	return best
}
