package pages

import (
	"io/fs"
	"net/http"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/docsite"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// makeDocs returns a function that makes the pages under /docs.
func (p *Pages) makeDocs(pages fs.FS) func() (*docsite.Site, error) {
	return func() (*docsite.Site, error) {
		raw, err := p.described()
		if err != nil {
			return nil, err
		}
		return docsite.New(pages, raw)
	}
}

// serveDocs serves a page of the documentation, to anybody: it says nothing about this deployment's data.
func (p *Pages) serveDocs(w http.ResponseWriter, r *http.Request, path string) {
	site, err := p.docs()
	if err != nil {
		p.problems.Write(w, r, err)
		return
	}
	f, ok := site.Find(path)
	if !ok {
		p.problems.Write(w, r, problem.New(problem.NotFound))
		return
	}
	h := w.Header()
	h.Set("Content-Security-Policy", docsite.Policy)
	h.Set("Content-Type", f.Type)
	h.Set("Cache-Control", "public, max-age=300")
	h.Set("Vary", "Accept-Encoding")
	out := f.Bytes
	if strings.Contains(r.Header.Get("Accept-Encoding"), "gzip") {
		out = p.site.pack("docs:"+path, f.Bytes)
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Length", strconv.Itoa(len(out)))
	if r.Method == http.MethodGet {
		_, _ = w.Write(out) // the client may have gone
	}
}
