package barcode

import (
	zxing "github.com/ericlevine/zxinggo"
	"github.com/ericlevine/zxinggo/bitutil"
	"github.com/ericlevine/zxinggo/qrcode"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// maxFinders is how many finder patterns a view may show. The library weighs
// every three of them; a picture tiled with them would keep it busy for hours.
const maxFinders = 60

func readQR(g *imaging.Gray, bin binarize) (Code, bool) {
	c, _, ok := lookQR(g, bin)
	return c, ok
}

// lookQR decodes the QR code of the picture; finders tells that there are enough finder patterns for one.
func lookQR(g *imaging.Gray, bin binarize) (c Code, finders, ok bool) {
	defer func() {
		if recover() != nil { // as in readPDF417
			c, ok = Code{}, false
		}
	}()
	bits := bitmap(g, bin)
	matrix, err := bits.BlackMatrix()
	if err != nil {
		return Code{}, false, false
	}
	if n := countFinders(matrix); n < 3 || n > maxFinders {
		return Code{}, false, false
	}
	got, err := qrcode.NewReader().Decode(bits, &zxing.DecodeOptions{TryHarder: true})
	if err != nil || got == nil {
		return Code{}, true, false
	}
	c = Code{Format: QR, Text: got.Text, Bytes: latin1(got.Text)}
	if len(got.Points) >= 3 {
		c.Quad = finderQuad(got.Points)
	}
	return c, true, true
}

// finderQuad spans the outer corners from the centres of the three finder
// patterns (bottom-left, top-left, top-right), which lie 3.5 modules inside.
func finderQuad(p []zxing.ResultPoint) imaging.Quad {
	bl, tl, tr := imaging.Point(p[0]), imaging.Point(p[1]), imaging.Point(p[2])
	br := imaging.Point{X: tr.X + bl.X - tl.X, Y: tr.Y + bl.Y - tl.Y}
	return grow(imaging.Quad{tl, tr, br, bl}, .17, .17)
}

// finder is the centre and size of a place that looks like a finder pattern.
type finder struct{ x, y, size float64 }

// countFinders counts places whose runs are 1:1:3:1:1 across and down (ISO/IEC
// 18004 §6.3.3); it stops beyond maxFinders.
func countFinders(m *bitutil.BitMatrix) int {
	var found []finder
	var row *bitutil.BitArray
	for y := range m.Height() {
		row = m.Row(y, row)
		runs, n := [5]int{}, 0 // n are complete so far, black first
		for start := row.GetNextSet(0); start < m.Width(); n++ {
			black := n%2 == 0
			end := row.GetNextSet(start)
			if black {
				end = row.GetNextUnset(start)
			}
			copy(runs[:], runs[1:])
			runs[4] = end - start
			if n >= 4 && black && ratios(runs) {
				found = addFinder(found, m, end, y, runs)
				if len(found) > maxFinders {
					return len(found)
				}
			}
			start = end
		}
	}
	return len(found)
}

func addFinder(found []finder, m *bitutil.BitMatrix, end, y int, runs [5]int) []finder {
	size := float64(runs[0] + runs[1] + runs[2] + runs[3] + runs[4])
	x := float64(end) - size/2
	if !verticalFinder(m, int(x), y, int(size)) {
		return found
	}
	for _, f := range found {
		if abs(f.x-x) < f.size*.6 && abs(f.y-float64(y)) < f.size*.6 {
			return found
		}
	}
	return append(found, finder{x, float64(y), size})
}

// verticalFinder looks down and up from the centre for the same runs.
func verticalFinder(m *bitutil.BitMatrix, x, y, size int) bool {
	if x < 0 || x >= m.Width() || !m.Get(x, y) {
		return false
	}
	var runs [5]int
	walk := func(dir int, order [3]int) {
		at, black := 0, true
		for yy := y; yy >= 0 && yy < m.Height() && at < 3; yy += dir {
			if m.Get(x, yy) != black {
				at, black = at+1, !black
				if at == 3 {
					return
				}
			}
			runs[order[at]]++
			if runs[order[at]] > size {
				return
			}
		}
	}
	walk(-1, [3]int{2, 1, 0})
	walk(1, [3]int{2, 3, 4})
	runs[2]-- // the centre was counted twice
	return ratios(runs)
}

// ratios reports whether the runs are 1:1:3:1:1, each within three quarters of
// a module.
func ratios(runs [5]int) bool {
	sum := 0
	for _, r := range runs {
		if r == 0 {
			return false
		}
		sum += r
	}
	if sum < 7 {
		return false
	}
	module := float64(sum) / 7
	for i, r := range runs {
		want := module
		if i == 2 {
			want = 3 * module
		}
		if abs(float64(r)-want) > .75*want {
			return false
		}
	}
	return true
}

func abs(f float64) float64 { return max(f, -f) }
