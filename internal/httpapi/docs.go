package httpapi

import (
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/docsite"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// makeDocs makes the pages under /docs when the first of them is asked for.
func (s *Server) makeDocs(pages fs.FS) func() (*docsite.Site, error) {
	return func() (*docsite.Site, error) {
		raw, err := s.described()
		if err != nil {
			return nil, err
		}
		return docsite.New(pages, raw)
	}
}

// serveDocs answers a page of the documentation. Everybody may read it: it says nothing about this deployment's data.
func (s *Server) serveDocs(w http.ResponseWriter, r *http.Request, path string) {
	site, err := s.docs()
	if err != nil {
		s.problems.Write(w, r, err)
		return
	}
	f, ok := site.Find(path)
	if !ok {
		s.problems.Write(w, r, problem.New(problem.NotFound))
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", docsite.Policy)
	h.Set("Content-Type", f.Type)
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Vary", "Accept-Encoding")
	out := f.Bytes
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		out = s.site.pack("docs:"+path, f.Bytes)
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(out)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(out) // the client may have gone
	}
}

// serveDescription answers the description of every call.
func (s *Server) serveDescription(made func() ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		edge.SetRoute(r.Context(), r.URL.Path) // the router matched it whole
		raw, err := made()
		if err != nil {
			s.problems.Write(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(raw) // the client may have gone
	}
}
