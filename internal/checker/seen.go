package checker

import (
	"context"
	"errors"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// errNotLooked is why a check is broken that looks beyond the session where nobody gathered what is there.
var errNotLooked = errors.New("nobody looked beyond the session")

// Faces compares the face of a session with that of another one (biometric.EarlierFaces).
type Faces interface {
	Compare(ev idv.Evidence, o idv.SeenSession) (idv.FacesCompared, error)
	Model() idv.ModelRef
}

// OfSeen returns the checkers that look beyond a session.
func OfSeen(faces Faces) []idv.Checker {
	return append([]idv.Checker{
		DuplicateDocument{faces: faces}, DuplicatePerson{}, DuplicatePicture{}, DuplicateFace{faces: faces}, BlockList{faces: faces}, Velocity{},
	}, ofNetwork()...)
}

// heedsAll are the artifacts from which it is known what document and whose it is.
type heedsAll struct{}

// Heeds whatever states facts.
func (heedsAll) Heeds() []idv.ArtifactKind {
	return []idv.ArtifactKind{idv.ArtifactChip, idv.ArtifactWallet, idv.ArtifactMRZ, idv.ArtifactBarcode}
}

// Needs the page, whose extraction yields every claim.
func (heedsAll) Needs() []idv.ArtifactKind { return []idv.ArtifactKind{idv.ArtifactPage} }

// DuplicateDocument asks whether nobody else showed this document.
type DuplicateDocument struct {
	heedsAll
	faces Faces
}

// Kind is duplicate.document.
func (DuplicateDocument) Kind() idv.CheckKind { return idv.CheckDuplicateDocument }

// Heeds whatever states facts or shows the face.
func (d DuplicateDocument) Heeds() []idv.ArtifactKind {
	return append(d.heedsAll.Heeds(), idv.ArtifactPortraitTemplate, idv.ArtifactSelfieTemplate)
}

// Check refers for each session with the same document, gravest first: another face, another name or birth, a face that cannot be
// compared, and the same person again. It never fails. Neither a session that its applicant left, if the face is not another's, nor a
// re-verification under the same reference, where the workflow allows them, is a doubt. A session without a number to look for is
// referred.
func (d DuplicateDocument) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	if ev.Seen == nil {
		return idv.Finding{}, errNotLooked
	}
	found := &idv.SeenFinding{More: ev.Seen.More}
	raised := map[string]bool{problem.DuplicateNotSearched.Code: !ev.Seen.Seeks(idv.MarkDocument)}
	for _, o := range ev.Seen.Others {
		if !slices.Contains(o.Same, idv.SeenByDocument) {
			continue
		}
		alike, err := d.faces.Compare(ev, o)
		if err != nil {
			return idv.Finding{}, err
		}
		facts := ev.Seen.FactsOf(o)
		code := documentDoubt(o, alike, facts, ev.Workflow.Seen.Again)
		raised[code] = true
		found.Others = append(found.Others, seenOther(o, alike, facts, code != ""))
	}
	f := idv.Passed()
	for _, k := range documentDoubts {
		if raised[k.Code] {
			f = refers(f, k)
		}
	}
	f = heedsMore(f, ev)
	f.Seen = found
	if m := d.faces.Model(); len(found.Others) > 0 && m.Name != "" {
		f.Models = []idv.ModelRef{m}
	}
	return f, nil
}

// documentDoubts are the reasons, gravest first.
var documentDoubts = []problem.Kind{
	problem.DuplicateDocumentOtherFace, problem.DuplicateDocumentOtherFacts, problem.DuplicateFaceNotComparable, problem.DuplicateDocumentElsewhere,
	problem.DuplicateNotSearched,
}

// refers adds a reason for which a person has to look.
func refers(f idv.Finding, why problem.Kind) idv.Finding {
	f.Outcome = idv.Inconclusive
	f.Reasons = append(f.Reasons, idv.Reason{Code: why.Code})
	return f
}

// seenOther is what a finding keeps of another session. NotSame is set where a reviewer said so about every sign that is there now.
func seenOther(o idv.SeenSession, alike idv.FacesCompared, facts idv.FactsCompared, refers bool) idv.SeenOther {
	out := idv.SeenOther{Session: o.ID, Same: o.Same, Face: alike, Facts: facts, SameReference: o.SameReference, Refers: refers}
	out.NotSame = len(o.NotSame) > 0 && o.Cleared(out.Signs()...) && !sameFaceAgain(o, alike)
	return out
}

// sameFaceAgain reports whether the faces are alike now of two sessions that a reviewer found not to be of the same person because they
// were not: a new selfie shows somebody else.
func sameFaceAgain(o idv.SeenSession, alike idv.FacesCompared) bool {
	return alike == idv.FaceSame && slices.Contains(o.NotSame, idv.SignOtherFace)
}

// documentDoubt returns the code of what another session with the same document makes doubtful; empty for nothing. What a reviewer
// decided not to be the same person is no doubt any more, unless it shows something that they did not see.
func documentDoubt(o idv.SeenSession, alike idv.FacesCompared, facts idv.FactsCompared, again bool) string {
	switch {
	case alike == idv.FaceOther && !o.Cleared(idv.SignDocument, idv.SignOtherFace):
		return problem.DuplicateDocumentOtherFace.Code
	case facts == idv.FactsDiffer && !o.Cleared(idv.SignDocument, idv.SignOtherFacts):
		return problem.DuplicateDocumentOtherFacts.Code
	case !o.Settled(), o.Chained, o.SameReference && again, o.Cleared(idv.SignDocument) && !sameFaceAgain(o, alike):
		return ""
	case alike != idv.FaceSame:
		return problem.DuplicateFaceNotComparable.Code
	}
	return problem.DuplicateDocumentElsewhere.Code
}

// DuplicatePerson asks whether a person of this name and date of birth was here with another document. A session under the same
// reference, where the workflow takes it for the same customer, one with another kind of document, where the workflow knows that a person has
// several, and one that began with another document after this one, are no doubt.
type DuplicatePerson struct{ heedsAll }

// Kind is duplicate.person.
func (DuplicatePerson) Kind() idv.CheckKind { return idv.CheckDuplicatePerson }

// Check refers for sessions with the same person that showed another document, and where no name with a date of birth was read.
func (DuplicatePerson) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	if ev.Seen == nil {
		return idv.Finding{}, errNotLooked
	}
	shown := ev.ShownKind()
	f := others(ev, problem.DuplicatePersonElsewhere, func(o idv.SeenSession) (takes, refers bool) {
		takes = slices.Contains(o.Same, idv.SeenByPerson) && !slices.Contains(o.Same, idv.SeenByDocument)
		otherKind := o.Kind != "" && shown != "" && o.Kind != shown
		return takes, o.Settled() && !o.Chained && !(o.SameReference && ev.Workflow.Seen.Again) && !(otherKind && ev.Workflow.Seen.Papers) &&
			!o.Cleared(idv.SignPerson)
	})
	if !ev.Seen.Seeks(idv.MarkPerson) {
		f = refers(f, problem.DuplicateNotSearched)
	}
	return f, nil
}

// DuplicatePicture asks whether the very same picture was sent in another session.
type DuplicatePicture struct{ heedsAll }

// Kind is duplicate.picture.
func (DuplicatePicture) Kind() idv.CheckKind { return idv.CheckDuplicatePicture }

// Check refers for sessions with the same picture, also those that their applicants left: nobody takes the same photograph twice.
func (DuplicatePicture) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	if ev.Seen == nil {
		return idv.Finding{}, errNotLooked
	}
	return others(ev, problem.DuplicateSamePicture, func(o idv.SeenSession) (takes, refers bool) {
		return slices.Contains(o.Same, idv.SeenByPicture),
			!o.Chained && !(o.SameReference && ev.Workflow.Seen.Again) && !o.Cleared(idv.SignPicture)
	}), nil
}

// others is a finding about other sessions.
func others(ev idv.Evidence, why problem.Kind, judge func(idv.SeenSession) (takes, refers bool)) idv.Finding {
	f := idv.Passed()
	f.Seen = &idv.SeenFinding{More: ev.Seen.More}
	for _, o := range ev.Seen.Others {
		takes, refers := judge(o)
		if !takes {
			continue
		}
		f.Seen.Others = append(f.Seen.Others, seenOther(o, "", ev.Seen.FactsOf(o), refers))
		if refers && f.Outcome == idv.Pass {
			f = idv.Finding{Outcome: idv.Inconclusive, Reasons: []idv.Reason{{Code: why.Code}}, Seen: f.Seen}
		}
	}
	return heedsMore(f, ev)
}

// heedsMore refers where nothing does and there are more sessions than are compared one by one: the others were not looked at.
func heedsMore(f idv.Finding, ev idv.Evidence) idv.Finding {
	if f.Outcome == idv.Pass && ev.Seen.More > 0 {
		return refers(f, problem.DuplicateNotSearched)
	}
	return f
}

// Velocity asks whether there are not unusually many sessions from one network, or about one document, person or reference. Where the
// network, the document or the person is not known, it refers: what cannot be counted is not few.
type Velocity struct{ heedsAll }

// Kind is velocity.counts.
func (Velocity) Kind() idv.CheckKind { return idv.CheckVelocity }

// Check compares the counts with the limits of the workflow.
func (Velocity) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	if ev.Seen == nil || ev.Seen.Velocity == nil {
		return idv.Finding{}, errNotLooked
	}
	n, most := *ev.Seen.Velocity, ev.Workflow.Seen.Velocity.OrDefault()
	f := idv.Passed()
	f.Seen = &idv.SeenFinding{Velocity: &n}
	for _, one := range []struct {
		over bool
		why  problem.Kind
	}{
		{n.AddressHour > most.AddressHour || n.AddressDay > most.AddressDay, problem.VelocityAddress},
		{n.Document > most.Document, problem.VelocityDocument},
		{n.Person > most.Person, problem.VelocityPerson},
		{n.Reference > most.Reference, problem.VelocityReference},
		{!n.Known || !ev.Seen.Seeks(idv.MarkDocument, idv.MarkPerson), problem.VelocityNotCounted},
	} {
		if one.over {
			f = refers(f, one.why)
		}
	}
	return f, nil
}
