package liveness

import "math"

// Relief is where the tip of the nose lies against eyes and mouth, which only a thing with depth can change. A plane keeps
// both numbers whatever is done to it, but for a hundredth or two by perspective; so does a sheet bent around an upright
// axis with Side. A head changes them by about a hundredth a degree.
type Relief struct {
	Side float64 // off the line from the eyes to the mouth, in lengths of that line; > 0 to the left of the picture
	Nod  float64 // along that line, 0 at the eyes, 1 at the mouth; rises when the head nods down
	Long float64 // length of that line, parts of the frame's width
	Wide float64 // between the eyes, parts of the frame's width
}

// ReliefOf reads the relief out of 68 landmarks (idv.TrackFrame.Marks); false where there are none or they are one point.
func ReliefOf(marks []int) (Relief, bool) {
	if len(marks) != 136 {
		return Relief{}, false
	}
	mean := func(at ...int) (x, y float64) {
		for _, i := range at {
			x, y = x+float64(marks[2*i])/float64(len(at)), y+float64(marks[2*i+1])/float64(len(at))
		}
		return x, y
	}
	lx, ly := mean(36, 39)
	rx, ry := mean(42, 45)
	mx, my := mean(48, 54)
	nx, ny := mean(30)
	ex, ey := (lx+rx)/2, (ly+ry)/2
	ax, ay := mx-ex, my-ey
	square, wide := ax*ax+ay*ay, math.Hypot(rx-lx, ry-ly)
	if square < 1 || wide < 1 {
		return Relief{}, false
	}
	dx, dy := nx-ex, ny-ey
	return Relief{
		Side: (dy*ax - dx*ay) / square, Nod: (dx*ax + dy*ay) / square,
		Long: math.Sqrt(square) / 1e4, Wide: wide / 1e4,
	}, true
}

// What a head's nose moves by a degree of turning and of nodding, lengths.
const (
	sideDegree = .0105
	nodDegree  = .0100
)

// Degrees are how far a head is turned from where side and nod are those given: to the left of the picture, and up.
func (r Relief) Degrees(side, nod float64) (yaw, pitch float64) {
	return (r.Side - side) / sideDegree, (nod - r.Nod) / nodDegree
}
