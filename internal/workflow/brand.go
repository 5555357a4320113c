package workflow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// Bounds of a brand.
const (
	MaxBrandName  = 60  // characters
	MaxBrandHello = 200 // characters
	MaxLogos      = 500 // of a deployment; each at most brand.MaxLogoBytes before it is written anew
)

var digestForm = regexp.MustCompile(`^[0-9a-f]{64}$`)

// normalizedBrand brings a brand into the one form in which it is kept.
func normalizedBrand(b idv.Brand) idv.Brand {
	tidy := func(s string) string { return norm.NFC.String(strings.TrimSpace(s)) }
	b.Name, b.Colour = tidy(b.Name), strings.ToLower(tidy(b.Colour))
	b.Support, b.Privacy = strings.TrimSpace(b.Support), strings.TrimSpace(b.Privacy)
	b.Hello = slices.Clone(b.Hello)
	for i := range b.Hello {
		b.Hello[i].Text = tidy(b.Hello[i].Text)
	}
	b.Hello = slices.DeleteFunc(b.Hello, func(t idv.BrandText) bool { return t.Text == "" })
	return b
}

// legible reports whether a text is one line that says what it shows: no control characters, and none that turn the direction.
func legible(s string) bool {
	return utf8.ValidString(s) && !strings.ContainsFunc(s, func(r rune) bool {
		return unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r == '\u2028' || r == '\u2029'
	})
}

func (l *issues) brand(b idv.Brand) {
	if utf8.RuneCountInString(b.Name) > MaxBrandName || !legible(b.Name) {
		l.add("/brand/name", "One line of at most %d characters.", MaxBrandName)
	}
	if err := brand.CheckColour(b.Colour); err != nil {
		l.add("/brand/colour", "A colour such as #0f766e.")
	}
	if err := brand.CheckSupport(b.Support); err != nil || !legible(b.Support) {
		l.add("/brand/support", "An address that begins with https: or mailto:, without a password.")
	}
	if err := brand.CheckPrivacy(b.Privacy); err != nil || !legible(b.Privacy) {
		l.add("/brand/privacy", "An address that begins with https:, without a password.")
	}
	if b.Logo != "" && !digestForm.MatchString(b.Logo) {
		l.add("/brand/logo", "A logo that was sent before.")
	}
	for i, code := range b.Languages {
		if !slices.Contains(brand.Languages(), code) || slices.Index(b.Languages, code) != i {
			l.add(pointer("/brand/languages", i), "One of %s, each once.", strings.Join(brand.Languages(), ", "))
		}
	}
	for i, t := range b.Hello {
		same := func(o idv.BrandText) bool { return o.Language == t.Language }
		switch {
		case !slices.Contains(brand.Languages(), t.Language) || slices.IndexFunc(b.Hello, same) != i:
			l.add(pointer("/brand/hello", i), "One of %s, each once.", strings.Join(brand.Languages(), ", "))
		case utf8.RuneCountInString(t.Text) > MaxBrandHello || !legible(t.Text):
			l.add(pointer("/brand/hello", i), "One line of at most %d characters.", MaxBrandHello)
		}
	}
}

// AddLogo keeps a logo, PNG or WebP, for versions to name, and answers its digest. Only its pixels are kept. Problems:
// request.malformed; workflow.conflict where there are too many.
func (s *Service) AddLogo(ctx context.Context, raw []byte) (string, error) {
	clean, err := brand.Clean(raw)
	if err != nil {
		return "", problem.New(problem.RequestMalformed).At("logo").Saying("The logo cannot be taken: %s.", err)
	}
	sum := sha256.Sum256(clean)
	digest := hex.EncodeToString(sum[:])
	err = s.store.ChangeWorkflows(ctx, func(ctx context.Context, tx Tx) error {
		kept, n, err := tx.HasLogo(ctx, digest)
		if err != nil || kept {
			return err
		}
		if n >= MaxLogos {
			return problem.New(problem.WorkflowConflict).Saying("There are %d logos, which is the most.", MaxLogos)
		}
		if err := tx.AddLogo(ctx, digest, clean, s.now()); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "workflow.logo_added", Subject: digest[:16]})
	})
	return digest, err
}

// Logo reads a logo, a PNG. Problems: not_found.
func (s *Service) Logo(ctx context.Context, digest string) ([]byte, error) {
	if !digestForm.MatchString(digest) {
		return nil, problem.New(problem.NotFound)
	}
	return s.store.Logo(ctx, digest)
}

// knownLogo refuses a brand whose logo nobody sent.
func knownLogo(ctx context.Context, tx Tx, b idv.Brand) error {
	if !digestForm.MatchString(b.Logo) {
		return nil // none, or an issue of the draft
	}
	kept, _, err := tx.HasLogo(ctx, b.Logo)
	if err == nil && !kept {
		return malformed("/spec/brand/logo", "a logo that was sent before")
	}
	return err
}
