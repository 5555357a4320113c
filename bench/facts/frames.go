package facts

import (
	"encoding/json"
	"errors"
	"math"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/optical/text"
)

// frames are what a recogniser held possible in each frame of a line. In JSON a number stands for so many frames that are
// surely blank; any other frame is a list of characters, each followed by the natural logarithm of its probability. The empty
// character is the blank.
type frames text.Candidates

// MarshalJSON writes runs of blank frames as their number.
func (f frames) MarshalJSON() ([]byte, error) {
	out := []any{}
	blank := 0
	flush := func() {
		if blank > 0 {
			out, blank = append(out, blank), 0
		}
	}
	for _, frame := range f {
		if len(frame) == 0 {
			blank++
			continue
		}
		flush()
		row := make([]any, 0, 2*len(frame))
		for _, c := range frame {
			s := ""
			if c.Rune != 0 {
				s = string(c.Rune)
			}
			row = append(row, s, round(c.Log, 1e3))
		}
		out = append(out, row)
	}
	flush()
	return json.Marshal(out)
}

// mostFrames bounds a line.
const mostFrames = 1 << 16

var errFrames = errors.New("frames are numbers of blank ones, or lists of characters and logarithms")

// UnmarshalJSON reads what MarshalJSON writes.
func (f *frames) UnmarshalJSON(raw []byte) error {
	var all []json.RawMessage
	if err := json.Unmarshal(raw, &all); err != nil {
		return err
	}
	*f = nil
	for _, one := range all {
		var blank int
		if json.Unmarshal(one, &blank) == nil {
			if blank < 0 || blank > mostFrames-len(*f) {
				return errFrames
			}
			*f = append(*f, make(frames, blank)...)
			continue
		}
		frame, err := frameOf(one)
		if err != nil {
			return err
		}
		*f = append(*f, frame)
	}
	return nil
}

func frameOf(raw json.RawMessage) ([]text.Candidate, error) {
	var row []any
	if err := json.Unmarshal(raw, &row); err != nil {
		return nil, err
	}
	if len(row) == 0 || len(row)%2 != 0 {
		return nil, errFrames
	}
	out := make([]text.Candidate, 0, len(row)/2)
	for i := 0; i < len(row); i += 2 {
		s, isText := row[i].(string)
		log, isNumber := row[i+1].(float64)
		if !isText || !isNumber || utf8.RuneCountInString(s) > 1 {
			return nil, errFrames
		}
		c := text.Candidate{Log: log}
		if s != "" {
			c.Rune, _ = utf8.DecodeRuneInString(s)
		}
		out = append(out, c)
	}
	return out, nil
}

// round keeps what is left of a number where one is so many parts.
func round(v, parts float64) float64 { return math.Round(v*parts) / parts }

func rounded(all []float64, parts float64) []float64 {
	out := make([]float64, len(all))
	for i, v := range all {
		out[i] = round(v, parts)
	}
	return out
}
