package main

import (
	"bytes"
	"database/sql"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/store/backup"
)

// runCommand runs a command and answers its exit code with everything that it says.
func runCommand(t *testing.T, args ...string) (exit, string) {
	t.Helper()
	out := &output{}
	code := run(t.Context(), args, streams{Out: out, Err: out})
	return code, out.String()
}

// mustTell runs a command that has to succeed.
func mustTell(t *testing.T, args ...string) string {
	t.Helper()
	code, out := runCommand(t, args...)
	if code != exitYes {
		t.Fatalf("bonafide %s ended with %d:\n%s", strings.Join(args, " "), code, out)
	}
	return out
}

func TestABackupIsMadeCheckedAndRestored(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	here := []string{"--dev", "--data-dir", at("data")}
	with := func(first []string, more ...string) []string { return append(append([]string{}, first...), more...) }
	mustTell(t, with([]string{"migrate"}, here...)...)
	if _, out := runCommand(t, with([]string{"doctor"}, here...)...); !strings.Contains(out, "none has been made yet") {
		t.Errorf("the doctor does not miss a backup:\n%s", out)
	}
	recipient := regexp.MustCompile(`age1[a-z0-9]+`).FindString(mustTell(t, "backup-key", at("identity")))
	file := at("one.backup")
	said := mustTell(t, with(with([]string{"backup", file, "--recipient", recipient}), here...)...)
	if !strings.Contains(said, "the master key, which is in neither") {
		t.Errorf("it does not say what else it takes:\n%s", said)
	}
	if _, out := runCommand(t, with([]string{"doctor"}, here...)...); !strings.Contains(out, "the newest was made at") {
		t.Errorf("the doctor does not see the backup:\n%s", out)
	}
	mustTell(t, with([]string{"backup", at("newer.keys"), "--keys-only", "--recipient", recipient}, here...)...)
	for _, name := range []string{"identity", "one.backup", "one.backup.keys", "newer.keys"} {
		if info, err := os.Stat(at(name)); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("%s: %v, %v; want a file that only its owner can read", name, info, err)
		}
	}
	if left, err := filepath.Glob(at("*.partial")); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
	there := []string{"--dev", "--data-dir", at("there"), "--master-key", "file:" + at("data/master.key")}
	checked := mustTell(t, with([]string{"restore", file, "--check", "--identity", at("identity")}, there...)...)
	if !strings.Contains(checked, "Both archives are whole") {
		t.Errorf("the check says:\n%s", checked)
	}
	said = mustTell(t, with([]string{"restore", file, "--keys", at("newer.keys"), "--identity", at("identity")}, there...)...)
	for _, want := range []string{
		"Restored 0 sessions", "The audit log holds", "is back, and nothing in these files can tell", "API keys that were revoked since",
	} {
		if !strings.Contains(said, want) {
			t.Errorf("the restore does not say %q:\n%s", want, said)
		}
	}
	mustTell(t, with([]string{"audit", "verify"}, there...)...)
}

func TestABackupThatCannotBeSaysWhy(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	here := []string{"--dev", "--data-dir", at("data")}
	mustTell(t, append([]string{"migrate"}, here...)...)
	recipient := regexp.MustCompile(`age1[a-z0-9]+`).FindString(mustTell(t, "backup-key", at("identity")))
	mustTell(t, "backup-key", at("another"))
	mustTell(t, append([]string{"backup", at("b"), "--recipient", recipient}, here...)...)
	raw, err := os.ReadFile(at("b"))
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(at("short"), bytes.TrimSuffix(raw, raw[len(raw)-1:]), 0o600); err != nil {
		t.Fatal(err)
	}
	there := []string{"--dev", "--data-dir", at("there"), "--master-key", "file:" + at("data/master.key")}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"nobody to encrypt to":     {append([]string{"backup", at("c")}, here...), "bonafide backup-key FILE makes a key"},
		"no key of age":            {append([]string{"backup", at("c"), "--recipient", "me@example.org"}, here...), "want a public key of age"},
		"a file that is there":     {append([]string{"backup", at("b"), "--recipient", recipient}, here...), "never overwrites another"},
		"a directory that is not":  {append([]string{"backup", at("none/c"), "--recipient", recipient}, here...), "no such file"},
		"a key file that is there": {[]string{"backup-key", at("identity")}, "file exists"},
		"no identity":              {append([]string{"restore", at("b")}, there...), "--identity is missing"},
		"another identity":         {append([]string{"restore", at("b"), "--identity", at("another")}, there...), "encrypted to somebody else"},
		"no such backup":           {append([]string{"restore", at("none"), "--identity", at("identity")}, there...), "no such file"},
		"a backup that is cut short": {
			append([]string{"restore", at("short"), "--keys", at("b.keys"), "--identity", at("identity")}, there...),
			"damaged, cut short or was altered",
		},
		"the two swapped":    {append([]string{"restore", at("b.keys"), "--keys", at("b"), "--identity", at("identity")}, there...), "the one file has to be"},
		"what is not empty":  {append([]string{"restore", at("b"), "--identity", at("identity")}, here...), "the database is not empty"},
		"another master key": {[]string{"restore", at("b"), "--identity", at("identity"), "--dev", "--data-dir", at("other")}, "the master key is not the one"},
	} {
		t.Run(name, func(t *testing.T) {
			if code, out := runCommand(t, c.args...); code != exitNoAnswer || !strings.Contains(out, c.says) {
				t.Errorf("got %d, want %d and %q:\n%s", code, exitNoAnswer, c.says, out)
			}
		})
	}
}

// TestWhatIsHalfRestoredIsNotUsed: whatever command comes to it, also a server of --dev, which migrates by itself.
func TestWhatIsHalfRestoredIsNotUsed(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	here := []string{"--dev", "--data-dir", at("data")}
	mustTell(t, append([]string{"migrate"}, here...)...)
	recipient := regexp.MustCompile(`age1[a-z0-9]+`).FindString(mustTell(t, "backup-key", at("identity")))
	db, err := sql.Open("sqlite", at("data/bonafide.db"))
	if err != nil {
		t.Fatal(err)
	}
	_, err = db.ExecContext(t.Context(), "INSERT INTO settings (name, value, changed_at) VALUES ('restore', '{}', CURRENT_TIMESTAMP)")
	if err := errors.Join(err, db.Close()); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"migrate": {"migrate"}, "backup": {"backup", at("b"), "--recipient", recipient}, "backup of keys": {
			"backup", at("b"), "--keys-only", "--recipient", recipient,
		},
		"audit verify": {"audit", "verify"}, "audit checkpoint": {"audit", "checkpoint"}, "member": {"member", "reset-factor", "ida@bank.example"},
		"demo data": {"demo-data", "--pictures", "0"},
	} {
		if code, out := runCommand(t, append(args, here...)...); code != exitNoAnswer || !strings.Contains(out, "did not come to its end") {
			t.Errorf("%s: got %d:\n%s", name, code, out)
		}
	}
	if code, out := runCommand(t, append([]string{"doctor"}, here...)...); code != exitNo || !strings.Contains(out, "did not come to its end") {
		t.Errorf("doctor: got %d:\n%s", code, out)
	}
	for _, dev := range []bool{true, false} {
		c := &config.Storage{
			Dev: dev, DataDir: at("data"), Database: "sqlite:" + at("data/bonafide.db"), Blobs: "file://" + at("data/blobs"),
			MasterKey: "file:" + at("data/master.key"),
		}
		d, err := openDeployment(t.Context(), c, config.Work{}, config.Engine{}, applicant.Options{}, post{}, slog.New(slog.DiscardHandler))
		if err == nil {
			err = d.Close()
		}
		if !errors.Is(err, backup.ErrHalfRestored) {
			t.Errorf("a server or worker, dev %v: %v", dev, err)
		}
	}
}
