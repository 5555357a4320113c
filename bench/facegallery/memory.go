package facegallery

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// settle collects garbage, gives memory back, and returns what is resident, pages of files left out.
func settle() int64 {
	runtime.GC()
	debug.FreeOSMemory()
	return resident()
}

// resident is what of this process is resident and its own, in bytes; 0 where the system does not tell.
func resident() int64 {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0
	}
	for line := range strings.Lines(string(raw)) {
		if f := strings.Fields(line); len(f) > 1 && f[0] == "RssAnon:" {
			kb, _ := strconv.ParseInt(f[1], 10, 64)
			return kb << 10
		}
	}
	return 0
}

// watchMemory looks at the resident memory every few milliseconds, until the returned function is called, which tells the most.
func watchMemory() func() int64 {
	stop, done := make(chan struct{}), make(chan int64)
	go func() {
		most := int64(0)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			most = max(most, resident())
			select {
			case <-tick.C:
			case <-stop:
				done <- most
				return
			}
		}
	}()
	return func() int64 {
		close(stop)
		return <-done
	}
}
