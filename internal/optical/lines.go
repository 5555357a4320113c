package optical

import (
	"cmp"
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
	"github.com/bonafide-id/bonafide/internal/optical/page"
)

// How the lines of a page without a machine-readable zone are chosen and read.
const (
	allGap   = 1.6 // boxes of one row are apart by at most this part of their height: a field's number and its value
	allSlant = 4.0 // degrees between a line and the page's: print that lies about on the desk lies otherwise

	// The page's slant is that of the lines which are so near to the portrait, in its widths and heights.
	slantAcross, slantAlong = 4.8, 2.4
)

// pageLines are the rows that can be the document's, as many as may be read.
func (w printedText) pageLines(boxes []ocr.Strip) []ocr.Strip {
	var lines []ocr.Strip
	for _, r := range ocr.JoinOverlapping(ocr.JoinRows(boxes, allGap)) {
		if page.NearPortrait(w.page.Portrait, r.Strip) {
			lines = append(lines, r.Strip)
		}
	}
	slant := w.slant(lines)
	lines = slices.DeleteFunc(lines, func(s ocr.Strip) bool { return !w.level(s, slant) })
	x, y := w.middle()
	return nearestTo(lines, imaging.Point{X: x, Y: y}, w.r.options.Lines)
}

// level reports whether a strip can be a line of a page that slants so. A short one says nothing of its direction. Where a
// portrait or a zone tells which way the page is up, no line of it runs across.
func (w printedText) level(s ocr.Strip, slant float64) bool {
	off := math.Abs(math.Mod(s.Angle()-slant+360+45, 90) - 45)
	if w.page.Portrait != nil || w.zone != nil {
		off = math.Abs(math.Mod(s.Angle()-slant+360+90, 180) - 90)
	}
	return !s.Directed() || off <= allSlant
}

// slant is by how many degrees the lines of an upright page slant: as the most print beside the portrait does. What lies round
// the page may be more print than is on it.
func (w printedText) slant(boxes []ocr.Strip) float64 {
	if w.page.Portrait == nil {
		return ocr.Skew(boxes)
	}
	b := w.page.Portrait.Face.Pixel
	var near []ocr.Strip
	for _, s := range boxes {
		if s.Directed() && math.Abs(s.UY) < math.Sqrt2/2 && math.Abs(s.X-b.X-b.W/2) < slantAcross*b.W && math.Abs(s.Y-b.Y-b.H/2) < slantAlong*b.H {
			near = append(near, s)
		}
	}
	var best []ocr.Strip
	most := 0.0
	for _, s := range near {
		var like []ocr.Strip
		total := 0.0
		for _, o := range near {
			if w.level(o, s.Angle()) {
				like, total = append(like, o), total+o.Length
			}
		}
		if total > most {
			best, most = like, total
		}
	}
	if best == nil {
		return ocr.Skew(boxes)
	}
	return ocr.Skew(best)
}

// asLines lays short strips along the page's lines, which slant by so many degrees on an upright picture: a single letter is
// often higher than wide, and its longer side is not the one along which it is read.
func asLines(boxes []ocr.Strip, slant float64) []ocr.Strip {
	sin, cos := math.Sincos(slant * math.Pi / 180)
	out := slices.Clone(boxes)
	for i, s := range out {
		if !s.Directed() && math.Abs(s.UX*cos+s.UY*sin) < math.Sqrt2/2 {
			s.Length, s.Height = s.Height, s.Length
			s.UX, s.UY = -s.UY, s.UX
			if s.UX*cos+s.UY*sin < 0 {
				s = s.Flipped()
			}
			out[i] = s
		}
	}
	return out
}

// nearestTo are the most strips that are nearest to a point, from top to bottom.
func nearestTo(lines []ocr.Strip, p imaging.Point, most int) []ocr.Strip {
	slices.SortFunc(lines, func(a, b ocr.Strip) int {
		return cmp.Compare(math.Hypot(a.X-p.X, a.Y-p.Y), math.Hypot(b.X-p.X, b.Y-p.Y))
	})
	lines = lines[:min(len(lines), most)]
	slices.SortFunc(lines, func(a, b ocr.Strip) int { return cmp.Compare(a.Y, b.Y) })
	return lines
}

// middle is where the print of a page is thickest: the middle of the picture's lines, weighted by their length.
func (w printedText) middle() (x, y float64) {
	total, slant := 0.0, w.slant(w.boxes)
	for _, s := range w.boxes {
		if page.NearPortrait(w.page.Portrait, s) && w.level(s, slant) {
			x, y, total = x+s.Length*s.X, y+s.Length*s.Y, total+s.Length
		}
	}
	if total == 0 {
		return 0, 0
	}
	return x / total, y / total
}
