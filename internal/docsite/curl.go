package docsite

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// ids are examples of what stands in a path.
var pathExamples = strings.NewReplacer(
	"{id}", "$ID", "{capture}", "$CAPTURE", "{artifact}", "$ARTIFACT", "{case}", "$CASE", "{delivery}", "$DELIVERY",
	"{member}", "$MEMBER", "{invitation}", "$INVITATION", "{step}", "document_front",
)

// curl is how the call is made from a shell. $BONAFIDE_URL and $BONAFIDE_KEY are those of the quick start.
func (d description) curl(method, path string, op operation) string {
	lines := []string{`curl "$BONAFIDE_URL` + pathExamples.Replace(path) + `"`}
	if method != "GET" {
		lines[0] = "curl -X " + method + strings.TrimPrefix(lines[0], "curl")
	}
	switch credentialOf(op) {
	case "API key":
		lines = append(lines, `-H "Authorization: Bearer $BONAFIDE_KEY"`)
	case "the applicant’s token":
		lines = append(lines, `-H "Authorization: Bearer $APPLICANT_TOKEN"`)
	case "the console’s cookie":
		lines = append(lines, `-b "__Host-bonafide_console=$COOKIE"`)
	}
	if op.Body != nil {
		lines = append(lines, d.curlBody(op)...)
	}
	return strings.Join(lines, " \\\n  ")
}

func (d description) curlBody(op operation) []string {
	if form, ok := op.Body.Content["multipart/form-data"]; ok {
		found, _, _ := d.look(form.Schema)
		var out []string
		for _, key := range slices.Sorted(maps.Keys(found.Properties)) {
			p, _, _ := d.look(found.Properties[key])
			if p.Format == "binary" {
				out = append(out, `-F "`+key+`=@`+key+`.jpg"`)
			} else if slices.Contains(found.Required, key) {
				out = append(out, `-F "`+key+`=…"`)
			}
		}
		return out
	}
	out := []string{`-H "Content-Type: application/json"`}
	for _, m := range op.Body.Content {
		raw, err := json.Marshal(d.sample(m.Schema, true, 0))
		if err != nil {
			continue
		}
		out = append(out, "-d '"+strings.ReplaceAll(string(raw), "'", `'\''`)+"'")
	}
	return out
}
