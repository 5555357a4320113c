// Package copies measures how often the signs of internal/forensic err: of a copy of a document, and of an exchanged
// portrait. It knows generated photographs only, for want of others, and says so wherever a rate is used.
package copies

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// Result is what was measured.
type Result struct {
	Pictures int            `json:"pictures"`
	Counts   map[string]int `json:"counts"` // by what they show
	Signs    []SignResult   `json:"signs"`
	// Together is what document.original and document.portrait answer: at least one sign.
	Together map[string]bench.Rate `json:"together"` // by what they show: the part that is suspected
	CPU      bench.Quantiles       `json:"signs_ms"` // a picture, beyond decoding it
	Scores   []Score               `json:"-"`
}

// SignResult is how one sign errs.
type SignResult struct {
	Sign      string       `json:"sign"`
	Threshold float64      `json:"threshold"`
	Ranges    []SignRange  `json:"ranges"`
	Genuine   []float64    `json:"genuine_quantiles"` // of its value, at 0, 1, 5, 25, 50, 75, 95, 99 and 100 of 100
	Attacks   []AttackPart `json:"attacks"`
}

// AttackPart is how an attack's values lie.
type AttackPart struct {
	Attack    string     `json:"attack"`
	Quantiles []float64  `json:"quantiles"`
	Found     bench.Rate `json:"found"`
}

// SignRange is a range of resolution.
type SignRange struct {
	From        float64               `json:"from_pixels_per_mm"`
	FalseAlarms bench.Rate            `json:"false_alarms"`
	Found       map[string]bench.Rate `json:"found"`
}

// Score is one picture's.
type Score struct {
	File  string
	What  string
	PerMM float64
	Signs idv.Signs
}

// edges of the ranges, pixels a millimetre of the page.
var edges = []float64{0, 13, 18, 24}

// attacks are what each sign is for.
var attacks = map[string][]string{
	forensic.GridSign:   {string(fixtures.ScreenCopy), string(fixtures.LaserCopy), string(fixtures.InkjetCopy), string(fixtures.GreyCopy)},
	forensic.ColourSign: {string(fixtures.GreyCopy)},
	forensic.GrainSign:  {Glued, Spliced},
}

// signs in the order of reports.
var signs = []string{forensic.GridSign, forensic.ColourSign, forensic.GrainSign}

// value of a sign; false where it could not be measured.
func value(sign string, s idv.Signs) (float64, bool) {
	switch sign {
	case forensic.GridSign:
		return s.Grid, s.Places >= forensic.LeastPlaces
	case forensic.ColourSign:
		return s.Colour, s.Colour > 0 && s.Pictured && !s.Monochrome
	case forensic.GrainSign:
		if s.Grain != nil {
			return *s.Grain, true
		}
	}
	return 0, false
}

// Run measures the photographs of a folder that Generate made. Each page is looked at where its corners really are.
func Run(ctx context.Context, dir string, r *optical.Reader, progress func(done, total int)) (*Result, error) {
	shots, err := readTruth(dir)
	if err != nil {
		return nil, err
	}
	var scores []Score
	var cost []float64
	for i, s := range shots {
		raw, err := os.ReadFile(filepath.Join(dir, s.file)) //nolint:gosec // the operator's folder
		if err != nil {
			return nil, fmt.Errorf("read a picture: %w", err)
		}
		photo, _, err := imaging.Open(raw, imaging.Limits{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		start := time.Now()
		found, err := r.Signs(ctx, photo, s.quad, s.mm)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		cost = append(cost, bench.Milliseconds(time.Since(start)))
		scores = append(scores, Score{File: s.file, What: s.what, PerMM: found.PixelsPerMM, Signs: found})
		progress(i+1, len(shots))
	}
	res := judge(scores, forensic.Rates().Signs)
	res.CPU = bench.QuantilesOf(cost)
	return res, nil
}

// judge counts.
func judge(scores []Score, table map[string]forensic.Sign) *Result {
	res := &Result{Pictures: len(scores), Counts: map[string]int{}, Together: map[string]bench.Rate{}, Scores: scores}
	fired := map[string]int{}
	for _, s := range scores {
		res.Counts[s.What]++
		if len(firedOf(s.Signs, table)) > 0 {
			fired[s.What]++
		}
	}
	for what, n := range res.Counts {
		res.Together[what] = bench.RateOf(fired[what], n)
	}
	for _, sign := range signs {
		res.Signs = append(res.Signs, judgeSign(sign, table[sign], scores))
	}
	return res
}

func judgeSign(sign string, t forensic.Sign, scores []Score) SignResult {
	out := SignResult{Sign: sign, Threshold: t.Threshold, Genuine: quantiles(valuesOf(sign, Genuine, scores, 0, top))}
	for _, a := range attacks[sign] {
		v := valuesOf(sign, a, scores, 0, top)
		out.Attacks = append(out.Attacks, AttackPart{a, quantiles(v), rateOf(t, v)})
	}
	for i, from := range edges {
		to := top
		if i+1 < len(edges) {
			to = edges[i+1]
		}
		r := SignRange{From: from, FalseAlarms: rateOf(t, valuesOf(sign, Genuine, scores, from, to)), Found: map[string]bench.Rate{}}
		for _, a := range attacks[sign] {
			r.Found[a] = rateOf(t, valuesOf(sign, a, scores, from, to))
		}
		out.Ranges = append(out.Ranges, r)
	}
	return out
}

const top = 1e9

// valuesOf are a sign's values in pictures of one thing and a range of resolution, rising.
func valuesOf(sign, what string, scores []Score, from, to float64) []float64 {
	var out []float64
	for _, s := range scores {
		if v, ok := value(sign, s.Signs); ok && s.What == what && s.PerMM >= from && s.PerMM < to {
			out = append(out, v)
		}
	}
	slices.Sort(out)
	return out
}

func rateOf(t forensic.Sign, values []float64) bench.Rate {
	n := 0
	for _, v := range values {
		if t.Fires(v) {
			n++
		}
	}
	return bench.RateOf(n, len(values))
}

func quantiles(sorted []float64) []float64 {
	if len(sorted) == 0 {
		return nil
	}
	var out []float64
	for _, p := range []float64{0, .01, .05, .25, .5, .75, .95, .99, 1} {
		out = append(out, float64(int(sorted[int(p*float64(len(sorted)-1)+.5)]*1000))/1000)
	}
	return out
}

// Measured is the result as the program carries it.
func (r *Result) Measured(dataSet, command string, day time.Time) forensic.Measured {
	table := forensic.Rates().Signs
	out := forensic.Measured{DataSet: dataSet, Command: command, Date: day.Format(time.DateOnly), Signs: map[string]forensic.Sign{}}
	for _, s := range r.Signs {
		sign := forensic.Sign{Threshold: s.Threshold, Over: table[s.Sign].Over}
		for _, at := range s.Ranges {
			if at.FalseAlarms.Of == 0 {
				continue
			}
			row := forensic.Range{From: at.From, Genuine: at.FalseAlarms.Of, FalseAlarms: at.FalseAlarms.Count, Attacks: map[string]forensic.Count{}}
			for a, f := range at.Found {
				row.Attacks[a] = forensic.Count{Missed: f.Of - f.Count, Of: f.Of}
			}
			sign.Ranges = append(sign.Ranges, row)
		}
		out.Signs[s.Sign] = sign
	}
	return out
}
