package e2e

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const walletQuery = `{"credentials": [
	{"id": "pid", "format": "dc+sd-jwt", "meta": {"vct_values": ["urn:eudi:pid:1"]},
		"claims": [{"path": ["family_name"]}, {"path": ["birthdate"]}, {"path": ["address", "locality"]}, {"path": ["nationalities", null], "values": ["UT"]}]},
	{"id": "mdl", "format": "mso_mdoc", "meta": {"doctype_value": "org.iso.18013.5.1.mDL"},
		"claims": [{"path": ["org.iso.18013.5.1", "family_name"]}, {"path": ["org.iso.18013.5.1", "age_over_18"]}]}]}`

// wallet is one that is put together from other makers' packages, with a folder for what it and the program write.
type wallet struct {
	t   *testing.T
	dir string
}

func newWallet(t *testing.T) *wallet {
	t.Helper()
	if _, err := os.Stat(filepath.Join("wallet", "node_modules", "@owf", "mdoc")); err != nil {
		t.Skip("the wallet is missing (npm install --no-save --prefix e2e/wallet)")
	}
	w := &wallet{t, t.TempDir()}
	w.write("query.json", []byte(walletQuery))
	w.run("make", w.dir)
	return w
}

func (w *wallet) file(name string) string { return filepath.Join(w.dir, name) }

func (w *wallet) write(name string, raw []byte) {
	w.t.Helper()
	must(w.t, os.WriteFile(w.file(name), raw, 0o600))
}

func (w *wallet) run(args ...string) []byte {
	w.t.Helper()
	cmd := exec.CommandContext(w.t.Context(), "node", append([]string{"wallet.mjs"}, args...)...)
	cmd.Dir = "wallet"
	out, err := cmd.Output()
	if exit, failed := errors.AsType[*exec.ExitError](err); failed {
		w.t.Fatalf("the wallet failed: %s", exit.Stderr)
	}
	must(w.t, err)
	return out
}

// verify judges the answer, with more options.
func (w *wallet) verify(status string, more ...string) (string, int) {
	w.t.Helper()
	return run(w.t, append([]string{"wallet", "verify", w.file("answer"), "--request", w.file("kept.json"), "--status", w.file(status),
		"--anchor", "org.iso.18013.5.1.mDL=" + w.file("iaca.pem"), "--anchor", "urn:eudi:pid:1=" + w.file("pid.pem")}, more...)...)
}

func TestAWalletOfOtherMakersAnswersRequestsOfEachKind(t *testing.T) {
	w := newWallet(t)
	signed := []string{"--key", w.file("verifier.key"), "--chain", w.file("verifier.pem")}
	posted := []string{"--response-uri", "https://verifier.example/answer"}
	browser := []string{"--origin", "https://verifier.example"}
	answered := false
	for _, c := range []struct {
		name string
		args [][]string
	}{
		{"V16 V18 V21 direct_post.jwt by host", [][]string{signed, posted, {"--host", "verifier.example"}}},
		{"V16 V18 V21 direct_post.jwt by certificate", [][]string{signed, posted}},
		{"V20 direct_post", [][]string{signed, posted, {"--mode", "direct_post"}}},
		{"dc_api unsigned", [][]string{browser, {"--mode", "dc_api"}}},
		{"V17 V19 dc_api.jwt unsigned", [][]string{browser, {"--mode", "dc_api.jwt"}}},
		{"V17 V19 dc_api.jwt signed", [][]string{browser, signed, {"--mode", "dc_api.jwt"}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			w.t = t
			args := []string{"wallet", "request", "--query", w.file("query.json"), "--kept", w.file("kept.json")}
			for _, more := range c.args {
				args = append(args, more...)
			}
			asked, code := run(t, args...)
			if code != 0 {
				t.Fatalf("the request is not made: %s", asked)
			}
			w.write("asked", []byte(asked))
			if answered {
				if said, code := w.verify("status.jwt"); code != 1 {
					t.Errorf("the answer to the request before answers this one (%d):\n%s", code, said)
				}
			}
			w.write("answer", w.run("answer", w.dir, w.file("asked")))
			answered = true
			w.judge()
		})
	}
}

// judge checks that the answer is taken as it is, and in no other way.
func (w *wallet) judge() {
	w.t.Helper()
	if said, code := w.verify("status.jwt"); code != 0 {
		w.t.Errorf("it answers %d:\n%s", code, said)
	}
	if said, code := w.verify("revoked.jwt"); code != 1 || !strings.Contains(said, "status.revoked") {
		w.t.Errorf("N42: with a list that revokes it, it answers %d:\n%s", code, said)
	}
	later := time.Now().Add(time.Hour).UTC().Format(time.RFC3339)
	if said, code := w.verify("status.jwt", "--at", later); code != 1 || !strings.Contains(said, "openid.expired") {
		w.t.Errorf("N68: an hour later it answers %d:\n%s", code, said)
	}
	answer, err := os.ReadFile(w.file("answer"))
	must(w.t, err)
	for _, at := range []int{len(answer) / 3, len(answer) / 2, len(answer) * 4 / 5} {
		changed := append([]byte{}, answer...)
		changed[at] ^= 1
		w.write("answer", changed)
		if said, code := w.verify("status.jwt"); code != 1 {
			w.t.Errorf("with byte %d changed it answers %d:\n%s", at, code, said)
		}
	}
	w.write("answer", answer)
}
