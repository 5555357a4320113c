package barcode

import (
	"context"
	"fmt"
	"slices"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/barcode"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// Options say what is measured beside the reader itself.
type Options struct {
	Zxing    bool                  // also show each picture to libzxing's ZXingReader
	First    int64                 // seed of the first generated picture
	Pictures int                   // how many are generated
	Failures *bench.Gallery        // keeps generated pictures that were not read, may be nil
	Progress func(done, total int) // may be nil
}

// Tally counts pictures of one kind.
type Tally struct {
	What  string      `json:"what"`
	Right bench.Rate  `json:"right"`
	Peer  *bench.Rate `json:"zxing,omitempty"`
}

// Generated is the result over generated pictures.
type Generated struct {
	First   int64            `json:"first_seed"`
	All     Tally            `json:"all"`
	Wrong   bench.Rate       `json:"wrong"`
	CPU     bench.Quantiles  `json:"cpu_ms"` // processor time a picture, decoding not included
	PeerCPU *bench.Quantiles `json:"zxing_cpu_ms,omitempty"`
	Of      []Tally          `json:"of"` // by format, then by what is hard about the picture
	Missed  []Missed         `json:"missed"`
}

// Missed is a picture that was not read, or wrongly.
type Missed struct {
	Seed    int64    `json:"seed"`
	Format  string   `json:"format"`
	Module  float64  `json:"module"` // pixels
	Trouble []string `json:"trouble"`
	Peer    bool     `json:"zxing_right"`
}

// outcome is what became of one picture.
type outcome struct {
	right, wrong, peer bool
	cpu, peerCPU       float64 // ms
}

// RunGenerated photographs labels with codes and reads them, one after the other.
func RunGenerated(ctx context.Context, o Options) (*Generated, error) {
	out := &Generated{First: o.First, Missed: []Missed{}}
	counts := map[string]*[3]int{}
	var names []string
	var cpu, peerCPU []float64
	wrong := 0
	for i := range o.Pictures {
		s, err := newScene(o.First + int64(i))
		if err != nil {
			return nil, err
		}
		got, err := s.measure(ctx, o)
		if err != nil {
			return nil, err
		}
		cpu, peerCPU = append(cpu, got.cpu), append(peerCPU, got.peerCPU)
		for _, name := range append([]string{"all", string(s.format)}, s.kinds()...) {
			if counts[name] == nil {
				counts[name] = new([3]int)
				names = append(names, name)
			}
			add(counts[name], got)
		}
		if got.wrong {
			wrong++
		}
		if !got.right {
			out.Missed = append(out.Missed, Missed{s.seed, string(s.format), s.module, s.kinds(), got.peer})
			if err := s.keep(o.Failures, got); err != nil {
				return nil, err
			}
		}
		if o.Progress != nil {
			o.Progress(i+1, o.Pictures)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		c := counts[name]
		t := Tally{What: name, Right: bench.RateOf(c[1], c[0])}
		if o.Zxing {
			peer := bench.RateOf(c[2], c[0])
			t.Peer = &peer
		}
		if name == "all" {
			out.All = t
		} else {
			out.Of = append(out.Of, t)
		}
	}
	out.Wrong, out.CPU = bench.RateOf(wrong, o.Pictures), bench.QuantilesOf(cpu)
	if o.Zxing {
		q := bench.QuantilesOf(peerCPU)
		out.PeerCPU = &q
	}
	return out, nil
}

func add(c *[3]int, o outcome) {
	c[0]++
	if o.right {
		c[1]++
	}
	if o.peer {
		c[2]++
	}
}

// kinds is what is hard about the picture, in words.
func (s scene) kinds() []string {
	if len(s.trouble) == 0 {
		return []string{"nothing hard"}
	}
	return s.trouble
}

// holds reports whether a text is one of those in view.
func (s scene) holds(text string) bool { return text == s.text || s.other != "" && text == s.other }

func (s scene) measure(ctx context.Context, o Options) (outcome, error) {
	var out outcome
	img, _, err := imaging.Open(s.file, imaging.Limits{})
	if err != nil {
		return out, fmt.Errorf("bench barcode: picture %d: %w", s.seed, err)
	}
	ctx, cancel := context.WithTimeout(ctx, Limit)
	defer cancel()
	g := img.Gray()
	start := bench.Processor()
	code, err := barcode.Read(ctx, g)
	out.cpu = bench.Milliseconds(bench.Processor() - start)
	out.right, out.wrong = err == nil && s.holds(code.Text), err == nil && !s.holds(code.Text)
	if !o.Zxing {
		return out, nil
	}
	raw, spent, err := askZxing(ctx, s.file)
	out.peerCPU = bench.Milliseconds(spent)
	out.peer = slices.ContainsFunc(
		[]string{s.text, s.other, s.text + s.other, s.other + s.text}, func(t string) bool { return t != "" && sameBytes(raw, []byte(t)) },
	)
	return out, err
}

// keep puts a picture that was not read into the gallery.
func (s scene) keep(g *bench.Gallery, got outcome) error {
	if g == nil {
		return nil
	}
	f := bench.Failure{
		Name: fmt.Sprintf("barcode-%07d", s.seed), What: "No code was read.", Want: []string{fmt.Sprintf("%q", s.text)}, Got: []string{},
		Notes: append([]string{fmt.Sprintf("%s, %.1f pixels a module", s.format, s.module)}, s.kinds()...),
	}
	if got.wrong {
		f.What = "The text that was read is another."
	}
	return g.Add(f, s.picture)
}
