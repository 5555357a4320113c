package barcode

import (
	"context"
	"errors"
	"image/color"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	writer "github.com/boombuler/barcode"
	pdfwriter "github.com/boombuler/barcode/pdf417"
	"github.com/skip2/go-qrcode"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// licence is as long as what a driving licence says; nobody's.
var licence = "@\n\x1e\rANSI 636014090101DL00310232DLDAQD1234567\nDCSSPECIMEN\nDDEN\nDACANNA\nDDFN\nDADMARIA\nDDGN\nDCAC\nDCBNONE\nDCDNONE\n" +
	"DBD08122025\nDBB08121974\nDBA08122030\nDBC2\nDAU064 in\nDAYBRO\nDAG1 MAIN STREET\nDAIUTOPOLIS\nDAJCA\nDAK902230000  \n" +
	"DCF00/00/0000NNNAN/ANFD/YY\nDCGUSA\nDAW120\nDAZBRO\nDCK00000000000000000000\nDDAF\nDDB08292017\n\r"

// pdf417Picture draws the text as a code with pixels a module, quiet zone included.
func pdf417Picture(t testing.TB, text string, module int) (*imaging.Gray, string) {
	t.Helper()
	for {
		code, err := pdfwriter.Encode(text, 3)
		if err != nil {
			t.Fatal(err)
		}
		// The writer states its number of rows rightly only when three divides it
		// (ISO/IEC 15438 §5.11.3: (rows−1)/3 in the left indicator); rows are two
		// pixels high.
		if code.Bounds().Dy()/2%3 == 0 {
			return fromCode(code, module, 4), text
		}
		text += " "
	}
}

func fromCode(code writer.Barcode, module, quiet int) *imaging.Gray {
	b := code.Bounds()
	g := imaging.NewGray((b.Dx()+2*quiet)*module, (b.Dy()+2*quiet)*module)
	for y := range g.H {
		for x := range g.W {
			cx, cy := x/module-quiet, y/module-quiet
			v := uint8(255)
			if cx >= 0 && cy >= 0 && cx < b.Dx() && cy < b.Dy() && color.GrayModel.Convert(code.At(b.Min.X+cx, b.Min.Y+cy)).(color.Gray).Y < 128 {
				v = 0
			}
			g.Pix[y*g.W+x] = v
		}
	}
	return g
}

// scene lays a picture on a table of w×h, its upper left corner at x, y,
// scaled, tilted by degrees, and foreshortened: the far side is part smaller.
type scene struct {
	w, h          int
	width         float64 // of the picture in the scene
	degrees       float64
	foreshortened float64
	blur          int // box radius, pixels
	noise         float64
	contrast      float64 // 0–1
}

func (s scene) draw(p *imaging.Gray, seed uint64) (*imaging.Gray, imaging.Quad) {
	ratio := float64(p.H) / float64(p.W)
	hw, hh := s.width/2, s.width*ratio/2
	sin, cos := math.Sincos(s.degrees * math.Pi / 180)
	var q imaging.Quad
	for i, c := range [][2]float64{{-1, -1}, {1, -1}, {1, 1}, {-1, 1}} {
		x, y := c[0]*hw, c[1]*hh
		if c[0] > 0 {
			y *= 1 - s.foreshortened
		}
		q[i] = imaging.Point{X: float64(s.w)/2 + x*cos - y*sin, Y: float64(s.h)/2 + x*sin + y*cos}
	}
	out := imaging.NewGray(s.w, s.h)
	inverse := unproject(q)
	for y := range s.h {
		for x := range s.w {
			u, v := inverse(float64(x)+.5, float64(y)+.5)
			val := 150.0 + 20*math.Sin(float64(x)/40)*math.Cos(float64(y)/55)
			if u >= 0 && v >= 0 && u < 1 && v < 1 {
				val = sample(p, u*float64(p.W), v*float64(p.H))
				val = 235 - (255-val)*s.contrast
			}
			out.Pix[y*s.w+x] = uint8(val)
		}
	}
	out = boxBlur(out, s.blur)
	r := rand.New(rand.NewPCG(seed, 1))
	for i, v := range out.Pix {
		out.Pix[i] = uint8(min(max(float64(v)+r.NormFloat64()*s.noise, 0), 255))
	}
	return out, q
}

// sample averages a 3×3 neighbourhood, as a sensor does.
func sample(p *imaging.Gray, x, y float64) float64 {
	sum := 0.0
	for dy := -1; dy <= 1; dy++ {
		for dx := -1; dx <= 1; dx++ {
			px, py := min(max(int(x+float64(dx)/2), 0), p.W-1), min(max(int(y+float64(dy)/2), 0), p.H-1)
			sum += float64(p.At(px, py))
		}
	}
	return sum / 9
}

// unproject finds u, v of a scene point by Newton steps on projection, for
// points in the order of a raster.
func unproject(q imaging.Quad) func(x, y float64) (u, v float64) {
	at := projection(q, 1, 1)
	u, v := .5, .5 // neighbours lie near each other: begin where the last call ended
	return func(x, y float64) (float64, float64) {
		for range 2 {
			p := at(imaging.Point{X: u, Y: v})
			const e = 1e-4
			pu, pv := at(imaging.Point{X: u + e, Y: v}), at(imaging.Point{X: u, Y: v + e})
			a, b, c, d := (pu.X-p.X)/e, (pv.X-p.X)/e, (pu.Y-p.Y)/e, (pv.Y-p.Y)/e
			det := a*d - b*c
			if det == 0 {
				break
			}
			u += (d*(x-p.X) - b*(y-p.Y)) / det
			v += (a*(y-p.Y) - c*(x-p.X)) / det
		}
		return u, v
	}
}

func boxBlur(g *imaging.Gray, r int) *imaging.Gray {
	if r == 0 {
		return g
	}
	out := imaging.NewGray(g.W, g.H)
	for y := range g.H {
		for x := range g.W {
			sum, n := 0, 0
			for dy := -r; dy <= r; dy++ {
				for dx := -r; dx <= r; dx++ {
					if px, py := x+dx, y+dy; px >= 0 && py >= 0 && px < g.W && py < g.H {
						sum += int(g.Pix[py*g.W+px])
						n++
					}
				}
			}
			out.Pix[y*g.W+x] = uint8(sum / n)
		}
	}
	return out
}

func TestALicenceIsReadHoweverItLies(t *testing.T) {
	code, text := pdf417Picture(t, licence, 4)
	for _, c := range []struct {
		name  string
		scene scene
	}{
		{"upright and near", scene{w: 1000, h: 500, width: 800, contrast: .8}},
		{"small in a large picture", scene{w: 1900, h: 1300, width: 640, contrast: .8}},
		{"tilted by 5 degrees", scene{w: 1000, h: 600, width: 800, degrees: 5, contrast: .8}},
		{"tilted by 15 degrees", scene{w: 1000, h: 700, width: 800, degrees: 15, contrast: .8}},
		{"tilted by 30 degrees", scene{w: 1000, h: 800, width: 800, degrees: 30, contrast: .8}},
		{"tilted by 45 degrees", scene{w: 1000, h: 900, width: 800, degrees: 45, contrast: .8}},
		{"upside down", scene{w: 1000, h: 500, width: 800, degrees: 180, contrast: .8}},
		{"on its side", scene{w: 500, h: 1000, width: 800, degrees: 90, contrast: .8}},
		{"on its other side and tilted", scene{w: 600, h: 1000, width: 800, degrees: -80, contrast: .8}},
		{"foreshortened", scene{w: 1000, h: 600, width: 800, degrees: 4, foreshortened: .2, contrast: .8}},
		{"blurred and noisy", scene{w: 1200, h: 700, width: 1000, degrees: 3, blur: 1, noise: 8, contrast: .7}},
		{"faint", scene{w: 1000, h: 600, width: 800, degrees: 2, noise: 4, contrast: .35}},
	} {
		t.Run(c.name, func(t *testing.T) {
			pic, want := c.scene.draw(code, 7)
			start := time.Now()
			got, err := Read(context.Background(), pic)
			if err != nil {
				t.Fatal(err)
			}
			if got.Format != PDF417 || got.Text != text {
				t.Errorf("read %s %q", got.Format, got.Text)
			}
			// The quiet zone belongs to the picture that was laid down, not to the code.
			for i, p := range got.Quad {
				if d := side(p, want[i]); d > c.scene.width*.2 {
					t.Errorf("corner %d is %.0f pixels off: %v, want near %v", i, d, p, want[i])
				}
			}
			t.Logf("%v", time.Since(start).Round(time.Millisecond))
		})
	}
}

func TestAQRCodeIsRead(t *testing.T) {
	text := "https://example.org/v/specimen"
	q, err := qrcode.New(text, qrcode.Medium)
	if err != nil {
		t.Fatal(err)
	}
	bits := q.Bitmap()
	code := imaging.NewGray(len(bits)*8, len(bits)*8)
	for i := range code.Pix {
		if !bits[i/code.W/8][i%code.W/8] {
			code.Pix[i] = 255
		}
	}
	for _, degrees := range []float64{0, 20, 90, 200} {
		pic, want := scene{w: 900, h: 800, width: 400, degrees: degrees, contrast: .8, noise: 3}.draw(code, 3)
		got, err := Read(context.Background(), pic)
		if err != nil || got.Format != QR || got.Text != text || string(got.Bytes) != text {
			t.Fatalf("%v degrees: %v %+v", degrees, err, got)
		}
		if d := side(got.Quad[0], want[0]); d > 100 {
			t.Errorf("%v degrees: the first corner is %.0f pixels off", degrees, d)
		}
	}
}

func TestAPictureWithoutACodeIsNotFound(t *testing.T) {
	noise := imaging.NewGray(300, 200)
	r := rand.New(rand.NewPCG(1, 2))
	for i := range noise.Pix {
		noise.Pix[i] = uint8(r.IntN(256))
	}
	for name, g := range map[string]*imaging.Gray{
		"white":                      {W: 50, H: 50, Pix: []uint8(strings.Repeat("\xff", 2500))},
		"noise":                      noise,
		"one pixel":                  imaging.NewGray(1, 1),
		"a line":                     imaging.NewGray(3000, 4),
		"a floor of finder patterns": tiled(800, 800),
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := Read(context.Background(), g); !errors.Is(err, ErrNotFound) {
				t.Errorf("error %v", err)
			}
		})
	}
}

// tiled is made to keep a reader of QR codes busy.
func tiled(w, h int) *imaging.Gray {
	g := imaging.NewGray(w, h)
	for y := range h {
		for x := range w {
			mx, my := x/2%9-4, y/2%9-4
			ring := max(mx, -mx, my, -my)
			if ring == 2 || ring == 4 {
				g.Pix[y*w+x] = 255
			}
		}
	}
	return g
}

func TestReadingStopsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	if _, err := Read(ctx, imaging.NewGray(400, 400)); !errors.Is(err, context.Canceled) {
		t.Errorf("error %v", err)
	}
}

func FuzzRead(f *testing.F) {
	code, _ := pdf417Picture(f, "SPECIMEN", 1)
	f.Add(code.Pix, code.W)
	f.Add(make([]byte, 3600), 60)
	f.Fuzz(func(t *testing.T, pix []byte, w int) {
		if w < 1 || w > 400 || len(pix) > 8000 {
			t.Skip("no picture of that size is worth the two seconds")
		}
		h := len(pix) / w
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
		defer cancel()
		if c, err := Read(ctx, &imaging.Gray{W: w, H: h, Pix: pix[:w*h]}); err == nil && c.Format == "" {
			t.Error("a code without a format")
		}
	})
}

func BenchmarkNoCode(b *testing.B) {
	g := imaging.NewGray(4000, 3000)
	r := rand.New(rand.NewPCG(1, 2))
	for y := range g.H {
		for x := range g.W {
			v := 190.0 + 30*math.Sin(float64(x)/200)
			if (y/40)%3 == 0 && (x/18)%4 != 0 && x > 600 && x < 3200 && y > 500 && y < 2500 {
				v = 60
			}
			g.Pix[y*g.W+x] = uint8(v + r.NormFloat64()*4)
		}
	}
	for b.Loop() {
		if _, err := Read(context.Background(), g); !errors.Is(err, ErrNotFound) {
			b.Fatal(err)
		}
	}
}
