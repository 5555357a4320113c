package pdf_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/pdf"
	"github.com/bonafide-id/bonafide/internal/pdf/pdftest"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// shared is compiled once for all tests.
var shared = pdf.New(pdf.Options{Wait: time.Minute})

// plain is a JPEG of one colour.
func plain(t testing.TB, w, h int, c color.Color) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		m.Set(i%w, i/w, c)
	}
	var out bytes.Buffer
	if err := jpeg.Encode(&out, m, nil); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestTheFirstTwoPagesAreRendered(t *testing.T) {
	t.Parallel()
	colours := []color.RGBA{{R: 200, A: 255}, {G: 200, A: 255}, {B: 200, A: 255}}
	var pictures [][]byte
	for _, c := range colours {
		pictures = append(pictures, plain(t, 300, 200, c))
	}
	for sent, want := range map[int]int{1: 1, 2: 2, 3: 2} {
		pages, err := shared.Render(t.Context(), pdftest.File(pictures[:sent]...))
		if err != nil {
			t.Fatal(err)
		}
		if len(pages) != want {
			t.Fatalf("a file of %d pages gives %d pictures, want %d", sent, len(pages), want)
		}
		for i, page := range pages {
			m, err := jpeg.Decode(bytes.NewReader(page))
			if err != nil {
				t.Fatal(err)
			}
			if got, want := m.Bounds().Size(), image.Pt(2479, 1653); got != want {
				t.Errorf("page %d has %v pixels, want %v: A4's width at 300 dots per inch", i+1, got, want)
			}
			r, g, b, _ := m.At(1200, 800).RGBA()
			got := color.RGBA{R: uint8(r >> 8), G: uint8(g >> 8), B: uint8(b >> 8), A: 255}
			if !near(got, colours[i]) {
				t.Errorf("page %d shows %v, want %v", i+1, got, colours[i])
			}
		}
	}
}

func near(a, b color.RGBA) bool {
	off := func(x, y uint8) bool { return max(x, y)-min(x, y) > 8 }
	return !off(a.R, b.R) && !off(a.G, b.G) && !off(a.B, b.B)
}

func TestAPageHasAtMost4096PixelsASide(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		width, height float64
		want          image.Point
	}{
		"a card is drawn larger than it is":     {243, 153, image.Pt(2000, 1260)},
		"a poster is drawn smaller than it is":  {8000, 4000, image.Pt(4096, 2048)},
		"a strip keeps at least a line of dots": {14400, 1, image.Pt(4096, 1)},
	} {
		pages, err := shared.Render(t.Context(), pdftest.Drawn("", c.width, c.height))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		m, err := jpeg.DecodeConfig(bytes.NewReader(pages[0]))
		if err != nil {
			t.Fatal(err)
		}
		if got := image.Pt(m.Width, m.Height); got != c.want {
			t.Errorf("%s: %v pixels, want %v", name, got, c.want)
		}
	}
}

func TestWhatCannotBeRenderedIsRefusedWithAReason(t *testing.T) {
	t.Parallel()
	whole := pdftest.File(plain(t, 30, 20, color.White))
	noSize := bytes.Replace(pdftest.Blank(1), []byte("/MediaBox [0 0 595.00 842.00]"), []byte("/MediaBox [0 0   0.00   0.00]"), 1)
	for name, c := range map[string]struct {
		file []byte
		want problem.Kind
	}{
		"a password":                     {pdftest.Encrypted(), problem.CapturePDFEncrypted},
		"more pages than the limit":      {pdftest.Blank(21), problem.CapturePDFTooLarge},
		"no pages":                       {pdftest.Blank(0), problem.CapturePDFDamaged},
		"a header alone":                 {[]byte("%PDF-1.7\n"), problem.CapturePDFDamaged},
		"the first half":                 {whole[:len(whole)/3], problem.CapturePDFDamaged},
		"another format behind a header": {append([]byte("%PDF-1.7\n"), plain(t, 30, 20, color.White)...), problem.CapturePDFDamaged},
		"more bytes than the limit":      {append(bytes.Clone(whole), make([]byte, pdf.DefaultMaxBytes)...), problem.RequestTooLarge},
	} {
		pages, err := shared.Render(t.Context(), c.file)
		if !problem.Has(err, c.want) {
			t.Errorf("%s: %d pages and %v, want %s", name, len(pages), err, c.want.Code)
		}
	}
	if pages, err := shared.Render(t.Context(), noSize); err != nil || len(pages) != 1 {
		t.Errorf("a page without a size: %d pages and %v; PDFium takes Letter for it", len(pages), err)
	}
	if _, err := shared.Render(t.Context(), pdftest.Blank(20)); err != nil {
		t.Errorf("20 pages are refused: %v", err)
	}
}

func TestAFileThatTakesTooLongIsStopped(t *testing.T) {
	t.Parallel()
	r := pdf.Compiled(t, shared, pdf.Options{Timeout: 300 * time.Millisecond, Wait: time.Minute})
	slow := pdftest.Drawn(strings.Repeat("0 0 600 850 re 600 850 0 0 re f* 0 0 m 1 2 600 850 3 4 c S\n", 200_000), 595, 842)
	_, err := r.Render(t.Context(), slow)
	if !problem.Has(err, problem.CapturePDFTooLarge) {
		t.Fatalf("got %v, want %s", err, problem.CapturePDFTooLarge.Code)
	}
	// A busy machine may take longer than that for any file; it must not stay so.
	for range 20 {
		if _, err = r.Render(t.Context(), pdftest.Drawn("", 100, 100)); err == nil {
			return
		}
	}
	t.Errorf("the next file: %v", err)
}

func TestAPictureBeyondTheMemoryOfTheSandboxIsRefusedOrLeftOut(t *testing.T) {
	t.Parallel()
	r := pdf.Compiled(t, shared, pdf.Options{MaxMemory: 32 << 20, Wait: time.Minute})
	if _, err := r.Render(t.Context(), pdftest.Blank(1)); !problem.Has(err, problem.CapturePDFDamaged) && !problem.Has(err, problem.CapturePDFTooLarge) {
		t.Errorf("a page of 35 MB in a sandbox of 32 MiB: %v", err)
	}
	if _, err := r.Render(t.Context(), pdftest.Drawn("", 100, 1)); err != nil {
		t.Errorf("the next file: %v", err)
	}
}

func TestOneFileIsOpenedAtATime(t *testing.T) {
	t.Parallel()
	r := pdf.Compiled(t, shared, pdf.Options{Wait: time.Millisecond})
	leave := pdf.Enter(t, r)
	_, err := r.Render(t.Context(), pdftest.Blank(1))
	if !problem.Has(err, problem.Unavailable) {
		t.Errorf("while another file is open: %v, want %s", err, problem.Unavailable.Code)
	}
	leave()
	if _, err := r.Render(t.Context(), pdftest.Blank(1)); err != nil {
		t.Errorf("afterwards: %v", err)
	}
}

func TestOnlyWhatBeginsAsAPDFIsOne(t *testing.T) {
	t.Parallel()
	for file, want := range map[string]bool{"%PDF-1.4\n": true, "": false, "%PDF": false, "\xff\xd8\xff%PDF-1.4": false, "\n%PDF-1.4": false} {
		if got := pdf.Is([]byte(file)); got != want {
			t.Errorf("Is(%q) = %v, want %v", file, got, want)
		}
	}
}

// What comes out of any bytes is a picture within the limits or a problem from the catalogue.
func FuzzRender(f *testing.F) {
	whole := pdftest.File(plain(f, 30, 20, color.White), plain(f, 20, 30, color.Black))
	f.Add(whole)
	f.Add(whole[:len(whole)/2])
	f.Add(pdftest.Encrypted())
	f.Add(pdftest.Drawn("0 0 m 100 100 l S", 100, 100))
	f.Add(bytes.Replace(whole, []byte("/Count 2"), []byte("/Count 9"), 1))
	f.Add([]byte(fmt.Sprintf("%%PDF-1.4\n%s", strings.Repeat("[", 1000))))
	f.Fuzz(func(t *testing.T, b []byte) {
		pages, err := shared.Render(t.Context(), b)
		if err != nil {
			if _, ok := problem.As(err); !ok {
				t.Fatalf("not a problem: %v", err)
			}
			return
		}
		if len(pages) < 1 || len(pages) > pdf.MostRendered {
			t.Fatalf("%d pages", len(pages))
		}
		for _, page := range pages {
			c, err := jpeg.DecodeConfig(bytes.NewReader(page))
			if err != nil || max(c.Width, c.Height) > 4096 {
				t.Fatalf("a page of %d × %d: %v", c.Width, c.Height, err)
			}
		}
	})
}
