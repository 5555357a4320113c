package decision

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// lookBack gathers what is known beyond a session. What it is found by itself is committed first: of two sessions that are judged at
// once, one at least sees the other. Test personas are in nobody's way, and look at nothing.
func (s *Service) lookBack(ctx context.Context, rec session.Record, w idv.WorkflowVersion, ev session.Evidence, have []idv.Check) (*idv.Seen, error) {
	if rec.Persona != "" {
		return &idv.Seen{Sought: []idv.MarkKind{idv.MarkDocument, idv.MarkPerson}, Velocity: &idv.VelocityCounts{Known: true}}, nil
	}
	if !session.LooksBack(w) { // where it was opened is all that is asked
		out := &idv.Seen{}
		return out, originOf(ctx, s.store.Together(), rec, out)
	}
	report, err := flow.Report(w, ev.ForChecks(rec, w, s.life.Now()), have)
	if err != nil {
		return nil, err
	}
	marks := session.MarksOf(report)
	err = s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		now, err := tx.Lock(ctx, rec.ID)
		if err != nil {
			return err
		}
		if err := now.CheckNotErased(session.ScopeAll); err != nil {
			return err
		}
		return tx.KeepMarks(ctx, now, []idv.MarkKind{idv.MarkDocument, idv.MarkPerson}, marks)
	})
	if err != nil {
		return nil, err
	}
	out := &idv.Seen{}
	found, err := s.lookForFace(ctx, rec, w, ev, out)
	if err != nil {
		return nil, err
	}
	for _, m := range marks {
		if !slices.Contains(out.Sought, m.Kind) {
			out.Sought = append(out.Sought, m.Kind)
		}
	}
	out.Names, out.Births = session.PersonOf(report.Claims)
	read := s.store.Together()
	if err := s.gather(ctx, read, rec, out); err != nil {
		return nil, err
	}
	if err := s.gatherFaces(ctx, read, rec, out, found); err != nil {
		return nil, err
	}
	for _, d := range ev.Links {
		for i := range out.Others {
			if out.Others[i].ID == d.Other(rec.ID) {
				out.Others[i].NotSame = d.Cleared()
			}
		}
	}
	if out.Blocked, err = read.BlockedBy(ctx, rec.ID, s.life.Now()); err != nil {
		return nil, err
	}
	if err := gatherListed(ctx, read, rec, w, s.life.Now(), out); err != nil {
		return nil, err
	}
	n, err := read.Velocity(ctx, rec.ID, s.life.Now())
	if err != nil {
		return nil, err
	}
	out.Velocity = &n
	return out, originOf(ctx, read, rec, out)
}

// originOf reads what was known of the network when the session was opened.
func originOf(ctx context.Context, read session.Reader, rec session.Record, out *idv.Seen) error {
	o, kept, err := read.Origin(ctx, rec.ID)
	if err != nil {
		return err
	}
	if !kept {
		o = idv.UnreadOrigin(idv.OriginNoAddress)
	}
	out.Origin = &o
	return nil
}

// gather reads the other sessions that have something in common with one.
func (s *Service) gather(ctx context.Context, read session.Reader, rec session.Record, out *idv.Seen) error {
	linked, all, err := read.Elsewhere(ctx, rec.ID, idv.MostSeen)
	if err != nil {
		return err
	}
	out.More = all - len(linked)
	for _, l := range linked {
		other, err := read.Session(ctx, l.Session)
		if err != nil {
			return err
		}
		one, err := seenOf(ctx, read, other, l)
		if problem.Has(err, problem.SessionErased) {
			continue // a moment ago
		}
		if err != nil {
			return err
		}
		one.Chained = other.Follows == rec.ID || other.FollowedBy == rec.ID
		out.Others = append(out.Others, one)
	}
	return nil
}

// seenOf reads what another session is compared by.
func seenOf(ctx context.Context, read session.Reader, other session.Record, l session.Linked) (idv.SeenSession, error) {
	out := idv.SeenSession{
		ID: other.ID, SameReference: l.Reference, State: other.Verdict(), Outcome: other.Outcome, CreatedAt: other.CreatedAt, Same: []idv.SeenBy{},
	}
	for _, one := range []struct {
		is bool
		by idv.SeenBy
	}{{l.Document, idv.SeenByDocument}, {l.Person, idv.SeenByPerson}, {l.Picture, idv.SeenByPicture}} {
		if one.is {
			out.Same = append(out.Same, one.by)
		}
	}
	ev, err := session.LoadEvidence(ctx, read, other.ID)
	if err != nil {
		return out, err
	}
	shown := ev.ForChecks(other, idv.WorkflowVersion{}, other.CreatedAt)
	out.Kind = shown.ShownKind()
	out.Names, out.Births = session.PersonOf(shown.Claims)
	out.Faces = slices.DeleteFunc(slices.Clone(ev.Artifacts), func(a idv.Artifact) bool {
		return a.Kind != idv.ArtifactSelfieTemplate && a.Kind != idv.ArtifactPortraitTemplate
	})
	return out, nil
}

// saveSeen keeps which other sessions a report names, so that a reviewer finds them from both ends.
func (s *Service) saveSeen(ctx context.Context, tx session.Tx, rec session.Record, report idv.Report) error {
	var others []idv.SeenOther
	asked := false
	for _, c := range report.Checks {
		asked = asked || c.Kind.AboutSeen()
		if c.Finding == nil || c.Finding.Seen == nil {
			continue
		}
		for _, o := range c.Finding.Seen.Others {
			i := slices.IndexFunc(others, func(x idv.SeenOther) bool { return x.Session == o.Session })
			if i < 0 {
				others = append(others, o)
				continue
			}
			others[i].Refers = others[i].Refers || o.Refers
			if others[i].Face == "" {
				others[i].Face = o.Face
			}
		}
	}
	if !asked {
		return nil
	}
	before, err := tx.LinksOf(ctx, rec.ID)
	if err != nil {
		return err
	}
	if err := tx.PutLinks(ctx, rec, others); err != nil {
		return err
	}
	return s.life.AnnounceLinks(ctx, tx, rec.ID, before, others)
}
