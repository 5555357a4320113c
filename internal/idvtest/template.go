package idvtest

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"
)

// Template is a database that is filled once a process. Each test gets a copy, which is cheaper than to migrate anew.
type Template struct {
	file     func() ([]byte, error) // the database file of SQLite
	postgres func() (string, error) // the URL on the cluster of this process
}

// NewTemplate answers a template that fill makes: it gets the URL of an empty database and the place of the master key,
// migrates the database, and closes it. It is called once for each engine, when the first copy is asked for.
func NewTemplate(fill func(url, master string) error) *Template {
	return &Template{
		file:     sync.OnceValues(func() ([]byte, error) { return fillFile(fill) }),
		postgres: sync.OnceValues(func() (string, error) { return fillPostgres(fill) }),
	}
}

func fillFile(fill func(url, master string) error) ([]byte, error) {
	var raw []byte
	err := withMaster(func(dir, master string) error {
		path := filepath.Join(dir, "template.db")
		if err := fill("sqlite:"+path, master); err != nil {
			return err
		}
		left, err := filepath.Glob(path + "-*")
		if err != nil || len(left) > 0 {
			return fmt.Errorf("the template was not closed: %v, %w", left, err)
		}
		raw, err = os.ReadFile(path)
		return err
	})
	return raw, err
}

func fillPostgres(fill func(url, master string) error) (string, error) {
	c, err := cluster()
	if err != nil {
		return "", err
	}
	where, err := c.create("")
	if err != nil {
		return "", err
	}
	return where, withMaster(func(_, master string) error { return fill(where, master) })
}

// withMaster calls f with a folder that is there meanwhile, and with the place of the master key in it.
func withMaster(f func(dir, master string) error) error {
	dir, err := os.MkdirTemp("", "bonafide-template-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	master, err := writeMaster(dir)
	if err != nil {
		return err
	}
	return f(dir, master)
}

// SQLite answers the URL of a copy of the template, in a folder of the test.
func (m *Template) SQLite(t testing.TB) string {
	t.Helper()
	raw, err := m.file()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "data", "bonafide.db")
	if err := os.Mkdir(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return "sqlite:" + path
}

// Postgres answers the URL of a copy of the template, which is dropped with the test. The test is skipped where
// PostgreSQL is not installed.
func (m *Template) Postgres(t testing.TB) string {
	t.Helper()
	c := Postgres(t)
	from, err := m.postgres()
	if err != nil {
		t.Fatal(err)
	}
	where, err := c.create(from)
	if err != nil {
		t.Fatal(err)
	}
	c.dropWith(t, where)
	return where
}

// Master writes the master key of templates into a file of the test, and answers its place as vault.OpenMaster takes it.
func Master(t testing.TB) string {
	t.Helper()
	where, err := writeMaster(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return where
}

// masterKey is the key of templates, which protects nothing.
var masterKey = "bonafide-master-1:" + base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("test"), 8)) + "\n"

func writeMaster(dir string) (string, error) {
	path := filepath.Join(dir, "master.key")
	return "file:" + path, os.WriteFile(path, []byte(masterKey), 0o600)
}
