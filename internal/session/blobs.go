package session

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Original is one picture as it was sent.
type Original struct {
	Name  string
	Bytes []byte
}

// StoredEvidence names what is wrong with evidence that was read with err: what is missing or does not open is problem
// evidence.damaged. Any other error says nothing about the evidence and is returned as it is.
func StoredEvidence(id idv.SessionID, subject string, err error) error {
	if errors.Is(err, vault.ErrNoBlob) || errors.Is(err, vault.ErrDamaged) {
		return fmt.Errorf("evidence %s of session %s: %w", subject, id, errors.Join(problem.New(problem.EvidenceDamaged), err))
	}
	return err
}

// Originals reads a picture, each frame of a run, or each file of a chip, and names it after a base. Problems: session.erased, evidence.damaged.
func (l *Lifecycle) Originals(ctx context.Context, row CaptureRow, base string) ([]Original, error) {
	raw, err := l.pictures.Get(ctx, row.Session, row.Blob)
	if err != nil {
		return nil, StoredEvidence(row.Session, string(row.ID), err)
	}
	if row.Kind == idv.ChipFiles {
		return chipFiles(raw, base)
	}
	if row.Kind == idv.WalletData {
		return walletFiles(raw, base)
	}
	if row.Kind != idv.Frames {
		return []Original{{base + extension(raw), raw}}, nil
	}
	run, err := idv.OpenFrames(raw)
	if err != nil {
		return nil, err
	}
	var out []Original
	for i, f := range run.Frames {
		out = append(out, Original{fmt.Sprintf("%s/frame_%02d.jpg", base, i+1), f.JPEG})
	}
	return out, nil
}

// chipFiles unpacks the files of a chip: each as it was read, the challenge with the chip's answer, and what it agreed on, where there are any.
func chipFiles(raw []byte, base string) ([]Original, error) {
	read, err := idv.OpenChip(raw)
	if err != nil {
		return nil, err
	}
	var out []Original
	for _, f := range read.Files {
		out = append(out, Original{base + "/" + f.Name + ".bin", f.Bytes})
	}
	if len(read.Challenge) > 0 {
		out = append(out, Original{base + "/challenge.bin", read.Challenge}, Original{base + "/response.bin", read.Response})
	}
	if read.Agreement != nil {
		agreed, err := json.Marshal(read.Agreement)
		if err != nil {
			return nil, fmt.Errorf("write what a chip agreed on: %w", err)
		}
		out = append(out, Original{base + "/agreement.bin", agreed})
	}
	return out, nil
}

// walletFiles unpacks the answer of a wallet: the request without its key, and what was presented, as one JSON file.
func walletFiles(raw []byte, base string) ([]Original, error) {
	answer, err := idv.OpenWallet(raw)
	if err != nil {
		return nil, err
	}
	plain, err := json.Marshal(answer)
	if err != nil {
		return nil, err
	}
	return []Original{{base + "/answer.json", plain}}, nil
}

// extension names the type of a picture by its content.
func extension(raw []byte) string {
	switch http.DetectContentType(raw) {
	case "image/jpeg":
		return ".jpg"
	case "image/png":
		return ".png"
	case "image/webp":
		return ".webp"
	default:
		return ".bin"
	}
}

// DeleteBlobs deletes what no row names any more, the others too where one stays. What a crash leaves behind here is found as
// an orphan.
func (l *Lifecycle) DeleteBlobs(ctx context.Context, names []string) error {
	ctx = context.WithoutCancel(ctx)
	var failed []error
	for _, name := range names {
		if err := l.pictures.Delete(ctx, name); err != nil {
			failed = append(failed, fmt.Errorf("delete a blob: %w", err))
		}
	}
	return errors.Join(failed...)
}

// TryDeleteBlobs deletes what no row names, where the caller's answer does not depend on it.
func (l *Lifecycle) TryDeleteBlobs(ctx context.Context, id idv.SessionID, names []string) {
	if err := l.DeleteBlobs(ctx, names); err != nil {
		l.log.ErrorContext(ctx, "pictures are not deleted yet", "session", id, "error", err)
	}
}
