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
	"time"

	"github.com/bonafide-id/bonafide/cmd/bonafide/masterkey"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/store/database"
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
	master, keySymptoms := c.examineMaster(ctx)
	out := keySymptoms
	blobs, bucket := c.examineBlobs(ctx, master)
	out = append(out, bucket)
	if blobs != nil {
		defer func() { _ = blobs.Close() }()
	}
	out = append(out, c.examineDatabase(ctx, master, blobs)...)
	for _, p := range places(c.Storage) {
		out = append(out, examineSpace(p.what+" ("+p.dir+")", p.dir))
	}
	return out
}

// keyFile is the file that the master key is in; false where it is elsewhere.
func keyFile(c config.Storage) (string, bool) { return strings.CutPrefix(c.MasterKey, "file:") }

func (c *doctorCommand) examineMaster(ctx context.Context) (*vault.Master, []symptom) {
	path, isFile := keyFile(c.Storage)
	if _, err := os.Stat(path); isFile && c.Dev && errors.Is(err, os.ErrNotExist) && !c.holdsData(ctx) {
		return nil, []symptom{{What: "master key", Health: warning, Found: "not there yet", Remedy: "bonafide serve --dev makes it."}}
	}
	m, err := vault.OpenMaster(c.MasterKey, c.OtherMasterKey...)
	remedy := "Without this key nothing can be read. Restore it from where you keep it; for new data, bonafide master-key FILE makes one."
	out := []symptom{judge("master key", err, "readable", remedy)}
	if err == nil {
		out[0].Found = "readable, fingerprint " + m.Fingerprint()
	}
	if !isFile || err != nil {
		return m, out
	}
	if info, err := os.Stat(path); err == nil && info.Mode().Perm()&0o077 != 0 {
		out = append(out, symptom{
			What: "master key", Health: warning, Found: fmt.Sprintf("others on this machine may read it (mode %o)", info.Mode().Perm()),
			Remedy: "chmod 600 " + path,
		})
	}
	if !c.Dev && beside(path, places(c.Storage)) {
		out = append(out, symptom{
			What: "master key", Health: warning, Found: "it is stored beside the data",
			Remedy: "Anyone who copies the data also copies the key. Keep it elsewhere.",
		})
	}
	return m, out
}

// holdsData reports whether something is kept in the database. It makes none.
func (c *doctorCommand) holdsData(ctx context.Context) bool {
	if path, ok := strings.CutPrefix(c.Database, "sqlite:"); ok {
		if _, err := os.Stat(path); err != nil {
			return false
		}
	}
	unused, err := isUnused(ctx, c.Database)
	return err == nil && !unused
}

// beside reports whether a file lies in one of the places.
func beside(path string, dirs []place) bool {
	abs, err := filepath.Abs(path)
	if err != nil {
		return false
	}
	for _, d := range dirs {
		if rel, err := filepath.Rel(d.dir, abs); err == nil && !strings.HasPrefix(rel, "..") {
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

func (c *doctorCommand) examineDatabase(ctx context.Context, m *vault.Master, b *vault.Blobs) []symptom {
	if path, ok := strings.CutPrefix(c.Database, "sqlite:"); ok {
		if _, err := os.Stat(path); errors.Is(err, os.ErrNotExist) {
			remedy := "bonafide migrate makes it."
			if c.Dev {
				remedy = "bonafide serve --dev makes it."
			}
			return []symptom{{What: "database", Health: warning, Found: "not there yet", Remedy: remedy}}
		}
	}
	st, err := store.Open(ctx, c.Database, store.Options{Master: m, Blobs: b, Log: quiet()})
	if err != nil {
		remedy := "Check the address, and that the server runs and lets this user in."
		switch {
		case database.IsDamaged(err):
			remedy = damageRemedy
		case errors.Is(err, vault.ErrWrongMaster):
			remedy = "This data was encrypted with another master key. Restore that key; no other opens it. The page on keys has a drill."
		}
		if errors.Is(err, database.ErrMixedMaster) {
			remedy = "Give both keys until bonafide rotate-master-key says that the change is done."
		}
		return []symptom{judge("database", err, "", remedy)}
	}
	defer func() { _ = st.Close() }()
	_, err = st.CheckPages(ctx)
	found := st.Pages()
	if found.At.IsZero() && err != nil {
		found.Found = firstLine(err.Error())
	}
	return append(examineStore(ctx, st), examinePages(st.Engine(), found)...)
}

const damageRemedy = "Stop the server and restore the newest backup with bonafide restore. Check the disk: anything written to damaged pages is lost."

// examinePages tells what a check of all pages found. PostgreSQL checks its own.
func examinePages(engine string, found database.Pages) []symptom {
	switch {
	case engine != "sqlite":
		return nil
	case found.Found != "":
		return []symptom{{What: "pages of the database", Health: wrong, Found: "damaged: " + found.Found, Remedy: damageRemedy}}
	case found.At.IsZero():
		return []symptom{{
			What: "pages of the database", Health: warning, Found: "not checked yet",
			Remedy: "bonafide doctor checks them; --check-database says how often a server does.",
		}}
	}
	return []symptom{judge("pages of the database", nil, fmt.Sprintf(
		"whole: checked at %s, in %d ms", found.At.Format(time.RFC3339), found.Took.Milliseconds(),
	), "")}
}

// Clocks that differ by more make sessions run out early and jobs come late.
const skewMost = 2 * time.Second

// examineStore checks the schema, the clock and the job queue of an open database.
func examineStore(ctx context.Context, st *store.Store) []symptom {
	if err := st.Finished(ctx); err != nil {
		return []symptom{judge("database", err, "", "bonafide restore, into an empty database and an empty place for blobs.")}
	}
	current, err := st.Current(ctx)
	if err != nil || !current {
		if err == nil {
			err = errors.New("its schema is older than this binary")
		}
		return []symptom{judge("database", err, "", "Run bonafide migrate.")}
	}
	out := []symptom{judge("database", nil, st.Engine()+", reachable and up to date", "")}
	db, err := st.Database(ctx)
	if err == nil && db.Skew.Abs() > skewMost {
		out = append(out, symptom{What: "clock", Health: warning, Found: fmt.Sprintf(
			"the database's clock is %s off this machine's", db.Skew.Abs().Round(time.Second),
		),
			Remedy: "Synchronise all clocks with NTP: links, claims and jobs depend on them."})
	}
	return append(out, examineKeysets(ctx, st), examineBackup(ctx, st), examineQueue(ctx, st), examineMails(ctx, st))
}

// examineKeysets says how far a change of the master key has come.
func examineKeysets(ctx context.Context, st *store.Store) symptom {
	if st.Master == nil {
		return symptom{What: "keysets", Health: warning, Found: "not checked: needs the master key"}
	}
	p, err := masterkey.Read(ctx, st)
	s := judge("keysets", err, p.String(), "")
	if err == nil && p.Changing() {
		s.Health = warning
		s.Remedy = "The master key change is unfinished. Run bonafide rotate-master-key --check for the next step."
	}
	return s
}

// backupStale is the age from which the doctor asks for another backup.
const backupStale = 7 * 24 * time.Hour

func examineBackup(ctx context.Context, st *store.Store) symptom {
	s := symptom{What: "backup", Health: healthy}
	last, err := st.LastBackup(ctx)
	switch {
	case err != nil:
		return judge("backup", err, "", "")
	case last.MadeAt.IsZero():
		s.Health, s.Found = warning, "none has been made yet"
		s.Remedy = "Create a key with bonafide backup-key, then a backup with bonafide backup --recipient. Backups made with other tools are not detected."
	default:
		s.Found = "the newest was made at " + last.MadeAt.Format(time.RFC3339)
		if time.Since(last.MadeAt) > backupStale {
			s.Health, s.Remedy = warning, "Make one every day: bonafide backup."
		}
	}
	return s
}

// jobsLate is how long a job that is due may wait before nobody seems to work.
const jobsLate = 5 * time.Minute

func examineQueue(ctx context.Context, st *store.Store) symptom {
	s := symptom{What: "jobs", Health: healthy, Found: "no job has waited long"}
	jobs, err := st.Jobs(ctx)
	if err != nil {
		return judge("jobs", err, "", "")
	}
	failed := 0
	for _, j := range jobs {
		failed += j.Failed
		if !j.Oldest.IsZero() && time.Since(j.Oldest) > jobsLate {
			s.Health, s.Found = warning, fmt.Sprintf("%d of kind %s are due, the first since %s", j.Waiting, j.Kind, j.Oldest.Format(time.RFC3339))
			s.Remedy = "Check that a server or worker is running, with enough --workers."
		}
	}
	if s.Health == healthy && failed > 0 {
		s.Found = fmt.Sprintf("no job has waited long; %d were abandoned recently", failed)
	}
	return s
}

// place is a directory on this machine that fills up.
type place struct{ what, dir string }

// places are where this machine keeps data.
func places(c config.Storage) []place {
	var out []place
	add := func(what, dir string) {
		if abs, err := filepath.Abs(dir); err == nil {
			out = append(out, place{what, abs})
		}
	}
	if path, ok := strings.CutPrefix(c.Database, "sqlite:"); ok {
		add("disk of the database", filepath.Dir(path))
	}
	if u, err := url.Parse(c.Blobs); err == nil && u.Scheme == "file" {
		add("disk of the pictures", u.Path)
	}
	return out
}

// examineSpace looks at the disk that a directory is on, or will be on once it is made.
func examineSpace(what, dir string) symptom {
	free, err := freeIn(dir)
	if err != nil {
		return symptom{What: what, Health: warning, Found: "free space unknown"}
	}
	s := symptom{What: what, Health: healthy, Found: fmt.Sprintf("%.1f GiB free", float64(free)/(1<<30))}
	switch {
	case free < spaceNone:
		s.Health, s.Remedy = wrong, "Make room: uploads fail when the disk is full."
	case free < spaceLow:
		s.Health, s.Remedy = warning, "Make room before it runs out."
	}
	return s
}

// freeIn is how many bytes a file in a directory, which need not be there yet, may take.
func freeIn(dir string) (uint64, error) {
	for _, err := os.Stat(dir); errors.Is(err, os.ErrNotExist) && dir != "/"; _, err = os.Stat(dir) {
		dir = filepath.Dir(dir)
	}
	var fs syscall.Statfs_t
	if err := syscall.Statfs(dir, &fs); err != nil {
		return 0, fmt.Errorf("look for free space: %w", err)
	}
	return fs.Bavail * uint64(fs.Bsize), nil //nolint:gosec // a block size is positive
}

// freeSpace is how many bytes are free where this machine keeps data, by what is kept there.
func freeSpace(c config.Storage) map[string]uint64 {
	out := map[string]uint64{}
	for _, p := range places(c) {
		if free, err := freeIn(p.dir); err == nil {
			out[p.what] = free
		}
	}
	return out
}
