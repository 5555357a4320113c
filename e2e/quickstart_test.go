package e2e

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
)

// fence is a block of code in a guide.
var fence = regexp.MustCompile("(?s)```(sh|python)\n(.*?)```")

// quickStart is the guide as a shell script: its blocks in their order, and nothing else. Only the ports are others, so that
// two tests can run at once.
func quickStart(t *testing.T, dir string) string {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "docs", "integrate", "quick-start.md"))
	must(t, err)
	text := strings.NewReplacer(
		"127.0.0.1:8080", fmt.Sprintf("127.0.0.1:%d", served.FreePort(t)), "RECEIVER_PORT=8081", fmt.Sprintf("RECEIVER_PORT=%d", served.FreePort(t)),
	).Replace(string(raw))
	script := "set -eu -o pipefail\ntrap 'kill $(jobs -p) 2>/dev/null; wait' EXIT\n"
	for _, block := range fence.FindAllStringSubmatch(text, -1) {
		if block[1] == "python" {
			must(t, os.WriteFile(filepath.Join(dir, "receiver.py"), []byte(block[2]), 0o600))
			continue
		}
		script += block[2]
	}
	return script
}

// inShell runs a script in a folder with bonafide on the path, and answers what it printed.
func inShell(t *testing.T, dir, script string) string {
	t.Helper()
	for _, tool := range []string{"bash", "curl", "jq", "python3"} {
		if _, err := exec.LookPath(tool); err != nil {
			t.Skipf("the quick start needs %s: %v", tool, err)
		}
	}
	ctx, stop := context.WithTimeout(t.Context(), 2*time.Minute)
	defer stop()
	cmd := exec.CommandContext(ctx, "bash", "-c", script)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(served.Binary(t))+":"+os.Getenv("PATH"))
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL, Setpgid: true}
	cmd.Cancel = func() error { return syscall.Kill(-cmd.Process.Pid, syscall.SIGTERM) }
	cmd.WaitDelay = 10 * time.Second
	out, err := cmd.CombinedOutput()
	if err != nil {
		log, _ := os.ReadFile(filepath.Join(dir, "bonafide.log"))
		t.Fatalf("the quick start does not run as written: %v\n%s\nserver:\n%s", err, out, log)
	}
	return string(out)
}

func TestTheQuickStartRunsAsWritten(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	out := inShell(t, dir, quickStart(t, dir))
	for _, want := range []string{
		"/v/", "processing", `"outcome":"approved"`, `"state": "approved"`, `"external_reference": "order-17"`,
		`"kind":"face.match","outcome":"pass"`,
	} {
		if !strings.Contains(out, want) {
			t.Errorf("the quick start does not print %s:\n%s", want, out)
		}
	}
	events, err := os.ReadFile(filepath.Join(dir, "events.jsonl"))
	must(t, err)
	for line := range strings.Lines(string(events)) {
		var e struct {
			Type, Mode string
		}
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Mode != "test" || e.Type == "" {
			t.Errorf("verified event %q: %v", line, err)
		}
	}
	if !strings.Contains(string(events), `"order-17"`) {
		t.Errorf("no event carries the reference: %s", events)
	}
	for _, personal := range []string{"Ada", "Doe"} {
		if strings.Contains(string(events), personal) {
			t.Errorf("an event tells %q", personal)
		}
	}
}

// TestAClientGeneratedFromTheOpenAPIFileGoesTheSameWay has the generator read what the server serves, and runs what it wrote.
func TestAClientGeneratedFromTheOpenAPIFileGoesTheSameWay(t *testing.T) {
	t.Parallel()
	s := served.NewPlace(t).Serve(t)
	dir := t.TempDir()
	for _, name := range []string{"go.mod", "go.sum", "main.go", "oapi-codegen.yaml"} {
		raw, err := os.ReadFile(filepath.Join("goclient", name))
		must(t, err)
		must(t, os.WriteFile(filepath.Join(dir, name), raw, 0o600))
	}
	must(t, os.WriteFile(filepath.Join(dir, "openapi-3.0.json"), client{url: s.URL}.get(t, "/openapi-3.0.json").body, 0o600))
	run := func(args ...string) string {
		t.Helper()
		cmd := exec.CommandContext(t.Context(), "go", args...)
		cmd.Dir = dir
		cmd.Env = append(os.Environ(), "GOWORK=off", "GOFLAGS=-mod=readonly", "BONAFIDE_URL="+s.URL, "BONAFIDE_KEY="+s.Key)
		var out, said bytes.Buffer // on a bare machine go also says what it downloads
		cmd.Stdout, cmd.Stderr = &out, &said
		if err := cmd.Run(); err != nil {
			t.Fatalf("go %s: %v\n%s%s", strings.Join(args, " "), err, out.Bytes(), said.Bytes())
		}
		return out.String()
	}
	run("tool", "oapi-codegen", "-config", "oapi-codegen.yaml", "openapi-3.0.json")
	if got := strings.TrimSpace(run("run", ".")); got != "approved approved order-17" {
		t.Errorf("the client says %q", got)
	}
}
