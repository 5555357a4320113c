package main

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"
)

// output is written by one goroutine and read by another.
type output struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (o *output) Write(p []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.Write(p)
}

func (o *output) String() string {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.b.String()
}

// startServer runs serve --dev on a free port until stop is called, which answers its exit code.
func startServer(t *testing.T, dir string) (out *output, stop func() exit) {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	out = &output{}
	ended := make(chan exit, 1)
	go func() {
		ended <- run(ctx, []string{"serve", "--dev", "--listen", "127.0.0.1:0", "--data-dir", dir}, streams{Out: out, Err: io.Discard})
	}()
	deadline := time.Now().Add(20 * time.Second)
	for !strings.Contains(out.String(), "try it") {
		select {
		case code := <-ended:
			t.Fatalf("the server ended with %d: %s", code, out.String())
		default:
		}
		if time.Now().After(deadline) {
			t.Fatal("the server does not say that it runs")
		}
		time.Sleep(5 * time.Millisecond)
	}
	return out, func() exit { cancel(); return <-ended }
}

func TestServeDevSaysHowToBeginAndEndsInOrder(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	out, stop := startServer(t, dir)
	greeting := out.String()
	base := regexp.MustCompile(`http://localhost:\d+`).FindString(greeting)
	for _, want := range []string{
		`set up +` + base + `/setup#token=[A-Za-z0-9_-]{43}\n`, `API key +bf_test_[A-Za-z0-9_-]{43}\n`, `try it +` + base + `/v/[A-Za-z0-9_-]{43}\n`,
		`no camera +` + base + `/v/[A-Za-z0-9_-]{43}\n`,
	} {
		if !regexp.MustCompile(want).MatchString(greeting) {
			t.Errorf("the greeting lacks %s:\n%s", want, greeting)
		}
	}
	res, err := http.Get(base + "/readyz")
	if err != nil {
		t.Fatal(err)
	}
	_ = res.Body.Close()
	if res.StatusCode != http.StatusOK {
		t.Errorf("readiness: got %d", res.StatusCode)
	}
	for _, secret := range []string{"master.key", "test-api-key", "bonafide.db"} {
		if info, err := os.Stat(filepath.Join(dir, secret)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want a file that only its owner can read", secret, info, err)
		}
	}
	if code := stop(); code != exitYes {
		t.Errorf("it ended with %d", code)
	}
	key := regexp.MustCompile(`bf_test_\S+`)
	again, stop := startServer(t, dir)
	if got, want := key.FindString(again.String()), key.FindString(greeting); got != want {
		t.Errorf("a second start made another key")
	}
	if code := stop(); code != exitYes {
		t.Errorf("it ended with %d", code)
	}
}

func TestExitCodesOfTheCommandLine(t *testing.T) {
	dir := t.TempDir()
	tests := map[string]struct {
		args []string
		want exit
		says string
	}{
		"nothing shows the help": {nil, exitYes, "serve"},
		"help":                   {[]string{"--help"}, exitYes, "doctor"},
		"an unknown flag":        {[]string{"serve", "--fast"}, exitUsage, "unknown flag"},
		"an unknown command":     {[]string{"dance"}, exitUsage, "dance"},
		"serve without settings": {
			[]string{"serve", "--public-url", "https://id.example.test", "--listen", "127.0.0.1:0"}, exitNoAnswer, "--database is missing",
		},
		"serve without any setting says all that is missing": {
			[]string{"serve", "--trusted-proxy", "ten", "--sso-client-id", "x"}, exitNoAnswer, "6 things are wrong:\n  --database is missing",
		},
		"a flag that is almost a setting": {[]string{"serve", "--public-ulr", "https://x"}, exitUsage, "did you mean \"--public-url\""},
		"serve without a public address":  {[]string{"serve", "--listen", "127.0.0.1:0"}, exitNoAnswer, "--public-url is missing"},
		"migrate without a master key": {
			[]string{"migrate", "--database", "sqlite:" + dir + "/a.db", "--blobs", "file://" + dir}, exitNoAnswer, "--master-key is missing",
		},
		"a master key that is not there": {
			[]string{"migrate", "--database", "sqlite:" + dir + "/a.db", "--blobs", "file://" + dir, "--master-key", "file:" + dir + "/none"},
			exitNoAnswer, "there is no file",
		},
		"a database that nobody knows": {[]string{"migrate", "--dev", "--data-dir", dir, "--database", "mysql://x"}, exitNoAnswer, "sqlite:PATH or postgres"},
		"a worker on an unmigrated database": {
			[]string{"worker", "--database", "sqlite:" + dir + "/b.db", "--blobs", "file://" + dir, "--master-key", "env:BONAFIDE_TEST_KEY"},
			exitNoAnswer, "bonafide migrate",
		},
	}
	t.Setenv("BONAFIDE_TEST_KEY", newMasterKey(t))
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			out := &output{}
			if got := run(t.Context(), tt.args, streams{Out: out, Err: out}); got != tt.want || !strings.Contains(out.String(), tt.says) {
				t.Errorf("got %d, want %d and %q:\n%s", got, tt.want, tt.says, out)
			}
		})
	}
}

func TestASettingThatIsMisspeltInTheEnvironmentIsRefused(t *testing.T) {
	t.Setenv("BONAFIDE_PUBLIC_ULR", "https://id.example.test")
	code, said := runCommand(t, "migrate", "--dev", "--data-dir", t.TempDir())
	if code != exitNoAnswer || !strings.Contains(said, "did you mean BONAFIDE_PUBLIC_URL?") {
		t.Errorf("got %d:\n%s", code, said)
	}
	if code, said := runCommand(t, "version"); code != exitYes || !strings.Contains(said, "commit") {
		t.Errorf("a command without settings: %d\n%s", code, said)
	}
}

func TestDemoDataIsNotMadeBesideARunningServer(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	greeting, stop := startServer(t, dir)
	if !strings.Contains(greeting.String(), "Only this machine reaches it") || !strings.Contains(greeting.String(), "--public-url https://") {
		t.Errorf("the greeting does not say how to try the hand-off to a phone:\n%s", greeting)
	}
	code, said := runCommand(t, "demo-data", "--dev", "--data-dir", dir, "--pictures", "0")
	if code != exitNoAnswer || !strings.Contains(said, "a server runs on this data") {
		t.Errorf("got %d:\n%s", code, said)
	}
	if code := stop(); code != exitYes {
		t.Errorf("the server ended with %d", code)
	}
	if _, said := runCommand(t, "demo-data", "--dev", "--data-dir", dir, "--pictures", "0"); strings.Contains(said, "a server runs") {
		t.Errorf("after its end:\n%s", said)
	}
}

func TestTheDoctorFindsAndMendsNothingByItself(t *testing.T) {
	dir := t.TempDir()
	out := &output{}
	code := run(t.Context(), []string{"doctor", "--dev", "--data-dir", filepath.Join(dir, "data")}, streams{Out: out, Err: out})
	if sick := strings.Contains(out.String(), "✕"); sick != (code == exitNo) {
		t.Errorf("it ended with %d", code)
	}
	for _, want := range []string{
		"models", "inference runtime", "web app", "master key", "blobs", "database", "disk of the database", "disk of the pictures",
		"serve --dev makes it",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("the doctor says nothing of %s:\n%s", want, out)
		}
	}
	for _, made := range []string{"bonafide.db", "master.key"} {
		if _, err := os.Stat(filepath.Join(dir, "data", made)); err == nil {
			t.Errorf("the doctor made %s", made)
		}
	}
}
