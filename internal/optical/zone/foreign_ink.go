package zone

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Ink other than the zone's own: a stamp, a signature, a pen. The edge of a stamp under an F makes it an E for both readers, and no
// check digit covers names. Above and below a line of a zone there is paper; what is dark there continues through the characters.
const (
	foreignEdge  = 0.13    // of a crop's height, above the capitals and below them, which is paper
	foreignWide  = 1.0 / 3 // of a pitch on either side of a character, where ink counts as its own
	foreignDark  = 0.3     // of the contrast of ink on paper: backgrounds of fine lines are fainter
	foreignShare = 0.2     // of the paper round one character, from which the dark is more than dirt
	foreignDoubt = 1e-6    // the most that two readers of such a character may doubt it, multiplied
)

// foreignInk marks those of the n characters of a line, from end to end of its crop, that other ink seems to cross.
func foreignInk(crop *imaging.Gray, n int) []bool {
	out := make([]bool, n)
	edge := int(foreignEdge * float64(crop.H))
	limit, ok := foreignLimit(crop)
	if edge == 0 || !ok {
		return out
	}
	for j := range out {
		from, to := float64(j)-foreignWide, float64(j+1)+foreignWide
		pitch := float64(crop.W) / float64(n)
		x0, x1 := max(0, int(math.Round(from*pitch))), min(crop.W, int(math.Round(to*pitch)))
		dark := 0
		for y := range crop.H {
			if y >= edge && y < crop.H-edge {
				continue
			}
			for _, v := range crop.Pix[y*crop.W+x0 : y*crop.W+x1] {
				if v < limit {
					dark++
				}
			}
		}
		out[j] = float64(dark) >= foreignShare*float64(2*edge*(x1-x0))
	}
	return out
}

// foreignLimit returns the shade below which a pixel is ink, given the line's own print and paper. It is false for an empty crop.
func foreignLimit(crop *imaging.Gray) (uint8, bool) {
	core := slices.Sorted(slices.Values(crop.Pix[crop.H/4*crop.W : 3*crop.H/4*crop.W]))
	if len(core) == 0 {
		return 0, false
	}
	ink, paper := float64(core[len(core)*3/100]), float64(core[len(core)*80/100])
	return uint8(paper - foreignDark*(paper-ink)), true
}

// foreignUnder marks, in each line of a decoding, the characters that no check digit covers and that foreign ink seems to cross.
func (s scanner) foreignUnder(d decoding, lines []ocr.Strip) [][]bool {
	out := make([][]bool, len(lines))
	for i, line := range lines {
		out[i] = foreignInk(ocr.CropGray(s.img, line), len(d.lines[i]))
		for j := range out[i] {
			out[i][j] = out[i][j] && !d.format.Checked(i, j)
		}
	}
	return out
}
