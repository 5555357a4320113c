// Package light measures how often liveness.light says something of a run, and how often it is right: on acted people whose skin, room,
// screen and camera are drawn, and on tricks that answer the colours without a face before the screen. None of it is of a real person.
package light

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/lit"
	"github.com/bonafide-id/bonafide/internal/biometric"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/liveness"
)

// Run is one run and what was seen in it.
type Run struct {
	Seed  int64     `json:"seed"`
	Trick lit.Trick `json:"trick"`
	Tone  lit.Tone  `json:"tone"`
	Lux   float64   `json:"lux"`
	Nits  float64   `json:"nits"`
	Large bool      `json:"large"` // a laptop's screen, at its distance
	Track idv.Track `json:"track"`
}

// Conditions that are drawn from.
var (
	luxes  = []float64{5, 20, 50, 150, 300, 500, 1000, 5000, 50000}
	screen = []float64{80, 200, 400, 600}
)

// frames of a run, about as many as a page sends.
const frames = 36

// Amounts says how much to make.
type Amounts struct {
	Genuine int
	Attacks int // of each trick
	Seed    int64
}

// Generate acts runs and appends what is seen in them to a file, a line each. Lines that it has are not made again.
func Generate(ctx context.Context, file string, x *biometric.FramesExtractor, o Amounts, progress func(done, total int)) error {
	known, err := Read(file)
	if err != nil {
		return err
	}
	f, err := os.OpenFile(file, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o644) //nolint:gosec // generated runs are public
	if err != nil {
		return fmt.Errorf("open the runs: %w", err)
	}
	total := max(o.Genuine, o.Attacks)
	for i := range total {
		seed := o.Seed + int64(i)
		var tricks []lit.Trick
		if i < o.Genuine {
			tricks = append(tricks, lit.Person)
		}
		if i < o.Attacks {
			tricks = append(tricks, lit.Tricks()...)
		}
		tricks = slices.DeleteFunc(tricks, func(k lit.Trick) bool {
			return slices.ContainsFunc(known, func(r Run) bool { return r.Seed == seed && r.Trick == k })
		})
		if len(tricks) > 0 {
			if err := one(ctx, f, x, seed, tricks); err != nil {
				return errors.Join(err, f.Close())
			}
		}
		progress(i+1, total)
	}
	return f.Close()
}

// Read reads a file that Generate wrote; none where there is no such file.
func Read(file string) ([]Run, error) {
	raw, err := os.ReadFile(file) //nolint:gosec // the operator's
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read the runs: %w", err)
	}
	var out []Run
	for line := range strings.Lines(string(raw)) {
		var r Run
		if err := json.Unmarshal([]byte(line), &r); err != nil {
			return nil, fmt.Errorf("line %d of the runs: %w", len(out)+1, err)
		}
		out = append(out, r)
	}
	return out, nil
}

// one acts a seed's run and lights it for each trick.
func one(ctx context.Context, f *os.File, x *biometric.FramesExtractor, seed int64, tricks []lit.Trick) error {
	var key [32]byte
	for i := range 8 {
		key[i] = byte(seed >> (8 * i))
	}
	random := rand.NewChaCha8(key)
	c, err := idv.DrawChallenge(random, false)
	if err != nil {
		return err
	}
	if c, err = c.WithLight(random); err != nil {
		return err
	}
	dice := rand.New(random)
	people := fixtures.Faces()
	acted, err := lit.New(people[int(seed)%len(people)], c, fixtures.Acting{Seed: seed, Frames: frames, Width: 360, Height: 480})
	if err != nil {
		return fmt.Errorf("act the run of seed %d: %w", seed, err)
	}
	for _, trick := range tricks {
		l, large := lightingOf(seed, trick, dice)
		if trick == lit.OtherColours {
			other, err := c.WithLight(dice2(key))
			if err != nil {
				return err
			}
			l.Shown = other.Light
		}
		track, err := look(ctx, x, c, acted, l)
		if err != nil {
			return fmt.Errorf("look at %q of seed %d: %w", trick, seed, err)
		}
		line, err := json.Marshal(Run{Seed: seed, Trick: trick, Tone: l.Tone, Lux: l.Lux, Nits: l.Nits, Large: large, Track: track})
		if err != nil {
			return fmt.Errorf("encode a run: %w", err)
		}
		if _, err := f.Write(append(line, '\n')); err != nil {
			return fmt.Errorf("write a run: %w", err)
		}
	}
	return nil
}

func dice2(key [32]byte) *rand.ChaCha8 {
	key[31] = 1
	return rand.NewChaCha8(key)
}

// lightingOf draws the light of a run. Tones, rooms and screens come in turn, so that each has as many runs; an attacker chooses a dim room and a
// bright screen.
func lightingOf(seed int64, trick lit.Trick, dice *rand.Rand) (lit.Lighting, bool) {
	n := int(seed)
	l := lit.Lighting{
		Seed: seed, Trick: trick, Tone: lit.Tones()[n%5], Lux: luxes[n%len(luxes)] * math.Exp(.3*dice.NormFloat64()),
		Nits: screen[n%len(screen)] * math.Exp(.1*dice.NormFloat64()), WaitMS: 60 + dice.IntN(200), Distance: .28 + .14*dice.Float64(),
	}
	large := dice.IntN(4) == 0
	if trick != lit.Person {
		l.Lux, l.Nits, large = 20+80*dice.Float64(), 400+200*dice.Float64(), false
	}
	if large { // a laptop
		l.Area, l.Distance = .045, .48+.15*dice.Float64()
	}
	return l, large
}

// look films a run, sends it as a browser would, and looks at it as the server does.
func look(ctx context.Context, x *biometric.FramesExtractor, c idv.Challenge, acted *lit.Run, l lit.Lighting) (idv.Track, error) {
	run := idv.FrameRun{Challenge: c, LightMS: acted.ShownMS()}
	quality := 78 + int(l.Seed%15)
	for _, t := range acted.Film(l) {
		jpeg, err := imaging.EncodeJPEG(t.Picture, quality)
		if err != nil {
			return idv.Track{}, err
		}
		run.Frames = append(run.Frames, idv.Frame{AtMS: t.AtMS, JPEG: jpeg})
	}
	t, err := x.Light(ctx, run)
	for i := range t.Frames {
		t.Frames[i].Marks = nil // of no use here, and most of the file
	}
	return t, err
}

// Tally is how often runs were matched, doubted or not seen.
type Tally struct {
	Matched int `json:"matched"`
	Unseen  int `json:"unseen"`
	Doubted int `json:"doubted"`
}

// Of is how many runs.
func (t Tally) Of() int { return t.Matched + t.Unseen + t.Doubted }

func (t *Tally) add(v liveness.LightVerdict) {
	switch v {
	case liveness.LightMatched:
		t.Matched++
	case liveness.LightDoubted:
		t.Doubted++
	default:
		t.Unseen++
	}
}

// Result is what was measured.
type Result struct {
	Genuine Tally                 `json:"genuine"`
	Unseen  bench.Rate            `json:"genuine_unseen"`
	Doubted bench.Rate            `json:"genuine_doubted"`
	ByTone  map[string]*Tally     `json:"genuine_by_tone"`
	ByLux   map[string]*Tally     `json:"genuine_by_lux"`
	ByNits  map[string]*Tally     `json:"genuine_by_nits"`
	ByView  map[string]*Tally     `json:"genuine_by_screen"`
	Usual   Tally                 `json:"genuine_indoors"` // 5 to 500 lux, a screen of 200 nits or more
	Attacks map[string]*Tally     `json:"attacks"`
	Passed  map[string]bench.Rate `json:"attacks_matched"`
	Signs   map[string]int        `json:"signs"`
}

// Judge judges runs by the thresholds of this version.
func Judge(runs []Run, th liveness.LightThresholds) *Result {
	r := &Result{
		ByTone: map[string]*Tally{}, ByLux: map[string]*Tally{}, ByNits: map[string]*Tally{}, ByView: map[string]*Tally{},
		Attacks: map[string]*Tally{}, Passed: map[string]bench.Rate{}, Signs: map[string]int{},
	}
	to := func(m map[string]*Tally, name string, v liveness.LightVerdict) {
		if m[name] == nil {
			m[name] = &Tally{}
		}
		m[name].add(v)
	}
	for _, run := range runs {
		verdict, sign := liveness.LightUnseen, liveness.LightSign("")
		if a, ran := liveness.MeasureLight(run.Track, th); ran {
			verdict, sign = liveness.JudgeLight(a, th)
		}
		name := "genuine"
		if run.Trick != lit.Person {
			name = string(run.Trick)
			to(r.Attacks, name, verdict)
		} else {
			r.Genuine.add(verdict)
			to(r.ByTone, string(run.Tone), verdict)
			to(r.ByLux, nearest(luxes, run.Lux)+" lux", verdict)
			to(r.ByNits, nearest(screen, run.Nits)+" nits", verdict)
			to(r.ByView, map[bool]string{false: "telephone", true: "laptop"}[run.Large], verdict)
			if run.Lux < 700 && run.Nits > 140 {
				r.Usual.add(verdict)
			}
		}
		if sign != "" {
			r.Signs[name+": "+string(sign)]++
		}
	}
	r.Unseen, r.Doubted = bench.RateOf(r.Genuine.Unseen, r.Genuine.Of()), bench.RateOf(r.Genuine.Doubted, r.Genuine.Of())
	for name, t := range r.Attacks {
		r.Passed[name] = bench.RateOf(t.Matched, t.Of())
	}
	return r
}

// nearest is the value on a list that v was drawn around.
func nearest(of []float64, v float64) string {
	best := of[0]
	for _, x := range of {
		if math.Abs(math.Log(x/v)) < math.Abs(math.Log(best/v)) {
			best = x
		}
	}
	return strconv.FormatFloat(best, 'f', -1, 64)
}

// Measured is the result as the program carries it.
func (r *Result) Measured(dataSet, command string, day time.Time) liveness.MeasuredLight {
	out := liveness.MeasuredLight{
		DataSet: dataSet, Command: command, Date: day.Format(time.DateOnly), Thresholds: liveness.Light().Thresholds,
		Unseen: count(r.Unseen), Doubted: count(r.Doubted), Passed: map[string]liveness.Count{},
	}
	for name, rate := range r.Passed {
		out.Passed[name] = count(rate)
	}
	return out
}

func count(r bench.Rate) liveness.Count { return liveness.Count{Count: r.Count, Of: r.Of} }
