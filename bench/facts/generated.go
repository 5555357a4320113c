package facts

import (
	"context"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"runtime"
	"sync"

	"github.com/bonafide-id/bonafide/bench"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/optical"
)

// Options say what is generated and measured.
type Options struct {
	Documents int
	Seed      int64           // of the first document
	Kinds     []fixtures.Kind // in turn; empty: every kind
	Plain     bool            // in the one look that a kind has of its own, not each in a style of its own
	Strange   bool            // of unknown layouts, every kind in turn
	Camera    string          // phone, scan, small or flat
	Quality   int             // of the JPEG, 0: 88
	Peer      bool            // Tesseract on the same pictures
	Lines     string          // a file that the recognised lines are written to; empty: none
	Failures  *bench.Gallery  // keeps pictures whose facts were read wrongly, may be nil
	Progress  func(done, total int)
}

// Generated makes documents and pictures of both their sides in memory and reads them.
func Generated(ctx context.Context, r *optical.Reader, o Options) (*Result, error) {
	if len(o.Kinds) == 0 {
		o.Kinds = fixtures.AllKinds()
	}
	if o.Quality == 0 {
		o.Quality = 88
	}
	var (
		mu       sync.Mutex
		readings = make([][]reading, o.Documents)
		failed   error
		done     int
		wg       sync.WaitGroup
		next     = make(chan int)
	)
	workers := runtime.GOMAXPROCS(0)
	if o.Peer {
		workers = 1 // processor time is that of the whole process
	}
	for range workers {
		wg.Go(func() {
			for k := range next {
				read, err := o.document(ctx, r, k, &mu)
				mu.Lock()
				readings[k], done = read, done+1
				if err != nil && failed == nil {
					failed = err
				}
				if o.Progress != nil {
					o.Progress(done, o.Documents)
				}
				mu.Unlock()
			}
		})
	}
	for k := 0; k < o.Documents && ctx.Err() == nil; k++ {
		next <- k
	}
	close(next)
	wg.Wait()
	if failed != nil || ctx.Err() != nil {
		return nil, fmt.Errorf("bench facts: %w", firstOf(failed, ctx.Err()))
	}
	var all []reading
	for _, read := range readings {
		all = append(all, read...)
	}
	if o.Lines != "" {
		if err := writeLines(o.Lines, all); err != nil {
			return nil, err
		}
	}
	return summarize(all), nil
}

func firstOf(errs ...error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// shot is a picture that was taken, with what it shows.
type shot struct {
	reading
	raw []byte
}

// document draws one document and reads its sides.
func (o Options) document(ctx context.Context, r *optical.Reader, k int, mu *sync.Mutex) ([]reading, error) {
	take := o.known
	if o.Strange {
		take = o.strange
	}
	shots, err := take(k)
	if err != nil {
		return nil, err
	}
	var out []reading
	for _, s := range shots {
		if err := s.read(ctx, r, s.raw, looks{o.Peer, o.Lines != ""}); err != nil {
			return nil, err
		}
		if err := o.saveFailure(s.reading, s.raw, mu); err != nil {
			return nil, err
		}
		out = append(out, s.reading)
	}
	return out, nil
}

// known takes pictures of both sides of a document of a layout that the reader's tables describe.
func (o Options) known(k int) ([]shot, error) {
	seed, kind := o.Seed+int64(k), o.Kinds[k%len(o.Kinds)]
	choice := fixtures.Options{}
	if !o.Plain {
		style := fixtures.StyleOf(seed)
		choice.Style = &style
	}
	doc, err := fixtures.NewDocument(kind, seed, choice)
	if err != nil {
		return nil, fmt.Errorf("document %d: %w", seed, err)
	}
	var out []shot
	for _, side := range []struct {
		name  string
		page  *imaging.RGB
		truth []fixtures.Claim
		seed  int64
	}{{"front", doc.Front(), doc.Truth.Front, seed}, {"back", doc.Back(), doc.Truth.Back, seed + 1<<32}} {
		if side.page == nil {
			continue
		}
		s, err := o.shot(fmt.Sprintf("%s-%06d-%s", kind, seed, side.name), o.taken(side.page, side.seed), side.truth)
		if err != nil {
			return nil, err
		}
		s.group, s.layout = string(kind), KnownLayout
		if !isBack(s.picture) {
			s.wantKind, s.wantIssuer = idv.DocumentKind(doc.Truth.Kind), doc.Truth.Issuer
		}
		out = append(out, s)
	}
	return out, nil
}

// shot is a picture as a camera stores it.
func (o Options) shot(name string, picture *imaging.RGB, truth []fixtures.Claim) (shot, error) {
	quality := o.Quality
	if o.Camera == small {
		picture, quality = shrunk(name, picture)
	}
	raw, err := fixtures.JPEG(picture, quality, 1)
	if err != nil {
		return shot{}, err
	}
	s := shot{reading: reading{picture: name, camera: o.Camera}, raw: raw}
	for _, t := range truth {
		s.truth = append(s.truth, Truth{t.Name, t.Value, t.Printed})
	}
	return s, nil
}

// small is the camera of a scan that was made smaller and stored in fewer bytes, as specimens on web pages and pictures sent by
// messengers are.
const small = "small"

// shrunk is a small picture, 560 to 1 000 pixels on its longer side, and the quality of its JPEG, 60 to 90, both by its name.
func shrunk(name string, picture *imaging.RGB) (*imaging.RGB, int) {
	h := fnv.New64a()
	h.Write([]byte(name))
	rng := rand.New(rand.NewPCG(h.Sum64(), 0x5a11))
	out, _ := picture.Fit(560 + rng.IntN(441))
	return out, 60 + rng.IntN(31)
}

// taken is a page as the camera sees it.
func (o Options) taken(page *imaging.RGB, seed int64) *imaging.RGB {
	if cam, moved := o.camera(seed); moved {
		page, _ = fixtures.Shoot(page, cam)
	}
	return page
}

// camera is the one that takes a picture; false where the page itself is the picture.
func (o Options) camera(seed int64) (fixtures.Camera, bool) {
	switch o.Camera {
	case "flat":
		return fixtures.Camera{}, false
	case "scan", small:
		return fixtures.Scan(seed), true
	}
	return fixtures.Phone(seed), true
}

// looks say what is wanted of a picture beside its facts.
type looks struct {
	peer  bool // what another reader says
	lines bool // what the recogniser held possible
}

// read reads a picture with our reader and, if asked, with the peer.
func (x *reading) read(ctx context.Context, r *optical.Reader, raw []byte, also looks) error {
	start := bench.Processor()
	img, _, err := imaging.Open(raw, imaging.Limits{})
	if err != nil {
		return fmt.Errorf("%s: %w", x.picture, err)
	}
	page, got, err := readPage(ctx, r, img, also.lines)
	if err != nil {
		return fmt.Errorf("%s: %w", x.picture, err)
	}
	x.cpu = bench.Milliseconds(bench.Processor() - start)
	x.claims, x.filled, x.kind, x.issuer, x.good = page.Claims, page.Filled, page.Kind, page.Issuer, len(page.Quality.Reasons) == 0
	x.print, x.zone = page.Print, page.MRZ != nil
	if also.lines {
		c := cachedOf(*x, got, faceOf(page))
		x.cached = &c
	}
	if !also.peer {
		return nil
	}
	return x.readPeer(ctx, raw, page)
}

// readPage reads a picture, its lines as the recogniser saw them only if asked.
func readPage(ctx context.Context, r *optical.Reader, img *imaging.Photo, lines bool) (optical.Page, optical.Recognised, error) {
	if lines {
		return r.Recognise(ctx, img)
	}
	page, err := r.Read(ctx, img)
	return page, optical.Recognised{}, err
}

func faceOf(p optical.Page) *idv.Box {
	if p.Portrait == nil {
		return nil
	}
	b := p.Portrait.Face.Box
	return &idv.Box{X: b.X, Y: b.Y, Width: b.W, Height: b.H}
}

// saveFailure shows a picture whose facts were not read exactly to people.
func (o Options) saveFailure(x reading, raw []byte, mu *sync.Mutex) error {
	s := judge(x, x.claims, x.filled)
	if o.Failures == nil || len(s.misses) == 0 {
		return nil
	}
	img, _, err := imaging.Decode(raw, imaging.Limits{})
	if err != nil {
		return err
	}
	f := bench.Failure{Name: "facts-" + x.picture, What: "Facts were not read as they are printed.", Want: []string{}, Got: []string{}, Notes: []string{}}
	for _, m := range s.misses {
		f.Want = append(f.Want, string(m.Fact)+" "+m.Want)
		f.Got = append(f.Got, string(m.Fact)+" "+m.Got)
	}
	mu.Lock()
	defer mu.Unlock()
	return o.Failures.Add(f, img)
}

// printedOnly are the claims of a page that its print states.
func printedOnly(all []idv.Claim) []idv.Claim {
	var out []idv.Claim
	for _, c := range all {
		if c.Source == idv.FromPrinted {
			out = append(out, c)
		}
	}
	return out
}
