package idvtest

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
	"time"
)

// Bucket starts an S3 server (versitygw) with one empty bucket, stopped with the test, and answers the bucket's
// URL and the directory in which it keeps its files. Credentials are set in the environment, so the test cannot
// run in parallel. It is skipped where the server was not built (scripts/tool versitygw).
func Bucket(t *testing.T) (where, dir string) {
	t.Helper()
	gateway := filepath.Join(root(t), "build", "bin", "versitygw")
	if _, err := os.Stat(gateway); err != nil {
		t.Skip("no S3 server: versitygw is not in build/bin (make test builds it)")
	}
	home := t.TempDir()
	dir = filepath.Join(home, "evidence")
	if err := os.Mkdir(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("AWS_ACCESS_KEY_ID", "bonafide")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "only-for-tests")
	address := freeAddress(t)
	cmd := exec.CommandContext(
		context.WithoutCancel(t.Context()), gateway, "--port", address, "--access", "bonafide", "--secret", "only-for-tests", "--quiet", "posix",
		"--nometa", home,
	)
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	awaitAddress(t, address)
	q := url.Values{"region": {"us-east-1"}, "endpoint": {"http://" + address}}
	return "s3://evidence?" + q.Encode(), dir
}

// root finds the repository.
func root(t testing.TB) string {
	t.Helper()
	dir, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir
		}
		if filepath.Dir(dir) == dir {
			t.Fatal("no go.mod above the working directory")
		}
		dir = filepath.Dir(dir)
	}
}

func freeAddress(t testing.TB) string {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().String()
}

func awaitAddress(t testing.TB, address string) {
	t.Helper()
	var err error
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		var c net.Conn
		if c, err = new(net.Dialer).DialContext(t.Context(), "tcp", address); err == nil {
			_ = c.Close()
			return
		}
	}
	t.Fatal(fmt.Errorf("nothing listens on %s: %w", address, err))
}
