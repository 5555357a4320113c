package idvtest

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"sync/atomic"
	"syscall"
	"testing"
)

// Cluster is a PostgreSQL of its own, in a directory of its own, reachable by a Unix socket only.
type Cluster struct {
	dir  string
	bin  string
	cred *syscall.Credential // of user postgres when we are root, which PostgreSQL refuses
	next atomic.Int64
}

// Postgres boots a cluster that is stopped and removed with the test. The test is skipped where PostgreSQL is
// not installed.
func Postgres(t testing.TB) *Cluster {
	t.Helper()
	bins, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(bins) == 0 {
		t.Skip("PostgreSQL is not installed (Debian package postgresql)")
	}
	c := &Cluster{bin: bins[len(bins)-1]}
	if c.dir, err = os.MkdirTemp("", "bonafide-pg-"); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(c.dir) })
	if os.Geteuid() == 0 {
		if err := c.becomePostgres(); err != nil {
			t.Skipf("PostgreSQL refuses root and there is no user for it: %v", err)
		}
	}
	data := filepath.Join(c.dir, "data")
	c.must(t, "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync")
	opts := "-c listen_addresses='' -c unix_socket_directories='" + c.dir + "' -c fsync=off -c synchronous_commit=off " +
		"-c full_page_writes=off -c shared_buffers=32MB -c max_connections=300"
	c.must(t, "pg_ctl", "-D", data, "-w", "-t", "60", "-l", filepath.Join(c.dir, "log"), "-o", opts, "start")
	t.Cleanup(func() {
		if out, err := c.run("pg_ctl", "-D", data, "-w", "-m", "immediate", "stop"); err != nil {
			t.Errorf("stop PostgreSQL: %v\n%s", err, out)
		}
	})
	return c
}

// Database makes an empty database and answers its URL.
func (c *Cluster) Database(t testing.TB) string {
	t.Helper()
	name := "bonafide_" + strconv.FormatInt(c.next.Add(1), 10)
	c.must(t, "createdb", "-h", c.dir, "-U", "postgres", name)
	q := url.Values{"host": {c.dir}, "user": {"postgres"}, "sslmode": {"disable"}}
	return "postgres:///" + name + "?" + q.Encode()
}

// Dir is where the cluster keeps its files.
func (c *Cluster) Dir() string { return filepath.Join(c.dir, "data") }

// Checkpoint writes everything that is in memory to the files.
func (c *Cluster) Checkpoint(t testing.TB) {
	t.Helper()
	c.must(t, "psql", "-h", c.dir, "-U", "postgres", "-c", "CHECKPOINT")
}

func (c *Cluster) becomePostgres() error {
	u, err := user.Lookup("postgres")
	if err != nil {
		return err
	}
	uid, err := strconv.ParseUint(u.Uid, 10, 32)
	if err != nil {
		return err
	}
	gid, err := strconv.ParseUint(u.Gid, 10, 32)
	if err != nil {
		return err
	}
	c.cred = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
	return errors.Join(os.Chown(c.dir, int(uid), int(gid)), os.Chmod(c.dir, 0o700))
}

func (c *Cluster) run(name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(context.Background(), filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	if c.cred != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.cred}
	}
	// pg_ctl leaves the server running with our pipes: a file does not keep us waiting for it.
	out, err := os.CreateTemp("", "bonafide-pg-out-")
	if err != nil {
		return nil, err
	}
	defer func() { _ = os.Remove(out.Name()) }()
	cmd.Stdout, cmd.Stderr = out, out
	err = errors.Join(cmd.Run(), out.Close())
	said, readErr := os.ReadFile(out.Name())
	return said, errors.Join(err, readErr)
}

func (c *Cluster) must(t testing.TB, name string, args ...string) {
	t.Helper()
	if out, err := c.run(name, args...); err != nil {
		t.Fatal(fmt.Errorf("%s: %w\n%s", name, err, out))
	}
}
