package store

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// secretive is a decided session full of words that can be searched for.
func (d *deployment) secretive(t *testing.T) (*person, [][]byte) {
	t.Helper()
	c := d.create(t, session.Spec{
		ExternalReference: "secretreference", Metadata: map[string]string{"note": "secretmetadata"},
		Claimed: map[idv.ClaimName]string{idv.Address: "secretstreet 5"}, ReturnURL: "https://secretreturn.example",
	})
	a := d.onlyOpen(t, c)
	a.agree(t, idv.Passport)
	p := idvtest.Passport("secretface")
	p.Family, p.Given, p.Number, p.Birth = "SECRETFAMILY", "SECRETGIVEN", "SECRETNUM1", "1974-08-12"
	a.sendBoth(t, p, idvtest.Selfie("secretface"))
	d.await(t, a.id, idv.Approved)
	secrets := [][]byte{
		[]byte("secretreference"), []byte("secretmetadata"), []byte("secretstreet"), []byte("secretreturn"), []byte("SECRETFAMILY"),
		[]byte("SECRETGIVEN"), []byte("SECRETNUM1"), []byte("1974-08-12"), []byte("secretface"), []byte("scene:"), []byte(c.Link), []byte(a.token),
		[]byte(linkHash(c.Link)), []byte(linkHash(a.token)),
	}
	captures, err := d.store.Captures(t.Context(), a.id)
	must(t, err)
	for _, c := range captures { // an unkeyed digest of a picture
		secrets = append(secrets, []byte(c.SHA256))
	}
	report, _, err := d.Sessions.Report(t.Context(), "", a.id)
	must(t, err)
	secrets = append(secrets, []byte(report.Digest))
	for _, kind := range []string{sessions.BlindReference, sessions.BlindNumber} {
		value := map[string]string{sessions.BlindReference: "secretreference", sessions.BlindNumber: "SECRETNUM1"}[kind]
		digest, err := d.store.Blind(t.Context(), kind, value)
		must(t, err)
		secrets = append(secrets, []byte(digest))
	}
	return a, append(secrets, wrappedKeys(t, d, a.id)...)
}

// wrappedKeys reads the wrapped keys of a session: the parts, and the pieces that the search itself looks for.
func wrappedKeys(t *testing.T, d *deployment, id idv.SessionID) [][]byte {
	t.Helper()
	var rows []database.KeysetRow
	must(t, d.store.Read.NewSelect().Model(&rows).Where("owner = ?", string(id)).Scan(t.Context()))
	var out [][]byte
	for _, row := range rows {
		var parts map[string]string
		must(t, json.Unmarshal(row.Wrapped, &parts))
		for _, p := range parts {
			out = append(out, []byte(p[:30]), []byte(p[len(p)/2:len(p)/2+16]), []byte(p[len(p)-30:]))
		}
	}
	if len(out) != 12 {
		t.Fatalf("%d pieces of wrapped keys", len(out))
	}
	return out
}

// lookEverywhere calls f with whatever a deployment has written: the database's files, or all tables of PostgreSQL as text, and
// the blobs.
func lookEverywhere(t *testing.T, d *deployment, f func(place string, raw []byte)) {
	t.Helper()
	dirs := []string{d.blobs}
	if d.cluster == nil {
		dirs = append(dirs, filepath.Dir(d.url[len("sqlite:"):]))
	} else {
		for _, table := range tablesOf(t, d) {
			var rows []string
			q := fmt.Sprintf("SELECT row_to_json(x)::text || ' ' || coalesce((SELECT string_agg(encode(decode(substr(value, 3), 'hex'), 'escape'), ' ') FROM "+
				"json_each_text(row_to_json(x)) WHERE value LIKE '\\\\x%%'), '') FROM %s AS x", table)
			must(t, d.store.Read.NewRaw(q).Scan(t.Context(), &rows))
			f("table "+table, []byte(strings.Join(rows, "\n")))
		}
	}
	for _, dir := range dirs {
		must(t, filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
			if err != nil || !e.Type().IsRegular() {
				return nil //nolint:nilerr // files of a running server come and go
			}
			raw, err := os.ReadFile(path)
			if err == nil {
				f(path, raw)
			}
			return nil
		}))
	}
}

// findWords answers where each of the words lies.
func findWords(t *testing.T, d *deployment, words [][]byte) map[string][]string {
	t.Helper()
	out := map[string][]string{}
	lookEverywhere(t, d, func(place string, raw []byte) {
		for _, w := range words {
			if bytes.Contains(raw, w) {
				out[string(w)] = append(out[string(w)], place)
			}
		}
	})
	return out
}

func tablesOf(t *testing.T, d *deployment) []string {
	t.Helper()
	q := "SELECT name FROM sqlite_master WHERE type = 'table'"
	if d.cluster != nil {
		q = "SELECT table_name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'"
	}
	return textsOf(t, d, q)
}

func columnsOf(t *testing.T, d *deployment, table string) []string {
	t.Helper()
	q := "SELECT name FROM pragma_table_info('" + table + "')"
	if d.cluster != nil {
		q = "SELECT column_name FROM information_schema.columns WHERE table_schema = 'public' AND table_name = '" + table + "'"
	}
	return textsOf(t, d, q)
}

func textsOf(t *testing.T, d *deployment, q string) []string {
	t.Helper()
	var out []string
	must(t, d.store.Read.NewRaw(q).Scan(t.Context(), &out))
	slices.Sort(out)
	return out
}

func (d *deployment) blobNames(t *testing.T, prefix string) []string {
	t.Helper()
	var names []string
	must(t, filepath.WalkDir(filepath.Join(d.blobs, prefix), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			names = append(names, path)
		}
		return nil
	}))
	return names
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func third[A, B any](_ A, _ B, err error) error { return err }

func linkHash(secret string) string {
	sum := sha256.Sum256([]byte(secret))
	return hex.EncodeToString(sum[:])
}

// openClosed is a bucket that answers nothing any more.
func openClosed(t *testing.T, dir string) (*vault.Blobs, error) {
	t.Helper()
	b, err := vault.OpenBlobs(t.Context(), "file://"+dir)
	if err != nil {
		return nil, err
	}
	return b, b.Close()
}
