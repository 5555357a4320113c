package sessiontest

import (
	"context"
	"crypto/rand"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// AddWorkflow keeps a version of a workflow, and returns it with its ids.
func (s *Store) AddWorkflow(w idv.WorkflowVersion) idv.WorkflowVersion {
	err := s.change(context.Background(), func(_ context.Context, t *tx) error {
		var err error
		if w.ID, err = idv.NewID[idv.WorkflowVersionID](s.now(), rand.Reader); err != nil {
			return err
		}
		if w.Workflow, err = idv.NewID[idv.WorkflowID](s.now(), rand.Reader); err != nil {
			return err
		}
		t.next.workflows = append(t.next.workflows, w)
		return nil
	})
	if err != nil {
		panic(err) // crypto/rand does not fail
	}
	return w
}

// Audited lists the entries of the audit log that are about a session, in the order of writing; all for "".
func (s *Store) Audited(id idv.SessionID) []Audited {
	return where(s.at().audited, func(a Audited) bool { return id == "" || a.Session == id })
}

// Facts lists what statistics keep of the decisions of a session.
func (s *Store) Facts(id idv.SessionID) []session.Facts {
	return where(s.at().facts, func(f session.Facts) bool { return f.Session == id })
}

// Jobs lists the jobs that wait, in the order of enqueueing.
func (s *Store) Jobs() []Job { return where(s.at().jobs, func(j Job) bool { return !j.Done }) }

// Forget loses the jobs that wait, as a queue that is broken does.
func (s *Store) Forget() {
	s.edit(func(t *tables) { t.jobs = nil })
}

// EndJob marks a job as done.
func (s *Store) EndJob(seq int) {
	s.edit(func(t *tables) {
		update(t.jobs, func(j Job) bool { return j.Seq == seq }, func(j *Job) { j.Done = true })
	})
}

// EditSession changes a record as no use case does: a test forges what somebody with access to the database could.
func (s *Store) EditSession(id idv.SessionID, f func(*session.Record)) {
	s.edit(func(t *tables) {
		rec := copyRecord(t.sessions[id])
		f(&rec)
		t.sessions[id] = rec
	})
}

// EditChallenges changes the challenges of a session, as EditSession does.
func (s *Store) EditChallenges(id idv.SessionID, f func(*session.ChallengeRow)) {
	s.edit(func(t *tables) { update(t.challenges, func(c session.ChallengeRow) bool { return c.Session == id }, f) })
}

func (s *Store) edit(f func(*tables)) {
	s.writer.Lock()
	defer s.writer.Unlock()
	next := s.current.Load().clone()
	f(next)
	s.current.Store(next)
}

// EventTypes lists the types of a session's events, in the order of writing.
func (s *Store) EventTypes(id idv.SessionID) []session.EventType {
	out := []session.EventType{}
	for _, e := range slices.Clone(s.at().events) {
		if e.Session == id {
			out = append(out, e.Type)
		}
	}
	return out
}
