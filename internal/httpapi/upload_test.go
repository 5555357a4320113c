package httpapi_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
)

const uploads = "/v1/applicant/uploads"

// start begins an upload and answers its id.
func (w *world) start(token string) string {
	w.t.Helper()
	return field(w.do(ask{method: "POST", path: uploads, bearer: token}).want(w.t, 201, "").body, "id")
}

func part(token, id string, offset int, b []byte) ask {
	return ask{method: "PATCH", path: uploads + "/" + id, bearer: token, body: b,
		header: map[string]string{"Content-Type": "application/partial-upload", "Upload-Offset": fmt.Sprint(offset)}}
}

// upload sends bytes in parts of that length and answers the upload's id.
func (w *world) upload(token string, b []byte, length int) string {
	w.t.Helper()
	id := w.start(token)
	for at := 0; at < len(b); at += length {
		w.do(part(token, id, at, b[at:min(at+length, len(b))])).want(w.t, 200, "")
	}
	return id
}

func received(t *testing.T, a answer) int {
	t.Helper()
	var u struct{ Received int }
	must(t, json.Unmarshal([]byte(a.body), &u))
	return u.Received
}

func blobsUnder(w *world, id string) int {
	w.t.Helper()
	n := 0
	must(w.t, w.blobs.ListPrefix(w.t.Context(), id+"/", func(string) error { n++; return nil }))
	return n
}

func formNaming(attempt, upload string, size int) form {
	return form{"attempt": attempt, "upload": upload, "size": size}
}

func front(token string, f form) ask {
	return ask{method: "PUT", path: "/v1/applicant/steps/document_front", bearer: token, body: f}
}

func TestAPictureInPartsIsTheSameAsOneInOnePiece(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, inParts)
}

func inParts(t *testing.T, w *world) {
	t.Helper()
	picture := idvtest.Picture(t, idvtest.Passport("anna"))
	id, token := w.begun()
	up := w.upload(token, picture, len(picture)/3+1)
	first := w.do(front(token, formNaming("attempt-1", up, len(picture)))).want(t, 200, "")
	if field(first.body, "step") != "selfie" {
		t.Fatalf("after the picture: %s", first.body)
	}
	if n := blobsUnder(w, id); n != 1 {
		t.Errorf("%d blobs are kept, want the capture alone", n)
	}
	again := w.do(front(token, formNaming("attempt-1", up, len(picture)))).want(t, 200, "")
	if again.body != first.body {
		t.Errorf("repeated: got %s, want %s", again.body, first.body)
	}
	w.do(front(token, form{"attempt": "attempt-1", "picture": picture})).want(t, 200, "") // the same bytes are the same attempt
	w.do(front(token, formNaming("attempt-2", up, len(picture)))).want(t, 404, "not_found")
}

func TestARefusedPictureInPartsIsNotKept(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, token := w.begun()
	up := w.upload(token, []byte("this is no picture"), 7)
	for range 2 {
		w.do(front(token, formNaming("attempt-1", up, 18))).want(t, 422, "capture.not_an_image")
		if n := blobsUnder(w, id); n != 0 {
			t.Errorf("%d blobs are kept", n)
		}
	}
}

func TestFramesInPartsLeadToAVerdict(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.work()
	id, token, c := w.challenged()
	run := frames(t, c.Token, idvtest.Selfie("anna"), 20)
	var said map[string]any
	must(t, json.Unmarshal([]byte(run["run"].(string)), &said))
	var all []byte
	var lengths []int
	for _, f := range run["frame"].([][]byte) {
		all, lengths = append(all, f...), append(lengths, len(f))
	}
	up := w.upload(token, all, 100_000)
	form := func(lengths []int) form {
		said["frame_bytes"] = lengths
		raw, err := json.Marshal(said)
		must(t, err)
		f := formNaming(run["attempt"].(string), up, len(all))
		f["run"] = string(raw)
		return f
	}
	for what, wrong := range map[string][]int{
		"too little": lengths[1:], "too much": append([]int{1}, lengths...), "nothing": nil, "less than nothing": {-1, len(all) + 1},
		"empty frames": append([]int{0}, lengths...),
	} {
		a := w.do(selfie(token, form(wrong)))
		if a.status != 400 || a.code() != "request.malformed" || !strings.HasPrefix(field(a.body, "field"), "run/") {
			t.Errorf("%s: %d %s", what, a.status, a.body)
		}
	}
	sent := w.do(selfie(token, form(lengths))).want(t, 200, "")
	if field(sent.body, "state") != "wait" {
		t.Fatalf("after the frames: %s", sent.body)
	}
	w.do(selfie(token, form(lengths))).want(t, 200, "")
	if got := w.wait(id); got != "approved" {
		t.Errorf("got %s, want approved", got)
	}
}

func TestAnUploadGoesOnFromWhereItIs(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	picture := idvtest.Picture(t, idvtest.Passport("anna"))
	half := len(picture) / 2
	_, token := w.begun()
	up := w.start(token)
	w.do(part(token, up, 0, picture[:half])).want(t, 200, "")
	w.do(part(token, up, 0, picture[:half])).want(t, 409, "capture.upload_offset") // whose answer was lost
	w.do(part(token, up, half+1, picture[half+1:])).want(t, 409, "capture.upload_offset")
	w.do(front(token, formNaming("attempt-1", up, len(picture)))).want(t, 409, "capture.upload_incomplete")
	at := received(t, w.do(ask{method: "GET", path: uploads + "/" + up, bearer: token}).want(t, 200, ""))
	if at != half {
		t.Fatalf("%d bytes are there, want %d", at, half)
	}
	w.do(part(token, up, at, picture[at:])).want(t, 200, "")
	w.do(front(token, formNaming("attempt-1", up, len(picture)))).want(t, 200, "")
}

func TestUploadsThatAreRefused(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, token := w.begun()
	_, other := w.begun()
	up := w.start(token)
	headed := func(a ask, name, value string) ask { a.header[name] = value; return a }
	good := []byte(secret)
	w.run(t, "another's", func(t *testing.T) {
		for _, a := range []ask{{method: "GET", path: uploads + "/" + up, bearer: other}, part(other, up, 0, good), front(other, formNaming("attempt-1", up, 0))} {
			w.do(a).want(t, 404, "not_found")
		}
	})
	w.run(t, "a part without its place", func(t *testing.T) {
		for _, at := range []string{"", "-1", "x", "1e3"} {
			scenario{ask: headed(part(token, up, 0, good), "Upload-Offset", at), status: 400, code: "request.malformed", lacks: []string{secret}}.run(t, w)
		}
	})
	w.run(t, "a part of another type", func(t *testing.T) {
		scenario{
			ask: headed(part(token, up, 0, good), "Content-Type", "image/jpeg"), status: 415, code: "request.unsupported_media",
			lacks: []string{secret},
		}.run(t, w)
	})
	w.run(t, "a part of nothing", func(t *testing.T) {
		scenario{ask: part(token, up, 0, nil), status: 400, code: "request.malformed"}.run(t, w)
	})
	w.run(t, "a part that is too long", func(t *testing.T) {
		scenario{ask: part(token, up, 0, make([]byte, applicant.UploadPartBytes+1)), status: 413, code: "request.too_large"}.run(t, w)
	})
	w.run(t, "an upload and a picture", func(t *testing.T) {
		f := formNaming("attempt-1", up, 0)
		f["picture"] = good
		scenario{ask: front(token, f), status: 400, code: "request.malformed", field: "upload", lacks: []string{secret}}.run(t, w)
	})
	w.run(t, "an upload without its size", func(t *testing.T) {
		scenario{ask: front(token, form{"attempt": "attempt-1", "upload": up}), status: 400, code: "request.malformed", field: "size"}.run(t, w)
	})
	w.run(t, "one upload too many takes the place of the oldest", func(t *testing.T) {
		w.do(part(token, up, 0, good)).want(t, 200, "")
		for range applicant.UploadsAtOnce {
			w.start(token)
		}
		w.do(ask{method: "GET", path: uploads + "/" + up, bearer: token}).want(t, 404, "not_found")
		if n := blobsUnder(w, id); n != 0 {
			t.Errorf("%d blobs are kept", n)
		}
	})
	w.run(t, "one that was dropped is gone", func(t *testing.T) {
		gone := w.upload(token, good, 3)
		w.do(ask{method: "DELETE", path: uploads + "/" + gone, bearer: other}).want(t, 404, "not_found")
		w.do(ask{method: "DELETE", path: uploads + "/" + gone, bearer: token}).want(t, 204, "")
		w.do(part(token, gone, len(good), good)).want(t, 404, "not_found")
		if n := blobsUnder(w, id); n != 0 {
			t.Errorf("%d blobs are kept", n)
		}
	})
	w.run(t, "before consent", func(t *testing.T) {
		_, link := w.create(w.key, nil)
		scenario{ask: ask{method: "POST", path: uploads, bearer: w.open(link)}, status: 409, code: "consent.missing"}.run(t, w)
	})
}

func TestAnUploadEndsByItself(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, token := w.begun()
	up := w.upload(token, []byte("bytes"), 2)
	w.clock.move(applicant.UploadLife + time.Minute)
	w.do(ask{method: "GET", path: uploads + "/" + up, bearer: token}).want(t, 404, "not_found")
	if n := blobsUnder(w, id); n != 3 {
		t.Fatalf("%d parts before", n)
	}
	must(t, w.sessions.Expire(t.Context()))
	if n := blobsUnder(w, id); n != 0 {
		t.Errorf("%d blobs are kept", n)
	}
}
