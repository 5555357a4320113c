// Command thirdparty writes THIRD_PARTY.md, the list of everything that the program carries and others made: Go modules, npm
// packages, models. It fails where a licence is not known.
//
//	go run ./cmd/thirdparty               writes THIRD_PARTY.md
//	go run ./cmd/thirdparty -texts FILE   writes the texts of all licences, for a release
package main

import (
	"bytes"
	"cmp"
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

func main() {
	root := flag.String("root", ".", "the repository's root")
	texts := flag.String("texts", "", "write the texts of all licences to this file instead")
	flag.Parse()
	if err := run(context.Background(), *root, *texts); err != nil {
		fmt.Fprintln(os.Stderr, "thirdparty:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, root, texts string) error {
	all, err := collect(ctx, root)
	if err != nil {
		return err
	}
	if texts != "" {
		return os.WriteFile(texts, licenceTexts(all), 0o644)
	}
	page, err := notice(all)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(root, "THIRD_PARTY.md"), page, 0o644)
}

// part is one thing that somebody else made.
type part struct {
	name, version, licence string
	texts                  []string // files with its licence and notices
}

// parts are all of them.
type parts struct {
	modules, packages []part
	models            []card
}

func collect(ctx context.Context, root string) (parts, error) {
	var out parts
	var err error
	if out.modules, err = modules(ctx, root); err != nil {
		return out, err
	}
	if out.packages, err = packages(filepath.Join(root, "web")); err != nil {
		return out, err
	}
	out.models, err = cards(filepath.Join(root, "models", "cards"))
	return out, err
}

// permitted are the licences that go together with Apache-2.0 in one program.
var permitted = []string{
	"0BSD", "Apache-2.0", "BSD-2-Clause", "BSD-3-Clause", "ISC", "MIT", "MIT AND Apache-2.0", "(MIT OR CC0-1.0)", "MPL-2.0", "OFL-1.1",
	"Unlicense",
}

func notice(all parts) ([]byte, error) {
	var b bytes.Buffer
	b.WriteString("# What Bonafide carries that others made\n\n<!-- Made by make gen from go.mod, web/package-lock.json and models/cards. -->\n\n" +
		"Bonafide itself is under Apache-2.0. A release contains the texts of these licences (`THIRD_PARTY_LICENCES.txt`).\n\n")
	b.WriteString("## Models\n\n")
	b.WriteString("Each file is checked against the digest on its card ([models/cards](models/cards)) at every start. \"As the package states\" means " +
		"that the licence\nis what the package says of itself, and that nothing else confirms it. \"Undocumented\" means that nobody outside knows which " +
		"pictures the model was\ntrained on: [how to put your own in its place](models/README.md#swap-a-model).\n\n" +
		"| model | what for | from | licence | where its weights come from | documented |\n|---|---|---|---|---|---|\n")
	for _, c := range all.models {
		documented := "yes"
		if !c.Documented {
			documented = "**no**"
		}
		fmt.Fprintf(&b, "| %s | %s | `%s` | %s | %s | %s |\n", c.Name, c.Use, c.Package, c.Licence, c.Provenance, documented)
	}
	for _, group := range []struct {
		title string
		parts []part
	}{{"Go modules", all.modules}, {"npm packages of the web app", all.packages}} {
		fmt.Fprintf(&b, "\n## %s\n\n| name | version | licence |\n|---|---|---|\n", group.title)
		for _, p := range group.parts {
			if !slices.Contains(permitted, p.licence) {
				return nil, fmt.Errorf("%s %s: licence %q is not known or not permitted", p.name, p.version, p.licence)
			}
			fmt.Fprintf(&b, "| %s | %s | %s |\n", p.name, p.version, p.licence)
		}
	}
	b.WriteString("\nSQLite itself, which `modernc.org/sqlite` carries, is in the public domain. `github.com/klippa-app/go-pdfium` carries PDFium\n" +
		"(Apache-2.0 and BSD-3-Clause) as WebAssembly. The source of modules under MPL-2.0 is served, unchanged, by their module path.\n")
	return b.Bytes(), nil
}

// licenceTexts joins the texts of all licences, each of them once.
func licenceTexts(all parts) []byte {
	users := map[string][]string{}
	for _, p := range slices.Concat(all.modules, all.packages) {
		for _, file := range p.texts {
			raw, err := os.ReadFile(file)
			if err != nil {
				continue
			}
			text := strings.TrimSpace(strings.ReplaceAll(string(raw), "\r\n", "\n"))
			users[text] = append(users[text], p.name)
		}
	}
	texts := slices.SortedFunc(func(yield func(string) bool) {
		for text := range users {
			if !yield(text) {
				return
			}
		}
	}, func(a, b string) int { return cmp.Compare(users[a][0], users[b][0]) })
	var b bytes.Buffer
	for _, text := range texts {
		slices.Sort(users[text])
		fmt.Fprintf(&b, "%s\n%s\n\n%s\n\n", strings.Repeat("=", 80), strings.Join(slices.Compact(users[text]), "\n"), text)
	}
	return b.Bytes()
}
