package bonafide

import (
	"cmp"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"slices"
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

func TestNoTypeHasMoreMethodsThanAReaderCanHoldInMind(t *testing.T) {
	methods := map[string]int{}
	for _, file := range goFiles(t) {
		f, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		for _, d := range f.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				methods[filepath.ToSlash(filepath.Dir(file))+"."+receiver(fn)]++
			}
		}
	}
	for typ, n := range methods {
		if n > maxMethods {
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
		if n > maxFiles {
			t.Errorf("%s has %d files, at most %d: split it by what it does", pkg, n, maxFiles)
		}
	}
}

func TestFilesAndLinesAreShortEnoughToRead(t *testing.T) {
	for _, file := range goFiles(t) {
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
