package text

import (
	"context"

	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical/ocr"
)

// Candidates are, for each frame of a line from left to right, the characters that the recogniser held possible. A frame that is
// surely blank is nil.
type Candidates [][]Candidate

// Candidate is a character and how likely it is.
type Candidate struct {
	Rune rune    // 0: no character
	Log  float64 // natural logarithm of its probability, above −8
}

// blankSure is the logarithm of a blank's probability from which its frame is surely blank.
const blankSure = -0.002

// Candidates reads a line with the reader of Latin print, and returns what that held possible besides.
func (n *Readers) Candidates(ctx context.Context, img *imaging.Photo, s ocr.Strip) (Reading, Candidates, error) {
	l, err := n.latin.look(ctx, ocr.CropGray(img, s), Marks{})
	if err != nil {
		return Reading{}, nil, err
	}
	return l.Reading, n.latin.candidates(l.frames), nil
}

// candidates are what was possible in the frames of a line, by characters.
func (r reader) candidates(frames lineFrames) Candidates {
	out := make(Candidates, len(frames))
	for t, f := range frames {
		if frames.log(t, 0) > blankSure {
			continue
		}
		for _, p := range f {
			c := Candidate{Log: p.log}
			if p.class > 0 {
				c.Rune = r.Dictionary[p.class]
			}
			out[t] = append(out[t], c)
		}
	}
	return out
}
