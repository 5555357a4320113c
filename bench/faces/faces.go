// Package faces measures face comparison on a folder of labelled pictures: how many genuine pairs are accepted (TAR) at
// thresholds that let one in so many impostor pairs through (FMR).
//
// Genuine pairs are those that the list calls the same. Impostor pairs are all pairs of pictures of different identities
// in the folder, which gives millions where a list gives thousands: the far end of the curve, where thresholds live, is
// then measured and not extrapolated. The identity of a picture is its file name before the last underscore.
package faces

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/modelcard"
)

// Rates are the false match rates that a result answers for, by their key.
var Rates = []struct {
	Key string
	FMR float64
}{{"1e-2", 1e-2}, {"1e-3", 1e-3}, {"1e-4", 1e-4}, {"1e-5", 1e-5}}

// Result is what `bonafide bench faces` answers. Rates are 0–1.
type Result struct {
	Genuine    int                       `json:"genuine"`   // pairs
	Impostors  int                       `json:"impostors"` // pairs
	EER        float64                   `json:"eer"`
	TAR        map[string]float64        `json:"tar"`
	Threshold  map[string]float64        `json:"threshold"`
	Interval   map[string]bench.Interval `json:"tar_interval_95"`
	Pictures   int                       `json:"pictures"`
	Identities int                       `json:"identities"`
	NoFace     int                       `json:"no_face"` // pictures without one; their genuine pairs count as not accepted
	Ceiling    modelcard.Ceiling         `json:"ceiling"` // over all pairs of pictures of one person
	Several    []Several                 `json:"several"` // none where nobody has enough pictures
	Model      string                    `json:"model"`
	SHA256     string                    `json:"sha256"`

	curve *curve
}

// Run measures the pictures (JPEG, PNG, WebP) below dir against the list of pairs: lines "same<tab>a<tab>b" with same 1
// or 0 and file names without folder; a first line that begins with "same" is a heading. An empty pairs means pairs.tsv in
// dir. progress, if not nil, is called as templates get ready. Templates are kept in the user's cache directory.
func Run(ctx context.Context, dir, pairs string, e *face.Engine, progress func(done, total int)) (*Result, error) {
	if pairs == "" {
		pairs = filepath.Join(dir, "pairs.tsv")
	}
	genuine, err := readPairs(pairs)
	if err != nil {
		return nil, err
	}
	files, err := pictures(dir)
	if err != nil {
		return nil, err
	}
	names := slices.Sorted(maps.Keys(files))
	templates, err := templatesOf(ctx, names, files, e, progress)
	if err != nil {
		return nil, err
	}
	card := e.Card(face.TemplateModel)
	r := &Result{Pictures: len(names), Model: card.Version, SHA256: card.SHA256, curve: newCurve()}
	ids := map[string]bool{}
	for i, name := range names {
		ids[identity(name)] = true
		if templates[i] == nil {
			r.NoFace++
		}
	}
	r.Identities = len(ids)
	if err := r.countGenuine(genuine, names, templates); err != nil {
		return nil, err
	}
	if err := r.countOthers(ctx, names, templates); err != nil {
		return nil, err
	}
	if err := r.countSeveral(ctx, names, templates); err != nil {
		return nil, err
	}
	return r, r.summarize()
}

// summarize reads the figures off the curve.
func (r *Result) summarize() error {
	c := r.curve
	r.Genuine, r.Impostors = int(c.genuine.total), int(c.impostors.total)
	if r.Genuine == 0 || r.Impostors == 0 {
		return errors.New("bench faces: no genuine or no impostor pairs")
	}
	r.TAR, r.Threshold, r.Interval = c.rates()
	r.EER, r.Ceiling = c.eer(), c.alike.ceiling()
	return nil
}

func (r *Result) countGenuine(pairs [][2]string, names []string, templates [][]float32) error {
	at := map[string]int{}
	for i, name := range names {
		at[name] = i
	}
	for _, p := range pairs {
		i, ok := at[p[0]]
		j, ok2 := at[p[1]]
		if !ok || !ok2 {
			return fmt.Errorf("bench faces: no picture for the pair %s, %s", p[0], p[1])
		}
		if templates[i] == nil || templates[j] == nil {
			r.curve.genuine.add(-1)
			continue
		}
		r.curve.genuine.add(dot(templates[i], templates[j]))
	}
	return nil
}

// countOthers compares every picture with every other: two people give an impostor pair, one gives a pair for the ceiling.
func (r *Result) countOthers(ctx context.Context, names []string, templates [][]float32) error {
	id := make([]string, len(names))
	for i, name := range names {
		id[i] = identity(name)
	}
	for i, a := range templates {
		if err := ctx.Err(); err != nil {
			return err
		}
		for j := i + 1; a != nil && j < len(templates); j++ {
			switch b := templates[j]; {
			case b == nil:
			case id[i] != id[j]:
				r.curve.impostors.add(dot(a, b))
			default:
				r.curve.alike.add(dot(a, b))
			}
		}
	}
	return nil
}

// ceilingRate is the part of genuine pairs that may reach the ceiling.
const ceilingRate = 1e-3

// ceiling returns the lowest similarity, rounded up to thousandths, that at most ceilingRate of all pairs of one person reach.
func (h *histogram) ceiling() modelcard.Ceiling {
	at := math.Ceil(h.threshold(ceilingRate)*1000) / 1000
	return modelcard.Ceiling{Similarity: at, Genuine: int(h.total), Above: int(h.atLeast(at)), Highest: math.Floor(h.threshold(0)*1000) / 1000}
}

// dot is the cosine of two vectors of length 1.
func dot(a, b []float32) float64 {
	var s0, s1, s2, s3 float32
	b = b[:len(a)]
	for i := 0; i+4 <= len(a); i += 4 {
		s0 += a[i] * b[i]
		s1 += a[i+1] * b[i+1]
		s2 += a[i+2] * b[i+2]
		s3 += a[i+3] * b[i+3]
	}
	return float64(s0+s1) + float64(s2+s3)
}

func identity(name string) string {
	if i := strings.LastIndexByte(name, '_'); i >= 0 {
		return name[:i]
	}
	return name
}

// readPairs returns the pairs that the list calls the same.
func readPairs(path string) (pairs [][2]string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, fmt.Errorf("bench faces: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	lines := bufio.NewScanner(f)
	for n := 1; lines.Scan(); n++ {
		fields := strings.Split(strings.TrimRight(lines.Text(), "\r"), "\t")
		switch {
		case len(fields) == 1 && fields[0] == "", n == 1 && fields[0] == "same":
		case len(fields) < 3 || fields[0] != "0" && fields[0] != "1":
			return nil, fmt.Errorf("bench faces: %s line %d is not same, a, b", filepath.Base(path), n)
		case fields[0] == "1":
			pairs = append(pairs, [2]string{fields[1], fields[2]})
		}
	}
	return pairs, lines.Err()
}

// pictures finds the pictures below dir by name.
func pictures(dir string) (map[string]string, error) {
	out := map[string]string{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		switch strings.ToLower(filepath.Ext(path)) {
		case ".jpg", ".jpeg", ".png", ".webp":
			if other, dup := out[d.Name()]; dup {
				return fmt.Errorf("two pictures have the same name: %s and %s", other, path)
			}
			out[d.Name()] = path
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("bench faces: %w", err)
	}
	return out, nil
}
