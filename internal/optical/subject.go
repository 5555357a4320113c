package optical

import (
	"context"
	"math"
	"slices"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// What a picture shows in place of a document. The bounds were set by hand, between desks and faces on one side and the backs of
// licences, which have neither zone nor portrait, on the other.
const (
	legibleConfidence = 0.8  // of a line of print that is surely print
	legibleLetters    = 3    // that it has at least
	legibleLines      = 3    // such lines, below which there is no document without a zone, a barcode or a title
	printedBoxes      = 6    // runs of text, read or not, that no table and no face has
	instead           = 0.22 // part of the picture's height that a face has where it is what the picture shows
	aside             = 0.17 // parts of the width from the middle beyond which a face may be the portrait of a page: portraits are at a side
	mirrorClaims      = 2    // facts that are read in a mirror, beside a kind, of a document that lies in one
)

// judgeSubject says where the picture shows something else than a document, or a document in a mirror.
func (w *work) judgeSubject(ctx context.Context) error {
	p := &w.page
	if p.MRZ != nil && p.MRZ.CheckDigitsOK || p.Barcode != nil {
		return nil
	}
	if p.Kind != idv.UnknownKind || len(p.Claims) > 0 {
		return nil
	}
	mirrored, err := w.mirrored(ctx)
	if err != nil {
		return err
	}
	if mirrored {
		p.Quality.Reasons = []string{problem.CaptureMirrored.Code}
		return nil
	}
	if p.MRZ != nil || len(w.boxes) >= printedBoxes || w.legible() >= legibleLines {
		return nil // print that could not be read is a document all the same: blurred, far away, or of letters that we do not know
	}
	face, central := false, false
	for _, f := range p.Faces {
		if f.Box.Height >= instead {
			face, central = true, central || math.Abs(f.Box.X+f.Box.Width/2-.5) < aside
		}
	}
	unclear := func(code string) bool { return code == problem.CaptureBlurred.Code || code == problem.CaptureDark.Code }
	if !central && slices.ContainsFunc(p.Quality.Reasons, unclear) {
		return nil // it may well be a document
	}
	switch {
	case face:
		p.Quality.Reasons = []string{problem.CaptureFaceInstead.Code}
	case p.Portrait == nil:
		p.Quality.Reasons = []string{problem.CaptureNoDocument.Code}
	}
	return nil
}

// legible returns how many lines are surely print.
func (w *work) legible() int {
	n := 0
	for _, l := range w.page.Lines {
		if l.Confidence >= legibleConfidence && letters(l.Text) >= legibleLetters {
			n++
		}
	}
	return n
}

func letters(text string) int {
	n := 0
	for _, r := range text {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			n++
		}
	}
	return n
}

// mirrored reports whether the picture is read as a document in a mirror, where it was not read as one as it is. Single lines do not
// tell: much print is read as surely the wrong way round.
func (w *work) mirrored(ctx context.Context) (bool, error) {
	if w.inMirror || len(w.boxes) < legibleLines {
		return false, nil
	}
	other, err := w.r.read(ctx, w.img.Mirrored(), true)
	if err != nil {
		return false, err
	}
	proved := other.MRZ != nil && other.MRZ.CheckDigitsOK
	return proved || other.Kind != idv.UnknownKind && len(other.Claims) >= mirrorClaims, nil
}

// forSource returns the reasons of a page's quality as they fit where the picture comes from: nobody can come closer with a file.
func forSource(c idv.Capture, p Page) []string {
	if c.Source != idv.SourceFile {
		return p.Quality.Reasons
	}
	out := slices.Clone(p.Quality.Reasons)
	for i, code := range out {
		if code == problem.CaptureTooSmall.Code {
			out[i] = problem.CaptureLowResolution.Code
		}
	}
	return out
}
