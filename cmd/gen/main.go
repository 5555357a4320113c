// Command gen writes every generated file from its table: the OpenAPI file that the web client is made from, the list of
// languages, and the reference pages of problems, limits, states and permissions.
//
//	go run ./cmd/gen          writes what has changed
//	go run ./cmd/gen --check  only says what would change, and fails if anything would
package main

import (
	"bytes"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	check := flag.Bool("check", false, "write nothing; fail if a file is not current")
	root := flag.String("root", ".", "the repository's root")
	flag.Parse()
	if err := run(*root, *check); err != nil {
		fmt.Fprintln(os.Stderr, "gen:", err)
		os.Exit(1)
	}
}

// run writes, or checks, every generated file under root.
func run(root string, check bool) error {
	files, err := generate(root)
	if err != nil {
		return err
	}
	var stale []error
	for _, f := range files {
		path := filepath.Join(root, f.path)
		old, err := os.ReadFile(path)
		if err != nil && !errors.Is(err, os.ErrNotExist) {
			return err
		}
		if bytes.Equal(old, f.content) {
			continue
		}
		if check {
			stale = append(stale, fmt.Errorf("%s is not current; run make gen", f.path))
			continue
		}
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, f.content, 0o644); err != nil {
			return err
		}
		fmt.Println("wrote", f.path)
	}
	return errors.Join(stale...)
}
