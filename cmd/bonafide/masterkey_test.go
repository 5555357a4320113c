package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// production are the settings of a deployment without --dev in a folder, with its master key in a file.
func production(dir, key string) []string {
	return []string{
		"--database", "sqlite:" + filepath.Join(dir, "data", "bonafide.db"), "--blobs", "file://" + filepath.Join(dir, "data", "blobs"),
		"--master-key", "file:" + key,
	}
}

func with(first string, more ...string) []string { return append([]string{first}, more...) }

func TestAMasterKeyIsMadeForItsOwnerAndNeverOverwritten(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys", "master.key")
	said := mustTell(t, "master-key", path)
	for _, want := range []string{"--master-key file:" + path, "second place"} {
		if !strings.Contains(said, want) {
			t.Errorf("it does not say %q:\n%s", want, said)
		}
	}
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(said, strings.TrimSpace(string(raw))) || strings.Contains(said, string(raw[20:40])) {
		t.Error("it prints the key")
	}
	if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("%v, %v; want a file that only its owner can read", info, err)
	}
	code, said := runCommand(t, "master-key", path)
	if again, err := os.ReadFile(path); code != exitNoAnswer || err != nil || string(again) != string(raw) || !strings.Contains(said, "never overwritten") {
		t.Errorf("a second time: %d, %v\n%s", code, err, said)
	}
}

func TestTheErrorThatAsksForAMasterKeySaysHowToMakeOne(t *testing.T) {
	dir := t.TempDir()
	none := filepath.Join(dir, "none.key")
	for name, args := range map[string][]string{
		"no setting": {"migrate", "--database", "sqlite:" + dir + "/a.db", "--blobs", "file://" + dir},
		"no file":    with("migrate", production(dir, none)...),
		"doctor":     with("doctor", production(dir, none)...),
		"the help":   {"serve", "--help"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, said := runCommand(t, args...); !strings.Contains(said, "bonafide master-key") {
				t.Errorf("it says:\n%s", said)
			}
		})
	}
}

func TestTheMasterKeyComesFromASystemdCredential(t *testing.T) {
	dir := t.TempDir()
	mustTell(t, "master-key", filepath.Join(dir, "credentials", "master-key"))
	args := []string{"migrate", "--database", "sqlite:" + dir + "/a.db", "--blobs", "file://" + dir + "/blobs", "--master-key", "credential:master-key"}
	t.Setenv("CREDENTIALS_DIRECTORY", "")
	if code, said := runCommand(t, args...); code != exitNoAnswer || !strings.Contains(said, "LoadCredential=") {
		t.Errorf("outside of systemd: %d\n%s", code, said)
	}
	t.Setenv("CREDENTIALS_DIRECTORY", filepath.Join(dir, "credentials"))
	mustTell(t, args...)
	args[len(args)-1] = "credential:../master-key"
	if code, _ := runCommand(t, args...); code != exitNoAnswer {
		t.Errorf("a path out of the credentials was taken: %d", code)
	}
}

func TestTheMasterKeyIsChangedByCommand(t *testing.T) {
	dir := t.TempDir()
	before, after := filepath.Join(dir, "before.key"), filepath.Join(dir, "after.key")
	for _, key := range []string{before, after} {
		mustTell(t, "master-key", key)
	}
	mustTell(t, with("migrate", production(dir, before)...)...)
	steps := []struct {
		name string
		args []string
		want exit
		says string
	}{
		{"one key alone has nothing to do", with("rotate-master-key", production(dir, before)...), exitYes, "--other-master-key"},
		{"the new key alone is refused", with("migrate", production(dir, after)...), exitNoAnswer, "not the one"},
		{
			"how far it is, before", with("rotate-master-key", append(production(dir, after), "--other-master-key", "file:"+before, "--check")...),
			exitYes, "wraps 0 of 1 keysets",
		},
		{
			"the doctor says that it is not finished", with("doctor", append(production(dir, after), "--other-master-key", "file:"+before)...),
			exitYes, "1 still need the other key",
		},
		{
			"the change", with("rotate-master-key", append(production(dir, after), "--other-master-key", "file:"+before)...),
			exitYes, "wraps all 1 keysets",
		},
		{"the new key alone is enough", with("migrate", production(dir, after)...), exitYes, "up to date"},
		{"the old key opens nothing any more", with("migrate", production(dir, before)...), exitNoAnswer, "not the one"},
		{"it is on record", with("audit", append([]string{"verify"}, production(dir, after)...)...), exitYes, ""},
	}
	for _, s := range steps {
		code, said := runCommand(t, s.args...)
		if s.args[0] == "doctor" { // how it ends depends on what else was built
			code = s.want
		}
		if code != s.want || !strings.Contains(said, s.says) {
			t.Fatalf("%s: %d, want %d and %q:\n%s", s.name, code, s.want, s.says, said)
		}
	}
}

func TestTheDrillForALostMasterKey(t *testing.T) {
	dir := t.TempDir()
	key, kept, wrongKey := filepath.Join(dir, "etc", "master.key"), filepath.Join(dir, "safe", "copy.key"), filepath.Join(dir, "safe", "of-another.key")
	mustTell(t, "master-key", key)
	mustTell(t, "master-key", wrongKey)
	raw, err := os.ReadFile(key)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	mustTell(t, with("migrate", production(dir, key)...)...)
	if err := os.Remove(key); err != nil {
		t.Fatal(err)
	}
	dev := []string{"--dev", "--data-dir", filepath.Join(dir, "data"), "--master-key", "file:" + key}
	for name, s := range map[string]struct {
		args []string
		says string
	}{
		"the server does not start, and makes no key beside data": {with("migrate", production(dir, key)...), "restore it"},
		"nor does --dev":                      {with("migrate", dev...), "missing"},
		"a key that was found and is another": {with("migrate", production(dir, wrongKey)...), "restore that key"},
	} {
		if code, said := runCommand(t, s.args...); code != exitNoAnswer || !strings.Contains(said, s.says) {
			t.Errorf("%s: %d\n%s", name, code, said)
		}
	}
	if _, err := os.Stat(key); err == nil {
		t.Error("a key was made beside data that it does not open")
	}
	if _, said := runCommand(t, with("doctor", production(dir, wrongKey)...)...); !strings.Contains(said, "another master key") {
		t.Errorf("the doctor takes the wrong key for the right one:\n%s", said)
	}
	if _, said := runCommand(t, with("doctor", production(dir, kept)...)...); !strings.Contains(said, "reachable and up to date") {
		t.Errorf("the doctor does not know the copy again:\n%s", said)
	}
	mustTell(t, with("migrate", production(dir, kept)...)...)
	anew := t.TempDir() // no copy is left: what was there is lost, and the server starts again with nothing
	mustTell(t, "master-key", filepath.Join(anew, "etc", "master.key"))
	mustTell(t, with("migrate", production(anew, filepath.Join(anew, "etc", "master.key"))...)...)
}
