package imaging

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"slices"
	"testing"
)

// quarters is a picture whose quarters are red, green, blue and white, from the top left in reading order.
func quarters(w, h int) *image.NRGBA {
	m := image.NewNRGBA(image.Rect(0, 0, w, h))
	for y := range h {
		for x := range w {
			m.Set(x, y, quarterColour(x*2/w, y*2/h))
		}
	}
	return m
}

func quarterColour(x, y int) color.NRGBA {
	return [2][2]color.NRGBA{{{255, 0, 0, 255}, {0, 255, 0, 255}}, {{0, 0, 255, 255}, {255, 255, 255, 255}}}[y][x]
}

// wantQuarters checks the middle of each quarter.
func wantQuarters(t *testing.T, p *RGB, tolerance int) {
	t.Helper()
	for qy := range 2 {
		for qx := range 2 {
			r, g, b := p.At(p.W/4+qx*p.W/2, p.H/4+qy*p.H/2)
			want := quarterColour(qx, qy)
			for i, d := range []int{int(r) - int(want.R), int(g) - int(want.G), int(b) - int(want.B)} {
				if d > tolerance || d < -tolerance {
					t.Errorf("quarter %d,%d channel %d: off by %d", qx, qy, i, d)
				}
			}
		}
	}
}

func asJPEG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, m, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func asPNG(t testing.TB, m image.Image) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := png.Encode(&b, m); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// exif is a TIFF block with an orientation.
func exif(order binary.AppendByteOrder, orientation uint16) []byte {
	mark := "II"
	if order.String() == "BigEndian" {
		mark = "MM"
	}
	b := order.AppendUint16([]byte(mark), 42)
	b = order.AppendUint32(b, 8)
	b = order.AppendUint16(b, 2)
	b = order.AppendUint16(b, 0x0100) // width, to be passed over
	b = order.AppendUint16(b, 4)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint32(b, 640)
	b = order.AppendUint16(b, 0x0112)
	b = order.AppendUint16(b, 3)
	b = order.AppendUint32(b, 1)
	b = order.AppendUint16(b, orientation)
	b = order.AppendUint16(b, 0)
	return order.AppendUint32(b, 0)
}

// withEXIF puts an EXIF segment at the head of a JPEG.
func withEXIF(jpg, tiff []byte) []byte {
	body := append([]byte("Exif\x00\x00"), tiff...)
	seg := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(body)+2))
	return append(append(seg, body...), jpg[2:]...)
}

func chunk(kind string, body []byte) []byte {
	b := binary.BigEndian.AppendUint32(nil, uint32(len(body)))
	b = append(append(b, kind...), body...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[4:]))
}

// withChunk puts a chunk behind the header of a PNG.
func withChunk(pngBytes []byte, kind string, body []byte) []byte {
	return append(append(append([]byte{}, pngBytes[:33]...), chunk(kind, body)...), pngBytes[33:]...)
}

func hugePNG(w, h uint32) []byte {
	head := binary.BigEndian.AppendUint32(nil, w)
	head = binary.BigEndian.AppendUint32(head, h)
	var z bytes.Buffer
	zw := zlib.NewWriter(&z)
	_, _ = zw.Write(make([]byte, 1000))
	_ = zw.Close()
	b := append([]byte("\x89PNG\r\n\x1a\n"), chunk("IHDR", append(head, 8, 2, 0, 0, 0))...)
	return append(append(b, chunk("IDAT", z.Bytes())...), chunk("IEND", nil)...)
}

// resized overwrites the size in the frame header of a JPEG.
func resized(jpg []byte, w, h uint16) []byte {
	b := bytes.Clone(jpg)
	i := bytes.Index(b, []byte{0xff, 0xc0})
	binary.BigEndian.PutUint16(b[i+5:], h)
	binary.BigEndian.PutUint16(b[i+7:], w)
	return b
}

func riff(chunks ...[]byte) []byte {
	body := append([]byte("WEBP"), bytes.Join(chunks, nil)...)
	return append(binary.LittleEndian.AppendUint32([]byte("RIFF"), uint32(len(body))), body...)
}

func riffChunk(kind string, body []byte) []byte {
	b := append(binary.LittleEndian.AppendUint32([]byte(kind), uint32(len(body))), body...)
	if len(body)&1 == 1 {
		b = append(b, 0)
	}
	return b
}

// vp8x is the header of an extended WebP.
func vp8x(flags byte, w, h int) []byte {
	w, h = w-1, h-1
	return riffChunk("VP8X", []byte{flags, 0, 0, 0, byte(w), byte(w >> 8), byte(w >> 16), byte(h), byte(h >> 8), byte(h >> 16)})
}

// vp8l is a lossless WebP frame of one colour: five prefix codes of one symbol each, so that no pixel takes a bit.
func vp8l(w, h int, r, g, b byte) []byte {
	var out []byte
	var acc uint64
	var n uint
	put := func(v uint64, bits uint) {
		acc |= v << n
		for n += bits; n >= 8; n -= 8 {
			out = append(out, byte(acc))
			acc >>= 8
		}
	}
	put(0x2f, 8)
	put(uint64(w-1), 14)
	put(uint64(h-1), 14)
	put(0, 4) // no alpha, version 0
	put(0, 1) // no transform
	put(0, 1) // no colour cache
	put(0, 1) // one group of codes
	for _, v := range []byte{g, r, b, 255} {
		put(1, 1) // a simple code
		put(0, 1) // of one symbol
		put(1, 1) // of 8 bits
		put(uint64(v), 8)
	}
	put(1, 1) // distance: one symbol of one bit
	put(0, 3)
	put(0, 16)
	return riffChunk("VP8L", out)
}

// manyScans repeats the scan of a baseline JPEG, which decoders allow.
func manyScans(jpg []byte, n int) []byte {
	at := bytes.Index(jpg, []byte{0xff, 0xda})
	scan, end := jpg[at:len(jpg)-2], jpg[len(jpg)-2:]
	return slices.Concat(jpg[:at], bytes.Repeat(scan, n), end)
}
