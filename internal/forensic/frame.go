package forensic

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// frame maps the page, 0–1 each way, to the picture.
type frame imaging.Projection

func frameOf(q imaging.Quad) frame { return frame(q.Projection()) }

// at is where a place of the page lies in the picture, in pixels.
func (m frame) at(u, v float64) imaging.Point { return imaging.Projection(m).At(u, v) }

// matrix is 2×2, by rows.
type matrix [4]float64

// around is by how many pixels the picture moves with the page at a place.
func (m frame) around(u, v float64) matrix {
	w := m[6]*u + m[7]*v + 1
	x, y := (m[0]*u+m[1]*v+m[2])/w, (m[3]*u+m[4]*v+m[5])/w
	return matrix{(m[0] - x*m[6]) / w, (m[1] - x*m[7]) / w, (m[3] - y*m[6]) / w, (m[4] - y*m[7]) / w}
}

func (a matrix) times(b matrix) matrix {
	return matrix{a[0]*b[0] + a[1]*b[2], a[0]*b[1] + a[1]*b[3], a[2]*b[0] + a[3]*b[2], a[2]*b[1] + a[3]*b[3]}
}

// inverse is that of a; false where there is none.
func (a matrix) inverse() (matrix, bool) {
	d := a[0]*a[3] - a[1]*a[2]
	if !finite(d) || math.Abs(d) < 1e-9 {
		return matrix{}, false
	}
	return matrix{a[3] / d, -a[1] / d, -a[2] / d, a[0] / d}, true
}

func (a matrix) transposed() matrix { return matrix{a[0], a[2], a[1], a[3]} }
