package sessions

import (
	"context"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// CheckRow is the result of a check, sealed.
type CheckRow struct {
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
func (t *EvidenceWriter) AddCheck(ctx context.Context, c idv.Check) (bool, error) {
	row := CheckRow{
		ID: string(c.ID), Session: string(c.Session), Kind: string(c.Kind), Required: c.Required,
		Lifecycle: string(c.Lifecycle), BrokenBy: c.BrokenBy, Inputs: string(c.Inputs),
		Duration: int64(c.Duration), SettledAt: c.SettledAt,
	}
	if c.Finding != nil {
		var err error
		row.Finding, err = t.SealJSON(ctx, c.Session, database.Place("checks.finding", row.ID), c.Finding)
		if err != nil {
			return false, err
		}
	}
	// A superseded answer makes room: the applicant went back to what it was about.
	q := t.Conn.NewInsert().Model(&row).On("CONFLICT (session_id, kind, input_digest) DO UPDATE").
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
func (t *EvidenceWriter) SupersedeCheck(ctx context.Context, id idv.CheckID) error {
	_, err := t.Conn.NewUpdate().Model((*CheckRow)(nil)).Set("lifecycle = ?", string(idv.CheckSuperseded)).
		Where("id = ?", string(id)).Exec(ctx)
	if err != nil {
		return fmt.Errorf("supersede check: %w", err)
	}
	return nil
}

// Checks implements session.EvidenceReader.
func (r *EvidenceReader) Checks(ctx context.Context, id idv.SessionID) ([]idv.Check, error) {
	rows, err := database.RowsOf[CheckRow](ctx, r.Reader, id, "checks")
	if err != nil {
		return nil, err
	}
	r = &EvidenceReader{r.Together()}
	out := make([]idv.Check, 0, len(rows))
	for _, row := range rows {
		c := idv.Check{
			ID: idv.CheckID(row.ID), Session: id, Kind: idv.CheckKind(row.Kind), Required: row.Required,
			Lifecycle: idv.Lifecycle(row.Lifecycle), BrokenBy: row.BrokenBy, Inputs: idv.Digest(row.Inputs),
			Duration: time.Duration(row.Duration), SettledAt: database.UTC(row.SettledAt),
		}
		if len(row.Finding) > 0 {
			c.Finding = &idv.Finding{}
			if err := r.UnsealJSON(ctx, id, database.Place("checks.finding", row.ID), row.Finding, c.Finding); err != nil {
				return nil, err
			}
		}
		out = append(out, c)
	}
	return out, nil
}

// ReportRow is what a decision was based on, sealed.
type ReportRow struct {
	bun.BaseModel `bun:"table:reports"`
	ID            string    `bun:"id"`
	Session       string    `bun:"session_id"`
	Data          []byte    `bun:"data"`
	Digest        string    `bun:"digest"`
	MadeAt        time.Time `bun:"made_at"`
}

// AddReport implements session.EvidenceWriter.
func (t *EvidenceWriter) AddReport(ctx context.Context, r idv.Report) error {
	sealed, err := t.SealJSON(ctx, r.Session, database.Place("reports.data", string(r.ID)), r)
	if err != nil {
		return err
	}
	return t.Insert(ctx, &ReportRow{
		ID: string(r.ID), Session: string(r.Session), Data: sealed, Digest: string(r.Digest), MadeAt: r.MadeAt,
	}, "report")
}

// Reports implements session.EvidenceReader.
func (r *EvidenceReader) Reports(ctx context.Context, id idv.SessionID) ([]idv.Report, error) {
	rows, err := database.RowsOf[ReportRow](ctx, r.Reader, id, "reports")
	if err != nil {
		return nil, err
	}
	r = &EvidenceReader{r.Together()}
	out := make([]idv.Report, 0, len(rows))
	for _, row := range rows {
		var rep idv.Report
		if err := r.UnsealJSON(ctx, id, database.Place("reports.data", row.ID), row.Data, &rep); err != nil {
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
	Assurance     *assurance   `bun:"assurance,type:json,nullzero"`
}

// assurance is absent from decisions that are older than levels.
type assurance idv.Assurance

type reasonRow struct {
	bun.BaseModel `bun:"table:session_reasons"`
	Session       string `bun:"session_id"`
	Code          string `bun:"code"`
}

// AddDecision implements session.EvidenceWriter. The newest decision's reasons are what lists filter by.
func (t *EvidenceWriter) AddDecision(ctx context.Context, d idv.Decision) error {
	note, err := t.SealJSON(ctx, d.Session, database.Place("decisions.note", string(d.ID)), d.Note)
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
	if d.Assurance.Level != "" {
		row.Assurance = (*assurance)(&d.Assurance)
	}
	if err := t.Insert(ctx, &row, "decision"); err != nil {
		return err
	}
	if _, err := t.Conn.NewDelete().Model((*reasonRow)(nil)).Where("session_id = ?", row.Session).Exec(ctx); err != nil {
		return fmt.Errorf("replace reasons: %w", err)
	}
	for _, reason := range d.Reasons {
		r := reasonRow{Session: row.Session, Code: reason.Code}
		if err := t.InsertOnce(ctx, &r, "session_id, code", "reason"); err != nil {
			return err
		}
	}
	return nil
}

// Decisions implements session.EvidenceReader.
func (r *EvidenceReader) Decisions(ctx context.Context, id idv.SessionID) ([]idv.Decision, error) {
	rows, err := database.RowsOf[decisionRow](ctx, r.Reader, id, "decisions")
	if err != nil {
		return nil, err
	}
	r = &EvidenceReader{r.Together()}
	out := make([]idv.Decision, 0, len(rows))
	for _, row := range rows {
		d := idv.Decision{
			ID: idv.DecisionID(row.ID), Session: id, Outcome: idv.DecisionOutcome(row.Outcome), Reasons: row.Reasons,
			Rule: row.Rule, By: row.By, Report: idv.ReportID(row.Report), Digest: idv.Digest(row.Digest), DecidedAt: row.DecidedAt.UTC(),
		}
		if row.Assurance != nil {
			d.Assurance = idv.Assurance(*row.Assurance)
		}
		if len(row.Note) > 0 {
			if err := r.UnsealJSON(ctx, id, database.Place("decisions.note", row.ID), row.Note, &d.Note); err != nil {
				return nil, err
			}
		}
		out = append(out, d)
	}
	return out, nil
}

// FactsRow is what the policy decided from, without anything personal.
type FactsRow struct {
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
func (t *EvidenceWriter) AddFacts(ctx context.Context, f session.Facts) error {
	if _, err := t.Conn.NewUpdate().Model((*SessionRow)(nil)).Set("country = ?", f.Country).Where("s.id = ?", string(f.Session)).Exec(ctx); err != nil {
		return fmt.Errorf("note the issuing state: %w", err)
	}
	return t.Insert(ctx, &FactsRow{
		Decision: string(f.Decision), Mode: string(f.Mode), Workflow: string(f.Workflow), Outcome: string(f.Outcome),
		AgeBand: f.AgeBand, Country: f.Country, Kind: string(f.Kind), Reasons: f.Reasons, Scores: f.Scores, At: f.At, Evidence: f.Evidence,
	}, "policy facts")
}
