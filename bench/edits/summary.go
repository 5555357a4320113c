package edits

import (
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/bench/forgeries"
	"github.com/bonafide-id/bonafide/fixtures/forge"
	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/optical/page"
)

// Result is what `bonafide bench edits` answers.
type Result struct {
	Documents int             `json:"documents"`
	Rows      []Row           `json:"rows"` // the genuine ones first
	CPU       bench.Quantiles `json:"cpu_ms"`
}

// Row is one family at one stage, or genuine documents.
type Row struct {
	Family   forge.Family          `json:"family,omitempty"` // empty: genuine
	Stage    forgeries.Stage       `json:"stage"`
	Signs    map[string]bench.Rate `json:"signs"`             // documents with a suspected region, by sign, of those on which it was measured
	Together bench.Rate            `json:"together"`          // documents with a suspected region, of all
	Located  *bench.Rate           `json:"located,omitempty"` // those of which the forger changed a suspected region, of all
}

// Signs lists the signs in the order of reports.
func Signs() []string {
	return []string{forensic.PortraitHistorySign, forensic.PrintHistorySign}
}

// Summarize counts documents by family and stage.
func Summarize(shots []Shot) *Result {
	seeds := map[int64]bool{}
	groups := map[[2]string]map[int64][]Shot{}
	var cpu []float64
	for _, s := range shots {
		seeds[s.Seed] = true
		cpu = append(cpu, s.CPU)
		key := [2]string{string(s.Family), string(s.Stage)}
		if groups[key] == nil {
			groups[key] = map[int64][]Shot{}
		}
		groups[key][s.Seed] = append(groups[key][s.Seed], s)
	}
	r := &Result{Documents: len(seeds), CPU: bench.QuantilesOf(cpu)}
	for _, family := range append([]forge.Family{""}, forge.Families()...) {
		for _, stage := range []forgeries.Stage{forgeries.Genuine, forgeries.SavedTwice, forgeries.BeforePrint, forgeries.AfterCapture} {
			if group := groups[[2]string{string(family), string(stage)}]; len(group) > 0 {
				r.Rows = append(r.Rows, rowOf(family, stage, group))
			}
		}
	}
	return r
}

func rowOf(family forge.Family, stage forgeries.Stage, documents map[int64][]Shot) Row {
	row := Row{Family: family, Stage: stage, Signs: map[string]bench.Rate{}}
	measured, fired := map[string]int{}, map[string]int{}
	together, located := 0, 0
	for _, sides := range documents {
		var saw, suspected []string
		hit := false
		for _, s := range sides {
			for _, e := range s.Edits {
				saw = append(saw, e.Sign)
				if e.Suspect {
					suspected = append(suspected, e.Sign)
					hit = hit || slices.Contains(s.Edited, e.Region)
				}
			}
		}
		for _, sign := range Signs() {
			if slices.Contains(saw, sign) {
				measured[sign]++
			}
			if slices.Contains(suspected, sign) {
				fired[sign]++
			}
		}
		if len(suspected) > 0 {
			together++
		}
		if hit {
			located++
		}
	}
	for sign, n := range measured {
		row.Signs[sign] = bench.RateOf(fired[sign], n)
	}
	row.Together = bench.RateOf(together, len(documents))
	if family != "" {
		rate := bench.RateOf(located, len(documents))
		row.Located = &rate
	}
	return row
}

// attacks reports whether a sign is for the forgeries of a row: each edits what the sign looks at, after capture.
func attacks(sign string, row Row) bool {
	switch {
	case row.Family == "" || row.Stage != forgeries.AfterCapture:
		return false
	case sign == forensic.PortraitHistorySign:
		return row.Family == forge.Portrait || row.Family == forge.Whole
	default:
		return row.Family != forge.Portrait
	}
}

// Measured returns the thresholds that this version was built with, with the rates that were found: as internal/forensic/edits.json.
func (r *Result) Measured(dataSet, command string, day time.Time) forensic.Measured {
	out := forensic.Measured{DataSet: dataSet, Command: command, Date: day.Format(time.DateOnly), Signs: map[string]forensic.Sign{}}
	for _, sign := range Signs() {
		built := forensic.Edits().Signs[sign]
		at := forensic.Range{From: page.EditsLeast, Attacks: map[string]forensic.Count{}}
		for _, row := range r.Rows {
			rate := row.Signs[sign]
			if row.Family == "" {
				at.Genuine, at.FalseAlarms = at.Genuine+rate.Of, at.FalseAlarms+rate.Count
			}
			if attacks(sign, row) && row.Together.Of > 0 {
				at.Attacks[string(row.Family)+", "+string(row.Stage)] = forensic.Count{Missed: row.Together.Of - rate.Count, Of: row.Together.Of}
			}
		}
		out.Signs[sign] = forensic.Sign{Threshold: built.Threshold, Over: built.Over, Ranges: []forensic.Range{at}}
	}
	return out
}
