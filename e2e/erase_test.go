package e2e

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/fixtures"
)

// TestErasingLeavesNothingOnDisk searches everything that the program wrote for what it was told, after it was told to erase it:
// while it runs, and after it was killed and ran again.
func TestErasingLeavesNothingOnDisk(t *testing.T) {
	t.Parallel()
	runtime := filepath.Join(t.TempDir(), "runtime")
	must(t, os.Mkdir(runtime, 0o700)) // the program runs nothing from a directory that others can read
	p := served.NewPlace(t, "--runtime-dir", runtime)
	server := p.Serve(t)
	api := client{url: server.URL, bearer: server.Key}
	pictures := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	d, err := fixtures.NewDocument(fixtures.Passport, 1, fixtures.Options{Face: "alder"})
	must(t, err)
	var ids []string
	for range 3 { // the middle one is erased, between others that stay
		ids = append(ids, verified(t, api, pictures))
	}
	words := words(t, d, pictures)
	report := api.get(t, "/v1/sessions/"+ids[1]+"/report")
	for what, w := range words { // the search is for what the program really had
		if len(w) < 30 && !bytes.Contains(report.body, w) && !bytes.Contains(report.body, bytes.ReplaceAll(w, []byte(" "), nil)) {
			delete(words, what)
		}
	}
	if len(words) < 8 {
		t.Fatalf("only %d words to search for: %s", len(words), report.body)
	}
	keys := map[string][]byte{}
	for what, w := range wrappedKeys(t, p.Dir, ids[1]) {
		keys[what] = w
	}
	a := api.post(t, "/v1/sessions/"+ids[1]+"/erase", map[string]any{})
	if a.status != 200 || bytes.Contains(a.body, []byte(`"finished_at":null`)) {
		t.Fatalf("erase: %d %s", a.status, a.body)
	}
	search(t, []string{p.Dir, runtime}, server.Printed(), keys, "after erasing")
	search(t, []string{p.Dir, runtime}, server.Printed(), words, "after erasing")
	if left, err := filepath.Glob(filepath.Join(p.Dir, "blobs", ids[1]+"*", "*")); err != nil || len(left) > 0 {
		t.Errorf("blobs %v are still there, %v", left, err)
	}
	if got := api.get(t, "/v1/sessions/"+ids[1]+"/report"); got.status != 410 {
		t.Errorf("the report of an erased session: %d %s", got.status, got.body)
	}
	if got := api.get(t, "/v1/sessions/"+ids[0]+"/report"); got.status != 200 {
		t.Errorf("the report of another session: %d %s", got.status, got.body)
	}
	server.Stop(syscall.SIGKILL)
	search(t, []string{p.Dir, runtime}, server.Printed(), keys, "after a kill")
	server = p.Serve(t)
	search(t, []string{p.Dir, runtime}, server.Printed(), keys, "after a restart")
	search(t, []string{p.Dir, runtime}, server.Printed(), words, "after a restart")
}

// verified runs a session to its verdict.
func verified(t *testing.T, api client, pictures pair) string {
	t.Helper()
	s := api.createSession(t)
	open(t, s.URL).finish(t, pictures.document, pictures.selfie)
	api.verdicts(t, []string{s.ID}, 2*time.Minute)
	return s.ID
}

// words are what a search must not find: facts of the document, rows of its zone, pieces of the pictures.
func words(t *testing.T, d *fixtures.Document, pictures pair) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	for _, c := range d.Truth.Front {
		if len(c.Value) >= 5 {
			out[string(c.Name)] = []byte(c.Value)
		}
	}
	for i, row := range d.Truth.Lines {
		out["row "+string(rune('1'+i))] = []byte(row)
	}
	for name, raw := range map[string][]byte{"document": pictures.document, "selfie": pictures.selfie} {
		out["bytes of the "+name] = raw[len(raw)/2 : len(raw)/2+48]
		out["base64 of the "+name] = []byte(base64.StdEncoding.EncodeToString(raw[len(raw)/2 : len(raw)/2+48]))
	}
	return out
}

// wrappedKeys finds the wrapped keys of a session in the files of the database, as a thief would: by their form, near the
// session's id.
func wrappedKeys(t *testing.T, dir, id string) map[string][]byte {
	t.Helper()
	out := map[string][]byte{}
	everyFile(t, dir, func(_ string, raw []byte) {
		for at := 0; ; {
			i := bytes.Index(raw[at:], []byte(id))
			if i < 0 {
				return
			}
			at += i + len(id)
			for _, purpose := range []string{"pictures", "facts"} {
				rest, ok := bytes.CutPrefix(raw[at:], []byte(purpose+"{"))
				if !ok {
					continue
				}
				end := bytes.IndexByte(rest, '}')
				var parts map[string]string
				if end < 0 || json.Unmarshal(append([]byte("{"), rest[:end+1]...), &parts) != nil {
					continue
				}
				for name, p := range parts {
					out[purpose+" "+name] = []byte(p[len(p)-40:])
				}
			}
		}
	})
	if len(out) != 4 {
		t.Fatalf("found %d wrapped keys before erasing, want 4: the search would prove nothing", len(out))
	}
	return out
}

func search(t *testing.T, dirs []string, printed string, words map[string][]byte, when string) {
	t.Helper()
	files := 0
	for _, dir := range dirs {
		everyFile(t, dir, func(path string, raw []byte) {
			files++
			for what, w := range words {
				if bytes.Contains(raw, w) {
					t.Errorf("%s: the %s is in %s", when, what, path)
				}
			}
		})
	}
	for what, w := range words {
		if bytes.Contains([]byte(printed), w) {
			t.Errorf("%s: the log holds the %s", when, what)
		}
	}
	if files < 7 { // database, master key, the ML library, and the blobs of two sessions
		t.Errorf("%s: only %d files were searched", when, files)
	}
}

func everyFile(t *testing.T, dir string, f func(path string, raw []byte)) {
	t.Helper()
	must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		if err != nil || !e.Type().IsRegular() {
			return nil //nolint:nilerr // files of a running server come and go
		}
		if raw, err := os.ReadFile(path); err == nil {
			f(path, raw)
		}
		return nil
	}))
}
