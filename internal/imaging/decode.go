package imaging

import (
	"bytes"
	"errors"
	"image"
	"image/jpeg"
	"image/png"

	"golang.org/x/image/webp"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// Default limits; see Limits.
const (
	DefaultMaxBytes  = 15 << 20
	DefaultMaxPixels = 50_000_000
)

// Limits bounds what Decode accepts. A zero field takes its default: 15 MiB, 50 million pixels, no smallest side.
// A progressive JPEG and a 16-bit PNG need twice the memory while they are decoded, so that their pixels count double.
type Limits struct {
	MaxBytes  int64
	MaxPixels int64
	MinSide   int // of the shorter side, in pixels
}

// Info is what the file said about itself.
type Info struct {
	Format        string // "jpeg", "png" or "webp"
	Width, Height int    // as stored, before the EXIF turn
	Orientation   int    // EXIF orientation 1–8; 1 where the file says nothing
}

// Open opens a still JPEG, PNG or WebP picture and sets it upright. The type is told by content. Problems, in the order
// in which they are looked for: request.too_large (more bytes than the limit), capture.heic, capture.not_an_image (another
// format, an animation, damaged or truncated), capture.too_many_pixels, capture.too_small. Before the pixels are decoded the claimed
// size is compared with the limits and with the number of bytes present, so that a small file cannot cost much memory.
func Open(b []byte, l Limits) (*Photo, Info, error) {
	if l.MaxBytes == 0 {
		l.MaxBytes = DefaultMaxBytes
	}
	if l.MaxPixels == 0 {
		l.MaxPixels = DefaultMaxPixels
	}
	if int64(len(b)) > l.MaxBytes {
		return nil, Info{}, problem.New(problem.RequestTooLarge).Saying("%d bytes, at most %d", len(b), l.MaxBytes)
	}
	h, err := readHeader(b)
	if errors.Is(err, errHEIC) {
		return nil, Info{}, problem.New(problem.CaptureHEIC)
	}
	if err != nil {
		return nil, Info{}, notAnImage(err.Error())
	}
	info := Info{Format: h.format, Width: h.w, Height: h.h, Orientation: h.orientation}
	if err := l.check(h, len(b)); err != nil {
		return nil, info, err
	}
	m, err := decodePixels(b, h)
	if err != nil {
		return nil, info, notAnImage(h.format + " data is damaged or cut short")
	}
	p := photoOf(m, h.orientation)
	p.stored.steps = h.tables.steps[h.tables.luma]
	return p, info, nil
}

// Decode is Open where the whole picture is wanted in one piece.
func Decode(b []byte, l Limits) (*RGB, Info, error) {
	p, info, err := Open(b, l)
	if err != nil {
		return nil, info, err
	}
	return p.RGB(), info, nil
}

// check compares what the header claims with the limits and with the bytes that are there.
func (l Limits) check(h header, size int) error {
	pixels := int64(h.w) * int64(h.h)
	if h.heavy {
		pixels *= 2
	}
	switch {
	case h.w <= 0 || h.h <= 0:
		return notAnImage("no pixels")
	case pixels > l.MaxPixels:
		return problem.New(problem.CaptureTooManyPixels).Saying("%d × %d pixels, at most %d in all", h.w, h.h, l.MaxPixels)
	case min(h.w, h.h) < l.MinSide:
		return problem.New(problem.CaptureTooSmall).Saying("%d × %d pixels, the shorter side must have %d", h.w, h.h, l.MinSide)
	case pixels > mostPixels(size):
		return notAnImage("the file is too short for the size that it claims")
	}
	return nil
}

// mostPixels is the largest size that is believed of a file. The densest honest JPEG has 2 bits for 64 pixels of a
// component, about 170 pixels a byte in colour and 256 in grey, twice that when progressive; deflate packs at most
// 1 032 bytes into one. WebP has no such floor, but no camera goes beyond it.
func mostPixels(size int) int64 { return 1<<18 + 1040*int64(size) }

func notAnImage(detail string) error {
	return problem.New(problem.CaptureNotAnImage).Saying("%s", detail)
}

func decodePixels(b []byte, h header) (image.Image, error) {
	r := bytes.NewReader(b)
	switch h.format {
	case "jpeg":
		return jpeg.Decode(r)
	case "png":
		return png.Decode(r)
	default:
		return webp.Decode(r)
	}
}

// EncodeJPEG writes p as a baseline JPEG of the given quality (1–100).
func EncodeJPEG(p *RGB, quality int) ([]byte, error) {
	m := image.NewRGBA(p.Bounds())
	for i := range p.W * p.H {
		copy(m.Pix[4*i:4*i+3], p.Pix[3*i:3*i+3])
		m.Pix[4*i+3] = 0xff
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, &jpeg.Options{Quality: quality}); err != nil {
		return nil, err
	}
	return out.Bytes(), nil
}
