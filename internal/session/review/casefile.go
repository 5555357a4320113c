package review

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/session"
)

// CaseFileAsk says what a case file is to hold.
type CaseFileAsk struct {
	Pictures bool              // the member who asks may open them
	Paper    bool              // one PDF document to read and print, instead of the archive that proves itself
	Language casefile.Language // of the document
	Reviews  bool              // what reviewers wrote about the case; the member who asks may read it
	By       idv.UserID
	Names    func(ctx context.Context, ids ...idv.UserID) (map[idv.UserID]string, error) // of members
}

// CaseFile is a case file that is on record, ready to be written.
type CaseFile struct {
	draft  *casefile.Draft
	proofs []audit.Proof
	paper  []byte // the PDF document; empty where the archive was asked for
}

// CaseFile makes the file of a case. That it was made, what is in it by its digest, and each picture in it are audited before
// anything is handed out. Of an erased session it holds what stays. Problems: not_found; session.erased for pictures that are
// gone; evidence.damaged.
func (s *CaseFiles) CaseFile(ctx context.Context, mode idv.Mode, id idv.SessionID, ask CaseFileAsk) (*CaseFile, error) {
	rec, err := s.life.Record(ctx, mode, id)
	if err != nil {
		return nil, err
	}
	if ask.Pictures {
		if err := rec.CheckNotErased(session.ScopePictures); err != nil {
			return nil, err
		}
	}
	content, err := s.caseContent(ctx, rec, ask)
	if err != nil {
		return nil, err
	}
	pictures := map[string]casefile.Opener{}
	var captures []session.CaptureRow
	if ask.Pictures {
		if captures, err = s.casePictures(ctx, id, &content, pictures); err != nil {
			return nil, err
		}
	}
	if ask.Paper {
		return s.paper(ctx, content, pictures, captures, ask.Language)
	}
	before, err := s.store.AuditProofs(ctx, id)
	if err != nil {
		return nil, err
	}
	var entries []idv.AuditID
	for _, p := range before {
		entries = append(entries, p.Entry.ID)
	}
	draft, err := casefile.Prepare(ctx, content, entries, pictures)
	if err != nil {
		return nil, err
	}
	if err := s.recordExport(ctx, id, draft.Digest, content.Session.ErasedAt == nil, captures); err != nil {
		return nil, err
	}
	out := &CaseFile{draft: draft}
	out.proofs, err = s.store.AuditProofs(ctx, id)
	return out, err
}

// paper makes the document. The audit log names it by the digest of its bytes.
func (s *CaseFiles) paper(ctx context.Context, c casefile.Content, pictures map[string]casefile.Opener, captures []session.CaptureRow, in casefile.Language) (
	*CaseFile, error,
) {
	out, err := casefile.Paper(ctx, c, pictures, in)
	if err != nil {
		return nil, err
	}
	shown := slices.DeleteFunc(slices.Clone(captures), func(row session.CaptureRow) bool {
		return row.Kind == idv.ChipFiles || row.Kind == idv.WalletData // only the archive has them
	})
	if err := s.recordExport(ctx, c.Session.ID, casefile.DigestOf(out), c.Session.ErasedAt == nil, shown); err != nil {
		return nil, err
	}
	return &CaseFile{paper: out}, nil
}

// Write writes the archive, or the document.
func (f *CaseFile) Write(ctx context.Context, w io.Writer) error {
	if f.paper != nil {
		_, err := w.Write(f.paper)
		return err
	}
	return f.draft.Write(ctx, w, f.proofs)
}

// recordExport records that a file was made, whether of a whole session, and which pictures are in it. What was erased meanwhile
// is not handed out.
func (s *CaseFiles) recordExport(ctx context.Context, id idv.SessionID, digest string, whole bool, captures []session.CaptureRow) error {
	return s.store.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		rec, err := tx.Lock(ctx, id)
		if err != nil {
			return err
		}
		if whole {
			if err := rec.CheckNotErased(session.ScopeAll); err != nil {
				return err
			}
		}
		if len(captures) > 0 {
			if err := rec.CheckNotErased(session.ScopePictures); err != nil {
				return err
			}
		}
		for _, c := range captures {
			if err := tx.Audit(ctx, audit.Record{Action: EvidenceViewed, Session: id, Subject: string(c.ID)}); err != nil {
				return err
			}
		}
		return tx.Audit(ctx, audit.Record{Action: casefile.Action, Session: id, Subject: digest})
	})
}

// casePictures adds the pictures that were sent, each frame of a run for itself. One capture at a time is in memory.
func (s *CaseFiles) casePictures(ctx context.Context, id idv.SessionID, c *casefile.Content, open map[string]casefile.Opener) ([]session.CaptureRow, error) {
	captures, err := s.store.Captures(ctx, id)
	if err != nil {
		return nil, err
	}
	var newest idv.CaptureID
	var files []session.Original
	read := func(ctx context.Context, row session.CaptureRow, base string) (err error) {
		if newest != row.ID {
			files, err = s.life.Originals(ctx, row, base)
			newest = row.ID
		}
		return err
	}
	for i, row := range captures {
		base := fmt.Sprintf("pictures/%02d_%s", i+1, row.Step)
		if row.Kind == idv.ChipFiles {
			if err := s.addChip(ctx, row, fmt.Sprintf("chip/%02d", i+1), c, open); err != nil {
				return nil, err
			}
			continue
		}
		if row.Kind == idv.WalletData {
			if err := s.addWallet(ctx, row, fmt.Sprintf("wallet/%02d", i+1), c, open); err != nil {
				return nil, err
			}
			continue
		}
		if err := read(ctx, row, base); err != nil {
			return nil, err
		}
		for at, file := range files {
			p := pictureOf(row, file)
			c.Pictures = append(c.Pictures, p)
			if p.Unopened {
				continue
			}
			open[file.Name] = func(ctx context.Context) ([]byte, error) {
				if err := read(ctx, row, base); err != nil {
					return nil, err
				}
				return withoutMetadata(files[at].Bytes)
			}
		}
	}
	return captures, nil
}

// addWallet adds what a wallet presented, and what was found about it.
func (s *CaseFiles) addWallet(ctx context.Context, row session.CaptureRow, base string, c *casefile.Content, open map[string]casefile.Opener) error {
	artifacts, err := s.store.Artifacts(ctx, row.Session)
	if err != nil {
		return err
	}
	out := casefile.Wallet{At: row.CreatedAt, File: base + "/answer.json"}
	for _, a := range artifacts {
		if a.Capture != row.ID || a.Kind != idv.ArtifactWallet || !a.Present {
			continue
		}
		found, err := idv.ValueOf[idv.Wallet](a)
		if err != nil {
			return err
		}
		out.Found = &found
	}
	open[out.File] = func(ctx context.Context) ([]byte, error) {
		files, err := s.life.Originals(ctx, row, base)
		if err != nil {
			return nil, err
		}
		return files[0].Bytes, nil
	}
	c.Wallets = append(c.Wallets, out)
	return nil
}

// addChip adds the files of a chip as they were read, and what was found about it.
func (s *CaseFiles) addChip(ctx context.Context, row session.CaptureRow, base string, c *casefile.Content, open map[string]casefile.Opener) error {
	files, err := s.life.Originals(ctx, row, base)
	if err != nil {
		return err
	}
	artifacts, err := s.store.Artifacts(ctx, row.Session)
	if err != nil {
		return err
	}
	out := casefile.Chip{At: row.CreatedAt}
	for _, a := range artifacts {
		if a.Capture != row.ID || a.Kind != idv.ArtifactChip || !a.Present {
			continue
		}
		found, err := idv.ValueOf[idv.Chip](a)
		if err != nil {
			return err
		}
		out.Found = &found
	}
	for i, file := range files {
		out.Files = append(out.Files, casefile.ChipFile{File: file.Name, Name: casefile.NameOfChipFile(file.Name)})
		open[file.Name] = func(ctx context.Context) ([]byte, error) {
			again, err := s.life.Originals(ctx, row, base)
			if err != nil {
				return nil, err
			}
			return again[i].Bytes, nil
		}
	}
	c.Chips = append(c.Chips, out)
	return nil
}

// pictureOf is what a case file says of a picture. Of a run only the first frame was opened before it was kept, so that
// others may not open, and what does not has no bare form.
func pictureOf(row session.CaptureRow, file session.Original) casefile.Picture {
	sent := sha256.Sum256(file.Bytes)
	p := casefile.Picture{Step: row.Step, Kind: string(row.Kind), Sent: idv.Digest(hex.EncodeToString(sent[:])), At: row.CreatedAt}
	bare, err := withoutMetadata(file.Bytes)
	if err != nil {
		p.Unopened = true
		return p
	}
	p.File, p.Bared = file.Name, !bytes.Equal(bare, file.Bytes)
	return p
}

// withoutMetadata returns a picture without what its camera wrote beside the pixels, such as the place. Problems:
// capture.not_an_image.
func withoutMetadata(raw []byte) ([]byte, error) {
	bare, err := imaging.Bare(raw)
	if err != nil {
		return nil, fmt.Errorf("a picture of a case file: %w", err)
	}
	return bare, nil
}

// caseContent gathers everything but pictures.
func (s *CaseFiles) caseContent(ctx context.Context, rec session.Record, ask CaseFileAsk) (casefile.Content, error) {
	w, err := session.WorkflowOf(ctx, s.store, rec)
	if err != nil {
		return casefile.Content{}, err
	}
	out := casefile.Content{
		Format: casefile.Format, MadeAt: s.life.Now(), MadeBy: string(ask.By), Decisions: []casefile.Decision{}, Reviews: []casefile.Review{},
		Consents: []casefile.Consent{}, Models: []idv.ModelRef{}, Timeline: []casefile.Event{}, Erasings: []casefile.Erasing{}, Pictures: []casefile.Picture{},
		Session: casefile.Session{
			ID: rec.ID, Mode: rec.Mode, Workflow: casefile.Workflow{ID: w.ID, Name: w.Name, Number: w.Number}, State: rec.State,
			ExternalReference: rec.ExternalReference, Metadata: rec.Metadata, Claimed: rec.Claimed, DocumentKind: rec.DocumentKind,
			Persona: rec.Persona, CreatedAt: rec.CreatedAt, CreatedBy: string(rec.CreatedBy),
		},
	}
	if rec.ErasedAt.IsZero() {
		reports, err := s.store.Reports(ctx, rec.ID)
		if err != nil {
			return out, err
		}
		if len(reports) > 0 {
			out.Report = &reports[len(reports)-1]
			outputs, err := session.Outputs(ctx, s.store, *out.Report)
			if err != nil {
				return out, err
			}
			out.Verified = &outputs
			out.Models = casefile.ModelsOf(out.Report)
		}
	} else {
		out.Session.ErasedAt = &rec.ErasedAt
	}
	if err := s.caseHistory(ctx, rec.ID, &out, ask.Reviews); err != nil {
		return out, err
	}
	return out, nameMembers(ctx, &out, ask)
}

// caseHistory adds who decided what, consents, erasings and what happened.
func (s *CaseFiles) caseHistory(ctx context.Context, id idv.SessionID, out *casefile.Content, reviews bool) error {
	decisions, err := s.store.Decisions(ctx, id)
	if err != nil {
		return err
	}
	for _, d := range decisions {
		out.Decisions = append(out.Decisions, casefile.Decision{
			ID: d.ID, Outcome: d.Outcome, Reasons: slices.Concat([]idv.Reason{}, d.Reasons),
			Rule: d.Rule, By: d.By, Note: d.Note, ReportDigest: d.Digest, DecidedAt: d.DecidedAt, Assurance: d.Assurance,
		})
	}
	if reviews {
		said, err := s.store.Reviews(ctx, id)
		if err != nil {
			return err
		}
		for _, r := range said {
			out.Reviews = append(out.Reviews, casefile.Review{
				By: string(r.By), Kind: r.Kind, Reasons: slices.Concat([]string{}, r.Reasons), Step: r.Step, Note: r.Note, At: r.At, Correction: r.Correction,
			})
		}
		if out.Links, err = s.caseLinks(ctx, id); err != nil {
			return err
		}
		if out.Hits, err = s.caseHits(ctx, id); err != nil {
			return err
		}
	}
	consents, err := s.store.Consents(ctx, id)
	if err != nil {
		return err
	}
	for _, c := range consents {
		out.Consents = append(out.Consents, casefile.Consent{Given: c.Given, About: string(c.About), TextVersion: c.TextVersion, Locale: c.Consent.Locale, At: c.At})
	}
	erasings, err := s.store.Erasures(ctx, id)
	if err != nil {
		return err
	}
	for _, e := range erasings {
		out.Erasings = append(out.Erasings, casefile.Erasing{Scope: string(e.Scope), ErasedAt: e.ErasedAt, Statement: e.Statement})
	}
	events, err := s.store.Events(ctx, id, "")
	for _, e := range events {
		out.Timeline = append(out.Timeline, casefile.Event{Type: string(e.Type), At: e.At, By: e.Actor})
	}
	return err
}

// caseLinks are the other sessions about which reviewers decided whether they are of the same person.
func (s *CaseFiles) caseLinks(ctx context.Context, id idv.SessionID) ([]casefile.Link, error) {
	all, err := s.store.LinkDecisions(ctx, id)
	if err != nil {
		return nil, err
	}
	var out []casefile.Link
	for _, d := range all {
		if d, err = s.store.LinkDecision(ctx, d.Pair); err != nil {
			return nil, err
		}
		if d.State == "" {
			continue // the other session was erased a moment ago
		}
		one := casefile.Link{
			Session: d.Other(id), Signs: d.Signs, Decision: string(d.State), Reason: d.Reason, Note: d.Note, By: d.DecidedBy, At: d.DecidedAt,
			SecondBy: d.SecondBy, Said: opinions(d.Said),
		}
		if !d.SecondAt.IsZero() {
			one.SecondAt = &d.SecondAt
		}
		out = append(out, one)
	}
	return out, nil
}

// nameMembers puts names before the ids of members.
func nameMembers(ctx context.Context, c *casefile.Content, ask CaseFileAsk) error {
	at := []*string{&c.MadeBy, &c.Session.CreatedBy}
	for i := range c.Decisions {
		at = append(at, &c.Decisions[i].By)
	}
	for i := range c.Links {
		at = append(at, &c.Links[i].By, &c.Links[i].SecondBy)
		at = append(at, byWhom(c.Links[i].Said)...)
	}
	for i := range c.Hits {
		at = append(at, byWhom(c.Hits[i].Said)...)
	}
	for i := range c.Reviews {
		at = append(at, &c.Reviews[i].By)
	}
	var ids []idv.UserID
	for _, who := range at {
		if id, ok := idv.ParseID[idv.UserID](*who); ok {
			ids = append(ids, id)
		}
	}
	names, err := ask.Names(ctx, ids...)
	if err != nil {
		return err
	}
	for _, who := range at {
		if name := names[idv.UserID(*who)]; name != "" {
			*who = name + " (" + *who + ")"
		}
	}
	return nil
}
