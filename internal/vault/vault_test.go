package vault

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idvtest"
)

func newMaster(t *testing.T) (*Master, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "keys", "master.key")
	if made, err := CreateMaster(path); err != nil || !made {
		t.Fatalf("CreateMaster: %v, %v", made, err)
	}
	m, err := OpenMaster("file:" + path)
	if err != nil {
		t.Fatal(err)
	}
	return m, path
}

func TestAMasterKeyThatCannotBeReadSaysWhy(t *testing.T) {
	t.Setenv("CREDENTIALS_DIRECTORY", "")
	dir := t.TempDir()
	short := filepath.Join(dir, "short")
	if err := os.WriteFile(short, []byte(masterPrefix+"AAAA"), 0o600); err != nil {
		t.Fatal(err)
	}
	other := filepath.Join(dir, "other")
	if err := os.WriteFile(other, []byte("hello"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct{ where, says string }{
		"no such file":     {"file:" + filepath.Join(dir, "none"), "no file"},
		"no such variable": {"env:BONAFIDE_NO_SUCH_KEY", "no variable"},
		"too short":        {"file:" + short, "32 bytes"},
		"another format":   {"file:" + other, "does not start"},
		"no credentials":   {"credential:master-key", "LoadCredential="},
		"unknown scheme":   {"ftp:x", "want file:PATH, credential:NAME or env:NAME"},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := OpenMaster(c.where)
			if err == nil || !strings.Contains(err.Error(), c.says) {
				t.Fatalf("OpenMaster(%q) = %v, want %q in it", c.where, err, c.says)
			}
		})
	}
}

func TestAMasterKeyFileIsKeptAndPrivate(t *testing.T) {
	_, path := newMaster(t)
	before, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if made, err := CreateMaster(path); err != nil || made {
		t.Fatalf("a second CreateMaster: %v, %v", made, err)
	}
	after, err := os.ReadFile(path)
	if err != nil || !bytes.Equal(before, after) {
		t.Fatal("the key changed")
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("mode %v, %v", info.Mode(), err)
	}
	t.Setenv("BONAFIDE_TEST_MASTER", string(before))
	if _, err := OpenMaster("env:BONAFIDE_TEST_MASTER"); err != nil {
		t.Fatal(err)
	}
}

func TestACiphertextOpensOnlyInItsPlace(t *testing.T) {
	m, _ := newMaster(t)
	facts, wrapped, err := m.NewKeyset("ses_a", Facts)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := facts.Seal("claims.data", []byte("ANNA MARIA"))
	if err != nil {
		t.Fatal(err)
	}
	if bytes.Contains(sealed, []byte("ANNA")) {
		t.Fatal("the plaintext shows")
	}
	again, err := m.Open("ses_a", Facts, wrapped)
	if err != nil {
		t.Fatal(err)
	}
	if plain, err := again.Unseal("claims.data", sealed); err != nil || string(plain) != "ANNA MARIA" {
		t.Fatalf("Unseal = %q, %v", plain, err)
	}
	if _, err := again.Unseal("sessions.personal", sealed); err == nil {
		t.Fatal("it opened in another column")
	}
	if _, err := m.Open("ses_b", Facts, wrapped); !errors.Is(err, ErrWrongMaster) {
		t.Fatalf("the keyset opened for another session: %v", err)
	}
	if _, err := m.Open("ses_a", Facts, nil); !errors.Is(err, ErrDestroyed) {
		t.Fatalf("a destroyed keyset: %v", err)
	}
	stranger, _ := newMaster(t)
	if _, err := stranger.Open("ses_a", Facts, wrapped); !errors.Is(err, ErrWrongMaster) {
		t.Fatalf("another master key: %v", err)
	}
}

func TestADigestIsStableUnderOneKeyOnly(t *testing.T) {
	m, _ := newMaster(t)
	a, wrapped, err := m.NewKeyset("deployment", Deployment)
	if err != nil {
		t.Fatal(err)
	}
	b, err := m.Open("deployment", Deployment, wrapped)
	if err != nil {
		t.Fatal(err)
	}
	c, _, err := m.NewKeyset("deployment", Deployment)
	if err != nil {
		t.Fatal(err)
	}
	digest := func(k *Keyset, label string) string {
		d, err := k.Digest(label, []byte("L898902C3"))
		if err != nil || len(d) != 64 {
			t.Fatalf("Digest = %q, %v", d, err)
		}
		return d
	}
	if digest(a, "number") != digest(b, "number") {
		t.Error("the same keyset gives two digests")
	}
	if digest(a, "number") == digest(a, "name") || digest(a, "number") == digest(c, "number") {
		t.Error("another label or keyset gives the same digest")
	}
}

func TestABlobIsEncryptedAndBoundToItsName(t *testing.T) {
	t.Run("in a directory", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "blobs")
		blobsIn(t, "file://"+dir, dir)
	})
	t.Run("in an S3 bucket", func(t *testing.T) {
		where, dir := idvtest.Bucket(t)
		blobsIn(t, where, dir)
	})
}

// blobsIn goes through the life of blobs in a bucket whose files lie in dir.
func blobsIn(t *testing.T, where, dir string) {
	ctx := context.Background()
	m, _ := newMaster(t)
	k, _, err := m.NewKeyset("ses_a", Pictures)
	if err != nil {
		t.Fatal(err)
	}
	b, err := OpenBlobs(ctx, where)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	if err := b.Check(ctx); err != nil {
		t.Fatal(err)
	}
	plain := bytes.Repeat([]byte("a picture of a passport "), 100_000) // several segments
	if err := b.Put(ctx, k, "ses_a/cap_1", plain); err != nil {
		t.Fatal(err)
	}
	got, err := b.Get(ctx, k, "ses_a/cap_1")
	if err != nil || !bytes.Equal(got, plain) {
		t.Fatalf("Get: %d bytes, %v", len(got), err)
	}
	file := filepath.Join(dir, "ses_a", "cap_1")
	raw, err := os.ReadFile(file)
	if err != nil || bytes.Contains(raw, []byte("passport")) {
		t.Fatalf("the plaintext lies on disk (%v)", err)
	}
	if err := os.WriteFile(filepath.Join(dir, "ses_a", "cap_2"), raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Get(ctx, k, "ses_a/cap_2"); err == nil {
		t.Fatal("a moved blob opened")
	}
	raw[len(raw)/2] ^= 1
	if err := os.WriteFile(file, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Get(ctx, k, "ses_a/cap_1"); err == nil {
		t.Fatal("an altered blob opened")
	}
	if _, err := b.Get(ctx, k, "ses_a/none"); !errors.Is(err, ErrNoBlob) {
		t.Fatalf("a missing blob: %v", err)
	}
	var names []string
	err = b.ListBefore(ctx, time.Now().Add(time.Hour), func(n string) error { names = append(names, n); return nil })
	if err != nil || len(names) != 2 {
		t.Fatalf("Names = %v, %v", names, err)
	}
	for range 2 {
		if err := b.Delete(ctx, "ses_a/cap_1"); err != nil {
			t.Fatal(err)
		}
	}
}

func TestColumnsOpenByThemselves(t *testing.T) {
	m, _ := newMaster(t)
	k, wrapped, err := m.NewKeyset("ses_1", Pictures)
	if err != nil {
		t.Fatal(err)
	}
	sealed, err := k.Seal("place", []byte("text"))
	if err != nil {
		t.Fatal(err)
	}
	columns, err := m.OpenColumns("ses_1", Pictures, wrapped)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := columns.Unseal("place", sealed); err != nil || string(got) != "text" {
		t.Errorf("%q, %v", got, err)
	}
	if _, err := columns.Digest("label", nil); err == nil {
		t.Error("columns alone make digests")
	}
	other, _ := newMaster(t)
	for name, try := range map[string]struct {
		by      *Master
		owner   string
		wrapped []byte
		want    error
	}{
		"a destroyed keyset": {m, "ses_1", nil, ErrDestroyed}, "another owner": {m, "ses_2", wrapped, ErrWrongMaster},
		"another master key":  {other, "ses_1", wrapped, ErrWrongMaster},
		"no part for columns": {m, "ses_1", []byte(`{"stream":"AAAA"}`), nil}, "half of one": {m, "ses_1", wrapped[:20], nil},
	} {
		if _, err := try.by.OpenColumns(try.owner, Pictures, try.wrapped); err == nil || try.want != nil && !errors.Is(err, try.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
