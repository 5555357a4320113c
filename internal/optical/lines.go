package optical

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// How the lines of a page without a machine-readable zone are chosen and read.
const (
	allGap    = 1.6 // boxes of one row are apart by at most this part of their height: a field's number and its value
	allAcross = 7.5 // lines are from the portrait at most so many of its widths to the side
	allAlong  = 4.5 // and of its heights up or down
	allSlant  = 4.0 // degrees between a line and the page's: print that lies about on the desk lies otherwise

	// The page's slant is that of the lines which are so near to the portrait, in its widths and heights.
	slantAcross, slantAlong = 4.8, 2.4
)

// pageLines are the rows that can be the document's, as many as may be read.
func (w *work) pageLines(boxes []strip) []strip {
	var lines []strip
	for _, r := range joinOverlapping(joinRows(boxes, allGap)) {
		if w.nearPortrait(r.strip) {
			lines = append(lines, r.strip)
		}
	}
	slant := w.slant(lines)
	lines = slices.DeleteFunc(lines, func(s strip) bool { return !w.level(s, slant) })
	x, y := w.middle()
	return nearestTo(lines, imaging.Point{X: x, Y: y}, w.r.options.Lines)
}

// joinOverlapping makes one row of those that lie over each other on one axis: the detector saw one line as two.
func joinOverlapping(rows []row) []row {
	for i := 0; i < len(rows); i++ {
		for j := i + 1; j < len(rows); j++ {
			a, b := rows[i], rows[j]
			along, off := a.locate(centre(b.strip))
			space := math.Abs(along) - a.length/2 - alongOf(a.strip, b.strip)/2
			if math.Abs(off) > rowDrift*math.Min(a.height, b.height) || space > 0 || !continues(a.strip, b.strip) {
				continue
			}
			rows[i] = a.with(b.strip)
			rows = slices.Delete(rows, j, j+1)
			j = i
		}
	}
	return rows
}

// level reports whether a strip can be a line of a page that slants so. A short one says nothing of its direction. Where a
// portrait or a zone tells which way the page is up, no line of it runs across.
func (w *work) level(s strip, slant float64) bool {
	off := math.Abs(math.Mod(s.angle()-slant+360+45, 90) - 45)
	if w.page.Portrait != nil || w.zone != nil {
		off = math.Abs(math.Mod(s.angle()-slant+360+90, 180) - 90)
	}
	return s.length < rowLong*s.height || off <= allSlant
}

// slant is by how many degrees the lines of an upright page slant: as the most print beside the portrait does. What lies round
// the page may be more print than is on it.
func (w *work) slant(boxes []strip) float64 {
	if w.page.Portrait == nil {
		return tilt(boxes)
	}
	b := w.page.Portrait.Face.Pixel
	var near []strip
	for _, s := range boxes {
		if s.length >= rowLong*s.height && math.Abs(s.uy) < math.Sqrt2/2 && abs(s.cx-b.X-b.W/2) < slantAcross*b.W && abs(s.cy-b.Y-b.H/2) < slantAlong*b.H {
			near = append(near, s)
		}
	}
	var best []strip
	most := 0.0
	for _, s := range near {
		var like []strip
		total := 0.0
		for _, o := range near {
			if w.level(o, s.angle()) {
				like, total = append(like, o), total+o.length
			}
		}
		if total > most {
			best, most = like, total
		}
	}
	if best == nil {
		return tilt(boxes)
	}
	return tilt(best)
}

// asLines lays short strips along the page's lines, which slant by so many degrees on an upright picture: a single letter is
// often higher than wide, and its longer side is not the one along which it is read.
func asLines(boxes []strip, slant float64) []strip {
	sin, cos := math.Sincos(slant * math.Pi / 180)
	out := slices.Clone(boxes)
	for i, s := range out {
		if s.length < rowLong*s.height && math.Abs(s.ux*cos+s.uy*sin) < math.Sqrt2/2 {
			s.length, s.height = s.height, s.length
			s.ux, s.uy = -s.uy, s.ux
			if s.ux*cos+s.uy*sin < 0 {
				s = s.flipped()
			}
			out[i] = s
		}
	}
	return out
}

// nearestTo are the most strips that are nearest to a point, from top to bottom.
func nearestTo(lines []strip, p imaging.Point, most int) []strip {
	slices.SortFunc(lines, func(a, b strip) int {
		return cmpFloat(math.Hypot(a.cx-p.X, a.cy-p.Y), math.Hypot(b.cx-p.X, b.cy-p.Y))
	})
	lines = lines[:min(len(lines), most)]
	slices.SortFunc(lines, func(a, b strip) int { return cmpFloat(a.cy, b.cy) })
	return lines
}

// middle is where the print of a page is thickest: the middle of the picture's lines, weighted by their length.
func (w *work) middle() (x, y float64) {
	total, slant := 0.0, w.slant(w.boxes)
	for _, s := range w.boxes {
		if w.nearPortrait(s) && w.level(s, slant) {
			x, y, total = x+s.length*s.cx, y+s.length*s.cy, total+s.length
		}
	}
	if total == 0 {
		return 0, 0
	}
	return x / total, y / total
}

func (w *work) nearPortrait(s strip) bool {
	if w.page.Portrait == nil {
		return true
	}
	b := w.page.Portrait.Face.Pixel
	return abs(s.cx-b.X-b.W/2) < allAcross*b.W && abs(s.cy-b.Y-b.H/2) < allAlong*b.H
}
