package httpapi_test

import (
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// This file's name makes it the last of the package: its test looks back at what the others raised.

// elsewhere are the codes that no HTTP test of this package can raise, and the package whose tests do.
var elsewhere = map[string]string{
	"capture.injected":            "biometric",
	"check.not_run":               "policy",
	"document.barcode_unreadable": "../bench/barcode",
	"document.dates_implausible":  "optical",
	"document.expired":            "store",
	"document.facts_disagree":     "crosscheck",
	"document.mrz_invalid":        "optical",
	"document.mrz_missing":        "optical",
	"document.paper_copy":         "optical",
	"document.portrait_altered":   "optical",
	"document.portrait_missing":   "biometric",
	"document.readers_disagree":   "optical",
	"document.screen_copy":        "optical",
	"document.sides_differ":       "crosscheck",
	"document.specimen":           "optical",
	"document.unreadable":         "../cmd/bonafide",
	"document.unsupported":        "optical",
	"face.mismatch":               "biometric",
	"face.not_comparable":         "biometric",
	"face.uncertain":              "biometric",
	"liveness.faces_differ":       "biometric",
	"liveness.failed":             "biometric",
	"liveness.replayed":           "store",
	"person.claim_mismatch":       "crosscheck",
	"person.under_age":            "crosscheck",
	"workflow.rule":               "policy",
	"workflow.rule_failed":        "policy",
}

// untested are the codes that no test raises with the real thing, and why. Each is a debt.
var untested = map[string]string{}

// TestEveryCodeIsRaisedSomewhere runs last: the answers of all tests before it are in. A row of the catalogue
// that nothing raises is a promise that nobody keeps.
func TestEveryCodeIsRaisedSomewhere(t *testing.T) {
	if run := flag.Lookup("test.run"); run != nil && run.Value.String() != "" {
		t.Skip("only some tests ran")
	}
	for _, k := range problem.All() {
		other, listed := elsewhere[k.Code]
		why, debt := untested[k.Code]
		switch {
		case debt && !seen.codes[k.Code]:
			t.Logf("%s is raised by no test: %s", k.Code, why)
		case debt:
			t.Errorf("%s is raised here; take it off the list of debts", k.Code)
		case seen.codes[k.Code] && listed:
			t.Errorf("%s is raised here; take it off the list", k.Code)
		case !listed && !seen.codes[k.Code]:
			t.Errorf("%s is raised by no test", k.Code)
		case listed && !named(t, other, k.Code):
			t.Errorf("%s is said to be raised by a test of %s, and none names it", k.Code, other)
		}
	}
}

// named reports whether a test of that package names a row.
func named(t *testing.T, pkg, code string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
	must(t, err)
	for _, f := range files {
		raw, err := os.ReadFile(f)
		must(t, err)
		if strings.Contains(string(raw), `"`+code) || strings.Contains(string(raw), "problem."+nameOf(code)) {
			return true
		}
	}
	return false
}

// nameOf is how Go code calls a row: document.facts_disagree is DocumentFactsDisagree.
func nameOf(code string) string {
	var b strings.Builder
	for _, part := range strings.FieldsFunc(code, func(r rune) bool { return r == '.' || r == '_' }) {
		if part == "mrz" {
			b.WriteString("MRZ")
			continue
		}
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
