package imaging

import "encoding/binary"

// The cosines of the transform (ITU-T T.81 §A.3.3), √2·cos(kπ/16) in 1/2048, so that two passes over a constant block
// multiply it by 8.
const (
	cosineBits = 11
	cosine1    = 2841
	cosine2    = 2676
	cosine3    = 2408
	cosine5    = 1609
	cosine6    = 1108
	cosine7    = 565
)

// Bits that are kept between the passes beyond those of the coefficients.
const betweenBits = 3

// show turns the coefficients of a block into pixels. seen tells which but the first may be other than 0.
func show(block *[64]int32, seen uint64, pix []uint8, stride int) {
	if seen == 0 {
		flat(pix, stride, (int(block[0])+4)>>3+128)
		return
	}
	const column, lower, right = 0x0101010101010100, 0xffffffff00000000, 0xf0f0f0f0f0f0f0f0
	narrow := seen&right == 0
	columns := 8
	if narrow {
		columns = 4
	}
	for x := range columns {
		switch at := seen >> x; {
		case at&column == 0:
			v := block[x] << betweenBits
			for i := x + 8; i < 64; i += 8 {
				block[i] = v
			}
			block[x] = v
		case at&(lower&(column|1)) == 0:
			upperColumn(block, x)
		default:
			wholeColumn(block, x)
		}
	}
	for y := range 8 {
		row, to := (*[8]int32)(block[8*y:]), pix[y*stride:][:8]
		if narrow {
			narrowRow(row, to)
		} else {
			wholeRow(row, to)
		}
	}
}

// flat fills a block.
func flat(pix []uint8, stride, v int) {
	all := uint64(clamped(v)) * 0x0101010101010101
	for range 7 {
		binary.LittleEndian.PutUint64(pix, all)
		pix = pix[stride:]
	}
	binary.LittleEndian.PutUint64(pix, all)
}

func clamped(v int) uint8 {
	if uint(v) > 255 {
		return uint8(^(v >> 63))
	}
	return uint8(v)
}

// wholeColumn transforms a column of which all coefficients may be there.
func wholeColumn(b *[64]int32, x int) {
	const half, down = 1 << (cosineBits - betweenBits - 1), cosineBits - betweenBits
	i0, i1, i2, i3 := int(b[x]), int(b[x+8]), int(b[x+16]), int(b[x+24])
	i4, i5, i6, i7 := int(b[x+32]), int(b[x+40]), int(b[x+48]), int(b[x+56])
	p, q := (i0+i4)<<cosineBits+half, (i0-i4)<<cosineBits+half
	r, s := cosine2*i2+cosine6*i6, cosine6*i2-cosine2*i6
	e0, e1, e2, e3 := p+r, q+s, q-s, p-r
	o0 := cosine1*i1 + cosine3*i3 + cosine5*i5 + cosine7*i7
	o1 := cosine3*i1 - cosine7*i3 - cosine1*i5 - cosine5*i7
	o2 := cosine5*i1 - cosine1*i3 + cosine7*i5 + cosine3*i7
	o3 := cosine7*i1 - cosine5*i3 + cosine3*i5 - cosine1*i7
	b[x], b[x+56] = int32((e0+o0)>>down), int32((e0-o0)>>down)
	b[x+8], b[x+48] = int32((e1+o1)>>down), int32((e1-o1)>>down)
	b[x+16], b[x+40] = int32((e2+o2)>>down), int32((e2-o2)>>down)
	b[x+24], b[x+32] = int32((e3+o3)>>down), int32((e3-o3)>>down)
}

// upperColumn is wholeColumn where the last four coefficients are 0.
func upperColumn(b *[64]int32, x int) {
	const half, down = 1 << (cosineBits - betweenBits - 1), cosineBits - betweenBits
	i0, i1, i2, i3 := int(b[x]), int(b[x+8]), int(b[x+16]), int(b[x+24])
	p, r, s := i0<<cosineBits+half, cosine2*i2, cosine6*i2
	e0, e1, e2, e3 := p+r, p+s, p-s, p-r
	o0, o1 := cosine1*i1+cosine3*i3, cosine3*i1-cosine7*i3
	o2, o3 := cosine5*i1-cosine1*i3, cosine7*i1-cosine5*i3
	b[x], b[x+56] = int32((e0+o0)>>down), int32((e0-o0)>>down)
	b[x+8], b[x+48] = int32((e1+o1)>>down), int32((e1-o1)>>down)
	b[x+16], b[x+40] = int32((e2+o2)>>down), int32((e2-o2)>>down)
	b[x+24], b[x+32] = int32((e3+o3)>>down), int32((e3-o3)>>down)
}

// What a row's sums begin with, so that pixels are rounded and 0 is grey, and by how much they are shifted.
const (
	rowDown = cosineBits + betweenBits + 3
	rowGrey = 128<<rowDown + 1<<(rowDown-1)
)

// wholeRow transforms a row and stores its pixels.
func wholeRow(b *[8]int32, to []uint8) {
	_ = to[7]
	i0, i1, i2, i3 := int(b[0]), int(b[1]), int(b[2]), int(b[3])
	i4, i5, i6, i7 := int(b[4]), int(b[5]), int(b[6]), int(b[7])
	p, q := (i0+i4)<<cosineBits+rowGrey, (i0-i4)<<cosineBits+rowGrey
	r, s := cosine2*i2+cosine6*i6, cosine6*i2-cosine2*i6
	e0, e1, e2, e3 := p+r, q+s, q-s, p-r
	o0 := cosine1*i1 + cosine3*i3 + cosine5*i5 + cosine7*i7
	o1 := cosine3*i1 - cosine7*i3 - cosine1*i5 - cosine5*i7
	o2 := cosine5*i1 - cosine1*i3 + cosine7*i5 + cosine3*i7
	o3 := cosine7*i1 - cosine5*i3 + cosine3*i5 - cosine1*i7
	to[0], to[7] = clamped((e0+o0)>>rowDown), clamped((e0-o0)>>rowDown)
	to[1], to[6] = clamped((e1+o1)>>rowDown), clamped((e1-o1)>>rowDown)
	to[2], to[5] = clamped((e2+o2)>>rowDown), clamped((e2-o2)>>rowDown)
	to[3], to[4] = clamped((e3+o3)>>rowDown), clamped((e3-o3)>>rowDown)
}

// narrowRow is wholeRow where the last four coefficients are 0.
func narrowRow(b *[8]int32, to []uint8) {
	_ = to[7]
	i0, i1, i2, i3 := int(b[0]), int(b[1]), int(b[2]), int(b[3])
	p, r, s := i0<<cosineBits+rowGrey, cosine2*i2, cosine6*i2
	e0, e1, e2, e3 := p+r, p+s, p-s, p-r
	o0, o1 := cosine1*i1+cosine3*i3, cosine3*i1-cosine7*i3
	o2, o3 := cosine5*i1-cosine1*i3, cosine7*i1-cosine5*i3
	to[0], to[7] = clamped((e0+o0)>>rowDown), clamped((e0-o0)>>rowDown)
	to[1], to[6] = clamped((e1+o1)>>rowDown), clamped((e1-o1)>>rowDown)
	to[2], to[5] = clamped((e2+o2)>>rowDown), clamped((e2-o2)>>rowDown)
	to[3], to[4] = clamped((e3+o3)>>rowDown), clamped((e3-o3)>>rowDown)
}
