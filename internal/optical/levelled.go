package optical

import (
	"math"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// levelled is the page by itself: what lies within its corners, seen from straight above. Copies are made as large as they are
// needed, each out of the picture.
type levelled struct {
	img  *imaging.Photo
	quad imaging.Quad
	kept *imaging.RGB // what small answered
}

// The longest sides of the copies.
const (
	rectified = 1600     // faces as small as a ghost image are looked at
	measured  = 1024     // what imaging.Sharpness measures
	coloured  = faceSide // glare, colour, and where faces are
)

// pictured is the longest side that the whole picture has at the scale of the largest copy: what a page shows in a picture that
// it fills is what is measured, however fine the camera.
const pictured = 1600

// size is that of a copy whose longest side is at most so long.
func (p *levelled) size(longest float64) (w, h int) {
	across := math.Hypot(p.quad[1].X-p.quad[0].X, p.quad[1].Y-p.quad[0].Y)
	down := math.Hypot(p.quad[3].X-p.quad[0].X, p.quad[3].Y-p.quad[0].Y)
	scale := min(1, pictured/float64(max(p.img.W, p.img.H, 1)), longest/math.Max(1, math.Max(across, down)))
	return max(1, int(math.Round(across*scale))), max(1, int(math.Round(down*scale)))
}

// gray is the page's brightness.
func (p *levelled) gray(longest float64) *imaging.Gray {
	w, h := p.size(longest)
	return p.img.WarpGray(p.quad, w, h)
}

// colour is the page.
func (p *levelled) colour(longest float64) *imaging.RGB {
	w, h := p.size(longest)
	return p.img.Warp(p.quad, w, h)
}

// small is a copy that shows as much as faces and colours need. It is made once.
func (p *levelled) small() *imaging.RGB {
	if p.kept == nil {
		p.kept = p.colour(coloured)
	}
	return p.kept
}
