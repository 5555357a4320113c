package server

import (
	"errors"
	"fmt"
	"runtime"

	"golang.org/x/sys/unix"
)

// On runs do with the calling thread bound to processors, which processes that do starts inherit, and unbinds it afterwards.
// It runs do unbound where none are named.
func On(processors []int, do func() error) (err error) {
	if len(processors) == 0 {
		return do()
	}
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var before, set unix.CPUSet
	if err := unix.SchedGetaffinity(0, &before); err != nil {
		return fmt.Errorf("read the processors of a thread: %w", err)
	}
	for _, p := range processors {
		set.Set(p)
	}
	if err := unix.SchedSetaffinity(0, &set); err != nil {
		return fmt.Errorf("bind a thread to processors: %w", err)
	}
	defer func() { err = errors.Join(err, unix.SchedSetaffinity(0, &before)) }()
	return do()
}
