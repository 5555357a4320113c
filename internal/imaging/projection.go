package imaging

// Projection is a projective map of the plane, a 3×3 matrix by rows: (u, v) goes to
// ((m₀u + m₁v + m₂) / w, (m₃u + m₄v + m₅) / w) with w = m₆u + m₇v + m₈.
type Projection [9]float64

// Projection takes the unit square to q, its corners (0, 0), (1, 0), (1, 1), (0, 1) to q's in their order; m₈ is 1. It is
// the closed form of P. S. Heckbert, Fundamentals of Texture Mapping and Image Warping, 1989, §2.2.3. Of a parallelogram it
// is affine (m₆ and m₇ are 0). It is meant for convex quads: of one that is not, w is 0 along a line through the square. A
// quad whose last three corners lie on one line has no such map and gets an affine one that leaves the third corner out;
// one with all corners in one place sends everything there.
func (q Quad) Projection() Projection {
	dx1, dy1 := q[1].X-q[2].X, q[1].Y-q[2].Y
	dx2, dy2 := q[3].X-q[2].X, q[3].Y-q[2].Y
	sx, sy := q[0].X-q[1].X+q[2].X-q[3].X, q[0].Y-q[1].Y+q[2].Y-q[3].Y
	var g, h float64
	if det := dx1*dy2 - dx2*dy1; det != 0 {
		g, h = (sx*dy2-dx2*sy)/det, (dx1*sy-sx*dy1)/det
	}
	return Projection{
		q[1].X - q[0].X + g*q[1].X, q[3].X - q[0].X + h*q[3].X, q[0].X,
		q[1].Y - q[0].Y + g*q[1].Y, q[3].Y - q[0].Y + h*q[3].Y, q[0].Y,
		g, h, 1,
	}
}

// At is where (u, v) goes. Its coordinates are infinite or not numbers where w is 0, on the horizon.
func (m Projection) At(u, v float64) Point {
	w := m[6]*u + m[7]*v + m[8]
	return Point{(m[0]*u + m[1]*v + m[2]) / w, (m[3]*u + m[4]*v + m[5]) / w}
}
