package sessions

import (
	"context"
	"errors"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
)

// SessionRow is a session. What is personal is sealed in one column.
type SessionRow struct {
	bun.BaseModel `bun:"table:sessions,alias:s"`
	ID            string           `bun:"id"`
	Mode          string           `bun:"mode"`
	Workflow      string           `bun:"workflow_version_id"`
	State         string           `bun:"state"`
	Outcome       string           `bun:"outcome"`
	ProblemCode   string           `bun:"problem_code"`
	ProblemStep   string           `bun:"problem_step"`
	DocumentKind  string           `bun:"document_kind"`
	ChosenCountry string           `bun:"chosen_country"`
	Consented     bool             `bun:"consented"`
	FaceDeclined  bool             `bun:"face_declined"`
	Liveness      string           `bun:"liveness"`
	Redo          []idv.Step       `bun:"redo,type:json"`
	Attempts      map[idv.Step]int `bun:"attempts,type:json"`
	Locale        string           `bun:"locale"`
	Personal      []byte           `bun:"personal"`
	LinkHash      string           `bun:"link_hash"`
	LinkUsed      bool             `bun:"link_used"`
	TokenHash     string           `bun:"token_hash,nullzero"`
	CreatedBy     string           `bun:"created_by"`
	Persona       string           `bun:"persona"`
	PersonaActs   bool             `bun:"persona_acts"`
	CreatedAt     time.Time        `bun:"created_at"`
	LinkExpiresAt time.Time        `bun:"link_expires_at"`
	ExpiresAt     time.Time        `bun:"expires_at,nullzero"`
	OpenedAt      time.Time        `bun:"opened_at,nullzero"`
	SubmittedAt   time.Time        `bun:"submitted_at,nullzero"`
	ReopenedAt    time.Time        `bun:"reopened_at,nullzero"`
	DecidedAt     time.Time        `bun:"decided_at,nullzero"`
	PicturesGone  time.Time        `bun:"pictures_erased_at,nullzero"`
	ErasedAt      time.Time        `bun:"erased_at,nullzero"`
	HeldAt        time.Time        `bun:"held_at,nullzero"`
	TouchedAt     time.Time        `bun:"touched_at"`
	Sweeps        int              `bun:"sweeps"`
	Version       int64            `bun:"version"`
	Country       string           `bun:"country"` // written with the facts of a decision alone
	Device        string           `bun:"device"`
	FaceModel     string           `bun:"face_model"`
	Automatic     bool             `bun:"automatic"`
	DueStep       string           `bun:"due_step"`
	Waited        *int64           `bun:"waited_s"`
	CaptureSource string           `bun:"capture_source"`
	Follows       string           `bun:"follows"`
	FollowedBy    string           `bun:"followed_by"`
	Spent         idv.Spent        `bun:"spent,type:json"`
	Wallet        string           `bun:"wallet"`
}

// personal is the part of a session that may say who somebody is.
type personal struct {
	ExternalReference string                   `json:"external_reference"`
	Metadata          map[string]string        `json:"metadata"`
	Claimed           map[idv.ClaimName]string `json:"claimed"`
	ReturnURL         string                   `json:"return_url"`
	Email             string                   `json:"email,omitempty"`
}

const personalColumn = "sessions.personal"

// seal makes the row of a record.
func (t *RecordWriter) seal(ctx context.Context, r session.Record) (SessionRow, error) {
	row := SessionRow{
		ID: string(r.ID), Mode: string(r.Mode), Workflow: string(r.Workflow), State: string(r.State),
		Outcome: string(
			r.Outcome,
		), DocumentKind: string(r.DocumentKind), ChosenCountry: r.ChosenCountry, Consented: r.Consented, FaceDeclined: r.FaceDeclined, Liveness: string(r.Liveness),
		Redo: r.Redo, Attempts: r.Attempts, Locale: r.Locale,
		LinkHash: r.LinkHash, LinkUsed: r.LinkUsed, TokenHash: r.TokenHash,
		CreatedAt: r.CreatedAt, LinkExpiresAt: r.LinkExpiresAt, ExpiresAt: r.ExpiresAt, OpenedAt: r.OpenedAt,
		SubmittedAt: r.SubmittedAt, DecidedAt: r.DecidedAt, PicturesGone: r.PicturesErasedAt, ErasedAt: r.ErasedAt, HeldAt: r.HeldAt,
		TouchedAt: r.TouchedAt, Sweeps: r.Sweeps, Version: r.Version, CreatedBy: string(r.CreatedBy), ReopenedAt: r.ReopenedAt,
		Persona: r.Persona, PersonaActs: r.PersonaActs,
		Device: string(r.Device), FaceModel: r.FaceModel, Automatic: r.Automatic, DueStep: string(r.Due),
		CaptureSource: string(r.Source),
		Follows:       string(r.Follows), FollowedBy: string(r.FollowedBy), Spent: r.Spent, Wallet: string(r.Wallet),
	}
	if !r.DecidedAt.IsZero() && !r.SubmittedAt.IsZero() {
		waited := int64(r.DecidedAt.Sub(r.SubmittedAt).Seconds())
		row.Waited = &waited
	}
	if row.Redo == nil {
		row.Redo = []idv.Step{}
	}
	if row.Attempts == nil {
		row.Attempts = map[idv.Step]int{}
	}
	if p := r.LastProblem; p != nil {
		row.ProblemCode, row.ProblemStep = p.Code, string(p.Step)
	}
	var err error
	row.Personal, err = t.SealJSON(ctx, r.ID, personalColumn,
		personal{ExternalReference: r.ExternalReference, Metadata: r.Metadata, Claimed: r.Claimed, ReturnURL: r.ReturnURL, Email: r.Email})
	return row, err
}

// unseal makes the record of a row. Of an erased session only what is not personal is left.
func (r *RecordReader) unseal(ctx context.Context, row SessionRow) (session.Record, error) {
	out := session.Record{
		Session: idv.Session{
			ID: idv.SessionID(row.ID), Mode: idv.Mode(row.Mode), Workflow: idv.WorkflowVersionID(row.Workflow),
			State: idv.SessionState(row.State), Outcome: idv.DecisionOutcome(row.Outcome),
			DocumentKind: idv.DocumentKind(row.DocumentKind), ChosenCountry: row.ChosenCountry, Consented: row.Consented, FaceDeclined: row.FaceDeclined, Redo: row.Redo,
			Liveness: idv.LivenessPath(row.Liveness),
			Persona:  row.Persona, PersonaActs: row.PersonaActs,
			Country:   row.Country,
			CreatedBy: idv.UserID(row.CreatedBy), ReopenedAt: database.UTC(row.ReopenedAt),
			Attempts: row.Attempts, Locale: row.Locale, CreatedAt: row.CreatedAt.UTC(),
			LinkExpiresAt: row.LinkExpiresAt.UTC(), ExpiresAt: database.UTC(row.ExpiresAt), OpenedAt: database.UTC(row.OpenedAt),
			SubmittedAt: database.UTC(row.SubmittedAt), DecidedAt: database.UTC(row.DecidedAt), PicturesErasedAt: database.UTC(row.PicturesGone),
			ErasedAt: database.UTC(row.ErasedAt), HeldAt: database.UTC(row.HeldAt), Version: row.Version,
			Follows: idv.SessionID(row.Follows), FollowedBy: idv.SessionID(row.FollowedBy), Spent: row.Spent, Wallet: idv.WalletStanding(row.Wallet),
		},
		LinkHash: row.LinkHash, LinkUsed: row.LinkUsed, TokenHash: row.TokenHash, Sweeps: row.Sweeps, TouchedAt: row.TouchedAt.UTC(),
		Figures: session.Figures{
			Device: idv.Device(row.Device), FaceModel: row.FaceModel, Automatic: row.Automatic, Due: idv.Step(row.DueStep),
			Source: idv.Source(row.CaptureSource),
		},
	}
	if row.ProblemCode != "" {
		out.LastProblem = &idv.StepProblem{Code: row.ProblemCode, Step: idv.Step(row.ProblemStep)}
	}
	if len(row.Personal) == 0 {
		return out, nil
	}
	var p personal
	err := r.UnsealJSON(ctx, out.ID, personalColumn, row.Personal, &p)
	if errors.Is(err, problem.New(problem.SessionErased)) {
		return out, nil
	}
	out.ExternalReference, out.Metadata, out.Claimed = p.ExternalReference, p.Metadata, p.Claimed
	out.ReturnURL, out.Email = p.ReturnURL, p.Email
	return out, err
}
