package bonafide

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/bonafide-id/bonafide/"

// ladder reads the table in ARCHITECTURE.md: the rung of each package. A package imports only packages on lower rungs, never one
// on its own.
func ladder(t *testing.T) map[string]int {
	t.Helper()
	raw, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	row, name := regexp.MustCompile(`(?m)^\| (\d+) \| (.*) \|$`), regexp.MustCompile("`([a-z0-9/]+)`")
	rungs := map[string]int{}
	for _, m := range row.FindAllStringSubmatch(string(raw), -1) {
		rung, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range name.FindAllStringSubmatch(m[2], -1) {
			if _, twice := rungs["internal/"+n[1]]; twice {
				t.Errorf("ARCHITECTURE.md gives internal/%s two rungs", n[1])
			}
			rungs["internal/"+n[1]] = rung
		}
	}
	return rungs
}

func TestTheLadderNamesThePackagesThatThereAre(t *testing.T) {
	there := map[string]bool{}
	for file := range importsOf(t) {
		there[filepath.ToSlash(filepath.Dir(file))] = true
	}
	for pkg := range ladder(t) {
		if !there[pkg] {
			t.Errorf("ARCHITECTURE.md has a rung for %s, and there is no such package", pkg)
		}
	}
}

// storePackages may import what speaks SQL.
var storePackages = []string{
	"internal/store", "internal/store/accounts", "internal/store/anchors", "internal/store/auditlog", "internal/store/backup", "internal/store/database",
	"internal/store/edge", "internal/store/erasing", "internal/store/events", "internal/store/figures", "internal/store/galleries", "internal/store/groupcommit",
	"internal/store/queue", "internal/store/schema", "internal/store/screenings",
	"internal/store/sessions", "internal/store/watchlists", "internal/store/webhooks", "internal/store/workflows",
	"internal/store/edge", "internal/store/erasing", "internal/store/events", "internal/store/figures", "internal/store/groupcommit", "internal/store/mails",
	"internal/store/queue", "internal/store/schema", "internal/store/sessions", "internal/store/webhooks", "internal/store/workflows",
}

// walls are imports that belong to one package alone.
var walls = []struct {
	what  string   // import path or its prefix
	alone []string // packages that may import it
}{
	{"C", []string{"internal/onnx"}},
	{"github.com/yalue/onnxruntime_go", []string{"internal/onnx"}},
	{"database/sql", storePackages},
	{"github.com/uptrace/bun", storePackages},
	{"github.com/riverqueue/river", []string{"internal/store/queue", "internal/store/schema"}},
	{"github.com/pressly/goose", []string{"internal/store/schema"}},
	{"github.com/jackc/pgx", []string{"internal/store/database", "internal/idvtest"}}, // the test kit makes databases
	{"modernc.org/sqlite", []string{"internal/store/database"}},
	{"github.com/klippa-app/go-pdfium", []string{"internal/pdf"}},
	{"github.com/tetratelabs/wazero", []string{"internal/pdf"}},
	{"github.com/wneessen/go-mail", []string{"internal/mail"}},
	{"filippo.io/age", []string{"internal/archive"}},
	{"github.com/danielgtaylor/huma", []string{
		"internal/httpapi", "internal/httpapi/wire", "internal/httpapi/edge", "internal/httpapi/sessions",
		"internal/httpapi/integrator", "internal/httpapi/applicant", "internal/httpapi/console",
	}},
	{"github.com/coder/websocket", []string{"internal/httpapi/applicant", "e2e/chiprelay"}},
	{"go.opentelemetry.io/otel/trace", []string{"internal/trace"}},
	{"go.opentelemetry.io/otel/sdk/trace", []string{"internal/trace"}},
	{"go.opentelemetry.io/otel/propagation", []string{"internal/trace"}},
	{"go.opentelemetry.io/otel/exporters/otlp", []string{"internal/trace"}},
	{module + "models", []string{"cmd/bonafide"}},
	{module + "web", []string{"cmd/bonafide", "cmd/gen"}}, // gen reads the languages,
}

func TestAPackageImportsOnlyLowerRungs(t *testing.T) {
	rungs := ladder(t)
	for file, imports := range importsOf(t) {
		from := filepath.Dir(file)
		rung, listed := rungs[from]
		if strings.HasPrefix(from, "internal/") && !listed && !strings.Contains(from, "testdata") {
			t.Errorf("%s: package %s has no rung; give it one in the table of ARCHITECTURE.md", file, from)
		}
		for _, path := range imports {
			to, own := strings.CutPrefix(path, module)
			if !own || !listed {
				continue
			}
			below, known := rungs[to]
			if !known {
				t.Errorf("%s imports %s, which stands above the ladder", file, to)
			} else if below >= rung {
				t.Errorf("%s (rung %d) imports %s (rung %d)", file, rung, to, below)
			}
		}
	}
}

func TestSomeImportsBelongToOnePackage(t *testing.T) {
	for file, imports := range importsOf(t) {
		from := filepath.Dir(file)
		for _, path := range imports {
			for _, wall := range walls {
				if path != wall.what && !strings.HasPrefix(path, wall.what+"/") {
					continue
				}
				if !slices.Contains(wall.alone, from) {
					t.Errorf("%s imports %s, which only %v may", file, path, wall.alone)
				}
			}
		}
	}
}

// importsOf reads every non-test Go file of the repository, by its path relative to the root.
func importsOf(t *testing.T) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	walk(t, func(path string) {
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			out[filepath.ToSlash(path)] = append(out[filepath.ToSlash(path)], name)
		}
	})
	return out
}

// walk calls f for every file of the repository that is its own: built and downloaded ones are left out.
func walk(t *testing.T, f func(path string)) {
	t.Helper()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() {
			if name := d.Name(); name == "node_modules" || name == "build" || (strings.HasPrefix(name, ".") && name != ".") {
				return filepath.SkipDir
			}
			return nil
		}
		f(path)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}
