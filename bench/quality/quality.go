// Package quality measures what the numbers of idv.Quality mean: how often a page is read at which sharpness, glare and
// darkness, on photographs that are made worse step by step.
package quality

import (
	"context"
	"fmt"
	"slices"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// Result is the part of pages that were read, by a number's value.
type Result struct {
	Pictures int    `json:"pictures"`
	Series   []Rows `json:"series"`
}

// Rows are one number's.
type Rows struct {
	Number string `json:"number"` // as in idv.Quality
	Rows   []Row  `json:"rows"`
}

// Row is a range of a number's values: from From to the next row's.
type Row struct {
	From    float64    `json:"from"`
	Exact   bench.Rate `json:"zone_exact"`   // the machine-readable zone as printed
	Refused bench.Rate `json:"told_to_redo"` // the series' own reason was given
}

// series is one way to make photographs worse.
type series struct {
	number string
	reason string
	value  func(idv.Quality) float64
	from   []float64
	worsen func(cam *fixtures.Camera, step float64) // 0 good, 1 hopeless
	steps  int
}

var all = []series{
	{"line_pairs", "capture.blurred", func(q idv.Quality) float64 { return q.LinePairs }, []float64{0, .4, .6, .8, 1, 1.25, 1.5, 2, 3},
		func(c *fixtures.Camera, t float64) { c.Blur = .5 + 4.5*t }, 10},
	{"glare_text", "capture.glare", func(q idv.Quality) float64 { return q.GlareText }, []float64{0, .005, .01, .02, .04, .08},
		func(c *fixtures.Camera, t float64) { c.Glare = 1.6 * t }, 6},
	{"darkness", "capture.dark", func(q idv.Quality) float64 { return q.Darkness }, []float64{0, .5, .6, .7, .8, .9},
		func(c *fixtures.Camera, t float64) { c.Exposure, c.Noise = -4.2*t, 3+3*t }, 6},
}

// Run photographs n documents with a machine-readable zone at every step of every series, from seed on.
func Run(ctx context.Context, r *optical.Reader, seed int64, n int, progress func(done, total int)) (*Result, error) {
	kinds := []fixtures.Kind{fixtures.Passport, fixtures.TD2Card, fixtures.IDCard}
	res := &Result{}
	total, done := 0, 0
	for _, s := range all {
		total += n * s.steps
	}
	rows := make([][]Row, len(all))
	for k := range n {
		doc, err := fixtures.NewDocument(kinds[k%len(kinds)], seed+int64(k), fixtures.Options{})
		if err != nil {
			return nil, fmt.Errorf("document of seed %d: %w", seed+int64(k), err)
		}
		page := doc.Front()
		if kinds[k%len(kinds)] == fixtures.IDCard {
			page = doc.Back()
		}
		for i, s := range all {
			if rows[i] == nil {
				rows[i] = make([]Row, len(s.from))
			}
			for step := range s.steps {
				cam := camera(seed + int64(k*100+step))
				s.worsen(&cam, float64(step)/float64(s.steps-1))
				photo, _ := fixtures.Shoot(page, cam)
				read, err := r.Read(ctx, imaging.PhotoOf(photo))
				if err != nil {
					return nil, err
				}
				rows[i][slot(s.from, s.value(read.Quality))].add(read, doc.Truth.Lines, s.reason)
				res.Pictures++
				done++
				progress(done, total)
			}
		}
	}
	for i, s := range all {
		out := Rows{Number: s.number}
		for k, row := range rows[i] {
			out.Rows = append(out.Rows, Row{s.from[k], bench.RateOf(row.Exact.Count, row.Exact.Of), bench.RateOf(row.Refused.Count, row.Exact.Of)})
		}
		res.Series = append(res.Series, out)
	}
	return res, nil
}

// camera takes an ordinary, good picture of 3 megapixels.
func camera(seed int64) fixtures.Camera {
	return fixtures.Camera{Seed: seed, Width: 2048, Height: 1536, Fill: .75, Tilt: 4, Turn: 1.5, Noise: 3, Blur: .5}
}

func slot(from []float64, v float64) int {
	at := 0
	for i, f := range from {
		if v >= f {
			at = i
		}
	}
	return at
}

func (r *Row) add(p optical.Page, lines []string, reason string) {
	r.Exact.Of++
	if p.MRZ != nil && slices.Equal(p.MRZ.Lines, lines) {
		r.Exact.Count++
	}
	if slices.Contains(p.Quality.Reasons, reason) {
		r.Refused.Count++
	}
}
