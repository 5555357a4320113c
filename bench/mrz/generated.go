package mrz

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// savedEvery is after how many pictures a measurement is kept, to be continued from there.
const savedEvery = 20 * shotsEach

// Options say what is generated and measured.
type Options struct {
	First    int64 // seed of the first picture; each seed always gives the same picture
	Pictures int
	Trouble  string                 // the only thing that is hard about each picture; empty: by seed
	Kind     fixtures.Kind          // of every document; empty: by seed
	Capital  float64                // height of the smallest capitals in pixels, from which to twice as much is drawn; 0: 9 to 30
	Spoiled  bool                   // every document has wrong check digits, not one in twelve
	From     *Generated             // an earlier part of the same measurement, or nil
	Save     func(*Generated) error // called now and then with what is known so far, may be nil
	Failures *bench.Gallery         // keeps what was read wrongly, may be nil
	Whole    bool                   // read whole pages: what they print besides the zone has a say in what is verified
	Peer     *Tesseract             // reads the same pictures, one at a time, may be nil
	Progress func(done, total int)  // may be nil
}

// RunGenerated makes documents and pictures of them in memory and reads them, on all processors.
func RunGenerated(ctx context.Context, r *optical.Reader, o Options) (*Generated, error) {
	out := &Generated{First: o.First}
	if o.From != nil {
		if o.From.First != o.First {
			return nil, fmt.Errorf("bench mrz: the earlier part begins with seed %d, not %d", o.From.First, o.First)
		}
		out = o.From
		if err := out.lookAgain(ctx, r, o); err != nil {
			return nil, err
		}
	}
	out.open()
	for out.Pictures < o.Pictures && ctx.Err() == nil {
		first := o.First + int64(out.Pictures)
		n := min(savedEvery-int(first%savedEvery), o.Pictures-out.Pictures)
		if err := out.part(ctx, r, o, first, n); err != nil {
			return nil, err
		}
		out.Pictures += n
		out.summarize()
		if o.Save != nil {
			if err := o.Save(out); err != nil {
				return nil, err
			}
		}
	}
	out.summarize()
	return out, ctx.Err()
}

// part measures the pictures of a range of seeds: whole documents go to the next free worker.
func (g *Generated) part(ctx context.Context, r *optical.Reader, o Options, first int64, n int) error {
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	documents := make(chan [2]int64)
	var mu sync.Mutex
	var wg sync.WaitGroup
	done := g.Pictures
	workers := runtime.GOMAXPROCS(0)
	if o.Peer != nil {
		workers = 1 // processor time is that of the whole process
	}
	for range workers {
		wg.Go(func() {
			for d := range documents {
				err := eachShot(d[0], d[1], o, func(s shot) error {
					m, err := s.read(ctx, r, o.Whole)
					if err != nil {
						return err
					}
					mu.Lock()
					defer mu.Unlock()
					done++
					if o.Progress != nil {
						o.Progress(done, o.Pictures)
					}
					return g.add(ctx, o, s, m)
				})
				if err != nil {
					stop(err)
				}
			}
		})
	}
	for from := first; from < first+int64(n) && ctx.Err() == nil; {
		to := min(first+int64(n), (from/shotsEach+1)*shotsEach)
		documents <- [2]int64{from, to}
		from = to
	}
	close(documents)
	wg.Wait()
	return context.Cause(ctx)
}

// kind is that of a document, empty where chance has it.
func (o Options) kind(seed int64) fixtures.Kind {
	if o.Kind == "" && o.Trouble == frontOnly { // of those whose zone is on the back
		return []fixtures.Kind{fixtures.IDCard, fixtures.ResidencePermit}[seed%2]
	}
	return o.Kind
}

// eachShot draws one document and photographs it for every seed from the first to before the last.
func eachShot(from, to int64, o Options, see func(shot) error) error {
	d, err := newSpecimen(from/shotsEach, o.Spoiled, o.kind(from/shotsEach))
	if err != nil {
		return err
	}
	other := sync.OnceValues(func() (specimen, error) { return d.neighbour(from/shotsEach, o.Trouble) })
	for seed := from; seed < to; seed++ {
		s, err := newScene(seed, o.Trouble, o.Capital).shoot(seed, d, other)
		if err != nil {
			return err
		}
		if err := see(s); err != nil {
			return err
		}
	}
	return nil
}

// zoneIn reads a picture: the zone alone, or with the whole page.
func zoneIn(ctx context.Context, r *optical.Reader, img *imaging.Photo, whole bool) (*optical.ZoneOnly, error) {
	if !whole {
		return r.ReadZone(ctx, img)
	}
	page, err := r.Read(ctx, img)
	if err != nil || page.MRZ == nil {
		return nil, err
	}
	return &optical.ZoneOnly{
		Zone: page.MRZ, Upright: page.Upright,
		Several: slices.Contains(page.Quality.Reasons, problem.CaptureSeveralDocuments.Code),
	}, nil
}

// read opens the picture as any other and reads it.
func (s shot) read(ctx context.Context, r *optical.Reader, whole bool) (measured, error) {
	m := measured{miss: Miss{
		Seed: s.seed, Kind: string(s.page.Kind), Capital: s.capital, Trouble: append([]string{}, s.trouble...), Broken: s.page.broken,
		WrongAt: []string{}, SecondWrongAt: []string{},
	}}
	img, _, refused := imaging.Open(s.file, imaging.Limits{})
	if refused != nil {
		return m, fmt.Errorf("bench mrz: picture %d: %w", s.seed, refused)
	}
	start := bench.Processor()
	z, err := zoneIn(ctx, r, img, whole)
	if err != nil {
		return m, fmt.Errorf("bench mrz: picture %d: %w", s.seed, err)
	}
	m.spent = bench.Processor() - start
	if z == nil {
		return m, nil
	}
	want := s.page.Truth.Lines
	m.zone, m.quick, m.several = z, z.Quick, z.Several
	m.found, m.asRead, m.exact = true, slices.Equal(z.RawLines, want), slices.Equal(z.Lines, want)
	m.second, m.agree = slices.Equal(z.SecondLines, want), z.ReadersAgree
	m.valid, m.verified = z.CheckDigitsOK, z.Verified
	m.miss.Found, m.miss.Format, m.miss.Confidence = true, z.Format, z.Confidence
	m.miss.CheckDigitsOK, m.miss.ReadersAgree, m.miss.Verified = z.CheckDigitsOK, z.ReadersAgree, z.Verified
	m.miss.WrongAt, m.miss.SecondWrongAt = differences(want, z.Lines), differences(want, z.SecondLines)
	return m, nil
}

// add counts a picture, and keeps it where it was read wrongly.
func (g *Generated) add(ctx context.Context, o Options, s shot, m measured) error {
	g.count(s, m)
	if !m.exact && o.Failures != nil {
		if err := o.Failures.Add(s.failure(m), s.look(m)); err != nil {
			return err
		}
	}
	if o.Peer == nil {
		return nil
	}
	return o.Peer.read(ctx, s, m)
}

// mostAgain is how many pictures of an earlier part are read again to be kept: more than a gallery has room for.
const mostAgain = 16

// lookAgain keeps the failures of an earlier part: a gallery knows only what it was given in this run.
func (g *Generated) lookAgain(ctx context.Context, r *optical.Reader, o Options) error {
	if o.Failures == nil {
		return nil
	}
	for _, miss := range g.Misses[:min(len(g.Misses), mostAgain)] {
		err := eachShot(miss.Seed, miss.Seed+1, o, func(s shot) error {
			m, err := s.read(ctx, r, o.Whole)
			if err != nil || m.exact {
				return err
			}
			return o.Failures.Add(s.failure(m), s.look(m))
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// look is the part of the picture where it went wrong; where nothing was found, all of it.
func (s shot) look(m measured) *imaging.RGB {
	if m.found {
		return s.upright.Crop(s.zone)
	}
	return s.upright
}

// failure is what a person needs to look at a picture that was read wrongly.
func (s shot) failure(m measured) bench.Failure {
	f := bench.Failure{
		Name: fmt.Sprintf("mrz-%07d", s.seed), Want: s.page.Truth.Lines, Got: []string{},
		Notes: append([]string{fmt.Sprintf("capitals of %.1f pixels", s.capital)}, s.trouble...),
	}
	switch {
	case !m.found:
		f.What = "No machine-readable zone was found."
	case m.verified:
		f.What = "A wrong reading was called verified."
	case m.valid:
		f.What = "A wrong reading whose check digits pass; it was not verified."
	default:
		f.What = "Read wrongly at " + strings.Join(m.miss.WrongAt, ", ") + "; it was not verified."
	}
	if m.found {
		f.Got = m.zone.Lines
	}
	return f
}
