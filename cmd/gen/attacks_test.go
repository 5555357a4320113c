package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestEveryTestOfAnAttackExists(t *testing.T) {
	known := map[string]string{} // the tests of a package, as text
	for _, a := range attacks {
		if len(a.tests) == 0 {
			t.Errorf("nothing tests %q", a.what)
		}
		for _, name := range a.tests {
			dir, test, of := strings.Cut(name, ": ")
			if !of {
				if _, err := os.Stat(filepath.Join("..", "..", name)); err != nil {
					t.Errorf("%q: %v", a.what, err)
				}
				continue
			}
			if known[dir] == "" {
				known[dir] = testsIn(t, dir)
			}
			if !strings.Contains(known[dir], "\nfunc "+test+"(t *testing.T") {
				t.Errorf("%q: there is no %s in %s", a.what, test, dir)
			}
		}
	}
}

// testsIn is the text of every test file of a package.
func testsIn(t *testing.T, dir string) string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", "..", dir, "*_test.go"))
	if err != nil || len(files) == 0 {
		t.Fatalf("%s has no tests: %v", dir, err)
	}
	var out strings.Builder
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		out.WriteString("\n")
		out.Write(raw)
	}
	return out.String()
}
