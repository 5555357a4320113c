package forensic

import (
	_ "embed"
	"encoding/json"
	"sync"
)

//go:embed measured.json
var measuredJSON []byte

//go:embed edits.json
var editsJSON []byte

// Measured is what `bonafide bench copies` found: for each sign its threshold and how often it errs there. Every rate is
// of generated photographs; what it says about real ones is not known.
type Measured struct {
	DataSet string          `json:"data_set"`
	Command string          `json:"command"`
	Date    string          `json:"date"` // YYYY-MM-DD
	Signs   map[string]Sign `json:"signs"`
}

// Sign is one sign's threshold and its errors by resolution, coarsest first.
type Sign struct {
	Threshold float64 `json:"threshold"`
	Over      bool    `json:"over"` // it fires at or above the threshold, else at or below
	Ranges    []Range `json:"ranges"`
}

// Range is how a sign errs on pages of at least From pixels a millimetre, up to the next range.
type Range struct {
	From        float64          `json:"from"`
	Genuine     int              `json:"genuine"`
	FalseAlarms int              `json:"false_alarms"`
	Attacks     map[string]Count `json:"attacks"` // by what it is
}

// Count is how many of how many.
type Count struct {
	Missed int `json:"missed"`
	Of     int `json:"of"`
}

// The names of the signs.
const (
	GridSign   = "grid"
	ColourSign = "colour"
	GrainSign  = "grain"

	PortraitHistorySign = "portrait_history" // of the portrait's squares in earlier files
	PrintHistorySign    = "print_history"    // of those of a printed fact, or of the machine-readable zone
)

// Rates are the measurements of copies and exchanged portraits that this version was built with.
var Rates = sync.OnceValue(func() Measured { return measured("measured.json", measuredJSON) })

// Edits are those of the signs of editing, as `bonafide bench edits` found them.
var Edits = sync.OnceValue(func() Measured { return measured("edits.json", editsJSON) })

func measured(name string, raw []byte) Measured {
	var m Measured
	if err := json.Unmarshal(raw, &m); err != nil {
		panic("forensic: " + name + ": " + err.Error())
	}
	return m
}

// Fires reports whether a value is a sign.
func (s Sign) Fires(v float64) bool {
	if s.Over {
		return v >= s.Threshold
	}
	return v <= s.Threshold
}

// At is the range that a resolution falls into; false where nothing was measured.
func (s Sign) At(perMM float64) (Range, bool) {
	var best Range
	found := false
	for _, r := range s.Ranges {
		if r.From <= perMM || !found {
			best, found = r, true
		}
	}
	return best, found
}

// FalseAlarmRate is of genuine photographs, 0–1.
func (r Range) FalseAlarmRate() float64 { return float64(r.FalseAlarms) / float64(max(1, r.Genuine)) }

// MissRate is of the attack that is missed most, 0–1, and which that is; "" where no attack was tried.
func (r Range) MissRate() (float64, string) {
	worst, which := 0., ""
	for a, c := range r.Attacks {
		if c.Of == 0 {
			continue
		}
		if rate := float64(c.Missed) / float64(c.Of); which == "" || rate > worst || rate == worst && a < which {
			worst, which = rate, a
		}
	}
	return worst, which
}
