package sessions

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// LinkReader reads what was decided about sessions that have something in common.
type LinkReader struct{ *database.Reader }

// LinkWriter writes what was decided about sessions that have something in common.
type LinkWriter struct{ *database.Tx }

// linkDecisionRow is what was decided about two sessions, the one with the smaller id first. The note is sealed for both, one within the
// other: without either key nobody reads it.
type linkDecisionRow struct {
	bun.BaseModel `bun:"table:seen_decisions,alias:d"`
	First         string    `bun:"session_id"`
	Second        string    `bun:"other_id"`
	Mode          string    `bun:"mode"`
	State         string    `bun:"state"`
	Signs         string    `bun:"signs"` // separated by spaces
	DecidedBy     string    `bun:"decided_by"`
	DecidedAt     time.Time `bun:"decided_at"`
	Reason        string    `bun:"reason"`
	Note          []byte    `bun:"note"`
	SecondBy      string    `bun:"second_by"`
	SecondAt      time.Time `bun:"second_at,nullzero"`
	Said          []byte    `bun:"said"`
	Version       int64     `bun:"version"`
}

func (r linkDecisionRow) decision() session.LinkDecision {
	d := session.LinkDecision{
		Pair: session.Pair{First: idv.SessionID(r.First), Second: idv.SessionID(r.Second)}, Mode: idv.Mode(r.Mode), State: session.LinkState(r.State),
		DecidedBy: r.DecidedBy, DecidedAt: database.UTC(r.DecidedAt), Reason: r.Reason, SecondBy: r.SecondBy, SecondAt: database.UTC(r.SecondAt),
		Version: r.Version,
	}
	for sign := range strings.FieldsSeq(r.Signs) {
		d.Signs = append(d.Signs, idv.SeenSign(sign))
	}
	return d
}

// linkPlace is the column that something about a pair is sealed for.
func linkPlace(column string, p session.Pair) string {
	return database.Place("seen_decisions."+column, string(p.First)+" "+string(p.Second))
}

// seal seals something for both sessions of a pair.
func (t *LinkWriter) seal(ctx context.Context, column string, p session.Pair, value any) ([]byte, error) {
	inner, err := t.SealJSON(ctx, p.First, linkPlace(column, p), value)
	if err != nil {
		return nil, err
	}
	return t.SealJSON(ctx, p.Second, linkPlace(column, p), inner)
}

// unseal opens what seal made, if there is anything.
func (r *LinkReader) unseal(ctx context.Context, column string, p session.Pair, sealed []byte, to any) error {
	if len(sealed) == 0 {
		return nil
	}
	var inner []byte
	if err := r.UnsealJSON(ctx, p.Second, linkPlace(column, p), sealed, &inner); err != nil {
		return err
	}
	return r.UnsealJSON(ctx, p.First, linkPlace(column, p), inner, to)
}

// SaveLinkDecision implements session.LinkWriter.
func (t *LinkWriter) SaveLinkDecision(ctx context.Context, d session.LinkDecision) error {
	row := &linkDecisionRow{
		First: string(d.First), Second: string(d.Second), Mode: string(d.Mode), State: string(d.State), Signs: strings.Join(nonEmpty(d.Signs...), " "),
		DecidedBy: d.DecidedBy, DecidedAt: d.DecidedAt, Reason: d.Reason, SecondBy: d.SecondBy, SecondAt: d.SecondAt, Version: d.Version + 1,
	}
	var err error
	if d.Note != "" {
		if row.Note, err = t.seal(ctx, "note", d.Pair, d.Note); err != nil {
			return err
		}
	}
	if len(d.Said) > 0 {
		if row.Said, err = t.seal(ctx, "said", d.Pair, d.Said); err != nil {
			return err
		}
	}
	if d.Version == 0 {
		return t.Insert(ctx, row, "decision about a link") // both sessions are locked: nobody was faster
	}
	n, err := database.Affected(t.Conn.NewUpdate().Model(row).ExcludeColumn("session_id", "other_id", "mode").
		Where("d.session_id = ? AND d.other_id = ? AND d.version = ?", row.First, row.Second, d.Version).Exec(ctx))
	if err != nil {
		return fmt.Errorf("save a decision about a link: %w", err)
	}
	if n == 0 {
		return problem.New(problem.DuplicateConflict)
	}
	return nil
}

// LinkDecision implements session.LinkReader.
func (r *LinkReader) LinkDecision(ctx context.Context, p session.Pair) (session.LinkDecision, error) {
	var row linkDecisionRow
	err := r.Conn.NewSelect().Model(&row).Where("d.session_id = ? AND d.other_id = ?", string(p.First), string(p.Second)).Scan(ctx)
	if errors.Is(err, sql.ErrNoRows) {
		return session.LinkDecision{Pair: p}, nil
	}
	if err != nil {
		return session.LinkDecision{}, fmt.Errorf("read a decision about a link: %w", err)
	}
	d := row.decision()
	if err = r.unseal(ctx, "note", p, row.Note, &d.Note); err == nil {
		err = r.unseal(ctx, "said", p, row.Said, &d.Said)
	}
	if problem.Has(err, problem.SessionErased) {
		return session.LinkDecision{Pair: p}, nil // since the row was read
	}
	said := d.State
	if said == session.LinkAwaits {
		said = session.LinkSame
	}
	d.Said = session.AllSaid(d.Said,
		session.Opinion{By: d.DecidedBy, At: d.DecidedAt, Decision: string(said), Reason: d.Reason, Note: d.Note},
		session.Opinion{By: d.SecondBy, At: d.SecondAt, Decision: string(session.LinkSame)})
	return d, err
}

// LinkDecisions implements session.LinkReader.
func (r *LinkReader) LinkDecisions(ctx context.Context, id idv.SessionID) ([]session.LinkDecision, error) {
	return r.decisions(ctx, "? IN (d.session_id, d.other_id)", string(id))
}

// pairsAtOnce bounds how many pairs one query names.
const pairsAtOnce = 400

// LinkDecisionsAbout implements session.LinkReader.
func (r *LinkReader) LinkDecisionsAbout(ctx context.Context, pairs []session.Pair) ([]session.LinkDecision, error) {
	var out []session.LinkDecision
	for some := range slices.Chunk(pairs, pairsAtOnce) {
		var first, second []string
		asked := make(map[session.Pair]bool, len(some))
		for _, p := range some {
			first, second, asked[p] = append(first, string(p.First)), append(second, string(p.Second)), true
		}
		found, err := r.decisions(ctx, "d.session_id IN (?) AND d.other_id IN (?)", bun.List(first), bun.List(second))
		if err != nil {
			return nil, err
		}
		out = append(out, slices.DeleteFunc(found, func(d session.LinkDecision) bool { return !asked[d.Pair] })...)
	}
	return out, nil
}

func (r *LinkReader) decisions(ctx context.Context, where string, args ...any) ([]session.LinkDecision, error) {
	var rows []linkDecisionRow
	err := r.Conn.NewSelect().Model(&rows).ExcludeColumn("note", "said").Where(where, args...).OrderExpr("d.session_id, d.other_id").Scan(ctx)
	if err != nil {
		return nil, fmt.Errorf("list decisions about links: %w", err)
	}
	out := make([]session.LinkDecision, 0, len(rows))
	for _, row := range rows {
		out = append(out, row.decision())
	}
	return out, nil
}
