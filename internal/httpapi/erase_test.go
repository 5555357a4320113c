package httpapi_test

import (
	"archive/zip"
	"bytes"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"io"
	"slices"
	"strings"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/idvtest"
)

func TestAnErasedSessionTellsNothingAndHasAReceipt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, link := w.create(w.key, map[string]any{"external_reference": secret, "claimed": map[string]any{"family_name": "ERIKSSON"}})
	token := w.open(link)
	w.do(ask{
		method: "POST", path: "/v1/applicant/consent", bearer: token,
		body: map[string]any{"decision": "given", "text_version": "biometric-2026-11-3", "locale": "en"},
	}).want(t, 200, "")
	w.do(ask{method: "PUT", path: "/v1/applicant/steps/choose", bearer: token, body: map[string]any{"document_kind": "passport"}}).want(t, 200, "")
	w.send(token, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	w.send(token, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
	w.wait(id)
	cookie := w.signIn()
	var file struct{ Captures, Artifacts []struct{ URL string } }
	must(t, json.Unmarshal([]byte(w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, "").body), &file))

	w.do(ask{method: "GET", path: "/v1/sessions/" + id + "/receipt", bearer: w.key}).want(t, 404, "not_found")
	a := w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: w.key}).want(t, 200, "")
	checkWireReceipt(t, a.body, id)
	for _, path := range []string{"/report", "/export"} {
		w.do(ask{method: "GET", path: "/v1/sessions/" + id + path, bearer: w.key}).want(t, 410, "session.erased")
	}
	for _, c := range append(file.Captures, file.Artifacts...) {
		if c.URL != "" {
			w.do(ask{method: "GET", path: c.URL, cookie: cookie}).want(t, 410, "session.erased")
		}
	}
	w.do(ask{
		method: "POST", path: "/v1/console/sessions/" + id + "/hold", cookie: cookie, body: map[string]any{"reason": "too late"},
	}).want(t, 410, "session.erased")
	w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: token}).want(t, 401, "auth.invalid")
	again := w.do(ask{method: "POST", path: "/v1/console/sessions/" + id + "/erase", cookie: cookie}).want(t, 200, "")
	if field(again.body, "statement_digest") != field(a.body, "statement_digest") {
		t.Errorf("erasing twice has two receipts:\n%s\n%s", a.body, again.body)
	}
	page := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, "")
	for _, want := range []string{`"outcome":"approved"`, `"session.erased"`, `"statement_digest"`, `"report":null`, `"captures":[]`, `"by":"policy"`} {
		if !strings.Contains(page.body, want) {
			t.Errorf("the page of an erased session lacks %s:\n%s", want, page.body)
		}
	}
	for _, body := range []string{a.body, page.body, w.do(ask{method: "GET", path: "/v1/sessions/" + id, bearer: w.key}).want(t, 200, "").body, w.log.String()} {
		for _, lacks := range []string{secret, "ERIKSSON", "L898902C3", "anna", "127.0.0.1"} {
			if strings.Contains(body, lacks) {
				t.Errorf("%q is still told:\n%.2000s", lacks, body)
			}
		}
	}
}

// checkWireReceipt verifies a receipt from its JSON alone, as its reader would.
func checkWireReceipt(t *testing.T, body, id string) {
	t.Helper()
	var r struct {
		Session         string
		FinishedAt      string `json:"finished_at"`
		Statement       json.RawMessage
		StatementDigest string `json:"statement_digest"`
		Audit           struct {
			Entry    json.RawMessage
			Position int64
			Proof    struct {
				Size            int64
				Root, Signature []byte
				PublicKey       []byte `json:"public_key"`
				Hashes          []string
			}
		}
	}
	must(t, json.Unmarshal([]byte(body), &r))
	sum := sha256.Sum256(r.Statement)
	if want := "sha256:" + hex.EncodeToString(sum[:]); r.StatementDigest != want || !bytes.Contains(r.Audit.Entry, []byte(want)) ||
		r.Session != id || r.FinishedAt == "" {
		t.Fatalf("receipt %s", body)
	}
	p := r.Audit.Proof
	var root tlog.Hash
	copy(root[:], p.Root)
	var proof tlog.RecordProof
	for _, h := range p.Hashes {
		raw, err := base64.StdEncoding.DecodeString(h)
		must(t, err)
		proof = append(proof, tlog.Hash(raw))
	}
	must(t, tlog.CheckRecord(proof, p.Size, root, r.Audit.Position, tlog.RecordHash(r.Audit.Entry)))
	if !ed25519.Verify(p.PublicKey, tlog.FormatTree(tlog.Tree{N: p.Size, Hash: root}), p.Signature) {
		t.Error("the checkpoint is not signed by the key that stands beside it")
	}
}

func TestALegalHoldKeepsASessionFromBeingErased(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, _ := w.create(w.key, nil)
	cookie := w.signIn()
	hold := ask{method: "POST", path: "/v1/console/sessions/" + id + "/hold", cookie: cookie, body: map[string]any{"reason": "court " + secret}}
	for name, reason := range map[string]string{"empty": "", "blank": "   "} {
		w.run(t, name, func(t *testing.T) {
			bad := hold
			bad.body = map[string]any{"reason": reason}
			w.do(bad).want(t, 400, "request.malformed")
		})
	}
	if a := w.do(hold).want(t, 200, ""); strings.Contains(a.body, `"held_since":null`) || strings.Contains(a.body, secret) {
		t.Errorf("held: %s", a.body)
	}
	w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: w.key}).want(t, 409, "session.legal_hold")
	w.do(ask{method: "POST", path: "/v1/console/sessions/" + id + "/erase", cookie: cookie}).want(t, 409, "session.legal_hold")
	read := ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}
	if a := w.do(read).want(t, 200, ""); !strings.Contains(a.body, secret) || !strings.Contains(a.body, `"set_by":"user:usr_`) {
		t.Errorf("an owner reads %s", a.body)
	}
	w.roles.instead = []account.Role{account.Reviewer}
	if a := w.do(read).want(t, 200, ""); strings.Contains(a.body, secret) {
		t.Errorf("a reviewer reads the reason: %s", a.body)
	}
	w.roles.instead = nil
	w.do(ask{method: "POST", path: "/v1/console/sessions/" + id + "/lift-hold", cookie: cookie}).want(t, 200, "")
	w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: w.key}).want(t, 200, "")
	if strings.Contains(w.log.String(), secret) {
		t.Error("the reason of a hold reached the log")
	}
}

func TestAnErasedAnswerIsNotRepeated(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	create := ask{method: "POST", path: "/v1/sessions", bearer: w.key, header: map[string]string{"Idempotency-Key": "once"},
		body: map[string]any{"external_reference": secret, "workflow": "no_liveness"}}
	first := w.do(create).want(t, 201, "")
	id := field(first.body, "id")
	if a := w.do(create).want(t, 201, ""); a.body != first.body {
		t.Fatalf("repeated: %s", a.body)
	}
	w.do(ask{method: "POST", path: "/v1/sessions/" + id + "/erase", bearer: w.key}).want(t, 200, "")
	if a := w.do(create).want(t, 201, ""); field(a.body, "id") == id {
		t.Errorf("the answer that held personal data outlived its session: %s", a.body)
	}
}

func TestAnExportHoldsWhatIsKeptOfAPersonAndNothingElse(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, _ := w.decided("anna")
	cookie := w.signIn()
	a := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/export", cookie: cookie}).want(t, 200, "")
	if a.header.Get("Content-Type") != "application/zip" || a.header.Get("Cache-Control") != "private, no-store" ||
		a.header.Get("Content-Disposition") != `attachment; filename="`+id+`.zip"` {
		t.Errorf("headers %v", a.header)
	}
	z, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	must(t, err)
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		must(t, err)
		raw, err := io.ReadAll(r)
		must(t, err)
		files[f.Name] = string(raw)
	}
	var names []string
	for name := range files {
		names = append(names, name)
	}
	slices.Sort(names)
	if want := []string{"pictures/01_document_front.jpg", "pictures/02_selfie.jpg", "session.json"}; !slices.Equal(names, want) {
		t.Fatalf("files %v, want %v", names, want)
	}
	if !strings.HasPrefix(files["pictures/02_selfie.jpg"], "\xff\xd8") || !strings.Contains(files["pictures/01_document_front.jpg"], "scene:") {
		t.Error("the pictures are not as they were sent")
	}
	for _, want := range []string{
		`"ERIKSSON"`, `"source": "mrz"`, `"text_version": "biometric-2026-11-3"`, `"by_policy": true`, `"session.approved"`, `"file": "pictures/02_selfie.jpg"`,
		`"not_included"`,
	} {
		if !strings.Contains(files["session.json"], want) {
			t.Errorf("session.json lacks %s:\n%s", want, files["session.json"])
		}
	}
	for _, lacks := range []string{"template\"", "link_hash", "token", "usr_", "key_", "127.0.0.1"} {
		if strings.Contains(files["session.json"], lacks) {
			t.Errorf("session.json holds %s", lacks)
		}
	}
	timeline := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id, cookie: cookie}).want(t, 200, "")
	if !strings.Contains(timeline.body, `"session.exported"`) {
		t.Error("nobody can see that it was exported")
	}
	w.roles.instead = []account.Role{account.Admin, account.SeniorReviewer, account.Auditor}
	w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/export", cookie: cookie}).want(t, 403, "auth.forbidden")
}
