package wire

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/bonafide-id/bonafide/internal/problem"
)

func FuzzCleanJSON(f *testing.F) {
	for _, seed := range []string{
		`{}`, `{"a":"b","c":[1,true,null,{"d":"Zoë"}]}`, `{"a":"\u0000"}`, `{"a":1,"a":2}`, `"\ud800"`, `[[[[`, `{"a":1e400}`, `{} {}`, "\xff",
		strings.Repeat("[", 50),
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		clean, err := CleanJSON(raw)
		if err != nil {
			if !problem.Has(err, problem.RequestMalformed) {
				t.Fatalf("refused with %v", err)
			}
			return
		}
		var v any
		if err := json.Unmarshal(clean, &v); err != nil {
			t.Fatalf("%q became %q, which is not JSON: %v", raw, clean, err)
		}
		walk(t, v)
		again, err := CleanJSON(clean)
		if err != nil || string(again) != string(clean) {
			t.Fatalf("cleaning twice: %q, then %q (%v)", clean, again, err)
		}
	})
}

func walk(t *testing.T, v any) {
	t.Helper()
	switch v := v.(type) {
	case string:
		if !norm.NFC.IsNormalString(v) || !utf8.ValidString(v) || strings.ContainsFunc(v, unicode.IsControl) {
			t.Fatalf("%q came through", v)
		}
	case []any:
		for _, e := range v {
			walk(t, e)
		}
	case map[string]any:
		for k, e := range v {
			walk(t, k)
			walk(t, e)
		}
	}
}

func TestPlacesAreJSONPointers(t *testing.T) {
	_, err := CleanJSON([]byte(`{"a/b":{"c~d":["x","` + "\u202e" + `"]}}`))
	p, ok := problem.As(err)
	if !ok || p.Field != "/a~1b/c~0d/1" {
		t.Errorf("got %v, want it at /a~1b/c~0d/1", err)
	}
}
