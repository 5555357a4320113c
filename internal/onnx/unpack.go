package onnx

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"syscall"
)

// Unpack makes sure that the library with the given SHA-256 lies in dir, and returns its path for OpenRuntime. The
// directory is made with mode 0700 if it is missing; one that belongs to somebody else or that others may enter is
// refused. A file that is there is checked by digest; a missing or different one is written anew to a temporary file,
// synced and renamed. open is called only then. Errors: ErrUnsafe, ErrReadOnly, ErrNoExec, ErrNoSpace, ErrDigest (wrapped).
func Unpack(dir, digest string, open func() (io.ReadCloser, error)) (string, error) {
	if len(digest) != 2*sha256.Size {
		return "", fmt.Errorf("%w: no digest given", ErrDigest)
	}
	if err := privateDir(dir); err != nil {
		return "", err
	}
	if noExec(dir) {
		return "", fmt.Errorf("%w: %s", ErrNoExec, dir)
	}
	path := filepath.Join(dir, "libonnxruntime-"+digest[:16]+".so")
	if checkFile(path, digest) == nil {
		return path, nil
	}
	if err := write(dir, path, digest, open); err != nil {
		return "", err
	}
	return path, nil
}

// privateDir makes dir, or refuses it if anybody else could put a file there.
func privateDir(dir string) error {
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("%s: %w", dir, writeError(err))
	}
	st, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("runtime directory: %w", err)
	}
	sys, ok := st.Sys().(*syscall.Stat_t)
	switch {
	case !st.IsDir():
		return fmt.Errorf("%w: %s is not a directory", ErrUnsafe, dir)
	case ok && int(sys.Uid) != os.Geteuid():
		return fmt.Errorf("%w: %s belongs to user %d", ErrUnsafe, dir, sys.Uid)
	case st.Mode().Perm()&0o077 != 0:
		return fmt.Errorf("%w: %s has mode %04o, not 0700", ErrUnsafe, dir, st.Mode().Perm())
	}
	return nil
}

func write(dir, path, digest string, open func() (io.ReadCloser, error)) (err error) {
	src, err := open()
	if err != nil {
		return fmt.Errorf("open the packed runtime library: %w", err)
	}
	defer func() { err = errors.Join(err, src.Close()) }()
	tmp, err := os.CreateTemp(dir, ".unpack-*")
	if err != nil {
		return fmt.Errorf("%s: %w", dir, writeError(err))
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, tmp.Close(), os.Remove(tmp.Name()))
		}
	}()
	hash := sha256.New()
	if _, err := io.Copy(io.MultiWriter(tmp, hash), src); err != nil {
		return fmt.Errorf("%s: %w", dir, writeError(err))
	}
	if hex.EncodeToString(hash.Sum(nil)) != digest {
		return fmt.Errorf("%w: as packed", ErrDigest)
	}
	if err := errors.Join(tmp.Chmod(0o500), tmp.Sync()); err != nil {
		return fmt.Errorf("%s: %w", dir, writeError(err))
	}
	if err := os.Rename(tmp.Name(), path); err != nil {
		return fmt.Errorf("%s: %w", dir, writeError(err))
	}
	// The library is in place whatever closing says; loading checks it again.
	return tmp.Close()
}

// writeError gives the two failures that an operator can mend their names.
func writeError(err error) error {
	switch {
	case errors.Is(err, syscall.ENOSPC), errors.Is(err, syscall.EDQUOT):
		return fmt.Errorf("%w: %w", ErrNoSpace, err)
	case errors.Is(err, syscall.EROFS), errors.Is(err, os.ErrPermission):
		return fmt.Errorf("%w: %w", ErrReadOnly, err)
	}
	return err
}

// checkFile answers nil if path is a plain file with that digest.
func checkFile(path, digest string) (err error) {
	st, err := os.Lstat(path)
	if err != nil {
		return fmt.Errorf("runtime library: %w", err)
	}
	if !st.Mode().IsRegular() {
		return fmt.Errorf("%w: %s is not a plain file", ErrUnsafe, path)
	}
	f, err := os.Open(path)
	if err != nil {
		return fmt.Errorf("runtime library: %w", err)
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	hash := sha256.New()
	if _, err := io.Copy(hash, f); err != nil {
		return fmt.Errorf("runtime library: %w", err)
	}
	if hex.EncodeToString(hash.Sum(nil)) != digest {
		return fmt.Errorf("%w: %s", ErrDigest, path)
	}
	return nil
}

// noExec reports whether the file system under path is mounted noexec (statfs flag ST_NOEXEC).
func noExec(path string) bool {
	const stNoExec = 8
	var st syscall.Statfs_t
	return syscall.Statfs(path, &st) == nil && st.Flags&stNoExec != 0
}
