// Package barcode measures the reading of bar codes on a folder of labelled pictures.
//
// A picture NN.png stands beside its truth, NN.txt (UTF-8 text) or NN.bin (bytes). Pictures NN-1.png, NN-2.png … are
// parts of one code, whose texts together make the truth.
package barcode

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/barcode"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Limit is how long one picture may take.
const Limit = 20 * time.Second

// Result is what `bonafide bench barcode` answers.
type Result struct {
	Pictures     int              `json:"pictures"`
	Right        bench.Rate       `json:"right"`
	Wrong        bench.Rate       `json:"wrong"` // read, but not what the truth says
	NotRead      bench.Rate       `json:"not_read"`
	Milliseconds bench.Quantiles  `json:"ms"`     // wall clock a picture, decoding included
	CPU          bench.Quantiles  `json:"cpu_ms"` // processor time a picture, decoding included
	Peer         *bench.Rate      `json:"zxing_right,omitempty"`
	PeerCPU      *bench.Quantiles `json:"zxing_cpu_ms,omitempty"` // of the whole process
	Files        []File           `json:"files"`
}

// File is one picture, or several that are parts of one code.
type File struct {
	Name         string  `json:"file"`
	Parts        int     `json:"parts"`
	Format       string  `json:"format"`
	Right        bool    `json:"right"`
	Read         bool    `json:"read"`
	Milliseconds float64 `json:"ms"`
	CPU          float64 `json:"cpu_ms"`
	Peer         bool    `json:"zxing_right,omitempty"`
	PeerCPU      float64 `json:"zxing_cpu_ms,omitempty"`
	Failure      string  `json:"failure,omitempty"`
}

// Run reads every labelled picture below dir. Of the options, only Zxing and Progress matter.
func Run(ctx context.Context, dir string, o Options) (*Result, error) {
	cases, err := find(dir)
	if err != nil {
		return nil, err
	}
	out := &Result{Pictures: len(cases)}
	for i, c := range cases {
		f, err := c.read(ctx, o)
		if err != nil {
			return nil, err
		}
		out.Files = append(out.Files, f)
		if o.Progress != nil {
			o.Progress(i+1, len(cases))
		}
	}
	out.summarize(o)
	return out, nil
}

// labelled is one truth with its pictures.
type labelled struct {
	name     string
	pictures []string // in the order of their parts
	truth    string   // path without extension
}

var part = regexp.MustCompile(`^(.+)-\d+$`)

func find(dir string) ([]labelled, error) {
	var out []labelled
	at := map[string]int{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		ext := strings.ToLower(filepath.Ext(path))
		if ext != ".png" && ext != ".jpg" && ext != ".jpeg" && ext != ".webp" {
			return nil
		}
		base := strings.TrimSuffix(path, filepath.Ext(path))
		if m := part.FindStringSubmatch(base); m != nil && !exists(base+".txt") && !exists(base+".bin") {
			base = m[1]
		}
		if !exists(base+".txt") && !exists(base+".bin") {
			return nil
		}
		i, ok := at[base]
		if !ok {
			i = len(out)
			at[base] = i
			name, err := filepath.Rel(dir, base)
			if err != nil {
				return err
			}
			out = append(out, labelled{name: filepath.ToSlash(name), truth: base})
		}
		out[i].pictures = append(out[i].pictures, path)
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("bench barcode: %w", err)
	}
	if len(out) == 0 {
		return nil, errors.New("bench barcode: no labelled pictures")
	}
	for _, c := range out {
		slices.Sort(c.pictures)
	}
	return out, nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

func (c labelled) read(ctx context.Context, o Options) (File, error) {
	out := File{Name: c.name, Parts: len(c.pictures)}
	want, err := os.ReadFile(c.truth + ".bin")
	if errors.Is(err, os.ErrNotExist) {
		want, err = os.ReadFile(c.truth + ".txt")
	}
	if err != nil {
		return out, fmt.Errorf("bench barcode: %w", err)
	}
	var text string
	var raw []byte
	start, spent := time.Now(), bench.Processor()
	for _, p := range c.pictures {
		code, err := readOne(ctx, p)
		if ctx.Err() != nil {
			return out, fmt.Errorf("bench barcode: %w", ctx.Err())
		}
		if err != nil {
			out.Failure = err.Error()
			break
		}
		out.Format = string(code.Format)
		text, raw = text+code.Text, append(raw, code.Bytes...)
	}
	out.Milliseconds = bench.Milliseconds(time.Since(start))
	out.CPU = bench.Milliseconds(bench.Processor() - spent)
	out.Read = out.Failure == ""
	// A text file may end in a line feed that is not part of the code.
	out.Right = out.Read && (bytes.Equal(raw, want) || text == string(want) || text == strings.TrimRight(string(want), "\n"))
	if o.Zxing {
		return out, c.ask(ctx, want, &out)
	}
	return out, nil
}

// ask shows the pictures to the peer.
func (c labelled) ask(ctx context.Context, want []byte, out *File) error {
	var all []byte
	for _, p := range c.pictures {
		b, err := os.ReadFile(p)
		if err != nil {
			return fmt.Errorf("bench barcode: %w", err)
		}
		raw, spent, err := askZxing(ctx, b)
		if err != nil {
			return fmt.Errorf("bench barcode: %w", err)
		}
		all = append(all, raw...)
		out.PeerCPU += bench.Milliseconds(spent)
	}
	out.Peer = sameBytes(all, want)
	return nil
}

func readOne(ctx context.Context, path string) (barcode.Code, error) {
	b, err := os.ReadFile(path)
	if err != nil {
		return barcode.Code{}, fmt.Errorf("bench barcode: %w", err)
	}
	img, _, err := imaging.Open(b, imaging.Limits{})
	if err != nil {
		return barcode.Code{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	return barcode.Read(ctx, img.Gray())
}

func (r *Result) summarize(o Options) {
	count := func(pred func(File) bool) bench.Rate {
		n := 0
		for _, f := range r.Files {
			if pred(f) {
				n++
			}
		}
		return bench.RateOf(n, r.Pictures)
	}
	quantiles := func(of func(File) float64) bench.Quantiles {
		var v []float64
		for _, f := range r.Files {
			v = append(v, of(f))
		}
		return bench.QuantilesOf(v)
	}
	r.Right = count(func(f File) bool { return f.Right })
	r.Wrong = count(func(f File) bool { return f.Read && !f.Right })
	r.NotRead = count(func(f File) bool { return !f.Read })
	r.Milliseconds, r.CPU = quantiles(func(f File) float64 { return f.Milliseconds }), quantiles(func(f File) float64 { return f.CPU })
	if o.Zxing {
		right, cpu := count(func(f File) bool { return f.Peer }), quantiles(func(f File) float64 { return f.PeerCPU })
		r.Peer, r.PeerCPU = &right, &cpu
	}
}
