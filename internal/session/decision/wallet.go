package decision

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// standWallet notes what the answer of a wallet counts for. If it replaces the photographs of a document, those are no longer due, and a
// session that waits for nothing else is submitted.
func (s *Service) standWallet(ctx context.Context, tx session.Tx, rec *session.Record, x idv.Extraction) error {
	standing := idv.WalletNoGood
	all, err := tx.Workflow(ctx, rec.Workflow)
	if err != nil {
		return err
	}
	before := rec.Session
	rec.Wallet = idv.NoWallet // what the workflow asks for does not depend on an earlier answer
	for _, a := range x.Artifacts {
		if a.Kind != idv.ArtifactWallet || !a.Present {
			continue
		}
		found, err := idv.ValueOf[idv.Wallet](a)
		if err != nil {
			return err
		}
		standing = all.For(rec.Session).StandingOf(found, hasPortrait(x))
	}
	rec.Wallet = standing
	t, err := s.planned(ctx, tx, *rec, all.For(rec.Session))
	if err != nil {
		return err
	}
	rec.Due = t.Step
	if err := s.life.Save(ctx, tx, rec, before, session.EventWalletChecked, map[string]any{"counts": standing}); err != nil {
		return err
	}
	if rec.State != idv.Capturing || t.State != idv.TaskWait {
		return nil
	}
	rec.SubmittedAt = s.life.Now()
	return s.life.Move(ctx, tx, rec, idv.Submitted, nil)
}

func hasPortrait(x idv.Extraction) bool {
	return slices.ContainsFunc(x.Artifacts, func(a idv.Artifact) bool { return a.Kind == idv.ArtifactPortraitTemplate && a.Present })
}

// planned is what comes next for the applicant.
func (s *Service) planned(ctx context.Context, tx session.Tx, rec session.Record, w idv.WorkflowVersion) (idv.Task, error) {
	captures, err := tx.Captures(ctx, rec.ID)
	if err != nil {
		return idv.Task{}, err
	}
	var have []idv.Capture
	for _, c := range session.Active(captures) {
		have = append(have, c.Capture)
	}
	return flow.Plan(rec.Session, w, have), nil
}
