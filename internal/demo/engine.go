package demo

import (
	"context"
	"fmt"
	"slices"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// The thresholds of face comparison that stories are told with: those of about one false match in 1 000 and in 10 000.
const (
	faceLow  = .3366
	faceHigh = .4133
)

// producer is who made what stories find: nobody shall take it for the work of a model.
const producer = "demo-data"

// engine finds what the story in its context says (session.Engine).
type engine struct{}

type storyKey struct{}

// scene is a story and how far it has come.
type scene struct {
	story
	blurs           int // pictures that were refused at once
	fronts, selfies int
}

func withScene(ctx context.Context, s *scene) context.Context {
	return context.WithValue(ctx, storyKey{}, s)
}

func sceneFrom(ctx context.Context) *scene {
	s, _ := ctx.Value(storyKey{}).(*scene)
	return s
}

// Glance implements session.Engine.
func (engine) Glance(ctx context.Context, c idv.Capture) error {
	s := sceneFrom(ctx)
	if s.blurs >= s.blurred {
		return nil
	}
	codes := []problem.Kind{problem.CaptureBlurred, problem.CaptureGlare, problem.CaptureCutOff, problem.CaptureDark}
	if c.Kind != idv.DocumentImage {
		codes = []problem.Kind{problem.CaptureEyesClosed, problem.CaptureFaceTurned, problem.CaptureDark}
		if s.r.IntN(2) == 0 {
			return nil
		}
	}
	s.blurs++
	return problem.New(codes[s.r.IntN(len(codes))])
}

var yields = map[idv.CaptureKind][]idv.ArtifactKind{
	idv.DocumentImage: {idv.ArtifactPage, idv.ArtifactMRZ, idv.ArtifactPortrait, idv.ArtifactPortraitTemplate},
	idv.FaceImage:     {idv.ArtifactSelfie, idv.ArtifactSelfieTemplate},
	idv.Frames:        {idv.ArtifactSelfie, idv.ArtifactSelfieTemplate, idv.ArtifactTrack, idv.ArtifactFrameDigests},
}

// Yields implements session.Engine.
func (engine) Yields(k idv.CaptureKind) []idv.ArtifactKind { return yields[k] }

// Needs implements session.Engine.
func (engine) Needs(k idv.CheckKind) []idv.ArtifactKind {
	switch k {
	case idv.CheckSelfieQuality, idv.CheckPassiveLiveness:
		return []idv.ArtifactKind{idv.ArtifactSelfie}
	case idv.CheckFaceMatch:
		return []idv.ArtifactKind{idv.ArtifactPortraitTemplate, idv.ArtifactSelfieTemplate}
	case idv.CheckLiveness, idv.CheckHead, idv.CheckLight:
		return []idv.ArtifactKind{idv.ArtifactTrack}
	case idv.CheckReplay:
		return []idv.ArtifactKind{idv.ArtifactFrameDigests}
	case idv.CheckMRZVerified, idv.CheckDatesPlausible, idv.CheckDocumentExpiry:
		return []idv.ArtifactKind{idv.ArtifactMRZ}
	default:
		return []idv.ArtifactKind{idv.ArtifactPage}
	}
}

// Expected implements session.Engine.
func (engine) Expected(w idv.WorkflowVersion) []idv.CheckKind { return slices.Clone(w.Required) }

// Ready implements session.Engine: everything is asked once everything was sent.
func (engine) Ready(idv.CheckKind, idv.WorkflowVersion, idv.DocumentKind, []idv.Artifact) bool {
	return false
}

// asked says which check finds a code.
var asked = map[string]idv.CheckKind{
	problem.DocumentExpired.Code:         idv.CheckDocumentExpiry,
	problem.PersonClaimMismatch.Code:     idv.CheckClaimsMatch,
	problem.DocumentFactsDisagree.Code:   idv.CheckFactsAgree,
	problem.DocumentReadersDisagree.Code: idv.CheckMRZVerified,
	problem.DocumentScreenCopy.Code:      idv.CheckDocumentOriginal,
	problem.DocumentPaperCopy.Code:       idv.CheckDocumentOriginal,
	problem.DocumentPortraitAltered.Code: idv.CheckPortraitOriginal,
	problem.DocumentSidesDiffer.Code:     idv.CheckSidesBelong,
}

// Ask implements session.Engine.
func (engine) Ask(ctx context.Context, k idv.CheckKind, ev idv.Evidence) (idv.Finding, error) {
	s := sceneFrom(ctx)
	absent := func(a idv.ArtifactKind) bool { _, there := ev.Best(a); return !there }
	switch {
	case (k == idv.CheckLiveness || k == idv.CheckHead || k == idv.CheckLight || k == idv.CheckReplay) && absent(idv.ArtifactTrack):
		return idv.Finding{}, fmt.Errorf("no frames were sent: %w", flow.ErrNeverRuns)
	case s.code == problem.CheckNotRun.Code && k == idv.CheckPortraitOriginal:
		return idv.Finding{}, fmt.Errorf("as the story says: %w", flow.ErrNeverRuns)
	case k == idv.CheckSidesBelong && !ev.Chosen.HasBack():
		return idv.DoesNotApply("Such a document has one side."), nil
	case k == idv.CheckAgeLimit:
		return idv.DoesNotApply("The workflow asks for no age."), nil
	case k == idv.CheckClaimsMatch && len(s.facts()) == 0:
		return idv.DoesNotApply("Nothing was claimed."), nil
	case k == idv.CheckFaceMatch:
		return s.match(), nil
	case k == idv.CheckDocumentReadable && s.again && s.fronts < 2:
		return idv.Failed(idv.Reason{Code: problem.CaptureBlurred.Code, Step: idv.StepDocumentFront}), nil
	case asked[s.code] == k:
		return s.found(), nil
	default:
		f := idv.Passed()
		f.Note = "Demo data."
		return f, nil
	}
}

// match compares the faces of a story.
func (s *scene) match() idv.Finding {
	f := idv.Passed()
	switch {
	case s.likeness < faceLow:
		f = idv.Failed(idv.Reason{Code: problem.FaceMismatch.Code, Step: idv.StepSelfie})
	case s.likeness < faceHigh:
		f = idv.Undecided(idv.Reason{Code: problem.FaceUncertain.Code, Step: idv.StepSelfie})
	}
	score, low, high := s.likeness, faceLow, faceHigh
	f.Score, f.Threshold, f.ReferBelow = &score, &low, &high
	f.Rates = &idv.ErrorRates{DataSet: producer, Note: "Demo data: nothing was compared."}
	f.Models = []idv.ModelRef{{Name: producer, Version: "1"}}
	return f
}

// found is the finding for the story's code.
func (s *scene) found() idv.Finding {
	reason := idv.Reason{Code: s.code}
	k, _ := problem.Lookup(s.code)
	switch s.code {
	case problem.PersonClaimMismatch.Code:
		reason.Claim, reason.Sources = idv.FamilyName, []idv.ClaimSource{idv.FromClaimed, idv.FromMRZ}
	case problem.DocumentFactsDisagree.Code:
		reason.Claim, reason.Sources = idv.DateOfExpiry, []idv.ClaimSource{idv.FromPrinted, idv.FromMRZ}
	default:
		reason.Step = idv.StepDocumentFront
	}
	if k.Severity == problem.Final {
		reason.Confirmed = idv.ByCheckDigits
	}
	f := idv.Failed(reason)
	if k.Severity == problem.Refer {
		f = idv.Undecided(reason)
	}
	f.Note = "Demo data."
	return f
}
