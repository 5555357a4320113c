package httpapi

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
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
	"sync"

	"github.com/bonafide-id/bonafide/internal/brand"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// NoncePlaceholder stands in console/index.html wherever the nonce of its content policy belongs.
const NoncePlaceholder = "__CSP_NONCE__"

// site is the two built web apps.
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
		"; manifest-src 'self'; frame-ancestors " + ancestors + "; base-uri 'none'; form-action 'self'"
}

// serveSite answers everything that is not a call: the pages of the two apps, their files, or not_found.
func (s *Server) serveSite(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		s.problems.Write(w, r, problem.New(problem.NotFound))
		return
	}
	route := func(name string) { edge.SetRoute(r.Context(), name) }
	switch p := path.Clean(r.URL.Path); {
	case p == "/":
		route("/")
		http.Redirect(w, r, "/console", http.StatusSeeOther)
	case r.URL.EscapedPath() == p && (under(p, "/v", 1) || under(p, "/verify", 1)): // as the page itself reads its address: who may show it hangs on that
		route("page: applicant")
		s.serveApplicant(w, r, p)
	case p == "/setup", p == "/login", p == "/login/sso", p == "/join", p == "/console", strings.HasPrefix(p, "/console/"):
		route("page: console")
		s.serveConsole(w, r)
	case p == "/docs", strings.HasPrefix(p, "/docs/"):
		route("page: docs")
		s.serveDocs(w, r, p)
	case strings.HasPrefix(p, "/assets/"), p == "/favicon.ico", p == "/favicon.svg":
		route("asset")
		s.serveAsset(w, r, strings.TrimPrefix(p, "/"))
	case p == s.site.logoPath:
		route("asset")
		servePNG(w, r, s.site.look.Logo)
	case under(p, "/brand", 1):
		route("asset")
		s.serveKeptLogo(w, r, p)
	default:
		s.problems.Write(w, r, problem.New(problem.NotFound))
	}
}

// under reports whether p is prefix and exactly n more parts.
func under(p, prefix string, n int) bool {
	rest, ok := strings.CutPrefix(p, prefix+"/")
	return ok && rest != "" && strings.Count(rest, "/") == n-1
}

func (s *Server) serveApplicant(w http.ResponseWriter, r *http.Request, path string) {
	page := admit(w.Header(), s.worn(r.Context(), path, r.Header.Get("Accept-Language")), s.embedders(r.Context(), path))
	w.Header().Set("Vary", "Accept-Language")
	w.Header().Set("Permissions-Policy", "camera=(self), microphone=(), geolocation=(), payment=(), usb=()")
	s.servePage(w, r, page)
}

func (s *Server) serveConsole(w http.ResponseWriter, r *http.Request) {
	var raw [16]byte
	_, _ = rand.Read(raw[:])
	nonce := base64.StdEncoding.EncodeToString(raw[:])
	w.Header().Set("Content-Security-Policy", contentPolicy(nonce))
	s.servePage(w, r, bytes.ReplaceAll(s.site.console, []byte(NoncePlaceholder), []byte(nonce)))
}

func (s *Server) servePage(w http.ResponseWriter, r *http.Request, page []byte) {
	if len(page) == 0 {
		s.problems.Write(w, r, problem.New(problem.Unavailable).Saying("This binary was built without the web app; build it with make."))
		return
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.Header().Set("Content-Length", strconv.Itoa(len(page)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(page) // the client may have gone
	}
}

// serveAsset answers a file whose name carries its digest, gzipped where that helps.
func (s *Server) serveAsset(w http.ResponseWriter, r *http.Request, name string) {
	if s.site.files == nil || !fs.ValidPath(name) {
		s.problems.Write(w, r, problem.New(problem.NotFound))
		return
	}
	plain, err := fs.ReadFile(s.site.files, name)
	if err != nil {
		s.problems.Write(w, r, problem.New(problem.NotFound))
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
		if small := s.site.pack(name, plain); len(small) < len(plain) {
			out = small
			h.Set("Content-Encoding", "gzip")
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(out)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(out) // the client may have gone
	}
}

// pack gzips an asset once.
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
