package liveness

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
)

//go:embed signals.json
var signalsJSON []byte

// MeasuredSignals are the operating points of the signals (idv.Signals), and how often they err there on generated runs.
type MeasuredSignals struct {
	DataSet  string                        `json:"data_set"`
	Command  string                        `json:"command"`
	Date     string                        `json:"date"` // YYYY-MM-DD
	Head     HeadThresholds                `json:"head"`
	Passive  float64                       `json:"passive"` // of the passive signal, 0 to 1: below it refers
	Model    string                        `json:"model"`   // SHA-256 of the model that the passive signal was measured with
	Rates    map[idv.CheckKind]SignalRates `json:"rates"`
	Pictures []PictureRate                 `json:"pictures"` // of the passive signal, on pictures of people
}

// SignalRates are how often a signal errs on generated runs. A run that it could not look at counts as doubted: a person looks at it.
type SignalRates struct {
	Doubted Count            `json:"genuine_doubted"`     // of acted people
	Passed  map[string]Count `json:"attacks_not_doubted"` // by attack
}

// PictureRate is how often a signal doubts pictures of people. They are single pictures, and nobody took them for this program.
type PictureRate struct {
	DataSet string `json:"data_set"`
	Command string `json:"command"`
	Date    string `json:"date"`
	Doubted Count  `json:"doubted"`
}

// OfPictures is how many pictures of people the passive signal doubts, of all that were measured.
func (m MeasuredSignals) OfPictures() Count {
	var out Count
	for _, p := range m.Pictures {
		out.Count, out.Of = out.Count+p.Doubted.Count, out.Of+p.Doubted.Of
	}
	return out
}

// Worst is the attack that a signal notices least often, and how often it does not; "" where none was tried.
func (s SignalRates) Worst() (string, Count) {
	which, worst := "", Count{}
	for _, a := range slices.Sorted(maps.Keys(s.Passed)) {
		c := s.Passed[a]
		if order := cmp.Or(cmp.Compare(c.Rate(), worst.Rate()), cmp.Compare(c.Of, worst.Of)); c.Of > 0 && (which == "" || order > 0) {
			which, worst = a, c
		}
	}
	return which, worst
}

// Signals is the measurement that this version was built with.
var Signals = sync.OnceValue(func() MeasuredSignals {
	var m MeasuredSignals
	if err := json.Unmarshal(signalsJSON, &m); err != nil {
		panic("liveness: signals.json: " + err.Error())
	}
	return m
})
