package sheet

import (
	"encoding/json"
	"os"
	"testing"
)

// The console's test (web/test/insight.test.ts) reads the same file.
func TestAFormulaIsTheSameHereAsInTheConsole(t *testing.T) {
	raw, err := os.ReadFile("testdata/formulas.json")
	if err != nil {
		t.Fatal(err)
	}
	var vectors []struct{ Cell, Safe string }
	if err := json.Unmarshal(raw, &vectors); err != nil {
		t.Fatal(err)
	}
	if len(vectors) < 40 {
		t.Errorf("%d vectors, want 40", len(vectors))
	}
	for _, v := range vectors {
		if got := inert(v.Cell); got != v.Safe {
			t.Errorf("%q becomes %q, want %q", v.Cell, got, v.Safe)
		}
	}
}
