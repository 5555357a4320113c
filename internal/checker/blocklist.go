package checker

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// BlockList asks whether something of the session stands on the block list. A document that two members put there is a sign of deceit,
// and declines where something confirms the reading of its number; everything else refers.
type BlockList struct {
	heedsAll
	faces Faces
}

// Kind is blocklist.entries.
func (BlockList) Kind() idv.CheckKind { return idv.CheckBlockList }

// Heeds whatever states facts or shows the applicant's face.
func (b BlockList) Heeds() []idv.ArtifactKind {
	return append(b.heedsAll.Heeds(), idv.ArtifactSelfieTemplate)
}

// blockReason is the reason of an entry that refers.
var blockReason = map[idv.BlockKind]problem.Kind{
	idv.BlockDocument: problem.BlocklistDocument, idv.BlockPerson: problem.BlocklistPerson, idv.BlockContact: problem.BlocklistContact,
	idv.BlockAddress: problem.BlocklistAddress, idv.BlockFace: problem.BlocklistFace,
}

// Check compares the session with the entries that are in force. Where no document or no person was read, it refers; also where faces are
// on the list and those of the gallery could not be searched. An applicant who did not agree to that is not compared with them.
func (b BlockList) Check(_ context.Context, ev idv.Evidence) (idv.Finding, error) {
	if ev.Seen == nil {
		return idv.Finding{}, errNotLooked
	}
	entries := slices.Concat(ev.Seen.Blocked, facesListed(*ev.Seen))
	f := idv.Passed()
	f.Seen = &idv.SeenFinding{Entries: entries}
	for _, e := range entries {
		r := idv.Reason{Code: blockReason[e.Kind].Code}
		if e.Declines && e.Kind == idv.BlockDocument {
			f.Outcome, r.Code, r.Claim, r.Confirmed = idv.Fail, problem.BlocklistDeclines.Code, idv.DocumentNumber, numberConfirmed(ev)
		} else if f.Outcome != idv.Fail {
			f.Outcome = idv.Inconclusive
		}
		if !slices.ContainsFunc(f.Reasons, func(o idv.Reason) bool { return o.Code == r.Code }) {
			f.Reasons = append(f.Reasons, r)
		}
	}
	f = b.amongFaces(f, *ev.Seen)
	if f.Outcome != idv.Fail && !ev.Seen.Seeks(idv.MarkDocument, idv.MarkPerson) {
		f = refers(f, problem.BlocklistNotSearched)
	}
	return f, nil
}

// facesListed are the entries about faces that are alike enough, as the gallery measures it. Left out is a session if
// a reviewer decided that it is not of the same person.
func facesListed(s idv.Seen) []idv.BlockedBy {
	if s.Gallery == nil || !s.Gallery.Consented {
		return nil
	}
	var out []idv.BlockedBy
	for _, l := range s.Listed {
		if slices.ContainsFunc(s.Others, func(o idv.SeenSession) bool {
			return o.ID == l.Session && slices.Contains(o.Same, idv.SeenByFace) && counts(s, *s.Gallery, o) && !o.Cleared(idv.SignFace)
		}) {
			out = append(out, idv.BlockedBy{Entry: l.Entry, Kind: idv.BlockFace})
		}
	}
	return out
}

// amongFaces notes among which faces was searched, where some are on the list, and refers where that was not possible.
func (b BlockList) amongFaces(f idv.Finding, s idv.Seen) idv.Finding {
	if s.Gallery == nil || !s.Gallery.Consented || len(s.Listed) == 0 {
		return f
	}
	g := *s.Gallery
	f.Seen.Gallery = &g
	if b.faces != nil && b.faces.Model().Name != "" {
		f.Models = []idv.ModelRef{b.faces.Model()}
	}
	if g.Fault == "" {
		return f
	}
	why := problem.DuplicateGalleryUnready
	if g.Fault == idv.GalleryTooLarge {
		why = problem.DuplicateGalleryTooLarge
	}
	if f.Outcome == idv.Fail { // which says more
		return f
	}
	return refers(f, why)
}

// numberConfirmed returns what confirms the reading of the document's number; empty if nothing does.
func numberConfirmed(ev idv.Evidence) idv.Confirmation {
	all := statements(ev)
	var by idv.Confirmation
	for _, s := range documentOnly(byName(all, idv.DocumentNumber)) {
		by = stronger(by, confirmation(ev, all, s))
	}
	return by
}
