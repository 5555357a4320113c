package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"syscall"

	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Free space below which the doctor warns, and below which it calls it wrong, in bytes.
const (
	spaceLow  = 2 << 30
	spaceNone = 200 << 20
)

// examineData checks settings, master key, database, blobs and the disks that they are on.
func (c *doctorCommand) examineData(ctx context.Context) []symptom {
	if err := c.Storage.Complete(); err != nil {
		return []symptom{judge("settings", err, "", "Give the flags or BONAFIDE_ variables that the server gets.")}
	}
	master, keySymptoms := c.examineMaster()
	out := keySymptoms
	blobs, bucket := c.examineBlobs(ctx, master)
	out = append(out, bucket)
	if blobs != nil {
		defer func() { _ = blobs.Close() }()
	}
	out = append(out, c.examineDatabase(ctx, master, blobs))
	for _, dir := range c.directories() {
		out = append(out, examineSpace(dir))
	}
	return out
}

func (c *doctorCommand) examineMaster() (*vault.Master, []symptom) {
	path, isFile := strings.CutPrefix(c.MasterKey, "file:")
	if _, err := os.Stat(path); isFile && c.Dev && errors.Is(err, os.ErrNotExist) {
		return nil, []symptom{{What: "master key", Health: warning, Found: "not there yet", Remedy: "bonafide serve --dev makes it."}}
	}
	m, err := vault.OpenMaster(c.MasterKey)
	out := []symptom{judge("master key", err, "readable", "Without this key nothing can be read. Restore it from where you keep it.")}
	if !isFile || err != nil {
		return m, out
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		out = append(out, symptom{What: "master key", Health: warning, Found: fmt.Sprintf("others on this machine may read it (mode %o)", info.Mode().Perm()), Remedy: "chmod 600 " + path})
	}
	if !c.Dev && beside(path, c.directories()) {
		out = append(out, symptom{What: "master key", Health: warning, Found: "it lies beside the data", Remedy: "Whoever copies the data copies the key. Keep it elsewhere."})
	}
	return m, out
}

// beside reports whether a file lies in one of the directories.
func beside(path string, dirs []string) bool {
	abs, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for _, d := range dirs {
		if rel, err := filepath.Rel(d, abs); err == nil && !strings.HasPrefix(rel, "..") {
			return true
		}
	}
	return false
}

func (c *doctorCommand) examineBlobs(ctx context.Context, m *vault.Master) (*vault.Blobs, symptom) {
	remedy := "The server must be able to write, read and delete there: check the address, the owner of the directory, or the bucket's credentials."
	b, err := vault.OpenBlobs(ctx, c.Blobs)
	if err != nil {
		return nil, judge("blobs", err, "", remedy)
	}
	if m == nil {
		return b, judge("blobs", b.Check(ctx), "reachable", remedy)
	}
	return b, judge("blobs", tryBlob(ctx, b, m), "a blob can be written, read and deleted", remedy)
}

func tryBlob(ctx context.Context, b *vault.Blobs, m *vault.Master) error {
	const name = "doctor/probe"
	k, _, err := m.NewKeyset("doctor", vault.Pictures)
	if err != nil {
		return err
	}
	probe := []byte("a blob that the doctor writes and removes")
	if err := b.Put(ctx, k, name, probe); err != nil {
		return err
	}
	got, err := b.Get(ctx, k, name)
	if err == nil && !bytes.Equal(got, probe) {
		err = errors.New("what was read is not what was written")
	}
	return errors.Join(err, b.Delete(ctx, name))
}

func (c *doctorCommand) examineDatabase(ctx context.Context, m *vault.Master, b *vault.Blobs) symptom {
	if path, ok := strings.CutPrefix(c.Database, "sqlite:"); ok {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			remedy := "bonafide migrate makes it."
			if c.Dev {
				remedy = "bonafide serve --dev makes it."
			}
			return symptom{What: "database", Health: warning, Found: "not there yet", Remedy: remedy}
		}
	}
	st, err := store.Open(ctx, c.Database, store.Options{Master: m, Blobs: b, Log: quiet()})
	if err != nil {
		remedy := "Check the address, and that the server runs and lets this user in."
		if errors.Is(err, vault.ErrWrongMaster) {
			remedy = "This data was encrypted with another master key. Restore that key; no other opens it."
		}
		return judge("database", err, "", remedy)
	}
	defer func() { _ = st.Close() }()
	current, err := st.Current(ctx)
	if err == nil && !current {
		err = errors.New("its schema is older than this binary")
	}
	return judge("database", err, st.Engine()+", reachable and up to date", "Run bonafide migrate.")
}

// directories are those on this machine that fill up.
func (c *doctorCommand) directories() []string {
	var out []string
	add := func(dir string) {
		if abs, err := filepath.Abs(dir); err == nil {
			out = append(out, abs)
		}
	}
	if path, ok := strings.CutPrefix(c.Database, "sqlite:"); ok {
		add(filepath.Dir(path))
	}
	if u, err := url.Parse(c.Blobs); err == nil && u.Scheme == "file" {
		add(u.Path)
	}
	return out
}

func examineSpace(dir string) symptom {
	what := "disk space in " + dir
	for _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) && dir != "/"; _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return symptom{What: what, Health: warning, Found: err.Error()}
	}
	free := fs.Bavail * uint64(fs.Bsize) //nolint:gosec // a block size is positive
	s := symptom{What: what, Health: healthy, Found: fmt.Sprintf("%.1f GiB free", float64(free)/(1<<30))}
	switch {
	case free < spaceNone:
		s.Health, s.Remedy = wrong, "Make room: uploads fail when the disk is full."
	case free < spaceLow:
		s.Health, s.Remedy = warning, "Make room before it runs out."
	}
	return s
}
