package imaging

import "encoding/binary"

// peekBits is how many bits of a code are looked up at once; few codes are longer.
const peekBits = 10

// huffman is a set of codes (ITU-T T.81 §C), with those of up to peekBits bits looked up by what comes next.
type huffman struct {
	// symbols holds, by the next bits, the symbol and in the upper byte the length of its code: 0 where that is longer.
	symbols [1 << peekBits]uint16
	// whole holds, by the next bits, a coefficient where code and value lie within them: the value in the upper 16 bits, by how
	// many coefficients to go on before it in bits 8 to 14, and how many bits all take below. 0 where they do not.
	whole  [1 << peekBits]uint32
	most   [17]int32 // the last code of each length, -1 for none
	offset [17]int32 // from a code of each length to its symbol's place
	values []byte
}

// endOfBlock goes on beyond the last coefficient.
const endOfBlock = 64

// newHuffman makes the codes from how many there are of each length and their symbols; false where there are more than can be.
func newHuffman(counts [16]byte, values []byte, ac bool) (*huffman, bool) {
	t := &huffman{values: values}
	code, at := int32(0), int32(0)
	for length := 1; length <= 16; length++ {
		n := int32(counts[length-1])
		t.offset[length], t.most[length] = at-code, -1
		if code+n > 1<<length {
			return nil, false
		}
		for range n {
			if length <= peekBits {
				from := int(code) << (peekBits - length)
				for i := range 1 << (peekBits - length) {
					t.symbols[from+i] = uint16(length)<<8 | uint16(values[at])
				}
			}
			t.most[length] = code
			code, at = code+1, at+1
		}
		code <<= 1
	}
	if ac {
		t.look()
	}
	return t, true
}

// look fills whole.
func (t *huffman) look() {
	for i, s := range t.symbols {
		length, run, size := uint(s>>8), uint32(s>>4&15), uint(s&15)
		if length == 0 || length+size > peekBits {
			continue
		}
		value := int32(0)
		switch {
		case size > 0:
			value = extended(uint64(i)<<(64-peekBits)<<length, size)
		case run != 15:
			run = endOfBlock
		}
		t.whole[i] = uint32(value)<<16 | run<<8 | uint32(length+size)
	}
}

// extended is the value of the first size bits of v, 1 to 15 (§F.2.2.1): those that begin with 0 are negative.
func extended(v uint64, size uint) int32 {
	n := int32(v >> (64 - size))
	if v>>63 == 0 {
		n -= 1<<size - 1
	}
	return n
}

// scanBits reads the data of a scan. Where it ends, at a marker or the file's end, zeros follow, and are counted.
type scanBits struct {
	b      []byte
	at     int
	next   uint64 // what comes next, from its highest bit on
	n      uint   // how many bits of it are known
	beyond uint   // how many of those lie beyond the data
}

// fill makes at least 56 bits known, where 56 or less are.
func (r *scanBits) fill() {
	if r.at+8 <= len(r.b) {
		v := binary.BigEndian.Uint64(r.b[r.at:])
		const low, high = 0x0101010101010101, 0x8080808080808080
		if (^v-low)&v&high == 0 { // no byte is 0xff
			r.next |= v >> r.n
			more := (63 - r.n) >> 3
			r.at, r.n = r.at+int(more), r.n+8*more
			return
		}
	}
	r.fillSlowly()
}

func (r *scanBits) fillSlowly() {
	for r.n <= 56 {
		v := uint64(0)
		switch {
		case r.at >= len(r.b):
			r.beyond += 8
		case r.b[r.at] != 0xff:
			v = uint64(r.b[r.at])
			r.at++
		case r.at+1 < len(r.b) && r.b[r.at+1] == 0:
			v = 0xff
			r.at += 2
		default:
			r.beyond += 8
		}
		r.next |= v << (56 - r.n)
		r.n += 8
	}
}

// take leaves out bits that are known.
func (r *scanBits) take(n uint) { r.next, r.n = r.next<<n, r.n-n }

// mark passes a marker, which must be all that is left before the next bits (§E.2.4).
func (r *scanBits) mark(m byte) bool {
	if r.n <= 56 {
		r.fill()
	}
	rest := int(r.n) - int(r.beyond)
	if rest < 0 || rest > 7 || r.at+2 > len(r.b) || r.b[r.at] != 0xff || r.b[r.at+1] != m {
		return false
	}
	*r = scanBits{b: r.b, at: r.at + 2}
	return true
}

// symbol reads one; at least 16 bits must be known. False for what is no code.
func (r *scanBits) symbol(t *huffman) (byte, bool) {
	if s := t.symbols[r.next>>(64-peekBits)]; s != 0 {
		r.take(uint(s >> 8))
		return byte(s), true
	}
	for length := uint(peekBits + 1); length <= 16; length++ {
		code := int32(r.next >> (64 - length))
		if code <= t.most[length] {
			i := code + t.offset[length]
			if i < 0 || int(i) >= len(t.values) {
				return 0, false
			}
			r.take(length)
			return t.values[i], true
		}
	}
	return 0, false
}

// zigzag is where the coefficients of a block lie, in the order of the file (figure A.6). Beyond the last, everywhere is nowhere.
var zigzag = [64]uint8{
	0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21, 28,
	35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54, 47, 55, 62, 63,
}

// block reads the coefficients of one block (§F.2.2), multiplied out, and answers which of them are there, a bit each. Of the
// block only those are set.
func (r *scanBits) block(block *[64]int32, c *component, quant *[64]int32) (seen uint64, ok bool) {
	if r.n < 32 {
		r.fill()
	}
	size, ok := r.symbol(c.dc)
	if !ok || size > 15 {
		return 0, false
	}
	if size > 0 {
		c.prediction += extended(r.next, uint(size))
		r.take(uint(size))
	}
	*block = [64]int32{c.prediction * quant[0]}
	ac := c.ac
	for k := uint32(1); k < 64; k++ {
		if r.n < 32 {
			r.fill()
		}
		var value int32
		if w := ac.whole[r.next>>(64-peekBits)]; w != 0 {
			r.take(uint(w & 0xff))
			k += w >> 8 & 0x7f
			value = int32(w) >> 16
		} else {
			s, ok := r.symbol(ac)
			if !ok {
				return 0, false
			}
			k += uint32(s >> 4)
			size := uint(s & 15)
			if size == 0 {
				if s != 0xf0 {
					break
				}
				continue
			}
			value = extended(r.next, size)
			r.take(size)
		}
		if k > 63 {
			break
		}
		at := zigzag[k]
		block[at&63] = value * quant[k]
		seen |= 1 << (at & 63)
	}
	return seen, true
}
