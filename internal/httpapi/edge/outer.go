package edge

import (
	"cmp"
	"crypto/rand"
	"encoding/base32"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"runtime/debug"
	"strings"
	"time"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// note adds a request that carried an API key to the log of calls.
func (e *Edge) note(q *request, method string, status int, took time.Duration) {
	if q.key.ID == "" {
		return
	}
	e.calls.add(account.Call{
		RequestID: q.id, Mode: q.key.Mode, Key: q.key.ID, Method: method, Route: routeOf(q.pattern), Status: status,
		Problem: q.problem, Took: took, At: e.now(),
	})
}

const requestIDHeader = "X-Request-Id"

// Outer wraps a handler in what every request passes: a request id, the access log, the recovery from panics, safe headers, and the
// refusal of writes from pages of other origins.
func (e *Edge) Outer(next http.Handler) http.Handler {
	foreign := http.NewCrossOriginProtection()
	if u, err := url.Parse(e.publicURL); err == nil && u.Host != "" { // a proxy in front may have changed the Host header
		_ = foreign.AddTrustedOrigin(u.Scheme + "://" + u.Host) // fails only for what is no origin, and this is one
	}
	foreign.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		e.Problems.Write(w, r, problem.New(problem.AuthForbidden).Saying("A page of another origin may not do this."))
	}))
	inner := e.catch(e.versioned(foreign.Handler(next)))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := &request{start: time.Now(), pattern: "unmatched", address: e.clientAddress(r), base: e.publicURL}
		q.id, q.chosen = requestIDOf(r)
		r = r.WithContext(withRequest(r.Context(), q))
		w.Header().Set(requestIDHeader, q.id)
		safeHeaders(w.Header())
		if strings.HasPrefix(e.publicURL, "https:") {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		q.aborted = true // until it is known not to be: a panic that gets here ends the connection
		defer func() { e.logAccess(r, q) }()
		q.answer.CaptureMetrics(w, func(w http.ResponseWriter) { inner.ServeHTTP(w, r) })
		q.aborted = false
	})
}

// logAccess writes one line a request: ids, pattern, numbers. Never a path, query, header or body.
func (e *Edge) logAccess(r *http.Request, q *request) {
	status, took := cmp.Or(q.answer.Code, http.StatusOK), q.answer.Duration
	q.endSpan(status)
	e.metrics.request(r.Context(), q.pattern, r.Method, status, took)
	e.note(q, method(r.Method), status, took)
	level := slog.LevelInfo
	if probe(q.pattern) || q.pattern == "asset" || q.refused { // where there are many refusals, the metrics tell them
		level = slog.LevelDebug
	}
	attrs := []slog.Attr{
		slog.String("request_id", q.id), slog.String("method", method(r.Method)), slog.String("route", q.pattern), slog.Int("status", status),
		slog.Int64("bytes", q.answer.Written), slog.Duration("took", took.Round(time.Microsecond)),
	}
	if q.actor != "" {
		attrs = append(attrs, slog.String("actor", q.actor))
	}
	if q.aborted {
		attrs = append(attrs, slog.Bool("aborted", true))
	}
	if q.problem != "" {
		attrs = append(attrs, slog.String("problem", q.problem))
	}
	e.log.LogAttrs(q.span.In(r.Context()), level, "request", attrs...)
}

// probe reports whether a route is for machines that only ask whether the server is there.
func probe(path string) bool {
	return strings.HasSuffix(path, "/healthz") || strings.HasSuffix(path, "/readyz")
}

// method keeps made-up methods, which can say anything, out of log and metrics.
func method(m string) string {
	switch m {
	case http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete, http.MethodOptions:
		return m
	}
	return "OTHER"
}

// catch turns a panic into "internal". The stack is logged; what was sent is not.
func (e *Edge) catch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler)
			}
			q := requestOf(r.Context())
			e.log.ErrorContext(q.span.In(r.Context()), "panic", "request_id", RequestID(r.Context()), "panic", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			if q.answer.Code != 0 || q.answer.Written > 0 {
				panic(http.ErrAbortHandler) // half an answer is out: end the connection, so that nobody takes it for whole
			}
			e.Problems.Write(w, r, problem.New(problem.Internal))
		}()
		next.ServeHTTP(w, r)
	})
}

// safeHeaders are sent with everything; pages replace the content policy by their own.
func safeHeaders(h http.Header) {
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("X-Frame-Options", "DENY")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("Cross-Origin-Opener-Policy", "same-origin")
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
	h.Set("Permissions-Policy", "camera=(), microphone=(), geolocation=(), payment=(), usb=()")
	h.Set("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'")
	h.Set("Cache-Control", "no-store")
}

// sentID is the form that a request id from outside must have to be taken over.
var sentID = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)

// requestIDOf returns the request id that was sent, or a new one.
func requestIDOf(r *http.Request) (id string, sent bool) {
	if id := r.Header.Get(requestIDHeader); sentID.MatchString(id) {
		return id, true
	}
	var raw [10]byte
	_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	return "req_" + strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(raw[:])), false
}

// clientAddress returns the address of the client: the last hop that is not one of our proxies.
func (e *Edge) clientAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && e.trusts(host); i-- {
		next := strings.TrimSpace(hops[i])
		if _, err := netip.ParseAddr(next); err != nil {
			break
		}
		host = next
	}
	return host
}

func (e *Edge) trusts(host string) bool {
	a, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, p := range e.proxies {
		if p.Contains(a.Unmap()) {
			return true
		}
	}
	return false
}
