package e2e

import (
	"fmt"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/fixtures"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

const (
	accessKey = "bonafide-e2e"
	secretKey = "only-for-this-test"
)

// bucket starts an S3 server with one empty bucket and answers its directory, the flag value that names it and
// the environment that opens it.
func bucket(t *testing.T) (dir, url string, env []string) {
	t.Helper()
	gateway, err := filepath.Abs(filepath.Join("..", "build", "bin", "versitygw"))
	must(t, err)
	if _, err := os.Stat(gateway); err != nil {
		t.Skip("no S3 server (scripts/tool versitygw)")
	}
	root, port := t.TempDir(), freePort(t)
	dir = filepath.Join(root, "evidence")
	must(t, os.Mkdir(dir, 0o750))
	cmd := exec.Command(gateway, "--port", fmt.Sprintf("127.0.0.1:%d", port), "--access", accessKey, "--secret", secretKey, "posix", "--nometa", root) //nolint:noctx // killed with the test
	cmd.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	cmd.Stdout, cmd.Stderr = os.Stderr, os.Stderr
	must(t, cmd.Start())
	t.Cleanup(func() { _ = cmd.Process.Kill(); _ = cmd.Wait() })
	waitPort(t, port)
	url = fmt.Sprintf("s3://evidence?endpoint=http://127.0.0.1:%d&region=us-east-1&use_path_style=true&response_checksum_validation=when_required&request_checksum_calculation=when_required", port)
	return dir, url, []string{"AWS_ACCESS_KEY_ID=" + accessKey, "AWS_SECRET_ACCESS_KEY=" + secretKey}
}

func waitPort(t *testing.T, port int) {
	t.Helper()
	for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(50 * time.Millisecond) {
		c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port)) //nolint:noctx // loopback
		if err == nil {
			_ = c.Close()
			return
		}
	}
	t.Fatalf("nothing listens on port %d", port)
}

func TestAServerAndAWorkerShareADatabaseAndABucket(t *testing.T) {
	match := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	expired := picturesOf(t, "alder", "alder", 2, fixtures.Options{Expired: true})
	database := idvtest.Postgres(t).Database(t)
	dir, blobs, env := bucket(t)
	p := newPlace(t, "--database", database, "--blobs", blobs, "--no-work")
	p.env = env
	server := p.serve(t)
	api := client{url: server.url, bearer: server.key}
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

	worker := start(t, env, "worker", "--dev", "--data-dir", p.dir, "--database", database, "--blobs", blobs)
	got := api.verdicts(t, ids, 2*time.Minute)
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s\nthe worker printed:\n%s", d, worker.printed())
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
	match := picturesOf(t, "alder", "alder", 1, fixtures.Options{})
	database := idvtest.Postgres(t).Database(t)
	p := newPlace(t, "--database", database, "--no-work")
	server := p.serve(t)
	start(t, nil, "worker", "--dev", "--data-dir", p.dir, "--database", database)
	api := client{url: server.url, bearer: server.key}
	a := open(t, api.createSession(t).URL)
	a.finish(t, match.document, match.selfie)
	if got := a.awaitEvent(t, "approved", 2*time.Minute); !got {
		t.Error("no server-sent event told the applicant")
	}
}
