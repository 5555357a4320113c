package applicant

import (
	"bytes"
	"context"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/pdf"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session"
)

// A PDF file is never kept. Its first page, rendered, is the evidence: what was read, what a reviewer sees and what the capture's
// digest is of. The digest of the file itself is that of the attempt, which the capture names, and of the audit log's entry
// for it, so that somebody who has the file can show that it is the one.

// pdfMediaType marks a capture that was rendered from a PDF file.
const pdfMediaType = "application/pdf"

// secondPage ends the name of the attempt of a second page, as no client can name one of its own.
const secondPage = "#2"

// Renderer renders the first pages of PDF files (pdf.Renderer).
type Renderer interface {
	// Render returns JPEG pictures, at least one. Problems: any of severity retry that refuses the file; unavailable.
	Render(ctx context.Context, b []byte) ([][]byte, error)
}

// render puts the first page of a PDF file in the place of the file, and returns all pages that were rendered. It sets the refusal of
// a file that cannot be rendered, and leaves everything else as it was sent. Problems: unavailable.
func (s *Captures) render(ctx context.Context, in *sent) ([][]byte, error) {
	if s.renderer == nil || !pdf.Is(in.Bytes) {
		return nil, nil
	}
	pages, err := s.renderer.Render(ctx, in.Bytes)
	if p, ok := problem.As(err); ok && p.Kind.Severity == problem.Retry {
		in.refusal = p
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	in.setPage(pages[0])
	return pages, nil
}

func (in *sent) setPage(picture []byte) {
	in.Bytes, in.Size, in.SHA256 = picture, int64(len(picture)), digestOf(picture)
}

// submitBack sends the second page of a file as the back, where t asks for that, and returns what comes next. A page that cannot be
// used costs no try: the applicant is asked for the back as if there were none.
func (s *Captures) submitBack(ctx context.Context, t idv.Task, front idv.Capture, pages [][]byte) idv.Task {
	if t.Step != idv.StepDocumentBack || t.Takes != idv.DocumentImage || bytes.Equal(pages[0], pages[1]) {
		return t
	}
	next, err := s.trySecondPage(ctx, front, pages[1])
	if err != nil {
		s.log.InfoContext(ctx, "second page not taken as the back", "session", front.Session, "error", err)
		return t
	}
	return next
}

func (s *Captures) trySecondPage(ctx context.Context, front idv.Capture, page []byte) (idv.Task, error) {
	c, err := s.newCapture(front.Session, Submission{
		Step: idv.StepDocumentBack, Attempt: front.Attempt, MediaType: front.MediaType, Source: front.Source, Bytes: page,
	})
	if err != nil {
		return idv.Task{}, err
	}
	c.Attempt += secondPage
	_, engine, err := s.precheck(ctx, c)
	if err != nil {
		return idv.Task{}, err
	}
	refusal, err := s.glance(ctx, engine, c)
	if err != nil {
		return idv.Task{}, err
	}
	if refusal != nil {
		return idv.Task{}, refusal
	}
	return s.saveCapture(ctx, sent{CaptureRow: session.CaptureRow{Capture: c}, original: front.SHA256}, false)
}
