package mrz

import (
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// The sizes that are drawn, as the height of a capital in pixels of the picture.
const (
	leastCapital = 9.0
	mostCapital  = 30.0
	capitalMM    = 2.48 // height of a capital as the specimens print OCR-B
	mostPixels   = 3.2e6
)

// shot is one generated picture and what is known of it.
type shot struct {
	seed    int64
	page    specimen
	file    []byte          // as a camera stores it, JPEG
	upright *imaging.RGB    // as a person sees it
	zone    image.Rectangle // round the zone, with paper, on upright
	capital float64         // height of the zone's capitals in pixels, at their smallest
	trouble []string
	two     bool // another document lies beside it
	hidden  bool // a part of the zone is not in view
}

// scene is what is decided before a picture is taken.
type scene struct {
	camera      fixtures.Camera
	capital     float64
	trouble     []string
	orientation int // EXIF
	quality     int // JPEG
	edge        float64
}

func (s *scene) has(t string) bool { return slices.Contains(s.trouble, t) }

// Troubles lists what may be hard about a generated picture.
func Troubles() []string {
	return []string{
		turnedAround, slanted, oblique, mirrored, sideways, smallPart, cluttered, framed, stamped, several, atTheEdge, glared, moved, soft, shaded,
	}
}

// newScene decides on a phone's picture of that seed, with up to three kinds of trouble; with exactly one where only is
// not empty. Capitals are at least so many pixels high, to twice as many; 0 draws them from all sizes.
func newScene(seed int64, only string, capital float64) scene {
	r := rand.New(rand.NewPCG(uint64(seed), 0x5ce9))
	s := scene{
		camera: fixtures.Phone(seed), orientation: 1, quality: 60 + r.IntN(35),
		capital: drawCapital(r),
	}
	if capital > 0 {
		s.capital = capital * (1 + r.Float64())
	}
	c := &s.camera
	c.Width, c.Height = frameOf(r)
	c.Blur, c.Motion = .25+s.capital*.035*r.Float64(), 0
	c.Glare, c.Shadow = 0, 0
	for range []int{0, 1, 1, 2, 3}[r.IntN(5)] {
		t := Troubles()[r.IntN(len(Troubles()))]
		if only == "" && !s.has(t) {
			s.trouble = append(s.trouble, t)
			s.add(t, r)
		}
	}
	switch {
	case slices.Contains(Rivals(), only): // whatever else is hard about the picture
		s.trouble = append(slices.DeleteFunc(s.trouble, func(t string) bool { return t == several || t == stamped }), only)
		if only == frontOnly { // there is no zone to cut off, or to mark
			s.trouble, s.edge = slices.DeleteFunc(s.trouble, func(t string) bool { return t == atTheEdge || t == framed }), 0
		}
		c.Beside, c.Fill = .5+.4*r.Float64(), .9
	case slices.Contains(Hiding(), only): // whatever else is hard about the picture
		s.trouble = append(slices.DeleteFunc(s.trouble, func(t string) bool { return t == several || t == atTheEdge }), only)
		c.Beside, s.edge = 0, 0
	case only != "":
		s.trouble = []string{only}
		s.add(only, r)
	}
	slices.Sort(s.trouble)
	return s
}

// drawCapital draws a height of capitals: most of them small, where reading is hard.
func drawCapital(r *rand.Rand) float64 {
	band := [][2]float64{{9, 10}, {10, 14}, {10, 14}, {10, 14}, {14, 19}, {14, 19}, {14, 19}, {14, 19}, {19, 24}, {24, mostCapital}}[r.IntN(10)]
	return band[0] + r.Float64()*(band[1]-band[0])
}

// frameOf is the shape of a picture; its size follows from the capitals.
func frameOf(r *rand.Rand) (w, h int) {
	shapes := [][2]int{{1600, 1200}, {1600, 1200}, {1200, 1600}, {1600, 900}}
	f := shapes[r.IntN(len(shapes))]
	return f[0], f[1]
}

func (s *scene) add(trouble string, r *rand.Rand) {
	c := &s.camera
	side := float64(1 - 2*r.IntN(2))
	switch trouble {
	case turnedAround:
		c.Turn += float64(90 * (1 + r.IntN(3)))
	case slanted:
		c.Turn += side * (8 + 17*r.Float64())
	case oblique:
		c.Tilt = 18 + 14*r.Float64()
	case mirrored:
		s.orientation = []int{2, 4, 5, 7}[r.IntN(4)]
	case sideways:
		s.orientation = []int{3, 6, 8}[r.IntN(3)]
	case smallPart:
		c.Fill, c.Clutter = .36+.08*r.Float64(), 5+r.IntN(4)
		s.capital = math.Min(s.capital, leastCapital+4+5*r.Float64())
	case cluttered:
		c.Clutter = 4 + r.IntN(4)
	case several:
		c.Beside, c.Fill = .5+.3*r.Float64(), .9
	case atTheEdge:
		s.edge = .3 + 1.7*r.Float64()
	case glared:
		c.Glare = .2 + .3*r.Float64()
	case moved:
		c.Motion = s.capital * (.04 + .10*r.Float64())
	case soft:
		c.Blur = s.capital * (.05 + .04*r.Float64())
	case shaded:
		c.Shadow = .2 + .5*r.Float64()
	}
}

// shoot photographs the specimen. other is the document that lies beside it where the scene has two.
func (s scene) shoot(seed int64, d specimen, other func() (specimen, error)) (shot, error) {
	out := shot{seed: seed, page: d, trouble: s.trouble, two: s.two()}
	r := rand.New(rand.NewPCG(uint64(seed), 0x7a4e))
	page := d.page()
	if s.has(framed) {
		page = withFrame(r, page, d.Truth.Zone)
	}
	if s.has(stamped) {
		page = withStamp(r, page, d.Truth.Zone)
	}
	pages := []*imaging.RGB{page}
	if s.two() {
		o, err := other()
		if err != nil {
			return out, err
		}
		pages = s.beside(r, d, page, o)
		out.hidden = s.has(frontOnly)
	}
	cam := s.sized(pages, d.Truth.Zone)
	img, quad := fixtures.ShootAllQuick(pages, cam)
	out.capital = capitalIn(quad, d.Truth.Zone, page)
	out.zone = boundsOf(quad, d.Truth.Zone).Inset(-int(3 * out.capital))
	if s.has(atTheEdge) {
		area := cutAtZone(img, boundsOf(quad, d.Truth.Zone), s.edge*out.capital)
		img, out.zone = img.Crop(area), out.zone.Sub(area.Min)
	}
	for _, how := range Hiding() {
		if s.has(how) {
			var from image.Point
			img, from = s.hide(how, img, quad, d, r)
			out.zone, out.hidden = out.zone.Sub(from).Intersect(img.Bounds()), true
		}
	}
	raw, err := fixtures.JPEG(img, s.quality, s.orientation)
	if err != nil {
		return out, fmt.Errorf("bench mrz: picture %d: %w", seed, err)
	}
	out.file, out.upright = raw, img
	return out, nil
}

// sized is the camera with as many pixels as give the capitals the scene's height: how large a page comes out is known
// from a picture of a blank page that is as small as a stamp.
func (s scene) sized(pages []*imaging.RGB, zone fixtures.Box) fixtures.Camera {
	const tiny = 10
	blank := make([]*imaging.RGB, len(pages))
	for i, p := range pages {
		blank[i] = imaging.NewRGB(p.W/8, p.H/8)
	}
	cam := s.camera
	cam.Width, cam.Height, cam.Blur, cam.Motion, cam.Noise = cam.Width/tiny, cam.Height/tiny, 0, 0, 0
	_, quad := fixtures.ShootAllQuick(blank, cam)
	by := s.capital / capitalIn(quad, zone, pages[0])
	w, h := float64(cam.Width)*by, float64(cam.Height)*by
	if w*h > mostPixels {
		f := math.Sqrt(mostPixels / (w * h))
		w, h = w*f, h*f
	}
	cam = s.camera
	cam.Width, cam.Height = int(math.Round(w)), int(math.Round(h))
	return cam
}

// capitalIn is the height of the zone's capitals where they are smallest, in the picture's pixels.
func capitalIn(quad imaging.Quad, zone fixtures.Box, page *imaging.RGB) float64 {
	high := capitalMM / (float64(page.H) / printScale) // as a part of the page
	least := math.Inf(1)
	for _, u := range [3]float64{zone.X, zone.X + zone.W/2, zone.X + zone.W} {
		for _, v := range [2]float64{zone.Y, zone.Y + zone.H - high} {
			a, b := within(quad, u, v), within(quad, u, v+high)
			least = math.Min(least, math.Hypot(a.X-b.X, a.Y-b.Y))
		}
	}
	return least
}

// within is where the projection that takes the unit square to the quad puts a point of it (Heckbert 1989, §2.2.3).
func within(q imaging.Quad, u, v float64) imaging.Point {
	dx1, dx2, dx3 := q[1].X-q[2].X, q[3].X-q[2].X, q[0].X-q[1].X+q[2].X-q[3].X
	dy1, dy2, dy3 := q[1].Y-q[2].Y, q[3].Y-q[2].Y, q[0].Y-q[1].Y+q[2].Y-q[3].Y
	den := dx1*dy2 - dx2*dy1
	g, h := (dx3*dy2-dx2*dy3)/den, (dx1*dy3-dx3*dy1)/den
	w := g*u + h*v + 1
	return imaging.Point{
		X: ((q[1].X-q[0].X+g*q[1].X)*u + (q[3].X-q[0].X+h*q[3].X)*v + q[0].X) / w,
		Y: ((q[1].Y-q[0].Y+g*q[1].Y)*u + (q[3].Y-q[0].Y+h*q[3].Y)*v + q[0].Y) / w,
	}
}

// boundsOf is the upright box round the zone.
func boundsOf(quad imaging.Quad, zone fixtures.Box) image.Rectangle {
	x0, y0, x1, y1 := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
	for _, c := range [4][2]float64{{0, 0}, {1, 0}, {1, 1}, {0, 1}} {
		p := within(quad, zone.X+c[0]*zone.W, zone.Y+c[1]*zone.H)
		x0, x1, y0, y1 = math.Min(x0, p.X), math.Max(x1, p.X), math.Min(y0, p.Y), math.Max(y1, p.Y)
	}
	return image.Rect(int(x0), int(y0), int(math.Ceil(x1)), int(math.Ceil(y1)))
}

// cutAtZone is what is left of the picture when it is cut off at the given distance from the zone, on the side that is
// nearest to it.
func cutAtZone(img *imaging.RGB, zone image.Rectangle, distance float64) image.Rectangle {
	area, d := img.Bounds(), int(distance)
	left, top, right, foot := zone.Min.X, zone.Min.Y, img.W-zone.Max.X, img.H-zone.Max.Y
	switch min(left, right, top, foot) {
	case left:
		area.Min.X = max(0, zone.Min.X-d)
	case right:
		area.Max.X = min(img.W, zone.Max.X+d)
	case top:
		area.Min.Y = max(0, zone.Min.Y-d)
	default:
		area.Max.Y = min(img.H, zone.Max.Y+d)
	}
	return area
}
