package review

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/icao"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Limits of review, unless Options say otherwise.
const (
	DefaultClaimLife = 20 * time.Minute // a claim ends then, unless its holder does something
	MaxNote          = 2000             // characters
	MaxReasons       = 10
)

// Reviewer is a member who acts on cases. The caller must have checked that they may.
type Reviewer struct {
	ID        idv.UserID
	Overrules bool // may give a second approval, take cases from others and change final decisions
}

// CaseView is a case with its session.
type CaseView struct {
	Case idv.Case
	session.View
}

// caseFunc changes a case within a transaction. It holds the lock of the case's session.
type caseFunc func(ctx context.Context, tx session.Tx, c *idv.Case, rec *session.Record, w idv.WorkflowVersion) error

// changeCase runs f under the lock of a case's session, and answers the case as it is afterwards.
func (s *Queue) changeCase(ctx context.Context, id idv.CaseID, f caseFunc) (CaseView, error) {
	found, err := s.store.Case(ctx, id)
	if err != nil {
		return CaseView{}, err
	}
	var out CaseView
	err = s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, found.Session)
		if err != nil {
			return err
		}
		c, err := tx.Case(ctx, id)
		if err != nil {
			return err
		}
		w, err := session.WorkflowOf(ctx, tx, rec)
		if err != nil {
			return err
		}
		if err := f(ctx, tx, &c, &rec, w); err != nil {
			return err
		}
		out.View = session.View{Session: rec.Session, Workflow: w}
		out.Case, err = tx.Case(ctx, id)
		return err
	})
	return out, err
}

// Case reads a case with its session. Problems: not_found.
func (s *Queue) Case(ctx context.Context, id idv.CaseID) (CaseView, error) {
	c, err := s.store.Case(ctx, id)
	if err != nil {
		return CaseView{}, err
	}
	v, err := s.life.View(ctx, c.Mode, c.Session)
	return CaseView{Case: c, View: v}, err
}

// CaseOf reads a session's newest case. Problems: not_found where it never waited for a person.
func (s *Queue) CaseOf(ctx context.Context, id idv.SessionID) (idv.Case, error) {
	return s.store.CaseOf(ctx, id)
}

// Reviews reads what was said about a session's cases, oldest first.
func (s *Queue) Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error) {
	return s.store.Reviews(ctx, id)
}

// Cases reads a page of the review queue, the most urgent first unless the filter says otherwise, the cursor of the next page ("" at the end), and the sizes
// of the tabs.
func (s *Queue) Cases(ctx context.Context, f session.CaseFilter) ([]CaseView, string, session.CaseCounts, error) {
	if f.Limit <= 0 {
		f.Limit = session.DefaultPage
	}
	f.Limit, f.Now = min(f.Limit, session.MaxPage), s.life.Now()
	if err := checkNarrowing(&f.CaseNarrowing); err != nil {
		return nil, "", session.CaseCounts{}, err
	}
	if _, ok := f.Sort.Parse(f.After); f.After != "" && !ok {
		return nil, "", session.CaseCounts{}, session.Malformed("after", "it is the cursor of the page before")
	}
	counts, err := s.store.CountCases(ctx, f)
	if err != nil {
		return nil, "", counts, err
	}
	most := f.Limit
	f.Limit++
	cases, err := s.store.Cases(ctx, f)
	if err != nil {
		return nil, "", counts, err
	}
	next := ""
	if len(cases) > most {
		cases = cases[:most]
		next = f.Sort.CursorOf(cases[most-1])
	}
	views, err := s.caseViews(ctx, cases)
	return views, next, counts, err
}

// checkNarrowing refuses what no case can match, and returns issuing states in every notation under which they are kept.
func checkNarrowing(n *session.CaseNarrowing) error {
	if _, ok := problem.Lookup(n.Reason); n.Reason != "" && !ok {
		return session.Malformed("reason", "the catalogue has no such code")
	}
	if _, ok := idv.ParseID[idv.UserID](string(n.Assignee)); n.Assignee != "" && !ok {
		return session.Malformed("assignee", "it is the id of a member, or nobody")
	}
	for _, code := range n.Countries {
		state, ok := icao.StateByCode(code)
		if !ok {
			return session.Malformed("country", "no state has this code (ICAO 9303-3 §5)")
		}
		n.Countries = state.Codes()
	}
	return nil
}

func (s *Queue) caseViews(ctx context.Context, cases []idv.Case) ([]CaseView, error) {
	ids := make([]idv.SessionID, len(cases))
	for i, c := range cases {
		ids[i] = c.Session
	}
	recs, err := s.store.Records(ctx, ids)
	if err != nil {
		return nil, err
	}
	seen := map[idv.WorkflowVersionID]idv.WorkflowVersion{}
	out := make([]CaseView, 0, len(cases))
	for _, c := range cases {
		rec, ok := recs[c.Session]
		if !ok {
			continue
		}
		w, ok := seen[rec.Workflow]
		if !ok {
			if w, err = s.store.Workflow(ctx, rec.Workflow); err != nil {
				return nil, err
			}
			seen[rec.Workflow] = w
		}
		out = append(out, CaseView{Case: c, View: session.View{Session: rec.Session, Workflow: w.For(rec.Session)}})
	}
	return out, nil
}

// CountCases returns the sizes of the queue's tabs for a reviewer.
func (s *Queue) CountCases(ctx context.Context, mode idv.Mode, who idv.UserID) (session.CaseCounts, error) {
	return s.store.CountCases(ctx, session.CaseFilter{Mode: mode, Who: who, Now: s.life.Now()})
}

// WatchCases wakes on anything that happens to a case until stop is called.
func (s *Queue) WatchCases() (wake <-chan struct{}, stop func()) {
	return s.store.Watch(session.QueueTopic)
}

// addReview saves a review and raises the version of the case, so that rulings on an older basis are refused.
func (s *Queue) addReview(ctx context.Context, tx session.Tx, c *idv.Case, who Reviewer, r idv.Review) error {
	var err error
	if r.ID, err = idv.NewID[idv.ReviewID](s.life.Now(), s.life.Random()); err != nil {
		return err
	}
	r.Case, r.Session, r.By, r.Report, r.At = c.ID, c.Session, who.ID, c.Report, s.life.Now()
	if err := tx.AddReview(ctx, r); err != nil {
		return err
	}
	c.Version++
	return tx.SaveCase(ctx, *c)
}
