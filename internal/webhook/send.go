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
	// MaxExcerpt is how many bytes of a response are stored.
	MaxExcerpt       = 500
	maxAnswerHeaders = 16 << 10
	idleConnections  = 30 * time.Second
)

// Fault is the reason why an attempt failed; empty for one that succeeded.
type Fault string

// The faults.
const (
	FaultStatus     Fault = "status"     // the response is not 2xx
	FaultRedirect   Fault = "redirect"   // the response is a redirect, which is not followed
	FaultTimeout    Fault = "timeout"    // no response in time
	FaultTarget     Fault = "target"     // webhooks may not be sent to the address
	FaultTLS        Fault = "tls"        // no trustworthy certificate
	FaultConnection Fault = "connection" // no connection, or it broke
)

// Attempt is one attempt at a delivery.
type Attempt struct {
	At      time.Time
	Status  int // of the response; 0 without one
	Took    time.Duration
	Fault   Fault
	Excerpt string // of the response: at most MaxExcerpt bytes of printable text
	// RetryAfter is for how long the target asks to be left alone (429, 503): 0 to MaxRetryAfter. It is not kept.
	RetryAfter time.Duration
}

// gone reports whether the target answered 410 Gone.
func (t Attempt) gone() bool { return t.Status == http.StatusGone }

// newClient returns a client for HTTP/1.1 and 2 that uses no proxy and no cookies and follows no redirects.
func newClient(g guard, roots *x509.CertPool) *http.Client {
	return &http.Client{
		Transport: &http.Transport{
			DialContext: g.dial, TLSClientConfig: &tls.Config{MinVersion: tls.VersionTLS12, RootCAs: roots}, ForceAttemptHTTP2: true,
			MaxResponseHeaderBytes: maxAnswerHeaders, MaxIdleConnsPerHost: 2, IdleConnTimeout: idleConnections,
			TLSHandshakeTimeout: dialTime, DisableCompression: true,
		},
		CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	}
}

// send makes one attempt at a delivery. What goes wrong on the way is a Fault of the attempt; an error means that no attempt
// could be made.
func (s *Service) send(ctx context.Context, e Endpoint, d Due) (_ Attempt, err error) {
	now := s.now()
	raw, err := s.body(ctx, e, d.Event)
	if err != nil {
		return Attempt{}, err
	}
	signed, err := sign(validSecrets(e.Secrets, now), d.Event.ID, now, raw)
	if err != nil {
		return Attempt{}, err
	}
	ctx, cancel := context.WithTimeout(ctx, s.timeout)
	defer cancel()
	t := Attempt{At: now}
	header := map[string]string{
		HeaderID: string(d.Event.ID), HeaderTimestamp: strconv.FormatInt(now.Unix(), 10), HeaderSignature: signed,
	}
	ctx, span := s.tracer.Send(ctx, "webhook", d.Parent, trace.Endpoint.Is(string(e.ID)), trace.DeliveryAttempt.Is(d.Attempts+1))
	defer span.Close(&err)
	if parent := trace.Parent(ctx); parent != "" {
		header[headerParent] = parent
	}
	start := time.Now()
	s.post(ctx, e, raw, &t, header)
	t.Took = time.Since(start)
	t.annotate(span)
	return t, nil
}

// headerParent names the trace that a webhook belongs to (W3C Trace Context). It is sent only while tracing is on.
const headerParent = "traceparent"

// annotate records the outcome of the attempt in a span.
func (t Attempt) annotate(span trace.Span) {
	if t.Status != 0 {
		span.SetFacts(trace.Status.Is(t.Status))
	}
	if t.Fault != "" {
		span.Fail(string(t.Fault))
	}
}

// post sends a body and writes the outcome into the attempt.
func (s *Service) post(ctx context.Context, e Endpoint, raw []byte, t *Attempt, header map[string]string) {
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
	// The status of a response counts, even if the connection breaks while its body is read.
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
		t.RetryAfter = retryAfter(answer.Header.Get("Retry-After"), t.At)
	}
}

// retryAfter parses a Retry-After header, in seconds or as a date (RFC 9110 §10.2.3). It returns 0 for a header without a
// pause, and at most MaxRetryAfter.
func retryAfter(said string, now time.Time) time.Duration {
	said = strings.TrimSpace(said)
	if said != "" && strings.Trim(said, "0123456789") == "" {
		n, err := strconv.ParseInt(said, 10, 64)
		if err != nil || n > int64(MaxRetryAfter/time.Second) { // a number too large for int64 is too long as well
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

// excerpt returns the printable text of a response, with runs of white space replaced by one space.
func excerpt(raw []byte) string {
	var b strings.Builder
	for _, r := range strings.Join(strings.Fields(strings.ToValidUTF8(string(raw), "")), " ") {
		if unicode.IsPrint(r) && !unicode.Is(unicode.Bidi_Control, r) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// String describes an attempt for the log, without the address and the response.
func (t Attempt) String() string {
	return fmt.Sprintf("status %d, fault %q, %s", t.Status, t.Fault, t.Took.Round(time.Millisecond))
}
