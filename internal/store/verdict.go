package store

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/session"
)

type checkRow struct {
	bun.BaseModel `bun:"table:checks,alias:checks"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Kind          string    `bun:"kind"`
	Required      bool      `bun:"required"`
	Lifecycle     string    `bun:"lifecycle"`
	Finding       []byte    `bun:"finding"`
	BrokenBy      string    `bun:"broken_by"`
	Inputs        string    `bun:"input_digest"`
	Duration      int64     `bun:"duration_ns"`
	SettledAt     time.Time `bun:"settled_at,nullzero"`
}

// AddCheck implements session.EvidenceWriter.
func (t *tx) AddCheck(ctx context.Context, c idv.Check) (bool, error) {
	row := checkRow{
		ID: string(c.ID), Session: string(c.Session), Kind: string(c.Kind), Required: c.Required,
		Lifecycle: string(c.Lifecycle), BrokenBy: c.BrokenBy, Inputs: string(c.Inputs),
		Duration: int64(c.Duration), SettledAt: c.SettledAt,
	}
	if c.Finding != nil {
		var err error
		row.Finding, err = t.sealJSON(ctx, c.Session, place("checks.finding", row.ID), c.Finding)
		if err != nil {
			return false, err
		}
	}
	// A superseded answer makes room: the applicant went back to what it was about.
	q := t.db.NewInsert().Model(&row).On("CONFLICT (session_id, kind, input_digest) DO UPDATE").
		Where("checks.lifecycle = ?", string(idv.CheckSuperseded))
	for _, column := range []string{"id", "required", "lifecycle", "finding", "broken_by", "duration_ns", "settled_at"} {
		q = q.Set("? = EXCLUDED.?", bun.Ident(column), bun.Ident(column))
	}
	res, err := q.Exec(ctx)
	if err != nil {
		return false, fmt.Errorf("write check: %w", err)
	}
	n, err := res.RowsAffected()
	if err != nil {
		return false, fmt.Errorf("write check: %w", err)
	}
	return n == 1, nil
}

// SupersedeCheck implements session.EvidenceWriter.
func (t *tx) SupersedeCheck(ctx context.Context, id idv.CheckID) error {
	_, err := t.db.NewUpdate().Model((*checkRow)(nil)).Set("lifecycle = ?", string(idv.CheckSuperseded)).
		Where("id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("supersede check: %w", err)
	}
	return nil
}

// Checks implements session.EvidenceReader.
func (r *reader) Checks(ctx context.Context, id idv.SessionID) ([]idv.Check, error) {
	rows, err := rowsOf[checkRow](ctx, r, id, "checks")
	if err != nil {
		return nil, err
	}
	r = r.together()
	out := make([]idv.Check, 0, len(rows))
	for _, row := range rows {
		c := idv.Check{
			ID: idv.CheckID(row.ID), Session: id, Kind: idv.CheckKind(row.Kind), Required: row.Required,
			Lifecycle: idv.Lifecycle(row.Lifecycle), BrokenBy: row.BrokenBy, Inputs: idv.Digest(row.Inputs),
			Duration: time.Duration(row.Duration), SettledAt: utc(row.SettledAt),
		}
		if len(row.Finding) > 0 {
			c.Finding = &idv.Finding{}
			if err := r.unsealJSON(ctx, id, place("checks.finding", row.ID), row.Finding, c.Finding); err != nil {
				return nil, err
			}
		}
		out = append(out, c)
	}
	return out, nil
}

type reportRow struct {
	bun.BaseModel `bun:"table:reports"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Data          []byte    `bun:"data"`
	Digest        string    `bun:"digest"`
	MadeAt        time.Time `bun:"made_at"`
}

// AddReport implements session.EvidenceWriter.
func (t *tx) AddReport(ctx context.Context, r idv.Report) error {
	sealed, err := t.sealJSON(ctx, r.Session, place("reports.data", string(r.ID)), r)
	if err != nil {
		return err
	}
	return t.insert(ctx, &reportRow{
		ID: string(r.ID), Session: string(r.Session), Data: sealed, Digest: string(r.Digest), MadeAt: r.MadeAt,
	}, "report")
}

// Reports implements session.EvidenceReader.
func (r *reader) Reports(ctx context.Context, id idv.SessionID) ([]idv.Report, error) {
	rows, err := rowsOf[reportRow](ctx, r, id, "reports")
	if err != nil {
		return nil, err
	}
	r = r.together()
	out := make([]idv.Report, 0, len(rows))
	for _, row := range rows {
		var rep idv.Report
		if err := r.unsealJSON(ctx, id, place("reports.data", row.ID), row.Data, &rep); err != nil {
			return nil, err
		}
		out = append(out, rep)
	}
	return out, nil
}

type decisionRow struct {
	bun.BaseModel `bun:"table:decisions"`
	ID            string       `bun:"id"`
	Session       string       `bun:"session_id"`
	Outcome       string       `bun:"outcome"`
	Reasons       []idv.Reason `bun:"reasons,type:json"`
	Rule          string       `bun:"rule"`
	By            string       `bun:"decided_by"`
	Note          []byte       `bun:"note"`
	Report        string       `bun:"report_id"`
	Digest        string       `bun:"report_digest"`
	DecidedAt     time.Time    `bun:"decided_at"`
}

type reasonRow struct {
	bun.BaseModel `bun:"table:session_reasons"`
	Session       string `bun:"session_id"`
	Code          string `bun:"code"`
}

// AddDecision implements session.EvidenceWriter. The newest decision's reasons are what lists filter by.
func (t *tx) AddDecision(ctx context.Context, d idv.Decision) error {
	note, err := t.sealJSON(ctx, d.Session, place("decisions.note", string(d.ID)), d.Note)
	if err != nil {
		return err
	}
	if d.Reasons == nil {
		d.Reasons = []idv.Reason{}
	}
	row := decisionRow{
		ID: string(d.ID), Session: string(d.Session), Outcome: string(d.Outcome), Reasons: d.Reasons, Rule: d.Rule,
		By: d.By, Note: note, Report: string(d.Report), Digest: string(d.Digest), DecidedAt: d.DecidedAt,
	}
	if err := t.insert(ctx, &row, "decision"); err != nil {
		return err
	}
	if _, err := t.db.NewDelete().Model((*reasonRow)(nil)).Where("session_id = ?", row.Session).Exec(ctx); err != nil {
		return fmt.Errorf("replace reasons: %w", err)
	}
	for _, reason := range d.Reasons {
		r := reasonRow{Session: row.Session, Code: reason.Code}
		if err := t.insertOnce(ctx, &r, "session_id, code", "reason"); err != nil {
			return err
		}
	}
	return nil
}

// Decisions implements session.EvidenceReader.
func (r *reader) Decisions(ctx context.Context, id idv.SessionID) ([]idv.Decision, error) {
	rows, err := rowsOf[decisionRow](ctx, r, id, "decisions")
	if err != nil {
		return nil, err
	}
	r = r.together()
	out := make([]idv.Decision, 0, len(rows))
	for _, row := range rows {
		d := idv.Decision{
			ID: idv.DecisionID(row.ID), Session: id, Outcome: idv.DecisionOutcome(row.Outcome), Reasons: row.Reasons,
			Rule: row.Rule, By: row.By, Report: idv.ReportID(row.Report), Digest: idv.Digest(row.Digest), DecidedAt: row.DecidedAt.UTC(),
		}
		if len(row.Note) > 0 {
			if err := r.unsealJSON(ctx, id, place("decisions.note", row.ID), row.Note, &d.Note); err != nil {
				return nil, err
			}
		}
		out = append(out, d)
	}
	return out, nil
}

type factsRow struct {
	bun.BaseModel `bun:"table:policy_facts"`
	Decision      string                    `bun:"decision_id"`
	Mode          string                    `bun:"mode"`
	Workflow      string                    `bun:"workflow_version_id"`
	Outcome       string                    `bun:"outcome"`
	AgeBand       string                    `bun:"age_band"`
	Country       string                    `bun:"country"`
	Kind          string                    `bun:"document_kind"`
	Reasons       []string                  `bun:"reasons,type:json"`
	Scores        map[idv.CheckKind]float64 `bun:"scores,type:json"`
	At            time.Time                 `bun:"decided_at"`
	Evidence      *policy.Facts             `bun:"evidence,type:json,nullzero"`
}

// AddFacts implements session.EvidenceWriter. The issuing state is what lists filter by, too.
func (t *tx) AddFacts(ctx context.Context, f session.Facts) error {
	if _, err := t.db.NewUpdate().Model((*sessionRow)(nil)).Set("country = ?", f.Country).Where("s.id = ?", string(f.Session)).Exec(ctx); err != nil {
		return fmt.Errorf("note the issuing state: %w", err)
	}
	return t.insert(ctx, &factsRow{
		Decision: string(f.Decision), Mode: string(f.Mode), Workflow: string(f.Workflow), Outcome: string(f.Outcome),
		AgeBand: f.AgeBand, Country: f.Country, Kind: string(f.Kind), Reasons: f.Reasons, Scores: f.Scores, At: f.At, Evidence: f.Evidence,
	}, "policy facts")
}
