package imaging

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/jpeg"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
)

// writer writes sequential JPEGs as the standard library's encoder does not: colour stored in any way, marks between blocks, and
// codes that are long. Pixels are noise, in which every coefficient is there, or smooth.
type writer struct {
	out     []byte
	bits    uint32
	n       int
	quant   int
	smooth  bool
	chance  *rand.Rand
	lengths [16]byte // of the codes for coefficients
	symbols []byte
	codes   [256]uint32 // length in the upper 8 bits
}

func newWriter(quant int, smooth bool) *writer {
	w := &writer{quant: quant, smooth: smooth, chance: rand.New(rand.NewPCG(1, 2))}
	for run := range 16 {
		for size := range 11 {
			if size > 0 || run == 0 || run == 15 {
				w.symbols = append(w.symbols, byte(run<<4|size))
			}
		}
	}
	// One code of 2 bits, four of up to 6, eight of 10 and the rest of 16.
	w.lengths[1], w.lengths[2], w.lengths[3], w.lengths[4], w.lengths[5], w.lengths[9] = 1, 1, 1, 1, 1, 8
	w.lengths[15] = byte(len(w.symbols) - 13)
	code, at := uint32(0), 0
	for length, n := range w.lengths {
		for range n {
			w.codes[w.symbols[at]] = uint32(length+1)<<24 | code
			code, at = code+1, at+1
		}
		code <<= 1
	}
	return w
}

func (w *writer) put(v uint32, n int) {
	for i := n - 1; i >= 0; i-- {
		w.bits, w.n = w.bits<<1|v>>i&1, w.n+1
		if w.n == 8 {
			w.out = append(w.out, byte(w.bits))
			if byte(w.bits) == 0xff {
				w.out = append(w.out, 0)
			}
			w.bits, w.n = 0, 0
		}
	}
}

func (w *writer) mark(m byte) {
	for w.n != 0 {
		w.put(1, 1)
	}
	w.out = append(w.out, 0xff, m)
}

// value is a coefficient's size in bits and these bits.
func value(v int) (uint32, int) {
	size := 0
	for a := max(v, -v); a > 0; a >>= 1 {
		size++
	}
	if v < 0 {
		v += 1<<size - 1
	}
	return uint32(v), size
}

// block writes random coefficients and answers the new DC.
func (w *writer) block(before int) int {
	dc := w.chance.IntN(1400/w.quant) - 700/w.quant
	v, size := value(dc - before)
	w.put(uint32(size), 4) // twelve codes of four bits
	w.put(v, size)
	run := 0
	for k := 1; k < 64; k++ {
		c := 0
		if many := w.chance.IntN(4) == 0 && (!w.smooth || k < 9); many {
			c = w.chance.IntN(2*max(1, 160/k/w.quant)+1) - max(1, 160/k/w.quant)
		}
		if c == 0 {
			run++
			continue
		}
		for ; run > 15; run -= 16 {
			w.code(0xf0)
		}
		v, size := value(c)
		w.code(byte(run<<4 | size))
		w.put(v, size)
		run = 0
	}
	if run > 0 {
		w.code(0)
	}
	return dc
}

func (w *writer) code(symbol byte) {
	c := w.codes[symbol]
	w.put(c&0xffffff, int(c>>24))
}

func (w *writer) segment(m byte, body ...byte) {
	w.out = append(w.out, 0xff, m)
	w.out = binary.BigEndian.AppendUint16(w.out, uint16(2+len(body)))
	w.out = append(w.out, body...)
}

// picture is a file of a size, with so many blocks of brightness to one of colour, 0 for no colour.
func (w *writer) picture(width, height, across, down, restart int) []byte {
	w.out = []byte{0xff, 0xd8}
	w.segment(0xdb, append([]byte{0}, bytes.Repeat([]byte{byte(w.quant)}, 64)...)...)
	frame := []byte{8, byte(height >> 8), byte(height), byte(width >> 8), byte(width), 1, 1, 0x11, 0}
	scan := []byte{1, 1, 0}
	each := 1
	if across > 0 {
		frame[5], frame[7], each = 3, byte(across<<4|down), across*down+2
		frame, scan = append(frame, 2, 0x11, 0, 3, 0x11, 0), []byte{3, 1, 0, 2, 0, 3, 0}
	}
	w.segment(0xc0, frame...)
	w.segment(0xc4, slices.Concat([]byte{0, 0, 0, 0, 12}, make([]byte, 12), []byte{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})...)
	w.segment(0xc4, slices.Concat([]byte{0x10}, w.lengths[:], w.symbols)...)
	if restart > 0 {
		w.segment(0xdd, byte(restart>>8), byte(restart))
	}
	w.segment(0xda, append(scan, 0, 63, 0)...)
	wide, high := 8*max(1, across), 8*max(1, down)
	blocks := (width + wide - 1) / wide * ((height + high - 1) / high)
	var dc [3]int
	for i := range blocks {
		if restart > 0 && i > 0 && i%restart == 0 {
			w.mark(byte(0xd0 + (i/restart-1)%8))
			dc = [3]int{}
		}
		for k := range each {
			c := max(0, k-each+3)
			if across == 0 {
				c = 0
			}
			dc[c] = w.block(dc[c])
		}
	}
	w.mark(0xd9)
	return w.out
}

// planes are a picture's, brightness first.
func planes(t *testing.T, m image.Image) [][]uint8 {
	t.Helper()
	switch m := m.(type) {
	case *image.Gray:
		return [][]uint8{m.Pix}
	case *image.YCbCr:
		return [][]uint8{m.Y, m.Cb, m.Cr}
	}
	t.Fatalf("%T", m)
	return nil
}

func TestASequentialJPEGIsDecodedAsByTheStandardLibrary(t *testing.T) {
	for _, ways := range [][2]int{{0, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}} {
		for _, size := range [][2]int{{1, 1}, {8, 8}, {37, 23}, {160, 99}} {
			for _, restart := range []int{0, 1, 7} {
				for _, smooth := range []bool{false, true} {
					t.Run(fmt.Sprintf("%v blocks of brightness, %v pixels, marks after %d, smooth %v", ways, size, restart, smooth), func(t *testing.T) {
						b := newWriter(3, smooth).picture(size[0], size[1], ways[0], ways[1], restart)
						want, err := jpeg.Decode(bytes.NewReader(b))
						if err != nil {
							t.Fatal(err)
						}
						got, err := decodeSequential(b)
						if err != nil {
							t.Fatal(err)
						}
						wantAlike(t, got, want)
					})
				}
			}
		}
	}
}

// wantAlike allows for rounding: one level, and seldom that.
func wantAlike(t *testing.T, got, want image.Image) {
	t.Helper()
	if got.Bounds() != want.Bounds() {
		t.Fatalf("got %v, want %v", got.Bounds(), want.Bounds())
	}
	a, b := planes(t, got), planes(t, want)
	if len(a) != len(b) {
		t.Fatalf("got %d planes, want %d", len(a), len(b))
	}
	for i := range a {
		if len(a[i]) != len(b[i]) {
			t.Fatalf("plane %d: got %d pixels, want %d", i, len(a[i]), len(b[i]))
		}
		sum := 0.
		for k := range a[i] {
			d := math.Abs(float64(a[i][k]) - float64(b[i][k]))
			if d > 1 {
				t.Fatalf("plane %d, pixel %d: got %d, want %d", i, k, a[i][k], b[i][k])
			}
			sum += d
		}
		if sum > .1*float64(len(a[i]))+1 {
			t.Errorf("plane %d: %.0f of %d pixels differ", i, sum, len(a[i]))
		}
	}
}

func TestWhatIsNoSequentialJPEGIsLeftToTheStandardLibrary(t *testing.T) {
	whole := newWriter(3, false).picture(40, 40, 2, 2, 3)
	changed := func(f func(b []byte) []byte) []byte { return f(slices.Clone(whole)) }
	frame := bytes.Index(whole, []byte{0xff, 0xc0})
	mark := bytes.Index(whole, []byte{0xff, 0xd1})
	for name, b := range map[string][]byte{
		"nothing":                      nil,
		"only its first marker":        whole[:2],
		"progressive":                  changed(func(b []byte) []byte { b[frame+1] = 0xc2; return b }),
		"12 bits":                      changed(func(b []byte) []byte { b[frame+4] = 12; return b }),
		"colour stored otherwise":      changed(func(b []byte) []byte { b[frame+11] = 0x41; return b }),
		"cut short":                    whole[:len(whole)-40],
		"without its end":              whole[:len(whole)-2],
		"a mark out of its turn":       changed(func(b []byte) []byte { b[mark+1] = 0xd3; return b }),
		"a frame within the data":      changed(func(b []byte) []byte { b[mark+1] = 0xc0; return b }),
		"larger than its data":         changed(func(b []byte) []byte { b[frame+5] = 9; return b }),
		"smaller than its data":        changed(func(b []byte) []byte { b[frame+6] = 9; return b }),
		"two frames":                   slices.Concat(whole[:frame], whole[frame:frame+19], whole[frame:]),
		"stored as red, green, blue":   changed(func(b []byte) []byte { return slices.Concat(b[:2], adobe(0), b[2:]) }),
		"a table that is not of bytes": changed(func(b []byte) []byte { b[bytes.Index(b, []byte{0xff, 0xdb})+4] = 0x10; return b }),
	} {
		if _, err := decodeSequential(b); err == nil {
			t.Errorf("%s: decoded", name)
		}
	}
	if _, err := decodeSequential(changed(func(b []byte) []byte { return slices.Concat(b[:2], adobe(1), b[2:]) })); err != nil {
		t.Errorf("Adobe's marker with ordinary colours: %v", err)
	}
}

func adobe(transform byte) []byte {
	return slices.Concat([]byte{0xff, 0xee, 0, 14}, []byte("Adobe"), make([]byte, 6), []byte{transform})
}

// What both decode is alike, however damaged. The standard library clamps coefficients nowhere either, but works them out in 32
// bits: where they are beyond all pictures, only the sizes are compared.
func FuzzSequentialJPEG(f *testing.F) {
	for _, ways := range [][2]int{{0, 0}, {1, 1}, {2, 1}, {2, 2}, {1, 2}} {
		f.Add(newWriter(9, false).picture(17, 9, ways[0], ways[1], 1))
		f.Add(newWriter(40, true).picture(40, 30, ways[0], ways[1], 0))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if c, err := jpeg.DecodeConfig(bytes.NewReader(b)); err != nil || c.Width*c.Height > 1<<16 {
			return
		}
		got, err := decodeSequential(b)
		if err != nil {
			return
		}
		want, err := jpeg.Decode(bytes.NewReader(b))
		if err != nil {
			t.Fatalf("decoded what the standard library refuses: %v", err)
		}
		if got.Bounds() != want.Bounds() || len(planes(t, got)) != len(planes(t, want)) {
			t.Fatalf("got %v, want %v", got.Bounds(), want.Bounds())
		}
	})
}
