package main

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
)

// told says where the sentences are that the console shows and that belong to no problem: health checks, differences and faults of
// workflows, notes of checks.
var told = []teller{
	{files: []string{"internal/workflow/compare*.go", "internal/workflow/issue*.go"}, whole: []string{"*"},
		except: []string{"identity", "spoken", "reservedRuleNames"}},
	{files: []string{"internal/workflow/compare.go", "internal/workflow/brand.go", "internal/workflow/origin.go"},
		calls: []string{"add", "flag", "count", "span"}},
	{files: []string{"internal/policy/policy.go"}, whole: []string{"rows", "noRow"}},
	{files: []string{"internal/policy/rule.go"}, whole: []string{"compile"}},
	{files: []string{"internal/httpapi/wire/simulation.go"}, whole: []string{"whyNot"}},
	{files: []string{"internal/checker/*.go", "internal/biometric/*.go", "internal/screening/*.go", "internal/flow/*.go",
		"internal/persona/persona.go", "internal/demo/engine.go"},
		calls: []string{"DoesNotApply", "notRun"}, fields: []string{"Note", "Rule"}, whole: []string{"ratesOf", "notedRates"}},
	{files: []string{"internal/liveness/judge.go"}, whole: []string{"rules", "lasted", "flat", "along", "mixed", "repeated", "twoFaces"}},
	{files: []string{"internal/liveness/head.go", "internal/liveness/light.go"}, types: []string{"HeadSign", "LightSign"}},
	{files: []string{"internal/liveness/hints.go"}, whole: []string{"said", "Hints"}},
	{files: []string{"cmd/bonafide/doctor_listen.go"}, whole: []string{"examineListen", "examineProxies", "examineCertificate"}},
	{files: []string{"cmd/bonafide/doctor_data.go"}, whole: []string{
		"damageRemedy", "examinePages", "examineStore", "examineKeysets", "examineBackup", "examineQueue", "places", "examineSpace",
	}},
	{files: []string{"cmd/bonafide/mail.go"}, whole: []string{"examineMails"}},
	{files: []string{"cmd/bonafide/insight.go"}, whole: []string{"findings", "modelsOf"}},
	{files: []string{"cmd/bonafide/masterkey/*.go"}, whole: []string{"String"}},
}

// compiler are the sentences of the compiler of conditions that authors of rules meet.
var compiler = []string{
	"undeclared reference to '%s' (in container '')", "found no matching overload for '%s' applied to '%s'", "undefined field '%s'",
	"Syntax error: mismatched input %s expecting %s", "Syntax error: extraneous input %s expecting %s", "Syntax error: no viable alternative at input %s",
	"Syntax error: token recognition error at: %s", "Syntax error: missing %s at %s",
}

// teller says which texts of some files are sentences for the console.
type teller struct {
	files  []string
	whole  []string // functions and variables with nothing else in them; * for all
	except []string // of whole
	calls  []string // functions whose arguments are sentences
	fields []string // fields that hold sentences
	types  []string // of constants that are sentences
}

// rowsTS lists the rows of the default policy, which no author of a rule can name one after.
func rowsTS() []byte {
	var b strings.Builder
	b.WriteString("// Made by `make gen`.\n\n/** The rows of the default policy. */\nexport const rows: ReadonlySet<string> = new Set([\n")
	for _, row := range policy.RowNames() {
		fmt.Fprintf(&b, "  %q,\n", row)
	}
	b.WriteString("]);\n")
	return []byte(b.String())
}

// sentencesJSON lists what the console says in English because the server wrote it, by "said." and the text, with a place for each
// value: {1} for a text, {n} for a number.
func sentencesJSON(root string) ([]byte, error) {
	found := map[string]string{}
	keep := func(format string) {
		if text := placed(format); wordy(text) {
			found["said."+text] = text
		}
	}
	for _, t := range told {
		for _, pattern := range t.files {
			paths, err := filepath.Glob(filepath.Join(root, pattern))
			if err != nil || len(paths) == 0 {
				return nil, cmp.Or(err, fmt.Errorf("no file is called %s", pattern))
			}
			for _, path := range paths {
				if strings.HasSuffix(path, "_test.go") {
					continue
				}
				if err := t.read(path, keep); err != nil {
					return nil, err
				}
			}
		}
	}
	for _, format := range compiler {
		keep(format)
	}
	for _, word := range values() {
		found["said."+word] = word
	}
	if err := ofCards(root, found); err != nil {
		return nil, err
	}
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(found); err != nil {
		return nil, fmt.Errorf("the sentences of the server: %w", err)
	}
	return b.Bytes(), nil
}

// ofCards adds what the cards of the models say about them.
func ofCards(root string, found map[string]string) error {
	paths, err := filepath.Glob(filepath.Join(root, "models/cards/*.json"))
	if err != nil {
		return err
	}
	for _, path := range paths {
		raw, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		var card struct{ Use, Provenance, Evaluation string }
		if err := json.Unmarshal(raw, &card); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		for _, text := range []string{card.Use, card.Provenance, card.Evaluation} {
			found["said."+text] = text
		}
	}
	return nil
}

// values are codes that sentences have in their places.
func values() []string {
	var out []string
	for _, v := range idv.ChipUses() {
		out = append(out, string(v))
	}
	for _, v := range idv.ScreeningTopics() {
		out = append(out, string(v))
	}
	for _, v := range idv.AssuranceLevels() {
		out = append(out, string(v))
	}
	return append(out, string(idv.BandStrong), string(idv.BandPossible), string(idv.DecideDecline), string(idv.DecideRefer))
}

// read finds the sentences of a file.
func (t teller) read(path string, keep func(string)) error {
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		return err
	}
	for _, d := range file.Decls {
		switch d := d.(type) {
		case *ast.FuncDecl:
			t.declared(d.Name.Name, d, keep)
		case *ast.GenDecl:
			t.group(d, keep)
		}
	}
	return nil
}

func (t teller) group(d *ast.GenDecl, keep func(string)) {
	if d.Tok == token.IMPORT || d.Tok == token.TYPE {
		return
	}
	for _, spec := range d.Specs {
		s, ok := spec.(*ast.ValueSpec)
		if !ok {
			continue
		}
		if name, ok := s.Type.(*ast.Ident); ok && slices.Contains(t.types, name.Name) {
			everyText(s, keep)
			continue
		}
		t.declared(s.Names[0].Name, s, keep)
	}
}

// declared keeps the sentences of a declaration.
func (t teller) declared(name string, n ast.Node, keep func(string)) {
	if slices.Contains(t.whole, name) || slices.Contains(t.whole, "*") && !slices.Contains(t.except, name) {
		everyText(n, keep)
		return
	}
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if slices.Contains(t.calls, calledName(n)) {
				for _, arg := range n.Args {
					everyText(arg, keep)
				}
			}
		case *ast.KeyValueExpr:
			if key, ok := n.Key.(*ast.Ident); ok && slices.Contains(t.fields, key.Name) {
				everyText(n.Value, keep)
			}
		case *ast.AssignStmt:
			for i, left := range n.Lhs {
				if field, ok := left.(*ast.SelectorExpr); ok && slices.Contains(t.fields, field.Sel.Name) && i < len(n.Rhs) {
					everyText(n.Rhs[i], keep)
				}
			}
		}
		return true
	})
}

func calledName(c *ast.CallExpr) string {
	switch f := c.Fun.(type) {
	case *ast.Ident:
		return f.Name
	case *ast.SelectorExpr:
		return f.Sel.Name
	}
	return ""
}

// everyText keeps each text in a node; texts that are joined are one, with a place for what is no literal.
func everyText(n ast.Node, keep func(string)) {
	ast.Inspect(n, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.BasicLit, *ast.BinaryExpr:
			if text, ok := joined(n.(ast.Expr)); ok {
				keep(text)
				return false
			}
		case *ast.CaseClause:
			for _, s := range n.Body {
				everyText(s, keep)
			}
			return false
		case *ast.IndexExpr:
			return false
		case *ast.KeyValueExpr:
			everyText(n.Value, keep)
			return false
		}
		return true
	})
}

// joined returns a literal, or literals and other texts joined by +.
func joined(e ast.Expr) (string, bool) {
	switch e := e.(type) {
	case *ast.BasicLit:
		if e.Kind != token.STRING {
			return "", false
		}
		text, err := strconv.Unquote(e.Value)
		return text, err == nil
	case *ast.BinaryExpr:
		if e.Op != token.ADD {
			return "", false
		}
		left, ok := joined(e.X)
		right, ok2 := joined(e.Y)
		if !ok && !ok2 {
			return "", false
		}
		if !ok {
			left = "%s"
		}
		if !ok2 {
			right = "%s"
		}
		return left + right, true
	}
	return "", false
}

var (
	verb    = regexp.MustCompile(`%(?:[.0-9]*[sdqvofg]|%)`)
	hasWord = regexp.MustCompile(`\pL{2}`)
	noWord  = regexp.MustCompile(`^(/|\{1\}/|[-.:{}\d\s]*$|[a-z]+:$|--[a-z-]+$)`)
	place   = regexp.MustCompile(`\{\w+\}`)
)

// placed replaces the verbs of a format by places.
func placed(format string) string {
	texts, numbers := 0, 0
	return verb.ReplaceAllStringFunc(format, func(v string) string {
		switch v[len(v)-1] {
		case '%':
			return "%"
		case 'd', 'o', 'f', 'g':
			numbers++
			if numbers == 1 {
				return "{n}"
			}
			return "{n" + strconv.Itoa(numbers) + "}"
		case 'q':
			texts++
			return `"{` + strconv.Itoa(texts) + `}"`
		}
		texts++
		return "{" + strconv.Itoa(texts) + "}"
	})
}

// codes are texts among the sentences that are none.
var codes = []string{
	"address_day", "address_hour", "document", "file", "https", "looser", "neither", "person", "reference", "stricter", " or ", "{1} and {2}", " (optional)",
}

// wordy reports whether a text has words, and is no address or setting.
func wordy(text string) bool {
	return !slices.Contains(codes, text) && !noWord.MatchString(text) && hasWord.MatchString(place.ReplaceAllString(text, ""))
}
