// Package e2e drives the real binary from outside: processes are started and killed, pictures are sent over
// HTTP, verdicts are read from the API. It needs bin/bonafide (make build) or BONAFIDE_BIN.
package e2e

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// binary finds the program under test.
func binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("BONAFIDE_BIN")
	if path == "" {
		path = filepath.Join("..", "bin", "bonafide")
	}
	path, err := filepath.Abs(path)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(path); err != nil {
		t.Skipf("the binary is missing (make build): %v", err)
	}
	return path
}

// process is one running bonafide.
type process struct {
	cmd  *exec.Cmd
	url  string
	key  string // API key that --dev printed
	link string // session link that --dev printed
	mu   sync.Mutex
	log  strings.Builder
	done chan struct{}
}

// place is where a server keeps its data.
type place struct {
	dir  string
	port int
	args []string // further flags
}

func newPlace(t *testing.T, args ...string) place {
	t.Helper()
	return place{dir: t.TempDir(), port: freePort(t), args: args}
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// serve starts a development server and waits until it is ready.
func (p place) serve(t *testing.T) *process {
	t.Helper()
	args := append([]string{"serve", "--dev", "--data-dir", p.dir, "--listen", fmt.Sprintf("127.0.0.1:%d", p.port)}, p.args...)
	s := start(t, args...)
	s.url = fmt.Sprintf("http://127.0.0.1:%d", p.port)
	s.waitReady(t)
	s.readPrinted(t)
	return s
}

// start runs the binary and collects what it prints.
func start(t *testing.T, args ...string) *process {
	t.Helper()
	s := &process{cmd: exec.Command(binary(t), args...), done: make(chan struct{})} //nolint:noctx // it is stopped by signals
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	s.cmd.Stderr = s.cmd.Stdout
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	go func() {
		defer close(s.done)
		lines := bufio.NewScanner(out)
		lines.Buffer(nil, 1<<20)
		for lines.Scan() {
			s.mu.Lock()
			s.log.WriteString(lines.Text() + "\n")
			s.mu.Unlock()
		}
		_ = s.cmd.Wait()
	}()
	t.Cleanup(func() {
		s.stop(syscall.SIGKILL)
		if t.Failed() {
			t.Logf("%s printed:\n%s", args[0], s.printed())
		}
	})
	return s
}

// stop sends a signal and waits for the end.
func (s *process) stop(sig syscall.Signal) {
	_ = s.cmd.Process.Signal(sig)
	<-s.done
}

func (s *process) printed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

func (s *process) waitReady(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		select {
		case <-s.done:
			t.Fatalf("the server ended:\n%s", s.printed())
		default:
		}
		answer, err := http.Get(s.url + "/readyz") //nolint:noctx // loopback, and the loop has an end
		if err != nil {
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return
		}
	}
	t.Fatalf("the server is not ready after 30 s:\n%s", s.printed())
}

var (
	printedKey  = regexp.MustCompile(`bf_test_\S+`)
	printedLink = regexp.MustCompile(`http://\S+/v/\S+`)
)

func (s *process) readPrinted(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		s.key, s.link = printedKey.FindString(s.printed()), printedLink.FindString(s.printed())
		if s.key != "" && s.link != "" {
			return
		}
	}
	t.Fatalf("--dev printed no key or no link:\n%s", s.printed())
}
