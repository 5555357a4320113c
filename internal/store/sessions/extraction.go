package sessions

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// ArtifactRow is what was computed from a capture.
type ArtifactRow struct {
	bun.BaseModel `bun:"table:artifacts"`
	ID            string       `bun:"id"`
	Session       string       `bun:"session_id"`
	Capture       string       `bun:"capture_id"`
	Side          string       `bun:"side"`
	Kind          string       `bun:"kind"`
	Present       bool         `bun:"present"`
	Absent        string       `bun:"absent"`
	Producer      string       `bun:"producer"`
	Version       string       `bun:"version"`
	Inputs        []idv.Digest `bun:"inputs,type:json"`
	Data          []byte       `bun:"data"`
	Blob          string       `bun:"blob"`
	BlobType      string       `bun:"blob_type"`
}

// ClaimRow is a fact that was read from a capture, sealed.
type ClaimRow struct {
	bun.BaseModel `bun:"table:claims"`
	Session       string `bun:"session_id"`
	Capture       string `bun:"capture_id"`
	Name          string `bun:"name"`
	Source        string `bun:"source"`
	Data          []byte `bun:"data"`
}

// keyOf says which keyset covers an artifact: templates are as personal as pictures and go with them.
func keyOf(k idv.ArtifactKind) vault.Purpose {
	if session.GoesWithPictures(k) {
		return vault.Pictures
	}
	return vault.Facts
}

// AddExtraction implements session.EvidenceWriter.
func (t *EvidenceWriter) AddExtraction(ctx context.Context, c session.CaptureRow, x idv.Extraction) (bool, error) {
	res, err := t.Conn.NewUpdate().Model((*CaptureRow)(nil)).Set("extracted = ?", true).
		Where("id = ? AND extracted = ?", string(c.ID), false).Exec(ctx)
	if err != nil {
		return false, fmt.Errorf("note extraction: %w", err)
	}
	if n, err := res.RowsAffected(); err != nil || n == 0 {
		return false, err
	}
	for _, a := range x.Artifacts {
		if err := t.addArtifact(ctx, c, a); err != nil {
			return false, err
		}
	}
	for _, claim := range x.Claims {
		if err := t.addClaim(ctx, c, claim); err != nil {
			return false, err
		}
	}
	return true, t.blind.indexPerson(ctx, c.Session, x.Claims)
}

func (t *EvidenceWriter) addArtifact(ctx context.Context, c session.CaptureRow, a idv.Artifact) error {
	k, err := t.Keyset(ctx, c.Session, keyOf(a.Kind))
	if err != nil {
		return err
	}
	sealed, err := k.Seal(database.Place("artifacts.data", string(a.ID)), a.Data)
	if err != nil {
		return err
	}
	if a.Inputs == nil {
		a.Inputs = []idv.Digest{}
	}
	blob := ""
	if len(a.Blob) > 0 {
		blob = session.ArtifactBlob(c.Session, a.ID)
	}
	return t.Insert(ctx, &ArtifactRow{
		ID: string(a.ID), Session: string(c.Session), Capture: string(c.ID), Side: string(a.Side), Kind: string(a.Kind),
		Present: a.Present, Absent: a.Absent, Producer: a.Producer, Version: a.Version, Inputs: a.Inputs,
		Data: sealed, Blob: blob, BlobType: a.BlobType,
	}, "artifact")
}

func (t *EvidenceWriter) addClaim(ctx context.Context, c session.CaptureRow, claim idv.Claim) error {
	sealed, err := t.SealJSON(ctx, c.Session, database.Place("claims.data", string(c.ID)), claim)
	if err != nil {
		return err
	}
	row := ClaimRow{Session: string(c.Session), Capture: string(c.ID), Name: string(claim.Name), Source: string(claim.Source), Data: sealed}
	return t.Insert(ctx, &row, "claim")
}

// Artifacts implements session.EvidenceReader.
func (r *EvidenceReader) Artifacts(ctx context.Context, id idv.SessionID) ([]idv.Artifact, error) {
	rows, err := database.RowsOf[ArtifactRow](ctx, r.Reader, id, "artifacts")
	if err != nil {
		return nil, err
	}
	r = &EvidenceReader{r.Together()}
	out := make([]idv.Artifact, 0, len(rows))
	for _, row := range rows {
		a := idv.Artifact{
			ID: idv.ArtifactID(row.ID), Session: id, Capture: idv.CaptureID(row.Capture), Side: idv.Side(row.Side),
			Kind: idv.ArtifactKind(row.Kind), Present: row.Present, Absent: row.Absent, Producer: row.Producer,
			Version: row.Version, Inputs: row.Inputs, BlobType: row.BlobType,
		}
		if len(row.Data) > 0 {
			k, err := r.Keyset(ctx, id, keyOf(a.Kind))
			if session.GoesWithPictures(a.Kind) && problem.Has(err, problem.SessionErased) {
				out = append(out, a) // gone with the pictures; what else is known of the session can still be read
				continue
			}
			if err != nil {
				return nil, err
			}
			if a.Data, err = k.Unseal(database.Place("artifacts.data", row.ID), row.Data); err != nil {
				return nil, err
			}
		}
		out = append(out, a)
	}
	return out, nil
}

// Claims implements session.EvidenceReader.
func (r *EvidenceReader) Claims(ctx context.Context, id idv.SessionID) ([]idv.Claim, error) {
	rows, err := database.RowsOf[ClaimRow](ctx, r.Reader, id, "claims")
	if err != nil {
		return nil, err
	}
	r = &EvidenceReader{r.Together()}
	out := make([]idv.Claim, 0, len(rows))
	for _, row := range rows {
		var c idv.Claim
		if err := r.UnsealJSON(ctx, id, database.Place("claims.data", row.Capture), row.Data, &c); err != nil {
			return nil, err
		}
		c.Capture = idv.CaptureID(row.Capture)
		out = append(out, c)
	}
	return out, nil
}
