package page

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// rectified is the page by itself: what is within its corners, seen from straight above. Each copy is made from the picture, as
// large as it is needed.
type rectified struct {
	img  *imaging.Photo
	quad imaging.Quad
	kept *imaging.RGB // what small returned
}

// FaceSide is the longest side of the copy on which faces are looked for: twice what their detector sees.
const FaceSide = 640

// The longest sides of the copies.
const (
	ghostSide     = 1600     // shows faces as small as a ghost image
	sharpnessSide = 1024     // what imaging.Sharpness measures
	smallSide     = FaceSide // shows glare, colour, and where faces are
)

// pictureSide is the longest side that the whole picture has at the scale of the largest copy: what a page shows in a picture that
// it fills is what is measured, however fine the camera.
const pictureSide = 1600

// size returns that of a copy whose longest side is at most so long.
func (p *rectified) size(longest float64) (w, h int) {
	across := math.Hypot(p.quad[1].X-p.quad[0].X, p.quad[1].Y-p.quad[0].Y)
	down := math.Hypot(p.quad[3].X-p.quad[0].X, p.quad[3].Y-p.quad[0].Y)
	scale := min(1, pictureSide/float64(max(p.img.W, p.img.H, 1)), longest/math.Max(1, math.Max(across, down)))
	return max(1, int(math.Round(across*scale))), max(1, int(math.Round(down*scale)))
}

// gray returns the page's brightness.
func (p *rectified) gray(longest float64) *imaging.Gray {
	w, h := p.size(longest)
	return p.img.WarpGray(p.quad, w, h)
}

// colour returns the page in colour.
func (p *rectified) colour(longest float64) *imaging.RGB {
	w, h := p.size(longest)
	return p.img.Warp(p.quad, w, h)
}

// small returns a copy that shows as much as faces and colours need. It is made once.
func (p *rectified) small() *imaging.RGB {
	if p.kept == nil {
		p.kept = p.colour(smallSide)
	}
	return p.kept
}
