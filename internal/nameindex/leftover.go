package nameindex

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
)

// unfinished is how files are called that an index is being written to.
const unfinished = "index-*.new"

// newFile makes a file that is locked until it is closed, or its process ends.
func newFile(dir string) (*os.File, error) {
	for {
		file, err := os.CreateTemp(dir, unfinished)
		if err != nil {
			return nil, err
		}
		if err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX); err != nil {
			return nil, errors.Join(err, file.Close(), os.Remove(file.Name()))
		}
		if _, err := os.Stat(file.Name()); err == nil {
			return file, nil
		}
		_ = file.Close() // somebody took it for a leftover before it was locked
	}
}

// Sweep removes what processes that ended in the middle of an index left in a folder. Files that somebody still writes stay.
func Sweep(dir string) error {
	left, err := filepath.Glob(filepath.Join(dir, unfinished))
	if err != nil {
		return fmt.Errorf("look for unfinished indexes: %w", err)
	}
	var errs error
	for _, path := range left {
		file, err := os.Open(path)
		if err != nil {
			continue // finished or removed a moment ago
		}
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			if err := os.Remove(path); err != nil && !errors.Is(err, os.ErrNotExist) {
				errs = errors.Join(errs, fmt.Errorf("remove an unfinished index: %w", err))
			}
		}
		_ = file.Close()
	}
	return errs
}
