package bench

import (
	"math"
	"syscall"
	"time"
)

// Processor is the processor time that this process has used so far, user and system, all its threads together. Only a
// difference of two calls means something, and only while nothing else runs in the process; 0 where the system does not
// tell. Benchmarks state it rather than wall time, which a busy machine lengthens.
func Processor() time.Duration {
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		return 0
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// Milliseconds are those of d, to a hundredth, as records state them.
func Milliseconds(d time.Duration) float64 { return math.Round(float64(d.Microseconds())/10) / 100 }
