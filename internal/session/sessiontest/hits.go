package sessiontest

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// hitReader reads hits of screening.
type hitReader struct{ view }

func (r hitReader) Hits(_ context.Context, id idv.SessionID) ([]session.Hit, error) {
	return where(r.at().hits, func(h session.Hit) bool { return h.Session == id }), nil
}

func (r hitReader) Hit(_ context.Context, id idv.HitID) (session.Hit, error) {
	return one(r.at().hits, func(h session.Hit) bool { return h.ID == id })
}

func (r hitReader) HitsOf(_ context.Context, f session.HitFilter) ([]session.Hit, error) {
	all := r.at().hits
	if i := slices.IndexFunc(all, func(h session.Hit) bool { return h.ID == f.After }); i >= 0 {
		all = all[i+1:]
	}
	rows := where(all, func(h session.Hit) bool {
		return (f.Mode == "" || h.Mode == f.Mode) && (len(f.States) == 0 || slices.Contains(f.States, h.State)) &&
			(f.Topic == "" || h.Found.Topic == f.Topic)
	})
	return upTo(rows, f.Limit), nil
}

func (r hitReader) CountHits(_ context.Context, mode idv.Mode) (map[session.HitState]int, error) {
	out := map[session.HitState]int{}
	for _, h := range r.at().hits {
		if h.Mode == mode {
			out[h.State]++
		}
	}
	return out, nil
}

// hitWriter writes hits of screening.
type hitWriter struct{ *base }

func (w hitWriter) AddHit(_ context.Context, h session.Hit) error {
	if err := w.next.open(h.Session, session.ScopeAll); err != nil {
		return err
	}
	w.next.hits = append(w.next.hits, h)
	return nil
}

func (w hitWriter) SaveHit(_ context.Context, h session.Hit) error {
	n := update(w.next.hits, func(o session.Hit) bool { return o.ID == h.ID && o.Version == h.Version }, func(o *session.Hit) {
		*o = h
		o.Version++
	})
	if n == 0 {
		return problem.New(problem.ScreeningConflict)
	}
	return nil
}

func (w hitWriter) PutSubject(_ context.Context, s session.Subject) error {
	w.next.subjects = slices.DeleteFunc(w.next.subjects, func(o session.Subject) bool { return o.Session == s.Session })
	w.next.subjects = append(w.next.subjects, s)
	return nil
}
