package retention

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
)

// SessionExported is the audited action of handing out everything that is kept of a person.
const SessionExported = "session.exported"

// exported is the JSON of a data-subject export: what is kept, in words that the reference of the API uses.
type exported struct {
	Format    string            `json:"format"` // bonafide-export-1
	MadeAt    time.Time         `json:"made_at"`
	Session   exportedSession   `json:"session"`
	Claims    []idv.Claim       `json:"facts"` // each with the source in which it was stated
	Document  any               `json:"document"`
	Checks    []idv.Check       `json:"checks"`
	Consents  []exportedConsent `json:"consents"`
	Decisions []exportedVerdict `json:"decisions"`
	Timeline  []exportedEvent   `json:"timeline"`
	Pictures  []exportedPicture `json:"pictures"`
	KeptUntil map[string]string `json:"kept_until"`
	NotIn     []string          `json:"not_included"`
}

type exportedSession struct {
	ID                idv.SessionID            `json:"id"`
	Mode              idv.Mode                 `json:"mode"`
	Workflow          string                   `json:"workflow"`
	State             idv.SessionState         `json:"state"`
	ExternalReference string                   `json:"external_reference"`
	Metadata          map[string]string        `json:"metadata"`
	Claimed           map[idv.ClaimName]string `json:"claimed"`
	DocumentKind      idv.DocumentKind         `json:"document_kind"`
	Locale            string                   `json:"locale"`
	CreatedAt         time.Time                `json:"created_at"`
	Follows           idv.SessionID            `json:"follows,omitempty"`     // an export of that session has what was sent in it
	FollowedBy        idv.SessionID            `json:"followed_by,omitempty"` // likewise
}

type exportedConsent struct {
	Given       bool                   `json:"given"`
	About       session.ConsentSubject `json:"about,omitempty"`
	TextVersion string                 `json:"text_version"`
	Locale      string                 `json:"locale"`
	Address     string                 `json:"address"` // shortened
	At          time.Time              `json:"at"`
}

type exportedVerdict struct {
	Outcome   idv.DecisionOutcome `json:"outcome"`
	Reasons   []idv.Reason        `json:"reasons"`
	Rule      string              `json:"rule"`
	ByPolicy  bool                `json:"by_policy"` // automatically, without a person
	Note      string              `json:"note"`
	DecidedAt time.Time           `json:"decided_at"`
}

type exportedEvent struct {
	Type session.EventType `json:"type"`
	At   time.Time         `json:"at"`
	By   string            `json:"by"` // kind of the actor
}

type exportedPicture struct {
	File string    `json:"file,omitempty"` // in the archive; empty where the picture was erased
	Step idv.Step  `json:"step"`
	Kind string    `json:"kind"`
	At   time.Time `json:"at"`

	row session.CaptureRow
}

// ExportFormat names the form of exports.
const ExportFormat = "bonafide-export-1"

// Export is everything that is kept of a session's person, ready to be written.
type Export struct {
	life *session.Lifecycle
	body exported
}

// Export gathers everything that is kept of a session's person: facts with their sources, checks, consents, decisions,
// timeline and pictures as they were sent. Each picture is read once beforehand, so that one that cannot be is no broken
// download. That it was asked for is audited before anything is handed out. Problems: not_found, session.erased, evidence.damaged.
func (s *Exports) Export(ctx context.Context, mode idv.Mode, id idv.SessionID) (*Export, error) {
	rec, err := s.life.Record(ctx, mode, id)
	if err != nil {
		return nil, err
	}
	if err := rec.CheckNotErased(session.ScopeAll); err != nil {
		return nil, err
	}
	body, err := s.collect(ctx, rec)
	if err != nil {
		return nil, err
	}
	if err := s.checkPictures(ctx, body.Pictures); err != nil {
		return nil, err
	}
	err = s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil {
			return err
		}
		if err := rec.CheckNotErased(session.ScopeAll); err != nil {
			return err // erased meanwhile
		}
		if err := tx.Audit(ctx, audit.Record{Action: SessionExported, Session: id, After: body.Pictures}); err != nil {
			return err
		}
		return s.life.Notify(ctx, tx, id, session.EventExported, nil)
	})
	return &Export{life: s.life, body: body}, err
}

// checkPictures reads each picture that will be in an export, one at a time.
func (s *Exports) checkPictures(ctx context.Context, of []exportedPicture) error {
	for _, p := range of {
		if p.File == "" {
			continue
		}
		if _, err := s.life.Originals(ctx, p.row, p.File); err != nil {
			return err
		}
	}
	return nil
}

func (s *Exports) collect(ctx context.Context, rec session.Record) (exported, error) {
	out := exported{
		Format: ExportFormat, MadeAt: s.life.Now(), Checks: []idv.Check{}, Claims: []idv.Claim{}, Consents: []exportedConsent{},
		Decisions: []exportedVerdict{}, Timeline: []exportedEvent{}, Pictures: []exportedPicture{}, KeptUntil: map[string]string{},
		NotIn: []string{"face templates and marks by which a recording is found again: numbers made from the pictures above, which are included"},
	}
	w, err := session.WorkflowOf(ctx, s.store, rec)
	if err != nil {
		return out, err
	}
	out.Session = exportedSession{
		ID: rec.ID, Mode: rec.Mode, Workflow: w.Name, State: rec.State, ExternalReference: rec.ExternalReference, Metadata: rec.Metadata,
		Claimed: rec.Claimed, DocumentKind: rec.DocumentKind, Locale: rec.Locale, CreatedAt: rec.CreatedAt,
		Follows: rec.Follows, FollowedBy: rec.FollowedBy,
	}
	view, err := s.life.ViewOf(ctx, s.store, rec, w)
	if err != nil {
		return out, err
	}
	for what, until := range map[string]time.Time{"pictures": view.Keeping.PicturesUntil, "report": view.Keeping.ReportUntil} {
		if !until.IsZero() {
			out.KeptUntil[what] = until.Format(time.RFC3339)
		}
	}
	if err := s.collectEvidence(ctx, rec, &out); err != nil {
		return out, err
	}
	return out, s.collectHistory(ctx, rec.ID, &out)
}

// collectEvidence adds facts, checks, the document and the list of pictures.
func (s *Exports) collectEvidence(ctx context.Context, rec session.Record, out *exported) error {
	read := s.store.Together()
	claims, err := read.Claims(ctx, rec.ID)
	if err != nil {
		return err
	}
	out.Claims = append(append(out.Claims, claims...), idv.ClaimedFacts(rec.Claimed)...)
	checks, err := read.Checks(ctx, rec.ID)
	if err != nil {
		return err
	}
	out.Checks = append(out.Checks, checks...)
	reports, err := read.Reports(ctx, rec.ID)
	if err != nil {
		return err
	}
	if len(reports) > 0 {
		out.Document = reports[len(reports)-1].Document
	}
	captures, err := s.store.Captures(ctx, rec.ID)
	if err != nil {
		return err
	}
	for i, c := range captures {
		p := exportedPicture{Step: c.Step, Kind: string(c.Kind), At: c.CreatedAt, row: c}
		if rec.PicturesErasedAt.IsZero() {
			p.File = fmt.Sprintf("pictures/%02d_%s", i+1, c.Step)
		}
		out.Pictures = append(out.Pictures, p)
	}
	return nil
}

// collectHistory adds consents, decisions and the timeline.
func (s *Exports) collectHistory(ctx context.Context, id idv.SessionID, out *exported) error {
	consents, err := s.store.Consents(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range consents {
		out.Consents = append(out.Consents, exportedConsent{
			Given: c.Given, About: c.About, TextVersion: c.TextVersion, Locale: c.Consent.Locale, Address: c.Address, At: c.At,
		})
	}
	decisions, err := s.store.Decisions(ctx, id)
	if err != nil {
		return err
	}
	for _, d := range decisions {
		out.Decisions = append(out.Decisions, exportedVerdict{
			Outcome: d.Outcome, Reasons: d.Reasons, Rule: d.Rule, ByPolicy: d.By == session.ByPolicy, Note: d.Note, DecidedAt: d.DecidedAt,
		})
	}
	events, err := s.store.Events(ctx, id, "")
	for _, e := range events {
		out.Timeline = append(out.Timeline, exportedEvent{Type: e.Type, At: e.At, By: e.Actor})
	}
	return err
}

// Write writes the export as a zip archive, one picture in memory at a time. Pictures come first, so that an archive that
// was cut off has no table of contents that says otherwise: a zip without its end does not open.
func (x *Export) Write(ctx context.Context, w io.Writer) error {
	z := zip.NewWriter(w)
	for i := range x.body.Pictures {
		if err := x.writePicture(ctx, z, &x.body.Pictures[i]); err != nil {
			return err
		}
	}
	f, err := z.CreateHeader(&zip.FileHeader{Name: "session.json", Method: zip.Deflate, Modified: x.body.MadeAt})
	if err != nil {
		return fmt.Errorf("write an export: %w", err)
	}
	enc := json.NewEncoder(f)
	enc.SetIndent("", "  ")
	if err := enc.Encode(x.body); err != nil {
		return fmt.Errorf("write an export: %w", err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("write an export: %w", err)
	}
	return nil
}

// writePicture writes a picture as it was sent, or each frame of a run.
func (x *Export) writePicture(ctx context.Context, z *zip.Writer, p *exportedPicture) error {
	if p.File == "" {
		return nil
	}
	files, err := x.life.Originals(ctx, p.row, p.File)
	if err != nil {
		return err
	}
	if p.row.Kind == idv.Frames {
		p.File += "/"
	} else {
		p.File = files[0].Name
	}
	for _, file := range files {
		f, err := z.CreateHeader(&zip.FileHeader{Name: file.Name, Method: zip.Store, Modified: p.At})
		if err == nil {
			_, err = f.Write(file.Bytes)
		}
		if err != nil {
			return fmt.Errorf("write an export: %w", err)
		}
	}
	return nil
}
