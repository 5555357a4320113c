package bonafide

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

// stumbles are turns of phrase over which a reader stumbles, each with what to write instead.
var stumbles = []struct {
	name    string
	pattern *regexp.Regexp
}{
	{"passive telling: say who sees or gets it", regexp.MustCompile(`\b(is|are|was|were|be) told\b`)},
	{"of which: write two sentences", regexp.MustCompile(`\bof (which|whom)\b`)},
	{"anew: again", regexp.MustCompile(`\banew\b`)},
	{"stands: is, is listed, is given", regexp.MustCompile(`\bstands? (twice|once|here|there|beside|below|above|on|in)\b`)},
	{"lies: is, is stored", regexp.MustCompile(`\blies (in|on|beside|outside|below|above)\b`)},
	{"mend: fix", regexp.MustCompile(`\bmend(s|ed|ing)?\b`)},
	{"a clause without a head: name the people", regexp.MustCompile(`(^|[.:] )Who (?:[a-z]+ )+[^?]*[.,]`)},
	{"a person looks: it goes to review, it needs review", regexp.MustCompile(`\b[Aa] person (has to look|must look|looks)\b`)},
	{"since an age: for, or ago", regexp.MustCompile(`\bsince (\d+|%d|\{n\}) (day|hour|minute)s?\b`)},
}

// unread are the places whose texts no operator, integrator or reviewer reads: tables for developers, and measurements.
var unread = regexp.MustCompile(`^(internal/store/(erasing|backup)/|internal/.*test/|cmd/(bonafide/bench|gen|fixtures|thirdparty)|` +
	`bench/|fixtures/|models/|tools/|e2e/)`)

// sentences returns the string literals of a file that have words in them, by their positions.
func sentences(t *testing.T, files *token.FileSet, path string) map[token.Position]string {
	t.Helper()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := map[token.Position]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		lit, ok := n.(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(lit.Value); err == nil && strings.Contains(text, " ") {
			found[files.Position(lit.Pos())] = text
		}
		return true
	})
	return found
}

func TestNoTextStumbles(t *testing.T) {
	files, read := token.NewFileSet(), 0
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "build" || entry.Name() == "testdata" || entry.Name() == ".git"):
			return filepath.SkipDir
		case filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") || unread.MatchString(path):
			return nil
		}
		for at, text := range sentences(t, files, path) {
			read++
			for _, s := range stumbles {
				if m := s.pattern.FindString(text); m != "" {
					t.Errorf("%s: %q in %q (%s)", at, m, text, s.name)
				}
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if read < 3000 {
		t.Errorf("only %d texts were read", read)
	}
}

func TestWhatStumblesIsFound(t *testing.T) {
	for _, text := range []string{
		"The applicant is told.", "Cases of which two are late.", "It is built anew.", "It stands twice.", "It lies beside the data.",
		"A better picture can mend it.", "Who declines biometrics goes on, and a person decides.", "Late since 5 days.", "A person has to look: listed.",
	} {
		found := false
		for _, s := range stumbles {
			found = found || s.pattern.MatchString(text)
		}
		if !found {
			t.Errorf("%q is not found", text)
		}
	}
}
