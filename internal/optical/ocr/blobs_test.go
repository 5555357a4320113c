package ocr

import (
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// inked is whether a pixel is ink, by its definition.
func inked(g *imaging.Gray, x, y int, ink Ink) bool {
	sum, n := 0, 0
	for v := max(0, y-inkAround); v < min(g.H, y+inkAround+1); v++ {
		for u := max(0, x-inkAround); u < min(g.W, x+inkAround+1); u++ {
			sum, n = sum+int(g.At(u, v)), n+1
		}
	}
	mean := sum / n
	return int(g.At(x, y))+inkLevels+mean*int(ink)/100 < mean
}

func TestInkIsDarkerThanWhatIsAroundIt(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, size := range [][2]int{{1, 1}, {5, 40}, {24, 7}, {25, 25}, {26, 12}, {90, 60}} {
		for _, ink := range []Ink{AnyInk, PrintInk} {
			for _, spread := range []int{2, 30, 256} {
				g := imaging.NewGray(size[0], size[1])
				for i := range g.Pix {
					g.Pix[i] = uint8(255 - r.IntN(spread))
				}
				sums, below := integral(g), ink.shades()
				for y := range g.H {
					var want []run
					for x := range g.W {
						switch last := len(want) - 1; {
						case !inked(g, x, y, ink):
						case last >= 0 && want[last].to == x:
							want[last].to++
						default:
							want = append(want, run{x, x + 1, -1})
						}
					}
					if got := inkRuns(g, sums, y, &below); !slices.Equal(got, want) {
						t.Fatalf("%v, ink %d, row %d: got %v, want %v", size, ink, y, got, want)
					}
				}
			}
		}
	}
}
