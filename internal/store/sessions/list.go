package sessions

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Records implements session.CaseReader.
func (r *RecordReader) Records(ctx context.Context, ids []idv.SessionID) (map[idv.SessionID]session.Record, error) {
	out := map[idv.SessionID]session.Record{}
	if len(ids) == 0 {
		return out, nil
	}
	var rows []SessionRow
	if err := r.Conn.NewSelect().Model(&rows).Where("s.id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}
	keyed, err := r.WithKeysets(ctx, nonEmpty(ids...))
	if err != nil {
		return nil, err
	}
	with := NewRecordReader(keyed)
	for _, row := range rows {
		rec, err := with.unseal(ctx, row)
		if err != nil {
			return nil, err
		}
		out[rec.ID] = rec
	}
	return out, nil
}

// Sessions implements session.RecordReader. First the ids are looked up, in indexes alone, then the rows of the page are read with
// their keysets: whatever the filter, no other row is.
func (r *RecordReader) Sessions(ctx context.Context, f session.Filter) ([]session.Record, error) {
	parts, err := r.SelectPage(ctx, f)
	if err != nil {
		return nil, err
	}
	var ids []string
	for _, q := range parts {
		if len(ids) == f.Limit {
			break
		}
		var more []string
		if err := q.Limit(int64(f.Limit-len(ids))).Scan(ctx, &more); err != nil {
			return nil, fmt.Errorf("list sessions: %w", err)
		}
		ids = append(ids, more...)
	}
	if len(ids) == 0 {
		return []session.Record{}, nil
	}
	var rows []SessionRow
	if err := r.Conn.NewSelect().Model(&rows).Where("s.id IN (?)", bun.List(ids)).Scan(ctx); err != nil {
		return nil, fmt.Errorf("read sessions: %w", err)
	}
	slices.SortFunc(rows, func(a, b SessionRow) int { return cmp.Compare(slices.Index(ids, a.ID), slices.Index(ids, b.ID)) })
	keyed, err := r.WithKeysets(ctx, ids)
	if err != nil {
		return nil, err
	}
	with := NewRecordReader(keyed)
	out := make([]session.Record, 0, len(rows))
	for _, row := range rows {
		rec, err := with.unseal(ctx, row)
		if err != nil {
			return nil, err
		}
		out = append(out, rec)
	}
	return out, nil
}

// CountSessions implements session.RecordReader.
func (r *RecordReader) CountSessions(ctx context.Context, f session.Filter) (int, error) {
	q, err := r.narrow(ctx, r.Conn.NewSelect().TableExpr("sessions AS s").ColumnExpr("COUNT(*)"), f)
	if err != nil {
		return 0, err
	}
	var n int
	if err := q.Scan(ctx, &n); err != nil {
		return 0, fmt.Errorf("count sessions: %w", err)
	}
	return n, nil
}

// SelectPage returns the queries for the ids of a page: what one leaves of the limit is the next one's. Ids are in the order of making.
// By decision there are two, for no index of both databases has what has none at the end in both directions.
func (r *RecordReader) SelectPage(ctx context.Context, f session.Filter) ([]*bun.SelectQuery, error) {
	after, ok := f.Sort.Parse(f.After)
	if f.After != "" && !ok {
		return nil, session.Malformed("after", "it must be the cursor of the page before")
	}
	down, beyond := "", ">"
	if f.Sort.Back() {
		down, beyond = " DESC", "<"
	}
	query := func(columns, cursor string, args ...any) (*bun.SelectQuery, error) {
		q := r.Conn.NewSelect().TableExpr("sessions AS s").ColumnExpr("s.id").Limit(int64(f.Limit))
		for column := range strings.FieldsSeq(columns) {
			q = q.OrderExpr(column + down)
		}
		if len(args) > 0 {
			q = q.Where(fmt.Sprintf(cursor, beyond), args...)
		}
		return r.narrow(ctx, q, f)
	}
	started := func(args ...any) []any { // what the cursor says, where there is one
		if f.After == "" {
			return nil
		}
		return args
	}
	switch f.Sort.Key() {
	case session.ByState:
		q, err := query("s.state s.id", "(s.state, s.id) %s (?, ?)", started(string(after.State), string(after.ID))...)
		return []*bun.SelectQuery{q}, err
	case session.FirstDecided:
		var out []*bun.SelectQuery
		if f.After == "" || !after.Decided.IsZero() {
			q, err := query("s.decided_at s.id", "(s.decided_at, s.id) %s (?, ?)", started(after.Decided, string(after.ID))...)
			if err != nil {
				return nil, err
			}
			out = append(out, q.Where("s.decided_at IS NOT NULL"))
		}
		var args []any
		if f.After != "" && after.Decided.IsZero() {
			args = []any{string(after.ID)}
		}
		q, err := query("s.id", "s.id %s ?", args...)
		if err != nil {
			return nil, err
		}
		return append(out, q.Where("s.decided_at IS NULL")), nil
	default:
		q, err := query("s.id", "s.id %s ?", started(string(after.ID))...)
		return []*bun.SelectQuery{q}, err
	}
}

// narrow adds a filter to a query on the sessions s.
func (r *RecordReader) narrow(ctx context.Context, q *bun.SelectQuery, f session.Filter) (*bun.SelectQuery, error) {
	equal := func(column string, values []string) {
		switch len(values) {
		case 0:
		case 1:
			q = q.Where("? = ?", bun.Ident("s."+column), values[0])
		default:
			q = q.Where("? IN (?)", bun.Ident("s."+column), bun.List(values))
		}
	}
	equal("mode", nonEmpty(f.Mode))
	equal("state", nonEmpty(f.States...))
	equal("outcome", nonEmpty(f.Outcome))
	equal("country", nonEmpty(f.Countries...))
	equal("document_kind", nonEmpty(f.Kinds...))
	if f.Workflow != "" {
		q = q.Where("s.workflow_id IN (SELECT w.id FROM workflows AS w WHERE w.name = ?)", f.Workflow)
	}
	if f.Reason != "" {
		q = q.Where("? IN (SELECT r.session_id FROM session_reasons AS r WHERE r.code = ?)", r.idBeside(f), f.Reason)
	}
	if !f.From.IsZero() {
		q = q.Where("s.created_at >= ?", f.From)
	}
	if !f.To.IsZero() {
		q = q.Where("s.created_at < ?", f.To)
	}
	q = narrowToBar(q, f.Bar)
	if id, ok := idv.ParseID[idv.SessionID](f.Search); ok {
		q = q.Where("s.id = ?", string(id))
	} else if f.Search != "" {
		f.Wanted.Reference = f.Search
	}
	wanted, err := r.blind.digests(ctx, f.Wanted)
	for kind, digests := range wanted {
		q = q.Where("s.id IN (SELECT b.session_id FROM blind_indexes AS b WHERE b.kind = ? AND b.digest IN (?))", kind, bun.List(digests))
	}
	return q, err
}

// idBeside is the id of a session that is compared with those that have a reason. SQLite, which knows no numbers of rows,
// would go from each of those to its row; where another filter narrows, too, or the list is in another order, its index of the list
// is the better way, and a sign before the column keeps it there.
func (r *RecordReader) idBeside(f session.Filter) bun.Safe {
	alone := len(f.States) == 0 && f.Outcome == "" && len(f.Countries) == 0 && len(f.Kinds) == 0 && f.Workflow == "" && f.From.IsZero() && f.To.IsZero() &&
		f.Bar == session.Bar{} && f.Sort.Key() == session.Oldest
	if r.DB.Engine() == "sqlite" && !alone {
		return "+s.id"
	}
	return "s.id"
}

// nonEmpty returns the words that are not empty.
func nonEmpty[T ~string](words ...T) []string {
	var out []string
	for _, w := range words {
		if w != "" {
			out = append(out, string(w))
		}
	}
	return out
}

// Facets implements session.RecordReader. The countries are found by going from one to the next in their index.
func (r *RecordReader) Facets(ctx context.Context, mode idv.Mode) (session.Facets, error) {
	var out session.Facets
	err := r.Conn.NewSelect().TableExpr("workflows").ColumnExpr("name").Where("mode = ?", string(mode)).OrderExpr("name").Scan(ctx, &out.Workflows)
	if err != nil {
		return out, fmt.Errorf("list workflows: %w", err)
	}
	err = r.Conn.NewRaw("WITH RECURSIVE c(code) AS (SELECT MIN(country) FROM sessions WHERE mode = ? UNION ALL "+
		"SELECT (SELECT MIN(s.country) FROM sessions AS s WHERE s.mode = ? AND s.country > c.code) FROM c WHERE c.code IS NOT NULL) "+
		"SELECT code FROM c WHERE code <> ''", string(mode), string(mode)).Scan(ctx, &out.Countries)
	if err != nil {
		return out, fmt.Errorf("list countries: %w", err)
	}
	slices.Sort(out.Countries)
	return out, nil
}
