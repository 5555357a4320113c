package casefile

import (
	"bytes"
	_ "embed"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

//go:embed page.html
var pageSource string

// pageTemplate is parsed once; it escapes whatever an applicant or an integrator wrote.
var pageTemplate = template.Must(template.New("page").Funcs(template.FuncMap{
	"when": when,
	"code": reasonText, "words": words, "number": number, "found": found, "question": question, "notice": notice, "origin": origin,
	"rates": func(r *idv.ErrorRates) string { return speak(English).rates(r) },
}).Parse(pageSource))

// view is what the page is made of.
type view struct {
	Content
	Facts   []fact
	Sources []idv.ClaimSource
	Newest  *Decision

	Approved bool // by the newest decision
}

// fact is a row of the table of facts: one value a source.
type fact struct {
	Name   idv.ClaimName
	Values []string
}

// viewOf lays out what both forms for people show.
func viewOf(c Content) view {
	v := view{Content: c}
	if n := len(c.Decisions); n > 0 {
		v.Newest = &c.Decisions[n-1]
		v.Approved = v.Newest.Outcome == idv.DecideApprove
	}
	if c.Report != nil {
		v.Facts, v.Sources = facts(c.Report.Claims)
	}
	return v
}

// page is case.html.
func page(c Content) ([]byte, error) {
	var out bytes.Buffer
	if err := pageTemplate.Execute(&out, viewOf(c)); err != nil {
		return nil, fmt.Errorf("write a case file: %w", err)
	}
	return out.Bytes(), nil
}

// facts lays claims out by name and source.
func facts(claims []idv.Claim) ([]fact, []idv.ClaimSource) {
	var names []idv.ClaimName
	var sources []idv.ClaimSource
	values := map[idv.ClaimName]map[idv.ClaimSource]string{}
	for _, c := range claims {
		if !slices.Contains(names, c.Name) {
			names = append(names, c.Name)
			values[c.Name] = map[idv.ClaimSource]string{}
		}
		if !slices.Contains(sources, c.Source) {
			sources = append(sources, c.Source)
		}
		values[c.Name][c.Source] = c.Value
	}
	slices.Sort(names)
	slices.Sort(sources)
	out := make([]fact, len(names))
	for i, name := range names {
		out[i] = fact{Name: name}
		for _, source := range sources {
			out[i].Values = append(out[i].Values, values[name][source])
		}
	}
	return out, sources
}

// reasonText is a reason as reviewers read it.
func reasonText(code string) string {
	if k, ok := problem.Lookup(code); ok && k.Reviewer != "" {
		return k.Reviewer
	} else if ok {
		return k.Title
	}
	return ""
}

// notices are what a verdict does not say, in words.
var notices = map[string]string{
	"face_not_compared":     "No face was compared with the document, so nothing proves that it belongs to the person who showed it.",
	"liveness_not_required": "No liveness challenge was required, so nothing proves that a live person sent the selfie.",
	"document_not_as_said":  "The document was read as a different kind, or from a different issuer, than the applicant chose, and was treated as such.",
	"specimens_accepted":    "Specimens were accepted, so this says nothing about a genuine document.",
}

// notice is a notice in words; the code itself where there are none.
func notice(code string) string {
	if text := notices[code]; text != "" {
		return text
	}
	return code
}

// origin says where a capture came from.
func origin(s idv.Source) string {
	switch s {
	case idv.SourceCamera:
		return "taken with the camera"
	case idv.SourceFile:
		return "chosen from a file"
	case idv.SourceUnknown:
	}
	return "from where is not known"
}

// spelt are codes whose words are not made of their letters alone.
var spelt = map[string]string{"mrz": "MRZ", "api key": "API key", "id card": "ID card"}

// words turns a code into words: family_name is "Family name".
func words(code any) string {
	text := strings.NewReplacer("_", " ", ".", ": ").Replace(fmt.Sprint(code))
	if text == "" {
		return "–"
	}
	if own := spelt[text]; own != "" {
		return own
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

func number(n *float64) string {
	if n == nil {
		return "–"
	}
	return fmt.Sprintf("%.4g", *n)
}

// found says how a check ended; one that did not run is never a yes.
func found(c idv.Check) string {
	switch {
	case c.Lifecycle == idv.CheckSettled && c.Finding != nil:
		return words(c.Finding.Outcome)
	case c.Lifecycle == idv.CheckSkipped:
		return "Does not apply"
	case c.Lifecycle == idv.CheckBroken:
		return "Not run"
	default:
		return words(c.Lifecycle)
	}
}

func question(k idv.CheckKind) string {
	if q := k.Question(); q != "" {
		return q
	}
	return words(k)
}
