// Package facegallery measures what searching faces in a gallery costs, and whether it misses any that a comparison one by one finds.
//
// A gallery of full size is made of templates that nobody's face gave: drawn along as many directions as make strangers as alike as those of
// the model, and marked as synthetic in the result. They are kept by the store that a server has, and read from it. Whether the scan and its
// rounding lose anybody is measured on templates of real pictures.
package facegallery

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/internal/gallery"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/modelcard"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/store/galleries"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Options say how much is measured.
type Options struct {
	Faces    int // in the gallery
	Searches int
	Erased   int // faces that are erased one by one
	Seed     uint64
	Dir      string      // for the database, which is left there and used again; a temporary folder if empty
	Real     [][]float32 // templates of real pictures, nil for none
}

// Took is how long something took, in seconds. The processor time of two cores counts twice; the wall clock runs on while others have them.
type Took struct {
	Processor float64 `json:"processor_s"`
	Wall      float64 `json:"wall_s"`
}

// Result is what a gallery costs.
type Result struct {
	Synthetic string          `json:"synthetic"` // what was invented
	Faces     int             `json:"faces"`
	Strangers Spread          `json:"strangers"`      // how alike two synthetic faces are
	Fill      *Took           `json:"fill,omitempty"` // to enrol all; nil where the database of an earlier run was used
	Database  int64           `json:"database_bytes"` // of the file
	Load      Took            `json:"load"`           // to read all into memory
	LoadPeak  int64           `json:"load_peak_bytes"`
	Resident  int64           `json:"resident_bytes"` // above what was there before, after the searches
	Searches  []Searched      `json:"searches"`
	Enrol     bench.Quantiles `json:"enrol_ms"` // one face, in a transaction of its own
	Erase     bench.Quantiles `json:"erase_ms"` // one face: row, memory
	Real      *Real           `json:"real,omitempty"`
}

// Spread is how alike strangers are.
type Spread struct {
	Mean  float64 `json:"mean"`
	Sigma float64 `json:"sigma"`
}

// Searched is how long searches from one similarity take, and whether people who are in the gallery are found.
type Searched struct {
	From      float64         `json:"from"`
	Processor bench.Quantiles `json:"processor_ms"`
	Wall      bench.Quantiles `json:"wall_ms"` // of the scan and of everything around it: the database is asked for changes, and whose a face is
	Found     bench.Rate      `json:"found"`   // of the searches with a face at 0.05 above, among the 64 most alike
	Crowded   int             `json:"crowded"` // of those, searches in which more than 64 were alike, so that a stranger may have been more so
}

// Real is what the scan finds on templates of real pictures, beside a comparison of all pairs without rounding.
type Real struct {
	Templates int        `json:"templates"`
	Strangers Spread     `json:"all_pairs"`
	Rounding  float64    `json:"largest_rounding"` // by which rounding to 8 bits changed a similarity
	Agrees    []Agreeing `json:"agrees"`
}

// Agreeing is how many of the pairs that are alike enough the scan found.
type Agreeing struct {
	From   float64    `json:"from"`
	Found  bench.Rate `json:"found"` // of the pairs that are more alike than From by more than rounding changes
	Beside int        `json:"more"`  // pairs that it found and that are less alike by more than that
}

// directions is along how many directions synthetic templates are drawn: strangers are then as alike as those of LFW (σ 0.124).
const directions = 65

// From are the similarities that searches begin at: those of a false match rate of 1e-4 and of 1e-5.
var From = []float64{0.412, 0.48}

// Run measures.
func Run(ctx context.Context, o Options, say func(string)) (r *Result, err error) {
	r = &Result{
		Synthetic: fmt.Sprintf("every face of the gallery is invented: drawn along %d directions, seed %d", directions, o.Seed), Faces: o.Faces,
	}
	if o.Real != nil {
		say("comparing all pairs of real templates")
		if r.Real, err = compare(o.Real); err != nil {
			return nil, err
		}
	}
	dir := o.Dir
	if dir == "" {
		if dir, err = os.MkdirTemp("", "bonafide-gallery-"); err != nil {
			return nil, err
		}
		defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	}
	b := &measured{options: o, dir: dir, result: r, say: say, drawer: newDrawer(o.Seed)}
	r.Strangers = spread(b.drawer)
	if err := b.open(ctx); err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	return r, b.run(ctx)
}

// measured is a measurement under way.
type measured struct {
	options Options
	dir     string
	result  *Result
	say     func(string)
	drawer  *drawer
	master  *vault.Master
	blobs   *vault.Blobs
	store   *store.Store
	flow    idv.WorkflowVersion
	filled  bool // by an earlier run
}

// model names what made the templates.
const model = "synthetic/1"

func (b *measured) open(ctx context.Context) (err error) {
	key := filepath.Join(b.dir, "master.key")
	_, missing := os.Stat(b.file())
	b.filled = missing == nil
	if _, err := vault.CreateMaster(key); err != nil {
		return err
	}
	if b.master, err = vault.OpenMaster("file:" + key); err != nil {
		return err
	}
	if b.blobs, err = vault.OpenBlobs(ctx, "file://"+filepath.Join(b.dir, "blobs")); err != nil {
		return err
	}
	if err := b.reopen(ctx); err != nil {
		return err
	}
	if err := b.store.Migrate(ctx); err != nil {
		return err
	}
	if err := b.store.SeedWorkflow(ctx, idv.DefaultWorkflow(idv.Test)); err != nil {
		return err
	}
	b.flow, err = b.store.WorkflowNamed(ctx, idv.Test, idv.WorkflowDefault)
	return err
}

func (b *measured) reopen(ctx context.Context) (err error) {
	if b.store != nil {
		if err := b.store.Close(); err != nil {
			return err
		}
	}
	b.store, err = store.Open(ctx, "sqlite:"+b.file(), store.Options{Master: b.master, Blobs: b.blobs, Log: slog.New(slog.DiscardHandler)})
	return err
}

func (b *measured) file() string { return filepath.Join(b.dir, "gallery.db") }

func (b *measured) close() error { return errors.Join(b.store.Close(), b.blobs.Close()) }

func (b *measured) run(ctx context.Context) error {
	if !b.filled {
		b.say(fmt.Sprintf("enrolling %d faces", b.options.Faces))
		fill, err := timed(func() error { return b.fill(ctx) })
		if err != nil {
			return err
		}
		b.result.Fill = &fill
	}
	if err := b.reopen(ctx); err != nil { // nothing of it is in memory
		return err
	}
	if info, err := os.Stat(b.file()); err == nil {
		b.result.Database = info.Size()
	}
	from := From[0]
	g := b.store.Galleries(func() galleries.Model { return galleries.Model{Name: model, Calibration: endless(from)} })
	base := bench.SettledMemory()
	b.say("reading them")
	peak := bench.WatchMemory()
	load, err := timed(func() error { return g.Load(ctx) })
	if err != nil {
		return err
	}
	b.result.Load, b.result.LoadPeak = load, peak()-base
	b.say("searching")
	for _, from = range From {
		one, err := b.search(ctx, g, from)
		if err != nil {
			return err
		}
		b.result.Searches = append(b.result.Searches, one)
	}
	b.result.Resident = bench.SettledMemory() - base
	b.say("enrolling and erasing one by one")
	return b.change(ctx, g)
}

// timed runs f and says how long it took.
func timed(f func() error) (Took, error) {
	processor, start := bench.Processor(), time.Now()
	err := f()
	return Took{Processor: (bench.Processor() - processor).Seconds(), Wall: time.Since(start).Seconds()}, err
}

// batch is how many faces are enrolled in a transaction.
const batch = 500

// fill enrols every face. The faces of the first are drawn again when they are searched for.
func (b *measured) fill(ctx context.Context) error {
	d := newDrawer(b.options.Seed)
	for done := 0; done < b.options.Faces; {
		n := min(batch, b.options.Faces-done)
		err := b.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
			for range n {
				if _, err := b.enrol(ctx, tx, d.next()); err != nil {
					return err
				}
			}
			return nil
		})
		if err != nil {
			return err
		}
		if done += n; done%50_000 == 0 {
			b.say(strconv.Itoa(done))
		}
	}
	return nil
}

func (b *measured) enrol(ctx context.Context, tx session.Tx, face []float32) (idv.SessionID, error) {
	now := b.store.Now()
	id, err := idv.NewID[idv.SessionID](now, b.store.Random)
	if err != nil {
		return "", err
	}
	rec := session.Record{
		Session:  idv.Session{ID: id, Mode: idv.Test, Workflow: b.flow.ID, State: idv.Approved, CreatedAt: now, LinkExpiresAt: now, Version: 1},
		LinkHash: string(id), TouchedAt: now,
	}
	if err := tx.AddSession(ctx, rec); err != nil {
		return "", err
	}
	return id, tx.EnrolFace(ctx, rec, idv.GallerySettings{}, session.FaceTemplate{Model: model, Values: face})
}

// search searches for strangers and, each second time, for somebody who is in the gallery: as a server does, through everything around it.
func (b *measured) search(ctx context.Context, g *galleries.Galleries, from float64) (Searched, error) {
	out, known, all, processor := Searched{From: from}, 0, 0, []float64{}
	enrolled, strangers, wall := newDrawer(b.options.Seed), newDrawer(b.options.Seed+1), []float64{}
	rec := session.Record{Session: idv.Session{ID: "ses_stranger", Mode: idv.Test}}
	for i := range b.options.Searches {
		face, mine := strangers.next(), i%2 == 1
		if mine {
			face = strangers.near(enrolled.next(), from+0.05)
		}
		used, start := bench.Processor(), time.Now()
		found, hits, err := g.SearchFaces(ctx, rec, idv.GallerySettings{}, session.FaceTemplate{Model: model, Values: face})
		wall, processor = append(wall, bench.Milliseconds(time.Since(start))), append(processor, bench.Milliseconds(bench.Processor()-used))
		if err != nil {
			return out, err
		}
		if found.Fault != "" && found.Unlooked == 0 {
			return out, fmt.Errorf("a search was not possible: %s", found.Fault)
		}
		if mine {
			all++
			if slices.ContainsFunc(hits, func(h session.FaceHit) bool { return math.Abs(h.Alike-from-0.05) < 0.005 }) {
				known++
			}
			if found.Unlooked > 0 {
				out.Crowded++
			}
		}
	}
	out.Wall, out.Processor, out.Found = bench.QuantilesOf(wall), bench.QuantilesOf(processor), bench.RateOf(known, all)
	return out, nil
}

// change enrols faces one by one, has them read, and erases them.
func (b *measured) change(ctx context.Context, g *galleries.Galleries) error {
	var enrol, erase []float64
	for range b.options.Erased {
		var id idv.SessionID
		start := time.Now()
		err := b.store.InTx(ctx, func(ctx context.Context, tx session.Tx) (err error) {
			id, err = b.enrol(ctx, tx, b.drawer.next())
			return err
		})
		if err != nil {
			return err
		}
		enrol = append(enrol, bench.Milliseconds(time.Since(start)))
		if err := g.Load(ctx); err != nil {
			return err
		}
		start = time.Now()
		err = b.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
			_, err := tx.DropFace(ctx, id)
			return err
		})
		if err := errors.Join(err, g.ForgetFaces(ctx)); err != nil {
			return err
		}
		erase = append(erase, bench.Milliseconds(time.Since(start)))
	}
	b.result.Enrol, b.result.Erase = bench.QuantilesOf(enrol), bench.QuantilesOf(erase)
	return nil
}

// endless is a curve by which a face counts by itself from a similarity, however many there are: the cost of searching is to be measured,
// not whether a model carries it.
func endless(from float64) *modelcard.Calibration {
	const pairs = 1 << 50
	return &modelcard.Calibration{Points: []modelcard.Point{
		{Threshold: from - 1e-6, FMR: 1, Genuine: 1, Impostors: pairs}, {Threshold: from, FMR: 1e-13, Genuine: 1, Impostors: pairs},
	}}
}

// drawer draws synthetic templates.
type drawer struct {
	random *rand.Rand
	basis  [directions][]float32
}

func newDrawer(seed uint64) *drawer {
	d := &drawer{random: rand.New(rand.NewPCG(24, 24))} //nolint:gosec // the directions are the same for every seed
	for i := range d.basis {
		d.basis[i] = d.noise()
	}
	d.random = rand.New(rand.NewPCG(seed, 1)) //nolint:gosec // the same seed gives the same faces
	return d
}

func (d *drawer) noise() []float32 {
	out := make([]float32, gallery.Length)
	for i := range out {
		out[i] = float32(d.random.NormFloat64())
	}
	return unit(out)
}

func (d *drawer) next() []float32 {
	out := make([]float32, gallery.Length)
	for _, direction := range d.basis {
		w := float32(d.random.NormFloat64())
		for i, v := range direction {
			out[i] += w * v
		}
	}
	return unit(out)
}

// near draws a face at a similarity to another.
func (d *drawer) near(of []float32, similarity float64) []float32 {
	other := d.next()
	along := float32(cosine(of, other))
	for i := range other {
		other[i] -= along * of[i]
	}
	unit(other)
	for i := range other {
		other[i] = float32(similarity)*of[i] + float32(math.Sqrt(1-similarity*similarity))*other[i]
	}
	return unit(other)
}

func cosine(a, b []float32) float64 {
	b = b[:len(a)]
	var s0, s1, s2, s3 float32
	for i := 0; i+3 < len(a); i += 4 {
		s0, s1, s2, s3 = s0+a[i]*b[i], s1+a[i+1]*b[i+1], s2+a[i+2]*b[i+2], s3+a[i+3]*b[i+3]
	}
	return float64(s0) + float64(s1) + float64(s2) + float64(s3)
}

func unit(v []float32) []float32 {
	n := math.Sqrt(cosine(v, v))
	for i := range v {
		v[i] = float32(float64(v[i]) / n)
	}
	return v
}

// spreadPairs is how many pairs of synthetic faces are compared for their spread.
const spreadPairs = 20_000

func spread(d *drawer) Spread {
	var all []float64
	for range spreadPairs {
		all = append(all, cosine(d.next(), d.next()))
	}
	return spreadOf(all)
}

func spreadOf(all []float64) Spread {
	var sum, squares float64
	for _, v := range all {
		sum, squares = sum+v, squares+v*v
	}
	n := float64(len(all))
	return Spread{Mean: sum / n, Sigma: math.Sqrt(squares/n - sum/n*sum/n)}
}
