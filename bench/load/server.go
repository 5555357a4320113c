package load

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// server is a process of its own that runs `bonafide serve --dev`.
type server struct {
	cmd             *exec.Cmd
	said            *said
	ended           chan error
	base, key, door string // address, API key of test mode, setup token
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

// start runs the program and waits until it has greeted.
func start(ctx context.Context, program string, args []string) (*server, error) {
	s := &server{said: &said{}, ended: make(chan error, 1)}
	s.cmd = exec.CommandContext(ctx, program, args...)
	s.cmd.Stdout = s.said
	s.cmd.Cancel = func() error { return s.cmd.Process.Signal(syscall.SIGTERM) }
	s.cmd.WaitDelay = stopTime
	if err := s.cmd.Start(); err != nil {
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

func (s *server) greeted() bool {
	text := s.said.String()
	base, door, key := baseWords.FindStringSubmatch(text), doorWords.FindStringSubmatch(text), keyWords.FindStringSubmatch(text)
	if base == nil || door == nil || key == nil || !strings.Contains(text, "try it") {
		return false
	}
	s.base, s.door, s.key = strings.Replace(base[1], "localhost", "127.0.0.1", 1), door[1], key[1]
	return true
}

// stop ends the server and waits for it.
func (s *server) stop() error {
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

// processor is the processor time that the server has used so far, user and system; 0 where the system does not tell.
func (s *server) processor() time.Duration {
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
