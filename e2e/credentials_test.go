package e2e

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var updateCredentials = flag.Bool("update-credentials", false, "write docs/reference/credentials.md")

// credentialCase is something that chips and wallets send, and that has to be accepted (V) or refused (N).
type credentialCase struct{ number, what string }

var credentialCases = []credentialCase{
	{"V1", "V1 to V12: security objects with every kind of signature, in each way that states sign"},
	{"V13", "a full set of files under an accepted authority"}, {"V14", "a mobile document with an authentication code"},
	{"V15", "a mobile document whose signer's certificate lacks a usage, where the operator wants those"},
	{"V16", "SD-JWT by direct_post.jwt"}, {"V17", "SD-JWT by dc_api.jwt"}, {"V18", "mobile document by direct_post.jwt"},
	{"V19", "mobile document by dc_api.jwt"}, {"V20", "direct_post in the clear"}, {"V21", "both formats in one answer"},
	{"V22", "a request that is fetched twice"}, {"V23", "a holder's key with the least members"}, {"V24", "status lists of 1, 2, 4 and 8 bits"},
	{"V25", "claims within claims and elements of arrays"}, {"V26", "the German and the Dutch list to the last certificate"},
	{"V27", "a link certificate"}, {"V28", "a browser's wallet that answers, declines and waits"},
	{"N1", "one byte of DG1 changed"}, {"N2", "DG2 of another document"}, {"N3", "a data group that EF.SOD does not list"},
	{"N4", "EF.SOD under a self-made authority"}, {"N5", "a signer of another country"}, {"N6", "content changed, old digest"},
	{"N7", "no signed attributes"}, {"N8", "a signer that may not sign"}, {"N9", "signed after the signer's end"}, {"N10", "a revoked signer"},
	{"N11", "a revocation list that is out of date or forged"}, {"N12", "explicit parameters with another generator"},
	{"N13", "an RSA signature that only begins or ends as one"}, {"N14", "a list that is changed, older, or signed by somebody else"},
	{"N15", "an authority that the operator removed"}, {"N16", "an answer to another challenge"}, {"N17", "a key that EF.SOD does not list"},
	{"N18", "Active Authentication left out"}, {"N19", "a transcript of Chip Authentication"}, {"N20", "trailing, too many and too deep bytes"},
	{"N21", "another zone than on the page"}, {"N22", "SHA-1, where the operator is strict"}, {"N23", "a bit of the issuer's signature"},
	{"N24", "no signature, or the public key as a secret"}, {"N25", "a signer of an unknown authority"}, {"N26", "an authority of another purpose"},
	{"N27", "a self-signed signer"}, {"N28", "no signature of the holder"}, {"N29", "another holder's key"}, {"N30", "another nonce"},
	{"N31", "another audience"}, {"N32", "an audience without its prefix"}, {"N33", "disclosures added or taken out"},
	{"N34", "a disclosure that nobody signed"}, {"N35", "a digest twice"}, {"N36", "a disclosed expiry, type or key"}, {"N37", "a claim twice"},
	{"N38", "out of date, or of the future"}, {"N39", "a holder's signature of last year or of the future"}, {"N40", "a type that was not asked for"},
	{"N41", "a claim that was asked for and is missing"}, {"N42", "revoked, suspended, and status lists that cannot be used"},
	{"N43", "tokens of another kind"}, {"N44", "an issuer's token as the holder's"}, {"N45", "an element with another value"},
	{"N46", "digests exchanged"}, {"N47", "an element of another name space"}, {"N48", "a document of another type than was signed"},
	{"N49", "a signer of documents who may not"}, {"N50", "a document out of date, or of the future"},
	{"N51", "a transcript of another request"}, {"N52", "a transcript of another channel"}, {"N53", "no name spaces"},
	{"N54", "status and version of a response"}, {"N55", "keys twice"}, {"N56", "a device's algorithm that is undefined"},
	{"N57", "an algorithm that is not the key's"}, {"N58", "two documents"}, {"N59", "a code where a signature is needed"},
	{"N60", "what the device says itself"}, {"N61", "an answer twice"}, {"N62", "the key of another request"},
	{"N63", "in the clear where encryption was asked for"}, {"N64", "an encryption that was not offered"}, {"N65", "another state"},
	{"N66", "credentials that were not asked for, or are missing, or come twice"}, {"N67", "an answer by another channel"}, {"N68", "too late"},
	{"N69", "a result fetched with the wallet's state"}, {"N70", "a response code twice, or in another browser"},
	{"N71", "another protocol of the browser's API"}, {"N72", "an error of the wallet"}, {"N73", "a request with another address"},
	{"N74", "a status list at a private address"}, {"N75", "a thousand copies of an answer"}, {"N76", "offsets beyond the end of a barcode"},
	{"N77", "an issuer's number that is not of the state"}, {"N78", "days in the other order"}, {"N79", "a day that there is not"},
	{"N80", "each check digit of a zone"}, {"N81", "control characters and markup"},
}

// credentialSuites are the tests that try the cases: packages, and which of their tests.
var credentialSuites = [][2]string{
	{"./internal/tlv ./internal/pki ./internal/lds ./internal/emrtd ./internal/trust ./internal/sdjwt ./internal/mdoc ./internal/statuslist " +
		"./internal/openid4vp ./internal/webhook ./internal/aamva ./internal/mrz", "."},
	{"./internal/httpapi", "ProtocolRefusals|SameDeviceCounts|BrowsersAPIIsAnswered|BrowsersWallet|ThousandCopies"},
	{"./e2e", "TestAWalletOfOtherMakers"},
}

// seen is what the tests that passed show of a case.
type seenCase struct {
	codes, tests map[string]bool
	failed       bool
}

var caseNumber = regexp.MustCompile(`\b[VN]\d{1,2}\b`)

// TestTheTableOfCredentialsIsWhatTheTestsShow runs the tests of chips and wallets, and writes or compares the table of cases.
func TestTheTableOfCredentialsIsWhatTheTestsShow(t *testing.T) {
	if testing.Short() {
		t.Skip("nightly: the tests that it runs run by day")
	}
	all := map[string]*seenCase{}
	for _, suite := range credentialSuites {
		args := append([]string{"test", "-short", "-count=1", "-json", "-run", suite[1]}, strings.Fields(suite[0])...)
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir, cmd.Stderr = "..", os.Stderr
		out, err := cmd.Output()
		if err != nil {
			t.Errorf("go %s: %v", strings.Join(args, " "), err)
		}
		readCases(t, all, out)
	}
	table := credentialTable(all)
	file := filepath.Join("..", "docs", "reference", "credentials.md")
	if *updateCredentials {
		must(t, os.WriteFile(file, table, 0o600))
	}
	now, err := os.ReadFile(file)
	if err != nil || !bytes.Equal(now, table) {
		t.Errorf("%s is not what the tests show (%v); go test ./e2e -run TableOfCredentials -update-credentials writes it:\n%s", file, err, table)
	}
}

// event is one of go test -json.
type event struct{ Action, Package, Test, Key, Value string }

// readCases reads which cases the tests name, with their codes, and whether the tests passed.
func readCases(t *testing.T, all map[string]*seenCase, raw []byte) {
	t.Helper()
	type run struct{ cases, codes []string }
	runs := map[string]*run{}
	for line := range bytes.Lines(raw) {
		var e event
		if json.Unmarshal(line, &e) != nil || e.Test == "" {
			continue
		}
		r := runs[e.Package+e.Test]
		switch {
		case e.Action == "run":
			_, name, _ := strings.Cut(e.Test, "/")
			runs[e.Package+e.Test] = &run{cases: caseNumber.FindAllString(strings.ReplaceAll(name, "_", " "), -1)}
		case r == nil:
		case e.Action == "attr" && e.Key == "code":
			r.codes = append(r.codes, e.Value)
		case e.Action == "attr" && e.Key == "case":
			number, code, _ := strings.Cut(e.Value, " ")
			noteCase(all, number, e, []string{code}, true)
		case e.Action == "pass" || e.Action == "fail":
			for _, number := range r.cases {
				noteCase(all, number, e, r.codes, e.Action == "pass")
			}
		}
	}
}

func noteCase(all map[string]*seenCase, number string, e event, codes []string, passed bool) {
	if all[number] == nil {
		all[number] = &seenCase{codes: map[string]bool{}, tests: map[string]bool{}}
	}
	c := all[number]
	c.failed = c.failed || !passed
	c.tests[strings.TrimPrefix(e.Package, "github.com/bonafide-id/bonafide/")] = true
	for _, code := range codes {
		if code != "" && number[0] == 'N' {
			c.codes[code] = true
		}
	}
}

func credentialTable(all map[string]*seenCase) []byte {
	var out bytes.Buffer
	out.WriteString("<!-- Written by go test ./e2e -run TableOfCredentials -update-credentials. -->\n\n# Chips and wallets: what is accepted and refused\n\n" +
		"V is accepted, N is refused. The table is written by a run of the tests that it names: a case stands here with the codes that they saw. " +
		"Codes are those of the [catalogue](errors.md).\n\n| case | what | result | codes | tests |\n|---|---|---|---|---|\n")
	for _, c := range credentialCases {
		result, codes, tests := "no test of this name", "", ""
		if s := all[c.number]; s != nil {
			result = map[bool]string{true: "accepted", false: "refused"}[c.number[0] == 'V']
			if s.failed {
				result = "**fails**"
			}
			codes, tests = quoted(s.codes), quoted(s.tests)
		}
		fmt.Fprintf(&out, "| %s | %s | %s | %s | %s |\n", c.number, strings.TrimPrefix(c.what, "V1 to V12: "), result, codes, tests)
	}
	return out.Bytes()
}

func quoted(set map[string]bool) string {
	var out []string
	for _, s := range slices.Sorted(maps.Keys(set)) {
		out = append(out, "`"+s+"`")
	}
	return strings.Join(out, ", ")
}
