package imaging

import (
	"encoding/binary"
	"image"
)

// lanes are the even bytes of eight, each with room for a sum of 257 bytes.
const lanes = 0x00ff00ff00ff00ff

// blocks adds up the pixels of blocks of side×side, side being 2 or 4, of rows that are as many: one sum for each of out. What of
// a block lies beyond the rows' end repeats the last pixel. Eight pixels of a row are added at a time, in lanes of 16 bits.
func blocks(out []int32, side int, rows ...[]uint8) {
	each := 8 / side // blocks in eight pixels
	n := min(len(out)/each, len(rows[0])/8)
	if side == 2 {
		a, b := rows[0], rows[1]
		for i := range n {
			sum, to := pairs(a[8*i:], b[8*i:]), out[4*i:4*i+4:4*i+4]
			to[0], to[1], to[2], to[3] = int32(sum&0xffff), int32(sum>>16&0xffff), int32(sum>>32&0xffff), int32(sum>>48)
		}
	} else {
		for i := range n {
			sum, to := pairs(rows[0][8*i:], rows[1][8*i:])+pairs(rows[2][8*i:], rows[3][8*i:]), out[2*i:2*i+2:2*i+2]
			sum += sum >> 16
			to[0], to[1] = int32(sum&0xffff), int32(sum>>32&0xffff)
		}
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

// pairs are the sums of the pairs of pixels of the first eight of two rows.
func pairs(a, b []uint8) uint64 {
	v, w := binary.LittleEndian.Uint64(a), binary.LittleEndian.Uint64(b)
	return v&lanes + v>>8&lanes + w&lanes + w>>8&lanes
}

// means are the means of blocks that blocks adds up. sums is as long as out, and is overwritten; rows are shortened.
func means(out []uint8, sums []int32, side int, rows [][]uint8) {
	done := 0
	if side == 2 {
		a, b := rows[0], rows[1]
		n := min(len(out)/4, len(a)/8)
		for i := range n {
			v := (pairs(a[8*i:], b[8*i:]) + 2*(lanes/0xff)) >> 2 & lanes
			v = (v | v>>8) & 0x0000ffff0000ffff
			binary.LittleEndian.PutUint32(out[4*i:], uint32(v|v>>16))
		}
		done = 4 * n
	}
	if done == len(out) {
		return
	}
	for i := range rows {
		rows[i] = rows[i][min(side*done, len(rows[i])-1):]
	}
	blocks(sums[done:], side, rows...)
	for x, v := range sums[done:] {
		out[done+x] = uint8((v + int32(side*side)/2) / int32(side*side))
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
		means(g.Pix[y*g.W:(y+1)*g.W], sums, side, rows)
	}
	if up > 0 {
		g = g.Resize(r.Dx(), r.Dy())
	}
	return g
}
