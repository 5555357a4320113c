package review

import (
	"cmp"
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

func compareIDs(a, b idv.UserID) int { return cmp.Compare(a, b) }

// qualitySpan is how far back second looks are counted.
const qualitySpan = 90 * 24 * time.Hour

// QualityStore keeps which approvals were drawn for a second look.
type QualityStore interface {
	session.QualityReader
	// Records reads several sessions at once; those that are not there are left out.
	Records(ctx context.Context, ids []idv.SessionID) (map[idv.SessionID]session.Record, error)
	Workflow(ctx context.Context, id idv.WorkflowVersionID) (idv.WorkflowVersion, error)
	// InTx runs f in one transaction. An error from f undoes everything.
	InTx(ctx context.Context, f func(ctx context.Context, tx session.Tx) error) error
}

// Quality is the second look at a sample of approvals. What it finds is counted, and changes no decision: whoever may overrule
// changes the decision of the session itself.
type Quality struct {
	life  *session.Lifecycle
	store QualityStore
}

// NewQuality returns Quality.
func NewQuality(life *session.Lifecycle, st QualityStore) *Quality {
	return &Quality{life: life, store: st}
}

// QualityView is an approval that was drawn, with its session.
type QualityView struct {
	Review idv.QualityReview
	session.View
}

// Finding is what somebody found at a second look.
type Finding struct {
	Verdict idv.QualityVerdict
	Reasons []string // with disagree, at least one: codes of Reasonable
	Note    string
}

// List reads approvals that were drawn, and counts them: those that wait, and what was found in the last 90 days.
func (s *Quality) List(ctx context.Context, f session.QualityFilter) ([]QualityView, session.QualityCounts, error) {
	if f.Limit <= 0 {
		f.Limit = session.DefaultPage
	}
	f.Limit = min(f.Limit, session.MaxPage)
	counts, err := s.store.CountQuality(ctx, f.Mode, s.life.Now().Add(-qualitySpan))
	if err != nil {
		return nil, counts, err
	}
	rows, err := s.store.QualityReviews(ctx, f)
	if err != nil {
		return nil, counts, err
	}
	views, err := s.views(ctx, rows)
	return views, counts, err
}

func (s *Quality) views(ctx context.Context, rows []idv.QualityReview) ([]QualityView, error) {
	ids := make([]idv.SessionID, len(rows))
	for i, q := range rows {
		ids[i] = q.Session
	}
	recs, err := s.store.Records(ctx, ids)
	if err != nil {
		return nil, err
	}
	out := make([]QualityView, 0, len(rows))
	for _, q := range rows {
		rec, ok := recs[q.Session]
		if !ok {
			continue
		}
		w, err := s.store.Workflow(ctx, q.Workflow)
		if err != nil {
			return nil, err
		}
		out = append(out, QualityView{Review: q, View: session.View{Session: rec.Session, Workflow: w}})
	}
	return out, nil
}

// Of reads what was drawn of a session. Problems: not_found.
func (s *Quality) Of(ctx context.Context, id idv.SessionID) (idv.QualityReview, error) {
	return s.store.QualityReview(ctx, id)
}

// Settle writes what somebody found. Problems: not_found; case.conflict where somebody else looked first; auth.forbidden for one's own
// approval; session.erased; request.malformed.
func (s *Quality) Settle(ctx context.Context, id idv.SessionID, who Reviewer, f Finding) (QualityView, error) {
	if err := f.check(); err != nil {
		return QualityView{}, err
	}
	var q idv.QualityReview
	_, err := s.life.Change(ctx, "", id, func(ctx context.Context, tx session.Tx, rec *session.Record, _ idv.WorkflowVersion) error {
		var err error
		if q, err = tx.QualityReview(ctx, id); err != nil {
			return err
		}
		switch {
		case !rec.ErasedAt.IsZero():
			return problem.New(problem.SessionErased)
		case !q.At.IsZero():
			return problem.New(problem.CaseConflict).Saying("%s looked at it at %s.", q.By, clock(q.At))
		case q.DecidedBy == string(who.ID):
			return problem.New(problem.AuthForbidden).Saying("You approved it yourself; somebody else takes the second look.")
		}
		q.By, q.Verdict, q.Reasons, q.Note, q.At = who.ID, f.Verdict, f.Reasons, f.Note, s.life.Now()
		if q.Reasons == nil {
			q.Reasons = []string{}
		}
		if err := tx.SaveQualityReview(ctx, q); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "quality." + string(f.Verdict), Session: id, Subject: string(q.Decision)})
	})
	if err != nil {
		return QualityView{}, err
	}
	views, err := s.views(ctx, []idv.QualityReview{q})
	if err != nil || len(views) == 0 {
		return QualityView{}, err
	}
	return views[0], nil
}

// check refuses what nobody can find, and brings the note into form.
func (f *Finding) check() error {
	var err error
	if f.Note, err = note(f.Note); err != nil {
		return err
	}
	switch {
	case f.Verdict != idv.Agree && f.Verdict != idv.Disagree:
		return session.Malformed("/verdict", "agree or disagree")
	case f.Verdict == idv.Agree && len(f.Reasons) > 0:
		return session.Malformed("/reasons", "none with agree")
	case f.Verdict == idv.Disagree && len(f.Reasons) == 0:
		return session.Malformed("/reasons", "why it should have been declined: at least one")
	}
	return checkReasons(f.Reasons)
}
