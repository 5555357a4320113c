package docsite

import (
	"bytes"
	"encoding/json"
	"fmt"
	"html/template"
	"slices"
	"strings"
)

// description is what is read of an OpenAPI file.
type description struct {
	Paths      map[string]map[string]operation `json:"paths"`
	Components struct {
		Schemas map[string]*schema `json:"schemas"`
	} `json:"components"`
}

type operation struct {
	ID          string                `json:"operationId"`
	Summary     string                `json:"summary"`
	Description string                `json:"description"`
	Tags        []string              `json:"tags"`
	Security    []map[string][]string `json:"security"`
	Parameters  []parameter           `json:"parameters"`
	Body        *struct {
		Content map[string]struct {
			Schema *schema `json:"schema"`
		} `json:"content"`
	} `json:"requestBody"`
	Responses map[string]struct {
		Description string `json:"description"`
		Content     map[string]struct {
			Schema  *schema `json:"schema"`
			Example any     `json:"example"`
		} `json:"content"`
	} `json:"responses"`
}

type parameter struct {
	Name        string  `json:"name"`
	In          string  `json:"in"`
	Description string  `json:"description"`
	Required    bool    `json:"required"`
	Schema      *schema `json:"schema"`
}

// call is an operation as a page shows it.
type call struct {
	Method, Path, ID, Summary string
	Text                      template.HTML
	Credential                string
	Parameters, Sends, Gives  []field
	Status                    string
	Answer                    string // media type of an answer that is no JSON
	Curl, Example             template.HTML
}

// group is a page of calls.
type group struct {
	slug, title, lead string
	calls             []call
}

// methods in the order of a page: what makes a thing comes before what reads it.
var methods = []string{"post", "get", "put", "patch", "delete"}

// groupTitles name the groups whose name does not follow from their path, and say what they are for.
var groupTitles = map[string][2]string{
	"sessions":          {"Sessions", "Create a session, follow it, read its report, erase it. By API key."},
	"workflows":         {"Workflows", "What sessions ask for. By API key."},
	"verify":            {"Verify in one call", "Pictures in, report out, nothing kept. By API key."},
	"webhook-endpoints": {"Webhook endpoints", "Where events are posted to. By API key."},
	"events":            {"Events", "The same events as a feed. By API key."},
	"open":              {"Open calls", "What needs no credential."},
	"applicant":         {"Applicant’s browser", "What the person’s browser calls. Only who builds their own capture needs these."},
	"console":           {"Console", "What the console calls, by its cookie. Not meant for integrations: use an API key."},
}

// order of the groups; others stand before the open calls.
var order = []string{"sessions", "workflows", "verify", "webhook-endpoints", "events", "", "open", "applicant", "console"}

// fromOpenAPI makes the pages of calls.
func fromOpenAPI(raw []byte) ([]page, error) {
	var d description
	if err := json.Unmarshal(raw, &d); err != nil {
		return nil, fmt.Errorf("read the OpenAPI file: %w", err)
	}
	groups := map[string]*group{}
	paths := make([]string, 0, len(d.Paths))
	for p := range d.Paths {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		for _, m := range methods {
			op, ok := d.Paths[p][m]
			if !ok {
				continue
			}
			slug := groupOf(p, op)
			if groups[slug] == nil {
				groups[slug] = newGroup(slug)
			}
			groups[slug].calls = append(groups[slug].calls, d.callOf(strings.ToUpper(m), p, op))
		}
	}
	return pagesOf(groups)
}

func pagesOf(groups map[string]*group) ([]page, error) {
	slugs := make([]string, 0, len(groups))
	for s := range groups {
		slugs = append(slugs, s)
	}
	slices.SortFunc(slugs, func(a, b string) int {
		if d := rank(a) - rank(b); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	var out []page
	for _, s := range slugs {
		p, err := groups[s].page()
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func rank(slug string) int {
	if i := slices.Index(order, slug); i >= 0 {
		return i
	}
	return slices.Index(order, "")
}

func newGroup(slug string) *group {
	if t, ok := groupTitles[slug]; ok {
		return &group{slug: slug, title: t[0], lead: t[1]}
	}
	title := strings.ReplaceAll(slug, "-", " ")
	return &group{slug: slug, title: strings.ToUpper(title[:1]) + title[1:], lead: "By API key."}
}

// exampleOr returns the example that the description gives, or else one that is made.
func exampleOr(given any, made func() any) any {
	if given != nil {
		return given
	}
	return made()
}

// groupOf is the page that a call stands on: what it is about, or who makes it.
func groupOf(path string, op operation) string {
	switch {
	case strings.HasPrefix(path, "/v1/applicant/"):
		return "applicant"
	case strings.HasPrefix(path, "/v1/console/"):
		return "console"
	case len(op.Security) == 0:
		return "open"
	}
	parts := strings.Split(path, "/")
	return parts[min(2, len(parts)-1)]
}

func (g *group) page() (page, error) {
	p := page{Path: "/docs/api/" + g.slug, Title: g.title, Section: sectionCalls, Lead: g.lead, texts: map[string]string{}}
	for _, c := range g.calls {
		p.Headings = append(p.Headings, heading{2, c.ID, c.Summary})
		p.texts[c.ID] = c.Method + " " + c.Path + " " + stripped(c.Text)
	}
	var buf bytes.Buffer
	if err := layout.ExecuteTemplate(&buf, "calls.html", g.calls); err != nil {
		return page{}, fmt.Errorf("write the calls of %s: %w", g.slug, err)
	}
	p.Body = template.HTML(buf.String()) //nolint:gosec // made by a template that escapes
	return p, nil
}

// callOf makes the page's view of an operation.
func (d description) callOf(method, path string, op operation) call {
	c := call{Method: method, Path: path, ID: op.ID, Summary: op.Summary, Text: prose(op.Description), Credential: credentialOf(op)}
	for _, p := range op.Parameters {
		c.Parameters = append(c.Parameters, field{Name: p.Name, Type: p.In + ", " + d.typeOf(p.Schema), Required: p.Required, Text: prose(p.Description)})
	}
	if op.Body != nil {
		for _, m := range op.Body.Content {
			c.Sends = d.fields(m.Schema, "", 0, nil)
		}
	}
	for status, r := range op.Responses {
		if status == "default" {
			continue
		}
		c.Status = status + " " + r.Description
		for media, m := range r.Content {
			if media != "application/json" {
				c.Answer = media
				continue
			}
			c.Gives = d.fields(m.Schema, "", 0, nil)
			c.Example = indented(exampleOr(m.Example, func() any { return d.sample(m.Schema, false, 0) }))
		}
	}
	c.Curl = template.HTML(template.HTMLEscapeString(d.curl(method, path, op))) //nolint:gosec // escaped right here
	return c
}

func credentialOf(op operation) string {
	for _, s := range op.Security {
		for name := range s {
			switch name {
			case "apiKey":
				return "API key"
			case "applicant":
				return "the applicant’s token"
			case "console":
				return "the console’s cookie"
			}
		}
	}
	return "none"
}

func prose(markdown string) template.HTML {
	var buf bytes.Buffer
	if err := writer.Convert([]byte(markdown), &buf); err != nil {
		return template.HTML(template.HTMLEscapeString(markdown)) //nolint:gosec // escaped right here
	}
	return template.HTML(buf.String()) //nolint:gosec // made by the writer, which leaves raw HTML out
}

// stripped is prose without its tags.
func stripped(h template.HTML) string {
	var b strings.Builder
	inside := false
	for _, r := range string(h) {
		switch {
		case r == '<':
			inside = true
		case r == '>':
			inside = false
		case !inside:
			b.WriteRune(r)
		}
	}
	return b.String()
}
