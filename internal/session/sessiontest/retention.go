package sessiontest

import (
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// retentionReader reads holds, erasures and what was kept long enough.
type retentionReader struct{ view }

func (r retentionReader) Retention(context.Context) (idv.RetentionSetting, error) {
	return r.at().retention, nil
}

func (r retentionReader) RetentionRuns(context.Context) (session.RetentionRuns, error) {
	return r.at().runs, nil
}

// erasable lists the sessions of versions that are final, not held and have something to erase, the longest untouched first.
func (r retentionReader) erasable(of []idv.WorkflowVersionID, scope session.Scope) []session.Record {
	rows := r.at().records(func(rec session.Record) bool {
		return slices.Contains(of, rec.Workflow) && rec.State.Final() && rec.HeldAt.IsZero() && rec.CheckNotErased(scope) == nil
	})
	return sortedBy(rows, func(rec session.Record) int64 { return rec.TouchedAt.UnixMicro() })
}

func (r retentionReader) DueSessions(_ context.Context, d session.Due) ([]idv.SessionID, error) {
	out := []idv.SessionID{}
	for _, rec := range r.erasable([]idv.WorkflowVersionID{d.Workflow}, d.Scope) {
		if !rec.TouchedAt.After(d.Before) && len(out) < d.Limit {
			out = append(out, rec.ID)
		}
	}
	return out, nil
}

func (r retentionReader) CountDue(_ context.Context, of []idv.WorkflowVersionID, scope session.Scope, before []time.Time) ([]int, error) {
	out := make([]int, len(before))
	for _, rec := range r.erasable(of, scope) {
		for i, at := range before {
			if !rec.TouchedAt.After(at) {
				out[i]++
			}
		}
	}
	return out, nil
}

func (r retentionReader) CountEntries(_ context.Context, before []time.Time) ([]int, error) {
	t := r.at()
	out := make([]int, len(before))
	for i, at := range before {
		witness := t.witness(at)
		out[i] = len(where(t.audited, func(a Audited) bool { return a.Position >= 0 && a.Position < witness && !t.held(a.Session) }))
	}
	return out, nil
}

// witness is the position of the last of the entries that begin the log and were all made before a time.
func (t *tables) witness(before time.Time) int64 {
	younger := t.checkpoint.Size
	for _, a := range t.audited {
		if a.Position >= 0 && !a.At.Before(before) {
			younger = min(younger, a.Position)
		}
	}
	return max(younger-1, 0)
}

func (t *tables) held(id idv.SessionID) bool { return !t.sessions[id].HeldAt.IsZero() }

func (r retentionReader) Holds(_ context.Context, id idv.SessionID) ([]session.Hold, error) {
	return where(r.at().holds, func(h session.Hold) bool { return h.Session == id }), nil
}

func (r retentionReader) StandingHolds(_ context.Context, after idv.SessionID, limit int) ([]session.Hold, error) {
	rows := where(r.at().holds, func(h session.Hold) bool { return h.LiftedAt.IsZero() && (after == "" || h.Session < after) })
	sortedBy(rows, func(h session.Hold) idv.SessionID { return h.Session })
	slices.Reverse(rows)
	return upTo(rows, limit), nil
}

func (r retentionReader) CountHolds(context.Context) (int, error) {
	return len(where(r.at().holds, func(h session.Hold) bool { return h.LiftedAt.IsZero() })), nil
}

func (r retentionReader) Erasures(_ context.Context, id idv.SessionID) ([]session.Erasure, error) {
	rows := where(r.at().erasures, func(e session.Erasure) bool { return e.Session == id })
	for i := range rows {
		rows[i].Traces = nil
	}
	return rows, nil
}

// Unfinished implements session.Cleaner.
func (s *Store) Unfinished(_ context.Context, before time.Time, limit int) ([]idv.SessionID, error) {
	out := []idv.SessionID{}
	for _, e := range s.at().erasures {
		if e.FinishedAt.IsZero() && e.ErasedAt.Before(before) && !slices.Contains(out, e.Session) && len(out) < limit {
			out = append(out, e.Session)
		}
	}
	return out, nil
}

// Clean implements session.Cleaner.
func (s *Store) Clean(ctx context.Context, ids []idv.SessionID) error {
	err := s.change(ctx, func(ctx context.Context, t *tx) error {
		unfinished := func(e session.Erasure) bool { return slices.Contains(ids, e.Session) && e.FinishedAt.IsZero() }
		for _, e := range where(t.next.erasures, unfinished) {
			for _, name := range s.pictures.Names(e.Session) {
				if err := s.pictures.Delete(ctx, name); err != nil {
					return err
				}
			}
		}
		update(t.next.erasures, unfinished, func(e *session.Erasure) { e.FinishedAt, e.Traces = s.now(), nil })
		return nil
	})
	if err != nil {
		return err
	}
	return s.Sequence(ctx)
}

// eraser erases and holds.
type eraser struct{ *base }

func (w eraser) SetRetention(_ context.Context, r idv.RetentionSetting) error {
	w.next.retention = r
	return nil
}

func (w eraser) SetRetentionRuns(_ context.Context, r session.RetentionRuns) error {
	w.next.runs = r
	return nil
}

func (w eraser) SetHold(_ context.Context, h session.Hold) error {
	if err := w.next.open(h.Session, session.ScopeAll); err != nil {
		return err
	}
	w.next.holds = append(w.next.holds, h)
	return w.hold(h.Session, h.SetAt)
}

func (w eraser) LiftHold(_ context.Context, id idv.SessionID, by string, at time.Time) error {
	update(w.next.holds, func(h session.Hold) bool { return h.Session == id && h.LiftedAt.IsZero() }, func(h *session.Hold) {
		h.LiftedBy, h.LiftedAt = by, at
	})
	return w.hold(id, time.Time{})
}

// hold notes in a session since when it is held, and leaves its age as it is.
func (w eraser) hold(id idv.SessionID, at time.Time) error {
	rec, err := w.next.record(id)
	if err != nil {
		return err
	}
	rec.HeldAt, rec.Version = at, rec.Version+1
	w.next.sessions[id] = rec
	return nil
}

func (w eraser) AddErasure(_ context.Context, e session.Erasure) error {
	w.next.erasures = append(w.next.erasures, e)
	return nil
}
