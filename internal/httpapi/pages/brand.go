package pages

import (
	"bytes"
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// serveKeptLogo serves the logo of a workflow version. Its name is its digest, so it never changes.
func (p *Pages) serveKeptLogo(w http.ResponseWriter, r *http.Request, at string) {
	digest, ok := strings.CutSuffix(strings.TrimPrefix(at, "/brand/"), ".png")
	if !ok || p.workflows == nil {
		p.problems.Write(w, r, problem.New(problem.NotFound))
		return
	}
	png, err := p.workflows.Logo(r.Context(), digest)
	if err != nil {
		p.problems.Write(w, r, err)
		return
	}
	servePNG(w, r, png)
}

func servePNG(w http.ResponseWriter, r *http.Request, png []byte) {
	h := w.Header()
	h.Set("Content-Type", "image/png")
	h.Set("Cache-Control", "public, max-age=31536000, immutable")
	h.Set("Content-Length", strconv.Itoa(len(png)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(png) // the client may have gone
	}
}

// branded returns the applicant's page in the brand of the workflow version that the session of its address follows; the deployment's brand
// fills the gaps, and is used alone where there is no such session or it cannot be read. The page preloads the words of the first of
// the wanted languages (Accept-Language) that is offered.
func (p *Pages) branded(ctx context.Context, path, wanted string) []byte {
	look, logo := p.site.look, p.site.logoPath
	if b, err := p.brandAt(ctx, path); err == nil {
		look.Name = cmp.Or(b.Name, look.Name)
		look.Colour, look.Support, look.Privacy = cmp.Or(b.Colour, look.Colour), cmp.Or(b.Support, look.Support), cmp.Or(b.Privacy, look.Privacy)
		look.Languages, look.Hello, logo = b.Languages, helloOf(b), cmp.Or(wire.LogoPath(b.Logo), logo)
	}
	return p.site.ahead(dressed(p.site.applicant, look, logo), wanted, look.Languages)
}

func (p *Pages) brandAt(ctx context.Context, path string) (idv.Brand, error) {
	if p.applicants == nil {
		return idv.Brand{}, problem.New(problem.NotFound)
	}
	if link, ok := strings.CutPrefix(path, "/v/"); ok {
		return p.applicants.BrandOfLink(ctx, link)
	}
	return p.applicants.BrandOf(ctx, idv.SessionID(strings.TrimPrefix(path, "/verify/")))
}

func helloOf(b idv.Brand) map[string]string {
	out := map[string]string{}
	for _, t := range b.Hello {
		out[t.Language] = t.Text
	}
	return out
}

// dressed returns a page with its brand in a meta element.
func dressed(page []byte, l brand.Look, logo string) []byte {
	meta, err := l.Meta(logo)
	if err != nil || meta == nil {
		return page
	}
	return bytes.Replace(page, []byte("</head>"), append(meta, "</head>"...), 1)
}
