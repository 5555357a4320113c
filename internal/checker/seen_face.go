package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// DuplicateFace asks whether a face like the applicant's was in no other session, among those who agreed to be compared.
type DuplicateFace struct {
	heedsAll
	faces Faces
}

// Kind is duplicate.face.
func (DuplicateFace) Kind() idv.CheckKind { return idv.CheckDuplicateFace }

// Heeds whatever states facts or shows the applicant's face.
func (d DuplicateFace) Heeds() []idv.ArtifactKind {
	return append(d.heedsAll.Heeds(), idv.ArtifactSelfieTemplate)
}

// faceDoubts are the reasons, gravest first.
var faceDoubts = []problem.Kind{
	problem.DuplicateFaceOtherPerson, problem.DuplicateFaceElsewhere, problem.DuplicateGalleryTooLarge, problem.DuplicateGalleryUnready,
}

// Check refers for a face that is alike enough by itself, and for one that is alike where the document, a date of birth or a name agrees as
// well; also where the gallery could not be searched, or holds too many faces for the rates that were measured. It never fails. An
// applicant who did not agree was neither kept nor searched for, so the question does not arise.
func (d DuplicateFace) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	if ev.Seen == nil || ev.Seen.Gallery == nil {
		return idv.Finding{}, errNotLooked
	}
	g := *ev.Seen.Gallery
	if !g.Consented {
		return idv.DoesNotApply("The applicant did not consent to having their face compared with others."), nil
	}
	f := idv.Passed()
	f.Seen = &idv.SeenFinding{Gallery: &g, More: g.Unlooked}
	if m := d.faces.Model(); m.Name != "" {
		f.Models = []idv.ModelRef{m}
	}
	raised := map[string]bool{
		problem.DuplicateGalleryTooLarge.Code: g.Fault == idv.GalleryTooLarge,
		problem.DuplicateGalleryUnready.Code:  g.Fault != "" && g.Fault != idv.GalleryTooLarge,
	}
	for _, o := range ev.Seen.Others {
		if !slices.Contains(o.Same, idv.SeenByFace) || !counts(*ev.Seen, g, o) {
			continue
		}
		facts := ev.Seen.FactsOf(o)
		code := faceDoubt(o, facts, ev.Workflow.Seen.Again)
		raised[code] = true
		f.Seen.Others = append(f.Seen.Others, seenOther(o, idv.FaceSame, facts, code != ""))
	}
	for _, k := range faceDoubts {
		if raised[k.Code] {
			f = refers(f, k)
		}
	}
	return f, nil
}

// counts reports whether a face is alike enough, by itself or beside something that agrees.
func counts(s idv.Seen, g idv.GallerySearch, o idv.SeenSession) bool {
	return g.Alone > 0 && o.Alike >= g.Alone || g.Beside > 0 && o.Alike >= g.Beside && s.AgreesWith(o)
}

// faceDoubt returns the code of what a session with a face like this makes doubtful; empty for nothing.
func faceDoubt(o idv.SeenSession, facts idv.FactsCompared, again bool) string {
	switch {
	case facts == idv.FactsDiffer && !o.Cleared(idv.SignFace, idv.SignOtherFacts):
		return problem.DuplicateFaceOtherPerson.Code
	case !o.Settled(), o.Chained, o.SameReference && again, o.Cleared(idv.SignFace):
		return ""
	}
	return problem.DuplicateFaceElsewhere.Code
}
