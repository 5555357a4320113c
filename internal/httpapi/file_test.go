package httpapi_test

import (
	"archive/zip"
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/casefile"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/imaging"
	"github.com/bonafide-id/bonafide/internal/pdf"
)

// caseFileOf asks for a case file and answers its parts and what it proves.
func caseFileOf(w *world, cookie, id, query string) (map[string]string, audit.Proven) {
	w.t.Helper()
	a := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file" + query, cookie: cookie}).want(w.t, 200, "")
	if a.header.Get("Content-Type") != "application/zip" || a.header.Get("Cache-Control") != "private, no-store" {
		w.t.Errorf("headers %v", a.header)
	}
	held, err := casefile.Verify(strings.NewReader(a.body), int64(len(a.body)))
	must(w.t, err)
	z, err := zip.NewReader(strings.NewReader(a.body), int64(len(a.body)))
	must(w.t, err)
	files := map[string]string{}
	for _, f := range z.File {
		r, err := f.Open()
		must(w.t, err)
		raw, err := io.ReadAll(r)
		must(w.t, err)
		files[f.Name] = string(raw)
	}
	return files, held
}

// located is a picture as a phone makes it: behind its first bytes stands where it was taken.
func located(jpg []byte) []byte {
	const exif = "Exif\x00\x00MM\x00\x2a\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x01\x00\x00\x00\x00\x00\x00GPSLatitude 52/1 31/1 12/1 N"
	out := binary.BigEndian.AppendUint16([]byte{0xff, 0xd8, 0xff, 0xe1}, uint16(len(exif)+2))
	return append(append(out, exif...), jpg[2:]...)
}

func TestACaseFileDoesNotSayWhereAPictureWasTaken(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, token := w.begun()
	sent := map[string][]byte{
		"document_front": located(idvtest.Picture(t, idvtest.Passport("anna"))), "selfie": located(idvtest.Picture(t, idvtest.Selfie("anna"))),
	}
	for i, step := range []string{"document_front", "selfie"} {
		w.do(ask{
			method: "PUT", path: "/v1/applicant/steps/" + step, bearer: token,
			body: form{"attempt": fmt.Sprintf("located-%d", i), "picture": sent[step]},
		}).want(t, 200, "")
	}
	w.wait(id)
	files, _ := caseFileOf(w, w.signIn(), id, "?pictures=true")
	var content casefile.Content
	must(t, json.Unmarshal([]byte(files["case.json"]), &content))
	if len(content.Pictures) != 2 {
		t.Fatalf("pictures: %+v", content.Pictures)
	}
	for _, p := range content.Pictures {
		raw := sent[string(p.Step)]
		whole, part := sha256.Sum256(raw), sha256.Sum256([]byte(files[p.File]))
		if !p.Bared || string(p.Sent) != hex.EncodeToString(whole[:]) || string(p.SHA256) != hex.EncodeToString(part[:]) {
			t.Errorf("%s: %+v", p.File, p)
		}
		if !strings.Contains(files["case.html"], string(p.Sent)) {
			t.Errorf("the page does not say what %s was sent as", p.File)
		}
		want, _, err := imaging.Decode(raw, imaging.Limits{})
		must(t, err)
		got, _, err := imaging.Decode([]byte(files[p.File]), imaging.Limits{})
		must(t, err)
		if !bytes.Equal(got.Pix, want.Pix) {
			t.Errorf("%s shows something else", p.File)
		}
	}
	for name, raw := range files {
		if strings.Contains(raw, "GPS") || strings.Contains(raw, "scene:") {
			t.Errorf("%s says where a picture was taken, or holds what stood behind it", name)
		}
	}
}

func TestADamagedPictureIsAProblemAndNoBrokenDownload(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, _ := w.decided("anna")
	cookie := w.signIn()
	captures, err := w.store.Captures(t.Context(), idv.SessionID(id))
	must(t, err)
	must(t, w.blobs.WriteSealed(t.Context(), captures[0].Blob, strings.NewReader("something else")))
	for _, path := range []string{
		"/v1/console/sessions/" + id + "/file?pictures=true", "/v1/console/sessions/" + id + "/export",
		"/v1/console/sessions/" + id + "/evidence/" + string(captures[0].ID),
	} {
		a := w.do(ask{method: "GET", path: path, cookie: cookie}).want(t, 500, "evidence.damaged")
		if a.header.Get("Content-Type") != "application/problem+json" || a.header.Get("Content-Disposition") != "" || strings.Contains(a.body, "PK") ||
			strings.Contains(a.body, string(captures[0].ID)) {
			t.Errorf("%s: %v %s", path, a.header, a.body)
		}
	}
	if !strings.Contains(w.log.String(), "evidence "+string(captures[0].ID)+" of session "+id) {
		t.Errorf("the log does not name the session: %s", w.log.String())
	}
	w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file", cookie: cookie}).want(t, 200, "")
}

func TestACaseFileNamesFramesThatDoNotOpen(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, token, c := w.challenged()
	run := frames(t, c.Token, idvtest.Selfie("anna"), 20)
	sent, ok := run["frame"].([][]byte)
	if !ok {
		t.Fatalf("the frames are %T", run["frame"])
	}
	junk := append([]byte("\xff\xd8no picture"), sent[7][2:]...) // its header can be read, and it does not open
	sent[7] = junk
	w.do(selfie(token, run)).want(t, 200, "")
	w.wait(id)
	files, held := caseFileOf(w, w.signIn(), id, "?pictures=true")
	if says := strings.Join(held.Statements, "\n"); !strings.Contains(says, "could not be opened when the file was made, and are not in it: 1.") {
		t.Errorf("whoever verifies it reads %q", says)
	}
	var content casefile.Content
	must(t, json.Unmarshal([]byte(files["case.json"]), &content))
	if len(content.Pictures) != 21 {
		t.Fatalf("%d pictures, want the page and 20 frames", len(content.Pictures))
	}
	whole := sha256.Sum256(junk)
	for i, p := range content.Pictures {
		_, there := files[p.File]
		if bad := i == 8; p.Unopened != bad || there == bad || (p.SHA256 == "") != bad || (p.File == "") != bad {
			t.Errorf("picture %d: %+v, in the file %t", i, p, there)
		}
	}
	if bad := content.Pictures[8]; string(bad.Sent) != hex.EncodeToString(whole[:]) ||
		!strings.Contains(files["case.html"], "Could not be opened, and is not in this file.") ||
		!strings.Contains(files["case.html"], string(bad.Sent)) || strings.Contains(files["case.html"], `src=""`) {
		t.Errorf("the page does not say what could not be opened: %+v", bad)
	}
	for name, raw := range files {
		if strings.Contains(raw, "no picture") {
			t.Errorf("%s holds what was sent instead of a picture", name)
		}
	}
}

func TestACaseFileHoldsWithoutTheServer(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, _, _ := w.referred(w.key)
	cookie := w.signIn()

	w.run(t, "without pictures", func(t *testing.T) {
		files, held := caseFileOf(w, cookie, id, "")
		for name := range files {
			if !slices.Contains([]string{"case.html", "case.json", "manifest.json", "proof.json"}, name) {
				t.Errorf("it has %s", name)
			}
		}
		for _, want := range []string{`"ERIKSSON"`, `"made_by": "Ada (usr_`, `"text_version": "biometric-2026-11-3"`, `"by": "policy"`} {
			if !strings.Contains(files["case.json"], want) {
				t.Errorf("case.json lacks %s", want)
			}
		}
		for _, lacks := range []string{"template\"", "link_hash", "token", "127.0.0.1"} {
			if strings.Contains(files["case.json"]+files["case.html"], lacks) {
				t.Errorf("it holds %s", lacks)
			}
		}
		if !strings.Contains(strings.Join(held.Statements, "\n"), "session.created "+id) {
			t.Errorf("it proves only %q", held.Statements)
		}
	})
	w.run(t, "with pictures, each of which is audited", func(t *testing.T) {
		viewed := len(auditPage(w, cookie, "?action=evidence.viewed").Items)
		files, _ := caseFileOf(w, cookie, id, "?pictures=true")
		if !strings.HasPrefix(files["pictures/02_selfie.jpg"], "\xff\xd8") {
			t.Errorf("the selfie is not there: %d parts", len(files))
		}
		if got := len(auditPage(w, cookie, "?action=evidence.viewed").Items) - viewed; got != 2 {
			t.Errorf("%d pictures are on record, want 2", got)
		}
		if got := auditPage(w, cookie, "?action=session.filed&about="+id).Items; len(got) != 2 || got[0].Name != "Ada" {
			t.Errorf("files on record: %+v", got)
		}
	})
	w.run(t, "as a document whose bytes the audit log names", func(t *testing.T) {
		viewed := len(auditPage(w, cookie, "?action=evidence.viewed").Items)
		a := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file?as=pdf&pictures=true", cookie: cookie}).want(t, 200, "")
		if a.header.Get("Content-Type") != "application/pdf" || !strings.Contains(a.header.Get("Content-Disposition"), id+"-case.pdf") {
			t.Errorf("headers %v", a.header)
		}
		reader := pdf.New(pdf.Options{Timeout: 5 * time.Minute, Wait: 5 * time.Minute}) // it is compiled once for both files
		pages, err := reader.Text(t.Context(), []byte(a.body))
		must(t, err)
		said := strings.Join(strings.Fields(strings.Join(pages, " ")), " ")
		for _, want := range []string{"ERIKSSON", "Referred", "by policy", "Facts by source", "Checks", "Pictures"} {
			if !strings.Contains(said, want) {
				t.Errorf("it lacks %q:\n%s", want, said)
			}
		}
		if got := len(auditPage(w, cookie, "?action=evidence.viewed").Items) - viewed; got != 2 {
			t.Errorf("%d pictures are on record, want 2", got)
		}
		filed := auditPage(w, cookie, "?action=session.filed&about="+id).Items
		if len(filed) != 3 || filed[0].Subject != casefile.DigestOf([]byte(a.body)) {
			t.Errorf("on record: %+v", filed)
		}
		for _, query := range []string{"as=docx", "as=pdf&language=tlh", "as=pdf&language=../de"} {
			w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file?" + query, cookie: cookie}).want(t, 400, "request.malformed")
		}
		german := w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file?as=pdf&language=de", cookie: cookie}).want(t, 200, "").body
		pages, err = reader.Text(t.Context(), []byte(german))
		must(t, err)
		if said := strings.Join(pages, " "); !strings.Contains(said, "Fallakte") || !strings.Contains(said, "Zur Prüfung verwiesen") {
			t.Errorf("in German it says:\n%s", said)
		}
	})
	w.run(t, "to those who may", func(t *testing.T) {
		defer func() { w.roles.instead = nil }()
		path := "/v1/console/sessions/" + id + "/file"
		w.roles.instead = []account.Role{account.PrivacyOfficer}
		w.do(ask{method: "GET", path: path, cookie: cookie}).want(t, 200, "")
		for _, query := range []string{"?pictures=true", "?pictures=true&as=pdf"} {
			w.do(ask{method: "GET", path: path + query, cookie: cookie}).want(t, 403, "auth.forbidden")
		}
	})
	w.run(t, "of an erased session with nothing personal", func(t *testing.T) {
		_, err := w.sessions.Erasures.Erase(t.Context(), idv.Test, idv.SessionID(id))
		must(t, err)
		w.do(ask{method: "GET", path: "/v1/console/sessions/" + id + "/file?pictures=true", cookie: cookie}).want(t, 410, "session.erased")
		files, _ := caseFileOf(w, cookie, id, "")
		all := strings.Join([]string{files["case.html"], files["case.json"]}, "\n")
		if strings.Contains(all, "ERIKSSON") || !strings.Contains(all, `"statement"`) || !strings.Contains(all, `"erasings"`) {
			t.Errorf("it holds:\n%s", files["case.json"])
		}
	})
}
