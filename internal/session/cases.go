package session

import (
	"cmp"
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// The events of a case. Webhooks send case.opened and case.closed; the others are for the timeline and the queue.
const (
	EventCaseOpened      EventType = "case.opened"
	EventCaseClosed      EventType = "case.closed"
	EventCaseClaimed     EventType = "case.claimed"
	EventCaseReleased    EventType = "case.released"
	EventCaseReviewed    EventType = "case.reviewed" // approved by the first of two
	EventCaseNoted       EventType = "case.noted"
	EventCaseCorrected   EventType = "case.corrected" // a fact; its values are personal and not in the event
	EventDecisionChanged EventType = "session.decision_changed"
)

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
	Sort  CaseSort   // the most urgent first where it is empty
	After string     // cursor of the page before, of the same Sort
	CaseNarrowing
}

// CaseNarrowing leaves out cases of a tab. Zero fields do not narrow.
type CaseNarrowing struct {
	Workflow  string     // name, whatever the version
	Reason    string     // code for which it was referred
	Countries []string   // issuing states, in every notation under which they are kept
	Assignee  idv.UserID // who holds it
	Nobody    bool       // only what nobody holds
	Overdue   bool       // only what is past its target
}

// CaseCounts are the sizes of the tabs.
type CaseCounts struct {
	Unclaimed, Mine, All int
}

// OpenCase makes the case of a session that was referred. It is due by the workflow's own target, where it has one.
func (l *Lifecycle) OpenCase(ctx context.Context, tx Tx, rec Record, w idv.WorkflowVersion, d idv.Decision) error {
	now := l.Now()
	id, err := idv.NewID[idv.CaseID](now, l.random)
	if err != nil {
		return err
	}
	c := idv.Case{
		ID: id, Session: rec.ID, Mode: rec.Mode, Workflow: rec.Workflow, State: idv.CaseOpen, Reasons: ReasonCodes(d.Reasons),
		Report: d.Digest, OpenedAt: now, DueAt: now.Add(cmp.Or(w.CaseTarget, l.caseTarget)),
	}
	if err := tx.AddCase(ctx, c); err != nil {
		return err
	}
	if err := l.AssignSoon(ctx, tx, c.Mode); err != nil {
		return err
	}
	return l.NotifyCase(ctx, tx, c, EventCaseOpened, map[string]any{"reasons": c.Reasons})
}

// closeCase ends the case of a session that no longer waits for a person.
func (l *Lifecycle) closeCase(ctx context.Context, tx Tx, rec Record, why idv.SessionEvent) error {
	c, err := tx.CaseOf(ctx, rec.ID)
	if problem.Has(err, problem.NotFound) || (err == nil && c.State == idv.CaseClosed) {
		return nil
	}
	if err != nil {
		return err
	}
	if err := MoveCase(&c, idv.CaseSettled); err != nil {
		return err
	}
	c.ClosedAt, c.ClaimedUntil = l.Now(), time.Time{}
	if err := tx.SaveCase(ctx, c); err != nil {
		return err
	}
	if err := l.AssignSoon(ctx, tx, c.Mode); err != nil { // its holder has room for another
		return err
	}
	return l.NotifyCase(ctx, tx, c, EventCaseClosed, map[string]any{"event": why, "outcome": rec.Outcome})
}

// MoveCase applies an event to a case. What the table of moves does not list is case.conflict.
func MoveCase(c *idv.Case, event idv.CaseEvent) error {
	to, ok := c.State.Next(event)
	if !ok {
		return problem.New(problem.CaseConflict)
	}
	c.State = to
	return nil
}

// NotifyCase writes the audit entry and the event of a case.
func (l *Lifecycle) NotifyCase(ctx context.Context, tx Tx, c idv.Case, typ EventType, more map[string]any) error {
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
	return l.Notify(ctx, tx, c.Session, typ, payload)
}

// QueueTopic is the topic to watch for changes of any case. It cannot be the id of a session.
const QueueTopic = idv.SessionID("cases")
