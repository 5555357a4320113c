// Package served starts the real binary for tests that drive it from outside. It needs bin/bonafide (make build) or
// BONAFIDE_BIN; without it a test is skipped.
package served

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

// Binary finds the program under test.
func Binary(t *testing.T) string {
	t.Helper()
	path := os.Getenv("BONAFIDE_BIN")
	if path == "" {
		path = filepath.Join(root(t), "bin", "bonafide")
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

// root is the folder of the repository.
func root(t *testing.T) string {
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
			t.Fatal("the test does not run inside the repository")
		}
		dir = filepath.Dir(dir)
	}
}

// Process is one running bonafide.
type Process struct {
	URL  string // where it answers
	Key  string // API key that --dev printed
	Link string // session link that --dev printed

	cmd  *exec.Cmd
	mu   sync.Mutex
	log  strings.Builder
	done chan struct{}
}

// Place is where a server keeps its data. One that was stopped can be started there again.
type Place struct {
	Dir         string
	port        int
	args        []string // further flags
	environment []string // settings beside those of the test, NAME=value
}

// NewPlace is an empty one on a free port. args are further flags of serve.
func NewPlace(t *testing.T, args ...string) Place {
	t.Helper()
	return Place{Dir: t.TempDir(), port: FreePort(t), args: args}
}

// PublicURL is how people reach a server there.
func (p Place) PublicURL() string { return fmt.Sprintf("http://localhost:%d", p.port) }

// With is the same place for a server with further flags.
func (p Place) With(args ...string) Place {
	p.args = append(append([]string{}, p.args...), args...)
	return p
}

// WithEnvironment is the same place for a server with further settings, each NAME=value.
func (p Place) WithEnvironment(settings ...string) Place {
	p.environment = append(append([]string{}, p.environment...), settings...)
	return p
}

// givenPorts are the ports that FreePort answered before, for a server that may not listen yet.
var givenPorts sync.Map

// FreePort is a port of this machine that nobody listens on. Each call answers another one.
func FreePort(t *testing.T) int {
	t.Helper()
	for {
		l, err := new(net.ListenConfig).Listen(context.Background(), "tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		port := l.Addr().(*net.TCPAddr).Port
		_ = l.Close()
		if _, given := givenPorts.LoadOrStore(port, true); !given {
			return port
		}
	}
}

// Serve starts a development server and waits until it is ready. It ends with the test.
func (p Place) Serve(t *testing.T) *Process {
	t.Helper()
	args := append([]string{"serve", "--dev", "--data-dir", p.Dir, "--listen", fmt.Sprintf("127.0.0.1:%d", p.port)}, p.args...)
	s := start(t, p.environment, args)
	s.URL = fmt.Sprintf("http://127.0.0.1:%d", p.port)
	s.waitReady(t)
	s.readPrinted(t)
	return s
}

// Start runs the binary and collects what it prints.
func Start(t *testing.T, args ...string) *Process {
	t.Helper()
	return start(t, nil, args)
}

// Beside runs the binary with the settings of a place, and collects what it prints.
func (p Place) Beside(t *testing.T, args ...string) *Process {
	t.Helper()
	return start(t, p.environment, args)
}

func start(t *testing.T, environment, args []string) *Process {
	t.Helper()
	s := &Process{cmd: exec.Command(Binary(t), args...), done: make(chan struct{})} //nolint:noctx // it is stopped by signals
	s.cmd.Env = append(os.Environ(), environment...)
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
		s.Stop(syscall.SIGKILL)
		if t.Failed() {
			t.Logf("%s printed:\n%s", args[0], s.Printed())
		}
	})
	return s
}

// Stop sends a signal and waits for the end.
func (s *Process) Stop(sig syscall.Signal) {
	_ = s.cmd.Process.Signal(sig)
	<-s.done
}

// Wait waits until the process has ended by itself.
func (s *Process) Wait() { <-s.done }

// Printed is everything that it printed so far.
func (s *Process) Printed() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.log.String()
}

// WaitAlive waits until the process answers, ready or not.
func (s *Process) WaitAlive(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		if answer, err := http.Get(s.URL + "/healthz"); err == nil { //nolint:noctx // loopback, and the loop has an end
			_ = answer.Body.Close()
			return
		}
	}
	t.Fatalf("the server does not answer after 30 s:\n%s", s.Printed())
}

func (s *Process) waitReady(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(30 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		select {
		case <-s.done:
			t.Fatalf("the server ended:\n%s", s.Printed())
		default:
		}
		answer, err := http.Get(s.URL + "/readyz") //nolint:noctx // loopback, and the loop has an end
		if err != nil {
			continue
		}
		_ = answer.Body.Close()
		if answer.StatusCode == http.StatusOK {
			return
		}
	}
	t.Fatalf("the server is not ready after 30 s:\n%s", s.Printed())
}

var (
	printedKey  = regexp.MustCompile(`bf_test_[\w-]+`)
	printedLink = regexp.MustCompile(`https?://[^\s"]+/v/[\w-]+`)
)

func (s *Process) readPrinted(t *testing.T) {
	t.Helper()
	for end := time.Now().Add(5 * time.Second); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		s.Key, s.Link = printedKey.FindString(s.Printed()), printedLink.FindString(s.Printed())
		if s.Key != "" && s.Link != "" {
			return
		}
	}
	t.Fatalf("--dev printed no key or no link:\n%s", s.Printed())
}

// PeakMemory is the most memory that the process had at once, in bytes.
func (s *Process) PeakMemory(t *testing.T) int64 {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", s.cmd.Process.Pid))
	if err != nil {
		t.Skipf("the system does not say: %v", err)
	}
	var kib int64
	for line := range strings.Lines(string(raw)) {
		if n, err := fmt.Sscanf(line, "VmHWM: %d kB", &kib); n == 1 && err == nil {
			return kib << 10
		}
	}
	t.Skip("the system does not say")
	return 0
}

// CPU is the processor time that the process has used.
func (s *Process) CPU(t *testing.T) time.Duration {
	t.Helper()
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", s.cmd.Process.Pid))
	if err != nil {
		t.Skipf("the system does not say: %v", err)
	}
	_, rest, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(rest) // from the third on
	var user, system int64
	if len(fields) > 12 {
		_, _ = fmt.Sscan(fields[11], &user)
		_, _ = fmt.Sscan(fields[12], &system)
	}
	return time.Duration(user+system) * time.Second / ticksPerSecond
}

// ticksPerSecond is Linux' unit of processor time, the same on every machine.
const ticksPerSecond = 100
