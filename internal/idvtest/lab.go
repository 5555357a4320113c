package idvtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Lab makes gates, extractors and checkers that read scenes, counts what they are asked, and lets a test make
// them fail. The hooks may be set before use and are called from many goroutines.
type Lab struct {
	OnGlance  func(ctx context.Context, c idv.Capture)         // called before the quick look
	OnExtract func(ctx context.Context, c idv.Capture) error   // an error: the extraction fails with it
	OnAsk     func(ctx context.Context, k idv.CheckKind) error // an error: the question cannot be asked
	mu        sync.Mutex
	extracted map[idv.CaptureID]int
	asked     map[idv.CheckKind]int
}

// Extracted counts how often captures were looked at.
func (l *Lab) Extracted() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	n := 0
	for _, times := range l.extracted {
		n += times
	}
	return n
}

// Asked counts how often a question was asked.
func (l *Lab) Asked(k idv.CheckKind) int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.asked[k]
}

// Gates answers the quick looks.
func (l *Lab) Gates() []idv.Gate { return []idv.Gate{gate{lab: l}} }

// Extractors answers one for documents, one for selfies and one for runs of frames.
func (l *Lab) Extractors() []idv.Extractor {
	return []idv.Extractor{
		extractor{l, idv.DocumentImage, []idv.ArtifactKind{
			idv.ArtifactPage, idv.ArtifactMRZ, idv.ArtifactPortrait, idv.ArtifactPortraitTemplate,
		}},
		extractor{l, idv.FaceImage, []idv.ArtifactKind{idv.ArtifactSelfie, idv.ArtifactSelfieTemplate}},
		extractor{l, idv.Frames, []idv.ArtifactKind{
			idv.ArtifactSelfie, idv.ArtifactSelfieTemplate, idv.ArtifactTrack, idv.ArtifactFrameDigests,
		}},
	}
}

// Checkers answers every question that a built-in workflow requires.
func (l *Lab) Checkers() []idv.Checker {
	var all, out = []idv.CheckKind{}, []idv.Checker{}
	for _, w := range idv.BuiltInWorkflows(idv.Test) {
		for _, k := range w.Required {
			if !slices.Contains(all, k) {
				all = append(all, k)
			}
		}
	}
	for _, k := range append(all, idv.CheckLight) { // which no built-in workflow requires
		c := checker{lab: l, kind: k, needs: []idv.ArtifactKind{idv.ArtifactPage}, answer: passes}
		switch k {
		case idv.CheckDocumentReadable:
			c.answer = readable
		case idv.CheckDocumentAccepted:
			c.answer = accepted
		case idv.CheckMRZVerified:
			c.needs, c.answer = []idv.ArtifactKind{idv.ArtifactMRZ}, zone
		case idv.CheckDocumentExpiry:
			c.needs, c.answer = []idv.ArtifactKind{idv.ArtifactMRZ}, expiry
		case idv.CheckSelfieQuality:
			c.needs = []idv.ArtifactKind{idv.ArtifactSelfie}
		case idv.CheckFaceMatch:
			c.needs = []idv.ArtifactKind{idv.ArtifactPortraitTemplate, idv.ArtifactSelfieTemplate}
			c.answer = match
		case idv.CheckLiveness:
			c.needs, c.answer = []idv.ArtifactKind{idv.ArtifactTrack}, live
		case idv.CheckHead, idv.CheckLight:
			c.needs = []idv.ArtifactKind{idv.ArtifactTrack}
		case idv.CheckReplay:
			c.needs, c.answer = []idv.ArtifactKind{idv.ArtifactFrameDigests}, replayed
		}
		out = append(out, c)
	}
	return out
}

type gate struct{ lab *Lab }

func (gate) Reads() []idv.CaptureKind {
	return []idv.CaptureKind{idv.DocumentImage, idv.FaceImage, idv.Frames}
}

func (g gate) Glance(ctx context.Context, c idv.Capture) error {
	if g.lab.OnGlance != nil {
		g.lab.OnGlance(ctx, c)
	}
	s, ok := sceneOf(c.Bytes)
	if c.Kind == idv.Frames {
		s, _, ok = sceneOfRun(c.Bytes)
	}
	if !ok {
		return problem.New(problem.CaptureNotAnImage)
	}
	if k, found := problem.Lookup(s.Glance); found {
		return problem.New(k)
	}
	return nil
}

type extractor struct {
	lab    *Lab
	reads  idv.CaptureKind
	yields []idv.ArtifactKind
}

func (e extractor) Reads() []idv.CaptureKind   { return []idv.CaptureKind{e.reads} }
func (e extractor) Yields() []idv.ArtifactKind { return e.yields }

func (e extractor) Extract(ctx context.Context, c idv.Capture) (idv.Extraction, error) {
	e.lab.mu.Lock()
	if e.lab.extracted == nil {
		e.lab.extracted = map[idv.CaptureID]int{}
	}
	e.lab.extracted[c.ID]++
	hook := e.lab.OnExtract
	e.lab.mu.Unlock()
	if hook != nil {
		if err := hook(ctx, c); err != nil {
			return idv.Extraction{}, err
		}
	}
	s, ok := sceneOf(c.Bytes)
	var digests idv.FrameDigests
	if c.Kind == idv.Frames {
		s, digests, ok = sceneOfRun(c.Bytes)
	}
	if !ok {
		return idv.Extraction{}, problem.New(problem.CaptureNotAnImage)
	}
	var x idv.Extraction
	for _, k := range e.yields {
		a, err := idv.PresentArtifact(k, c, s)
		if err != nil {
			return idv.Extraction{}, err
		}
		a.Producer, a.Version = "idvtest", "1"
		if k == idv.ArtifactPortrait || k == idv.ArtifactSelfie {
			a.Blob, a.BlobType = []byte("crop of "+s.Face), "image/jpeg"
		}
		if k == idv.ArtifactPage { // the conductor reads pages
			page := idv.Page{Kind: s.Kind, Issuer: s.Issuer, Quality: idv.Quality{Reasons: []string{s.Page}}}
			if a, err = idv.PresentArtifact(k, c, page); err != nil {
				return idv.Extraction{}, err
			}
		}
		if k == idv.ArtifactMRZ {
			zone := idv.MRZ{Format: "TD3", Lines: strings.Split(s.Number, "\n"), FailedChecks: []string{s.MRZ}, Verified: s.MRZ == "", CheckDigitsOK: s.MRZ == ""}
			if s.Expired {
				zone.FailedChecks = append(zone.FailedChecks, "expired")
			}
			if a, err = idv.PresentArtifact(k, c, zone); err != nil {
				return idv.Extraction{}, err
			}
		}
		if k == idv.ArtifactFrameDigests { // the service compares them
			if a, err = idv.PresentArtifact(k, c, digests); err != nil {
				return idv.Extraction{}, err
			}
		}
		x.Artifacts = append(x.Artifacts, a)
	}
	for name, v := range map[idv.ClaimName]string{
		idv.DocumentNumber: s.Number, idv.FamilyName: s.Family, idv.GivenNames: s.Given, idv.DateOfBirth: s.Birth,
	} {
		if v != "" {
			x.Claims = append(x.Claims, idv.Claim{Name: name, Value: v, Source: idv.FromMRZ, Side: c.Side, Confidence: 1})
		}
	}
	return x, nil
}

type checker struct {
	lab    *Lab
	kind   idv.CheckKind
	needs  []idv.ArtifactKind
	answer func(idv.Evidence) (idv.Finding, error)
}

func (c checker) Kind() idv.CheckKind       { return c.kind }
func (c checker) Needs() []idv.ArtifactKind { return c.needs }

func (c checker) Check(ctx context.Context, ev idv.Evidence) (idv.Finding, error) {
	c.lab.mu.Lock()
	if c.lab.asked == nil {
		c.lab.asked = map[idv.CheckKind]int{}
	}
	c.lab.asked[c.kind]++
	hook := c.lab.OnAsk
	c.lab.mu.Unlock()
	if hook != nil {
		if err := hook(ctx, c.kind); err != nil {
			return idv.Finding{}, err
		}
	}
	for _, need := range c.needs {
		if a, _ := ev.Best(need); !a.Present {
			return idv.Undecided(idv.Reason{Code: problem.DocumentUnreadable.Code}), nil
		}
	}
	return c.answer(ev)
}

func passes(idv.Evidence) (idv.Finding, error) { return idv.Passed(), nil }

func readable(ev idv.Evidence) (idv.Finding, error) {
	a, _ := ev.Best(idv.ArtifactPage)
	page, err := idv.ValueOf[idv.Page](a)
	if err != nil {
		return idv.Finding{}, err
	}
	return failsWith(page.Quality.Reasons, idv.StepDocumentFront), nil
}

// accepted goes by the kind of the scene, which is beyond doubt.
func accepted(ev idv.Evidence) (idv.Finding, error) {
	a, _ := ev.Best(idv.ArtifactPage)
	page, err := idv.ValueOf[idv.Page](a)
	if err != nil {
		return idv.Finding{}, err
	}
	if page.Kind != "" && !slices.Contains(ev.Workflow.AcceptedKinds(), page.Kind) {
		return idv.Failed(idv.Reason{Code: problem.DocumentTypeNotAccepted.Code, Step: idv.StepDocumentFront, Confirmed: idv.ByCheckDigits}), nil
	}
	return idv.Passed(), nil
}

func zone(ev idv.Evidence) (idv.Finding, error) {
	a, _ := ev.Best(idv.ArtifactMRZ)
	z, err := idv.ValueOf[idv.MRZ](a)
	if err != nil {
		return idv.Finding{}, err
	}
	return failsWith(slices.DeleteFunc(z.FailedChecks, func(s string) bool { return s == "expired" }), idv.StepDocumentFront), nil
}

func expiry(ev idv.Evidence) (idv.Finding, error) {
	a, _ := ev.Best(idv.ArtifactMRZ)
	z, err := idv.ValueOf[idv.MRZ](a)
	if err != nil {
		return idv.Finding{}, err
	}
	if slices.Contains(z.FailedChecks, "expired") {
		return idv.Failed(idv.Reason{Code: problem.DocumentExpired.Code, Confirmed: idv.ByCheckDigits}), nil
	}
	return idv.Passed(), nil
}

func failsWith(codes []string, step idv.Step) idv.Finding {
	var reasons []idv.Reason
	for _, code := range codes {
		if code != "" {
			reasons = append(reasons, idv.Reason{Code: code, Step: step})
		}
	}
	if len(reasons) == 0 {
		return idv.Passed()
	}
	return idv.Failed(reasons...)
}

// match compares whose faces they are; "unsure" is in the refer band with everybody.
func match(ev idv.Evidence) (idv.Finding, error) {
	var faces []string
	for _, k := range []idv.ArtifactKind{idv.ArtifactPortraitTemplate, idv.ArtifactSelfieTemplate} {
		a, _ := ev.Best(k)
		s, err := idv.ValueOf[Scene](a)
		if err != nil {
			return idv.Finding{}, fmt.Errorf("read a template: %w", err)
		}
		faces = append(faces, s.Face)
	}
	score, threshold := 0.1, 0.4
	f := idv.Failed(idv.Reason{Code: problem.FaceMismatch.Code, Step: idv.StepSelfie})
	if faces[0] == faces[1] {
		score, f = 0.9, idv.Passed()
	}
	if slices.Contains(faces, "unsure") {
		score, f = 0.35, idv.Undecided(idv.Reason{Code: problem.FaceUncertain.Code})
	}
	f.Score, f.Threshold = &score, &threshold
	return f, nil
}

// live answers the code that the scene asks for.
func live(ev idv.Evidence) (idv.Finding, error) {
	a, _ := ev.Best(idv.ArtifactTrack)
	s, err := idv.ValueOf[Scene](a)
	if err != nil {
		return idv.Finding{}, fmt.Errorf("read a track: %w", err)
	}
	f := failsWith([]string{s.Live}, idv.StepSelfie)
	if f.Outcome != idv.Pass {
		f.Places = []idv.FindingPlace{idv.FrameAt(3, "turned_degrees", 21)}
	}
	return f, nil
}

// replayed fails when half of the frames were seen before in one capture.
func replayed(ev idv.Evidence) (idv.Finding, error) {
	a, ok := ev.Best(idv.ArtifactReplay)
	if !ok {
		return idv.Finding{}, errors.New("the frames were not compared with earlier ones")
	}
	r, err := idv.ValueOf[idv.Replay](a)
	if err != nil {
		return idv.Finding{}, err
	}
	if 2*r.LongestRun >= r.Frames {
		return failsWith([]string{problem.LivenessReplayed.Code}, idv.StepSelfie), nil
	}
	return idv.Passed(), nil
}
