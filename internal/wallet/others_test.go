package wallet

import (
	"encoding/json"
	"strings"
	"testing"
)

func TestWhatIsKeptOfAValue(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		value any
		want  string
	}{
		"a text":                      {"gold", "gold"},
		"a number":                    {json.Number("7"), "7"},
		"a yes":                       {true, "true"},
		"a list":                      {[]any{"a", json.Number("1")}, `["a",1]`},
		"an object":                   {map[string]any{"b": "c"}, `{"b":"c"}`},
		"nothing":                     {nil, "null"},
		"a picture's address":         {"data:image/jpeg;base64,/9j/4A==", "(data:image/jpeg)"},
		"a picture":                   {[]byte{0xFF, 0xD8, 0xFF}, "(jpeg bytes)"},
		"other bytes":                 {[]byte{1}, "(bytes)"},
		"a picture as text":           {"_9j_4AAQSkZJRg", "(jpeg bytes)"},
		"pictures within":             {map[string]any{"a": []any{[]byte{0xFF, 0xD8, 0xFF}, "/9j/4AAQSkZJRg=="}}, `{"a":["(jpeg bytes)","(jpeg bytes)"]}`},
		"what JSON cannot say":        {map[any]any{1: 2}, ""},
		"a text that is too long":     {strings.Repeat("a", 2000), strings.Repeat("a", mostValue)},
		"one that is cut in a letter": {strings.Repeat("a", mostValue-1) + "é", strings.Repeat("a", mostValue-1)},
	} {
		if got := textOf(tt.value); got != tt.want {
			t.Errorf("%s: got %q, want %q", name, got, tt.want)
		}
	}
}
