// Package pages serves the two web apps, the documentation and the OpenAPI files.
package pages

import (
	"bytes"
	"compress/gzip"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/docsite"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// Options are what the pages need.
type Options struct {
	Files       fs.FS                  // applicant/index.html, console/index.html and assets/…; nil for none
	Docs        fs.FS                  // integrate/*.md and reference/*.md of /docs; nil for the reference of calls alone
	Look        brand.Look             // the operator's colour, logo and links on the applicant's screens
	Description func() ([]byte, error) // the OpenAPI file

	Applicants *applicant.Service // knows the brands of sessions; nil for the operator's alone
	Workflows  *workflow.Service  // has the logos; nil for none
	Problems   *edge.Problems
	Log        *slog.Logger
}

// Pages answers everything that is not a call: the pages of the two apps, their files, logos and the documentation.
type Pages struct {
	site       *site
	docs       func() (*docsite.Site, error)
	described  func() ([]byte, error)
	applicants *applicant.Service
	workflows  *workflow.Service
	problems   *edge.Problems
	log        *slog.Logger
}

// New returns the Pages. It reads the pages of the web apps; those under /docs are made when the first is asked for.
func New(o Options) (*Pages, error) {
	s, err := newSite(o.Files, o.Look)
	if err != nil {
		return nil, err
	}
	p := &Pages{
		site: s, described: o.Description, applicants: o.Applicants, workflows: o.Workflows, problems: o.Problems, log: o.Log,
	}
	p.docs = sync.OnceValues(p.makeDocs(o.Docs))
	return p, nil
}

// NoncePlaceholder is replaced in console/index.html by the nonce of its content policy.
const NoncePlaceholder = "__CSP_NONCE__"

// site holds the two built web apps.
type site struct {
	files              fs.FS
	applicant, console []byte
	words              map[string]string // language → path of the file of its words
	look               brand.Look        // of the deployment
	logoPath           string            // carries the digest of the deployment's logo; empty for none
	packed             sync.Map          // asset path → gzipped bytes, made when first asked for
}

func newSite(files fs.FS, look brand.Look) (*site, error) {
	s := &site{files: files, look: look}
	if files == nil {
		return s, nil
	}
	for _, page := range []struct {
		name string
		into *[]byte
	}{{"applicant/index.html", &s.applicant}, {"console/index.html", &s.console}} {
		b, err := fs.ReadFile(files, page.name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("read the web app: %w", err)
		}
		*page.into = b
	}
	var err error
	if s.words, err = wordFiles(files); err != nil {
		return nil, err
	}
	if look.Logo != nil {
		digest := sha256.Sum256(look.Logo)
		s.logoPath = "/brand/logo-" + hex.EncodeToString(digest[:8]) + ".png"
	}
	return s, nil
}

// contentPolicy is a Content-Security-Policy without inline code; a nonce admits what the console's library needs. Pages of the
// origins may show the page in a frame.
func contentPolicy(nonce string, origins ...string) string {
	ancestors := "'none'"
	if len(origins) > 0 {
		ancestors = strings.Join(origins, " ")
	}
	admit := ""
	if nonce != "" {
		admit = " 'nonce-" + nonce + "'"
	}
	return "default-src 'none'; script-src 'self'" + admit + "; style-src 'self'" + admit +
		"; img-src 'self' blob: data:; media-src 'self' blob:; connect-src 'self'; font-src 'self'; worker-src 'self' blob:" +
		"; manifest-src 'self'; frame-src " + frames(nonce) + "; frame-ancestors " + ancestors + "; base-uri 'none'; form-action 'self'"
}

// frames says what a page may show in a frame: the console, which has a nonce, the applicant's pages of this origin; the others nothing.
func frames(nonce string) string {
	if nonce != "" {
		return "'self'"
	}
	return "'none'"
}

// ServeHTTP serves the pages of the two apps, their files and the documentation; everything else is not_found.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		p.problems.Write(w, r, problem.New(problem.NotFound))
		return
	}
	route := func(name string) { edge.SetRoute(r.Context(), name) }
	switch at := path.Clean(r.URL.Path); {
	case at == "/":
		route("/")
		http.Redirect(w, r, "/console", http.StatusSeeOther)
	case r.URL.EscapedPath() == at && (under(at, "/v", 1) || under(at, "/verify", 1)): // as the page itself reads its address: who may show it hangs on that
		route("page: applicant")
		p.serveApplicant(w, r, at)
	case at == "/setup", at == "/login", at == "/login/sso", at == "/join", at == "/forgot", at == "/reset", at == "/console", strings.HasPrefix(at, "/console/"):
		route("page: console")
		p.serveConsole(w, r)
	case at == "/docs", strings.HasPrefix(at, "/docs/"):
		route("page: docs")
		p.serveDocs(w, r, at)
	case strings.HasPrefix(at, "/assets/"), at == "/favicon.ico", at == "/favicon.svg":
		route("asset")
		p.serveAsset(w, r, strings.TrimPrefix(at, "/"))
	case at == p.site.logoPath:
		route("asset")
		servePNG(w, r, p.site.look.Logo)
	case under(at, "/brand", 1):
		route("asset")
		p.serveKeptLogo(w, r, at)
	default:
		p.problems.Write(w, r, problem.New(problem.NotFound))
	}
}

// under reports whether a path is prefix and exactly n more parts.
func under(p, prefix string, n int) bool {
	rest, ok := strings.CutPrefix(p, prefix+"/")
	return ok && rest != "" && strings.Count(rest, "/") == n-1
}

func (p *Pages) serveApplicant(w http.ResponseWriter, r *http.Request, path string) {
	origins := p.embedders(r.Context(), path)
	if stranger, ok := unnamedEmbedder(r, origins); ok {
		serveUnnamed(w, r, stranger)
		return
	}
	page := admit(w.Header(), p.branded(r.Context(), path, r.Header.Get("Accept-Language")), origins)
	w.Header().Set("Vary", "Accept-Language")
	w.Header().Set("Permissions-Policy", "camera=(self), microphone=(), geolocation=(), payment=(), usb=()")
	p.servePage(w, r, page)
}

func (p *Pages) serveConsole(w http.ResponseWriter, r *http.Request) {
	var raw [16]byte
	_, _ = rand.Read(raw[:])
	nonce := base64.StdEncoding.EncodeToString(raw[:])
	w.Header().Set("Content-Security-Policy", contentPolicy(nonce))
	p.servePage(w, r, bytes.ReplaceAll(p.site.console, []byte(NoncePlaceholder), []byte(nonce)))
}

func (p *Pages) servePage(w http.ResponseWriter, r *http.Request, page []byte) {
	if len(page) == 0 {
		p.problems.Write(w, r, problem.New(problem.Unavailable).Saying("This binary was built without the web app; build it with make."))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(page) // the client may have gone
	}
}

// serveAsset answers a file whose name carries its digest, gzipped where that helps.
func (p *Pages) serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	if p.site.files == nil || !fs.ValidPath(name) {
		p.problems.Write(w, r, problem.New(problem.NotFound))
		return
	}
	plain, err := fs.ReadFile(p.site.files, name)
	if err != nil {
		p.problems.Write(w, r, problem.New(problem.NotFound))
		return
	}
	h := w.Header()
	media := mime.TypeByExtension(path.Ext(name))
	if media == "" {
		media = "application/octet-stream"
	}
	h.Set("Content-Type", media)
	h.Set("Vary", "Accept-Encoding")
	h.Set("Cache-Control", "public, max-age=3600")
	if strings.HasPrefix(name, "assets/") {
		h.Set("Cache-Control", "public, max-age=31536000, immutable")
	}
	out := plain
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		if small := p.site.pack(name, plain); len(small) < len(plain) {
			out = small
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(out)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(out) // the client may have gone
	}
}

// pack returns an asset gzipped; each is compressed once.
func (s *site) pack(name string, plain []byte) []byte {
	if b, ok := s.packed.Load(name); ok {
		return b.([]byte)
	}
	var buf bytes.Buffer
	z := gzip.NewWriter(&buf)
	_, _ = z.Write(plain) // a bytes.Buffer takes everything
	_ = z.Close()
	s.packed.Store(name, buf.Bytes())
	return buf.Bytes()
}
