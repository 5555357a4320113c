// Package pdf renders the first pages of PDF files sent by strangers.
//
// PDFium does the work, compiled to WebAssembly: it runs in a sandbox without files, network or clock of the machine, in
// memory of a fixed limit, and is stopped after a fixed time. Each file gets an instance of its own, so that nothing of one
// person's file is left for the next. Nothing here knows documents or faces, and what comes out is a picture like any other:
// it is opened, judged and limited by imaging as if it had been sent itself.
package pdf

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image/jpeg"
	"math"
	"time"

	pdfium "github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/enums"
	pdfiumerrors "github.com/klippa-app/go-pdfium/errors"
	"github.com/klippa-app/go-pdfium/requests"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// Defaults of Options.
const (
	DefaultMaxBytes  = 15 << 20
	DefaultMaxPages  = 20
	DefaultMaxMemory = 256 << 20
	DefaultTimeout   = 10 * time.Second
	DefaultWait      = 5 * time.Second
)

// MostRendered is how many pages of a file are rendered: the two sides of a document.
const MostRendered = 2

// A page is rendered at 300 dots per inch, and smaller or larger where that would be beyond these limits.
const (
	dotsPerInch   = 300
	shortestWidth = 2000 // of the longer side, in pixels
	longestSide   = 4096
	quality       = 92
)

// Options bound what one file may cost. A zero field takes its default.
type Options struct {
	MaxBytes  int64
	MaxPages  int           // of the file; one with more is refused, whatever is rendered of it
	MaxMemory int64         // of the sandbox, in bytes
	Timeout   time.Duration // for one file, without the compilation of PDFium before the first
	Wait      time.Duration // how long a file waits for its turn
}

func (o Options) withDefaults() Options {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	if o.MaxPages <= 0 {
		o.MaxPages = DefaultMaxPages
	}
	if o.MaxMemory <= 0 {
		o.MaxMemory = DefaultMaxMemory
	}
	if o.Timeout <= 0 {
		o.Timeout = DefaultTimeout
	}
	if o.Wait <= 0 {
		o.Wait = DefaultWait
	}
	return o
}

// Is reports whether b begins as a PDF file does (ISO 32000-2 §7.5.2). A file that begins with anything else is not one here,
// although many viewers would look further.
func Is(b []byte) bool { return bytes.HasPrefix(b, []byte("%PDF-")) }

// Renderer renders one file at a time. It is safe for concurrent use.
type Renderer struct {
	options Options
	turn    chan struct{} // holds one while a file is rendered
	sandbox sandbox
}

// New returns a Renderer. PDFium is compiled when the first file comes, so that a deployment to which nobody sends a PDF pays
// nothing for it.
func New(o Options) *Renderer {
	o = o.withDefaults()
	return &Renderer{options: o, turn: make(chan struct{}, 1), sandbox: sandbox{memory: o.MaxMemory}}
}

// Render returns the first pages of a PDF file as JPEG pictures, at least one and at most MostRendered, each at most 4 096 pixels
// wide and high, on white, with the annotations that a viewer shows. Problems: request.too_large (more bytes than the
// limit), capture.pdf_encrypted, capture.pdf_too_large (too many pages, or not rendered within the limits of time and
// memory), capture.pdf_damaged, and unavailable where other files take longer than this one can wait.
func (r *Renderer) Render(ctx context.Context, b []byte) ([][]byte, error) {
	if int64(len(b)) > r.options.MaxBytes {
		return nil, problem.New(problem.RequestTooLarge).Saying("%d bytes, at most %d", len(b), r.options.MaxBytes)
	}
	var pages [][]byte
	err := r.do(ctx, func(in pdfium.Pdfium) (err error) {
		pages, err = render(in, b, r.options.MaxPages)
		return err
	})
	if errors.Is(err, errOutOfTime) {
		return nil, tooLarge("not rendered within %s", r.options.Timeout)
	}
	return pages, err
}

// Text returns what each page of a PDF file says, in the order of its drawing. Problems: capture.pdf_damaged.
func (r *Renderer) Text(ctx context.Context, b []byte) ([]string, error) {
	var out []string
	err := r.do(ctx, func(in pdfium.Pdfium) error {
		doc, err := in.OpenDocument(&requests.OpenDocument{File: &b})
		if err != nil {
			return damaged("it cannot be opened", err)
		}
		count, err := in.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc.Document})
		if err != nil {
			return damaged("it has no pages", err)
		}
		for i := range count.PageCount {
			page, err := in.GetPageText(&requests.GetPageText{Page: requests.Page{ByIndex: &requests.PageByIndex{Document: doc.Document, Index: i}}})
			if err != nil {
				return damaged("a page has no text", err)
			}
			out = append(out, page.Text)
		}
		return nil
	})
	return out, err
}

// errOutOfTime is the error of work that was stopped.
var errOutOfTime = errors.New("not done in time")

// do gives work an instance of PDFium when it is its turn, and stops it with errOutOfTime after the timeout.
func (r *Renderer) do(ctx context.Context, work func(pdfium.Pdfium) error) error {
	leave, err := r.enter(ctx)
	if err != nil {
		return err
	}
	defer leave()
	instance, release, err := r.sandbox.open()
	if err != nil {
		return fmt.Errorf("start PDFium: %w", err)
	}
	timer := time.AfterFunc(r.options.Timeout, r.sandbox.stop)
	err = work(instance)
	inTime := timer.Stop()
	release()
	if !inTime {
		r.sandbox.discard()
		return errOutOfTime
	}
	return err
}

// enter waits for the turn of a file.
func (r *Renderer) enter(ctx context.Context) (leave func(), err error) {
	wait := time.NewTimer(r.options.Wait)
	defer wait.Stop()
	select {
	case r.turn <- struct{}{}:
		return func() { <-r.turn }, nil
	case <-wait.C:
		return nil, problem.New(problem.Unavailable).Saying("Another PDF is being opened.")
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func render(in pdfium.Pdfium, b []byte, most int) ([][]byte, error) {
	doc, err := in.OpenDocument(&requests.OpenDocument{File: &b})
	if errors.Is(err, pdfiumerrors.ErrPassword) || errors.Is(err, pdfiumerrors.ErrSecurity) {
		return nil, problem.New(problem.CapturePDFEncrypted)
	}
	if err != nil {
		return nil, damaged("it cannot be opened", err)
	}
	count, err := in.FPDF_GetPageCount(&requests.FPDF_GetPageCount{Document: doc.Document})
	if err != nil || count.PageCount < 1 {
		return nil, damaged("it has no pages", err)
	}
	if count.PageCount > most {
		return nil, tooLarge("%d pages, at most %d", count.PageCount, most)
	}
	var pages [][]byte
	for i := range min(count.PageCount, MostRendered) {
		page, err := renderPage(in, requests.Page{ByIndex: &requests.PageByIndex{Document: doc.Document, Index: i}})
		if err != nil {
			return nil, err
		}
		pages = append(pages, page)
	}
	return pages, nil
}

func renderPage(in pdfium.Pdfium, page requests.Page) ([]byte, error) {
	size, err := in.GetPageSize(&requests.GetPageSize{Page: page})
	if err != nil {
		return nil, damaged("a page cannot be read", err)
	}
	side := sideOf(size.Width, size.Height)
	if side == 0 {
		return nil, damaged("a page has no size", nil)
	}
	drawn, err := in.RenderPageInPixels(&requests.RenderPageInPixels{
		Page: page, Width: side, Height: side, RenderFlags: enums.FPDF_RENDER_FLAG_ANNOT,
	})
	if err != nil {
		return nil, damaged("a page cannot be drawn", err)
	}
	defer drawn.Cleanup()
	var out bytes.Buffer
	if err := jpeg.Encode(&out, drawn.Result.RenderedImage, &jpeg.Options{Quality: quality}); err != nil {
		return nil, fmt.Errorf("write a rendered page: %w", err)
	}
	return out.Bytes(), nil
}

// sideOf returns how many pixels the longer side of a page of that size in points gets; 0 where it is no size.
func sideOf(width, height float64) int {
	const pointsPerInch = 72
	longer := max(width, height)
	if !(min(width, height) > 0) || math.IsInf(longer, 1) { // NaN, too, is no size
		return 0
	}
	return int(min(max(longer*dotsPerInch/pointsPerInch, shortestWidth), longestSide))
}

func damaged(what string, err error) error {
	if err != nil {
		what = fmt.Sprintf("%s: %s", what, err)
	}
	return problem.New(problem.CapturePDFDamaged).Saying("%s", what)
}

func tooLarge(format string, values ...any) error {
	return problem.New(problem.CapturePDFTooLarge).Saying(format, values...)
}
