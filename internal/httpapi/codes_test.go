package httpapi_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/bonafide-id/bonafide/internal/problem"
)

// elsewhere are the codes that no HTTP test of this package can raise, and the package whose tests do.
var elsewhere = map[string]string{
	"network.anonymous": "checker", "network.hosting": "checker", "network.other_country": "checker",

	"document.unconfirmed":        "checker",
	"document.unsupported_script": "checker",
	"assurance.short":             "policy",
	"blocklist.face_not_kept":     "store",
	"capture.asked_again":         "store",
	"capture.injected":            "biometric",
	"check.not_run":               "policy",
	"document.barcode_unreadable": "../bench/barcode",
	"document.country_doubted":    "policy",
	"document.dates_implausible":  "checker",
	"document.edited":             "checker",
	"document.expired":            "store",
	"document.expiry_doubted":     "policy",
	"document.facts_disagree":     "checker",
	"document.kind_differs":       "store",
	"document.kind_doubted":       "policy",
	"document.mrz_invalid":        "checker",
	"document.mrz_missing":        "checker",
	"document.paper_copy":         "checker",
	"document.portrait_altered":   "checker",
	"document.portrait_missing":   "biometric",
	"document.readers_disagree":   "checker",
	"document.screen_copy":        "checker",
	"chip.missing":                "checker",
	"wallet.missing":              "checker",
	"wallet.not_usable":           "flow",
	"chip.page_unread":            "checker",
	"document.sides_differ":       "checker",
	"document.specimen":           "checker",
	"document.unreadable":         "../cmd/bonafide",
	"document.unsupported":        "checker",
	"face.mismatch":               "biometric",
	"face.not_comparable":         "biometric",
	"face.too_alike":              "biometric",
	"face.uncertain":              "biometric",
	"liveness.faces_differ":       "biometric",
	"liveness.failed":             "biometric",
	"liveness.wrong_light":        "biometric",
	"liveness.not_a_head":         "biometric",
	"liveness.replayed":           "store",
	"person.claim_mismatch":       "checker",
	"person.under_age":            "checker",
	"screening.broken":            "screening",
	"screening.lists_old":         "screening",
	"screening.pep":               "screening",
	"screening.pep_associate":     "screening",
	"screening.possible_match":    "screening",
	"watchlist.busy":              "store",
	"workflow.rule":               "policy",
	"workflow.rule_failed":        "policy",
}

// signed are the packages that judge signed evidence. Their tests name a refusal by its constant or by its code.
var signed = []string{
	"tlv", "pki", "cms", "trust", "trust/vical", "lds", "emrtd", "store", "../cmd/bonafide/credential", "jose", "cose", "statuslist", "sdjwt", "mdoc", "openid4vp",
}

// isCredential reports whether a row is that of a refusal of signed evidence, which the packages that judge it raise.
func isCredential(code string) bool {
	return slices.ContainsFunc(problem.Credentials(), func(k problem.Kind) bool { return k.Code == code })
}

// refused reports whether a test of the packages that judge signed evidence names a refusal.
func refused(t *testing.T, code string) bool {
	t.Helper()
	signedEvidence.Do(func() {
		signedEvidence.declared, signedEvidence.words = map[string]string{}, map[string]bool{}
		for _, found := range regexp.MustCompile(`(\w+)\s+refusal\.Code = "([^"]+)"`).FindAllStringSubmatch(sources(t, false), -1) {
			if _, again := signedEvidence.declared[found[2]]; !again {
				signedEvidence.declared[found[2]] = found[1]
			}
		}
		signedEvidence.tests = sources(t, true)
		for _, word := range regexp.MustCompile(`\w+`).FindAllString(signedEvidence.tests, -1) {
			signedEvidence.words[word] = true
		}
	})
	name, known := signedEvidence.declared[code]
	return known && (signedEvidence.words[name] || strings.Contains(signedEvidence.tests, `"`+code+`"`))
}

// signedEvidence is what the packages that judge signed evidence say, read once: the name that each refusal is declared with, and their
// tests, as a whole and as words.
var signedEvidence struct {
	sync.Once
	declared map[string]string
	tests    string
	words    map[string]bool
}

// sources returns the code of the packages that judge signed evidence, or their tests.
func sources(t *testing.T, tests bool) string {
	t.Helper()
	var out strings.Builder
	for _, pkg := range signed {
		files, err := filepath.Glob(filepath.Join("..", pkg, "*.go"))
		must(t, err)
		for _, f := range files {
			if strings.HasSuffix(f, "_test.go") == tests {
				raw, err := os.ReadFile(f)
				must(t, err)
				out.Write(raw)
			}
		}
	}
	return out.String()
}

// untested are the codes that no test raises with the real thing, and why. Each is a debt.
var untested = map[string]string{
	"wallet.channel_missing": "every server of these tests has a certificate for requests to wallets",
}

// TestMain runs the tests and then holds the codes that they raised against the catalogue. No test can do that: none knows
// whether all others have run.
func TestMain(m *testing.M) {
	status := m.Run()
	if wrong := unkept(); status == 0 && everyTestRan() && len(wrong) > 0 {
		fmt.Fprintf(os.Stderr, "FAIL: the tests of this package and the catalogue of problems differ:\n\t%s\n", strings.Join(wrong, "\n\t"))
		status = 1
	}
	os.Exit(status)
}

// everyTestRan reports whether no flag left tests out. -short leaves out none that raises a code nobody else raises.
func everyTestRan() bool {
	for name, all := range map[string]string{"run": "", "skip": "", "list": "", "fuzzworker": "false"} {
		if f := flag.Lookup("test." + name); f != nil && f.Value.String() != all {
			return false
		}
	}
	return flag.Lookup("test.count").Value.String() != "0"
}

// unkept says where the codes that were raised in this process are not those that have to be. A row of the catalogue that
// nothing raises is a promise that nobody keeps.
func unkept() []string {
	seen.Lock()
	defer seen.Unlock()
	var out []string
	for _, k := range problem.All() {
		_, listed := elsewhere[k.Code]
		_, debt := untested[k.Code]
		if isCredential(k.Code) {
			continue // raised here, too, or only by the packages that judge
		}
		switch raised := seen.codes[k.Code]; {
		case raised && debt:
			out = append(out, k.Code+" is raised here; take it off the list of debts")
		case raised && listed:
			out = append(out, k.Code+" is raised here; take it off the list of codes that are raised elsewhere")
		case !raised && !debt && !listed:
			out = append(out, k.Code+" is raised by no test")
		}
	}
	return out
}

// TestEveryCodeIsRaisedSomewhere finds for each row of the catalogue the test that expects it. TestMain looks whether the
// tests of this package did raise theirs.
func TestEveryCodeIsRaisedSomewhere(t *testing.T) {
	for _, k := range problem.All() {
		other, listed := elsewhere[k.Code]
		why, debt := untested[k.Code]
		switch {
		case isCredential(k.Code) && !debt:
			if !refused(t, k.Code) {
				t.Errorf("%s is expected by no test of the packages that judge signed evidence", k.Code)
			}
		case debt:
			t.Logf("%s is raised by no test: %s", k.Code, why)
		case listed && !named(t, other, k.Code):
			t.Errorf("%s is said to be raised by a test of %s, and none names it", k.Code, other)
		case !listed && !refusedAtOnce(k) && !named(t, "httpapi", k.Code):
			t.Errorf("%s is expected by no test", k.Code)
		}
	}
}

// named reports whether a test of that package names a row; the lists of this file do not count.
func named(t *testing.T, pkg, code string) bool {
	t.Helper()
	files, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
	must(t, err)
	for _, f := range files {
		if f == filepath.Join("..", "httpapi", "codes_test.go") {
			continue
		}
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
		if part == "mrz" || part == "pep" {
			b.WriteString(strings.ToUpper(part))
			continue
		}
		b.WriteString(strings.ToUpper(part[:1]) + part[1:])
	}
	return b.String()
}
