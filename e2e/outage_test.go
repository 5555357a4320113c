package e2e

import (
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"syscall"
	"testing"
	"time"

	_ "modernc.org/sqlite" // driver "sqlite"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

// readiness returns what /readyz answers.
func readiness(t *testing.T, server *served.Process) (status int, body string) {
	t.Helper()
	a, err := http.Get(server.URL + "/readyz") //nolint:noctx // loopback
	must(t, err)
	defer func() { _ = a.Body.Close() }()
	raw, err := io.ReadAll(a.Body)
	must(t, err)
	return a.StatusCode, string(raw)
}

// becomes waits until /readyz answers with that status.
func becomes(t *testing.T, server *served.Process, want int) string {
	t.Helper()
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(50 * time.Millisecond) {
		status, body := readiness(t, server)
		if status == want {
			return body
		}
		if time.Now().After(deadline) {
			t.Fatalf("readiness stays %d: %s", status, body)
		}
	}
}

// refused expects that something which needs to be kept is refused as unavailable.
func refused(t *testing.T, api client) {
	t.Helper()
	a, err := api.try(http.MethodPost, "/v1/sessions", "application/json", strings.NewReader("{}"))
	must(t, err)
	if a.status != http.StatusServiceUnavailable || !strings.Contains(string(a.body), `"code":"unavailable"`) {
		t.Errorf("got %d %s, want 503 unavailable", a.status, a.body)
	}
}

func TestAServerOutlivesItsDatabase(t *testing.T) {
	t.Parallel()
	match := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	cluster := idvtest.PostgresToStop(t)
	server := served.NewPlace(t, "--database", cluster.Empty(t)).Serve(t)
	api := client{url: server.URL, bearer: server.Key}
	api.createSession(t)
	cluster.Stop(t)
	refused(t, api)
	if body := becomes(t, server, http.StatusServiceUnavailable); !strings.Contains(body, "The database does not answer.") {
		t.Errorf("readiness says %s", body)
	}
	cluster.Start(t)
	becomes(t, server, http.StatusOK)
	s := api.createSession(t)
	open(t, s.URL).finish(t, match.document, match.selfie)
	if got := api.verdicts(t, []string{s.ID}, time.Minute); got[s.ID] != "approved" {
		t.Errorf("after the outage jobs are not worked: %v", got)
	}
}

func TestAFullDiskIsToldAndNothingIsLost(t *testing.T) {
	t.Parallel()
	p := served.NewPlace(t)
	must(t, os.MkdirAll(p.Dir, 0o700))
	if err := syscall.Mount("tmpfs", p.Dir, "tmpfs", 0, "size=64m,mode=0700"); err != nil {
		t.Skipf("only who may mount a file system can fill one up: %v", err)
	}
	t.Cleanup(func() { _ = syscall.Unmount(p.Dir, syscall.MNT_DETACH) })
	match := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	server := p.Serve(t)
	api := client{url: server.URL, bearer: server.Key}
	s := api.createSession(t)
	applicant := open(t, s.URL)
	filler := filepath.Join(p.Dir, "filler")
	fill(t, filler)

	if body := becomes(t, server, http.StatusServiceUnavailable); !strings.Contains(body, "The disk is full.") {
		t.Errorf("readiness says %s", body)
	}
	if a := applicant.send(t, "document_front", "attempt-0", match.document); a.status != http.StatusServiceUnavailable {
		t.Errorf("a picture on a full disk: %d %s", a.status, a.body)
	}
	if found, code := run(t, "doctor", "--dev", "--data-dir", p.Dir); code != 1 || !strings.Contains(found, "Make room") {
		t.Errorf("the doctor ends with %d: %s", code, found)
	}
	must(t, os.Remove(filler))
	becomes(t, server, http.StatusOK)
	applicant.finish(t, match.document, match.selfie)
	if got := api.verdicts(t, []string{s.ID}, 2*time.Minute); got[s.ID] != "approved" {
		t.Errorf("a session of before the disk was full: %v", got)
	}
}

// fill writes a file until nothing fits any more.
func fill(t *testing.T, path string) {
	t.Helper()
	f, err := os.Create(path)
	must(t, err)
	defer func() { _ = f.Close() }()
	for size := 1 << 20; size > 0; {
		n, err := f.Write(make([]byte, size))
		if err != nil && n == 0 {
			size /= 2
		}
	}
}

func TestDamagedPagesAreTold(t *testing.T) {
	t.Parallel()
	p := served.NewPlace(t)
	server := p.Serve(t)
	server.Stop(syscall.SIGTERM)
	data := []string{"--dev", "--data-dir", p.Dir}
	doctor := append([]string{"doctor"}, data...)
	if found, code := run(t, doctor...); code != 0 || !strings.Contains(found, "pages of the database") || !strings.Contains(found, "whole: checked at") {
		t.Errorf("the doctor of a whole database ends with %d: %s", code, found)
	}
	damage(t, filepath.Join(p.Dir, "bonafide.db"), "frame_marks")
	if found, code := run(t, doctor...); code != 1 || !strings.Contains(found, "damaged: ") || !strings.Contains(found, "restore the newest backup") {
		t.Errorf("the doctor ends with %d: %s", code, found)
	}
	admin := fmt.Sprintf("127.0.0.1:%d", served.FreePort(t))
	again := served.Start(t, append([]string{"serve", "--listen", strings.TrimPrefix(server.URL, "http://"), "--admin-listen", admin}, data...)...)
	again.URL = server.URL
	again.WaitAlive(t)
	if body := becomes(t, again, http.StatusServiceUnavailable); !strings.Contains(body, "Pages of the database are damaged; restore a backup.") {
		t.Errorf("readiness says %s", body)
	}
	figures, err := http.Get("http://" + admin + "/metrics") //nolint:noctx // loopback
	must(t, err)
	defer func() { _ = figures.Body.Close() }()
	raw, err := io.ReadAll(figures.Body)
	must(t, err)
	if !regexp.MustCompile(`(?m)^bonafide_database_damaged(\{.*\})? 1$`).Match(raw) {
		t.Errorf("no figure tells of the damage: %.2000s", raw)
	}
}

// damage overwrites the first page of a table.
func damage(t *testing.T, file, table string) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	must(t, err)
	var page, size int64
	must(t, db.QueryRowContext(t.Context(), "SELECT rootpage FROM sqlite_master WHERE name = ?", table).Scan(&page))
	must(t, db.QueryRowContext(t.Context(), "PRAGMA page_size").Scan(&size))
	_, err = db.ExecContext(t.Context(), "PRAGMA wal_checkpoint(TRUNCATE)")
	must(t, err)
	must(t, db.Close())
	f, err := os.OpenFile(file, os.O_WRONLY, 0)
	must(t, err)
	_, err = f.WriteAt([]byte("\xa5\xa5\xa5\xa5\xa5\xa5\xa5\xa5"), (page-1)*size)
	must(t, err)
	must(t, f.Close())
}
