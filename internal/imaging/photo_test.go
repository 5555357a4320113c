package imaging

import (
	"fmt"
	"image"
	"math"
	"slices"
	"testing"
)

// waves is a smooth picture whose every part differs from every other, of any layout of planes.
func waves(w, h int, ratio image.YCbCrSubsampleRatio) *image.YCbCr {
	m := image.NewYCbCr(image.Rect(0, 0, w, h), ratio)
	for y := range h {
		for x := range w {
			m.Y[m.YOffset(x, y)] = uint8(120 + 40*math.Sin(float64(x)/17) + 30*math.Cos(float64(y)/11+float64(x)/40))
			m.Cb[m.COffset(x, y)] = uint8(128 + 20*math.Sin(float64(x)/30))
			m.Cr[m.COffset(x, y)] = uint8(128 + 20*math.Cos(float64(y)/25))
		}
	}
	return m
}

// furthest is the largest difference of two pictures in a channel, and the mean of all.
func furthest(t *testing.T, a, b *RGB) (int, float64) {
	t.Helper()
	if a.W != b.W || a.H != b.H {
		t.Fatalf("%d×%d against %d×%d", a.W, a.H, b.W, b.H)
	}
	most, sum := 0, 0
	for i := range a.Pix {
		d := int(a.Pix[i]) - int(b.Pix[i])
		most, sum = max(most, d, -d), sum+max(d, -d)
	}
	return most, float64(sum) / float64(max(1, len(a.Pix)))
}

var ratios = []image.YCbCrSubsampleRatio{
	image.YCbCrSubsampleRatio444, image.YCbCrSubsampleRatio422, image.YCbCrSubsampleRatio420,
	image.YCbCrSubsampleRatio440, image.YCbCrSubsampleRatio411, image.YCbCrSubsampleRatio410,
}

func TestAPhotoShowsTheSameAsThePictureDecodedAtOnce(t *testing.T) {
	for _, ratio := range ratios {
		for o := 1; o <= 8; o++ {
			t.Run(fmt.Sprintf("%v, orientation %d", ratio, o), func(t *testing.T) {
				m := waves(211, 157, ratio)
				whole := FromImage(m)
				whole.W, whole.H, whole.Pix = orient(whole.Pix, whole.W, whole.H, 3, o)
				p := photoOf(m, o)
				if most, _ := furthest(t, whole, p.RGB()); most != 0 {
					t.Fatalf("the whole is off by %d", most)
				}
				r := image.Rect(21, 33, 102, 300)
				if most, _ := furthest(t, whole.Crop(r), p.Crop(r)); most != 0 {
					t.Errorf("a part is off by %d", most)
				}
				for _, longest := range []int{400, 150, 90, 33} {
					small, scale := p.Fit(longest)
					want, wantScale := whole.Fit(longest)
					if most, mean := furthest(t, want, small); most > 5 || mean > .8 || scale != wantScale {
						t.Errorf("at most %d pixels: off by %d, %.2f in the mean; scale %v, want %v", longest, most, mean, scale, wantScale)
					}
				}
				for side := 1; side <= 8; side *= 2 { // a tilted part, as large and smaller
					q := Quad{{40, 31}, {130, 22}, {133, 120}, {37, 110}}
					if most, mean := furthest(t, whole.Warp(q, 90/side, 90/side), p.Warp(q, 90/side, 90/side)); most > 8 || mean > .8 {
						t.Errorf("warped to a %dth: off by %d, %.2f in the mean", side, most, mean)
					}
				}
			})
		}
	}
}

func TestLumaIsTheSameWithoutColour(t *testing.T) {
	for _, ratio := range []image.YCbCrSubsampleRatio{image.YCbCrSubsampleRatio420, image.YCbCrSubsampleRatio411} {
		p := photoOf(waves(211, 157, ratio), 6)
		if most, _ := furthest(t, p.RGB().Gray().RGB(), p.Gray().RGB()); most > 1 {
			t.Errorf("%v: luma is off by %d", ratio, most)
		}
		for turn := range 4 {
			q := p.Turn(turn)
			if most, _ := furthest(t, q.Gray().RGB(), q.Luma().RGB()); most != 0 {
				t.Errorf("%v: shared luma is off by %d", ratio, most)
			}
		}
		padded := photoOf(waves(211, 157, ratio).SubImage(image.Rect(0, 0, 190, 157)).(*image.YCbCr), 1)
		if most, _ := furthest(t, padded.Gray().RGB(), padded.Luma().RGB()); most != 0 {
			t.Errorf("%v: luma of padded rows is off by %d", ratio, most)
		}
		small, scale := p.FitGray(70)
		rgb, want := p.Fit(70)
		if most, _ := furthest(t, rgb.Gray().RGB(), small.RGB()); most > 2 || scale != want {
			t.Errorf("%v: luma of the small copy is off by %d, scale %v, want %v", ratio, most, scale, want)
		}
		q := Quad{{20, 30}, {120, 25}, {122, 140}, {18, 150}}
		for _, side := range []int{100, 20} {
			if most, _ := furthest(t, p.Warp(q, side, side).Gray().RGB(), p.WarpGray(q, side, side).RGB()); most > 2 {
				t.Errorf("%v: luma of a part is off by %d", ratio, most)
			}
		}
	}
}

func TestTurningAPhotoIsTurningThePicture(t *testing.T) {
	for o := 1; o <= 8; o++ {
		p := photoOf(waves(60, 41, image.YCbCrSubsampleRatio420), o)
		for q := -1; q < 5; q++ {
			turned := p.Turn(q)
			if most, _ := furthest(t, p.RGB().Turn(q), turned.RGB()); most != 0 {
				t.Errorf("orientation %d, %d quarters: off by %d", o, q, most)
			}
			small, _ := p.Fit(31)
			again, _ := turned.Fit(31)
			if most, _ := furthest(t, small.Turn(q), again); most != 0 {
				t.Errorf("orientation %d, %d quarters: the small copy is off by %d", o, q, most)
			}
		}
	}
}

func TestPlanesMayBeLargerThanTheirPicture(t *testing.T) {
	m := waves(64, 64, image.YCbCrSubsampleRatio420).SubImage(image.Rect(0, 0, 64, 41)).(*image.YCbCr) // as the JPEG decoder answers
	p, whole := photoOf(m, 1), FromImage(m)
	for _, longest := range []int{64, 60, 30} {
		small, _ := p.Fit(longest)
		want, _ := whole.Fit(longest)
		if most, _ := furthest(t, want, small); most > 5 {
			t.Errorf("at most %d pixels: off by %d", longest, most)
		}
		if g, _ := p.FitGray(longest); len(g.Pix) != g.W*g.H || g.W != small.W || g.H != small.H {
			t.Errorf("luma: %d pixels for %d×%d", len(g.Pix), g.W, g.H)
		}
	}
}

func TestHalvedPicturesAreNeitherTooSmallNorConvertedTwice(t *testing.T) {
	p := photoOf(waves(211, 157, image.YCbCrSubsampleRatio420), 1)
	a, scale := p.Halved(100)
	b, _ := p.Halved(54)
	if a.W != 106 || a.H != 79 || scale != .5 || a != b {
		t.Errorf("%d×%d at %v, the same picture: %v", a.W, a.H, scale, a == b)
	}
	if same, scale := p.Halved(500); same.W != 211 || scale != 1 {
		t.Errorf("a picture that is smaller: %d pixels across, scale %v", same.W, scale)
	}
	if tiny, _ := PhotoOf(NewRGB(1, 1)).Halved(0); tiny.W != 1 || tiny.H != 1 {
		t.Errorf("one pixel becomes %d×%d", tiny.W, tiny.H)
	}
}

func TestAPartThatIsNoneIsEmptyOrBlack(t *testing.T) {
	p := photoOf(waves(50, 40, image.YCbCrSubsampleRatio420), 8)
	if got := p.Crop(image.Rect(500, 0, 600, 10)); got.W != 0 && got.H != 0 {
		t.Errorf("%d×%d pixels from outside", got.W, got.H)
	}
	nowhere := Quad{{math.NaN(), 0}, {10, 0}, {10, 10}, {0, 10}}
	far := Quad{{900, 900}, {990, 900}, {990, 990}, {900, 990}}
	for name, q := range map[string]Quad{"not a number": nowhere, "far outside": far} {
		if got := p.Warp(q, 5, 4); got.W != 5 || got.H != 4 {
			t.Errorf("%s: %d×%d", name, got.W, got.H)
		}
		if got := p.WarpGray(q, 5, 4); got.W != 5 || got.H != 4 {
			t.Errorf("%s in grey: %d×%d", name, got.W, got.H)
		}
	}
}

func TestASumOfBlocksIsTheSameEightPixelsAtATime(t *testing.T) {
	for _, side := range []int{2, 4} {
		for w := 1; w < 40; w++ {
			rows := make([][]uint8, side)
			for y := range rows {
				rows[y] = make([]uint8, w)
				for x := range rows[y] {
					rows[y][x] = uint8(255 - (x*x*7+y*31)%97*(x%2))
				}
			}
			got := make([]int32, (w+side-1)/side)
			blocks(got, side, rows...)
			for i, v := range got {
				var want int32
				for _, row := range rows {
					for x := side * i; x < side*(i+1); x++ {
						want += int32(row[min(x, w-1)])
					}
				}
				if v != want {
					t.Fatalf("block %d of %d pixels by %d: %d, want %d", i, w, side, v, want)
				}
			}
			mean, area := make([]uint8, len(got)), int32(side*side)
			means(mean, make([]int32, len(got)), side, slices.Clone(rows))
			for i, v := range got {
				if want := (v + area/2) / area; int32(mean[i]) != want {
					t.Fatalf("mean of block %d of %d pixels by %d: %d, want %d", i, w, side, mean[i], want)
				}
			}
		}
	}
}

func TestLumaOfAPartThatIsShrunkFarIsThatOfTheWhole(t *testing.T) {
	p := photoOf(waves(611, 457, image.YCbCrSubsampleRatio420), 6)
	q := Quad{{20, 30}, {420, 25}, {422, 540}, {18, 550}}
	for _, side := range []int{300, 120, 60, 30, 12, 5} {
		if most, mean := furthest(t, p.Warp(q, side, side).Gray().RGB(), p.WarpGray(q, side, side).RGB()); most > 4 || mean > 1 {
			t.Errorf("%d pixels: off by %d, %.2f in the mean", side, most, mean)
		}
	}
}
