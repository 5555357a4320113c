package bonafide

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
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
	{"stands: is, is listed, is given", regexp.MustCompile(`\bstands\b|\bstand (twice|once|here|there|beside|below|above|in)\b`)},
	{"lies: is, is stored", regexp.MustCompile(`\blies\b`)},
	{"mend: fix", regexp.MustCompile(`\bmend(s|ed|ing)?\b`)},
	{"a clause without a head: name the people", regexp.MustCompile(`(^|[.:] )Who (?:[a-z]+ )+[^?]*[.,]`)},
	{"put aside: set aside", regexp.MustCompile(`\bput aside\b`)},
	{"a person looks: it goes to review, it needs review", regexp.MustCompile(`\b[Aa] person (has to look|must look|looks)\b`)},
	{"since an age: for, or ago", regexp.MustCompile(`\bsince (\d+|%d|\{n\}) (day|hour|minute)s?\b`)},
}

// unread are the places whose texts no operator, integrator or reviewer reads: tables for developers, and measurements.
var unread = regexp.MustCompile(`^(internal/store/(erasing|backup)/|internal/.*test/|cmd/(bonafide/bench|gen|fixtures|thirdparty)|` +
	`bench/|fixtures/|models/|tools/|e2e/)`)

// spared are texts that may stumble, by what their places begin with, or by a part of the text, each with the reason.
var spared = []struct{ place, part, why string }{
	{"web/src/i18n/applicant/en.json words/consent.", "", "what people agreed to must not change under its version (web/test/consent-texts.test.ts)"},
	{"web/src/i18n/gallery.json ", "", "as above: the question about the gallery is consented to"},
	{"internal/httpapi/wire/applicant.go:", "stands replaces the document", "stands is a value of the API"},
	{"web/src/api/openapi.json components/schemas/Task/", "stands replaces the document", "as above"},
}

// sentences returns the string literals of a file that have words in them, by their positions; those that are added are one.
func sentences(t *testing.T, files *token.FileSet, path string) map[string]string {
	t.Helper()
	file, err := parser.ParseFile(files, path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	ast.Inspect(file, func(n ast.Node) bool {
		x, ok := n.(ast.Expr)
		if !ok {
			return true
		}
		text, ok := literal(x)
		if ok && strings.Contains(text, " ") {
			found[files.Position(x.Pos()).String()] = text
		}
		return !ok
	})
	return found
}

// literal returns the text of a string literal, or of several that are added; what is added besides is left out.
func literal(x ast.Expr) (string, bool) {
	switch x := x.(type) {
	case *ast.BasicLit:
		if x.Kind == token.STRING {
			text, err := strconv.Unquote(x.Value)
			return text, err == nil
		}
	case *ast.BinaryExpr:
		before, ok := literal(x.X)
		after, also := literal(x.Y)
		return before + after, x.Op == token.ADD && ok && also
	}
	return "", false
}

// fileTexts returns the English texts of the web app, of the mails and of the API's description, by file and key.
func fileTexts(t *testing.T) map[string]string {
	t.Helper()
	paths, err := filepath.Glob("web/src/i18n/console/*.json")
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, path := range append(paths, "web/src/i18n/applicant/en.json", "web/src/i18n/catalogue.json", "web/src/i18n/sentences.json", "web/src/api/openapi.json",
		"web/src/i18n/chip.json", "web/src/i18n/gallery.json", "web/src/i18n/test-chip.json", "web/src/i18n/test-wallet.json",
		"internal/mail/words/en.json", "internal/mail/words/members.json") {
		raw, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		var whole map[string]any
		if err := json.Unmarshal(raw, &whole); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if english, ok := whole["en"].(map[string]any); ok { // one file for all languages
			whole = english
		}
		before := len(found)
		collect(found, path+" ", whole)
		if len(found) == before {
			t.Errorf("%s has no text", path)
		}
	}
	return found
}

// collect adds the texts of a JSON value with words in them to found, by their keys.
func collect(found map[string]string, key string, value any) {
	switch value := value.(type) {
	case string:
		if strings.Contains(value, " ") {
			found[key] = value
		}
	case []any:
		for i, one := range value {
			collect(found, key+"/"+strconv.Itoa(i), one)
		}
	case map[string]any:
		for name, one := range value {
			joined := key + "/" + name
			if strings.HasSuffix(key, " ") {
				joined = key + name
			}
			collect(found, joined, one)
		}
	}
}

// check reports what stumbles in texts, by their places.
func check(t *testing.T, texts map[string]string) {
	t.Helper()
	for at, text := range texts {
		for _, s := range stumbles {
			if m := s.pattern.FindString(text); m != "" && !isSpared(at, text) {
				t.Errorf("%s: %q in %q (%s)", at, m, text, s.name)
			}
		}
	}
}

func isSpared(at, text string) bool {
	for _, one := range spared {
		if strings.HasPrefix(at, one.place) && strings.Contains(text, one.part) {
			return true
		}
	}
	return false
}

func TestNoTextOfAFileStumbles(t *testing.T) {
	texts := fileTexts(t)
	if len(texts) < 4000 {
		t.Errorf("only %d texts were read", len(texts))
	}
	for _, one := range spared {
		used := !strings.HasPrefix(one.place, "web/")
		for at, text := range texts {
			used = used || strings.HasPrefix(at, one.place) && strings.Contains(text, one.part)
		}
		if !used {
			t.Errorf("there is no text at %s, which is spared because %s", one.place, one.why)
		}
	}
	check(t, texts)
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
		texts := sentences(t, files, path)
		read += len(texts)
		check(t, texts)
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
		"How the deployment stands.", "A picture was put aside.",
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

// The texts of today on the page of texts before and after are those of the code. What was before is in the history.
func TestTheTextsOfTodayAreThoseOfTheCode(t *testing.T) {
	page, err := os.ReadFile("docs/reference/texts-before-after.md")
	if err != nil {
		t.Fatal(err)
	}
	files := token.NewFileSet()
	var all strings.Builder
	for _, path := range []string{"audit", "backup", "compare", "verify", "credential/chip", "credential/trust_why"} {
		for _, text := range sentences(t, files, "cmd/bonafide/"+path+".go") {
			all.WriteString(text + "\n")
		}
	}
	texts := fileTexts(t)
	for at, text := range texts {
		if title, ok := strings.CutSuffix(at, ".title"); ok {
			text += " " + texts[title+".remedy"]
		}
		all.WriteString(text + "\n")
	}
	areas := strings.Split(string(page), "\n## ")[1:]
	if len(areas) != 5 {
		t.Errorf("%d areas, want 5", len(areas))
	}
	for _, area := range areas {
		rows := 0
		for line := range strings.Lines(area) {
			cells := strings.Split(strings.Trim(line, "| \n"), " | ")
			if len(cells) != 4 || cells[0] == "text" {
				continue
			}
			rows++
			if cells[1] == cells[3] || !strings.Contains(all.String(), cells[3]) {
				t.Errorf("%s: the code does not say %q", cells[0], cells[3])
			}
		}
		if rows != 5 {
			t.Errorf("%d rows in %.20q, want 5", rows, area)
		}
	}
}
