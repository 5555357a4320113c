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

// Evidence is what counts of everything that was sent and found.
type Evidence struct {
	Captures  []CaptureRow   // not superseded
	Artifacts []idv.Artifact // of those captures, the newest of each kind and side
	Links     []LinkDecision // what reviewers said of this session and others
	claims    []idv.Claim    // of those captures
}

// EvidenceSource is what evidence is loaded from.
type EvidenceSource interface {
	EvidenceReader
	LinkReader
}

// LoadEvidence reads a session's evidence.
func LoadEvidence(ctx context.Context, r EvidenceSource, id idv.SessionID) (Evidence, error) {
	captures, err := r.Captures(ctx, id)
	if err != nil {
		return Evidence{}, err
	}
	artifacts, err := r.Artifacts(ctx, id)
	if err != nil {
		return Evidence{}, err
	}
	claims, err := r.Claims(ctx, id)
	if err != nil {
		return Evidence{}, err
	}
	links, err := r.LinkDecisions(ctx, id)
	if err != nil {
		return Evidence{}, err
	}
	ev := Evidence{Captures: Active(captures), Links: links}
	counts := func(c idv.CaptureID) bool {
		return slices.ContainsFunc(ev.Captures, func(row CaptureRow) bool { return row.ID == c })
	}
	for _, a := range artifacts {
		if !counts(a.Capture) {
			continue
		}
		older := func(o idv.Artifact) bool { return o.Kind == a.Kind && o.Side == a.Side }
		// A credential without a portrait leaves that of the chip in its place, and the other way round.
		present := func(o idv.Artifact) bool { return older(o) && o.Present && o.Capture != a.Capture }
		if a.Side == idv.NoSide && !a.Present && slices.ContainsFunc(ev.Artifacts, present) {
			continue
		}
		ev.Artifacts = append(slices.DeleteFunc(ev.Artifacts, older), a)
	}
	for _, c := range claims {
		if counts(c.Capture) {
			ev.claims = append(ev.claims, c)
		}
	}
	return ev, nil
}

// Active leaves out captures that a retake replaced.
func Active(rows []CaptureRow) []CaptureRow {
	var out []CaptureRow
	for _, c := range rows {
		if !c.Superseded {
			out = append(out, c)
		}
	}
	return out
}

// Extracted reports whether everything that was sent has been looked at.
func (ev Evidence) Extracted() bool {
	return !slices.ContainsFunc(ev.Captures, func(c CaptureRow) bool { return !c.Extracted })
}

// Has reports whether a capture of a kind was sent and looked at.
func (ev Evidence) Has(k idv.CaptureKind) bool {
	return slices.ContainsFunc(ev.Captures, func(c CaptureRow) bool { return c.Kind == k && c.Extracted })
}

// AwaitsSigned reports whether a chip or the answer of a wallet was sent and not looked at yet: checks that heed one would be asked again.
func (ev Evidence) AwaitsSigned() bool {
	return slices.ContainsFunc(ev.Captures, func(c CaptureRow) bool { return !c.Kind.HasPicture() && !c.Extracted })
}

// Digest says what evidence a check is asked about: the artifacts it needs, by the captures they were found
// in, what the applicant chose to show and, where it looks at other sessions, what reviewers said of them. It is half of what makes a
// check unique.
func (ev Evidence) Digest(k idv.CheckKind, needs []idv.ArtifactKind, rec Record) idv.Digest {
	var parts []string
	for _, a := range ev.Artifacts {
		if slices.Contains(needs, a.Kind) {
			parts = append(parts, fmt.Sprintf("%s %s %s", a.Kind, a.Side, a.Capture))
		}
	}
	sort.Strings(parts)
	h := sha256.New()
	if rec.FaceDeclined && k.AboutFace() {
		parts = append(parts, "declined")
	}
	if k.AboutDuplicates() {
		for _, d := range ev.Links {
			parts = append(parts, fmt.Sprintf("%s %d", d.Other(rec.ID), d.Version))
		}
	}
	for _, p := range append([]string{string(k), string(rec.Workflow), string(rec.DocumentKind)}, parts...) {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return idv.Digest(hex.EncodeToString(h.Sum(nil)))
}

// ForChecks is the evidence as checkers and reports see it.
func (ev Evidence) ForChecks(rec Record, w idv.WorkflowVersion, now time.Time) idv.Evidence {
	captures := make([]idv.Capture, len(ev.Captures))
	for i, c := range ev.Captures {
		captures[i] = c.Capture
	}
	return idv.Evidence{
		Mode: rec.Mode, Workflow: w, Now: now, Chosen: rec.DocumentKind, Country: rec.ChosenCountry, Captures: captures, Artifacts: ev.Artifacts,
		Claims: append(slices.Clone(ev.claims), idv.ClaimedFacts(claimedOf(rec))...),
	}
}

// CurrentChecks answers the checks that are about the present evidence, and supersedes the others.
func (l *Lifecycle) CurrentChecks(ctx context.Context, tx Tx, rec Record, ev Evidence) ([]idv.Check, error) {
	checks, err := tx.Checks(ctx, rec.ID)
	if err != nil {
		return nil, err
	}
	var out []idv.Check
	for _, c := range checks {
		switch {
		case c.Lifecycle == idv.CheckSuperseded:
		case c.Inputs == ev.Digest(c.Kind, l.engine.Needs(c.Kind), rec):
			out = append(out, c)
		default:
			if err := tx.SupersedeCheck(ctx, c.ID); err != nil {
				return nil, err
			}
		}
	}
	return out, nil
}
