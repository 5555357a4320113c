package server

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strconv"

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

// Bind binds this process to processors, its threads and those to come; not at all where none are named.
func Bind(processors []int) error {
	if len(processors) == 0 {
		return nil
	}
	var set unix.CPUSet
	for _, p := range processors {
		set.Set(p)
	}
	threads, err := os.ReadDir("/proc/self/task")
	if err != nil {
		return fmt.Errorf("list the threads of this process: %w", err)
	}
	for _, t := range threads {
		id, err := strconv.Atoi(t.Name())
		if err != nil {
			continue
		}
		if err := unix.SchedSetaffinity(id, &set); err != nil && !errors.Is(err, unix.ESRCH) {
			return fmt.Errorf("bind a thread to processors: %w", err)
		}
	}
	return nil
}
