package forgeries

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures/forge"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Result is what `bonafide bench forgeries` answers.
type Result struct {
	Documents int   `json:"documents"`
	Rows      []Row `json:"rows"` // the genuine ones first
}

// Row is one family at one stage.
type Row struct {
	Family   forge.Family `json:"family,omitempty"` // empty: genuine
	Stage    Stage        `json:"stage"`
	Approved bench.Rate   `json:"approved"` // of all
	// Passed are those approved out of those whose genuine document was approved: the rate at which the forgery succeeds.
	Passed bench.Rate `json:"approved_where_genuine_was"`
	// Unnoticed counts forgeries for which no check gives a reason that it does not also give for the genuine document.
	Unnoticed bench.Rate            `json:"unnoticed"`
	Outcomes  map[string]int        `json:"outcomes"`
	Reasons   map[string]bench.Rate `json:"reasons"`           // of all: check and reason, those that the genuine document has left out
	Located   *bench.Rate           `json:"located,omitempty"` // a suspected region overlaps what was changed by at least locatedFrom
}

// locatedFrom is the least overlap (intersection over union) of a region that counts as found.
const locatedFrom = .3

// Summarize counts cases by family and stage.
func Summarize(cases []Case) *Result {
	genuine := map[int64]Case{}
	for _, c := range cases {
		if c.Stage == Genuine {
			genuine[c.Seed] = c
		}
	}
	groups := map[[2]string][]Case{}
	for _, c := range cases {
		key := [2]string{string(c.Family), string(c.Stage)}
		groups[key] = append(groups[key], c)
	}
	r := &Result{Documents: len(genuine)}
	for _, family := range append([]forge.Family{""}, forge.Families()...) {
		for _, stage := range []Stage{Genuine, SavedTwice, BeforePrint, AfterCapture} {
			if group := groups[[2]string{string(family), string(stage)}]; len(group) > 0 {
				r.Rows = append(r.Rows, rowOf(family, stage, group, genuine))
			}
		}
	}
	return r
}

func rowOf(family forge.Family, stage Stage, cases []Case, genuine map[int64]Case) Row {
	row := Row{Family: family, Stage: stage, Outcomes: map[string]int{}, Reasons: map[string]bench.Rate{}}
	var approved, passed, could, unnoticed, located, looked int
	reasons := map[string]int{}
	for _, c := range cases {
		row.Outcomes[outcome(c)]++
		if c.Approved {
			approved++
		}
		if genuine[c.Seed].Approved {
			could++
			if c.Approved {
				passed++
			}
		}
		if c.Located != nil {
			looked++
			if *c.Located >= locatedFrom {
				located++
			}
		}
		fresh := c.Reasons
		if stage != Genuine {
			fresh = beyond(c.Reasons, genuine[c.Seed].Reasons)
		}
		if len(fresh) == 0 {
			unnoticed++
		}
		for _, why := range fresh {
			reasons[why]++
		}
	}
	row.Approved, row.Passed = bench.RateOf(approved, len(cases)), bench.RateOf(passed, could)
	row.Unnoticed = bench.RateOf(unnoticed, len(cases))
	for why, n := range reasons {
		row.Reasons[why] = bench.RateOf(n, len(cases))
	}
	if looked > 0 {
		rate := bench.RateOf(located, looked)
		row.Located = &rate
	}
	return row
}

// beyond are the reasons that are not among the others.
func beyond(reasons, others []string) []string {
	return slices.DeleteFunc(slices.Clone(reasons), func(why string) bool { return slices.Contains(others, why) })
}

func outcome(c Case) string {
	if c.Outcome == "" {
		return "not accepted"
	}
	return string(c.Outcome)
}

// notAccepted is the code of a picture that a verification does not accept.
func notAccepted(err error) (string, bool) {
	p, ok := problem.As(err)
	if !ok || problem.Has(err, problem.Unavailable) {
		return "", false
	}
	return p.Kind.Code, true
}

// Accusations is what was said of genuine pictures.
type Accusations struct {
	Pictures int                   `json:"pictures"`
	Approved bench.Rate            `json:"approved"`
	Outcomes map[string]int        `json:"outcomes"`
	Reasons  map[string]bench.Rate `json:"reasons"` // check and reason of what did not pass
}

// Folder verifies every picture of a folder, each as the front of a document that is genuine, and counts what is said of it.
func Folder(ctx context.Context, dir string, e *flow.Engine, progress func(done, total int)) (*Accusations, error) {
	files, err := picturesIn(dir)
	if err != nil {
		return nil, err
	}
	var cases []Case
	for i, file := range files {
		raw, err := os.ReadFile(file) //nolint:gosec // the operator's folder
		if err != nil {
			return nil, fmt.Errorf("bench forgeries: %w", err)
		}
		c := Case{Stage: Genuine, Seed: int64(i)}
		if err := c.verify(ctx, e, Shots{idv.Front: {Raw: raw}}, nil); err != nil {
			return nil, fmt.Errorf("bench forgeries: %s: %w", filepath.Base(file), err)
		}
		cases = append(cases, c)
		if progress != nil {
			progress(i+1, len(files))
		}
	}
	row := rowOf("", Genuine, cases, nil)
	return &Accusations{Pictures: len(cases), Approved: row.Approved, Outcomes: row.Outcomes, Reasons: row.Reasons}, nil
}

// picturesIn lists the pictures of a folder and of the folders in it.
func picturesIn(dir string) ([]string, error) {
	var out []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() && slices.Contains([]string{".jpg", ".jpeg", ".png", ".webp"}, strings.ToLower(filepath.Ext(path))) {
			out = append(out, path)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list the pictures: %w", err)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("list the pictures: %s has none", filepath.Base(dir))
	}
	return out, nil
}
