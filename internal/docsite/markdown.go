package docsite

import (
	"bytes"
	"cmp"
	"fmt"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	table "github.com/yuin/goldmark/extension/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/renderer"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// writer turns Markdown into HTML. Raw HTML in it is left out.
var writer = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(places{}, 100))),
	goldmark.WithRendererOptions(renderer.WithNodeRenderers(util.Prioritized(furniture{}, 100))),
)

// fromMarkdown makes a page of a file. Its first heading is the title, the paragraph after that the lead.
func fromMarkdown(pages fs.FS, src source) (page, error) {
	if pages == nil {
		return page{}, fs.ErrNotExist
	}
	raw, err := fs.ReadFile(pages, src.file)
	if err != nil {
		return page{}, fmt.Errorf("read %s: %w", src.file, err)
	}
	p, err := written(raw)
	if err != nil {
		return page{}, fmt.Errorf("write %s: %w", src.file, err)
	}
	p.Path, p.Section, p.Prose = src.path, src.section, true
	return p, nil
}

// written is a page of Markdown.
func written(raw []byte) (page, error) {
	ctx := parser.NewContext(parser.WithIDs(&ids{used: map[string]int{}}))
	doc := writer.Parser().Parse(text.NewReader(raw), parser.WithContext(ctx))
	p := page{texts: map[string]string{}}
	at := ""
	for n := doc.FirstChild(); n != nil; {
		next := n.NextSibling()
		switch h, isHeading := n.(*ast.Heading); {
		case isHeading && h.Level == 1:
			p.Title = plain(n, raw)
			doc.RemoveChild(doc, n)
		case isHeading:
			id, _ := h.AttributeString("id")
			at = string(id.([]byte))
			p.Headings = append(p.Headings, heading{h.Level, at, plain(n, raw)})
		case p.Lead == "" && at == "" && n.Kind() == ast.KindParagraph:
			p.Lead = plain(n, raw)
			p.texts[at] += p.Lead
		default:
			p.texts[at] += " " + plain(n, raw)
		}
		n = next
	}
	var buf bytes.Buffer
	if err := writer.Renderer().Render(&buf, raw, doc); err != nil {
		return page{}, fmt.Errorf("render: %w", err)
	}
	p.Body = template.HTML(buf.String()) //nolint:gosec // made by the writer, which leaves raw HTML out
	return p, nil
}

// plain is the text of a node.
func plain(n ast.Node, raw []byte) string {
	var b strings.Builder
	_ = ast.Walk(n, func(c ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch c := c.(type) {
		case *ast.Text:
			b.Write(c.Segment.Value(raw))
			if c.SoftLineBreak() {
				b.WriteByte(' ')
			}
		case *ast.FencedCodeBlock, *ast.HTMLBlock:
			return ast.WalkSkipChildren, nil
		}
		return ast.WalkContinue, nil
	})
	return b.String()
}

// ids names headings so that a code of the catalogue is its own anchor: /docs/errors#capture.blurred.
type ids struct{ used map[string]int }

var (
	notInID  = regexp.MustCompile(`[^a-z0-9._-]+`)
	numbered = regexp.MustCompile(`^[0-9]+\. `)
)

// Generate implements parser.IDs.
func (i *ids) Generate(value []byte, _ ast.NodeKind) []byte {
	words := numbered.ReplaceAllString(strings.ToLower(string(value)), "")
	id := strings.Trim(notInID.ReplaceAllString(words, "-"), "-")
	if id == "" {
		id = "part"
	}
	i.used[id]++
	if n := i.used[id]; n > 1 {
		id = fmt.Sprintf("%s-%d", id, n)
	}
	return []byte(id)
}

// Put implements parser.IDs.
func (i *ids) Put(value []byte) { i.used[string(value)]++ }

// places makes links between files links between pages, and numbers the tables.
type places struct{}

// Transform implements parser.ASTTransformer.
func (places) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	tables := 0
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.Link:
			n.Destination = []byte(pageOf(string(n.Destination)))
		case *table.Table:
			tables++
			n.SetAttributeString(tableNumber, tables)
		}
		return ast.WalkContinue, nil
	})
}

// tableNumber is the attribute of a table's node that holds its number on the page. It is not written.
const tableNumber = "number"

// pageOf is the page that a relative link to a Markdown file means.
func pageOf(link string) string {
	file, anchor, _ := strings.Cut(link, "#")
	for _, src := range sources {
		if file != "" && path.Base(src.file) == path.Base(file) && (path.Base(path.Dir(file)) == path.Dir(src.file) || !strings.Contains(file, "/")) {
			if anchor != "" {
				return src.path + "#" + anchor
			}
			return src.path
		}
	}
	return link
}

// furniture writes headings with an anchor, code with a button that copies it, and lets wide tables and long lines scroll
// in their own frame. The button shows itself where scripts run.
type furniture struct{}

// RegisterFuncs implements renderer.NodeRenderer.
func (f furniture) RegisterFuncs(r renderer.NodeRendererFuncRegisterer) {
	r.Register(ast.KindHeading, f.heading)
	r.Register(ast.KindCodeBlock, f.code)
	r.Register(ast.KindFencedCodeBlock, f.code)
	r.Register(table.KindTable, f.table)
}

func (furniture) heading(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	level := n.(*ast.Heading).Level
	id, _ := n.AttributeString("id") // made by ids: letters, digits, dots and dashes
	if entering {
		_, _ = fmt.Fprintf(w, `<h%d id="%s">`, level, id)
	} else {
		_, _ = fmt.Fprintf(w, ` <a class="anchor" href="#%s" aria-label="Link to this part">#</a></h%d>`+"\n", id, level)
	}
	return ast.WalkContinue, nil
}

func (furniture) table(w util.BufWriter, _ []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if number, _ := n.AttributeString(tableNumber); entering {
		_, _ = fmt.Fprintf(w, `<div class="scroll" role="region" aria-label="Table %d" tabindex="0"><table>`+"\n", number)
	} else {
		_, _ = w.WriteString("</table></div>\n")
	}
	return ast.WalkContinue, nil
}

// languages are the names of those that code is written in.
var languages = map[string]string{"sh": "Shell", "json": "JSON", "go": "Go", "python": "Python", "http": "HTTP"}

func (furniture) code(w util.BufWriter, raw []byte, n ast.Node, entering bool) (ast.WalkStatus, error) {
	if !entering {
		return ast.WalkContinue, nil
	}
	label := "Code"
	if fenced, ok := n.(*ast.FencedCodeBlock); ok {
		label = cmp.Or(languages[string(fenced.Language(raw))], label)
	}
	_, _ = fmt.Fprintf(w, `<div class="code"><div class="bar"><span>%s</span><button type="button" class="copy" hidden>Copy</button></div>`+
		`<pre tabindex="0"><code>%s</code></pre></div>`+"\n", label, util.EscapeHTML(n.Lines().Value(raw)))
	return ast.WalkContinue, nil
}
