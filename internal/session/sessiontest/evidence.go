package sessiontest

import (
	"cmp"
	"context"
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/liveness"
	"github.com/bonafide-id/bonafide/internal/session"
)

// evidenceReader reads what was sent and found.
type evidenceReader struct{ view }

func (r evidenceReader) Captures(_ context.Context, id idv.SessionID) ([]session.CaptureRow, error) {
	return where(r.at().captures, func(c session.CaptureRow) bool { return c.Session == id }), nil
}

func (r evidenceReader) Artifacts(_ context.Context, id idv.SessionID) ([]idv.Artifact, error) {
	return where(r.at().artifacts, func(a idv.Artifact) bool { return a.Session == id }), nil
}

func (r evidenceReader) Claims(_ context.Context, id idv.SessionID) ([]idv.Claim, error) {
	out := []idv.Claim{}
	for _, c := range r.at().claims {
		if c.session == id {
			out = append(out, c.claim)
		}
	}
	return out, nil
}

func (r evidenceReader) Checks(_ context.Context, id idv.SessionID) ([]idv.Check, error) {
	return where(r.at().checks, func(c idv.Check) bool { return c.Session == id }), nil
}

func (r evidenceReader) Reports(_ context.Context, id idv.SessionID) ([]idv.Report, error) {
	return where(r.at().reports, func(rep idv.Report) bool { return rep.Session == id }), nil
}

func (r evidenceReader) Decisions(_ context.Context, id idv.SessionID) ([]idv.Decision, error) {
	return where(r.at().decisions, func(d idv.Decision) bool { return d.Session == id }), nil
}

// evidenceWriter writes what was sent and found.
type evidenceWriter struct{ *base }

func (w evidenceWriter) AddCapture(_ context.Context, c session.CaptureRow) error {
	c.Bytes, c.Faceless = nil, false
	w.next.captures = append(w.next.captures, c)
	return nil
}

func (w evidenceWriter) SupersedeCaptures(_ context.Context, id idv.SessionID, step idv.Step) error {
	update(w.next.captures, func(c session.CaptureRow) bool { return c.Session == id && c.Step == step }, func(c *session.CaptureRow) { c.Superseded = true })
	return nil
}

func (w evidenceWriter) SetChecked(_ context.Context, id idv.CaptureID) error {
	update(w.next.captures, func(c session.CaptureRow) bool { return c.ID == id }, func(c *session.CaptureRow) { c.Checked = true })
	return nil
}

func (w evidenceWriter) AddExtraction(_ context.Context, c session.CaptureRow, x idv.Extraction) (bool, error) {
	waiting := func(o session.CaptureRow) bool { return o.ID == c.ID && !o.Extracted }
	if update(w.next.captures, waiting, func(o *session.CaptureRow) { o.Extracted = true }) == 0 {
		return false, nil
	}
	for _, a := range x.Artifacts {
		scope := session.ScopeAll
		if session.GoesWithPictures(a.Kind) {
			scope = session.ScopePictures
		}
		if err := w.next.open(c.Session, scope); err != nil {
			return false, err
		}
		if a.Inputs == nil {
			a.Inputs = []idv.Digest{}
		}
		a.Session, a.Capture, a.Blob = c.Session, c.ID, nil
		w.next.artifacts = append(w.next.artifacts, a)
	}
	for _, claim := range x.Claims {
		kept, err := throughJSON(claim)
		if err != nil {
			return false, err
		}
		kept.Capture = c.ID
		w.next.claims = append(w.next.claims, claimRow{session: c.Session, claim: kept})
	}
	w.next.indexPerson(c.Session, x.Claims)
	return true, nil
}

// EarlierFrames compares with every recording that is there, where a SQL store looks up keyed marks.
func (w evidenceWriter) EarlierFrames(_ context.Context, c session.CaptureRow, digests [][]byte) ([]session.EarlierFrames, error) {
	if len(digests) == 0 {
		return nil, nil
	}
	type hit struct {
		frameRow
		near int
	}
	var hits []hit
	for _, row := range w.next.frames {
		h := hit{frameRow: row}
		for _, d := range digests {
			if slices.ContainsFunc(row.digests, func(o []byte) bool { return liveness.Near(d, o) }) {
				h.near++
			}
		}
		if h.near > 0 && row.capture != c.ID {
			hits = append(hits, h)
		}
	}
	slices.SortStableFunc(hits, func(a, b hit) int { return cmp.Or(b.near-a.near, cmp.Compare(a.capture, b.capture)) })
	var out []session.EarlierFrames
	for _, h := range upTo(hits, session.EarlierLimit) {
		out = append(out, session.EarlierFrames{Capture: h.capture, Digests: h.digests})
	}
	w.next.frames = append(w.next.frames, frameRow{session: c.Session, capture: c.ID, digests: digests})
	return out, nil
}

func (w evidenceWriter) AddCheck(_ context.Context, c idv.Check) (bool, error) {
	if err := w.next.open(c.Session, session.ScopeAll); err != nil {
		return false, err
	}
	if c.Finding != nil {
		f, err := throughJSON(*c.Finding)
		if err != nil {
			return false, err
		}
		c.Finding = &f
	}
	i := slices.IndexFunc(w.next.checks, func(o idv.Check) bool { return o.Session == c.Session && o.Kind == c.Kind && o.Inputs == c.Inputs })
	switch {
	case i < 0:
		w.next.checks = append(w.next.checks, c)
	case w.next.checks[i].Lifecycle != idv.CheckSuperseded:
		return false, nil
	default:
		w.next.checks[i] = c
	}
	return true, nil
}

func (w evidenceWriter) SupersedeCheck(_ context.Context, id idv.CheckID) error {
	update(w.next.checks, func(c idv.Check) bool { return c.ID == id }, func(c *idv.Check) { c.Lifecycle = idv.CheckSuperseded })
	return nil
}

func (w evidenceWriter) AddReport(_ context.Context, r idv.Report) error {
	if err := w.next.open(r.Session, session.ScopeAll); err != nil {
		return err
	}
	kept, err := throughJSON(r)
	if err != nil {
		return err
	}
	w.next.reports = append(w.next.reports, kept)
	return nil
}

func (w evidenceWriter) AddDecision(_ context.Context, d idv.Decision) error {
	if err := w.next.open(d.Session, session.ScopeAll); err != nil {
		return err
	}
	if d.Reasons == nil {
		d.Reasons = []idv.Reason{}
	}
	w.next.decisions = append(w.next.decisions, d)
	return nil
}

func (w evidenceWriter) AddFacts(_ context.Context, f session.Facts) error {
	if r, there := w.next.sessions[f.Session]; there {
		r.Country = f.Country
		w.next.sessions[f.Session] = r
	}
	w.next.facts = append(w.next.facts, f)
	return nil
}

func (w evidenceWriter) StrikeFace(_ context.Context, id idv.SessionID) ([]string, error) {
	t := w.next
	t.faces, _ = without(t.faces, func(f faceRow) bool { return f.session == id })
	t.dropFaceEntries(id)
	var blobs []string
	var captures []idv.CaptureID
	ofFace := func(c session.CaptureRow) bool { return c.Session == id && c.Step == idv.StepSelfie }
	for _, c := range where(t.captures, ofFace) {
		captures, blobs = append(captures, c.ID), append(blobs, c.Blob)
	}
	gone := func(a idv.Artifact) bool {
		return a.Session == id && (slices.Contains(captures, a.Capture) || session.IsTemplate(a.Kind))
	}
	for i, a := range t.artifacts {
		crop := a.Session == id && a.Kind == idv.ArtifactPortrait
		if (crop || gone(a)) && a.BlobType != "" {
			blobs = append(blobs, session.ArtifactBlob(id, a.ID))
		}
		if crop {
			t.artifacts[i].BlobType = ""
		}
	}
	t.artifacts, _ = without(t.artifacts, gone)
	t.checks, _ = without(t.checks, func(c idv.Check) bool { return c.Session == id && c.Kind.AboutFace() })
	t.claims, _ = without(t.claims, func(c claimRow) bool { return c.session == id && slices.Contains(captures, c.claim.Capture) })
	t.frames, _ = without(t.frames, func(f frameRow) bool { return slices.Contains(captures, f.capture) })
	t.captures, _ = without(t.captures, ofFace)
	update(t.attempts, func(a session.Attempt) bool { return a.Session == id && a.Step == idv.StepSelfie }, func(a *session.Attempt) { a.SHA256 = "" })
	return blobs, nil
}
