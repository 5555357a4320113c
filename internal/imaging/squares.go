package imaging

import "image"

// Squares are the brightness of a picture as its JPEG file stores it: in squares of SquareSide pixels that begin at the top left,
// each of whose frequencies was rounded to a multiple of a step. The pixels are shared and must not be changed.
type Squares struct {
	W, H   int // as stored
	Stride int
	Pix    []uint8
	Steps  [SquareSide * SquareSide]int // by rows of vertical frequency, the lowest first
	view   view
}

// SquareSide is that of a JPEG's squares in pixels (ITU-T T.81 §A.1).
const SquareSide = 8

// Squares returns the picture's as its file stores them. It is false where the picture does not come from a JPEG file.
func (p *Photo) Squares() (Squares, bool) {
	s := p.stored
	if s.y == nil || s.steps[0] == 0 {
		return Squares{}, false
	}
	return Squares{W: s.w, H: s.h, Stride: s.ys, Pix: s.y, Steps: s.steps, view: p.view}, true
}

// Place returns where an upright rectangle is among the squares.
func (s Squares) Place(upright image.Rectangle) image.Rectangle {
	return s.view.stored(upright, s.W, s.H).Intersect(image.Rect(0, 0, s.W, s.H))
}

// zigzag is the order in which a JPEG lists the frequencies of a square (ITU-T T.81 figure A.6).
var zigzag = [SquareSide * SquareSide]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// tables are the tables of steps that a JPEG defines, and which of them is that of its brightness.
type tables struct {
	steps [4][SquareSide * SquareSide]int
	luma  int
}

// define reads a segment that defines tables (ITU-T T.81 §B.2.4.1). What is cut short is left out.
func (t *tables) define(body []byte) {
	for len(body) > 0 {
		wide, id := body[0]>>4 != 0, body[0]&3
		size := len(zigzag)
		if wide {
			size *= 2
		}
		if body = body[1:]; len(body) < size {
			return
		}
		for i, at := range zigzag {
			if wide {
				t.steps[id][at] = int(body[2*i])<<8 | int(body[2*i+1])
			} else {
				t.steps[id][at] = int(body[i])
			}
		}
		body = body[size:]
	}
}

// frame reads which table is that of the first component (ITU-T T.81 §B.2.2).
func (t *tables) frame(body []byte) {
	if len(body) >= 9 {
		t.luma = int(body[8] & 3)
	}
}
