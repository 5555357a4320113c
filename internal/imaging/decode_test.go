package imaging

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"image"
	"image/color"
	"image/gif"
	"runtime"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/problem"
)

func TestDecodeOpensWhatCamerasAndScannersSend(t *testing.T) {
	q := quarters(64, 48)
	grey := image.NewGray(q.Rect)
	deep := image.NewNRGBA64(q.Rect)
	pal := image.NewPaletted(q.Rect, color.Palette{
		color.NRGBA{255, 0, 0, 255}, color.NRGBA{0, 255, 0, 255}, color.NRGBA{0, 0, 255, 255}, color.NRGBA{255, 255, 255, 255},
	})
	clear := image.NewNRGBA(q.Rect)
	for y := range 48 {
		for x := range 64 {
			grey.Set(x, y, q.At(x, y))
			deep.Set(x, y, q.At(x, y))
			pal.Set(x, y, q.At(x, y))
			if x < 32 || y < 24 {
				clear.Set(x, y, q.At(x, y))
			}
		}
	}
	tests := []struct {
		name      string
		b         []byte
		format    string
		tolerance int
	}{
		{"a JPEG", asJPEG(t, q), "jpeg", 12},
		{"a JPEG with bytes behind its end", append(asJPEG(t, q), "trailing"...), "jpeg", 12},
		{"a PNG", asPNG(t, q), "png", 0},
		{"a PNG of 16 bits", asPNG(t, deep), "png", 0},
		{"a PNG with a palette", asPNG(t, pal), "png", 0},
		{"a transparent PNG shows white", asPNG(t, clear), "png", 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			p, info, err := Decode(tt.b, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			if want := (Info{tt.format, 64, 48, 1}); info != want {
				t.Errorf("info %+v, want %+v", info, want)
			}
			wantQuarters(t, p, tt.tolerance)
		})
	}
	t.Run("a grey JPEG", func(t *testing.T) {
		p, _, err := Decode(asJPEG(t, grey), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if r, g, b := p.At(48, 36); r < 250 || r != g || g != b {
			t.Errorf("white is %d %d %d", r, g, b)
		}
	})
	t.Run("a WebP", func(t *testing.T) {
		p, info, err := Decode(riff(vp8l(30, 20, 200, 100, 50)), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if r, g, b := p.At(3, 4); info != (Info{"webp", 30, 20, 1}) || r != 200 || g != 100 || b != 50 {
			t.Errorf("info %+v, colour %d %d %d", info, r, g, b)
		}
	})
}

func TestDecodeSetsPicturesUpright(t *testing.T) {
	upright := FromImage(quarters(64, 48))
	// undo[o] makes what a camera stores when its EXIF orientation is o.
	undo := [9]int{1: 1, 2: 2, 3: 3, 4: 4, 5: 5, 6: 8, 7: 7, 8: 6}
	for o := 1; o <= 8; o++ {
		w, h, pix := orient(upright.Pix, upright.W, upright.H, 3, undo[o])
		stored := image.NewNRGBA(image.Rect(0, 0, w, h))
		for i := range w * h {
			stored.Set(i%w, i/w, color.NRGBA{pix[3*i], pix[3*i+1], pix[3*i+2], 255})
		}
		for _, order := range []binary.AppendByteOrder{binary.LittleEndian, binary.BigEndian} {
			tiff := exif(order, uint16(o))
			files := map[string][]byte{
				"JPEG": withEXIF(asJPEG(t, stored), tiff),
				"PNG":  withChunk(asPNG(t, stored), "eXIf", tiff),
			}
			for format, b := range files {
				t.Run(fmt.Sprintf("%s with orientation %d, %s", format, o, order), func(t *testing.T) {
					p, info, err := Decode(b, Limits{})
					if err != nil {
						t.Fatal(err)
					}
					if info.Orientation != o || info.Width != w || p.W != 64 || p.H != 48 {
						t.Errorf("info %+v, upright %d×%d", info, p.W, p.H)
					}
					wantQuarters(t, p, 12)
				})
			}
		}
	}
	t.Run("WebP with orientation 6", func(t *testing.T) {
		p, info, err := Decode(riff(vp8x(0x08, 30, 20), vp8l(30, 20, 1, 2, 3), riffChunk("EXIF", exif(binary.LittleEndian, 6))), Limits{})
		if err != nil {
			t.Fatal(err)
		}
		if info.Orientation != 6 || p.W != 20 || p.H != 30 {
			t.Errorf("info %+v, upright %d×%d", info, p.W, p.H)
		}
	})
}

func TestDecodeRefusesWhatIsNotAStillPicture(t *testing.T) {
	q := quarters(64, 48)
	jpg, pn := asJPEG(t, q), asPNG(t, q)
	frame := image.NewPaletted(image.Rect(0, 0, 4, 4), color.Palette{color.Black, color.White})
	var anim bytes.Buffer
	if err := gif.EncodeAll(&anim, &gif.GIF{Image: []*image.Paletted{frame, frame}, Delay: []int{1, 1}}); err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		name   string
		b      []byte
		limits Limits
		want   problem.Kind
	}{
		{"nothing", nil, Limits{}, problem.CaptureNotAnImage},
		{"a text", []byte("%PDF-1.7"), Limits{}, problem.CaptureNotAnImage},
		{"a HEIC picture", []byte("\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic"), Limits{}, problem.CaptureHEIC},
		{"an AVIF picture", []byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1"), Limits{}, problem.CaptureHEIC},
		{"a film in the same container", []byte("\x00\x00\x00\x18ftypisom\x00\x00\x00\x00isommp42"), Limits{}, problem.CaptureNotAnImage},
		{"markup", []byte("<svg onload=alert(1)>"), Limits{}, problem.CaptureNotAnImage},
		{"a GIF, animated or not", anim.Bytes(), Limits{}, problem.CaptureNotAnImage},
		{"an animated PNG", withChunk(pn, "acTL", make([]byte, 8)), Limits{}, problem.CaptureNotAnImage},
		{"an animated WebP by its flag", riff(vp8x(0x02, 4, 4), vp8l(4, 4, 1, 2, 3)), Limits{}, problem.CaptureNotAnImage},
		{"an animated WebP by its chunk", riff(vp8x(0, 4, 4), riffChunk("ANIM", make([]byte, 6)), vp8l(4, 4, 1, 2, 3)), Limits{}, problem.CaptureNotAnImage},
		{"half a JPEG", jpg[:len(jpg)/2], Limits{}, problem.CaptureNotAnImage},
		{"the first bytes of a JPEG", jpg[:30], Limits{}, problem.CaptureNotAnImage},
		{"half a PNG", pn[:len(pn)/2], Limits{}, problem.CaptureNotAnImage},
		{"half a WebP", riff(vp8l(30, 20, 1, 2, 3))[:25], Limits{}, problem.CaptureNotAnImage},
		{"a PNG of no width", hugePNG(0, 20), Limits{}, problem.CaptureNotAnImage},
		{"a small PNG that claims 50 000 × 50 000", hugePNG(50_000, 50_000), Limits{}, problem.CaptureTooManyPixels},
		{"a small PNG that claims 7 000 × 7 000", hugePNG(7_000, 7_000), Limits{}, problem.CaptureNotAnImage},
		{"a small JPEG that claims 50 000 × 50 000", resized(jpg, 50_000, 50_000), Limits{}, problem.CaptureTooManyPixels},
		{"a small JPEG that claims 7 000 × 7 000", resized(jpg, 7_000, 7_000), Limits{}, problem.CaptureNotAnImage},
		{"a small WebP of 16 384 × 16 384", riff(vp8l(16384, 16384, 1, 2, 3)), Limits{}, problem.CaptureTooManyPixels},
		{"a small WebP of 7 000 × 7 000", riff(vp8l(7000, 7000, 1, 2, 3)), Limits{}, problem.CaptureNotAnImage},
		{"a WebP with a large frame on a small canvas", riff(vp8x(0, 4, 4), vp8l(16384, 16384, 1, 2, 3)), Limits{}, problem.CaptureNotAnImage},
		{"more bytes than allowed", jpg, Limits{MaxBytes: 100}, problem.RequestTooLarge},
		{"more bytes than allowed, and no picture", make([]byte, 101), Limits{MaxBytes: 100}, problem.RequestTooLarge},
		{"more pixels than allowed", jpg, Limits{MaxPixels: 64*48 - 1}, problem.CaptureTooManyPixels},
		{"a shorter side than needed", jpg, Limits{MinSide: 49}, problem.CaptureTooSmall},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			p, _, err := Decode(tt.b, tt.limits)
			runtime.ReadMemStats(&after)
			if !problem.Has(err, tt.want) || p != nil {
				t.Errorf("picture %v, error %v, want %s", p != nil, err, tt.want.Code)
			}
			if n := after.TotalAlloc - before.TotalAlloc; n > 8<<20 {
				t.Errorf("%d bytes were allocated for a file of %d", n, len(tt.b))
			}
		})
	}
}

func TestScansWithoutEndAreRefused(t *testing.T) {
	jpg := asJPEG(t, quarters(16, 16))
	if _, _, err := Decode(manyScans(jpg, 10_000), Limits{}); !problem.Has(err, problem.CaptureNotAnImage) || !strings.Contains(err.Error(), "scans") {
		t.Errorf("10 000 scans: %v", err)
	}
	if h, err := readHeader(manyScans(jpg, 12)); err != nil || h.w != 16 {
		t.Errorf("12 scans: %+v, %v", h, err)
	}
}

func TestOrientationIsOneWhereEXIFIsNotAsItShouldBe(t *testing.T) {
	good := exif(binary.LittleEndian, 6)
	bent := func(i int, v byte) []byte {
		b := bytes.Clone(good)
		b[i] = v
		return b
	}
	tests := []struct {
		name string
		tiff []byte
		want int
	}{
		{"as it should be", good, 6},
		{"empty", nil, 1},
		{"another byte order mark", bent(0, 'X'), 1},
		{"not 42", bent(2, 43), 1},
		{"a directory beyond the end", bent(4, 200), 1},
		{"a directory inside the header", bent(4, 2), 1},
		{"more entries than there are", bent(8, 255), 6},
		{"no entries", bent(8, 0), 1},
		{"orientation 9", bent(30, 9), 1},
		{"orientation 0", bent(30, 0), 1},
		{"two values", bent(26, 2), 1},
		{"a rational", bent(24, 5), 1},
		{"cut short", good[:25], 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := exifOrientation(tt.tiff); got != tt.want {
				t.Errorf("got %d, want %d", got, tt.want)
			}
		})
	}
}

func TestCMYKIsShownInColour(t *testing.T) {
	m := image.NewCMYK(image.Rect(0, 0, 2, 1))
	m.SetCMYK(0, 0, color.CMYK{0, 255, 255, 0})
	m.SetCMYK(1, 0, color.CMYK{0, 0, 0, 255})
	p := FromImage(m)
	if got := fmt.Sprint(p.Pix); got != "[255 0 0 0 0 0]" {
		t.Errorf("got %s", got)
	}
}

func TestYCbCrIsConvertedAsTheStandardLibraryDoes(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{
		image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
		image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
	} {
		m := image.NewYCbCr(image.Rect(0, 0, 37, 23), ratio)
		for i := range m.Y {
			m.Y[i] = uint8(i * 7)
		}
		for i := range m.Cb {
			m.Cb[i], m.Cr[i] = uint8(i*13), uint8(255-i*29)
		}
		for _, r := range []image.Rectangle{m.Rect, image.Rect(2, 2, 31, 20), image.Rect(3, 1, 30, 22)} {
			sub := m.SubImage(r).(*image.YCbCr)
			p := FromImage(sub)
			for y := range p.H {
				for x := range p.W {
					want := color.NRGBAModel.Convert(sub.At(r.Min.X+x, r.Min.Y+y)).(color.NRGBA)
					if r, g, b := p.At(x, y); r != want.R || g != want.G || b != want.B {
						t.Fatalf("%v %v at %d,%d: got %d %d %d, want %v", ratio, sub.Rect, x, y, r, g, b, want)
					}
				}
			}
		}
	}
}

func FuzzDecode(f *testing.F) {
	q := quarters(16, 12)
	jpg, pn := asJPEG(f, q), asPNG(f, q)
	f.Add([]byte{})
	f.Add(jpg)
	f.Add(withEXIF(jpg, exif(binary.BigEndian, 6)))
	f.Add(pn)
	f.Add(withChunk(pn, "eXIf", exif(binary.LittleEndian, 5)))
	f.Add(riff(vp8l(9, 7, 1, 2, 3)))
	f.Add(riff(vp8x(0x08, 9, 7), vp8l(9, 7, 1, 2, 3), riffChunk("EXIF", exif(binary.LittleEndian, 8))))
	f.Fuzz(func(t *testing.T, b []byte) {
		p, info, err := Decode(b, Limits{MaxPixels: 1 << 16})
		if err != nil {
			if _, ok := problem.As(err); !ok {
				t.Errorf("not a problem of the catalogue: %v", err)
			}
			if p != nil || strings.Contains(err.Error(), "internal") {
				t.Errorf("picture with error %v", err)
			}
			return
		}
		if len(p.Pix) != 3*p.W*p.H || p.W*p.H != info.Width*info.Height || info.Orientation < 1 || info.Orientation > 8 {
			t.Errorf("%d×%d with %d bytes, info %+v", p.W, p.H, len(p.Pix), info)
		}
	})
}

func FuzzOrientation(f *testing.F) {
	f.Add(exif(binary.LittleEndian, 6))
	f.Add(exif(binary.BigEndian, 3))
	f.Fuzz(func(t *testing.T, b []byte) {
		if o := exifOrientation(b); o < 1 || o > 8 {
			t.Errorf("orientation %d", o)
		}
	})
}
