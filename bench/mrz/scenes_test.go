package mrz_test

import (
	"math"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// plain is an easy photograph of 3 MP, to be made worse in one way at a time.
func plain(change func(*fixtures.Camera)) fixtures.Camera {
	c := fixtures.Camera{Seed: 7, Width: 1600, Height: 1200, Fill: .85, Tilt: 3, Turn: 1, Noise: 2, Blur: .5, Surface: fixtures.Wood}
	change(&c)
	return c
}

// passports are those that were drawn before, by seed.
var passports sync.Map

func passport(t *testing.T, seed int64) *fixtures.Document {
	t.Helper()
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip("OCR-B is not installed (Debian: fonts-ocr-b)")
	}
	if d, ok := passports.Load(seed); ok {
		return d.(*fixtures.Document)
	}
	d, err := fixtures.NewDocument(fixtures.Passport, seed, fixtures.Options{})
	if err != nil {
		t.Fatal(err)
	}
	passports.Store(seed, d)
	return d
}

func TestAPageIsReadHoweverItLies(t *testing.T) {
	r := reader(t)
	d := passport(t, 41)
	for name, c := range map[string]struct {
		camera  fixtures.Camera
		turn    int
		nightly bool
	}{
		"straight":                {plain(func(*fixtures.Camera) {}), 0, true},
		"slanted by 24 degrees":   {plain(func(c *fixtures.Camera) { c.Turn, c.Fill = -24, .65 }), 0, true},
		"on its side":             {plain(func(*fixtures.Camera) {}), 1, true},
		"small in the picture":    {plain(func(c *fixtures.Camera) { c.Fill = .4 }), 0, true},
		"seen from the side":      {plain(func(c *fixtures.Camera) { c.Tilt = 25 }), 0, true},
		"a scan":                  {fixtures.Scan(3), 0, false},
		"a laptop's camera":       {fixtures.WebCam(3), 0, true},
		"upside down and slanted": {plain(func(c *fixtures.Camera) { c.Turn, c.Fill = 10, .7 }), 2, false},
	} {
		t.Run(name, func(t *testing.T) {
			leaveForTheNight(t, c.nightly)
			img, quad := fixtures.Shoot(d.Front(), c.camera)
			page := read(t, r, img.Turn(c.turn))
			cornersNear(t, page.Corners, quad, img)
			if page.MRZ == nil {
				t.Fatal("no machine-readable zone was found")
			}
			if diff := cmp.Diff(d.Truth.Lines, page.MRZ.Lines); diff != "" {
				t.Errorf("lines (-want +got):\n%s", diff)
			}
			if want := (4 - c.turn) % 4; page.Turn != want {
				t.Errorf("turn %d, want %d", page.Turn, want)
			}
			if page.Portrait == nil {
				t.Error("no portrait was found")
			}
			t.Logf("verified %v printed %s short side %d sharpness %.0f reasons %v faces %d specimen %v lines %d",
				page.MRZ.Verified, page.MRZ.PrintedZone, page.Quality.ShortSide, page.Quality.Sharpness, page.Quality.Reasons,
				len(page.Faces), page.Specimen, len(page.Lines))
		})
	}
}

// cornersNear compares corners, where they were found, with where the camera saw them: a 40th of the picture.
func cornersNear(t *testing.T, got []float64, want imaging.Quad, img *imaging.RGB) {
	t.Helper()
	if len(got) == 0 {
		t.Log("no corners were found")
		return
	}
	worst := 0.0
	for i, p := range want {
		worst = math.Max(worst, math.Hypot(got[2*i]-p.X/float64(img.W), got[2*i+1]-p.Y/float64(img.H)))
	}
	t.Logf("corners off by %.3f", worst)
	if worst > .025 {
		t.Errorf("corners %.3f, want %v of %d by %d", got, want, img.W, img.H)
	}
}

func TestABadPictureGetsItsReason(t *testing.T) {
	r := reader(t)
	for name, c := range map[string]struct {
		seeds   []int64 // of the passports in view
		camera  fixtures.Camera
		want    problem.Kind
		nightly bool
	}{
		"a bare table":  {nil, plain(func(*fixtures.Camera) {}), problem.CaptureNoDocument, false},
		"out of focus":  {[]int64{41}, plain(func(c *fixtures.Camera) { c.Blur = 9 }), problem.CaptureBlurred, false},
		"in the dark":   {[]int64{41}, plain(func(c *fixtures.Camera) { c.Exposure = -4.5 }), problem.CaptureDark, true},
		"far away":      {[]int64{41}, plain(func(c *fixtures.Camera) { c.Fill = .3 }), problem.CaptureTooSmall, true},
		"two passports": {[]int64{41, 42}, plain(func(c *fixtures.Camera) { c.Width, c.Height = 1600, 2200 }), problem.CaptureSeveralDocuments, true},
		"too close":     {[]int64{41}, plain(func(c *fixtures.Camera) { c.Fill = 1.25 }), problem.CaptureCutOff, true},
	} {
		t.Run(name, func(t *testing.T) {
			leaveForTheNight(t, c.nightly)
			var pages []*imaging.RGB
			for _, seed := range c.seeds {
				pages = append(pages, passport(t, seed).Front())
			}
			img, _ := fixtures.ShootAll(pages, c.camera)
			page := read(t, r, img)
			if !slices.Contains(page.Quality.Reasons, c.want.Code) {
				t.Errorf("reasons %v, want %s; %+v", page.Quality.Reasons, c.want.Code, page.Quality)
			}
		})
	}
}

func TestAnAlteredPageIsNotVerified(t *testing.T) {
	r := reader(t)
	if err := fixtures.HasOCRB(); err != nil {
		t.Skip("OCR-B is not installed (Debian: fonts-ocr-b)")
	}
	d, err := fixtures.NewDocument(fixtures.Passport, 41, fixtures.Options{BreakCheckDigit: true})
	if err != nil {
		t.Fatal(err)
	}
	img, _ := fixtures.Shoot(d.Front(), plain(func(*fixtures.Camera) {}))
	page := read(t, r, img)
	if page.MRZ == nil {
		t.Fatal("no machine-readable zone was found")
	}
	if page.MRZ.CheckDigitsOK || page.MRZ.Verified {
		t.Errorf("a wrong check digit passed: %s", strings.Join(page.MRZ.Lines, " "))
	}
}

func read(t *testing.T, r *optical.Reader, img *imaging.RGB) optical.Page {
	t.Helper()
	page, err := r.Read(t.Context(), imaging.PhotoOf(img))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range page.Claims {
		if c.Source == idv.FromMRZ && c.Box == nil {
			t.Errorf("the claim %s has no box", c.Name)
		}
	}
	return page
}
