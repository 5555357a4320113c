package httpapi

import (
	"encoding/json"
	"fmt"
)

// OpenAPI30 answers the description of every call as OpenAPI 3.0, for generators that do not read 3.1. It says the same,
// but for what 3.0 has no words for.
func (s *Server) OpenAPI30() ([]byte, error) {
	raw, err := s.described()
	if err != nil {
		return nil, err
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, fmt.Errorf("read the OpenAPI file: %w", err)
	}
	root, ok := downgrade(tree).(map[string]any)
	if !ok {
		return nil, fmt.Errorf("the OpenAPI file is %T", tree)
	}
	root["openapi"] = "3.0.3"
	out, err := json.MarshalIndent(root, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI 3.0 file: %w", err)
	}
	return append(out, '\n'), nil
}

// downgrade rewrites what 3.0 says otherwise: what may be null, several examples, references with words beside them, and
// bytes in a body.
func downgrade(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = downgrade(v[i])
		}
	case map[string]any:
		for k := range v {
			v[k] = downgrade(v[k])
		}
		return lowered(v)
	}
	return v
}

func lowered(m map[string]any) map[string]any {
	if types, ok := m["type"].([]any); ok {
		delete(m, "type")
		for _, t := range types {
			if t == "null" {
				m["nullable"] = true
			} else {
				m["type"] = t
			}
		}
	}
	if list, ok := m["examples"].([]any); ok && len(list) > 0 {
		m["example"] = list[0]
		delete(m, "examples")
	}
	if of, ok := m["anyOf"].([]any); ok {
		nullable(m, of)
	}
	if ref, ok := m["$ref"]; ok && len(m) > 1 { // words beside a reference are ignored in 3.0
		delete(m, "$ref")
		m["allOf"] = []any{map[string]any{"$ref": ref}}
	}
	return m
}

// nullable turns "this or null" into what may be null.
func nullable(m map[string]any, of []any) {
	var rest []any
	for _, o := range of {
		if one, ok := o.(map[string]any); !ok || one["type"] != "null" {
			rest = append(rest, o)
		}
	}
	if len(rest) != 1 || len(of) != 2 {
		return
	}
	delete(m, "anyOf")
	m["nullable"] = true
	m["allOf"] = rest
}
