package forensic

import (
	"encoding/json"
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/bonafide-id/bonafide/internal/imaging"
)

// paper is a tinted page of grey noise, w×h, with what pattern adds at each place.
func paper(w, h int, pattern func(x, y float64) float64) *imaging.Photo {
	r := rand.New(rand.NewPCG(1, 2))
	p := imaging.NewRGB(w, h)
	for y := range h {
		for x := range w {
			v := 190 + 4*r.NormFloat64() + pattern(float64(x), float64(y))
			for k := range 3 {
				p.Pix[3*(y*w+x)+k] = uint8(max(0, min(255, v)))
			}
		}
	}
	return imaging.PhotoOf(p)
}

func full(w, h float64) imaging.Quad {
	return imaging.Quad{{X: 0, Y: 0}, {X: w, Y: 0}, {X: w, Y: h}, {X: 0, Y: h}}
}

// wave is a lattice of dots of a size.
func wave(period, degrees, size float64) func(x, y float64) float64 {
	sin, cos := math.Sincos(degrees * math.Pi / 180)
	return func(x, y float64) float64 {
		u, v := x*cos+y*sin, -x*sin+y*cos
		return size * (math.Cos(2*math.Pi*u/period) + math.Cos(2*math.Pi*v/period))
	}
}

// dashes is a table's column of dashes, thin rules between its rows, from the left edge so many pixels wide.
func dashes(wide float64) func(x, y float64) float64 {
	return func(x, y float64) float64 {
		row := math.Mod(y, 46)
		switch {
		case x > wide:
			return 0
		case row < 2, row > 20 && row < 24 && math.Mod(x, 15) < 9:
			return -110
		}
		return 0
	}
}

func TestAGridIsFoundHoweverItRuns(t *testing.T) {
	for name, c := range map[string]struct {
		pattern       func(x, y float64) float64
		least, most   float64
		period, angle float64 // 0: not looked at
	}{
		"noise alone":                                         {func(float64, float64) float64 { return 0 }, 0, .7, 0, 0},
		"dots turned by 45°":                                  {wave(5.3, 45, 2), 1.1, 1.4, 5.3, 45},
		"dots turned by 15°":                                  {wave(7.1, 15, 2), 1.1, 1.4, 7.1, 15},
		"a screen along the page":                             {wave(3.3, 0, 1.5), 1.1, 1.4, 3.3, 0},
		"a grid fainter than noise":                           {wave(4.7, 20, 1), 1, 1.4, 4.7, 20},
		"waves of a page's ground":                            {wave(40, 10, 20), 0, .9, 0, 0},
		"a table whose rows of dashes cover half of the page": {dashes(550), 0, .8, 0, 0},
		"rules over the whole page run in one direction":      {func(_, y float64) float64 { return 4 * math.Cos(2*math.Pi*y/7) }, 0, .8, 0, 0},
		"one edge": {func(x, _ float64) float64 {
			if x > 500 {
				return -120
			}
			return 0
		}, 0, .9, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			l := Look(paper(1000, 700, c.pattern), full(1000, 700)).Grid(40)
			if l.Nats < c.least || l.Nats > c.most || l.Places < LeastPlaces {
				t.Fatalf("%+v, want %.1f to %.1f nats", l, c.least, c.most)
			}
			away := math.Abs(math.Mod(l.Angle-c.angle+135, 90) - 45)
			if c.period > 0 && (math.Abs(l.Period-c.period) > .1*c.period || away > 4) {
				t.Errorf("%+v, want a period of %.1f at %.0f°", l, c.period, c.angle)
			}
		})
	}
}

// The strongest of a print's screens may run along the page; one of the others then tells that it is no screen's pixels.
func TestALatticeOfSeveralAnglesIsNotAlongThePage(t *testing.T) {
	add := func(waves ...func(x, y float64) float64) func(x, y float64) float64 {
		return func(x, y float64) float64 {
			sum := 0.
			for _, w := range waves {
				sum += w(x, y)
			}
			return sum
		}
	}
	for name, c := range map[string]struct {
		pattern func(x, y float64) float64
		along   bool
	}{
		"a screen's pixels":                     {wave(4.1, 0, 3), true},
		"a screen that is finer than the dots":  {wave(2.1, 0, 3), true},
		"a print whose yellow is seen best":     {add(wave(5.2, 0, 3), wave(5.2, 15, 2.6), wave(5.2, 75, 2.6)), false},
		"a print in black":                      {wave(5.2, 45, 3), false},
		"a print of cyan and magenta, turned 3": {add(wave(4.4, 18, 3), wave(4.4, 78, 3)), false},
	} {
		l := Look(paper(1000, 700, c.pattern), full(1000, 700)).Grid(40)
		if l.Nats < 1 {
			t.Errorf("%s: not seen, %+v", name, l)
		}
		if along := math.Abs(l.Angle) <= 8; along != c.along {
			t.Errorf("%s: %+v", name, l)
		}
	}
}

func TestSharpnessIsThatOfTheEdgesWhateverTheScale(t *testing.T) {
	for _, sigma := range []float64{.6, 1, 1.6, 2.5, 4} {
		// Bars of 22 pixels, blurred by sigma.
		img := paper(900, 600, func(x, y float64) float64 {
			d := math.Mod(x+.03*y, 44)
			return -70 * (math.Erf((d-11)/(sigma*math.Sqrt2)) - math.Erf((d-33)/(sigma*math.Sqrt2)))
		})
		got, want := Look(img, full(900, 600)).Sharpness(), math.Min(.5, .187/sigma)
		if got < .8*want || got > 1.4*want {
			t.Errorf("blurred by %.1f pixels: %.3f line pairs a pixel, want about %.3f", sigma, got, want)
		}
	}
	if got := Look(paper(900, 600, func(_, _ float64) float64 { return 0 }), full(900, 600)).Sharpness(); got != 0 {
		t.Errorf("a page without print has %.2f", got)
	}
}

func TestPerspectiveDoesNotHideAGrid(t *testing.T) {
	// A page that narrows to the top: its grid of 250 periods across is finer there.
	q := imaging.Quad{{X: 150, Y: 30}, {X: 1050, Y: 30}, {X: 1180, Y: 860}, {X: 20, Y: 860}}
	page := frameOf(q)
	back, ok := invertible(page)
	if !ok {
		t.Fatal("the page has no inverse")
	}
	img := paper(1200, 900, func(x, y float64) float64 {
		u, v := back(x, y)
		return 2.5 * (math.Cos(2*math.Pi*250*u) + math.Cos(2*math.Pi*180*v))
	})
	if l := Look(img, q).Grid(42); l.Nats < 1.2 {
		t.Errorf("%+v", l)
	}
}

// invertible answers the page's place of a pixel by Newton's method.
func invertible(m frame) (func(x, y float64) (u, v float64), bool) {
	_, ok := m.around(.5, .5).inverse()
	return func(x, y float64) (float64, float64) {
		u, v := .5, .5
		for range 6 {
			p := m.at(u, v)
			j, _ := m.around(u, v).inverse()
			dx, dy := x-p.X, y-p.Y
			u, v = u+j[0]*dx+j[1]*dy, v+j[2]*dx+j[3]*dy
		}
		return u, v
	}, ok
}

// printed is a page of patches in two inks, each what it leaves of red, green and blue, under a light that may change over the page.
func printed(first, second [3]float64, light func(u, v float64) [3]float64) *imaging.RGB {
	const w, h = 480, 300
	p := imaging.NewRGB(w, h)
	for y := range h {
		for x := range w {
			lit := light(float64(x)/w, float64(y)/h)
			for k := range 3 {
				v := 215 * lit[k]
				switch (x/18 + y/18) % 3 {
				case 0:
					v *= first[k]
				case 1:
					v *= second[k]
				}
				p.Pix[3*(y*w+x)+k] = uint8(min(255, v))
			}
		}
	}
	return p
}

func TestColourIsThatOfThePrintNotOfTheLight(t *testing.T) {
	threshold := Rates().Signs[ColourSign].Threshold
	white := func(float64, float64) [3]float64 { return [3]float64{1, 1, 1} }
	lamp := func(u, _ float64) [3]float64 { return [3]float64{1, .9 - .1*u, .7 - .3*u} }
	pink := func(u, v float64) [3]float64 {
		near := math.Exp(-4 * (u*u + v*v))
		return [3]float64{1, 1 - .5*near, 1 - .25*near}
	}
	finger := func(u, v float64) [3]float64 {
		if math.Hypot(u-1, (v-.5)/1.6) < .18 {
			return [3]float64{.8, .3, .25}
		}
		return [3]float64{1, 1, 1}
	}
	grey, dark := [3]float64{.8, .8, .8}, [3]float64{.55, .55, .55}
	blue, red := [3]float64{.7, .8, .95}, [3]float64{.95, .75, .72}
	for name, c := range map[string]struct {
		page     *imaging.RGB
		coloured bool
	}{
		"a grey print":                        {printed(grey, dark, white), false},
		"a grey print under a warm lamp":      {printed(grey, dark, lamp), false},
		"a grey print beside a pink light":    {printed(grey, dark, pink), false},
		"a grey print that a finger holds":    {printed(grey, dark, finger), false},
		"a print in two colours":              {printed(blue, red, white), true},
		"a print in blue alone":               {printed(blue, blue, white), true},
		"two colours under a warm lamp":       {printed(blue, red, lamp), true},
		"pale colours, a third of the others": {printed([3]float64{.9, .93, .98}, [3]float64{.98, .92, .91}, lamp), true},
	} {
		if got := Colour(c.page); got == 0 || got > threshold != c.coloured {
			t.Errorf("%s: %.2f, the threshold is %.2f", name, got, threshold)
		}
	}
	night := func(float64, float64) [3]float64 { return [3]float64{.06, .06, .06} }
	if got := Colour(printed(blue, red, night)); got != 0 {
		t.Errorf("a page in the dark has %.2f, want 0: it cannot be told", got)
	}
}

func TestAPictureWithoutColourIsKnown(t *testing.T) {
	p := imaging.NewRGB(300, 200)
	for i := range p.Pix {
		p.Pix[i] = uint8(i / 3 % 251)
	}
	if !Monochrome(imaging.PhotoOf(p)) {
		t.Error("grey has colour")
	}
	for i := 0; i < len(p.Pix); i += 3 {
		p.Pix[i] = uint8(min(255, int(p.Pix[i])+9))
	}
	if Monochrome(imaging.PhotoOf(p)) {
		t.Error("red has none")
	}
}

func TestGrainTellsASmootherPortrait(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	p := imaging.NewRGB(800, 600)
	inner := image.Rect(100, 100, 340, 420)
	for _, c := range []struct {
		name      string
		own       float64
		low, high float64
	}{{"the same", 5, -.35, .35}, {"a quarter", 1.25, -2.3, -1.2}, {"twice", 10, .7, 1.3}} {
		for y := range 600 {
			for x := range 800 {
				sigma := 5.
				if image.Pt(x, y).In(inner) {
					sigma = c.own
				}
				v := uint8(160 + sigma*r.NormFloat64())
				copy(p.Pix[3*(y*800+x):], []uint8{v, v, v})
			}
		}
		got, ok := Grain(imaging.PhotoOf(p), p.Bounds(), inner)
		if !ok || got < c.low || got > c.high {
			t.Errorf("%s: %.2f (%v), want %.1f to %.1f", c.name, got, ok, c.low, c.high)
		}
	}
}

func TestEverySignStatesWhatWasMeasured(t *testing.T) {
	for _, name := range []string{GridSign, ColourSign, GrainSign} {
		s, ok := Rates().Signs[name]
		if !ok || len(s.Ranges) == 0 {
			t.Errorf("%s has no rates", name)
			continue
		}
		for i, r := range s.Ranges {
			if r.Genuine == 0 || len(r.Attacks) == 0 || i > 0 && r.From <= s.Ranges[i-1].From {
				t.Errorf("%s: range %d has no counts or is out of order: %+v", name, i, r)
			}
		}
		if at, _ := s.At(0); at.From != s.Ranges[0].From {
			t.Errorf("%s: what is coarser than all is not in the coarsest range", name)
		}
	}
}

func TestTheRateOfMissesIsThatOfTheAttackMissedMost(t *testing.T) {
	r := Range{Attacks: map[string]Count{"screen": {Missed: 3, Of: 4}, "laser": {Missed: 1, Of: 50}, "grey": {}}}
	if rate, which := r.MissRate(); rate != .75 || which != "screen" {
		t.Errorf("%.2f for %q", rate, which)
	}
	if _, which := (Range{Attacks: map[string]Count{"grey": {}}}).MissRate(); which != "" {
		t.Errorf("%q was never tried", which)
	}
}

// FuzzSigns: whatever the picture and its corners, there is an answer, and it is a number.
func FuzzSigns(f *testing.F) {
	f.Add(uint16(1), uint16(1), uint8(0), 0., 0., 1., 0., 1., 1., 0., 1.)
	f.Add(uint16(300), uint16(2), uint8(1), 0., 0., 300., 0., 300., 2., 0., 2.)
	f.Add(uint16(400), uint16(300), uint8(2), 10., 10., 10., 10., 10., 10., 10., 10.)
	f.Add(uint16(400), uint16(300), uint8(3), 380., 290., 5., 280., 3., 2., 390., 4.)
	f.Add(uint16(500), uint16(400), uint8(4), math.NaN(), 0., math.Inf(1), 0., 1e300, 300., -1e300, math.Inf(-1))
	f.Fuzz(func(t *testing.T, w, h uint16, fill uint8, ax, ay, bx, by, cx, cy, dx, dy float64) {
		width, height := 1+int(w)%700, 1+int(h)%500
		p := imaging.NewRGB(width, height)
		for i := range p.Pix {
			switch fill % 5 {
			case 1:
				p.Pix[i] = 255
			case 2:
				p.Pix[i] = uint8(i * 7)
			case 3:
				p.Pix[i] = 128
			case 4:
				p.Pix[i] = uint8(i * i >> 3)
			}
		}
		q := imaging.Quad{{X: ax, Y: ay}, {X: bx, Y: by}, {X: cx, Y: cy}, {X: dx, Y: dy}}
		img := imaging.PhotoOf(p)
		places := Look(img, q)
		l := places.Grid(ax)
		grain, _ := Grain(img, image.Rect(0, 0, int(w), int(h)), image.Rect(int(fill), 0, int(h), int(w)))
		Monochrome(img)
		for _, v := range []float64{l.Nats, l.Period, l.Angle, Colour(p), grain, places.Sharpness()} {
			if !finite(v) {
				t.Fatalf("%+v, grain %v, colour %v", l, grain, Colour(p))
			}
		}
	})
}

func TestThePackageCarriesWhatWasMeasured(t *testing.T) {
	var m Measured
	if err := json.Unmarshal(measuredJSON, &m); err != nil || m.Command == "" || m.DataSet == "" || m.Date == "" {
		t.Errorf("%v: %+v", err, m)
	}
}

// BenchmarkSigns is what looking at one page costs beyond opening its picture and cutting the page out.
func BenchmarkSigns(b *testing.B) {
	img := paper(4000, 3000, func(x, y float64) float64 { return 30 * math.Sin(x/9) * math.Sin(y/11) })
	q := imaging.Quad{{X: 300, Y: 300}, {X: 3700, Y: 320}, {X: 3650, Y: 2700}, {X: 320, Y: 2680}}
	page := img.Warp(q, 1600, 1120)
	for b.Loop() {
		places := Look(img, q)
		places.Grid(125)
		places.Sharpness()
		Colour(page)
		Monochrome(img)
		Grain(img, image.Rect(300, 300, 3700, 2700), image.Rect(600, 700, 1100, 1400))
	}
}
