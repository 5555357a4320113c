package biometric

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/bonafide-id/bonafide/internal/face"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// How much of a run is looked at how closely. Detection and mesh see every frame; the costly ones a few.
const (
	frameLongest  = 640 // longest side, pixels, at which a frame is looked at
	mostTemplates = 36  // frames, evenly over the run, whose templates are compared with each other, beside those of Proofs
	mostAtRest    = 7   // of these, frames that are compared with the straightest one
	mostPassive   = 3   // frames that are asked for the passive signal
	templateTurn  = 28. // degrees from how the head is mostly held, beyond which a face is not at rest
)

// frameLimits bounds one frame of a run.
var frameLimits = imaging.Limits{MaxBytes: idv.MostFrameBytes, MaxPixels: idv.MostFramePixels}

// FramesExtractor settles what a run of frames yields.
type FramesExtractor struct {
	still *Extractor
}

// NewFramesExtractor returns an extractor that looks with the given engine.
func NewFramesExtractor(faces *face.Engine, o Options) *FramesExtractor {
	return &FramesExtractor{still: NewExtractor(faces, o)}
}

// Reads runs of frames.
func (*FramesExtractor) Reads() []idv.CaptureKind { return []idv.CaptureKind{idv.Frames} }

// Yields the face of the straightest frame and its template, the track along the run, and a digest of each frame.
func (*FramesExtractor) Yields() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactSelfie, idv.ArtifactSelfieTemplate, idv.ArtifactTrack, idv.ArtifactFrameDigests}
}

// glimpse is one frame as far as it is kept: the measures, two small grey pictures, and the face.
type glimpse struct {
	idv.TrackFrame
	thumb   *imaging.Gray // averaged, thumbWidth wide
	fine    *imaging.Gray // not averaged, so that its noise is the camera's
	aligned *imaging.RGB  // the largest face, set upright
	mesh    *face.Mesh    // in pixels of the frame as it was looked at
	view    *imaging.Gray // averaged, half the size of that
	tints   tints         // where the challenge has light
	sharp   *imaging.Gray // the frame where its face is small (smallFace), else nil
}

// Extract looks at every frame. A run that cannot be opened settles everything as absent for liveness.challenge_missed;
// frames that cannot be opened are faults of the track. Without a frame of one face the selfie is absent for
// capture.no_face or capture.several_faces. An error means that the run could not be looked at.
func (x *FramesExtractor) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	start := x.still.options.now()
	run := opened(c.Bytes)
	if len(run.Frames) == 0 {
		return idv.Extraction{Artifacts: x.unopened(c)}, nil
	}
	var seen []glimpse
	var sizes int
	err := trace.Part(ctx, "look at frames", func(ctx context.Context) (err error) {
		seen, sizes, err = x.look(ctx, run)
		return err
	})
	if err != nil {
		return idv.Extraction{}, err
	}
	looked := x.still.options.now()
	turn(seen)
	off := away(seen)
	best := straightest(off)
	out := idv.Extraction{}
	if out.Artifacts, err = x.selfie(ctx, c, run, seen, best); err != nil {
		return idv.Extraction{}, err
	}
	t := x.trackOf(run, seen, sizes)
	var templates []idv.FrameTemplate
	err = trace.Part(ctx, "compare frames", func(ctx context.Context) (err error) {
		templates, err = x.compare(ctx, &t, seen, off, best)
		return err
	})
	if err != nil {
		return idv.Extraction{}, err
	}
	if err := addFrames(out.Artifacts, templates); err != nil {
		return idv.Extraction{}, err
	}
	err = trace.Part(ctx, "passive liveness", func(ctx context.Context) error {
		return x.passive(ctx, run, &t, spread(off, mostPassive, best))
	})
	if err != nil {
		return idv.Extraction{}, err
	}
	t.Cost = x.still.options.now().Sub(start)
	out.Timings = map[string]time.Duration{"frames": looked.Sub(start), "run": t.Cost}
	track, err := idv.PresentArtifact(idv.ArtifactTrack, c, t)
	if err != nil {
		return idv.Extraction{}, err
	}
	digests, err := idv.PresentArtifact(idv.ArtifactFrameDigests, c, digestsOf(seen))
	if err != nil {
		return idv.Extraction{}, err
	}
	out.Artifacts = append(out.Artifacts, x.still.signed(track, digests)...)
	return out, nil
}

// opened is the run in a capture; one without frames where there is none.
func opened(b []byte) idv.FrameRun {
	run, err := idv.OpenFrames(b)
	if err != nil {
		return idv.FrameRun{}
	}
	return run
}

// unopened settles everything for a run that is none.
func (x *FramesExtractor) unopened(c idv.Capture) []idv.Artifact {
	var out []idv.Artifact
	for _, k := range x.Yields() {
		out = append(out, idv.AbsentArtifact(k, c, problem.LivenessChallengeMissed.Code))
	}
	return x.still.signed(out...)
}

// trackOf is what is kept of the glimpses.
func (x *FramesExtractor) trackOf(run idv.FrameRun, seen []glimpse, sizes int) idv.Track {
	t := idv.Track{
		Challenge: run.Challenge, WindowMS: run.ReceivedAt.Sub(run.IssuedAt).Milliseconds(), Camera: run.Camera, Sizes: sizes,
		Models: trackModels(x.still.faces), Pairs: pairs(seen), Repeats: repeats(seen), Stills: stills(seen), Blends: blends(seen),
	}
	for _, g := range seen {
		t.Frames = append(t.Frames, g.TrackFrame)
	}
	head := headMotion(seen)
	t.Head = &head
	if len(run.Challenge.Light) > 0 {
		t.LightMS, t.Light = run.LightMS, lightOf(seen)
	}
	return t
}

// trackModels are the models that a run is looked at by.
func trackModels(faces *face.Engine) []idv.ModelRef {
	var out []idv.ModelRef
	for _, name := range []string{face.DetectModel, face.MeshModel, face.TemplateModel, face.LivenessModel} {
		out = append(out, refOf(faces.Card(name)))
	}
	return out
}

// sideBySide is how many frames of a run are looked at at the same time: somebody waits for the verdict.
const sideBySide = 2

// look measures every frame and counts the different sizes.
func (x *FramesExtractor) look(ctx context.Context, run idv.FrameRun) ([]glimpse, int, error) {
	seen := make([]glimpse, len(run.Frames))
	sizes := make([][2]int, len(run.Frames))
	err := each(ctx, len(seen), func(ctx context.Context, i int) error {
		photo, _, err := imaging.Open(run.Frames[i].JPEG, frameLimits)
		seen[i].AtMS = run.Frames[i].AtMS
		if known, ok := problem.As(err); ok {
			seen[i].Fault = known.Kind.Code
			return nil
		}
		if err != nil {
			return fmt.Errorf("open frame %d: %w", i, err)
		}
		sizes[i] = [2]int{photo.W, photo.H}
		p, _ := photo.Fit(frameLongest)
		if err := x.lookAt(ctx, p, &seen[i]); err != nil {
			return fmt.Errorf("look at frame %d: %w", i, err)
		}
		if len(run.Challenge.Light) > 0 {
			seen[i].tints = tintsOf(p, &seen[i])
		}
		return nil
	})
	different := map[[2]int]bool{}
	for _, s := range sizes {
		if s[0] > 0 {
			different[s] = true
		}
	}
	return seen, len(different), err
}

// each does something for 0 to n−1, a few side by side, and answers the first error.
func each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(sideBySide)
	for i := range n {
		g.Go(func() error { return do(ctx, i) })
	}
	return g.Wait() //nolint:wrapcheck // it is do's own
}

func (x *FramesExtractor) lookAt(ctx context.Context, p *imaging.RGB, g *glimpse) error {
	faces := x.still.faces
	g.Aspect = float64(p.H) / float64(p.W)
	grey := p.Gray()
	g.thumb, g.fine = thumbOf(grey), fineOf(grey)
	found, err := faces.DetectNear(ctx, p)
	if err != nil {
		return err
	}
	g.Faces = people(found)
	f, ok := face.Largest(found)
	if !ok {
		return nil
	}
	g.Box = idv.Box{X: f.Box.X, Y: f.Box.Y, Width: f.Box.W, Height: f.Box.H}
	mesh, _, err := faces.Mesh(ctx, p, f)
	if err != nil {
		return err
	}
	for _, m := range mesh.Marks() {
		g.Marks = append(g.Marks, int(math.Round(m.X/float64(p.W)*1e4)), int(math.Round(m.Y/float64(p.W)*1e4)))
	}
	g.mesh, g.view = &mesh, grey.Resize(max(1, p.W/2), max(1, p.H/2))
	if cornersApart(&mesh) < smallFace {
		g.sharp = grey
	}
	angle, _ := mesh.EyeLine()
	g.Roll, g.aligned = angle*180/math.Pi, face.Align(p, &mesh)
	return nil
}

// turn says of each frame how far the head is turned from how it is mostly held: by the nose, which a
// photograph does not move (docs/decisions/0010).
func turn(seen []glimpse) {
	var side, nod []float64
	reliefs := make([]*liveness.Relief, len(seen))
	for i, g := range seen {
		if r, ok := liveness.ReliefOf(g.Marks); ok {
			reliefs[i] = &r
			if g.Fault == "" && g.Faces == 1 {
				side, nod = append(side, r.Side), append(nod, r.Nod)
			}
		}
	}
	if len(side) == 0 {
		return
	}
	slices.Sort(side)
	slices.Sort(nod)
	for i, r := range reliefs {
		if r != nil {
			seen[i].Yaw, seen[i].Pitch = r.Degrees(side[len(side)/2], nod[len(nod)/2])
		}
	}
}

// away is how far each frame with one face is from how the head is mostly held, in degrees; infinite for the others. A
// head that looks down at a phone is held straight all the same.
func away(seen []glimpse) []float64 {
	out := make([]float64, len(seen))
	for i, g := range seen {
		out[i] = math.Inf(1)
		if g.Fault == "" && g.Faces == 1 && g.aligned != nil {
			out[i] = math.Hypot(g.Yaw, 1.6*g.Pitch)
		}
	}
	return out
}

// straightest is the frame that is nearest to how the head is mostly held, −1 where no frame has one face.
func straightest(off []float64) int {
	best := -1
	for i, d := range off {
		if !math.IsInf(d, 1) && (best < 0 || d < off[best]) {
			best = i
		}
	}
	return best
}

// selfie settles face and template by the straightest frame, at the size in which it was sent.
func (x *FramesExtractor) selfie(ctx context.Context, c idv.Capture, run idv.FrameRun, seen []glimpse, best int) ([]idv.Artifact, error) {
	if best < 0 {
		code := problem.CaptureNoFace.Code
		for _, g := range seen {
			if g.Faces > 1 {
				code = problem.CaptureSeveralFaces.Code
			}
		}
		return x.still.signed(idv.AbsentArtifact(idv.ArtifactSelfie, c, code), idv.AbsentArtifact(idv.ArtifactSelfieTemplate, c, code)), nil
	}
	p, f, err := x.again(ctx, run.Frames[best])
	if err != nil {
		return nil, err
	}
	return x.still.describe(ctx, c, p, f, 0, &best)
}

// again opens a frame once more and finds its face.
func (x *FramesExtractor) again(ctx context.Context, f idv.Frame) (*imaging.RGB, face.Face, error) {
	p, _, err := imaging.Decode(f.JPEG, frameLimits)
	if err != nil {
		return nil, face.Face{}, fmt.Errorf("open a frame again: %w", err)
	}
	small, scale := p.Fit(frameLongest)
	found, err := x.still.faces.DetectNear(ctx, small)
	if err != nil {
		return nil, face.Face{}, err
	}
	at, ok := face.Largest(found)
	if !ok {
		return nil, face.Face{}, errors.New("the face that was seen is not seen again")
	}
	b := &at.Pixel
	*b = face.Box{X: b.X / scale, Y: b.Y / scale, W: b.W / scale, H: b.H / scale}
	return p, at, nil
}

// compare asks how like each other the faces are: along the run each with each, at rest and in each movement with the
// straightest one. It returns the templates of the frames that it looked at but for the straightest one.
func (x *FramesExtractor) compare(ctx context.Context, t *idv.Track, seen []glimpse, off []float64, best int) ([]idv.FrameTemplate, error) {
	if best < 0 {
		return nil, nil
	}
	atRest := spread(off, mostAtRest, best)
	closely := slices.Concat(atRest, liveness.Proofs(*t, liveness.Calibration().Thresholds))
	all := slices.Concat(closely, evenly(off, mostTemplates), []int{best})
	slices.Sort(all)
	all = slices.Compact(all)
	found := make([][]float32, len(all))
	err := each(ctx, len(all), func(ctx context.Context, k int) (err error) {
		if found[k], err = x.still.faces.Template(ctx, seen[all[k]].aligned); err != nil {
			return fmt.Errorf("template of frame %d: %w", all[k], err)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	t.Alike.Frames = all
	templates := map[int][]float32{}
	var packed []idv.FrameTemplate
	for k, i := range all {
		templates[i] = found[k]
		if i != best {
			one := idv.PackTemplate(i, found[k])
			one.AtRest = slices.Contains(atRest, i)
			packed = append(packed, one)
		}
		for _, earlier := range found[:k] {
			t.Alike.Cosines = append(t.Alike.Cosines, math.Round(1000*face.Similarity(found[k], earlier))/1000)
		}
	}
	for _, i := range closely {
		likeness := face.Similarity(templates[best], templates[i])
		t.Frames[i].Likeness = &likeness
	}
	return packed, nil
}

// addFrames adds the templates of the other frames to that of the selfie, if there is one.
func addFrames(artifacts []idv.Artifact, templates []idv.FrameTemplate) error {
	for i, a := range artifacts {
		if a.Kind != idv.ArtifactSelfieTemplate || !a.Present {
			continue
		}
		t, err := idv.ValueOf[idv.Template](a)
		if err != nil {
			return err
		}
		t.Frames = templates
		if artifacts[i].Data, err = json.Marshal(t); err != nil {
			return fmt.Errorf("keep the templates: %w", err)
		}
	}
	return nil
}

// passive asks some frames for the passive signal. It decides nothing, so that its absence does not stop anything.
func (x *FramesExtractor) passive(ctx context.Context, run idv.FrameRun, t *idv.Track, frames []int) error {
	for _, i := range frames {
		p, f, err := x.again(ctx, run.Frames[i])
		if err != nil {
			return err
		}
		if l, err := x.still.faces.Liveness(ctx, p, f); err == nil {
			t.Frames[i].Passive = &l
		} else if ctx.Err() != nil {
			return ctx.Err()
		}
	}
	return nil
}

// evenly picks at most n of the frames with one face.
func evenly(off []float64, n int) []int {
	var fit []int
	for i, d := range off {
		if !math.IsInf(d, 1) {
			fit = append(fit, i)
		}
	}
	return thinned(fit, n)
}

// spread picks at most n frames that are straight enough, evenly over the run, without the one.
func spread(off []float64, n, without int) []int {
	var fit []int
	for i, d := range off {
		if i != without && d <= templateTurn {
			fit = append(fit, i)
		}
	}
	return thinned(fit, n)
}

// thinned leaves n of many, the first and the last among them.
func thinned(of []int, n int) []int {
	if len(of) <= n {
		return of
	}
	out := make([]int, n)
	for k := range out {
		out[k] = of[k*(len(of)-1)/(n-1)]
	}
	return out
}
