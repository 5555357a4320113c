package bench

import (
	"os"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"
	"time"
)

// Memory is what of this process is resident: its own, and pages of files, in bytes; 0 where the system does not tell.
func Memory() (own, files int64) {
	raw, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return 0, 0
	}
	for line := range strings.Lines(string(raw)) {
		f := strings.Fields(line)
		if len(f) < 2 {
			continue
		}
		kb, _ := strconv.ParseInt(f[1], 10, 64)
		switch f[0] {
		case "RssAnon:":
			own = kb << 10
		case "RssFile:":
			files = kb << 10
		}
	}
	return own, files
}

// WatchMemory looks at the resident memory every few milliseconds, until the returned function is called, which returns the most.
func WatchMemory() func() int64 {
	stop, done := make(chan struct{}), make(chan int64)
	go func() {
		most := int64(0)
		tick := time.NewTicker(20 * time.Millisecond)
		defer tick.Stop()
		for {
			own, _ := Memory()
			most = max(most, own)
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

// SettledMemory collects garbage, gives memory back, and returns what is resident of the process itself, in bytes.
func SettledMemory() int64 {
	runtime.GC()
	debug.FreeOSMemory()
	own, _ := Memory()
	return own
}
