package e2e

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

// run runs a command to its end and answers what it printed and its exit code.
func run(t *testing.T, args ...string) (string, int) {
	t.Helper()
	return runIn(t, nil, args...)
}

// runIn is run with further settings, each NAME=value.
func runIn(t *testing.T, environment []string, args ...string) (string, int) {
	t.Helper()
	cmd := exec.Command(served.Binary(t), args...) //nolint:noctx // the test has a time limit
	cmd.Env = append(os.Environ(), environment...)
	var out, warn bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &warn
	err := cmd.Run()
	var failed *exec.ExitError
	if err != nil && !errors.As(err, &failed) {
		t.Fatal(err)
	}
	if warn.Len() > 0 {
		t.Logf("%s: %s", args[0], warn.String())
	}
	return out.String(), cmd.ProcessState.ExitCode()
}

func write(t *testing.T, name string, data []byte) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must(t, os.WriteFile(path, data, 0o600))
	return path
}

func TestVerifyOnTheCommandLineEndsWithTheVerdictsExitCode(t *testing.T) {
	t.Parallel()
	match := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	expired, stranger := "", "" // drawn only for the cases that need them, by night
	if !testing.Short() {
		expired = write(t, "e.jpg", picturesOf(t, "alder", "alder", 2, fixtures.Options{Expired: true}).document)
		stranger = write(t, "o.jpg", selfieOf(t, "birch"))
	}
	document, selfie := write(t, "d.jpg", match.document), write(t, "s.jpg", match.selfie)
	for _, c := range []struct {
		name    string
		args    []string
		code    int
		outcome string
		reason  string
		nightly bool
	}{
		{"the right person is approved", []string{"--document", document, "--selfie", selfie, "--accept-specimens"}, 0, "approved", "", false},
		{"a specimen is declined", []string{"--document", document, "--selfie", selfie}, 1, "declined", "document.specimen", false},
		{
			"another person is declined", []string{"--document", document, "--selfie", stranger, "--accept-specimens"}, 1,
			"declined", "face.mismatch", true,
		},
		{
			"an expired document is declined", []string{"--document", expired, "--selfie", selfie, "--accept-specimens"}, 1,
			"declined", "document.expired", true,
		},
		{"without a selfie it needs review", []string{"--document", document, "--accept-specimens"}, 4, "referred", "check.not_run", false},
		{
			"another name is declined", []string{"--document", document, "--selfie", selfie, "--accept-specimens", "--claim", "family_name=Nobody"},
			1, "declined", "person.claim_mismatch", false,
		},
		{"something that is no picture has no answer", []string{"--document", write(t, "x.jpg", []byte("hello")), "--accept-specimens"}, 3, "none", "", false},
		{"a missing file has no answer", []string{"--document", "/nowhere.jpg"}, 3, "none", "", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if c.nightly && testing.Short() {
				t.Skip("nightly: internal/biometric and internal/policy test this decline by day")
			}
			out, code := run(t, append([]string{"verify", "--json"}, c.args...)...)
			var got struct {
				Outcome string                  `json:"outcome"`
				Reasons []struct{ Code string } `json:"reasons"`
			}
			if err := json.Unmarshal([]byte(out), &got); err != nil {
				t.Fatalf("decode %q: %v", out, err)
			}
			if code != c.code || got.Outcome != c.outcome {
				t.Errorf("got %s with exit code %d, want %s with %d: %v", got.Outcome, code, c.outcome, c.code, got.Reasons)
			}
			if c.reason != "" && !strings.Contains(out, c.reason) {
				t.Errorf("the answer does not name %s: %v", c.reason, got.Reasons)
			}
		})
	}
}

// wrongKey is what the doctor says of a master key that is not there.
var wrongKey = regexp.MustCompile(`✕ wrong +master key`)

func TestNoKeyIsMadeForDataThatItCannotOpen(t *testing.T) {
	t.Parallel()
	for name, database := range map[string]func(t *testing.T) string{
		"on SQLite":     func(t *testing.T) string { return "sqlite:" + filepath.Join(t.TempDir(), "bonafide.db") },
		"on PostgreSQL": func(t *testing.T) string { return idvtest.Postgres(t).Database(t) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			where := database(t)
			p := served.NewPlace(t, "--database", where)
			p.Serve(t).Stop(syscall.SIGTERM)
			key := filepath.Join(p.Dir, "master.key")
			kept, err := os.ReadFile(key)
			must(t, err)
			must(t, os.Remove(key))
			refused := p.Beside(t, "serve", "--dev", "--data-dir", p.Dir, "--database", where, "--listen", "127.0.0.1:0")
			refused.Wait()
			for _, want := range []string{"the master key that opens it is missing", "put it back at " + key} {
				if !strings.Contains(refused.Printed(), want) {
					t.Errorf("the refusal does not say %q: %s", want, refused.Printed())
				}
			}
			if found, code := run(t, "doctor", "--dev", "--data-dir", p.Dir, "--database", where); code != 1 || !wrongKey.MatchString(found) {
				t.Errorf("the doctor ends with %d: %s", code, found)
			}
			if _, err := os.Stat(key); !errors.Is(err, os.ErrNotExist) {
				t.Fatalf("a key was written beside data that it cannot open: %v", err)
			}
			must(t, os.WriteFile(key, kept, 0o600))
			p.Serve(t)
		})
	}
}

func TestWrongUsageIsTwo(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"verify"}, {"inspect"}, {"compare", "one"}, {"nonsense"}, {"verify", "--document", "x", "--nonsense"}} {
		if _, code := run(t, args...); code != 2 {
			t.Errorf("%v: exit code %d, want 2", args, code)
		}
	}
}

func TestAMissingRuntimeRefersAndSaysSo(t *testing.T) {
	t.Parallel()
	p := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	document, selfie := write(t, "d.jpg", p.document), write(t, "s.jpg", p.selfie)
	plain := write(t, "plain", []byte("a file where a directory should be"))
	for _, c := range []struct{ name, dir string }{
		{"a cache directory that cannot be made", filepath.Join(plain, "runtime")},
		{"a cache directory on a file system that is read only", "/proc/bonafide"},
	} {
		t.Run(c.name, func(t *testing.T) {
			out, code := run(t, "verify", "--json", "--document", document, "--selfie", selfie, "--accept-specimens", "--runtime-dir", c.dir)
			if code != 4 || !strings.Contains(out, `"referred"`) || !strings.Contains(out, "check.not_run") {
				t.Errorf("exit code %d, want 4 (referred, not run): %.600s", code, out)
			}
		})
	}
}

func TestAModelWithAnotherDigestIsRefusedAndItsCheckIsNotRun(t *testing.T) {
	t.Parallel()
	p := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	document, selfie := write(t, "d.jpg", p.document), write(t, "s.jpg", p.selfie)
	dir := t.TempDir()
	must(t, os.MkdirAll(filepath.Join(dir, "cards"), 0o750))
	must(t, os.MkdirAll(filepath.Join(dir, "pack"), 0o750))
	card, err := os.ReadFile(filepath.Join("..", "models", "cards", "face-template.json"))
	must(t, err)
	must(t, os.WriteFile(filepath.Join(dir, "cards", "face-template.json"), card, 0o600))
	must(t, os.WriteFile(filepath.Join(dir, "pack", "face-template.onnx"), []byte("another model"), 0o600))
	out, code := run(t, "verify", "--json", "--document", document, "--selfie", selfie, "--accept-specimens", "--models", dir)
	if code != 4 || !strings.Contains(out, "check.not_run") {
		t.Errorf("exit code %d, want 4 (referred, not run): %.600s", code, out)
	}
	if out, code := run(t, "models", "check", "--models", dir); code != 1 || !strings.Contains(out, "not the one that its card names") {
		t.Errorf("models check: exit code %d, want 1 and the reason: %s", code, out)
	}
}
