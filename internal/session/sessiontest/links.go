package sessiontest

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// linkReader reads what was decided about sessions that have something in common.
type linkReader struct{ view }

func (r linkReader) LinkDecision(_ context.Context, p session.Pair) (session.LinkDecision, error) {
	if d, err := one(r.at().linkDecisions, func(d session.LinkDecision) bool { return d.Pair == p }); err == nil {
		return d, nil
	}
	return session.LinkDecision{Pair: p}, nil
}

func (r linkReader) LinkDecisions(_ context.Context, id idv.SessionID) ([]session.LinkDecision, error) {
	return bare(where(r.at().linkDecisions, func(d session.LinkDecision) bool { return d.First == id || d.Second == id })), nil
}

func (r linkReader) LinkDecisionsAbout(_ context.Context, pairs []session.Pair) ([]session.LinkDecision, error) {
	return bare(where(r.at().linkDecisions, func(d session.LinkDecision) bool { return slices.Contains(pairs, d.Pair) })), nil
}

// bare has no notes: a list does not open them.
func bare(in []session.LinkDecision) []session.LinkDecision {
	out := slices.Clone(in)
	for i := range out {
		out[i].Note, out[i].Said = "", nil
	}
	return out
}

// linkWriter writes what was decided about sessions that have something in common.
type linkWriter struct{ *base }

func (w linkWriter) SaveLinkDecision(_ context.Context, d session.LinkDecision) error {
	if d.Version == 0 {
		d.Version++
		w.next.linkDecisions = append(w.next.linkDecisions, d)
		return nil
	}
	n := update(w.next.linkDecisions, func(o session.LinkDecision) bool { return o.Pair == d.Pair && o.Version == d.Version },
		func(o *session.LinkDecision) {
			*o = d
			o.Version++
		})
	if n == 0 {
		return problem.New(problem.DuplicateConflict)
	}
	return nil
}
