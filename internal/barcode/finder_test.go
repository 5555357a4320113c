package barcode

import (
	"bytes"
	"math/rand/v2"
	"testing"

	"github.com/ericlevine/zxinggo/bitutil"
)

func TestAPixelIsDarkIfItIsDarkerThanThoseAroundIt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for n := range 300 {
		row, want, got := make([]uint8, n), make([]uint8, n), make([]uint8, n)
		for x := range row {
			row[x] = uint8(r.IntN(40 + n))
		}
		for x, v := range row {
			sum, count := 0, 0
			for i := max(0, x-lightReach); i < min(n, x+lightReach+1); i++ {
				sum, count = sum+int(row[i]), count+1
			}
			if (int(v)+lightGap)*count < sum {
				want[x] = 1
			}
		}
		if darker(got, row); !bytes.Equal(got, want) {
			t.Fatalf("%d pixels: got %v, want %v", n, got, want)
		}
	}
}

// finders counts as countFinders does, pixel by pixel.
func finders(m *bitutil.BitMatrix) int {
	var found []finder
	for y := range m.Height() {
		runs, start, n := [5]int{}, 0, 0
		for x := 1; x <= m.Width(); x++ {
			if x < m.Width() && m.Get(x, y) == m.Get(x-1, y) {
				continue
			}
			if n > 0 || m.Get(x-1, y) {
				copy(runs[:], runs[1:])
				runs[4], n = x-start, n+1
				if n >= 5 && m.Get(x-1, y) && ratios(runs) {
					found = addFinder(found, m, x, y, runs)
				}
			}
			start = x
		}
	}
	return min(len(found), maxFinders+1)
}

func TestFinderPatternsAreCountedAsPixelByPixel(t *testing.T) {
	r, most := rand.New(rand.NewPCG(3, 4)), 0
	for n := range 200 {
		m := bitutil.NewBitMatrixWithSize(1+r.IntN(300), 1+r.IntN(60))
		for y := range m.Height() {
			for x := range m.Width() {
				if r.IntN(8+n) == 0 {
					m.Set(x, y)
				}
			}
		}
		for range r.IntN(8) {
			k, x0, y0 := 1+r.IntN(3), r.IntN(m.Width()), r.IntN(m.Height())
			for i := range 49 * k * k {
				x, y := i%(7*k), i/(7*k)
				ring := max(max(x/k, 6-x/k), max(y/k, 6-y/k))
				if x0+x >= m.Width() || y0+y >= m.Height() {
					continue
				}
				if m.Unset(x0+x, y0+y); ring != 5 {
					m.Set(x0+x, y0+y)
				}
			}
		}
		want := finders(m)
		if got := countFinders(m); got != want {
			t.Fatalf("%d × %d: counted %d, want %d", m.Width(), m.Height(), got, want)
		}
		most = max(most, want)
	}
	if most < 3 {
		t.Errorf("no more than %d patterns in a picture", most)
	}
}
