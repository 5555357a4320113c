package bonafide

import (
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/bonafide-id/bonafide/"

// rungs is the import ladder: a package imports only packages on lower rungs, never a sibling on its own.
var rungs = map[string]int{
	"internal/problem": 0, "internal/docsite": 0, "internal/icao": 0, "internal/brand": 0,
	"internal/mrz": 1, "internal/aamva": 1, "internal/imaging": 1, "internal/onnx": 1, "internal/modelcard": 1, "internal/trace": 1,
	"internal/barcode": 2, "internal/face": 2, "internal/forensic": 2, "internal/packtest": 2,
	"internal/idv":   3,
	"internal/vault": 4, "internal/audit": 4, "internal/job": 4, "internal/idvtest": 4, "internal/viz": 4, "internal/liveness": 4, "internal/archive": 4,
	"internal/optical": 5, "internal/persona": 5, "internal/biometric": 5, "internal/crosscheck": 5, "internal/casefile": 5, "internal/policy": 5,
	"internal/account": 5,
	"internal/flow":    6, "internal/sso": 6, "internal/account/password": 6, "internal/account/accounttest": 6,
	"internal/session": 7, "internal/account/signin": 7, "internal/account/team": 7, "internal/account/apikey": 7,
	"internal/webhook": 7, "internal/workflow": 7, "internal/insight": 7,
	"internal/session/applicant": 8, "internal/session/decision": 8, "internal/session/review": 8, "internal/session/retention": 8,
	"internal/session/sandbox":  9,
	"internal/session/services": 10,
	"internal/httpapi":          11, "internal/demo": 11,
	"internal/store/groupcommit": 11,
	"internal/store/database":    12,
	"internal/store/auditlog":    13, "internal/store/queue": 13, "internal/store/events": 13, "internal/store/schema": 13, "internal/store/edge": 13,
	"internal/store/accounts": 14, "internal/store/sessions": 14, "internal/store/webhooks": 14, "internal/store/figures": 14,
	"internal/store/erasing": 15, "internal/store/workflows": 15,
	"internal/store/backup": 16,
	"internal/store":        17,
	"internal/config":       12,
}

// storePackages may import what speaks SQL.
var storePackages = []string{
	"internal/store", "internal/store/accounts", "internal/store/auditlog", "internal/store/backup", "internal/store/database", "internal/store/edge",
	"internal/store/erasing", "internal/store/events", "internal/store/figures", "internal/store/groupcommit", "internal/store/queue",
	"internal/store/schema", "internal/store/sessions", "internal/store/webhooks", "internal/store/workflows",
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
	{"filippo.io/age", []string{"internal/archive"}},
	{"github.com/danielgtaylor/huma", []string{"internal/httpapi"}},
	{"go.opentelemetry.io/otel/trace", []string{"internal/trace"}},
	{"go.opentelemetry.io/otel/sdk/trace", []string{"internal/trace"}},
	{"go.opentelemetry.io/otel/propagation", []string{"internal/trace"}},
	{"go.opentelemetry.io/otel/exporters/otlp", []string{"internal/trace"}},
	{module + "models", []string{"cmd/bonafide"}},
	{module + "web", []string{"cmd/bonafide"}},
}

func TestAPackageImportsOnlyLowerRungs(t *testing.T) {
	for file, imports := range importsOf(t) {
		from := filepath.Dir(file)
		rung, listed := rungs[from]
		if strings.HasPrefix(from, "internal/") && !listed && !strings.Contains(from, "testdata") {
			t.Errorf("%s: package %s has no rung; give it one in ladder_test.go", file, from)
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
				if !contains(wall.alone, from) {
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
		if !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.ImportsOnly)
		if err != nil {
			return err
		}
		for _, i := range f.Imports {
			name, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				return err
			}
			out[filepath.ToSlash(path)] = append(out[filepath.ToSlash(path)], name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func contains(list []string, s string) bool {
	for _, e := range list {
		if e == s {
			return true
		}
	}
	return false
}
