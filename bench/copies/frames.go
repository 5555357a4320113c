package copies

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/forensic"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// FramesResult is how well copies are found in the frames of clips that show nothing else.
type FramesResult struct {
	Frames    int                   `json:"frames"`
	Documents int                   `json:"documents"`
	Found     bench.Rate            `json:"found"`      // by the signs of a copy
	Chosen    bench.Rate            `json:"found_seen"` // of the documents whose frames thresholds may be chosen on
	Kept      bench.Rate            `json:"found_kept"` // of the documents that are kept aside
	Signs     map[string]bench.Rate `json:"found_by_sign"`
	Kinds     map[string]bench.Rate `json:"found_by_kind"`
	Colour    []float64             `json:"colour_quantiles"` // at 0, 1, 5, 25, 50, 75, 95, 99 and 100 of 100
	Missed    []string              `json:"missed"`           // frames without a sign
	Scores    []Score               `json:"-"`
}

// still is one frame of a clip whose page's corners are known.
type still struct {
	file     string
	document string // what is shown: KIND__NN
	quad     imaging.Quad
}

// Frames measures the signs in a folder of frames, NAME__FRAME.jpg, whose page's corners NAME.json states as a project of
// the VGG Image Annotator does. NAME is KIND__NN.CLIP: what precedes the point names the document. All frames show copies.
func Frames(ctx context.Context, dir string, r *optical.Reader, progress func(done, total int)) (*FramesResult, error) {
	stills, err := readStills(dir)
	if err != nil {
		return nil, err
	}
	var scores []Score
	for i, s := range stills {
		raw, err := os.ReadFile(filepath.Join(dir, s.file)) //nolint:gosec // the operator's folder
		if err != nil {
			return nil, fmt.Errorf("read a frame: %w", err)
		}
		photo, _, err := imaging.Open(raw, imaging.Limits{})
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		found, err := r.Signs(ctx, photo, s.quad, s.width())
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.file, err)
		}
		scores = append(scores, Score{File: s.file, What: s.document, PerMM: found.PixelsPerMM, Signs: found})
		progress(i+1, len(stills))
	}
	return judgeFrames(scores, forensic.Rates().Signs), nil
}

// width of the page in millimetres (ICAO 9303-4 and -5).
func (s still) width() float64 {
	if strings.Contains(s.document, "passport") {
		return 125
	}
	return 85.6
}

// judgeFrames counts. Every other document is one that thresholds may be chosen on, in each kind those that the kind before keeps.
func judgeFrames(scores []Score, table map[string]forensic.Sign) *FramesResult {
	res := &FramesResult{Frames: len(scores), Signs: map[string]bench.Rate{}, Kinds: map[string]bench.Rate{}, Missed: []string{}, Scores: scores}
	var documents []string
	for _, s := range scores {
		documents = append(documents, s.What)
	}
	slices.Sort(documents)
	documents = slices.Compact(documents)
	res.Documents = len(documents)
	seen := map[string]bool{}
	kinds := 0
	for i, d := range documents {
		if i > 0 && kindOf(d) != kindOf(documents[i-1]) {
			kinds++
		}
		seen[d] = (i+kinds)%2 == 0
	}
	var colours []float64
	all, found := map[string]int{}, map[string]int{}
	for _, s := range scores {
		half := "kept"
		if seen[s.What] {
			half = "seen"
		}
		groups := []string{"", "kind " + kindOf(s.What), half}
		fired := slices.DeleteFunc(firedOf(s.Signs, table), func(sign string) bool { return sign == forensic.GrainSign }) // the portrait's
		for _, g := range groups {
			all[g]++
			if len(fired) > 0 {
				found[g]++
			}
		}
		for _, sign := range fired {
			found["sign "+sign]++
		}
		if len(fired) == 0 {
			res.Missed = append(res.Missed, s.File)
		}
		if v, ok := value(forensic.ColourSign, s.Signs); ok {
			colours = append(colours, v)
		}
	}
	rate := func(g string) bench.Rate { return bench.RateOf(found[g], all[g]) }
	res.Found, res.Chosen, res.Kept = rate(""), rate("seen"), rate("kept")
	for _, sign := range []string{forensic.GridSign, forensic.ColourSign} {
		res.Signs[sign] = bench.RateOf(found["sign "+sign], len(scores))
	}
	for g := range all {
		if kind, ok := strings.CutPrefix(g, "kind "); ok {
			res.Kinds[kind] = rate(g)
		}
	}
	slices.Sort(colours)
	res.Colour = quantiles(colours)
	return res
}

// kindOf is the kind of a document by its name.
func kindOf(document string) string {
	kind, _, _ := strings.Cut(document, "__")
	return kind
}

// firedOf lists the signs that a page shows.
func firedOf(s idv.Signs, table map[string]forensic.Sign) []string {
	var out []string
	for _, sign := range signs {
		if v, ok := value(sign, s); ok && table[sign].Fires(v) {
			out = append(out, sign)
		}
	}
	return out
}

// readStills lists the frames of a folder whose corners are stated, by name.
func readStills(dir string) ([]still, error) {
	lists, err := filepath.Glob(filepath.Join(dir, "*.json"))
	if err != nil {
		return nil, fmt.Errorf("list the clips: %w", err)
	}
	var out []still
	for _, list := range lists {
		raw, err := os.ReadFile(list) //nolint:gosec // the operator's folder
		if err != nil {
			return nil, fmt.Errorf("read a clip's corners: %w", err)
		}
		corners, err := cornersOf(raw)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", filepath.Base(list), err)
		}
		clip := strings.TrimSuffix(filepath.Base(list), ".json")
		document, _, _ := strings.Cut(clip, ".")
		for frame, quad := range corners {
			file := clip + "__" + filepath.Base(frame)
			if _, err := os.Stat(filepath.Join(dir, file)); err != nil {
				continue // a clip has more frames than are kept
			}
			out = append(out, still{file: file, document: document, quad: quad})
		}
	}
	if len(out) == 0 {
		return nil, errors.New("no frame whose corners are stated")
	}
	slices.SortFunc(out, func(a, b still) int { return strings.Compare(a.file, b.file) })
	return out, nil
}

// errCorners: a project of the annotator that states something else than four corners of a page.
var errCorners = errors.New("a page needs four corners")

// cornersOf reads a project of the VGG Image Annotator: the corners of the page in each frame, from the page's top left clockwise,
// by the frame's file name. Frames without a page are left out.
func cornersOf(raw []byte) (map[string]imaging.Quad, error) {
	var project struct {
		Frames map[string]struct {
			File    string `json:"filename"`
			Regions []struct {
				Shape struct {
					X []float64 `json:"all_points_x"`
					Y []float64 `json:"all_points_y"`
				} `json:"shape_attributes"`
				Is struct {
					Field string `json:"field_name"`
				} `json:"region_attributes"`
			} `json:"regions"`
		} `json:"_via_img_metadata"`
	}
	if err := json.Unmarshal(raw, &project); err != nil {
		return nil, fmt.Errorf("decode the corners: %w", err)
	}
	out := map[string]imaging.Quad{}
	for _, frame := range project.Frames {
		for _, region := range frame.Regions {
			if region.Is.Field != "doc_quad" {
				continue
			}
			var q imaging.Quad
			if len(region.Shape.X) != len(q) || len(region.Shape.Y) != len(q) {
				return nil, errCorners
			}
			for i := range q {
				q[i] = imaging.Point{X: region.Shape.X[i], Y: region.Shape.Y[i]}
				if math.Abs(q[i].X) > top || math.Abs(q[i].Y) > top {
					return nil, errCorners
				}
			}
			out[frame.File] = q
		}
	}
	return out, nil
}
