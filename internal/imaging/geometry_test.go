package imaging

import (
	"bytes"
	"image"
	"math"
	"testing"
)

// gradient is a picture whose red grows to the right and whose green grows downwards.
func gradient(w, h int) *RGB {
	p := NewRGB(w, h)
	for y := range h {
		for x := range w {
			i := 3 * (y*w + x)
			p.Pix[i], p.Pix[i+1], p.Pix[i+2] = uint8(x*255/max(w-1, 1)), uint8(y*255/max(h-1, 1)), uint8((x*31+y*17)%256)
		}
	}
	return p
}

// areaAverage is the definition of shrinking, slow and plain.
func areaAverage(p *RGB, w, h int) []float64 {
	out := make([]float64, 3*w*h)
	sx, sy := float64(p.W)/float64(w), float64(p.H)/float64(h)
	part := func(i int, from, to float64) float64 {
		return math.Max(0, math.Min(float64(i+1), to)-math.Max(float64(i), from))
	}
	for y := range h {
		for x := range w {
			for j := int(float64(y) * sy); j < min(p.H, int(float64(y+1)*sy)+1); j++ {
				for i := int(float64(x) * sx); i < min(p.W, int(float64(x+1)*sx)+1); i++ {
					a := part(i, float64(x)*sx, float64(x+1)*sx) * part(j, float64(y)*sy, float64(y+1)*sy) / sx / sy
					for c := range 3 {
						out[3*(y*w+x)+c] += a * float64(p.Pix[3*(j*p.W+i)+c])
					}
				}
			}
		}
	}
	return out
}

func TestShrinkingIsTheAreaAverage(t *testing.T) {
	for _, size := range [][4]int{{100, 80, 50, 40}, {101, 67, 33, 20}, {640, 48, 32, 24}, {7, 5, 3, 5}, {50, 50, 1, 1}, {97, 31, 96, 30}} {
		p := gradient(size[0], size[1])
		want := areaAverage(p, size[2], size[3])
		got := p.Resize(size[2], size[3])
		for i, v := range got.Pix {
			if math.Abs(float64(v)-want[i]) > 1.5 {
				t.Fatalf("%v at %d: got %d, want %.1f", size, i, v, want[i])
			}
		}
		grey := p.Gray().Resize(size[2], size[3])
		for i, v := range grey.Pix {
			luma := .299*want[3*i] + .587*want[3*i+1] + .114*want[3*i+2]
			if math.Abs(float64(v)-luma) > 2 {
				t.Fatalf("grey %v at %d: got %d, want %.1f", size, i, v, luma)
			}
		}
	}
}

func TestGrowingIsSmoothAndKeepsTheEnds(t *testing.T) {
	p := NewRGB(2, 1)
	copy(p.Pix, []uint8{0, 0, 0, 200, 100, 50})
	got := p.Resize(8, 3)
	for y := range 3 {
		for x := range 8 {
			at := math.Max(0, math.Min(1, (float64(x)+.5)/4-.5))
			r, g, b := got.At(x, y)
			if math.Abs(float64(r)-200*at) > 1.5 || math.Abs(float64(g)-100*at) > 1.5 || math.Abs(float64(b)-50*at) > 1.5 {
				t.Errorf("at %d,%d: %d %d %d, want %.0f of the way", x, y, r, g, b, 100*at)
			}
		}
	}
}

func TestFitOnlyShrinks(t *testing.T) {
	p := gradient(40, 20)
	if q, s := p.Fit(40); q != p || s != 1 {
		t.Error("a picture that fits is changed")
	}
	if q, s := p.Fit(10); q.W != 10 || q.H != 5 || s != .25 {
		t.Errorf("%d×%d at scale %v", q.W, q.H, s)
	}
	if q, _ := p.Gray().Turn(1).Fit(10); q.W != 5 || q.H != 10 {
		t.Errorf("grey %d×%d", q.W, q.H)
	}
}

func TestTurning(t *testing.T) {
	p := gradient(70, 40)
	for k := -4; k <= 4; k++ {
		q := p.Turn(k)
		want := p
		for range k & 3 {
			one := NewRGB(want.H, want.W)
			for y := range want.H {
				for x := range want.W {
					copy(one.Pix[3*(x*one.W+one.W-1-y):][:3], want.Pix[3*(y*want.W+x):][:3])
				}
			}
			want = one
		}
		if q.W != want.W || string(q.Pix) != string(want.Pix) {
			t.Errorf("%d quarter turns differ", k)
		}
		if g := p.Gray().Turn(k); string(g.Pix) != string(q.Gray().Pix) {
			t.Errorf("grey: %d quarter turns differ", k)
		}
	}
}

func TestCroppingStaysInside(t *testing.T) {
	p := gradient(20, 10)
	if q := p.Crop(image.Rect(-5, 3, 4, 100)); q.W != 4 || q.H != 7 || string(q.Pix[:3]) != string(p.Pix[3*60:3*60+3]) {
		t.Errorf("%d×%d", q.W, q.H)
	}
	if q := p.Gray().Crop(image.Rect(30, 30, 40, 40)); q.W*q.H != 0 {
		t.Errorf("outside: %d×%d", q.W, q.H)
	}
}

func TestWarpRectifies(t *testing.T) {
	p := FromImage(quarters(400, 300))
	whole := Quad{{0, 0}, {400, 0}, {400, 300}, {0, 300}}
	t.Run("the whole picture is itself", func(t *testing.T) {
		if q := p.Warp(whole, 400, 300); string(q.Pix) != string(p.Pix) {
			t.Error("differs")
		}
	})
	t.Run("corners land on corners, however small", func(t *testing.T) {
		wantQuarters(t, p.Warp(whole, 20, 30), 1)
	})
	t.Run("a trapezium", func(t *testing.T) {
		q := p.Warp(Quad{{100, 50}, {300, 70}, {380, 280}, {20, 250}}, 120, 80)
		r, g, b := q.At(3, 3)
		if r != 255 || g != 0 || b != 0 {
			t.Errorf("top left %d %d %d", r, g, b)
		}
	})
	t.Run("a quarter turn by the order of corners", func(t *testing.T) {
		q := p.Warp(Quad{{0, 300}, {0, 0}, {400, 0}, {400, 300}}, 300, 400)
		if string(q.Pix) != string(p.Turn(1).Pix) {
			t.Error("differs from Turn(1)")
		}
	})
	t.Run("reading only what it needs changes nothing", func(t *testing.T) {
		big := gradient(900, 700)
		q := Quad{{300, 300}, {500, 310}, {490, 420}, {310, 400}}
		a, b := big.Warp(q, 40, 25), big.Crop(image.Rect(260, 260, 540, 460)).Warp(q.moved(Point{260, 260}), 40, 25)
		for i := range a.Pix {
			if d := int(a.Pix[i]) - int(b.Pix[i]); d > 12 || d < -12 {
				t.Fatalf("at %d: %d and %d", i, a.Pix[i], b.Pix[i])
			}
		}
	})
	for name, q := range map[string]Quad{
		"all corners in one point": {}, "corners on a line": {{0, 0}, {1, 1}, {2, 2}, {3, 3}},
		"far outside": {{1e9, 1e9}, {2e9, 1e9}, {2e9, 2e9}, {1e9, 2e9}}, "not numbers": {{math.NaN(), 0}, {math.Inf(1), 0}, {0, math.Inf(-1)}, {0, 0}},
	} {
		t.Run(name, func(t *testing.T) {
			if r := p.Warp(q, 9, 7); r.W != 9 || r.H != 7 {
				t.Error("size differs")
			}
			if g := p.Gray().Warp(q, 9, 7); g.W != 9 || g.H != 7 {
				t.Error("grey size differs")
			}
		})
	}
}

func TestAffineCopiesAndShowsBlackOutside(t *testing.T) {
	p := gradient(30, 20)
	if q := Affine(p, [6]float64{1, 0, 0, 0, 1, 0}, 30, 20); string(q.Pix) != string(p.Pix) {
		t.Error("the identity changes the picture")
	}
	q := Affine(p, [6]float64{1, 0, 5, 0, 1, -4}, 30, 20)
	if r, g, b := q.At(3, 2); r|g|b != 0 {
		t.Errorf("outside %d %d %d", r, g, b)
	}
	r, g, b := q.At(3, 10)
	if wr, wg, wb := p.At(8, 6); r != wr || g != wg || b != wb {
		t.Errorf("got %d %d %d, want %d %d %d", r, g, b, wr, wg, wb)
	}
}

func TestMeasures(t *testing.T) {
	checks := NewGray(256, 256)
	for i := range checks.Pix {
		if (i%256/4+i/256/4)%2 == 0 {
			checks.Pix[i] = 200
		}
	}
	soft := checks.Resize(32, 32).Resize(256, 256)
	if a, b := Sharpness(checks), Sharpness(soft); a < 1000 || b > a/20 {
		t.Errorf("sharp %.0f, soft %.0f", a, b)
	}
	if s := Sharpness(NewGray(10, 10)); s != 0 {
		t.Errorf("smaller than a tile: %v", s)
	}
	white := &RGB{W: 64, H: 64, Pix: bytes.Repeat([]byte{255}, 3*64*64)}
	if g := GlareArea(white); g != 1 {
		t.Errorf("glare of white %v", g)
	}
	if g := GlareArea(gradient(64, 64)); g != 0 {
		t.Errorf("glare of a gradient %v", g)
	}
	if d := Darkness(NewGray(9, 9)); d != 1 {
		t.Errorf("darkness of black %v", d)
	}
	if d := Darkness(white.Gray()); d != 0 {
		t.Errorf("darkness of white %v", d)
	}
	p := gradient(300, 200)
	if d := HashDistance(DHash(p.Gray()), DHash(p.Resize(150, 100).Gray())); d > 6 {
		t.Errorf("the same view differs in %d bits", d)
	}
	if d := HashDistance(DHash(p.Gray()), DHash(p.Turn(2).Gray())); d < 30 {
		t.Errorf("another view differs in %d bits only", d)
	}
}

func BenchmarkDecode12MP(b *testing.B) {
	jpg := asJPEG(b, quarters(4000, 3000))
	for b.Loop() {
		if _, _, err := Decode(jpg, Limits{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkConvert12MP(b *testing.B) {
	m := image.NewYCbCr(image.Rect(0, 0, 4000, 3000), image.YCbCrSubsampleRatio420)
	for b.Loop() {
		FromImage(m)
	}
}

func BenchmarkFit12MP(b *testing.B) {
	p := gradient(4000, 3000)
	for b.Loop() {
		p.Fit(960)
	}
}

func BenchmarkTurn12MP(b *testing.B) {
	p := gradient(4000, 3000)
	for b.Loop() {
		p.Turn(1)
	}
}

func TestHalvingIsResizingToHalf(t *testing.T) {
	p := NewRGB(38, 22)
	for i := range p.Pix {
		p.Pix[i] = uint8(i * i % 251)
	}
	across, down := spans(p.W, p.W/2, float64(p.W)), spans(p.H, p.H/2, float64(p.H))
	for i, v := range p.Resize(p.W/2, p.H/2).Pix {
		x, y, c := i/3%(p.W/2), i/3/(p.W/2), i%3
		var sum float64
		for dy := range down[y].n {
			for dx := range across[x].n {
				sum += float64(p.Pix[3*((down[y].first+dy)*p.W+across[x].first+dx)+c])
			}
		}
		if want := uint8(sum/4 + .5); v != want {
			t.Fatalf("%d, %d: %d, want %d", x, y, v, want)
		}
	}
	g := p.Gray()
	if a, b := g.Resize(19, 11).RGB(), g.RGB().Resize(19, 11); !bytes.Equal(a.Pix, b.Pix) {
		t.Error("grey is halved otherwise than colour")
	}
}
