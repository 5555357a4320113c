// Package docsite makes the pages under /docs: guides and reference from Markdown, the reference of calls from the
// OpenAPI description that the server answers with. Nothing in it is written twice: what a page states comes from the
// file that is served, or from pages that are generated from the tables in the code.
//
// Every page is whole without scripts. A script of our own adds the search and the copy buttons. Nothing is loaded from
// anywhere else, and nothing stands inline, so that the pages' content policy admits neither.
package docsite

import (
	"bytes"
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"html/template"
	"io/fs"
	"strings"
)

// Policy is the Content-Security-Policy of every page.
const Policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

//go:embed assets
var assets embed.FS

var layout = template.Must(template.ParseFS(assets, "assets/*.html"))

// File is what is answered at one path.
type File struct {
	Type  string // media type
	Bytes []byte
}

// Site is every page, by its path.
type Site struct{ files map[string]File }

// Find answers what is at a path: /docs, /docs/errors, …
func (s *Site) Find(path string) (File, bool) {
	f, ok := s.files[strings.TrimSuffix(path, "/")]
	return f, ok
}

// Paths lists every path.
func (s *Site) Paths() []string {
	out := make([]string, 0, len(s.files))
	for p := range s.files {
		out = append(out, p)
	}
	return out
}

// source is a page made from Markdown.
type source struct{ path, file, section string }

// Sections of the navigation, in order.
const (
	sectionGuides    = "Guides"
	sectionOperate   = "Operating"
	sectionCalls     = "API"
	sectionReference = "Reference"
)

// sources are the pages from Markdown, in the order of the navigation. One whose file is missing is left out.
var sources = []source{
	{"/docs/guides/quick-start", "integrate/quick-start.md", sectionGuides},
	{"/docs/guides/test-mode", "integrate/test-mode.md", sectionGuides},
	{"/docs/guides/verified", "integrate/verified.md", sectionGuides},
	{"/docs/guides/lists", "integrate/lists.md", sectionGuides},
	{"/docs/guides/versions", "integrate/versions.md", sectionGuides},
	{"/docs/guides/webhooks", "integrate/webhooks.md", sectionGuides},
	{"/docs/guides/hand-off", "integrate/hand-off.md", sectionGuides},
	{"/docs/guides/assurance", "integrate/assurance.md", sectionGuides},
	{"/docs/guides/chip", "integrate/chip.md", sectionGuides},
	{"/docs/guides/chip-relay", "integrate/chip-relay.md", sectionGuides},
	{"/docs/guides/wallet", "integrate/wallet.md", sectionGuides},
	{"/docs/guides/screening", "integrate/screening.md", sectionGuides},
	{"/docs/guides/embedding", "integrate/embedding.md", sectionGuides},
	{"/docs/guides/erasing", "integrate/erasing.md", sectionGuides},
	{"/docs/operate/install", "operate/install.md", sectionOperate},
	{"/docs/configuration", "reference/configuration.md", sectionOperate},
	{"/docs/operate/keys", "operate/keys.md", sectionOperate},
	{"/docs/operate/mail", "operate/mail.md", sectionOperate},
	{"/docs/operate/backup", "operate/backup.md", sectionOperate},
	{"/docs/operate/upgrade", "operate/upgrade.md", sectionOperate},
	{"/docs/operate/sizing", "operate/sizing.md", sectionOperate},
	{"/docs/operate/metrics", "operate/metrics.md", sectionOperate},
	{"/docs/operate/traces", "operate/traces.md", sectionOperate},
	{"/docs/operate/trust", "operate/trust.md", sectionOperate},
	{"/docs/operate/wallets", "operate/wallets.md", sectionOperate},
	{"/docs/operate/screening", "operate/screening.md", sectionOperate},
	{"/docs/operate/seen-before", "operate/seen-before.md", sectionOperate},
	{"/docs/operate/troubleshooting", "operate/troubleshooting.md", sectionOperate},
	{"/docs/errors", "reference/errors.md", sectionReference},
	{"/docs/bad-input", "reference/bad-input.md", sectionReference},
	{"/docs/credentials", "reference/credentials.md", sectionReference},
	{"/docs/assurance", "reference/assurance.md", sectionReference},
	{"/docs/declines", "reference/declines.md", sectionReference},
	{"/docs/personas", "reference/personas.md", sectionReference},
	{"/docs/events", "reference/events.md", sectionReference},
	{"/docs/states", "reference/states.md", sectionReference},
	{"/docs/limits", "reference/limits.md", sectionReference},
	{"/docs/permissions", "reference/permissions.md", sectionReference},
	{"/docs/erasing", "reference/erasing.md", sectionReference},
}

// page is one page before the layout is put around it.
type page struct {
	Path, Title, Section string
	Lead                 string
	Prose                bool // the lead is the first paragraph of the body
	Body                 template.HTML
	Headings             []heading
	texts                map[string]string // of each heading, for the search
}

// heading is a place in a page.
type heading struct {
	Level     int
	ID, Title string
}

// New makes the site. pages holds integrate/*.md, operate/*.md and reference/*.md; nil for the reference of calls alone. description is
// the OpenAPI file as it is served.
func New(pages fs.FS, description []byte) (*Site, error) {
	var all []page
	for _, src := range sources {
		p, err := fromMarkdown(pages, src)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
	calls, err := fromOpenAPI(description)
	if err != nil {
		return nil, err
	}
	all = append(all, calls...)
	s := &Site{files: map[string]File{}}
	for _, p := range append(all, home()) {
		if err := s.add(p, all); err != nil {
			return nil, err
		}
	}
	return s, s.addRest(all)
}

func home() page {
	return page{
		Path: "/docs", Title: "Documentation",
		Lead: "Create a session, send the person a link, receive a signed verdict. Everything on these pages is made from what this server runs.",
	}
}

// menu is one section of the navigation.
type menu struct {
	Title string
	Pages []page
}

func menus(all []page) []menu {
	out := []menu{{Title: sectionGuides}, {Title: sectionCalls}, {Title: sectionOperate}, {Title: sectionReference}}
	for i := range out {
		for _, p := range all {
			if p.Section == out[i].Title {
				out[i].Pages = append(out[i].Pages, p)
			}
		}
	}
	return out
}

func (s *Site) add(p page, all []page) error {
	var toc []heading
	for _, h := range p.Headings {
		if h.Level == 2 {
			toc = append(toc, h)
		}
	}
	var buf bytes.Buffer
	err := layout.ExecuteTemplate(&buf, "page.html", map[string]any{
		"Page": p, "Menus": menus(all), "TOC": toc, "Home": p.Path == "/docs",
	})
	if err != nil {
		return fmt.Errorf("write %s: %w", p.Path, err)
	}
	s.files[p.Path] = File{"text/html; charset=utf-8", buf.Bytes()}
	return nil
}

// entry is one thing that can be found.
type entry struct {
	Title string `json:"title"`
	Page  string `json:"page"`
	URL   string `json:"url"`
	Text  string `json:"text"`
}

// longestText is how much of a part's text can be searched.
const longestText = 400

func (s *Site) addRest(all []page) error {
	var index []entry
	for _, p := range all {
		index = append(index, entry{p.Title, p.Section, p.Path, clip(p.Lead)})
		for _, h := range p.Headings {
			index = append(index, entry{h.Title, p.Title, p.Path + "#" + h.ID, clip(p.texts[h.ID])})
		}
	}
	raw, err := json.Marshal(index)
	if err != nil {
		return fmt.Errorf("write the search index: %w", err)
	}
	s.files["/docs/search.json"] = File{"application/json", raw}
	for name, media := range map[string]string{"docs.css": "text/css; charset=utf-8", "docs.js": "text/javascript; charset=utf-8", "icon.svg": "image/svg+xml"} {
		b, err := assets.ReadFile("assets/" + name)
		if err != nil {
			return fmt.Errorf("read the docs' assets: %w", err)
		}
		s.files["/docs/"+name] = File{media, b}
	}
	return nil
}

func clip(s string) string {
	runes := []rune(strings.Join(strings.Fields(s), " "))
	return string(runes[:min(len(runes), longestText)])
}
