package casefile

import (
	"go/ast"
	"go/parser"
	"go/token"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/policy"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/verified"
)

// literals returns the string literals of a file of this module for which keep is true, without those of imports.
func literals(t *testing.T, path string, keep func(ast.Node) bool) []string {
	t.Helper()
	file, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	ast.Inspect(file, func(n ast.Node) bool {
		if n == nil || !keep(n) {
			return true
		}
		ast.Inspect(n, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				text, err := strconv.Unquote(lit.Value)
				if err != nil {
					t.Fatal(err)
				}
				out = append(out, text)
			}
			return true
		})
		return false
	})
	return out
}

// says reports whether a node is a call that says its arguments in the language of the document.
func says(n ast.Node) bool {
	call, ok := n.(*ast.CallExpr)
	if !ok {
		return false
	}
	f, ok := call.Fun.(*ast.SelectorExpr)
	return ok && (f.Sel.Name == "say" || f.Sel.Name == "all")
}

// typed reports whether a node declares constants of a type.
func typed(n ast.Node, name string) bool {
	spec, ok := n.(*ast.ValueSpec)
	if !ok {
		return false
	}
	typ, ok := spec.Type.(*ast.Ident)
	return ok && typ.Name == name
}

func TestEveryTextOfAPaperIsInGerman(t *testing.T) {
	texts := []string{smallerPictures, recognised, transliterated, "false match", "false non-match", "attacks accepted", "genuine refused",
		"measured on generated data (%s)", "measured on real people (%s)"}
	for _, path := range []string{"paper.go", "paper_parts.go", "tongue.go"} {
		texts = append(texts, literals(t, path, says)...)
	}
	if len(texts) < 60 {
		t.Fatalf("%d texts were found: the pattern no longer fits the code", len(texts))
	}
	german, places := speak(German), regexp.MustCompile(`%[sd]|\{\w+\}`)
	for _, text := range texts {
		here, ok := german.own[text]
		if !ok {
			t.Errorf("%q has no German", text)
		}
		if !slices.Equal(places.FindAllString(text, -1), places.FindAllString(here, -1)) {
			t.Errorf("%q has other places: %q", text, here)
		}
	}
	for text, here := range german.own {
		if !slices.Contains(texts, text) && !strings.Contains(strings.Join(namesOfCodes(), "\n"), text) {
			t.Errorf("%q is said nowhere", text)
		}
		if strings.ContainsAny(here, `"`) || strings.Contains(here, "“") && !strings.Contains(here, "„") {
			t.Errorf("%q quotes as English does", here)
		}
	}
}

// namesOfCodes are codes that a paper says in its own words, because the console has none for them alone.
func namesOfCodes() []string {
	out := []string{words("person"), words(idv.FromReviewer), notice("document_not_as_said")}
	for _, g := range []verified.Ground{verified.ByCorrection, verified.BySignature, verified.ByZone, verified.ByBarcode, verified.ByPrint,
		verified.ByUnverifiedZone, verified.ByNone} {
		out = append(out, words(g))
	}
	for _, s := range idv.SeenSigns() {
		out = append(out, words(s))
	}
	return out
}

func TestEveryCodeOfAPaperHasAName(t *testing.T) {
	events := literals(t, "../session/types.go", func(n ast.Node) bool { return typed(n, "EventType") })
	facts := literals(t, "../idv/claim.go", func(n ast.Node) bool { return typed(n, "ClaimName") })
	steps := literals(t, "../idv/step.go", func(n ast.Node) bool { return typed(n, "Step") })
	codes := map[string][]string{
		"event": events, "actor": {"applicant", "api_key", "user", "system"}, "assurance": texts(idv.AssuranceLevels()), "fact": facts,
		"decision": {"approved", "declined", "referred", "reopened"}, "state": texts(idv.SessionStates()), "kind": texts(idv.DocumentKinds()),
		"review": texts(idv.ReviewKinds()), "checks": {"pass", "fail", "inconclusive", "pending", "running", "broken", "skipped"},
		"check": texts(idv.CheckKinds()), "step": steps, "notice": {"face_not_compared", "liveness_not_required", "specimens_accepted"},
		"hit.state":  {"open", "unsure", "awaits_second", "not_the_person", "is_the_person"},
		"link.state": {"open", "unsure", "awaits_second", "not_the_same", "same_person"},
		"facts":      {"claimed", "printed", "mrz", "barcode", "chip", "wallet"},
	}
	for _, in := range []Language{English, German} {
		for kind, all := range codes {
			if len(all) < 3 {
				t.Errorf("%d codes of kind %s", len(all), kind)
			}
			for _, code := range all {
				if speak(in).console[kind+"."+code] == "" {
					t.Errorf("%s: %s.%s has no name", in, kind, code)
				}
			}
		}
	}
	german := speak(German)
	for _, name := range namesOfCodes() {
		if german.own[name] == "" {
			t.Errorf("%q has no German", name)
		}
	}
	for _, row := range policy.RowNames() {
		if german.rule(row) == words(row) {
			t.Errorf("the row %q of the policy has no German", row)
		}
	}
	for _, k := range problem.All() {
		if k.Reviewer != "" && german.reason(k.Code) == reasonText(k.Code) {
			t.Errorf("the reason %s has no German", k.Code)
		}
	}
}

func texts[T ~string](all []T) []string {
	out := make([]string, len(all))
	for i, one := range all {
		out[i] = string(one)
	}
	return out
}

func TestAPaperInGerman(t *testing.T) {
	t.Parallel()
	c := content()
	c.Report.Notices = []string{"liveness_not_required"}
	document, err := Paper(t.Context(), c, map[string]Opener{"pictures/01_selfie.jpg": grey(t, 400, 300)}, German)
	if err != nil {
		t.Fatal(err)
	}
	said := saying(t, document)
	for name, want := range map[string]string{
		"its title":             "Fallakte",
		"the decision":          "Am 01.03.2024 10:00:00 UTC durch die Regeln.",
		"what was not checked":  "Hinweis: Keine Lebendprüfung war verlangt",
		"the reasons":           "Zwei Quellen enthalten verschiedene Angaben",
		"facts":                 "Nachname",
		"a check not run":       "Nicht gelaufen",
		"the rates":             "gemessen an echten Menschen",
		"what somebody wrote":   "„<script>note</script>",
		"its own page":          "1 von",
		"how it is recognised":  "Über dieses Dokument",
		"what was never opened": "ließ sich nicht öffnen",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("%s: %q is not in it:\n%s", name, want, said)
		}
	}
	for _, english := range []string{" by ", " not ", "Timeline", "Checks", "Family name", "Referred", "Approved", "Report "} {
		if strings.Contains(said, english) {
			t.Errorf("%q stayed English:\n%s", english, said)
		}
	}
}

func TestALanguageThatThereIsNotIsEnglish(t *testing.T) {
	if got, want := speak("tlh"), speak(English); got != want {
		t.Errorf("got the language %v, want %v", got, want)
	}
}
