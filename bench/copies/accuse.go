package copies

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"runtime"
	"slices"
	"sync"
	"time"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// AccuseOptions say which genuine documents are photographed.
type AccuseOptions struct {
	Documents int
	Seed      int64           // of the first document
	Kinds     []fixtures.Kind // in turn; empty: every kind
	Lights    []Light         // in turn; empty: every light
	Within    time.Duration   // after which no document is begun; 0: no limit
	Progress  func(done, total int)
}

// Light is what the colours of a genuine page suffer.
type Light string

// The lights. They are those under which a page can be taken for one without colour.
const (
	Daylight Light = "daylight"      // or a lamp that the camera knows
	Tungsten Light = "tungsten"      // a warm lamp that the camera takes for daylight
	Pale     Light = "little colour" // half to four fifths of what specimens have, which have less than any real page here
)

// Lights lists them.
func Lights() []Light { return []Light{Daylight, Tungsten, Pale} }

type camera struct {
	weight int // of ten
	name   string
	of     func(seed int64) fixtures.Camera
	sensor bool // each site sees one colour
}

// cameras by which genuine pages are photographed, by chance: those with few pixels more often, since they cost less.
var cameras = []camera{
	{1, "phone 12 MP", fixtures.Phone, false},
	{3, "phone 3 MP", func(seed int64) fixtures.Camera { return fixtures.Phone(seed).At(2048, 1536) }, true},
	{2, "web camera", fixtures.WebCam, true},
	{1, "phone 5 MP", func(seed int64) fixtures.Camera { return fixtures.Phone(seed).At(2592, 1944) }, true},
	{3, "scanner", fixtures.Scan, false},
}

// Accuse photographs both sides of generated genuine documents and asks the checkers what they make of each page, where its corners
// really are. Three of four documents have a style of their own. Nothing is read.
func Accuse(ctx context.Context, r *optical.Reader, ask []idv.Checker, o AccuseOptions) (*Accusations, error) {
	if len(o.Kinds) == 0 {
		o.Kinds = fixtures.AllKinds()
	}
	if len(o.Lights) == 0 {
		o.Lights = Lights()
	}
	var (
		mu    sync.Mutex
		pages = make([][]Accused, o.Documents)
		errs  []error
		done  int
		wg    sync.WaitGroup
		next  = make(chan int)
	)
	for range runtime.GOMAXPROCS(0) {
		wg.Go(func() {
			for k := range next {
				got, err := o.document(ctx, r, ask, k)
				mu.Lock()
				pages[k], done, errs = got, done+1, append(errs, err)
				if o.Progress != nil {
					o.Progress(done, o.Documents)
				}
				mu.Unlock()
			}
		})
	}
	start := time.Now()
	for k := 0; k < o.Documents && ctx.Err() == nil && (o.Within == 0 || time.Since(start) < o.Within); k++ {
		next <- k
	}
	close(next)
	wg.Wait()
	if err := errors.Join(append(errs, ctx.Err())...); err != nil {
		return nil, fmt.Errorf("bench copies: %w", err)
	}
	return sumAccusations(slices.Concat(pages...)), nil
}

// document photographs the sides of one document. Kinds, cameras and lights take turns that do not keep step.
func (o AccuseOptions) document(ctx context.Context, r *optical.Reader, ask []idv.Checker, k int) ([]Accused, error) {
	seed, kind := o.Seed+int64(k), o.Kinds[k%len(o.Kinds)]
	chance := rand.New(rand.NewPCG(uint64(seed), 0xacc5)) //nolint:gosec // a seed
	choice := fixtures.Options{Quick: chance.IntN(8) > 0}
	if chance.IntN(4) > 0 {
		style := fixtures.StyleOf(seed)
		choice.Style = &style
	}
	doc, err := fixtures.NewDocument(kind, seed, choice)
	if err != nil {
		return nil, fmt.Errorf("document %d: %w", seed, err)
	}
	var out []Accused
	for i, page := range []*imaging.RGB{doc.Front(), doc.Back()} {
		if page == nil {
			continue
		}
		pick := chance.IntN(10)
		which := slices.IndexFunc(cameras, func(c camera) bool { pick -= c.weight; return pick < 0 })
		camera := cameras[which]
		light := o.Lights[chance.IntN(len(o.Lights))]
		at := camera.of(seed*2 + int64(i))
		switch light {
		case Tungsten:
			at.Warmth = 1 + 3*chance.Float64()
		case Pale:
			page = fixtures.Faded(page, .5+.3*chance.Float64())
		}
		photo, quad := fixtures.ShootQuick(page, at)
		if camera.sensor {
			photo = fixtures.Sensor(photo, at.Seed)
		}
		raw, err := imaging.EncodeJPEG(photo, 75+chance.IntN(21))
		if err != nil {
			return nil, err
		}
		seen, _, err := imaging.Open(raw, imaging.Limits{})
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", seed, err)
		}
		found, err := r.Signs(ctx, seen, quad, float64(page.W)/pixelsPerMM)
		if err != nil {
			return nil, fmt.Errorf("document %d: %w", seed, err)
		}
		a := Accused{File: fmt.Sprintf("%06d-%s-%s", seed, kind, sides[i]), Camera: camera.name, Light: light, Side: sides[i], Signs: found}
		if err := a.ask(ctx, ask); err != nil {
			return nil, err
		}
		out = append(out, a)
	}
	return out, nil
}

var sides = []idv.Side{idv.Front, idv.Back}
