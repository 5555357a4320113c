package httpapi

import (
	"encoding/json"
	"fmt"
)

// OpenAPI30 answers the description of every call as OpenAPI 3.0, for generators that do not read 3.1. It says the same,
// but for what 3.0 has no words for.
func (s *Server) OpenAPI30() ([]byte, error) {
	raw, err := s.api.OpenAPI().Downgrade()
	if err != nil {
		return nil, fmt.Errorf("downgrade the OpenAPI file: %w", err)
	}
	var tree any
	if err := json.Unmarshal(raw, &tree); err != nil {
		return nil, fmt.Errorf("read the OpenAPI file: %w", err)
	}
	lower(tree)
	out, err := json.MarshalIndent(tree, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("write the OpenAPI 3.0 file: %w", err)
	}
	return append(out, '\n'), nil
}

// lower rewrites the two things that huma's Downgrade leaves as 3.1 has them: references that may be null, and
// references with words beside them, which 3.0 ignores. nameEnums makes both.
func lower(v any) {
	switch v := v.(type) {
	case []any:
		for _, one := range v {
			lower(one)
		}
	case map[string]any:
		for _, one := range v {
			lower(one)
		}
		if of, ok := v["anyOf"].([]any); ok && len(of) == 2 && isNull(of[1]) {
			delete(v, "anyOf")
			v["allOf"], v["nullable"] = of[:1], true
		}
		if ref, ok := v["$ref"]; ok && len(v) > 1 {
			delete(v, "$ref")
			v["allOf"] = []any{map[string]any{"$ref": ref}}
		}
	}
}

func isNull(schema any) bool {
	m, ok := schema.(map[string]any)
	return ok && m["type"] == "null"
}
