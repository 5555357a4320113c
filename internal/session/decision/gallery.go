package decision

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// lookForFace searches the faces of others, if the workflow asks for it and the applicant agreed. Their own is committed first, as with
// marks. An applicant who did not agree is neither kept nor searched for.
func (s *Service) lookForFace(ctx context.Context, rec session.Record, w idv.WorkflowVersion, ev session.Evidence, out *idv.Seen) ([]session.FaceHit, error) {
	if !w.Requires(idv.CheckDuplicateFace) {
		return nil, nil
	}
	out.Gallery = &idv.GallerySearch{}
	set := w.Seen.Gallery
	var face session.FaceTemplate
	var have bool
	if s.seeks.Faces != nil {
		var err error
		if face.Values, face.Model, have, err = s.seeks.Faces.Selfie(ev.Artifacts); err != nil {
			return nil, err
		}
	}
	may, err := s.enrol(ctx, rec, set, face, have)
	if err != nil || !may {
		return nil, err
	}
	switch {
	case s.seeks.Faces == nil || s.seeks.Galleries == nil:
		*out.Gallery = idv.GallerySearch{Consented: true, Target: set.Target(), Fault: idv.GalleryOff}
		return nil, nil
	case !have:
		*out.Gallery = idv.GallerySearch{Consented: true, Target: set.Target(), Fault: idv.GalleryNoFace}
		return nil, nil
	}
	found, hits, err := s.seeks.Galleries.SearchFaces(ctx, rec, set, face)
	found.Consented = true
	*out.Gallery = found
	return hits, err
}

// enrol keeps the face of somebody who agreed to it, and reports whether they did. What is kept of somebody who did not, as they changed
// their mind, goes.
func (s *Service) enrol(ctx context.Context, rec session.Record, set idv.GallerySettings, face session.FaceTemplate, have bool) (may bool, err error) {
	return may, s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		now, err := tx.Lock(ctx, rec.ID)
		if err != nil {
			return err
		}
		if err := now.CheckNotErased(session.ScopePictures); err != nil {
			return err
		}
		answers, err := tx.Consents(ctx, rec.ID)
		if err != nil {
			return err
		}
		may, _ = session.MayCompareFace(answers)
		may = may && !now.FaceDeclined
		return session.EndingFaceEntries(ctx, tx, rec.ID, func() error {
			if !may || !have {
				_, err := tx.DropFace(ctx, rec.ID)
				return err
			}
			return tx.EnrolFace(ctx, now, set, face)
		})
	})
}

// gatherFaces adds the sessions whose faces are alike to those that have something else in common.
func (s *Service) gatherFaces(ctx context.Context, read session.Reader, rec session.Record, out *idv.Seen, found []session.FaceHit) error {
	for _, hit := range found {
		if i := slices.IndexFunc(out.Others, func(o idv.SeenSession) bool { return o.ID == hit.Session }); i >= 0 {
			out.Others[i].Same, out.Others[i].Alike = append(out.Others[i].Same, idv.SeenByFace), hit.Alike
			continue
		}
		other, err := read.Session(ctx, hit.Session)
		if err != nil {
			return err
		}
		one, err := seenOf(ctx, read, other, session.Linked{
			Session: hit.Session, Reference: rec.ExternalReference != "" && rec.ExternalReference == other.ExternalReference,
		})
		if problem.Has(err, problem.SessionErased) {
			continue // a moment ago
		}
		if err != nil {
			return err
		}
		one.Same, one.Alike = append(one.Same, idv.SeenByFace), hit.Alike
		one.Chained = other.Follows == rec.ID || other.FollowedBy == rec.ID
		out.Others = append(out.Others, one)
	}
	return nil
}

// gatherListed adds which faces of the gallery are on the block list, and that the session's own is. It looks for nobody who did not agree.
func gatherListed(ctx context.Context, read session.Reader, rec session.Record, w idv.WorkflowVersion, now time.Time, out *idv.Seen) error {
	if out.Gallery == nil || !out.Gallery.Consented {
		return nil
	}
	own, err := read.FaceEntries(ctx, rec.ID)
	if err != nil {
		return err
	}
	for _, e := range own {
		if e.State(now) == session.BlockActive {
			out.Blocked = append(out.Blocked, idv.BlockedBy{Entry: e.ID, Kind: idv.BlockFace})
		}
	}
	out.Listed, err = read.ListedFaces(ctx, rec, w.Seen.Gallery, now)
	return err
}
