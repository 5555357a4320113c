package session

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Limits of review, unless Options say otherwise (PRODUCT §9).
const (
	DefaultClaimLife  = 20 * time.Minute // a claim ends then, unless its holder does something
	DefaultCaseTarget = 4 * time.Hour    // within which a case should be decided
	MaxNote           = 2000             // characters
	MaxReasons        = 10
)

// The events of a case. The outside is told of case.opened and case.closed; the others are for the timeline and for
// whoever watches the queue.
const (
	EventCaseOpened      EventType = "case.opened"
	EventCaseClosed      EventType = "case.closed"
	EventCaseClaimed     EventType = "case.claimed"
	EventCaseReleased    EventType = "case.released"
	EventCaseReviewed    EventType = "case.reviewed" // approved by the first of two
	EventCaseNoted       EventType = "case.noted"
	EventDecisionChanged EventType = "session.decision_changed"
)

// Reviewer is who acts on cases. Whether they may at all was asked before.
type Reviewer struct {
	ID        idv.UserID
	Overrules bool // may give a second approval, take cases from others and change final decisions
}

// CaseTab is a part of the review queue.
type CaseTab string

// The tabs.
const (
	Unclaimed CaseTab = "unclaimed"
	Mine      CaseTab = "mine"
	AllCases  CaseTab = "all"
)

// CaseFilter narrows the review queue, which holds no closed cases.
type CaseFilter struct {
	Mode  idv.Mode
	Tab   CaseTab
	Who   idv.UserID // whose cases Mine are
	Now   time.Time  // claims that have run out by then do not count
	Limit int        // 1 to 100; 0 for 25
	After idv.CaseID // the last of the page before
}

// CaseCounts are the sizes of the tabs.
type CaseCounts struct {
	Unclaimed, Mine, All int
}

// CaseView is a case with its session.
type CaseView struct {
	Case idv.Case
	View
}

// CaseReader reads cases.
type CaseReader interface {
	Case(ctx context.Context, id idv.CaseID) (idv.Case, error)
	// CaseOf answers a session's newest case.
	CaseOf(ctx context.Context, id idv.SessionID) (idv.Case, error)
	// Cases lists those that are not closed, the most urgent first.
	Cases(ctx context.Context, f CaseFilter) ([]idv.Case, error)
	CountCases(ctx context.Context, f CaseFilter) (CaseCounts, error)
	// LapsedCases lists those whose claim has run out by now, at most limit.
	LapsedCases(ctx context.Context, now time.Time, limit int) ([]idv.CaseID, error)
	// Reviews lists what was said about a session's cases, oldest first. Of an erased session the notes are gone.
	Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error)
	// Records reads several sessions at once; those that are not there are left out.
	Records(ctx context.Context, ids []idv.SessionID) (map[idv.SessionID]Record, error)
}

// CaseWriter writes cases. Whoever does holds the lock of the session, so that of two the second sees what the first did.
type CaseWriter interface {
	AddCase(ctx context.Context, c idv.Case) error
	SaveCase(ctx context.Context, c idv.Case) error
	AddReview(ctx context.Context, r idv.Review) error
}

// openCase makes the case of a session that was referred.
func (s *Service) openCase(ctx context.Context, tx Tx, rec Record, d idv.Decision) error {
	now := s.now()
	id, err := idv.NewID[idv.CaseID](now, s.random)
	if err != nil {
		return err
	}
	c := idv.Case{
		ID: id, Session: rec.ID, Mode: rec.Mode, Workflow: rec.Workflow, State: idv.CaseOpen, Reasons: codes(d.Reasons),
		Report: d.Digest, OpenedAt: now, DueAt: now.Add(s.caseTarget),
	}
	if err := tx.AddCase(ctx, c); err != nil {
		return err
	}
	return s.tellCase(ctx, tx, c, EventCaseOpened, map[string]any{"reasons": c.Reasons})
}

// closeCase ends the case of a session that no longer waits for a person.
func (s *Service) closeCase(ctx context.Context, tx Tx, rec Record, why idv.SessionEvent) error {
	c, err := tx.CaseOf(ctx, rec.ID)
	if problem.Has(err, problem.NotFound) || (err == nil && c.State == idv.CaseClosed) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := moveCase(&c, idv.CaseSettled); err != nil {
		return err
	}
	c.ClosedAt, c.ClaimedUntil = s.now(), time.Time{}
	if err := tx.SaveCase(ctx, c); err != nil {
		return err
	}
	return s.tellCase(ctx, tx, c, EventCaseClosed, map[string]any{"event": why, "outcome": rec.Outcome})
}

// moveCase applies an event to a case. What the table of moves does not list is case.conflict.
func moveCase(c *idv.Case, event idv.CaseEvent) error {
	to, ok := c.State.Next(event)
	if !ok {
		return problem.New(problem.CaseConflict)
	}
	c.State = to
	return nil
}

// tellCase writes the audit entry and the event of a case.
func (s *Service) tellCase(ctx context.Context, tx Tx, c idv.Case, typ EventType, more map[string]any) error {
	if err := tx.Audit(ctx, audit.Record{Action: string(typ), Session: c.Session, Subject: string(c.ID), After: c}); err != nil {
		return err
	}
	payload := map[string]any{"case": c.ID}
	for k, v := range more {
		payload[k] = v
	}
	if by := audit.ActorFrom(ctx); by.Kind == audit.User {
		payload["by"] = by.ID
	}
	return s.tell(ctx, tx, c.Session, typ, payload)
}

// onCase runs f under the lock of a case's session, and answers the case as it is afterwards.
func (s *Service) onCase(ctx context.Context, id idv.CaseID, f func(context.Context, Tx, *idv.Case, *Record, idv.WorkflowVersion) error) (CaseView, error) {
	found, err := s.store.Case(ctx, id)
	if err != nil {
		return CaseView{}, err
	}
	var out CaseView
	err = s.store.InTx(ctx, func(ctx context.Context, tx Tx) error {
		rec, err := tx.Lock(ctx, found.Session)
		if err != nil {
			return err
		}
		c, err := tx.Case(ctx, id)
		if err != nil {
			return err
		}
		w, err := asked(ctx, tx, rec)
		if err != nil {
			return err
		}
		if err := f(ctx, tx, &c, &rec, w); err != nil {
			return err
		}
		out.View = View{Session: rec.Session, Workflow: w}
		out.Case, err = tx.Case(ctx, id)
		return err
	})
	return out, err
}

// Case reads a case with its session. Problems: not_found.
func (s *Service) Case(ctx context.Context, id idv.CaseID) (CaseView, error) {
	c, err := s.store.Case(ctx, id)
	if err != nil {
		return CaseView{}, err
	}
	v, err := s.Get(ctx, c.Mode, c.Session)
	return CaseView{Case: c, View: v}, err
}

// CaseOf reads a session's newest case. Problems: not_found where it never waited for a person.
func (s *Service) CaseOf(ctx context.Context, id idv.SessionID) (idv.Case, error) {
	return s.store.CaseOf(ctx, id)
}

// Reviews reads what was said about a session's cases, oldest first.
func (s *Service) Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error) {
	return s.store.Reviews(ctx, id)
}

// Cases reads a page of the review queue, the most urgent first, the cursor of the next page ("" at the end), and the sizes
// of the tabs.
func (s *Service) Cases(ctx context.Context, f CaseFilter) ([]CaseView, string, CaseCounts, error) {
	if f.Limit <= 0 {
		f.Limit = DefaultPage
	}
	f.Limit, f.Now = min(f.Limit, MaxPage), s.now()
	if _, ok := idv.ParseID[idv.CaseID](string(f.After)); f.After != "" && !ok {
		return nil, "", CaseCounts{}, malformed("after", "it is the cursor of the page before")
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
		next = string(cases[most-1].ID)
	}
	views, err := s.caseViews(ctx, cases)
	return views, next, counts, err
}

func (s *Service) caseViews(ctx context.Context, cases []idv.Case) ([]CaseView, error) {
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
		out = append(out, CaseView{Case: c, View: View{Session: rec.Session, Workflow: w.For(rec.Session)}})
	}
	return out, nil
}

// CountCases answers the sizes of the queue's tabs for somebody.
func (s *Service) CountCases(ctx context.Context, mode idv.Mode, who idv.UserID) (CaseCounts, error) {
	return s.store.CountCases(ctx, CaseFilter{Mode: mode, Who: who, Now: s.now()})
}

// WatchCases wakes on anything that happens to a case until stop is called.
func (s *Service) WatchCases() (wake <-chan struct{}, stop func()) { return s.store.Watch(QueueTopic) }

// QueueTopic is what to watch for news of any case. It has not the form of an id, so no session is called that.
const QueueTopic = idv.SessionID("cases")
