package session

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"sort"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// evidence is what counts of everything that was sent and found.
type evidence struct {
	captures  []CaptureRow   // not superseded
	artifacts []idv.Artifact // of those captures, the newest of each kind and side
	claims    []idv.Claim    // of those captures
}

// evidenceOf reads a session's evidence.
func evidenceOf(ctx context.Context, r Reader, id idv.SessionID) (evidence, error) {
	captures, err := r.Captures(ctx, id)
	if err != nil {
		return evidence{}, err
	}
	artifacts, err := r.Artifacts(ctx, id)
	if err != nil {
		return evidence{}, err
	}
	claims, err := r.Claims(ctx, id)
	if err != nil {
		return evidence{}, err
	}
	ev := evidence{captures: active(captures)}
	counts := func(c idv.CaptureID) bool {
		return slices.ContainsFunc(ev.captures, func(row CaptureRow) bool { return row.ID == c })
	}
	for _, a := range artifacts {
		if !counts(a.Capture) {
			continue
		}
		older := func(o idv.Artifact) bool { return o.Kind == a.Kind && o.Side == a.Side }
		ev.artifacts = append(slices.DeleteFunc(ev.artifacts, older), a)
	}
	for _, c := range claims {
		if counts(c.Capture) {
			ev.claims = append(ev.claims, c)
		}
	}
	return ev, nil
}

// active leaves out captures that a retake replaced.
func active(rows []CaptureRow) []CaptureRow {
	var out []CaptureRow
	for _, c := range rows {
		if !c.Superseded {
			out = append(out, c)
		}
	}
	return out
}

// extracted reports whether everything that was sent has been looked at.
func (ev evidence) extracted() bool {
	return !slices.ContainsFunc(ev.captures, func(c CaptureRow) bool { return !c.Extracted })
}

// digest says what evidence a check is asked about: the artifacts it needs, by the captures they were found
// in, and what the applicant chose to show. It is half of what makes a check unique.
func (ev evidence) digest(k idv.CheckKind, needs []idv.ArtifactKind, rec Record) idv.Digest {
	var parts []string
	for _, a := range ev.artifacts {
		if slices.Contains(needs, a.Kind) {
			parts = append(parts, fmt.Sprintf("%s %s %s", a.Kind, a.Side, a.Capture))
		}
	}
	sort.Strings(parts)
	h := sha256.New()
	if rec.FaceDeclined && k.AboutFace() {
		parts = append(parts, "declined")
	}
	for _, p := range append([]string{string(k), string(rec.Workflow), string(rec.DocumentKind)}, parts...) {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return idv.Digest(hex.EncodeToString(h.Sum(nil)))
}

// shown is the evidence as checkers and reports see it.
func (ev evidence) shown(rec Record, w idv.WorkflowVersion, now time.Time) idv.Evidence {
	return idv.Evidence{
		Mode: rec.Mode, Workflow: w, Now: now, Chosen: rec.DocumentKind, Country: rec.ChosenCountry, Artifacts: ev.artifacts,
		Claims: append(slices.Clone(ev.claims), idv.ClaimedFacts(claimedOf(rec))...),
	}
}
