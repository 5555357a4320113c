package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/config"
)

// trail is a deployment of which only the log matters.
type trail struct {
	t   *testing.T
	dir string
}

func newTrail(t *testing.T, entries int) *trail {
	t.Helper()
	w := &trail{t: t, dir: filepath.Join(t.TempDir(), "data")}
	if code, out := w.run("migrate"); code != exitYes {
		t.Fatalf("migrate: %d %s", code, out)
	}
	w.record(entries)
	return w
}

// record adds entries, and answers the proof of the last.
func (w *trail) record(entries int) []byte {
	w.t.Helper()
	ctx := w.t.Context()
	st, blobs, err := openStore(ctx, &config.Storage{Dev: true, DataDir: w.dir}, slog.New(slog.DiscardHandler), nil, time.Now)
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = st.Close(); _ = blobs.Close() }()
	for range entries {
		if err := st.RecordAudit(ctx, audit.Record{Action: "key.created", Subject: "key_1"}); err != nil {
			w.t.Fatal(err)
		}
	}
	found, err := st.AuditPage(ctx, audit.Filter{Limit: 1})
	if err != nil {
		w.t.Fatal(err)
	}
	p, err := st.AuditProof(ctx, found[0].ID)
	if err != nil {
		w.t.Fatal(err)
	}
	d, err := p.Document()
	if err != nil {
		w.t.Fatal(err)
	}
	raw, err := json.MarshalIndent(d, "", "  ")
	if err != nil {
		w.t.Fatal(err)
	}
	return raw
}

// run runs a command on the deployment and answers its code and what it printed.
func (w *trail) run(args ...string) (exit, string) {
	w.t.Helper()
	var out bytes.Buffer
	code := run(w.t.Context(), append(args, "--dev", "--data-dir", w.dir), streams{Out: &out, Err: &out})
	return code, out.String()
}

func (w *trail) file(name string, raw []byte) string {
	w.t.Helper()
	path := filepath.Join(w.t.TempDir(), name)
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		w.t.Fatal(err)
	}
	return path
}

func (w *trail) exec(q string) {
	w.t.Helper()
	db, err := sql.Open("sqlite", filepath.Join(w.dir, "bonafide.db"))
	if err != nil {
		w.t.Fatal(err)
	}
	defer func() { _ = db.Close() }()
	if _, err := db.ExecContext(w.t.Context(), q); err != nil {
		w.t.Fatal(err)
	}
}

func TestAuditVerifyAnswersByItsExitCode(t *testing.T) {
	w := newTrail(t, 5)
	code, checkpoint := w.run("audit", "checkpoint")
	if code != exitYes {
		t.Fatalf("checkpoint: %d %s", code, checkpoint)
	}
	kept := w.file("kept.json", []byte(checkpoint))
	proof := w.record(3)
	good := w.file("proof.json", proof)
	bad := w.file("bad.json", bytes.Replace(proof, []byte("key.created"), []byte("key.revoked"), 1))
	strange := w.file("strange.json", []byte(`{"format":"something else"}`))
	stranger := newTrail(t, 1)
	_, foreign := stranger.run("audit", "checkpoint")
	other := w.file("other.json", []byte(foreign))

	for _, c := range []struct {
		name string
		args []string
		want exit
		says string
	}{
		{"the whole log", []string{}, exitYes, "YES: 8 entries"},
		{"the log has grown from the checkpoint that was kept", []string{"--kept", kept}, exitYes, "YES"},
		{"the log is not that of another deployment", []string{"--kept", other}, exitNo, "NO"},
		{"the log's key is not another's", []string{"--key", "@" + other}, exitNo, "not the one that you gave"},
		{"a proof with the key", []string{good, "--key", "@" + kept}, exitYes, "YES (entry proof)"},
		{"a proof without a key to trust", []string{good}, exitUndecided, "compare it"},
		{"a proof with another key", []string{good, "--key", "@" + other}, exitNo, "not by the key"},
		{"a proof of something else", []string{bad, "--key", "@" + kept}, exitNo, "NO"},
		{"what is none of the log's", []string{strange}, exitNoAnswer, "NO ANSWER"},
		{"of several files the worst counts", []string{good, bad, "--key", "@" + kept}, exitNo, "YES (entry proof)"},
		{"a file that is not there", []string{filepath.Join(t.TempDir(), "none")}, exitNoAnswer, "no such file"},
		{"a key that is none", []string{good, "--key", "hello"}, exitNoAnswer, "base64 of 32 bytes"},
	} {
		t.Run(c.name, func(t *testing.T) {
			code, out := w.run(append([]string{"audit", "verify"}, c.args...)...)
			if code != c.want || !strings.Contains(out, c.says) {
				t.Errorf("got %d, want %d and %q in:\n%s", code, c.want, c.says, out)
			}
		})
	}
	t.Run("an altered row of the database", func(t *testing.T) {
		w.exec("UPDATE audit_entries SET action = 'key.revoked' WHERE position = 4")
		if code, out := w.run("audit", "verify"); code != exitNo || !strings.Contains(out, "Position 4: the entry was altered.") {
			t.Errorf("got %d:\n%s", code, out)
		}
	})
}
