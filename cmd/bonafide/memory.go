package main

import (
	"math"
	"os"
	"runtime/debug"
	"strconv"
	"strings"
)

// Bounds of the memory for pictures that are being sent, where nobody says how much.
const (
	leastPictureBytes = 128 << 20
	mostPictureBytes  = 1 << 30
)

// pictureBytes is the memory for pictures that are being sent: mb MiB, or by what the process may use.
func pictureBytes(mb int64) int64 {
	if mb > 0 {
		return mb << 20
	}
	return min(mostPictureBytes, max(leastPictureBytes, memory()/8))
}

// memory is what this process may use, in bytes: the least of GOMEMLIMIT, the control group's bound and what the machine
// has. Where none of them is known, 2 GiB.
func memory() int64 {
	least := min(debug.SetMemoryLimit(-1), fileOf("/sys/fs/cgroup/memory.max", groupBytes), fileOf("/proc/meminfo", machineBytes))
	if least == math.MaxInt64 {
		return 2 << 30
	}
	return least
}

func fileOf(path string, read func(string) int64) int64 {
	raw, err := os.ReadFile(path) //nolint:gosec // one of two fixed paths
	if err != nil {
		return math.MaxInt64
	}
	return read(string(raw))
}

// groupBytes reads a control group's bound; "max" is none.
func groupBytes(raw string) int64 {
	n, err := strconv.ParseInt(strings.TrimSpace(raw), 10, 64)
	if err != nil || n <= 0 {
		return math.MaxInt64
	}
	return n
}

// machineBytes reads MemTotal, which is in KiB.
func machineBytes(raw string) int64 {
	for line := range strings.Lines(raw) {
		rest, ok := strings.CutPrefix(line, "MemTotal:")
		if !ok {
			continue
		}
		n, err := strconv.ParseInt(strings.TrimSpace(strings.TrimSuffix(strings.TrimSpace(rest), "kB")), 10, 64)
		if err == nil && n > 0 && n < math.MaxInt64>>10 {
			return n << 10
		}
	}
	return math.MaxInt64
}
