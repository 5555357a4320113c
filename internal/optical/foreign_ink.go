package optical

import (
	"math"
	"slices"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Ink that is not the zone's own: a stamp, a signature, a pen. The edge of a stamp under an F makes it an E for both readers,
// and no check digit covers names. Above and below a line of a zone there is paper; what is dark there goes on through the
// characters.
const (
	foreignEdge  = 0.13 // of a crop's height, above the capitals and below them, which is paper
	foreignWide  = 1.0 / 3
	foreignDark  = 0.3  // of the contrast of ink on paper: backgrounds of fine lines are fainter
	foreignShare = 0.2  // of that paper round one character, from which on it is not only dirt
	foreignDoubt = 1e-6 // what two readers of such a character may leave to doubt, multiplied
)

// foreignInk marks the characters of a line, of which there are n from end to end of the strip, that ink other than their own
// seems to lie across.
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

// foreignLimit is the shade below which a place is inked, by the shades of the line's own print and paper.
func foreignLimit(crop *imaging.Gray) (uint8, bool) {
	core := slices.Sorted(slices.Values(crop.Pix[crop.H/4*crop.W : 3*crop.H/4*crop.W]))
	if len(core) == 0 {
		return 0, false
	}
	ink, paper := float64(core[len(core)*3/100]), float64(core[len(core)*80/100])
	return uint8(paper - foreignDark*(paper-ink)), true
}

// unprovenUnder marks, in each line of a reading, the characters that no check digit covers and that foreign ink seems to lie
// across.
func (w *work) unprovenUnder(r reading, lines []ocr.Strip) [][]bool {
	out := make([][]bool, len(lines))
	for i, s := range lines {
		out[i] = foreignInk(ocr.CropGray(w.img, s), len(r.lines[i]))
		for j := range out[i] {
			out[i][j] = out[i][j] && !r.format.Checked(i, j)
		}
	}
	return out
}
