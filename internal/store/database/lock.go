package database

import (
	"errors"
	"fmt"
	"os"
	"syscall"
)

// Lock is a lock on a file beside the database. The kernel releases it when its process ends, however that ends.
type Lock struct{ file *os.File }

// TryLock takes the lock of a name beside the database of SQLite, exclusively or shared with others that share it. It returns nil
// without an error where another process is in the way.
func (d *DB) TryLock(name string, exclusive bool) (*Lock, error) {
	f, err := os.OpenFile(d.File+"."+name, os.O_CREATE|os.O_RDWR, 0o600)
	if err != nil {
		return nil, fmt.Errorf("take the lock %s: %w", name, err)
	}
	l := &Lock{file: f}
	taken, err := l.try(exclusive)
	if err != nil || !taken {
		return nil, errors.Join(err, f.Close())
	}
	return l, nil
}

// Share lets others share the lock.
func (l *Lock) Share() error {
	_, err := l.try(false)
	return err
}

func (l *Lock) try(exclusive bool) (taken bool, err error) {
	how := syscall.LOCK_SH
	if exclusive {
		how = syscall.LOCK_EX
	}
	err = syscall.Flock(int(l.file.Fd()), how|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("lock %s: %w", l.file.Name(), err)
	}
	return true, nil
}

// Release releases the lock.
func (l *Lock) Release() error {
	if err := l.file.Close(); err != nil {
		return fmt.Errorf("release a lock: %w", err)
	}
	return nil
}
