package bonafide

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// pages returns the Markdown files of the repository by path, without what is built or installed.
func pages(t *testing.T) map[string]string {
	t.Helper()
	found := map[string]string{}
	err := filepath.WalkDir(".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && (entry.Name() == "node_modules" || entry.Name() == "build" || entry.Name() == ".git"):
			return filepath.SkipDir
		case entry.IsDir() || filepath.Ext(path) != ".md":
			return nil
		}
		raw, err := os.ReadFile(path)
		found[path] = string(raw)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestEveryLinkBetweenPagesLeadsToAFile(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s#:]+)(#[^)\s]*)?\)`)
	for page, text := range pages(t) {
		for _, m := range link.FindAllStringSubmatch(text, -1) {
			if _, err := os.Stat(filepath.Join(filepath.Dir(page), m[1])); err != nil {
				t.Errorf("%s links to %s, which does not exist", page, m[1])
			}
		}
	}
}

func TestEveryDecisionIsInTheIndexUnderItsTitle(t *testing.T) {
	title := regexp.MustCompile(`\A# (\d+)\. (.+)\n`)
	index, err := os.ReadFile("docs/decisions/README.md")
	if err != nil {
		t.Fatal(err)
	}
	decisions, err := filepath.Glob("docs/decisions/[0-9]*.md")
	if err != nil || len(decisions) == 0 {
		t.Fatalf("no decisions found: %v", err)
	}
	for _, path := range decisions {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		m := title.FindSubmatch(raw)
		if m == nil {
			t.Errorf("%s has no title of the form \"# 7. Decision\"", path)
			continue
		}
		if row := "| " + string(m[1]) + " | [" + string(m[2]) + "](" + filepath.Base(path) + ") |"; !strings.Contains(string(index), row) {
			t.Errorf("docs/decisions/README.md has no row %q", row)
		}
	}
}
