package pdf

import (
	"context"
	"io"
	"runtime"
	"time"

	pdfium "github.com/klippa-app/go-pdfium"
	"github.com/klippa-app/go-pdfium/webassembly"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"
	"github.com/tetratelabs/wazero/experimental"
)

// pageBytes is the size of a page of WebAssembly memory.
const pageBytes = 64 << 10

// sandbox holds PDFium, compiled once. Its methods must be called by one goroutine at a time, except stop.
type sandbox struct {
	memory int64 // the most that an instance may have, in bytes
	cache  wazero.CompilationCache
	pool   pdfium.Pool
	cancel context.CancelFunc
}

// open returns a fresh instance of PDFium and what gives its memory back. It compiles PDFium where that was not done yet, which takes
// seconds of processor time.
func (s *sandbox) open() (in pdfium.Pdfium, release func(), err error) {
	if s.pool == nil {
		if err := s.start(); err != nil {
			return nil, nil, err
		}
	}
	in, err = s.pool.GetInstance(time.Minute)
	if err != nil {
		s.discard()
		return nil, nil, err
	}
	return in, func() { _ = in.Close() }, nil
}

func (s *sandbox) start() error {
	if s.cache == nil {
		s.cache = wazero.NewCompilationCache()
	}
	ctx, cancel := context.WithCancel(context.Background())
	config := wazero.NewRuntimeConfig().
		WithCoreFeatures(api.CoreFeaturesV2 | experimental.CoreFeaturesExceptionHandling). // PDFium is compiled with both
		WithMemoryLimitPages(uint32(min(s.memory, 4<<30) / pageBytes)).
		WithCloseOnContextDone(true).
		WithCompilationCache(s.cache)
	pool, err := webassembly.Init(webassembly.Config{
		Context:       experimental.WithCompilationWorkers(ctx, runtime.GOMAXPROCS(0)),
		MaxTotal:      1,
		FSConfig:      wazero.NewFSConfig(), // no file of this machine; the default would be all
		Stdout:        io.Discard,
		Stderr:        io.Discard,
		RuntimeConfig: config,
	})
	if err != nil {
		cancel()
		return err
	}
	s.pool, s.cancel = pool, cancel
	return nil
}

// stop ends what runs in the sandbox. It may be called by any goroutine while an instance is open; discard must follow.
func (s *sandbox) stop() { s.cancel() }

// discard drops what was stopped. What was compiled is kept for the next instance.
func (s *sandbox) discard() {
	if s.pool == nil {
		return
	}
	s.cancel()
	_ = s.pool.Close()
	s.pool, s.cancel = nil, nil
}
