package copies

import (
	"context"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// closeEnough is the overlap (intersection over union) from which a page counts as found.
const closeEnough = .95

// CornerResult is how well pages are found by reading them, without knowing where they are.
type CornerResult struct {
	Pictures int                   `json:"pictures"`
	Found    bench.Rate            `json:"found"`         // corners were named
	Close    bench.Rate            `json:"overlap_of_95"` // and cover the page to 95 of 100 at least
	ByWhat   map[string]bench.Rate `json:"overlap_of_95_by_picture"`
	Error    bench.Quantiles       `json:"corner_error"` // the worst of four, in per cent of the page's width, where named
	Signs    map[string]bench.Rate `json:"suspected"`    // by what is shown: the part that some sign suspects
	Failed   []string              `json:"failed"`       // files with less overlap
}

// Read reads the photographs of a folder as an applicant's, at most n of each that it shows; 0 for all.
func Read(ctx context.Context, dir string, r *optical.Reader, n int, progress func(done, total int)) (*CornerResult, error) {
	shots, err := readTruth(dir)
	if err != nil {
		return nil, err
	}
	taken := map[string]int{}
	shots = slices.DeleteFunc(shots, func(s shot) bool {
		taken[s.what]++
		return n > 0 && taken[s.what] > n
	})
	t := tally{all: map[string]int{}, close: map[string]int{}, suspected: map[string]int{}}
	for i, s := range shots {
		raw, err := os.ReadFile(filepath.Join(dir, s.file)) //nolint:gosec // the operator's folder
		if err != nil {
			return nil, fmt.Errorf("read a picture: %w", err)
		}
		photo, _, err := imaging.Open(raw, imaging.Limits{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		page, err := r.Read(ctx, photo)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		t.add(s, page)
		progress(i+1, len(shots))
	}
	return t.result(), nil
}

type tally struct {
	all, close, suspected map[string]int
	found, good           int
	errors                []float64
	failed                []string
}

func (t *tally) add(s shot, page optical.Page) {
	t.all[s.what]++
	if page.Signs != nil && len(firedOf(*page.Signs, forensic.Rates().Signs)) > 0 {
		t.suspected[s.what]++
	}
	c := page.Corners
	if len(c) != 8 {
		t.failed = append(t.failed, s.file+" none")
		return
	}
	t.found++
	var q imaging.Quad
	for i := range q {
		q[i] = imaging.Point{X: c[2*i] * float64(page.Width), Y: c[2*i+1] * float64(page.Height)}
	}
	width := math.Hypot(s.quad[1].X-s.quad[0].X, s.quad[1].Y-s.quad[0].Y)
	worst := 0.
	for i, p := range q {
		worst = math.Max(worst, math.Hypot(p.X-s.quad[i].X, p.Y-s.quad[i].Y)/width*100)
	}
	t.errors = append(t.errors, worst)
	if o := overlap(q, s.quad); o >= closeEnough {
		t.good++
		t.close[s.what]++
	} else {
		t.failed = append(t.failed, fmt.Sprintf("%s %.2f", s.file, o))
	}
}

func (t *tally) result() *CornerResult {
	out := &CornerResult{ByWhat: map[string]bench.Rate{}, Signs: map[string]bench.Rate{}, Failed: t.failed, Error: bench.QuantilesOf(t.errors)}
	for what, n := range t.all {
		out.Pictures += n
		out.ByWhat[what], out.Signs[what] = bench.RateOf(t.close[what], n), bench.RateOf(t.suspected[what], n)
	}
	out.Found, out.Close = bench.RateOf(t.found, out.Pictures), bench.RateOf(t.good, out.Pictures)
	return out
}

// overlap is the area that two convex quads share, as part of what they cover together.
func overlap(a, b imaging.Quad) float64 {
	shared := b[:]
	for i := range a {
		shared = cutBy(shared, a[i], a[(i+1)%len(a)])
	}
	both := area(shared)
	return both / math.Max(1e-9, area(a[:])+area(b[:])-both)
}

// cutBy keeps the part of a polygon to the right of the line from p to q, where the picture's y runs down (Sutherland and
// Hodgman 1974).
func cutBy(poly []imaging.Point, p, q imaging.Point) []imaging.Point {
	side := func(v imaging.Point) float64 { return (q.X-p.X)*(v.Y-p.Y) - (q.Y-p.Y)*(v.X-p.X) }
	var out []imaging.Point
	for i, v := range poly {
		w := poly[(i+1)%len(poly)]
		a, b := side(v), side(w)
		if a >= 0 {
			out = append(out, v)
		}
		if a >= 0 != (b >= 0) {
			t := a / (a - b)
			out = append(out, imaging.Point{X: v.X + t*(w.X-v.X), Y: v.Y + t*(w.Y-v.Y)})
		}
	}
	return out
}

func area(poly []imaging.Point) float64 {
	sum := 0.
	for i, p := range poly {
		q := poly[(i+1)%len(poly)]
		sum += p.X*q.Y - q.X*p.Y
	}
	return math.Abs(sum) / 2
}
