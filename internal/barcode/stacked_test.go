package barcode

import (
	"context"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

func TestSoftReadingOfACleanCode(t *testing.T) {
	for _, pixels := range []int{2, 3, 5} {
		for _, columns := range []int{3, 8, 14} {
			m, err := WritePDF417(licence, columns, 5)
			if err != nil {
				t.Logf("%d columns: %v", columns, err)
				continue
			}
			g := printed(m, pixels)
			w, h := float64(g.W), float64(g.H)
			for _, q := range []imaging.Quad{{{X: 0, Y: 0}, {X: w, Y: 0}, {X: w, Y: h}, {X: 0, Y: h}}, {{X: w, Y: h}, {X: 0, Y: h}, {X: 0, Y: 0}, {X: w, Y: 0}}} {
				c, _, ok := readStacked(context.Background(), g, []region{{quad: q}})
				if !ok || c.Text != licence {
					t.Errorf("%d pixels, %d columns: %v %q", pixels, columns, ok, c.Text)
				}
			}
		}
	}
}
