package sessiontest

import (
	"context"
	"time"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/session"
)

// Strike implements session.Eraser.
func (w eraser) Strike(_ context.Context, id idv.SessionID, scope session.Scope, at time.Time) (session.Struck, error) {
	rec, err := w.next.record(id)
	if err != nil {
		return session.Struck{}, err
	}
	s := &strike{tables: w.next, id: id}
	s.items(rec, scope)
	blobs := s.blobs()
	for _, key := range []struct {
		name string
		gone bool
	}{{"pictures", rec.PicturesErasedAt.IsZero()}, {"facts", scope == session.ScopeAll && rec.ErasedAt.IsZero()}} {
		if key.gone {
			s.Keysets, s.Traces = append(s.Keysets, key.name), append(s.Traces, keyed("trace", []byte(string(id)+key.name)))
		}
	}
	if scope == session.ScopePictures {
		s.pictures()
	} else {
		s.all()
		rec.ErasedAt, rec.ExternalReference, rec.Metadata, rec.Claimed, rec.ReturnURL, rec.Email, rec.Locale = at, "", nil, nil, "", "", ""
		rec.LinkHash, rec.TokenHash = "erased "+string(id), ""
	}
	s.note("blobs", blobs)
	if rec.PicturesErasedAt.IsZero() {
		rec.PicturesErasedAt = at
	}
	rec.Version++
	w.next.sessions[id] = rec
	return s.Struck, nil
}

// strike removes what is kept of one session, and counts it place by place.
type strike struct {
	*tables
	session.Struck
	id idv.SessionID
}

func (s *strike) note(what string, n int) {
	if n > 0 {
		s.Removed = append(s.Removed, session.Removed{What: what, Count: n})
	}
}

// items names captures and reports, with a digest while the key of the facts is there.
func (s *strike) items(rec session.Record, scope session.Scope) {
	if !rec.ErasedAt.IsZero() {
		return
	}
	s.Items = []session.RemovedItem{}
	digest := func(d idv.Digest) string { return keyed("erased", []byte(string(s.id)+string(d))) }
	for _, c := range where(s.tables.captures, func(c session.CaptureRow) bool { return c.Session == s.id }) {
		s.Items = append(s.Items, session.RemovedItem{ID: string(c.ID), Kind: string(c.Kind), Digest: digest(c.SHA256)})
	}
	if scope == session.ScopePictures {
		return
	}
	for _, r := range where(s.reports, func(r idv.Report) bool { return r.Session == s.id }) {
		s.Items = append(s.Items, session.RemovedItem{ID: string(r.ID), Kind: "report", Digest: digest(r.Digest)})
	}
}

// blobs counts the blobs that rows refer to.
func (s *strike) blobs() int {
	return len(where(s.captures, s.ofCapture)) + len(where(s.parts, s.ofPart)) +
		len(where(s.artifacts, func(a idv.Artifact) bool { return a.Session == s.id && a.BlobType != "" }))
}

func (s *strike) ofCapture(c session.CaptureRow) bool { return c.Session == s.id }
func (s *strike) ofAttempt(a session.Attempt) bool    { return a.Session == s.id }
func (s *strike) ofPart(p session.UploadPart) bool    { return p.Session == s.id }

// remove removes the rows of a table that match accepts.
func remove[T any](s *strike, what string, rows *[]T, match func(T) bool) {
	var n int
	*rows, n = without(*rows, match)
	s.note(what, n)
}

// uploadsAndMarks removes what both scopes remove wholly.
func (s *strike) uploadsAndMarks() {
	s.note("block_entries", s.dropFaceEntries(s.id)) // about its face
	remove(s, "frame_marks", &s.frames, func(f frameRow) bool { return f.session == s.id })
	remove(s, "gallery_entries", &s.faces, func(f faceRow) bool { return f.session == s.id })
	remove(s, "upload_parts", &s.parts, s.ofPart)
	remove(s, "uploads", &s.uploads, func(u session.UploadRow) bool { return u.Session == s.id })
}

// pictures removes pictures and what is as personal.
func (s *strike) pictures() {
	s.note("captures", update(s.captures, s.ofCapture, func(c *session.CaptureRow) { c.SHA256, c.MediaType = "", "" }))
	s.note("attempts", update(s.attempts, s.ofAttempt, func(a *session.Attempt) { a.SHA256 = "" }))
	s.note("wallet_requests", update(s.walletRequests, func(w session.WalletRequestRow) bool { return w.Session == s.id },
		func(w *session.WalletRequestRow) { w.Sealed = nil }))
	s.uploadsAndMarks()
	ofSession := func(a idv.Artifact) bool { return a.Session == s.id }
	update(s.artifacts, ofSession, func(a *idv.Artifact) { a.Inputs, a.BlobType = []idv.Digest{}, "" })
	remove(s, "artifacts", &s.artifacts, func(a idv.Artifact) bool { return ofSession(a) && session.GoesWithPictures(a.Kind) })
}

// all removes everything personal.
func (s *strike) all() {
	remove(s, "artifacts", &s.artifacts, func(a idv.Artifact) bool { return a.Session == s.id })
	remove(s, "claims", &s.claims, func(c claimRow) bool { return c.session == s.id })
	remove(s, "captures", &s.captures, s.ofCapture)
	remove(s, "attempts", &s.attempts, s.ofAttempt)
	remove(s, "checks", &s.checks, func(c idv.Check) bool { return c.Session == s.id })
	remove(s, "reports", &s.reports, func(r idv.Report) bool { return r.Session == s.id })
	remove(s, "chip_challenges", &s.chipChallenges, func(c session.ChipChallengeRow) bool { return c.Session == s.id })
	remove(s, "chip_relays", &s.chipRelays, func(r session.RelayRow) bool { return r.Session == s.id })
	remove(s, "wallet_requests", &s.walletRequests, func(w session.WalletRequestRow) bool { return w.Session == s.id })
	remove(s, "challenges", &s.challenges, func(c session.ChallengeRow) bool { return c.Session == s.id })
	remove(s, "tabs", &s.tabs, func(t session.TabRow) bool { return t.Session == s.id })
	remove(s, "handoffs", &s.handoffs, func(h session.HandoffRow) bool { return h.Session == s.id })
	remove(s, "screening_hits", &s.hits, func(h session.Hit) bool { return h.Session == s.id })
	remove(s, "screening_subjects", &s.subjects, func(o session.Subject) bool { return o.Session == s.id })
	remove(s, "resume_codes", &s.codes, func(c session.CodeRow) bool { return c.Session == s.id })
	remove(s, "mails", &s.mails, func(m mailRow) bool { return m.mail.Session == s.id })
	remove(s, "blind_indexes", &s.index, func(r indexRow) bool { return r.session == s.id })
	remove(s, "gallery_entries", &s.faces, func(f faceRow) bool { return f.session == s.id })
	remove(s, "seen_marks", &s.marks, func(m markRow) bool { return m.session == s.id })
	remove(s, "seen_links", &s.links, func(l session.Link) bool { return l.Session == s.id || l.Other.Session == s.id })
	remove(s, "seen_decisions", &s.linkDecisions, func(d session.LinkDecision) bool { return d.First == s.id || d.Second == s.id })
	s.uploadsAndMarks()
	s.note("block_entries", update(s.blocks, func(b blockRow) bool { return b.entry.Session == s.id }, func(b *blockRow) { b.entry.Session = "" }))
	s.note("sessions", 1)
	s.note("decisions", update(s.decisions, func(d idv.Decision) bool { return d.Session == s.id }, func(d *idv.Decision) { d.Note, d.Digest = "", "" }))
	s.note("cases", update(s.cases, func(c idv.Case) bool { return c.Session == s.id }, func(c *idv.Case) { c.Report = "" }))
	s.note("reviews", update(s.reviews, func(r idv.Review) bool { return r.Session == s.id }, func(r *idv.Review) { r.Note, r.Report = "", "" }))
	s.note("consents", update(s.consents, func(c session.ConsentRow) bool { return c.Session == s.id }, func(c *session.ConsentRow) { c.Address = "" }))
	if q, drawn := s.quality[s.id]; drawn {
		q.Note = ""
		s.quality[s.id] = q
		s.note("quality_reviews", 1)
	}
	s.note("legal_holds", update(s.holds, func(h session.Hold) bool { return h.Session == s.id }, func(h *session.Hold) { h.Reason = "" }))
	remove(s, "river_job", &s.jobs, func(j Job) bool {
		switch a := j.Args.(type) {
		case job.Extract:
			return a.Session == s.id
		case job.Check:
			return a.Session == s.id
		}
		return false
	})
}
