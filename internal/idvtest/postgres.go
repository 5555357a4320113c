package idvtest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// Cluster is a PostgreSQL of its own, in a directory of its own, reachable by a Unix socket only.
type Cluster struct {
	dir  string
	bin  string
	cred *syscall.Credential // of user postgres when we are root, which PostgreSQL refuses

	mu      sync.Mutex     // guards what follows
	admin   *pgconn.PgConn // makes and drops databases
	made    int
	cleaner io.Closer // while it is open the cluster runs
}

// errNoPostgres says why there is no cluster on this machine.
var errNoPostgres = errors.New("no PostgreSQL to test with")

// cluster is the one of this process.
var cluster = sync.OnceValues(boot)

// Postgres answers the cluster of this process, which the first call boots. It stops and is removed when the process
// ends, also when that is killed. The test is skipped where PostgreSQL is not installed.
func Postgres(t testing.TB) *Cluster {
	t.Helper()
	c, err := cluster()
	if errors.Is(err, errNoPostgres) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// PostgresToStop boots a cluster that is the test's alone, so that it may stop it. It is removed with the test.
func PostgresToStop(t testing.TB) *Cluster {
	t.Helper()
	c, err := boot()
	if errors.Is(err, errNoPostgres) {
		t.Skip(err)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.cleaner.Close() })
	return c
}

// Empty makes an empty database, which is removed with the cluster, and answers its URL.
func (c *Cluster) Empty(t testing.TB) string {
	t.Helper()
	where, err := c.create("")
	if err != nil {
		t.Fatal(err)
	}
	return where
}

// Stop ends every connection and stops the server. What was committed stays: the cluster does not wait for its disk, so that a crash
// would lose some of it.
func (c *Cluster) Stop(t testing.TB) {
	t.Helper()
	if err := c.run("pg_ctl", "-D", c.Dir(), "-w", "-m", "fast", "stop"); err != nil {
		t.Fatal(err)
	}
}

// Start starts the server again after Stop.
func (c *Cluster) Start(t testing.TB) {
	t.Helper()
	if err := c.launch(); err != nil {
		t.Fatal(err)
	}
}

func boot() (*Cluster, error) {
	bins, err := filepath.Glob("/usr/lib/postgresql/*/bin")
	if err != nil || len(bins) == 0 {
		return nil, fmt.Errorf("%w: install the Debian package postgresql", errNoPostgres)
	}
	c := &Cluster{bin: bins[len(bins)-1]}
	if c.dir, err = os.MkdirTemp("", "bonafide-pg-"); err != nil {
		return nil, fmt.Errorf("boot PostgreSQL: %w", err)
	}
	if err := c.start(); err != nil {
		if c.cleaner != nil {
			_ = c.cleaner.Close()
		}
		return nil, fmt.Errorf("boot PostgreSQL: %w", err)
	}
	return c, nil
}

func (c *Cluster) start() error {
	if err := c.startCleaner(); err != nil {
		return err
	}
	if os.Geteuid() == 0 {
		if err := c.becomePostgres(); err != nil {
			return fmt.Errorf("%w: it refuses root, and there is no other user for it: %w", errNoPostgres, err)
		}
	}
	if err := c.run("initdb", "-D", c.Dir(), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"); err != nil {
		return err
	}
	return c.launch()
}

// launch starts the server over the files that initdb made.
func (c *Cluster) launch() error {
	opts := "-c listen_addresses='' -c unix_socket_directories='" + c.dir + "' -c fsync=off -c synchronous_commit=off " +
		"-c full_page_writes=off -c wal_level=minimal -c max_wal_senders=0 -c max_wal_size=64MB -c shared_buffers=32MB -c max_connections=300"
	if err := c.run("pg_ctl", "-D", c.Dir(), "-w", "-t", "60", "-l", filepath.Join(c.dir, "log"), "-o", opts, "start"); err != nil {
		return err
	}
	var err error
	c.admin, err = pgconn.Connect(context.Background(), c.url("postgres"))
	return err
}

// keeping waits until this process has ended, however it ended, then stops the server and removes its directory.
const cleaner = `cat >/dev/null
if read -r pid <"$0/data/postmaster.pid"; then
	kill -QUIT "$pid" && while kill -0 "$pid"; do sleep 0.05; done
fi
rm -rf "$0"`

func (c *Cluster) startCleaner() error {
	cmd := exec.CommandContext(context.Background(), "sh", "-c", cleaner, c.dir)
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // an interrupt of the terminal is not for it
	in, err := cmd.StdinPipe()
	if err != nil {
		return err
	}
	c.cleaner = in
	return cmd.Start()
}

// Database makes an empty database, which is dropped with the test, and answers its URL.
func (c *Cluster) Database(t testing.TB) string {
	t.Helper()
	where, err := c.create("")
	if err != nil {
		t.Fatal(err)
	}
	c.dropWith(t, where)
	return where
}

// create makes a database, empty or like a template, and answers its URL.
func (c *Cluster) create(template string) (string, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.made++
	name := "bonafide_" + strconv.Itoa(c.made)
	like := ""
	if template != "" {
		like = " TEMPLATE " + nameOf(template) + c.strategy()
	}
	return c.url(name), c.exec("CREATE DATABASE " + name + like)
}

// strategy asks to copy files, which is cheaper than to log every page where nothing waits for the disk.
func (c *Cluster) strategy() string {
	major, _, _ := strings.Cut(c.admin.ParameterStatus("server_version"), ".")
	if n, err := strconv.Atoi(major); err != nil || n < 15 {
		return "" // knows no other
	}
	return " STRATEGY file_copy"
}

func (c *Cluster) dropWith(t testing.TB, where string) {
	t.Cleanup(func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		if err := c.exec("DROP DATABASE IF EXISTS " + nameOf(where) + " WITH (FORCE)"); err != nil {
			t.Error(err)
		}
	})
}

func (c *Cluster) exec(statement string) error {
	if _, err := c.admin.Exec(context.Background(), statement).ReadAll(); err != nil {
		return fmt.Errorf("%s: %w", statement, err)
	}
	return nil
}

func (c *Cluster) url(name string) string {
	q := url.Values{"host": {c.dir}, "user": {"postgres"}, "sslmode": {"disable"}}
	return "postgres:///" + name + "?" + q.Encode()
}

func nameOf(where string) string {
	name, _, _ := strings.Cut(strings.TrimPrefix(where, "postgres:///"), "?")
	return name
}

// Dir is where the cluster keeps its files.
func (c *Cluster) Dir() string { return filepath.Join(c.dir, "data") }

// Checkpoint writes everything that is in memory to the files.
func (c *Cluster) Checkpoint(t testing.TB) {
	t.Helper()
	c.mu.Lock()
	defer c.mu.Unlock()
	if err := c.exec("CHECKPOINT"); err != nil {
		t.Fatal(err)
	}
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

func (c *Cluster) run(name string, args ...string) error {
	cmd := exec.CommandContext(context.Background(), filepath.Join(c.bin, name), args...)
	cmd.Dir = c.dir
	if c.cred != nil {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: c.cred}
	}
	// pg_ctl leaves the server running with our pipes: a file does not keep us waiting for it.
	out, err := os.CreateTemp("", "bonafide-pg-out-")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(out.Name()) }()
	cmd.Stdout, cmd.Stderr = out, out
	if err := errors.Join(cmd.Run(), out.Close()); err != nil {
		said, _ := os.ReadFile(out.Name())
		return fmt.Errorf("%s: %w\n%s", name, err, said)
	}
	return nil
}
