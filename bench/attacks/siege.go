package attacks

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/fixtures/puppet"
	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// siege is what happens to one victim. It is not safe for concurrent use.
type siege struct {
	program Program
	find    Finder
	options Options

	prepared
	seed int64 // whose victim is prepared
}

// prepared is a victim as the rows of a seed need it.
type prepared struct {
	victim   *Victim
	document []idv.Artifact
	selfie   puppet.Stolen
	portrait puppet.Stolen
}

// today is the day on which documents are shown; they are valid on it.
var today = time.Date(2026, 6, 1, 12, 0, 0, 0, time.UTC)

func (s *siege) measure(ctx context.Context, t task) (Case, error) {
	c := Case{Seed: t.seed, Row: t.row, Tries: 1}
	if s.victim == nil || s.seed != t.seed {
		if err := s.open(ctx, t.seed); err != nil {
			return c, err
		}
		s.seed = t.seed
	}
	switch t.row {
	case Adaptive:
		return s.adapt(ctx, c)
	case PortraitAsSelfie:
		var err error
		c.Outcome, c.Reasons, err = s.sendPortrait(ctx, t.seed)
		return c, err
	}
	challenge, err := drawn(t.seed, 0)
	if err != nil {
		return c, err
	}
	takes, err := s.film(ctx, t, challenge)
	if err != nil {
		return c, err
	}
	quality := 78 + int(t.seed%15)
	if t.row == GenuinePoor || t.row == GenuineSmall {
		quality -= 40
	}
	c.Outcome, c.Reasons, err = s.send(ctx, challenge, takes, quality)
	return c, err
}

// drawn is the challenge of a seed's n-th try.
func drawn(seed, n int64) (idv.Challenge, error) {
	var key [32]byte
	for i := range 8 {
		key[i], key[8+i] = byte(seed>>(8*i)), byte(n>>(8*i))
	}
	return idv.DrawChallenge(rand.NewChaCha8(key), false)
}

// open prepares the victim: what the document yields and where the faces of the stolen pictures are.
func (s *siege) open(ctx context.Context, seed int64) error {
	v, err := s.options.Victims(seed)
	if err != nil {
		return err
	}
	found, err := s.program.Extract(ctx, capture(idv.StepDocumentFront, idv.DocumentImage, v.Document))
	if err != nil {
		return fmt.Errorf("read the document: %w", err)
	}
	out := prepared{victim: v, document: found.Artifacts}
	if out.selfie, err = s.stolen(ctx, v.Selfie); err != nil {
		return err
	}
	if out.portrait, err = s.stolen(ctx, v.Portrait); err != nil {
		return err
	}
	s.prepared = out
	return nil
}

func capture(step idv.Step, kind idv.CaptureKind, raw []byte) idv.Capture {
	_, side, _ := step.KindOf()
	sum := sha256.Sum256(raw)
	return idv.Capture{
		ID: idv.CaptureID(step), Step: step, Side: side, Kind: kind, SHA256: idv.Digest(hex.EncodeToString(sum[:])), Size: int64(len(raw)),
		CreatedAt: today, Bytes: raw,
	}
}

func (s *siege) stolen(ctx context.Context, p *imaging.RGB) (puppet.Stolen, error) {
	m, ok, err := s.find(ctx, p)
	if err == nil && !ok {
		err = errors.New("no face in the stolen picture")
	}
	return puppet.Stolen{Picture: p, Marks: m}, err
}

// film makes the run of a row.
func (s *siege) film(ctx context.Context, t task, c idv.Challenge) ([]fixtures.Take, error) {
	a := puppet.Attack{Family: puppet.Family(t.row), Seed: t.seed, Frames: s.options.Frames, Tight: t.seed%2 == 1}
	try := puppet.Try{Attack: a}
	if t.row.Honest() {
		return s.act(t, c)
	}
	switch t.row {
	case EllipsoidPortrait:
		try.Attack.Family, try.Portrait, try.Attack.Tight = puppet.Ellipsoid, true, false
	case EllipsoidGraded:
		r := rand.New(rand.NewPCG(uint64(t.seed), 0x94ade)) //nolint:gosec // a seed
		try.Attack.Family, try.Attack.Tight = puppet.Ellipsoid, true
		try.Spoiling = puppet.Spoiling{Gamma: .7 + .7*r.Float64(), Zoom: .45 + .5*r.Float64(), Light: r.Float64() - .5, JPEG: 40 + r.IntN(50)}
	case GenericHeadPortrait:
		try.Attack.Family, try.Portrait, try.Attack.Tight = puppet.GenericHead, true, false
	case FaceSwapPortrait:
		try.Attack.Family, try.Portrait = puppet.FaceSwap, true
	case Row(puppet.Ellipsoid), Row(puppet.GenericHead):
		try.Attack.Tight = false
	}
	return s.play(ctx, try, c)
}

// act has the right person answer.
func (s *siege) act(t task, c idv.Challenge) ([]fixtures.Take, error) {
	if s.victim.Acted == "" {
		return nil, errors.New("nobody can act a person of whom there are only pictures")
	}
	r := rand.New(rand.NewPCG(uint64(t.seed), 0x6e0d)) //nolint:gosec // a seed
	o := fixtures.Acting{Seed: t.seed, Frames: s.frames()}
	if t.row == GenuineShoulders {
		o.Shoulders = .2 + .3*r.Float64()
	}
	takes, err := fixtures.Act(s.victim.Acted, c, o)
	if err != nil {
		return nil, err
	}
	for i, take := range takes {
		switch p := take.Picture; t.row {
		case GenuineSmall:
			takes[i].Picture = p.Resize(p.W/2, p.H/2)
		case GenuinePoor:
			p = p.Resize(5*p.W/8, 5*p.H/8).Resize(p.W, p.H)
			for k, v := range p.Pix {
				p.Pix[k] = uint8(min(255, max(0, float64(v)+7*r.NormFloat64())))
			}
			takes[i].Picture = p
		}
	}
	return takes, nil
}

func (s *siege) frames() int {
	if s.options.Frames == 0 {
		return 36
	}
	return s.options.Frames
}

// play films one try.
func (s *siege) play(ctx context.Context, t puppet.Try, c idv.Challenge) ([]fixtures.Take, error) {
	picture := s.selfie
	if t.Portrait {
		picture = s.portrait
	}
	var other *puppet.Stolen
	if t.Spoiling.Morph > 0 {
		lent, err := fixtures.PortraitOf(s.victim.Attacker, t.Attack.Seed)
		if err != nil {
			return nil, err
		}
		face, err := s.stolen(ctx, lent)
		if err != nil {
			return nil, err
		}
		other = &face
	}
	if t.Spoiling != (puppet.Spoiling{}) {
		var err error
		if picture, err = picture.Spoiled(t.Spoiling, other, t.Attack.Seed); err != nil {
			return nil, err
		}
	}
	t.Attack.Frames = s.frames()
	if t.Attack.Family != puppet.FaceSwap {
		return puppet.Perform(picture, c, t.Attack)
	}
	own, err := fixtures.Act(s.victim.Attacker, c, fixtures.Acting{Seed: t.Attack.Seed, Frames: t.Attack.Frames, Mean: t.Attack.Reach})
	if err != nil {
		return nil, err
	}
	marks := make([]*puppet.Marks, len(own))
	for i, take := range own {
		m, ok, err := s.find(ctx, take.Picture)
		if err != nil {
			return nil, err
		}
		if ok {
			marks[i] = &m
		}
	}
	return puppet.Swap(picture, own, marks, t.Attack), nil
}

// adapt lets an adversary try until he is approved or has no tries left.
func (s *siege) adapt(ctx context.Context, c Case) (Case, error) {
	adversary := puppet.NewAdversary(c.Seed)
	for n := range s.options.Tries {
		challenge, err := drawn(c.Seed, int64(n)+1)
		if err != nil {
			return c, err
		}
		try := adversary.Next()
		takes, err := s.play(ctx, try, challenge)
		if err != nil {
			return c, err
		}
		c.Tries, c.How = n+1, &try
		if c.Outcome, c.Reasons, err = s.send(ctx, challenge, takes, 82+n%12); err != nil || c.Approved() {
			return c, err
		}
		adversary.Learn(c.Reasons)
	}
	return c, nil
}

// send posts a run and answers what was decided. A run that is not accepted has no outcome.
func (s *siege) send(ctx context.Context, c idv.Challenge, takes []fixtures.Take, quality int) (idv.DecisionOutcome, []string, error) {
	if err := ctx.Err(); err != nil {
		return "", nil, err
	}
	run := idv.FrameRun{Challenge: c, IssuedAt: today.Add(-time.Minute)}
	for _, t := range takes {
		b, err := imaging.EncodeJPEG(t.Picture, quality)
		if err != nil {
			return "", nil, fmt.Errorf("encode a frame: %w", err)
		}
		run.Frames = append(run.Frames, idv.Frame{AtMS: t.AtMS, JPEG: b})
	}
	run.ReceivedAt = run.IssuedAt.Add(time.Duration(takes[len(takes)-1].AtMS+3000) * time.Millisecond)
	packed, err := idv.PackFrames(run)
	if err != nil {
		return "", nil, err
	}
	sent := capture(idv.StepSelfie, idv.Frames, packed)
	found, err := s.program.Extract(ctx, sent)
	if p, ok := problem.As(err); ok && !problem.Has(err, problem.Unavailable) {
		return "", []string{"capture: " + p.Kind.Code}, nil
	}
	if err != nil {
		return "", nil, err
	}
	fresh, err := idv.PresentArtifact(idv.ArtifactReplay, sent, idv.Replay{Frames: len(takes)})
	if err != nil {
		return "", nil, err
	}
	return s.decide(ctx, workflow(), slices.Concat(s.document, found.Artifacts, []idv.Artifact{fresh}))
}

// sendPortrait posts the document's portrait as the selfie: cut out of the photograph of the document with as much around it as the seed
// says, made larger or smaller and compressed once more.
func (s *siege) sendPortrait(ctx context.Context, seed int64) (idv.DecisionOutcome, []string, error) {
	photo, _, err := imaging.Decode(s.victim.Document, imaging.Limits{})
	if err != nil {
		return "", nil, fmt.Errorf("open the photograph of the document: %w", err)
	}
	face, err := s.stolen(ctx, photo)
	if err != nil {
		return "", nil, err
	}
	r := rand.New(rand.NewPCG(uint64(seed), 0x5e1f1e)) //nolint:gosec // a seed
	cut := photo.Crop(around(face.Marks, 1.5+2*r.Float64()).Intersect(photo.Bounds()))
	by := .7 + 1.3*r.Float64()
	raw, err := imaging.EncodeJPEG(cut.Resize(int(by*float64(cut.W)), int(by*float64(cut.H))), 60+r.IntN(36))
	if err != nil {
		return "", nil, fmt.Errorf("encode the portrait: %w", err)
	}
	found, err := s.program.Extract(ctx, capture(idv.StepSelfie, idv.FaceImage, raw))
	if p, ok := problem.As(err); ok && !problem.Has(err, problem.Unavailable) {
		return "", []string{"capture: " + p.Kind.Code}, nil
	}
	if err != nil {
		return "", nil, err
	}
	w := workflow()
	w.Required = slices.DeleteFunc(w.Required, func(k idv.CheckKind) bool { return k != idv.CheckFaceMatch && k != idv.CheckSelfieQuality })
	return s.decide(ctx, w, slices.Concat(s.document, found.Artifacts))
}

// around is the square around a face, so many times its height.
func around(m puppet.Marks, times float64) image.Rectangle {
	middle, chin := m[30], m[8]
	half := times * math.Hypot(chin.X-m[27].X, chin.Y-m[27].Y)
	return image.Rect(int(middle.X-half), int(middle.Y-half), int(middle.X+half), int(middle.Y+half))
}

// workflow asks for what the default one asks for, without the checks of document and person.
func workflow() idv.WorkflowVersion {
	w := idv.DefaultWorkflow(idv.Live)
	w.AcceptSpecimens = true
	w.Required = slices.DeleteFunc(w.Required, func(k idv.CheckKind) bool { return !k.AboutFace() })
	return w
}

func (s *siege) decide(ctx context.Context, w idv.WorkflowVersion, found []idv.Artifact) (idv.DecisionOutcome, []string, error) {
	ev := idv.Evidence{Mode: idv.Live, Workflow: w, Now: today, Artifacts: found}
	var checks []idv.Check
	var reasons []string
	for _, k := range w.Required {
		f, err := s.program.Ask(ctx, k, ev)
		c := flow.Settle(k, f, err)
		c.Required, c.SettledAt = true, today
		checks, reasons = append(checks, c), append(reasons, reasonsOf(c)...)
	}
	report, err := flow.Report(w, ev, checks)
	if err != nil {
		return "", nil, err
	}
	return policy.Decide(report, w, policy.AttemptsLeft{}).Outcome, reasons, nil
}

// reasonsOf are check and reason of what did not pass.
func reasonsOf(k idv.Check) []string {
	switch {
	case k.Lifecycle == idv.CheckBroken:
		return []string{string(k.Kind) + ": not run"}
	case k.Finding == nil || k.Lifecycle == idv.CheckSkipped || k.Finding.Outcome == idv.Pass:
		return nil
	case len(k.Finding.Reasons) == 0:
		return []string{string(k.Kind) + ": " + string(k.Finding.Outcome)}
	}
	var out []string
	for _, r := range k.Finding.Reasons {
		if text := string(k.Kind) + ": " + r.Code; !slices.Contains(out, text) {
			out = append(out, text)
		}
	}
	return out
}
