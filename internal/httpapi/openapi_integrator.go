package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
)

// IntegratorOpenAPI answers the description of the calls that an API key can make, and of those that need no credential, as OpenAPI 3.1.
// Its server is publicURL.
func (s *Server) IntegratorOpenAPI(publicURL string) ([]byte, error) {
	raw, err := s.OpenAPI()
	if err != nil {
		return nil, err
	}
	var tree map[string]any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, fmt.Errorf("read the OpenAPI file: %w", err)
	}
	if publicURL != "" {
		tree["servers"] = []any{map[string]any{"url": publicURL}}
	}
	keep := map[string]bool{}
	for _, r := range s.routes {
		if r.Who == edge.Integrator || r.Who == edge.Anyone && !strings.HasPrefix(r.Path, "/v1/console/") && !strings.HasPrefix(r.Path, "/v1/applicant/") {
			keep[strings.ToLower(r.Method)+" "+r.Path] = true
		}
	}
	paths := object(tree["paths"])
	for path, item := range paths {
		for method := range object(item) {
			if !keep[method+" "+path] {
				delete(object(item), method)
			}
		}
		if len(object(item)) == 0 {
			delete(paths, path)
		}
	}
	components := object(tree["components"])
	schemes := object(components["securitySchemes"])
	delete(schemes, "applicant")
	delete(schemes, "console")
	addVersionParameter(paths)
	prune(tree, object(components["schemas"]))
	out, err := json.MarshalIndent(tree, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI file: %w", err)
	}
	return append(out, '\n'), nil
}

func object(v any) map[string]any {
	m, _ := v.(map[string]any)
	return m
}

// prune removes the schemas that nothing in a description refers to, directly or by another one.
func prune(tree map[string]any, all map[string]any) {
	used := map[string]bool{}
	var look func(any)
	look = func(v any) {
		switch v := v.(type) {
		case []any:
			for _, one := range v {
				look(one)
			}
		case map[string]any:
			if ref, ok := v["$ref"].(string); ok {
				if name := strings.TrimPrefix(ref, schemas); !used[name] {
					used[name] = true
					look(all[name])
				}
			}
			for _, one := range v {
				look(one)
			}
		}
	}
	look(tree["paths"])
	for name := range all {
		if !used[name] {
			delete(all, name)
		}
	}
}

// addVersionParameter lets every call of an API key name a version.
func addVersionParameter(paths map[string]any) {
	var known []any
	for _, r := range wire.Versions() {
		known = append(known, string(r.Version))
	}
	for _, item := range paths {
		for _, op := range object(item) {
			if operation := object(op); operation["security"] != nil {
				have, _ := operation["parameters"].([]any)
				operation["parameters"] = append(have, map[string]any{
					"name": wire.VersionHeader, "in": "header", "description": "The dated version of the API to be answered in; the current one if left out",
					"schema": map[string]any{"type": "string", "enum": known},
				})
			}
		}
	}
}

// addSamples gives the answers about sessions and endpoints examples that go together: one person's session, from its creation to what
// was verified.
func addSamples(paths map[string]any) error {
	for _, x := range []struct {
		method, path string
		status       int
		value        any
	}{
		{"post", "/v1/sessions", http.StatusCreated, wire.SampleCreated()},
		{"get", "/v1/sessions/{id}", http.StatusOK, wire.SampleApproved()},
		{"patch", "/v1/sessions/{id}", http.StatusOK, wire.SampleCreated().WithoutLink()},
		{"get", "/v1/sessions", http.StatusOK, wire.SessionPage{Items: []wire.Session{wire.SampleApproved().Listed()}}},
		{"post", "/v1/sessions/{id}/cancel", http.StatusOK, wire.SampleCancelled()},
		{"post", "/v1/sessions/{id}/link", http.StatusOK, wire.SampleCreated()},
		{"post", "/v1/sessions/search", http.StatusOK, wire.SessionPage{Items: []wire.Session{wire.SampleApproved().Listed()}}},
	} {
		answers := object(object(object(paths[x.path])[x.method])["responses"])
		content := object(object(object(answers[fmt.Sprint(x.status)])["content"])["application/json"])
		if content == nil {
			return fmt.Errorf("there is no answer %d of %s %s to give an example of", x.status, x.method, x.path)
		}
		raw, err := json.Marshal(x.value)
		if err != nil {
			return fmt.Errorf("write an example: %w", err)
		}
		var tree any
		if err := json.Unmarshal(raw, &tree); err != nil {
			return fmt.Errorf("read an example: %w", err)
		}
		content["example"] = tree
	}
	return nil
}
