package httpapi_test

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/png"
	"io"
	"net"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bonafide-id/bonafide/internal/flow"
	"github.com/bonafide-id/bonafide/internal/httpapi"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/idvtest"
	"github.com/bonafide-id/bonafide/internal/imaging"
)

// sendHead opens a connection and sends the head of a step's form of that length, and as many bytes of it.
func (w *world) sendHead(token, address string, length, now int) net.Conn {
	w.t.Helper()
	var dialer net.Dialer
	c, err := dialer.DialContext(w.t.Context(), "tcp", strings.TrimPrefix(w.url, "http://"))
	must(w.t, err)
	w.t.Cleanup(func() { _ = c.Close() })
	_, err = fmt.Fprintf(c, "PUT /v1/applicant/steps/document_front HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer %s\r\n"+
		"X-Forwarded-For: %s\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: %d\r\n\r\n", token, address, length)
	must(w.t, err)
	if now > 0 {
		part := "--b\r\nContent-Disposition: form-data; name=\"picture\"; filename=\"x\"\r\n\r\n"
		_, err = io.WriteString(c, part+strings.Repeat("x", now-len(part)))
		must(w.t, err)
	}
	return c
}

func TestSlowSendersDoNotKeepOthersFromSending(t *testing.T) {
	t.Parallel()
	for name, first := range map[string]int{"a few bytes": 200, "a good start": 100 << 10} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w := newWorld(t, func(o *httpapi.Options) {
				o.PictureBytes, o.Proxies = 96<<20, []netip.Prefix{netip.MustParsePrefix("127.0.0.0/8")}
			})
			for i := range 2 {
				_, token := w.begun()
				for range 3 {
					w.sendHead(token, fmt.Sprintf("192.0.2.%d", i), 15<<20, first)
				}
			}
			picture := append(idvtest.Picture(t, idvtest.Passport("anna")), bytes.Repeat([]byte(" "), 3<<20)...)
			var tokens []string
			for range 12 {
				_, token := w.begun()
				tokens = append(tokens, token)
			}
			var all sync.WaitGroup
			for i, token := range tokens {
				a := front(token, form{"attempt": "attempt-1", "picture": picture})
				a.header = map[string]string{"X-Forwarded-For": fmt.Sprintf("198.51.100.%d", i)}
				all.Go(func() {
					if got := w.do(a); got.status != 200 {
						t.Errorf("upload %d: %d %s", i, got.status, got.body)
					}
				})
			}
			all.Wait()
		})
	}
}

func TestWhoSendsTooSlowlyIsEndedAndItsRoomIsFree(t *testing.T) {
	t.Parallel()
	w := newWorld(t, func(o *httpapi.Options) {
		o.PictureBytes, o.PictureWait, o.BodyGrace = 46<<20, 20*time.Millisecond, 200*time.Millisecond
	})
	for name, first := range map[string]int{"nothing": 0, "a few bytes": 200} {
		w.run(t, name, func(t *testing.T) {
			_, token := w.begun()
			c := w.sendHead(token, "", 15<<20, first)
			must(t, c.SetReadDeadline(time.Now().Add(20*time.Second)))
			raw, err := io.ReadAll(c)
			must(t, err)
			head, body, _ := strings.Cut(string(raw), "\r\n\r\n")
			if !strings.HasPrefix(head, "HTTP/1.1 408 ") || !strings.Contains(head, "Connection: close") {
				t.Errorf("the answer is %s", head)
			}
			code := field(body, "code")
			if code != "request.too_slow" {
				t.Errorf("the problem is %q", code)
			}
			raised(code)
			w.wantRoom(t)
		})
	}
	w.run(t, "JSON", func(t *testing.T) {
		from, to := io.Pipe()
		defer func() { _ = to.Close() }()
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, w.url+"/v1/sessions", from)
		must(t, err)
		r.Header.Set("Authorization", "Bearer "+w.key)
		go func() { _, _ = to.Write([]byte(`{"metadata":`)) }()
		res, err := http.DefaultClient.Do(r)
		must(t, err)
		defer func() { _ = res.Body.Close() }()
		raw, err := io.ReadAll(res.Body)
		must(t, err)
		(answer{status: res.StatusCode, header: res.Header, body: string(raw)}).want(t, 408, "request.too_slow")
	})
}

// wantRoom checks that a largest picture has room: in a room that is little larger, no other picture can be held.
func (w *world) wantRoom(t *testing.T) {
	t.Helper()
	_, token := w.begun()
	body := front(token, form{"attempt": "attempt-1", "picture": bytes.Repeat([]byte("x"), 15<<20)})
	w.do(body).want(t, 422, "capture.not_an_image")
}

// A client that sends its picture through a reverse proxy does not look for an answer before it is done: the answer has to wait for it.
func TestARefusedUploadIsAnsweredWhenItsBodyHasArrived(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	_, token := w.begun()
	for name, tt := range map[string]struct {
		token  string
		length int
		want   string
	}{
		"a token that is none":        {"wrong", 2 << 20, "HTTP/1.1 401 "},
		"a picture that is too large": {token, 17 << 20, "HTTP/1.1 413 "},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c := w.sendHead(tt.token, "", tt.length, 200)
			must(t, c.SetDeadline(time.Now().Add(20*time.Second)))
			const parts = 30
			part := bytes.Repeat([]byte("x"), (tt.length-200)/parts)
			for range parts { // longer than the server of the standard library waits for
				time.Sleep(40 * time.Millisecond)
				if _, err := c.Write(part); err != nil {
					t.Fatalf("the server hangs up while the body is sent: %v", err)
				}
			}
			_, err := c.Write(make([]byte, (tt.length-200)%parts))
			must(t, err)
			head := make([]byte, len(tt.want))
			_, err = io.ReadFull(c, head)
			must(t, err)
			if string(head) != tt.want {
				t.Errorf("got %q, want %q", head, tt.want)
			}
		})
	}
}

func TestAFloodOfLargePicturesIsAnsweredAndLeavesTheRoomEmpty(t *testing.T) {
	t.Parallel()
	const people, most = 60, 46 << 20
	w := newWorld(t, func(o *httpapi.Options) { o.PictureBytes, o.PictureWait = most, time.Second })
	var b bytes.Buffer
	must(t, png.Encode(&b, image.NewGray(image.Rect(0, 0, 10_000, 5_000))))
	var open, peak atomic.Int64
	w.lab.OnGlance = func(_ context.Context, c idv.Capture) {
		if now := open.Add(1); now > peak.Load() {
			peak.Store(now)
		}
		defer open.Add(-1)
		_, _, _ = imaging.Open(c.Bytes, imaging.Limits{})
	}
	var tokens []string
	for range people {
		_, token := w.begun()
		tokens = append(tokens, token)
	}
	var all sync.WaitGroup
	var looked, busy atomic.Int64
	for _, token := range tokens {
		all.Go(func() {
			began := time.Now()
			got := w.do(front(token, form{"attempt": "attempt-1", "picture": b.Bytes()}))
			switch {
			case got.status == 503 && got.header.Get("Retry-After") != "":
				busy.Add(1)
			case got.status == 200 || got.status == 422:
				looked.Add(1)
			default:
				t.Errorf("%d %s", got.status, got.body)
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("the answer took %v", took)
			}
		})
	}
	all.Wait()
	if looked.Load() == 0 || busy.Load() < people-flow.DefaultLooks-20 {
		t.Errorf("%d were looked at, %d told to come back", looked.Load(), busy.Load())
	}
	if peak.Load() > flow.DefaultPixels/50_000_000 {
		t.Errorf("%d pictures of 50 million pixels were open at once", peak.Load())
	}
	w.wantRoom(t)
}
