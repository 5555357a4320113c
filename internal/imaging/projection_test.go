package imaging

import (
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestAProjectionTakesTheUnitSquareToItsQuad(t *testing.T) {
	square := [4]Point{{0, 0}, {1, 0}, {1, 1}, {0, 1}}
	about := cmpopts.EquateApprox(0, 1e-9)
	for name, c := range map[string]struct {
		quad   Quad
		corner Quad  // where the corners land
		middle Point // where (½, ½) lands: on both diagonals
	}{
		"a square":              {Quad{{0, 0}, {2, 0}, {2, 2}, {0, 2}}, Quad{{0, 0}, {2, 0}, {2, 2}, {0, 2}}, Point{1, 1}},
		"mirrored":              {Quad{{2, 0}, {0, 0}, {0, 2}, {2, 2}}, Quad{{2, 0}, {0, 0}, {0, 2}, {2, 2}}, Point{1, 1}},
		"a page that leans":     {Quad{{2, 0}, {4, 0}, {6, 4}, {0, 4}}, Quad{{2, 0}, {4, 0}, {6, 4}, {0, 4}}, Point{3, 1}},
		"three on one line":     {Quad{{0, 0}, {1, 1}, {2, 2}, {3, 3}}, Quad{{0, 0}, {1, 1}, {4, 4}, {3, 3}}, Point{2, 2}},
		"all in one place":      {Quad{{5, 7}, {5, 7}, {5, 7}, {5, 7}}, Quad{{5, 7}, {5, 7}, {5, 7}, {5, 7}}, Point{5, 7}},
		"a line there and back": {Quad{{0, 0}, {4, 0}, {4, 0}, {0, 0}}, Quad{{0, 0}, {4, 0}, {4, 0}, {0, 0}}, Point{2, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			m := c.quad.Projection()
			var got Quad
			for i, p := range square {
				got[i] = m.At(p.X, p.Y)
			}
			if d := cmp.Diff(c.corner, got, about); d != "" {
				t.Errorf("corners (-want +got):\n%s", d)
			}
			if d := cmp.Diff(c.middle, m.At(.5, .5), about); d != "" {
				t.Errorf("middle (-want +got):\n%s", d)
			}
		})
	}
}

func TestTheHorizonIsNowhere(t *testing.T) {
	m := Quad{{2, 0}, {4, 0}, {6, 4}, {0, 4}}.Projection()
	if p := m.At(0, -m[8]/m[7]); !math.IsInf(p.X, 0) && !math.IsNaN(p.X) {
		t.Errorf("got %v", p)
	}
}
