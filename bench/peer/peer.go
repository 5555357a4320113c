// Package peer runs programs of others on the pictures that we measure ourselves on, so that both are measured in one run.
//
// A peer is an ordinary program of the machine, found on the PATH, run on one thread and given a picture as a file of
// its own. Where it is not installed the measurement goes on without it and says so.
package peer

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// ErrMissing says that the program is not installed.
var ErrMissing = errors.New("the peer is not installed")

// Answer is what a peer said of one picture.
type Answer struct {
	Text string        // its standard output
	CPU  time.Duration // processor time, its start included
}

// Version is the first line that the program says of itself; ErrMissing where there is none.
func Version(ctx context.Context, program string, flag string) (string, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return "", ErrMissing
	}
	out, err := exec.CommandContext(ctx, path, flag).CombinedOutput() //nolint:gosec // a program of the operator's choice
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", program, flag, err)
	}
	line, _, _ := strings.Cut(string(out), "\n")
	return strings.TrimSpace(line), nil
}

// Tesseract reads a picture (the bytes of a PNG or JPEG file) with Debian's Tesseract. args go before its configuration:
// "-l", "eng", "--psm", "7", "-c", "tessedit_char_whitelist=…". Its standard output is the text.
func Tesseract(ctx context.Context, picture []byte, args ...string) (Answer, error) {
	return run(ctx, "tesseract", picture, func(file string) []string { return append([]string{file, "stdout"}, args...) })
}

// ZXing reads the codes of a picture with libzxing's ZXingReader; one line a code in its brief form.
func ZXing(ctx context.Context, picture []byte, args ...string) (Answer, error) {
	return run(ctx, "ZXingReader", picture, func(file string) []string { return append(args, file) })
}

// run gives the program the picture as a file. That it finds nothing, and says so by its exit status, is an answer.
func run(ctx context.Context, program string, picture []byte, args func(file string) []string) (Answer, error) {
	path, err := exec.LookPath(program)
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", program, ErrMissing)
	}
	dir, err := os.MkdirTemp("", "bonafide-peer-")
	if err != nil {
		return Answer{}, fmt.Errorf("%s: %w", program, err)
	}
	defer func() { _ = os.RemoveAll(dir) }()
	file := filepath.Join(dir, "picture"+extension(picture))
	if err := os.WriteFile(file, picture, 0o600); err != nil {
		return Answer{}, fmt.Errorf("%s: %w", program, err)
	}
	cmd := exec.CommandContext(ctx, path, args(file)...) //nolint:gosec // a program of the operator's choice
	cmd.Env = append(os.Environ(), "OMP_THREAD_LIMIT=1")
	var out bytes.Buffer
	cmd.Stdout = &out
	err = cmd.Run()
	var no *exec.ExitError
	if err != nil && (!errors.As(err, &no) || no.ExitCode() < 0) {
		return Answer{}, fmt.Errorf("%s: %w", program, err)
	}
	return Answer{Text: out.String(), CPU: cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()}, nil
}

func extension(picture []byte) string {
	if bytes.HasPrefix(picture, []byte{0xff, 0xd8}) {
		return ".jpg"
	}
	return ".png"
}
