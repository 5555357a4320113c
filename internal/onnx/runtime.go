// Package onnx runs networks with the ONNX Runtime library.
//
// The library is a file of the model pack. It is unpacked once into a private directory and checked by digest at every
// start, then loaded into the process (OpenRuntime). Each Model is safe for concurrent use; the runtime lets as many run
// at a time as there are processors. All models share one arena, so that memory stays flat over changing input sizes.
// Nothing here knows what a network is for.
package onnx

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"sync"

	ort "github.com/yalue/onnxruntime_go"
)

// What is wrong with the runtime library or its directory.
var (
	ErrDigest   = errors.New("the runtime library is not the one that its card names")
	ErrReadOnly = errors.New("cannot write the runtime library there")
	ErrNoExec   = errors.New("the file system does not allow programs (mounted noexec)")
	ErrUnsafe   = errors.New("the directory is not private to this user")
	ErrNoSpace  = errors.New("no space left for the runtime library")
	ErrLoad     = errors.New("the runtime library cannot be loaded")
)

// Runtime is the loaded library.
type Runtime struct {
	digest string
	slots  chan struct{} // one for each run at a time
}

var process struct {
	sync.Mutex
	runtime *Runtime
}

// OpenRuntime loads the library at libPath after checking that its SHA-256 is digest (64 hex digits). A process holds one
// runtime: a second call for the same library returns the first, for another an error. Errors: ErrDigest, ErrNoExec,
// ErrLoad (wrapped), or a failure to read.
func OpenRuntime(libPath, digest string) (*Runtime, error) {
	if err := checkFile(libPath, digest); err != nil {
		return nil, err
	}
	return openChecked(libPath, digest)
}

// Start unpacks the library into dir if need be (see Unpack) and loads it (see OpenRuntime), reading it only once.
func Start(dir, digest string, open func() (io.ReadCloser, error)) (*Runtime, error) {
	path, err := Unpack(dir, digest, open)
	if err != nil {
		return nil, err
	}
	return openChecked(path, digest)
}

func openChecked(libPath, digest string) (*Runtime, error) {
	process.Lock()
	defer process.Unlock()
	libPath, err := filepath.Abs(libPath)
	if err != nil {
		return nil, fmt.Errorf("runtime library: %w", err)
	}
	if r := process.runtime; r != nil {
		if r.digest != digest {
			return nil, fmt.Errorf("%w: another one is already loaded", ErrLoad)
		}
		return r, nil
	}
	if noExec(libPath) {
		return nil, fmt.Errorf("%w: %s", ErrNoExec, filepath.Dir(libPath))
	}
	if err := load(libPath); err != nil {
		return nil, err
	}
	r := &Runtime{digest: digest, slots: make(chan struct{}, max(1, runtime.GOMAXPROCS(0)))}
	process.runtime = r
	return r, nil
}

func load(libPath string) error {
	// The library can report usage to its maker over the network. Nothing leaves a Bonafide server unasked, so that this
	// is switched off before the library is there to read it, and once more by its own call.
	if err := os.Setenv("ORT_DISABLE_TELEMETRY", "1"); err != nil {
		return fmt.Errorf("switch telemetry off: %w", err)
	}
	tuneMalloc()
	ort.SetSharedLibraryPath(libPath)
	if err := ort.InitializeEnvironment(ort.WithLogLevelFatal()); err != nil {
		return fmt.Errorf("%w: %w", ErrLoad, err)
	}
	if err := errors.Join(ort.DisableTelemetry(), shareArena()); err != nil {
		return errors.Join(fmt.Errorf("%w: %w", ErrLoad, err), ort.DestroyEnvironment())
	}
	return nil
}

// shareArena gives all sessions one arena. One for each session grows with every model; none costs a page fault for every
// 4 KiB of every layer, which made text detection three times as slow; growing it by exactly what is asked instead of
// by powers of two never finds a hole that fits and leaks (740 MB after 30 sizes, against 366 MB).
func shareArena() error {
	info, err := ort.GetMemoryInfo()
	if err != nil {
		return err
	}
	const nextPowerOfTwo, libraryDefault = 0, -1
	config, err := ort.NewArenaCfg(0, nextPowerOfTwo, libraryDefault, libraryDefault)
	if err != nil {
		return err
	}
	defer config.Destroy()
	return ort.CreateAndRegisterAllocator(info, config)
}

// Version is that of the loaded library, for example "1.30.0".
func (r *Runtime) Version() string { return ort.GetVersion() }

// acquire waits for a free processor.
func (r *Runtime) acquire(ctx context.Context) error {
	select {
	case r.slots <- struct{}{}:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (r *Runtime) release() { <-r.slots }
