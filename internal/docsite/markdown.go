package docsite

import (
	"bytes"
	"fmt"
	"html"
	"html/template"
	"io/fs"
	"path"
	"regexp"
	"strings"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"
	"github.com/yuin/goldmark/util"
)

// writer turns Markdown into HTML. Raw HTML in it is left out.
var writer = goldmark.New(
	goldmark.WithExtensions(extension.Table, extension.Strikethrough),
	goldmark.WithParserOptions(parser.WithAutoHeadingID(), parser.WithASTTransformers(util.Prioritized(links{}, 100))),
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
	p.Body = furnish(buf.String(), p.Headings)
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

// links makes links between files links between pages.
type links struct{}

// Transform implements parser.ASTTransformer.
func (links) Transform(doc *ast.Document, _ text.Reader, _ parser.Context) {
	_ = ast.Walk(doc, func(n ast.Node, entering bool) (ast.WalkStatus, error) { // the walker returns no error
		if l, ok := n.(*ast.Link); ok && entering {
			l.Destination = []byte(pageOf(string(l.Destination)))
		}
		return ast.WalkContinue, nil
	})
}

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

var (
	openHeading = regexp.MustCompile(`<h([2-4]) id="([^"]+)">(.*?)</h[2-4]>`)
	openTable   = regexp.MustCompile(`(?s)<table>.*?</table>`)
	openCode    = regexp.MustCompile(`(?s)<pre><code(?: class="language-([a-z]+)")?>(.*?)</code></pre>`)
)

// furnish adds anchors to headings, lets wide tables and long lines scroll in their own frame, and gives code its button.
func furnish(body string, _ []heading) template.HTML {
	body = openHeading.ReplaceAllString(body, `<h$1 id="$2">$3 <a class="anchor" href="#$2" aria-label="Link to this part">#</a></h$1>`)
	n := 0
	body = openTable.ReplaceAllStringFunc(body, func(table string) string {
		n++
		return fmt.Sprintf(`<div class="scroll" role="region" aria-label="Table %d" tabindex="0">%s</div>`, n, table)
	})
	body = openCode.ReplaceAllStringFunc(body, func(block string) string {
		m := openCode.FindStringSubmatch(block)
		return string(codeBlock(m[1], template.HTML(m[2]))) //nolint:gosec // the writer has escaped it
	})
	return template.HTML(body) //nolint:gosec // made by the writer, which leaves raw HTML out
}

// codeBlock is code with a button that copies it. The button shows itself where scripts run.
func codeBlock(language string, escaped template.HTML) template.HTML {
	label := map[string]string{"sh": "Shell", "json": "JSON", "go": "Go", "python": "Python", "http": "HTTP"}[language]
	if label == "" {
		label = "Code"
	}
	return template.HTML(fmt.Sprintf( //nolint:gosec // escaped by the caller
		`<div class="code"><div class="bar"><span>%s</span><button type="button" class="copy" hidden>Copy</button></div><pre tabindex="0"><code>%s</code></pre></div>`,
		html.EscapeString(label), escaped))
}
