package session

import (
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// OutputStore is where Outputs reads.
type OutputStore interface {
	Captures(ctx context.Context, id idv.SessionID) ([]CaptureRow, error)
	Artifacts(ctx context.Context, id idv.SessionID) ([]idv.Artifact, error)
	Reviews(ctx context.Context, id idv.SessionID) ([]idv.Review, error)
}

// Outputs returns each fact of a report once, with what reviewers corrected, and what a wallet disclosed of credentials that no preset has.
func Outputs(ctx context.Context, st OutputStore, r idv.Report) (verified.Outputs, error) {
	reviews, err := st.Reviews(ctx, r.Session)
	if err != nil {
		return verified.Outputs{}, err
	}
	out := verified.Of(r, reviews)
	check, looked := r.Check(idv.CheckWalletValid)
	if !looked {
		return out, nil
	}
	captures, err := st.Captures(ctx, r.Session)
	if err != nil {
		return verified.Outputs{}, err
	}
	artifacts, err := st.Artifacts(ctx, r.Session)
	if err != nil {
		return verified.Outputs{}, err
	}
	// A presentation that came after the check settled is not what the report judged.
	judged := slices.DeleteFunc(Active(captures), func(c CaptureRow) bool { return c.CreatedAt.After(check.SettledAt) })
	for _, a := range artifacts {
		of := func(c CaptureRow) bool { return c.ID == a.Capture }
		if a.Kind != idv.ArtifactWallet || !a.Present || !slices.ContainsFunc(judged, of) {
			continue
		}
		found, err := idv.ValueOf[idv.Wallet](a)
		if err != nil {
			return verified.Outputs{}, err
		}
		out.Credentials = verified.CredentialsOf(r, found)
		break
	}
	return out, nil
}
