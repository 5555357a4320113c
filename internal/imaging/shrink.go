package imaging

import (
	"encoding/binary"
	"image"
)

// blocks adds up the pixels of blocks of side×side, side being 2 or 4, of rows that are as many: one sum for each of out. What of
// a block lies beyond the rows' end repeats the last pixel. Eight pixels of a row are added at a time, in lanes of 16 bits.
func blocks(out []int32, side int, rows ...[]uint8) {
	const lanes = 0x00ff00ff00ff00ff
	each := 8 / side // blocks in eight pixels
	n := min(len(out)/each, len(rows[0])/8)
	for i := range n {
		var sum uint64
		for _, row := range rows {
			v := binary.LittleEndian.Uint64(row[8*i:])
			sum += v&lanes + v>>8&lanes
		}
		to := out[each*i : each*i+each : each*i+each]
		if side == 2 {
			to[0], to[1], to[2], to[3] = int32(sum&0xffff), int32(sum>>16&0xffff), int32(sum>>32&0xffff), int32(sum>>48)
			continue
		}
		sum += sum >> 16
		to[0], to[1] = int32(sum&0xffff), int32(sum>>32&0xffff)
	}
	for i := each * n; i < len(out); i++ {
		out[i] = 0
		for _, row := range rows {
			for x := side * i; x < side*(i+1); x++ {
				out[i] += int32(row[min(x, len(row)-1)])
			}
		}
	}
}

// lumaRows are the rows of brightness that make one row of a copy that is shrunk by side, from column x on.
func (s *store) lumaRows(rows [][]uint8, y, x, side int) {
	for i := range side {
		at := min(y*side+i, s.h-1) * s.ys
		rows[i] = s.y[at+x*side : at+s.w]
	}
}

// grayOf is the luma of a part of the picture shrunk by 2^k: the mean of blocks. r must lie within that copy.
func (s *store) grayOf(r image.Rectangle, k int) *Gray {
	switch {
	case k == 0:
		return s.gray(r)
	case s.rgb != nil:
		return s.level(k).Crop(r).Gray()
	}
	step := min(k, 2)
	side, up := 1<<step, k-step
	g := NewGray(r.Dx()<<up, r.Dy()<<up)
	sums, rows := make([]int32, g.W), make([][]uint8, side)
	for y := range g.H {
		s.lumaRows(rows, r.Min.Y<<up+y, r.Min.X<<up, side)
		blocks(sums, side, rows...)
		row := g.Pix[y*g.W : (y+1)*g.W]
		for x, v := range sums {
			row[x] = uint8((v + int32(side*side)/2) >> (2 * step))
		}
	}
	if up > 0 {
		g = g.Resize(r.Dx(), r.Dy())
	}
	return g
}
