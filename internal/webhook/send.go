package webhook

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/trace"
)

// Limits of one attempt.
const (
	DefaultTimeout = 10 * time.Second
	// MaxExcerpt is how much of an answer is kept, in bytes.
	MaxExcerpt       = 500
	maxAnswerHeaders = 16 << 10
	idleConnections  = 30 * time.Second
)

// Fault says why a try failed. It is empty where it did not.
type Fault string

// The faults.
const (
	FaultStatus     Fault = "status"     // an answer that is not 2xx
	FaultRedirect   Fault = "redirect"   // an answer that sends elsewhere; not followed
	FaultTimeout    Fault = "timeout"    // no answer in time
	FaultTarget     Fault = "target"     // the address is one that webhooks do not go to
	FaultTLS        Fault = "tls"        // no trustworthy certificate
	FaultConnection Fault = "connection" // no connection, or it broke
)

// Try is one attempt at a delivery.
type Try struct {
	At      time.Time
	Status  int // of the answer; 0 without one
	Took    time.Duration
	Fault   Fault
	Excerpt string // of the answer: at most MaxExcerpt bytes of printable text
	// After is for how long the target asks to be left alone (429, 503): 0 to MaxRetryAfter. It is not kept.
	After time.Duration
}

// gone reports whether the target says that it will never take anything again.
func (t Try) gone() bool { return t.Status == http.StatusGone }

// client sends by HTTP/1.1 or 2, without proxies, redirects or cookies.
func client(g guard, roots *x509.CertPool) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext: g.dial, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: maxAnswerHeaders, MaxIdleConnsPerHost: 2, IdleConnTimeout: idleConnections,
			TLSHandshakeTimeout: dialTime, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// send tries a delivery once. It does not fail: what went wrong is in the try. An error means that it could not be
// tried at all.
func (s *Service) send(ctx context.Context, e Endpoint, d Due) (_ Try, err error) {
	now := s.now()
	raw, err := body(d.Event)
	if err != nil {
		return Try{}, err
	}
	signed, err := signature(valid(e.Secrets, now), d.Event.ID, now, raw)
	if err != nil {
		return Try{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	t := Try{At: now}
	header := map[string]string{
		HeaderID: string(d.Event.ID), HeaderTimestamp: strconv.FormatInt(now.Unix(), 10), HeaderSignature: signed,
	}
	ctx, span := s.tracer.Send(ctx, "webhook", d.Parent, trace.Endpoint.Is(string(e.ID)), trace.Try.Is(d.Attempt+1))
	defer span.Close(&err)
	if parent := trace.Parent(ctx); parent != "" {
		header[headerParent] = parent
	}
	start := time.Now()
	s.post(ctx, e, raw, &t, header)
	t.Took = time.Since(start)
	t.tell(span)
	return t, nil
}

// headerParent says which trace a webhook belongs to (W3C Trace Context); it is there only where traces are on.
const headerParent = "traceparent"

// tell says in a span how the try went.
func (t Try) tell(span trace.Span) {
	if t.Status != 0 {
		span.Tell(trace.Status.Is(t.Status))
	}
	if t.Fault != "" {
		span.Fail(string(t.Fault))
	}
}

// post sends a body and notes what was answered.
func (s *Service) post(ctx context.Context, e Endpoint, raw []byte, t *Try, header map[string]string) {
	if err := s.guard.check(ctx, e.URL, e.Mode); err != nil {
		t.Fault = faultOf(err)
		return
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, e.URL, bytes.NewReader(raw))
	if err != nil {
		t.Fault = FaultTarget
		return
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("User-Agent", "Bonafide-Webhooks/1")
	for name, v := range header {
		r.Header.Set(name, v)
	}
	answer, err := s.client.Do(r)
	if err != nil {
		t.Fault = faultOf(err)
		return
	}
	defer func() { _ = answer.Body.Close() }() // nothing of it is needed any more
	// An answer that breaks off was still an answer: its status counts.
	begin, _ := io.ReadAll(io.LimitReader(answer.Body, MaxExcerpt))
	t.Status, t.Excerpt = answer.StatusCode, excerpt(begin)
	switch {
	case t.Status >= 200 && t.Status < 300:
	case t.Status >= 300 && t.Status < 400:
		t.Fault = FaultRedirect
	default:
		t.Fault = FaultStatus
	}
	if t.Status == http.StatusTooManyRequests || t.Status == http.StatusServiceUnavailable {
		t.After = retryAfter(answer.Header.Get("Retry-After"), t.At)
	}
}

// retryAfter reads a pause in seconds or as the time of its end (RFC 9110 §10.2.3): 0 where it says none, MaxRetryAfter
// where it is longer.
func retryAfter(said string, now time.Time) time.Duration {
	said = strings.TrimSpace(said)
	if said != "" && strings.Trim(said, "0123456789") == "" {
		n, err := strconv.ParseInt(said, 10, 64)
		if err != nil || n > int64(MaxRetryAfter/time.Second) { // what does not fit is longer, too
			return MaxRetryAfter
		}
		return time.Duration(n) * time.Second
	}
	at, err := http.ParseTime(said)
	if err != nil {
		return 0
	}
	return min(max(at.Sub(now), 0), MaxRetryAfter)
}

func faultOf(err error) Fault {
	var (
		netErr  net.Error
		certErr *tls.CertificateVerificationError
		record  tls.RecordHeaderError
		alert   tls.AlertError
	)
	switch {
	case problem.Has(err, problem.WebhookTargetRefused) || errors.Is(err, errRefused):
		return FaultTarget
	case errors.As(err, &certErr) || errors.As(err, &record) || errors.As(err, &alert) || errors.Is(err, http.ErrSchemeMismatch):
		return FaultTLS
	case errors.Is(err, context.DeadlineExceeded) || (errors.As(err, &netErr) && netErr.Timeout()):
		return FaultTimeout
	default:
		return FaultConnection
	}
}

// excerpt makes text of the beginning of an answer: what cannot be printed is left out, white space is one space.
func excerpt(raw []byte) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(strings.ToValidUTF8(string(raw), "")), " ") {
		if unicode.IsPrint(r) && !unicode.Is(unicode.Bidi_Control, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// String says how a try went, for the log: no address and no answer.
func (t Try) String() string {
	return fmt.Sprintf("status %d, fault %q, %s", t.Status, t.Fault, t.Took.Round(time.Millisecond))
}
