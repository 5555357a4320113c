package barcode

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/aamva"
	"github.com/bonafide-id/bonafide/internal/barcode"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// What may be hard about a generated picture. A picture has some of it, or nothing.
const (
	anyAngle = "at any angle"
	oblique  = "seen from the side"
	small    = "small in the picture"
	blurred  = "out of focus"
	moved    = "moved"
	faint    = "low contrast"
	damaged  = "damaged"
	dark     = "dark and noisy"
	glared   = "glare"
	shaded   = "shadow"
	several  = "two codes"
	spread   = "ink spread"
)

var troubles = []string{anyAngle, oblique, small, blurred, moved, faint, damaged, dark, glared, shaded, several, spread}

// scene is one generated picture of a code and what is known of it.
type scene struct {
	seed    int64
	format  barcode.Format
	text    string
	other   string // of the second code in view, empty if there is one
	module  float64
	trouble []string
	file    []byte // as a camera stores it, JPEG
	picture *imaging.RGB
}

// most trouble that one picture has.
var howMany = []int{0, 1, 1, 1, 2, 2, 3}

// newScene takes the picture of that seed: a label with a code, somewhere on a desk.
func newScene(seed int64) (scene, error) {
	r := rand.New(rand.NewPCG(uint64(seed), 0xc0de))
	s := scene{seed: seed, format: barcode.PDF417}
	if r.IntN(4) == 0 {
		s.format = barcode.QR
	}
	for range howMany[r.IntN(len(howMany))] {
		if t := troubles[r.IntN(len(troubles))]; !slices.Contains(s.trouble, t) {
			s.trouble = append(s.trouble, t)
		}
	}
	slices.Sort(s.trouble)
	m, high, text, err := drawCode(r, s.format)
	if err != nil {
		return s, err
	}
	s.text = text
	print := fixtures.CodePrint{Seed: seed, Pixels: 5}
	camera := s.shoot(r, &print)
	label, box := fixtures.PrintCode(m, print, high)
	pages := []*imaging.RGB{label}
	if slices.Contains(s.trouble, several) {
		m, high, text, err := drawCode(r, s.format)
		if err != nil {
			return s, err
		}
		s.other = text
		second, _ := fixtures.PrintCode(m, fixtures.CodePrint{Seed: seed + 1, Pixels: 5}, high)
		pages = append(pages, second)
	}
	picture, quad := fixtures.ShootAll(pages, camera)
	s.picture = picture
	s.module = math.Min(span(quad[0], quad[1]), span(quad[3], quad[2])) * box.W / float64(m.W)
	if s.file, err = fixtures.JPEG(picture, 60+r.IntN(35), 1); err != nil {
		return s, fmt.Errorf("bench barcode: picture %d: %w", seed, err)
	}
	return s, nil
}

func span(a, b imaging.Point) float64 { return math.Hypot(a.X-b.X, a.Y-b.Y) }

// drawCode lays out a licence's text, or a shorter one as QR codes hold.
func drawCode(r *rand.Rand, f barcode.Format) (barcode.Modules, float64, string, error) {
	if f == barcode.QR {
		text := fmt.Sprintf("https://utopia.invalid/%08x/%d", r.Uint32(), r.IntN(1e6))
		m, err := fixtures.QRCode(text, r.IntN(3))
		return m, 1, text, err
	}
	p := fixtures.NewPayload(r.Int64(), 1+r.IntN(10), []string{"USA", "CAN"}[r.IntN(2)])
	text, err := aamva.Write(p)
	if err != nil {
		return barcode.Modules{}, 0, "", fmt.Errorf("bench barcode: %w", err)
	}
	m, err := barcode.WritePDF417(text, 8+r.IntN(8), 3+r.IntN(3))
	return m, 2.5 + 1.5*r.Float64(), text, err
}

// shoot decides on the camera, and on the print where that is what is hard.
func (s *scene) shoot(r *rand.Rand, print *fixtures.CodePrint) fixtures.Camera {
	c := fixtures.Camera{
		Seed: s.seed, Width: 1600, Height: 1200, Fill: .5 + .35*r.Float64(), Turn: r.NormFloat64() * 3, Tilt: 6 * r.Float64(),
		Corner: .001, Clutter: r.IntN(3), Blur: .3 + .5*r.Float64(), Noise: 1 + 3*r.Float64(), Warmth: r.NormFloat64() * .2, Exposure: r.NormFloat64() * .15,
	}
	if s.format == barcode.QR {
		c.Fill = .1 + .3*r.Float64()
	}
	for _, t := range s.trouble {
		switch t {
		case anyAngle:
			c.Turn = 360 * r.Float64()
		case oblique:
			c.Tilt = 15 + 20*r.Float64()
		case small:
			c.Width, c.Height, c.Fill = 4000, 3000, .14+.06*r.Float64()
			if s.format == barcode.QR {
				c.Fill = .05 + .05*r.Float64()
			}
		case blurred:
			c.Blur = 1 + 1.5*r.Float64()
		case moved:
			c.Motion = 2 + 4*r.Float64()
		case faint:
			print.Contrast = .12 + .2*r.Float64()
		case damaged:
			print.Damage = fixtures.Damages()[r.IntN(len(fixtures.Damages()))]
		case dark:
			c.Exposure, c.Noise = -2.5*r.Float64()-.5, 6+6*r.Float64()
		case glared:
			c.Glare = .3 + .4*r.Float64()
		case shaded:
			c.Shadow = .5 + .5*r.Float64()
		case spread:
			print.Spread = .35*r.Float64() - .12
		}
	}
	return c
}
