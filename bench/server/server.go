// Package server runs `bonafide serve --dev` as a process of its own, for measurements that call it as clients do, pin it to
// processors, or kill it.
package server

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// Server is a running process.
type Server struct {
	Base string // address, as in http://127.0.0.1:8080
	Key  string // API key of test mode
	Door string // setup token; empty where the deployment is set up

	cmd   *exec.Cmd
	said  *said
	ended chan error
}

// Options of a process. The zero value works.
type Options struct {
	Log        io.Writer // receives the log; none if nil
	Processors []int     // that it may use; all if empty
}

// said keeps what a process prints.
type said struct {
	mu sync.Mutex
	b  bytes.Buffer
}

// Write implements io.Writer.
func (s *said) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.b.Len() > 1<<20 { // the rest is of no use to anybody
		return len(p), nil
	}
	return s.b.Write(p)
}

func (s *said) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

const (
	startTime = 2 * time.Minute
	stopTime  = 30 * time.Second
)

// What serve --dev greets with.
var (
	baseWords = regexp.MustCompile(`Bonafide answers at (http://\S+)\n`)
	doorWords = regexp.MustCompile(`set up +\S+#token=(\S+)\n`)
	keyWords  = regexp.MustCompile(`API key +(bf_test_\S+)\n`)
)

// Start runs the program and waits until it has greeted. The process ends with its parent.
func Start(ctx context.Context, program string, args []string, o Options) (*Server, error) {
	s := &Server{said: &said{}, ended: make(chan error, 1)}
	s.cmd = exec.CommandContext(ctx, program, args...)
	s.cmd.Stdout, s.cmd.Stderr = s.said, o.Log
	s.cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	s.cmd.WaitDelay = stopTime
	if err := On(o.Processors, s.cmd.Start); err != nil {
		return nil, fmt.Errorf("start the server: %w", err)
	}
	go func() { s.ended <- s.cmd.Wait() }()
	for until := time.Now().Add(startTime); ; time.Sleep(20 * time.Millisecond) {
		if s.greeted() {
			return s, nil
		}
		select {
		case err := <-s.ended:
			return nil, fmt.Errorf("the server ended before it served: %w", err)
		default:
		}
		if time.Now().After(until) {
			return nil, errors.Join(errors.New("the server does not greet"), s.cmd.Process.Kill())
		}
	}
}

func (s *Server) greeted() bool {
	text := s.said.String()
	base, door, key := baseWords.FindStringSubmatch(text), doorWords.FindStringSubmatch(text), keyWords.FindStringSubmatch(text)
	if base == nil || key == nil || !strings.Contains(text, "try it") {
		return false
	}
	s.Base, s.Key = strings.Replace(base[1], "localhost", "127.0.0.1", 1), key[1]
	if door != nil {
		s.Door = door[1]
	}
	return true
}

// Stop asks the server to end and waits for it.
func (s *Server) Stop() error {
	if err := s.cmd.Process.Signal(syscall.SIGTERM); err != nil {
		return fmt.Errorf("stop the server: %w", err)
	}
	select {
	case err := <-s.ended:
		if err != nil {
			return fmt.Errorf("the server did not end in order: %w", err)
		}
		return nil
	case <-time.After(stopTime):
		return errors.Join(errors.New("the server does not stop"), s.cmd.Process.Kill())
	}
}

// Kill ends the server as a power failure would, and waits until it is gone.
func (s *Server) Kill() error {
	if err := s.cmd.Process.Kill(); err != nil {
		return fmt.Errorf("kill the server: %w", err)
	}
	<-s.ended //nolint:errcheck // that it was killed
	return nil
}

// Ready waits until the server says that it can serve.
func (s *Server) Ready(ctx context.Context) error {
	for until := time.Now().Add(startTime); time.Now().Before(until); {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.Base+"/readyz", nil)
		if err != nil {
			return fmt.Errorf("ask whether the server is ready: %w", err)
		}
		res, err := http.DefaultClient.Do(req)
		if err == nil {
			_ = res.Body.Close()
			if res.StatusCode == http.StatusOK {
				return nil
			}
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(10 * time.Millisecond):
		}
	}
	return errors.New("the server does not become ready")
}

// Processor returns the processor time that the server has used so far, user and system; 0 where the system does not tell.
func (s *Server) Processor() time.Duration {
	raw, err := os.ReadFile("/proc/" + strconv.Itoa(s.cmd.Process.Pid) + "/stat")
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(raw), ") ") // the name may hold spaces
	fields := strings.Fields(after)
	const utime, stime, ticks = 11, 12, 100 // proc_pid_stat(5), counted from the state; USER_HZ
	if len(fields) <= stime {
		return 0
	}
	sum := 0
	for _, i := range []int{utime, stime} {
		n, err := strconv.Atoi(fields[i])
		if err != nil {
			return 0
		}
		sum += n
	}
	return time.Duration(sum) * time.Second / ticks
}
