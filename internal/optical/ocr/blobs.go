package ocr

import "github.com/bonafide-id/bonafide/internal/imaging"

// FindBlobs returns the connected pieces of ink that are about as large as a glyph.
func FindBlobs(g *imaging.Gray, ink Ink) []Blob {
	f := blobFinder{w: g.W}
	mean, below := integral(g), ink.shades()
	var before []run
	for y := range g.H {
		row := inkRuns(g, mean, y, &below)
		f.join(row, before, y)
		before = row
	}
	return f.blobs()
}

const (
	inkAround = 12 // pixels round one that tell whether it is ink
	inkLevels = 7  // grey levels by which ink is darker than its surroundings, besides its shade
	glyphLow  = 4  // pixels of a glyph's longer side, at least
	glyphHigh = 56 // … and at most
)

// Ink is the least difference, in hundredths of the brightness round it, by which a pixel of ink is darker.
type Ink uint32

// AnyInk is ink of any kind, PrintInk as dark as print alone: stamps let the paper through.
const (
	AnyInk   Ink = 10
	PrintInk Ink = 38
)

// run is a stretch of ink on one row, columns from to to-1, and the piece that it belongs to.
type run struct {
	from, to int
	piece    int32
}

// integral returns the summed-area table of a picture: a row and a column of zeros, then for each pixel the sum of those above
// and to the left of it, itself included.
func integral(g *imaging.Gray) []uint32 {
	w := g.W + 1
	out := make([]uint32, w*(g.H+1))
	for y := range g.H {
		var sum uint32
		src, above, here := g.Pix[y*g.W:(y+1)*g.W], out[y*w:(y+1)*w], out[(y+1)*w:(y+2)*w]
		for x, v := range src {
			sum += uint32(v)
			here[x+1] = above[x+1] + sum
		}
	}
	return out
}

// shades are the brightness below which a pixel is ink, by the mean brightness round it.
func (ink Ink) shades() (below [256]uint8) {
	for mean := range below {
		below[mean] = uint8(max(0, mean-inkLevels-mean*int(ink)/100)) //nolint:gosec // between 0 and mean, which fits a byte
	}
	return below
}

// inkRuns returns the stretches of ink on row y.
func inkRuns(g *imaging.Gray, sums []uint32, y int, below *[256]uint8) []run {
	var out []run
	w := g.W + 1
	top, foot := max(0, y-inkAround), min(g.H, y+inkAround+1)
	a, b := sums[top*w:(top+1)*w], sums[foot*w:(foot+1)*w]
	from, wide, part := -1, 0, uint64(0)
	for x, v := range g.Pix[y*g.W : (y+1)*g.W] {
		l, r := max(0, x-inkAround), min(g.W, x+inkAround+1)
		if r-l != wide {
			wide = r - l
			area := uint64(wide * (foot - top)) //nolint:gosec // positive: x and y are within the picture
			part = (1<<32 + area - 1) / area    // its reciprocal, rounded up: exact for sums of bytes over so small an area
		}
		mean := uint64(b[r]-b[l]-a[r]+a[l]) * part >> 32
		switch dark := v < below[mean&255]; {
		case dark && from < 0:
			from = x
		case !dark && from >= 0:
			out = append(out, run{from: from, to: x, piece: -1})
			from = -1
		}
	}
	if from >= 0 {
		out = append(out, run{from: from, to: g.W, piece: -1})
	}
	return out
}

// blobFinder labels connected pieces: it joins the runs of neighbouring rows by union-find.
type blobFinder struct {
	w      int
	parent []int32
	boxes  [][4]int32 // left, top, right, foot of each piece; inclusive
}

// root returns the label that stands for the piece of label i.
func (f *blobFinder) root(i int32) int32 {
	for f.parent[i] != i {
		f.parent[i] = f.parent[f.parent[i]]
		i = f.parent[i]
	}
	return i
}

// join labels the runs of row y; before are those of the row above it.
func (f *blobFinder) join(row, before []run, y int) {
	k := 0
	for i := range row {
		r := &row[i]
		for k > 0 && before[k-1].to >= r.from {
			k--
		}
		for ; k < len(before) && before[k].from <= r.to; k++ {
			if before[k].to < r.from {
				continue
			}
			p := f.root(before[k].piece)
			if r.piece < 0 {
				r.piece = p
			} else if q := f.root(r.piece); p != q {
				f.parent[p] = q
				f.boxes[q] = covering(f.boxes[q], f.boxes[p])
			}
		}
		box := [4]int32{int32(r.from), int32(y), int32(r.to - 1), int32(y)}
		if r.piece < 0 {
			r.piece = int32(len(f.parent))
			f.parent, f.boxes = append(f.parent, r.piece), append(f.boxes, box)
			continue
		}
		q := f.root(r.piece)
		f.boxes[q] = covering(f.boxes[q], box)
	}
}

// covering returns the smallest box that holds both.
func covering(a, b [4]int32) [4]int32 {
	return [4]int32{min(a[0], b[0]), min(a[1], b[1]), max(a[2], b[2]), max(a[3], b[3])}
}

// blobs returns the pieces that are as large as a glyph.
func (f *blobFinder) blobs() []Blob {
	var out []Blob
	for i, p := range f.parent {
		if p != int32(i) {
			continue
		}
		b := f.boxes[i]
		w, h := b[2]-b[0]+1, b[3]-b[1]+1
		if max(w, h) < glyphLow || max(w, h) > glyphHigh {
			continue
		}
		out = append(out, Blob{X: float64(b[0]+b[2]+1) / 2, Y: float64(b[1]+b[3]+1) / 2, Size: float64(max(w, h))})
	}
	return out
}
