package bonafide

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// Limits of what one reader can hold in mind. A package, type or file that outgrows one is split in the same change.
const (
	maxMethods = 40  // of one receiver
	maxFiles   = 45  // of one package, tests apart
	maxLines   = 450 // of one file, tests included
	maxColumns = 160 // of one line, in characters
)

// outgrown are what the limits do not cover yet: the reading of printed facts, which is to be replaced as a whole.
var outgrown = []string{"internal/viz", "internal/viz.reader"}

func TestNoTypeHasMoreMethodsThanAReaderCanHoldInMind(t *testing.T) {
	methods := map[string]int{}
	for _, file := range goFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil && !strings.HasSuffix(file, "_test.go") {
				methods[filepath.ToSlash(filepath.Dir(file))+"."+receiver(fn)]++
			}
		}
	}
	for typ, n := range methods {
		if n > maxMethods && !slices.Contains(outgrown, typ) {
			t.Errorf("%s has %d methods, at most %d: split it by what it does", typ, n, maxMethods)
		}
	}
}

func TestNoPackageHasMoreFilesThanAReaderCanHoldInMind(t *testing.T) {
	files := map[string]int{}
	for _, file := range goFiles(t) {
		if !strings.HasSuffix(file, "_test.go") {
			files[filepath.ToSlash(filepath.Dir(file))]++
		}
	}
	for pkg, n := range files {
		if n > maxFiles && !slices.Contains(outgrown, pkg) {
			t.Errorf("%s has %d files, at most %d: split it by what it does", pkg, n, maxFiles)
		}
	}
}

func TestFilesAndLinesAreShortEnoughToRead(t *testing.T) {
	for _, file := range goFiles(t) {
		if slices.Contains(outgrown, filepath.ToSlash(filepath.Dir(file))) {
			continue
		}
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSuffix(string(raw), "\n"), "\n")
		if len(lines) > maxLines {
			t.Errorf("%s has %d lines, at most %d", file, len(lines), maxLines)
		}
		for i, line := range lines {
			if n := utf8.RuneCountInString(line); n > maxColumns {
				t.Errorf("%s:%d has %d characters, at most %d", file, i+1, n, maxColumns)
			}
		}
	}
}

func TestTheTableOfTheArchitectureIsTheLadder(t *testing.T) {
	raw, err := os.ReadFile("ARCHITECTURE.md")
	if err != nil {
		t.Fatal(err)
	}
	row, name := regexp.MustCompile(`(?m)^\| (\d+) \| (.*) \|$`), regexp.MustCompile("`([a-z0-9/]+)`")
	told := map[string]int{}
	for _, m := range row.FindAllStringSubmatch(string(raw), -1) {
		rung, err := strconv.Atoi(m[1])
		if err != nil {
			t.Fatal(err)
		}
		for _, n := range name.FindAllStringSubmatch(m[2], -1) {
			told["internal/"+n[1]] = rung
		}
	}
	for pkg, rung := range rungs {
		if at, ok := told[pkg]; !ok {
			t.Errorf("ARCHITECTURE.md does not name %s, which is on rung %d", pkg, rung)
		} else if at != rung {
			t.Errorf("ARCHITECTURE.md has %s on rung %d, ladder_test.go on %d", pkg, at, rung)
		}
	}
	for pkg := range told {
		if _, ok := rungs[pkg]; !ok {
			t.Errorf("ARCHITECTURE.md names %s, which ladder_test.go does not know", pkg)
		}
	}
}

// receiver returns the name of a method's type.
func receiver(fn *ast.FuncDecl) string {
	typ := fn.Recv.List[0].Type
	for {
		switch x := typ.(type) {
		case *ast.StarExpr:
			typ = x.X
		case *ast.IndexExpr:
			typ = x.X
		case *ast.IndexListExpr:
			typ = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// goFiles lists every Go file of the repository, tests included, in order.
func goFiles(t *testing.T) []string {
	t.Helper()
	var out []string
	walk(t, func(path string) {
		if strings.HasSuffix(path, ".go") {
			out = append(out, path)
		}
	})
	slices.SortFunc(out, cmp.Compare[string])
	return out
}
