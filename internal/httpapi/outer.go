package httpapi

import (
	"cmp"
	"crypto/rand"
	"encoding/base32"
	"encoding/json"
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

	"github.com/bonafide-id/bonafide/internal/problem"
)

const requestIDHeader = "X-Request-Id"

// outer is what every request passes: a request id, the access log, the last net for panics, headers that
// keep browsers safe, and the refusal of writes from foreign pages.
func (s *Server) outer(next http.Handler) http.Handler {
	foreign := http.NewCrossOriginProtection()
	if u, err := url.Parse(s.publicURL); err == nil && u.Host != "" { // a proxy in front may have changed the Host header
		_ = foreign.AddTrustedOrigin(u.Scheme + "://" + u.Host) // fails only for what is no origin, and this is one
	}
	foreign.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		s.fail(w, r, problem.New(problem.AuthForbidden).Saying("A page of another origin may not do this."))
	}))
	inner := s.catch(foreign.Handler(next))
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		q := &request{start: time.Now(), pattern: "unmatched", address: s.clientAddress(r)}
		q.id, q.chosen = requestIDOf(r)
		r = r.WithContext(withRequest(r.Context(), q))
		w.Header().Set(requestIDHeader, q.id)
		safeHeaders(w.Header())
		if strings.HasPrefix(s.publicURL, "https:") {
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		q.aborted = true // until it is known not to be: a panic that gets here ends the connection
		defer func() { s.logAccess(r, q) }()
		q.answer.CaptureMetrics(w, func(w http.ResponseWriter) { inner.ServeHTTP(w, r) })
		q.aborted = false
	})
}

// logAccess writes one line a request: ids, pattern, numbers. Never a path, query, header or body.
func (s *Server) logAccess(r *http.Request, q *request) {
	status, took := cmp.Or(q.answer.Code, http.StatusOK), q.answer.Duration
	q.endSpan(status)
	s.metrics.request(r.Context(), q.pattern, r.Method, status, took)
	s.note(q, method(r.Method), status, took)
	level := slog.LevelInfo
	if probe(q.pattern) || q.pattern == "asset" {
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
	s.log.LogAttrs(q.span.In(r.Context()), level, "request", attrs...)
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
func (s *Server) catch(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			v := recover()
			if v == nil {
				return
			}
			if err, ok := v.(error); ok && errors.Is(err, http.ErrAbortHandler) {
				panic(http.ErrAbortHandler)
			}
			q := known(r.Context())
			s.log.ErrorContext(q.span.In(r.Context()), "panic", "request_id", requestID(r.Context()), "panic", fmt.Sprintf("%T", v), "stack", string(debug.Stack()))
			if q.answer.Code != 0 || q.answer.Written > 0 {
				panic(http.ErrAbortHandler) // half an answer is out: end the connection, so that nobody takes it for whole
			}
			s.fail(w, r, problem.New(problem.Internal))
		}()
		next.ServeHTTP(w, r)
	})
}

// fail answers a problem from outside of the framework.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	p := problemOf(r.Context(), s.log, err)
	for k, values := range p.GetHeaders() {
		w.Header()[k] = values
	}
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(p.Status)
	if err := json.NewEncoder(w).Encode(p); err != nil {
		s.log.DebugContext(r.Context(), "problem not delivered", "request_id", p.RequestID, "error", err)
	}
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

// requestIDOf is the request id that was sent, or a new one.
func requestIDOf(r *http.Request) (id string, sent bool) {
	if id := r.Header.Get(requestIDHeader); sentID.MatchString(id) {
		return id, true
	}
	var raw [10]byte
	_, _ = rand.Read(raw[:]) // never fails: crypto/rand ends the program instead
	return "req_" + strings.ToLower(base32.HexEncoding.WithPadding(base32.NoPadding).EncodeToString(raw[:])), false
}

// clientAddress is the address of the client: the last hop that is not one of our proxies.
func (s *Server) clientAddress(r *http.Request) string {
	host, _, err := net.SplitHostPort(r.RemoteAddr)
	if err != nil {
		host = r.RemoteAddr
	}
	hops := strings.Split(strings.Join(r.Header.Values("X-Forwarded-For"), ","), ",")
	for i := len(hops) - 1; i >= 0 && s.trusts(host); i-- {
		next := strings.TrimSpace(hops[i])
		if _, err := netip.ParseAddr(next); err != nil {
			break
		}
		host = next
	}
	return host
}

func (s *Server) trusts(host string) bool {
	a, err := netip.ParseAddr(host)
	if err != nil {
		return false
	}
	for _, p := range s.proxies {
		if p.Contains(a.Unmap()) {
			return true
		}
	}
	return false
}
