package monitor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/names"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/screening"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// batch is how many people are looked at between two notes of how far a run has come.
const batch = 200

// weekly is how often everybody under monitoring is screened.
const weekly = 7 * 24 * time.Hour

// Handle works a job: it begins the run of a list that changed, or goes on with a run.
func (m *Monitor) Handle(ctx context.Context, a job.Rescreen) error {
	if a.Run == "" {
		_, err := m.begin(ctx, Run{Kind: ListChanged, List: a.List, Before: a.Before, Version: a.After})
		return err
	}
	r, err := m.store.ScreeningRun(ctx, a.Run)
	if problem.Has(err, problem.NotFound) || err == nil && r.State == Ended {
		return nil
	}
	if err != nil {
		return err
	}
	return m.work(ctx, r)
}

// begin adds a run with its job.
func (m *Monitor) begin(ctx context.Context, r Run) (Run, error) {
	var err error
	if r.ID, err = idv.NewID[idv.ScreeningRunID](m.now(), m.random); err != nil {
		return r, err
	}
	r.State, r.StartedBy, r.StartedAt = Running, audit.ActorFrom(ctx).ID, m.now()
	if r.Kind == Everybody {
		r.People, err = m.store.CountUnscreened(ctx)
	} else {
		r.People, err = m.store.CountScreeningSubjects(ctx, time.Time{})
	}
	if err != nil {
		return r, err
	}
	added, err := m.store.AddScreeningRun(ctx, r, audit.Record{Action: "screening.run_started", Subject: string(r.ID)})
	if err == nil && !added {
		err = problem.New(problem.ScreeningRunning)
	}
	return r, err
}

// ScreenEverybody begins a run over everybody who was approved and is not under monitoring. Problems: screening.running.
func (m *Monitor) ScreenEverybody(ctx context.Context) (Run, error) {
	return m.begin(ctx, Run{Kind: Everybody})
}

// Runs returns the newest runs.
func (m *Monitor) Runs(ctx context.Context, limit int) ([]Run, error) {
	return m.store.ScreeningRuns(ctx, limit)
}

// Count returns how many people are under monitoring, and how many were approved and are not.
func (m *Monitor) Count(ctx context.Context) (monitored, unscreened int, err error) {
	if monitored, err = m.store.CountScreeningSubjects(ctx, time.Time{}); err != nil {
		return 0, 0, err
	}
	unscreened, err = m.store.CountUnscreened(ctx)
	return monitored, unscreened, err
}

// End ends the monitoring of a session. Problems: not_found where it is not under it.
func (m *Monitor) End(ctx context.Context, id idv.SessionID) error {
	ended, err := m.store.EndMonitoring(ctx, id, audit.ActorFrom(ctx).ID, m.now())
	if err == nil && !ended {
		err = problem.New(problem.NotFound)
	}
	return err
}

// Sweep begins the weekly run where somebody was last looked at a week ago.
func (m *Monitor) Sweep(ctx context.Context) error {
	people, err := m.store.CountScreeningSubjects(ctx, m.now().Add(-weekly))
	if err != nil || people == 0 {
		return err
	}
	if _, err := m.begin(ctx, Run{Kind: Weekly}); !problem.Has(err, problem.ScreeningRunning) {
		return err
	}
	return nil
}

// pass is one run at work.
type pass struct {
	*Monitor
	run   *Run
	snap  *screening.Snapshot
	probe *nameindex.Probe // nil where everybody is searched for
}

// work looks at everybody whom a run has not looked at yet.
func (m *Monitor) work(ctx context.Context, r Run) error {
	if err := m.index.Refresh(ctx); err != nil {
		return err
	}
	snap, err := m.index.Snapshot(ctx)
	if err != nil {
		return err
	}
	defer snap.Release()
	p := &pass{Monitor: m, run: &r, snap: snap}
	if p.probe, err = m.probe(ctx, r, snap); err != nil {
		return err
	}
	for {
		more, err := p.step(ctx)
		if err != nil {
			return err
		}
		if !more {
			r.State, r.EndedAt = Ended, m.now()
		}
		if err := m.store.SaveScreeningRun(ctx, r); err != nil || !more {
			return err
		}
	}
}

// probe is for the people whom the new and changed entries of a list may be.
func (m *Monitor) probe(ctx context.Context, r Run, snap *screening.Snapshot) (*nameindex.Probe, error) {
	index, ok := snap.Index.(*nameindex.Index)
	if r.Kind != ListChanged || r.Before == "" || !ok {
		return nil, nil //nolint:nilnil // no probe: everybody is searched for
	}
	t := watchlist.NewTally(true)
	if err := m.lists.Entries(ctx, r.Before, t.Before); err != nil {
		return nil, err
	}
	if err := m.lists.Entries(ctx, r.Version, t.After); err != nil {
		return nil, err
	}
	return index.Probe(t.New()), nil
}

// step looks at the next people of a run; false where there are none.
func (p *pass) step(ctx context.Context) (bool, error) {
	if p.run.Kind == Everybody {
		return p.unscreened(ctx)
	}
	subjects, err := p.store.ScreeningSubjects(ctx, p.run.Cursor, batch)
	if err != nil || len(subjects) == 0 {
		return false, err
	}
	var looked []idv.SessionID
	for _, s := range subjects {
		who, err := personOf(s)
		if err == nil && (p.probe == nil || p.probe.May(who.Query(p.now()), alarming(s.Settings))) {
			err = p.screen(ctx, s, who)
		}
		if err := p.count(ctx, s.Session, err); err != nil {
			return false, err
		}
		looked = append(looked, s.Session)
	}
	return true, p.store.NoteScreened(ctx, looked, p.now())
}

// alarming says for which bands settings open a hit.
func alarming(set idv.ScreeningSettings) func(names.Band) bool {
	return func(b names.Band) bool { return set.Alarms(idv.ScreeningBand(b)) }
}

// count notes that somebody was looked at. One who cannot be screened does not keep the others waiting.
func (p *pass) count(ctx context.Context, id idv.SessionID, err error) error {
	if ctx.Err() != nil {
		return ctx.Err() //nolint:wrapcheck // the job goes on later
	}
	p.run.Cursor = id
	p.run.Done++
	if err != nil && !problem.Has(err, problem.SessionErased) && !problem.Has(err, problem.NotFound) {
		p.run.Failed++
		p.log.ErrorContext(ctx, "a person cannot be screened again", "session", id, "error", err)
	}
	return nil
}

// unscreened looks at people who are not under monitoring: what is known of them is in their report. They are then under monitoring, or
// where their workflow does not screen, were looked at once.
func (p *pass) unscreened(ctx context.Context) (bool, error) {
	ids, err := p.store.ListUnscreened(ctx, p.run.Cursor, batch)
	if err != nil || len(ids) == 0 {
		return false, err
	}
	for _, id := range ids {
		if err := p.count(ctx, id, p.once(ctx, id)); err != nil {
			return false, err
		}
	}
	return true, nil
}

// once screens a session that was approved before its workflow screened, for every topic that the lists cover.
func (p *pass) once(ctx context.Context, id idv.SessionID) error {
	reports, err := p.store.Reports(ctx, id)
	if err != nil {
		return err
	}
	if len(reports) == 0 {
		return errors.New("there is no report")
	}
	reviews, err := p.store.Reviews(ctx, id)
	if err != nil {
		return err
	}
	who := screening.Of(reports[len(reports)-1], reviews)
	raw, err := json.Marshal(who)
	if err != nil {
		return fmt.Errorf("keep who was screened: %w", err)
	}
	s := session.Subject{Session: id, Person: raw, Settings: idv.ScreeningSettings{Topics: idv.ScreeningTopics()}, Since: p.now()}
	return p.screen(ctx, s, who)
}

// screen looks for one person and opens hits.
func (p *pass) screen(ctx context.Context, s session.Subject, who screening.Person) error {
	var found []idv.ScreeningHit
	for _, t := range s.Settings.Topics {
		r, why := screening.Find(p.snap, who, t, s.Settings, p.now())
		if slices.Contains(why, problem.ScreeningBroken.Code) {
			return errors.New("the lists could not be searched")
		}
		for _, h := range r.Hits {
			if s.Settings.Alarms(h.Band) {
				found = append(found, h)
			}
		}
	}
	once := p.run.Kind == Everybody
	if len(found) == 0 && !once {
		return nil
	}
	cause := session.ByRun
	if p.run.Kind == ListChanged {
		cause = session.ByList
	}
	return p.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, s.Session)
		if err != nil {
			return err
		}
		if !rec.ErasedAt.IsZero() {
			return problem.New(problem.SessionErased)
		}
		n, err := p.life.OpenHits(ctx, tx, rec, found, cause)
		if err != nil {
			return err
		}
		p.run.Hits += n
		if !once {
			return nil
		}
		s.Mode, s.ScreenedAt = rec.Mode, p.now()
		if w, err := session.WorkflowOf(ctx, tx, rec); err != nil || !w.Screening.Monitor {
			s.EndedAt, s.EndedBy = p.now(), "once"
		} else {
			s.Settings = w.Screening
		}
		return tx.PutSubject(ctx, s)
	})
}
