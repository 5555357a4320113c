package httpapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/bonafide-id/bonafide/internal/barcode"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

const handoffPath = "/v1/applicant/handoff"

// handOver makes a hand-off and answers the secret part of its link.
func (w *world) handOver(token string) string {
	w.t.Helper()
	u := field(w.do(ask{method: "POST", path: handoffPath, bearer: token}).want(w.t, 200, "").body, "url")
	return u[strings.LastIndex(u, "/")+1:]
}

// statusOf reads what a browser hears that only watches.
func statusOf(t *testing.T, e event) wire.HandoffStatus {
	t.Helper()
	var s wire.HandoffStatus
	d := json.NewDecoder(strings.NewReader(e.data))
	d.DisallowUnknownFields()
	if e.name != "handoff" || d.Decode(&s) != nil {
		t.Fatalf("got %+v, want how far the session is", e)
	}
	return s
}

func TestTheComputerTakesTheSessionBackFromThePhone(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, func(t *testing.T, w *world) {
		t.Helper()
		_, desk := w.begun()
		const take = handoffPath + "/take"
		w.do(ask{method: "POST", path: take, bearer: desk}).want(t, 409, "session.bound_elsewhere") // nothing was handed on
		phone := w.open(w.handOver(desk))
		w.do(ask{method: "POST", path: take, bearer: phone}).want(t, 409, "session.bound_elsewhere")
		a := w.do(ask{method: "POST", path: take, bearer: desk}).want(t, 200, "")
		if field(a.body, "step") != "document_front" || strings.Contains(a.body, desk) || strings.Contains(a.body, phone) {
			t.Errorf("the task: %s", a.body)
		}
		w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: desk}).want(t, 200, "")
		w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: phone}).want(t, 409, "session.bound_elsewhere")
		w.do(ask{method: "GET", path: "/v1/applicant/events", bearer: phone}).want(t, 409, "session.bound_elsewhere")
	})
}

func TestASessionIsHandedToAPhone(t *testing.T) {
	t.Parallel()
	onEveryDatabase(t, handToPhone)
}

func handToPhone(t *testing.T, w *world) {
	t.Helper()
	w.work()
	id, desk := w.begun()
	s := w.listen("/v1/applicant/events", desk, "", "")
	if first, ok := s.next(false); !ok || first.name != "task" {
		t.Fatalf("got %+v", first)
	}
	link := w.handOver(desk)
	if e, ok := s.next(false); !ok || e.name != "task" {
		t.Fatalf("after the link was made: %+v", e)
	}
	peek := w.do(ask{method: "POST", path: "/v1/applicant/peek", body: map[string]any{"link": link}}).want(t, 200, "")
	if !strings.Contains(peek.body, `"handoff":true`) || strings.Contains(peek.body, id) {
		t.Errorf("peek: %s", peek.body)
	}
	phone := w.open(link)
	want := wire.HandoffStatus{Session: idv.SessionID(id), State: idv.TaskStep, Position: 3, Total: 4, Notices: []string{"liveness_not_required"}}
	e, _ := s.next(false)
	if diff := cmp.Diff(want, statusOf(t, e)); diff != "" {
		t.Errorf("the phone is there (-want +got):\n%s", diff)
	}
	w.send(phone, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	for want.Position = 4; ; {
		e, ok := s.next(false)
		if got := statusOf(t, e); !ok || cmp.Equal(want, got) {
			break
		}
	}
	w.send(phone, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
	var last wire.HandoffStatus
	heard := 0
	for e, ok := s.next(false); ok; e, ok = s.next(false) { // the stream ends with the verdict
		last = statusOf(t, e)
		heard++
		for _, lack := range []string{"anna", "ERIKSSON", "passport", "document", "challenge", "return_url", phone, desk, link} {
			if strings.Contains(e.data, lack) {
				t.Errorf("who watches is told %q: %s", lack, e.data)
			}
		}
	}
	if heard < 2 || last.State != idv.TaskApproved {
		t.Errorf("heard %d updates, the last %+v", heard, last)
	}
	if e, ok := w.listen("/v1/applicant/events", desk, "", "").next(false); !ok || statusOf(t, e).State != idv.TaskApproved {
		t.Errorf("after a reload: %+v", e)
	}
	if strings.Contains(w.log.String(), link) || strings.Contains(w.log.String(), phone) {
		t.Error("the log holds a secret")
	}
}

func TestABrowserThatHandedOnMayOnlyWatch(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	id, desk := w.begun()
	phone := w.open(w.handOver(desk))
	good := form{"attempt": "attempt-late", "picture": idvtest.Picture(t, idvtest.Passport("eve"))}
	bodies := map[string]any{
		"consent": map[string]any{"decision": "declined", "text_version": "biometric-2026-11-3", "locale": "en"}, "submitStep": good,
		"chooseDocument": map[string]any{"document_kind": "passport"}, "chooseLiveness": map[string]any{"path": "person"},
	}
	walked := 0
	for _, r := range w.api.Routes() {
		if r.Who != edge.Applicant {
			continue
		}
		walked++
		path := strings.NewReplacer("{step}", "document_front").Replace(filled(r.Path, id))
		if r.Watch && r.ID == "takeBack" {
			continue // the one way to act: it has a test of its own
		}
		if r.Watch {
			if e, ok := w.listen(path, desk, "", "").next(false); !ok || statusOf(t, e).State != idv.TaskStep {
				t.Errorf("%s: %+v", r.Pattern(), e)
			}
			continue
		}
		a := w.do(ask{method: r.Method, path: path, bearer: desk, body: bodies[r.ID]})
		if a.status != http.StatusConflict || a.code() != "session.bound_elsewhere" || strings.Contains(a.body, id) {
			t.Errorf("%s: got %d %s", r.Pattern(), a.status, a.body)
		}
	}
	if walked < 8 {
		t.Fatalf("%d routes", walked)
	}
	for _, path := range []string{
		"/v1/sessions/" + id, "/v1/sessions/" + id + "/report", "/v1/sessions/" + id + "/evidence/cap_06c1q2m3n4p5r6s7t8v9w0x1y2",
		"/v1/console/sessions/" + id,
	} {
		if a := w.do(ask{method: "GET", path: path, bearer: desk}); a.status != http.StatusUnauthorized {
			t.Errorf("%s: got %d", path, a.status)
		}
	}
	if a := w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: phone}).want(t, 200, ""); field(a.body, "step") != "document_front" {
		t.Errorf("the phone is at %s", a.body)
	}
}

func TestAHandoffThatCannotBeOpenedSaysWhy(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	opening := func(link string) ask {
		return ask{method: "POST", path: "/v1/applicant/open", body: map[string]any{"link": link}}
	}
	looking := func(link string) ask {
		return ask{method: "POST", path: "/v1/applicant/peek", body: map[string]any{"link": link}}
	}
	both := func(t *testing.T, link string, status int, code string) {
		t.Helper()
		for _, a := range []ask{looking(link), opening(link)} {
			scenario{ask: a, status: status, code: code, lacks: []string{link, "ses_", "token"}}.run(t, w)
		}
	}
	w.run(t, "one that was used", func(t *testing.T) {
		_, desk := w.begun()
		link := w.handOver(desk)
		w.open(link)
		both(t, link, 409, "handoff.used")
	})
	w.run(t, "one that was replaced", func(t *testing.T) {
		_, desk := w.begun()
		link := w.handOver(desk)
		w.open(w.handOver(desk))
		both(t, link, 410, "handoff.expired")
	})
	w.run(t, "one that was taken back, and the desktop goes on", func(t *testing.T) {
		_, desk := w.begun()
		link := w.handOver(desk)
		if a := w.do(ask{method: "DELETE", path: handoffPath, bearer: desk}).want(t, 200, ""); field(a.body, "step") != "document_front" {
			t.Errorf("task: %s", a.body)
		}
		both(t, link, 410, "handoff.expired")
		w.send(desk, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	})
	w.run(t, "one that nobody made", func(t *testing.T) {
		both(t, strings.Repeat("A", 43), 404, "not_found")
		both(t, "' OR 1=1; DROP TABLE handoffs;--", 404, "not_found")
	})
	w.run(t, "one too many", func(t *testing.T) {
		_, desk := w.begun()
		for range 10 {
			w.handOver(desk)
		}
		scenario{ask: ask{method: "POST", path: handoffPath, bearer: desk}, status: 429, code: "rate.limited"}.run(t, w)
	})
	w.run(t, "back, where it came from nowhere", func(t *testing.T) {
		_, desk := w.begun()
		scenario{ask: ask{method: "POST", path: handoffPath + "/back", bearer: desk}, status: 404, code: "not_found"}.run(t, w)
	})
	w.run(t, "without a token, and with another session's", func(t *testing.T) {
		id, desk := w.begun()
		other, stranger := w.begun()
		w.do(ask{method: "POST", path: handoffPath}).want(t, 401, "auth.missing")
		link := w.handOver(stranger)
		phone := w.open(link)
		if got := field(w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: phone}).body, "session"); got != other || got == id {
			t.Errorf("the link opened %s", got)
		}
		w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: desk}).want(t, 200, "")
	})
	w.run(t, "a link as a token, and a token as a link", func(t *testing.T) {
		_, desk := w.begun()
		link := w.handOver(desk)
		w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: link}).want(t, 401, "auth.invalid")
		both(t, desk, 404, "not_found")
	})
	w.run(t, "one too old", func(t *testing.T) {
		_, desk := w.begun()
		link := w.handOver(desk)
		w.clock.move(idv.HandoffLife)
		defer w.clock.move(-idv.HandoffLife)
		both(t, link, 410, "handoff.expired")
		w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: desk}).want(t, 200, "")
	})
}

func TestAHundredPhonesOpenOneHandoffAndOneHasIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) { o.Rates.Address = edge.Rate{Calls: 1000, Window: time.Minute} })
	_, desk := w.begun()
	link := w.handOver(desk)
	codes := map[string]int{}
	var mu sync.Mutex
	var all sync.WaitGroup
	for range 100 {
		all.Go(func() {
			for { // a machine that is busy with other tests may refuse some; they come back, as phones do
				res, err := http.Post(w.url+"/v1/applicant/open", "application/json", strings.NewReader(fmt.Sprintf(`{"link":%q}`, link)))
				if err != nil {
					t.Error(err)
					return
				}
				var p struct{ Code string }
				_ = json.NewDecoder(res.Body).Decode(&p)
				_ = res.Body.Close()
				if res.StatusCode == http.StatusServiceUnavailable {
					continue
				}
				mu.Lock()
				codes[fmt.Sprint(res.StatusCode, p.Code)]++
				mu.Unlock()
				return
			}
		})
	}
	all.Wait()
	if diff := cmp.Diff(map[string]int{"200": 1, "409handoff.used": 99}, codes); diff != "" {
		t.Errorf("answers (-want +got):\n%s", diff)
	}
	w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: desk}).want(t, 409, "session.bound_elsewhere")
}

func TestAPhoneHandsBackAndTheDesktopGoesOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, desk := w.begun()
	phone := w.open(w.handOver(desk))
	s := w.listen("/v1/applicant/events", desk, "", "")
	e, _ := s.next(false)
	if got := statusOf(t, e); got.Position != 3 {
		t.Errorf("watching: %+v", got)
	}
	w.send(phone, "document_front", idvtest.Passport("anna")).want(t, 200, "")
	w.do(ask{method: "POST", path: handoffPath + "/back", bearer: phone}).want(t, 204, "")
	for {
		e, ok := s.next(false)
		if !ok {
			t.Fatal("the stream ended before the task came")
		}
		if e.name == "task" {
			if field(e.data, "step") != "selfie" {
				t.Errorf("task: %s", e.data)
			}
			break
		}
	}
	w.do(ask{method: "GET", path: "/v1/applicant/task", bearer: phone}).want(t, 409, "session.bound_elsewhere")
	w.do(ask{method: "GET", path: "/v1/applicant/events", bearer: phone}).want(t, 409, "session.bound_elsewhere")
	w.do(ask{method: "POST", path: handoffPath + "/back", bearer: phone}).want(t, 409, "session.bound_elsewhere")
	w.send(desk, "selfie", idvtest.Selfie("anna")).want(t, 200, "")
}

func TestLiveUpdatesAreBoundedPerBrowser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, desk := w.begun()
	phone := w.open(w.handOver(desk))
	var open []*stream
	for range edge.StreamsPerBrowser {
		s := w.listen("/v1/applicant/events", desk, "", "")
		if _, ok := s.next(false); !ok {
			t.Fatal("a stream ended at once")
		}
		open = append(open, s)
	}
	a := w.do(ask{method: "GET", path: "/v1/applicant/events", bearer: desk}).want(t, 429, "rate.limited")
	if a.header.Get("Retry-After") == "" {
		t.Error("nothing says when to come back")
	}
	if e, ok := w.listen("/v1/applicant/events", phone, "", "").next(false); !ok || e.name != "task" {
		t.Errorf("the phone: %+v", e)
	}
	open[0].stop()
	again := func() int {
		ctx, stop := context.WithTimeout(t.Context(), 5*time.Second)
		defer stop()
		r, err := http.NewRequestWithContext(ctx, http.MethodGet, w.url+"/v1/applicant/events", nil)
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+desk)
		res, err := http.DefaultClient.Do(r)
		must(t, err)
		_ = res.Body.Close()
		return res.StatusCode
	}
	deadline := time.Now().Add(10 * time.Second)
	for again() != http.StatusOK {
		if time.Now().After(deadline) {
			t.Fatal("the place of a stream that ended stays taken")
		}
		time.Sleep(20 * time.Millisecond)
	}
}

// TestTheQRCodeHoldsTheLink draws the code as the page does and reads it with the repository's own reader.
func TestTheQRCodeHoldsTheLink(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) { o.PublicURL = "https://identity.harbour-bank.example" })
	_, desk := w.begun()
	a := w.do(ask{method: "POST", path: handoffPath, bearer: desk}).want(t, 200, "")
	var h wire.Handoff
	must(t, json.Unmarshal([]byte(a.body), &h))
	if left := time.Until(h.ExpiresAt).Round(time.Minute); left != idv.HandoffLife || !strings.HasPrefix(h.URL, "https://identity.harbour-bank.example/v/") {
		t.Errorf("it works for %v at %s", left, h.URL)
	}
	const scale, quiet = 6, 4
	side := (h.QR.Size + 2*quiet) * scale
	picture := imaging.NewGray(side, side)
	for i := range picture.Pix {
		picture.Pix[i] = 255
	}
	rects := regexp.MustCompile(`M(\d+) (\d+)h(\d+)v1h-(\d+)z`)
	if rest := rects.ReplaceAllString(h.QR.Path, ""); rest != "" {
		t.Fatalf("the path holds %q", rest)
	}
	for _, m := range rects.FindAllStringSubmatch(h.QR.Path, -1) {
		var x, y, n int
		_, err := fmt.Sscan(m[1], &x)
		must(t, err)
		_, err = fmt.Sscan(m[2], &y)
		must(t, err)
		_, err = fmt.Sscan(m[3], &n)
		must(t, err)
		for py := (y + quiet) * scale; py < (y+quiet+1)*scale; py++ {
			for px := (x + quiet) * scale; px < (x+quiet+n)*scale; px++ {
				picture.Pix[py*side+px] = 0
			}
		}
	}
	code, err := barcode.Read(t.Context(), picture)
	if err != nil || code.Format != barcode.QR || code.Text != h.URL {
		t.Errorf("read %q, %v, want %q", code.Text, err, h.URL)
	}
}
