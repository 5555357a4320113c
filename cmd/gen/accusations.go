package main

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// genuineSet is a measurement in which nothing is forged: whatever it suspects, it suspects wrongly.
type genuineSet struct {
	record string // below bench/results, without .json
	what   string
	read   func(result json.RawMessage) ([]accused, error)
}

// accused says how often a sign appears in a genuine set.
type accused struct {
	sign string
	rate bench.Rate
}

// genuineSets are the rows of the page of false accusations, in order.
var genuineSets = []genuineSet{
	{"copies-genuine-84001", "Pages of generated documents, a third under tungsten light, a third with little colour", readPages},
	{"edits-930001", "The generated documents that the edited ones were made from", readEdits},
	{"edits-730001", "Generated documents of other seeds, as they are", readEdits},
	{"forgeries-passporteye-27", "27 photographs of passports that nobody here drew", readFolder},
	{"forgeries-strangers-13", "13 specimens of licences and cards that nobody here drew", readFolder},
	{"faces-lfw-1-5", "Pairs of pictures of one person from two occasions (LFW)", readCeiling},
	{"liveness-993001", "Acted challenges; not measured on live people", readSignals},
	{"attacks-honest-980001", "Acted people, also with poor cameras, small pictures and shoulders that follow; not measured on live people", readGenuine},
}

// accusationsPage lists how often each sign appears where nothing is forged. It fails if a record is missing.
func accusationsPage(root string) ([]byte, error) {
	var rows [][]string
	for _, set := range genuineSets {
		raw, err := os.ReadFile(filepath.Join(root, "bench", "results", set.record+".json"))
		if err != nil {
			return nil, err
		}
		var record struct {
			Result json.RawMessage `json:"result"`
		}
		if err := json.Unmarshal(raw, &record); err != nil {
			return nil, fmt.Errorf("%s: %w", set.record, err)
		}
		signs, err := set.read(record.Result)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", set.record, err)
		}
		for _, s := range signs {
			rows = append(rows, accusedRow(set, s))
		}
	}
	for _, p := range liveness.Signals().Pictures {
		rows = append(rows, accusedRow(
			genuineSet{record: p.DataSet, what: "Single pictures of few people"},
			accused{string(idv.CheckPassiveLiveness), bench.RateOf(p.Doubted.Count, p.Doubted.Of)},
		))
	}
	return []byte("# False accusations\n\n" + made +
		"How often each sign appears in pictures in which nothing is forged. Every row is a record of `bench/results`, which holds the command\n" +
		"that makes it again.\n" +
		"A sign that appears in more than one of 200 refers to a person and is not called fraud (severity `suspect`). None of these signs declines anyone.\n\n" +
		table([]string{"genuine pictures", "sign", "accused", "rate", "95 % interval", "data set"}, rows)), nil
}

func accusedRow(set genuineSet, s accused) []string {
	r := s.rate
	return []string{
		set.what, "`" + s.sign + "`", fmt.Sprintf("%d of %d", r.Count, r.Of), fmt.Sprintf("%.1f %%", 100*r.Rate),
		fmt.Sprintf("%.1f to %.1f %%", 100*r.Interval.Low, 100*r.Interval.High), "`" + set.record + "`",
	}
}

// readPages reads `bonafide bench copies --genuine`.
func readPages(raw json.RawMessage) ([]accused, error) {
	var result struct {
		Codes map[string]bench.Rate `json:"by_reason"`
	}
	err := json.Unmarshal(raw, &result)
	var out []accused
	for code, rate := range result.Codes {
		out = append(out, accused{code, rate})
	}
	slices.SortFunc(out, func(a, b accused) int { return strings.Compare(a.sign, b.sign) })
	return out, err
}

// readEdits reads `bonafide bench edits`: genuine pictures as they were taken, and the same saved once more.
func readEdits(raw json.RawMessage) ([]accused, error) {
	var result struct {
		Rows []struct {
			Stage    string     `json:"stage"`
			Together bench.Rate `json:"together"`
		} `json:"rows"`
	}
	err := json.Unmarshal(raw, &result)
	var out []accused
	for _, row := range result.Rows {
		switch row.Stage {
		case "genuine":
			out = append(out, accused{problem.DocumentEdited.Code, row.Together})
		case "genuine_saved_twice":
			out = append(out, accused{problem.DocumentEdited.Code + ", saved twice", row.Together})
		}
	}
	return out, err
}

// readFolder reads `bonafide bench forgeries` of a folder of genuine pictures.
func readFolder(raw json.RawMessage) ([]accused, error) {
	var result struct {
		Pictures int                   `json:"pictures"`
		Reasons  map[string]bench.Rate `json:"reasons"` // by check and reason
	}
	if err := json.Unmarshal(raw, &result); err != nil {
		return nil, err
	}
	var out []accused
	for _, k := range []problem.Kind{
		problem.DocumentEdited, problem.DocumentPaperCopy, problem.DocumentPortraitAltered, problem.DocumentScreenCopy, problem.DocumentSpecimen,
	} {
		rate := bench.RateOf(0, result.Pictures)
		for reason, found := range result.Reasons {
			if strings.HasSuffix(reason, ": "+k.Code) {
				rate = found
			}
		}
		out = append(out, accused{k.Code, rate})
	}
	return out, nil
}

// readCeiling reads the ceiling of likeness of `bonafide bench faces`.
func readCeiling(raw json.RawMessage) ([]accused, error) {
	var result struct {
		Ceiling struct {
			Genuine int `json:"genuine"`
			Above   int `json:"above"`
		} `json:"ceiling"`
	}
	err := json.Unmarshal(raw, &result)
	return []accused{{problem.FaceTooAlike.Code, bench.RateOf(result.Ceiling.Above, result.Ceiling.Genuine)}}, err
}

// readSignals reads `bonafide bench liveness`.
func readSignals(raw json.RawMessage) ([]accused, error) {
	var result struct {
		Refused bench.Rate `json:"genuine_refused"`
		Signals []struct {
			Check   string     `json:"check"`
			Sign    string     `json:"sign"` // empty: all signs of the check together
			Genuine bench.Rate `json:"genuine_doubted"`
		} `json:"signals"`
	}
	err := json.Unmarshal(raw, &result)
	out := []accused{{string(idv.CheckLiveness), result.Refused}}
	for _, s := range result.Signals {
		if s.Sign != "" {
			continue
		}
		out = append(out, accused{s.Check, s.Genuine})
	}
	return out, err
}

// readGenuine reads the rows of `bonafide bench attacks` in which nobody attacks. What a check could not look at counts as doubted.
func readGenuine(raw json.RawMessage) ([]accused, error) {
	var result struct {
		Rows []struct {
			Row      string                `json:"row"`
			Approved bench.Rate            `json:"approved"`
			Reasons  map[string]bench.Rate `json:"reasons"` // by check and reason
		} `json:"rows"`
	}
	err := json.Unmarshal(raw, &result)
	doubted := map[string]int{string(idv.CheckHead): 0, string(idv.CheckPassiveLiveness): 0, string(idv.CheckLiveness): 0}
	of := 0
	for _, row := range result.Rows {
		if !strings.HasPrefix(row.Row, "genuine") {
			continue
		}
		of += row.Approved.Of
		for reason, rate := range row.Reasons {
			check, _, _ := strings.Cut(reason, ": ")
			doubted[check] += rate.Count
		}
	}
	var out []accused
	for _, check := range slices.Sorted(maps.Keys(doubted)) {
		out = append(out, accused{check, bench.RateOf(doubted[check], of)})
	}
	return out, err
}
