package e2e

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/e2e/served"
	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

func TestAServerAndAWorkerShareADatabaseAndABucket(t *testing.T) {
	match := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	expired := picturesOf(t, "alder", "alder", 2, fixtures.Options{Expired: true})
	database := idvtest.Postgres(t).Database(t)
	blobs, dir := idvtest.Bucket(t)
	p := served.NewPlace(t, "--database", database, "--blobs", blobs, "--no-work")
	server := p.Serve(t)
	api := client{url: server.URL, bearer: server.Key}
	want := map[string]string{}
	var ids []string
	for i, c := range []struct {
		pictures pair
		state    string
	}{{match, "approved"}, {expired, "declined"}} {
		s := api.createSession(t)
		open(t, s.URL).finish(t, c.pictures.document, c.pictures.selfie)
		if got := api.session(t, s.ID).State; got != "processing" {
			t.Errorf("session %d without a worker: %s, want processing", i, got)
		}
		ids, want[s.ID] = append(ids, s.ID), c.state
	}

	worker := served.Start(t, "worker", "--dev", "--data-dir", p.Dir, "--database", database, "--blobs", blobs)
	got := api.verdicts(t, ids, 2*time.Minute)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s\nthe worker printed:\n%s", d, worker.Printed())
	}
	assertSealed(t, dir)
}

// assertSealed fails if a blob in the bucket is a picture that anybody could open.
func assertSealed(t *testing.T, dir string) {
	t.Helper()
	blobs := 0
	must(t, filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		blobs++
		raw, err := os.ReadFile(path)
		if kind := http.DetectContentType(raw); strings.HasPrefix(kind, "image/") {
			t.Errorf("%s lies in the bucket as %s", path, kind)
		}
		return err
	}))
	if blobs < 4 {
		t.Errorf("%d blobs in the bucket, want the four pictures at least", blobs)
	}
}

func TestAnApplicantSeesTheVerdictArriveFromAnotherProcess(t *testing.T) {
	t.Parallel()
	match := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	database := idvtest.Postgres(t).Database(t)
	p := served.NewPlace(t, "--database", database, "--no-work")
	server := p.Serve(t)
	served.Start(t, "worker", "--dev", "--data-dir", p.Dir, "--database", database)
	api := client{url: server.URL, bearer: server.Key}
	a := open(t, api.createSession(t).URL)
	a.finish(t, match.document, match.selfie)
	if got := a.awaitEvent(t, "approved", 2*time.Minute); !got {
		t.Error("no server-sent event told the applicant")
	}
}

// The settings of a server come from the environment too, so the browser's journey needs no change to run on
// another database.
func TestTheBrowsersJourneyOnPostgreSQL(t *testing.T) {
	if testing.Short() {
		t.Skip("nightly: by day the browser goes its journey on SQLite, and both databases keep the same contract (internal/store)")
	}
	playwright := filepath.Join("..", "web", "node_modules", ".bin", "playwright")
	for _, need := range []string{playwright, "/usr/bin/chromium"} {
		if _, err := os.Stat(need); err != nil {
			t.Skipf("not installed: %v", err)
		}
	}
	bin, database := served.Binary(t), idvtest.Postgres(t).Database(t)
	cmd := exec.Command("npm", "run", "--silent", "e2e", "--", "e2e/journey.e2e.ts") //nolint:noctx // the test has a time limit
	cmd.Dir = filepath.Join("..", "web")
	cmd.Env = append(os.Environ(), "BONAFIDE_BIN="+bin, "BONAFIDE_DATABASE="+database, "E2E_RESULTS="+t.TempDir())
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}
