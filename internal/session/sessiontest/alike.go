package sessiontest

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

func (r recordReader) Alike(_ context.Context, id idv.SessionID, limit int) ([]session.Alike, error) {
	t := r.at()
	own := where(t.index, func(row indexRow) bool { return row.session == id && (row.kind == byName || row.kind == byNumber) })
	rec, err := t.record(id)
	if err != nil {
		return nil, err
	}
	found := map[idv.SessionID]session.Alike{}
	for _, row := range t.index {
		other, err := t.record(row.session)
		if err != nil || row.session == id || other.Mode != rec.Mode || !other.ErasedAt.IsZero() {
			continue
		}
		if slices.ContainsFunc(own, func(o indexRow) bool { return o.kind == row.kind && o.value == row.value }) {
			a := found[row.session]
			found[row.session] = session.Alike{Session: row.session, Number: a.Number || row.kind == byNumber, Name: a.Name || row.kind == byName}
		}
	}
	var out []session.Alike
	for _, other := range r.ids(len(t.sessions), func(rec session.Record) bool { return found[rec.ID].Session != "" }) {
		out = append([]session.Alike{found[other]}, out...)
	}
	return upTo(out, limit), nil
}

func (r recordReader) Reasons(_ context.Context, ids []idv.SessionID) (map[idv.SessionID][]string, error) {
	out := map[idv.SessionID][]string{}
	for _, id := range ids {
		taken := where(r.at().decisions, func(d idv.Decision) bool { return d.Session == id })
		if len(taken) == 0 {
			continue
		}
		if codes := distinct(session.ReasonCodes(taken[len(taken)-1].Reasons)); len(codes) > 0 {
			out[id] = codes
		}
	}
	return out, nil
}

func (r recordReader) DeclineReasons(context.Context) ([]session.OfferedReason, error) {
	return slices.Clone(r.at().declining), nil
}

func (w recordWriter) SetDeclineReasons(_ context.Context, offered []session.OfferedReason) error {
	w.next.declining = slices.Clone(offered)
	return nil
}
