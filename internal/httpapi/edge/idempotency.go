package edge

import (
	"bytes"
	"context"
	"crypto/aes"
	"crypto/cipher"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"time"
	"unicode"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// The header of a repeatable call, and the length of its value at most.
const (
	IdempotencyHeader = "Idempotency-Key"
	MaxIdempotencyKey = 100
	// IdempotencyLife is how long an answer is kept for a repeat.
	IdempotencyLife = 24 * time.Hour
	// claimLife is how long a call may hold its key without an answer. A process that held it longer has died.
	claimLife = time.Minute
)

// Idempotency stores the answers of calls that were made with an Idempotency-Key. An answer is sealed under the
// caller's own credential, which is not stored: only who made the call can open it.
type Idempotency interface {
	// Claim takes a key for a call with that request digest, until expires. fresh: it was free, had expired, or
	// was claimed before stale and never got an answer. Else left and sealed are what the call that has it left:
	// its request digest, and its sealed answer, nil while it still runs.
	Claim(ctx context.Context, key, request string, now, stale, expires time.Time) (left string, sealed []byte, fresh bool, err error)
	// Keep stores the sealed answer of a claimed key. It goes when that session is erased; empty for none.
	Keep(ctx context.Context, key string, session idv.SessionID, sealed []byte) error
	// Release frees a claimed key.
	Release(ctx context.Context, key string) error
}

// storedAnswer is an answer to be given again.
type storedAnswer struct {
	Status int         `json:"status"`
	Header http.Header `json:"header"`
	Body   []byte      `json:"body"`
}

// Replays answer repeated calls.
type Replays struct {
	store    Idempotency // nil for none
	now      func() time.Time
	log      *slog.Logger
	problems *Problems
}

// replay answers a repeated call as before. It applies to posted JSON with a credential.
func (s *Replays) replay(row Route, next http.Handler) http.Handler {
	if row.Sends != JSON || row.Method != http.MethodPost || row.Who == Anyone || row.Unkept {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		sent := r.Header.Get(IdempotencyHeader)
		if sent == "" || s.store == nil {
			next.ServeHTTP(w, r)
			return
		}
		if err := s.replayOrRun(w, r, sent, next); err != nil {
			s.problems.Write(w, r, err)
		}
	})
}

func (s *Replays) replayOrRun(w http.ResponseWriter, r *http.Request, sent string, next http.Handler) error {
	if !isValidKey(sent) {
		return wire.Malformed(IdempotencyHeader, fmt.Sprintf("1 to %d printable ASCII characters.", MaxIdempotencyKey))
	}
	q := requestOf(r.Context())
	requested, err := digestRequest(r, q.secret)
	if err != nil {
		return err
	}
	key := hexDigest(q.actor, r.Method, q.pattern, sent)
	seal, err := sealer(q.secret, sent)
	if err != nil {
		return err
	}
	now := s.now().UTC()
	left, sealed, fresh, err := s.store.Claim(r.Context(), key, requested, now, now.Add(-claimLife), now.Add(IdempotencyLife))
	if err != nil {
		return fmt.Errorf("claim an idempotency key: %w", err)
	}
	if fresh {
		return s.runAndStore(w, r, key, seal, next)
	}
	if left != requested {
		return problem.New(problem.IdempotencyConflict)
	}
	return replayAnswer(w, sealed, key, seal)
}

// replayAnswer writes the stored answer of the first call.
func replayAnswer(w http.ResponseWriter, sealed []byte, key string, seal cipher.AEAD) error {
	conflict := problem.New(problem.IdempotencyConflict)
	if sealed == nil {
		return conflict.Saying("The first call with this key is still running.")
	}
	n := seal.NonceSize()
	if len(sealed) < n {
		return conflict
	}
	raw, err := seal.Open(nil, sealed[:n], sealed[n:], []byte(key))
	if err != nil {
		return conflict.Saying("The first call was made with another credential.")
	}
	var k storedAnswer
	if err := json.Unmarshal(raw, &k); err != nil {
		return fmt.Errorf("read a kept answer: %w", err)
	}
	for name, values := range k.Header {
		w.Header()[name] = values
	}
	w.Header().Set("Idempotent-Replayed", "true")
	w.WriteHeader(k.Status)
	_, _ = w.Write(k.Body) // the client may have gone
	return nil
}

// runAndStore runs the call and stores its answer, unless it is a server error: then the call may be tried again.
func (s *Replays) runAndStore(w http.ResponseWriter, r *http.Request, key string, seal cipher.AEAD, next http.Handler) error {
	ctx := context.WithoutCancel(r.Context()) // an answer that was given is kept, also for a client that has gone
	rec := &recorder{ResponseWriter: w}
	done := false
	defer func() {
		if !done {
			if err := s.store.Release(ctx, key); err != nil {
				s.log.ErrorContext(ctx, "idempotency key not released", "request_id", RequestID(ctx), "error", err)
			}
		}
	}()
	next.ServeHTTP(rec, r)
	if rec.code >= http.StatusInternalServerError {
		return nil
	}
	raw, err := json.Marshal(storedAnswer{Status: rec.code, Header: answerHeaders(w.Header()), Body: rec.body.Bytes()})
	if err != nil {
		return fmt.Errorf("keep an answer: %w", err)
	}
	nonce := make([]byte, seal.NonceSize())
	_, _ = rand.Read(nonce)
	done = true
	if err := s.store.Keep(ctx, key, aboutSession(r, rec.body.Bytes()), seal.Seal(nonce, nonce, raw, []byte(key))); err != nil {
		s.log.ErrorContext(ctx, "answer not kept", "request_id", RequestID(ctx), "error", err)
	}
	return nil
}

// digestRequest returns a digest of what makes a repeat a repeat. It is keyed by the caller's credential: what was sent may be personal, and
// a plain digest would confirm a guess.
func digestRequest(r *http.Request, secret string) (string, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		return "", fmt.Errorf("read the body: %w", err)
	}
	r.Body = io.NopCloser(bytes.NewReader(raw))
	return hexDigest(secret, r.Method, r.URL.Path, string(raw)), nil
}

// aboutSession returns the session that a call was about: the one in its path, or the one that it created.
func aboutSession(r *http.Request, answer []byte) idv.SessionID {
	if id, ok := idv.ParseID[idv.SessionID](r.PathValue("id")); ok {
		return id
	}
	var made struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(answer, &made) != nil {
		return ""
	}
	id, _ := idv.ParseID[idv.SessionID](made.ID)
	return id
}

// sealer returns a cipher whose key is made of the caller's credential and the idempotency key.
func sealer(secret, sent string) (cipher.AEAD, error) {
	mac := hmac.New(sha256.New, []byte(secret))
	mac.Write([]byte("bonafide idempotency v1\x00" + sent))
	block, err := aes.NewCipher(mac.Sum(nil))
	if err != nil {
		return nil, fmt.Errorf("seal an answer: %w", err)
	}
	return cipher.NewGCM(block)
}

func hexDigest(parts ...string) string {
	h := sha256.New()
	for _, p := range parts {
		_, _ = fmt.Fprintf(h, "%d:%s", len(p), p)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func isValidKey(k string) bool {
	for _, r := range k {
		if r > unicode.MaxASCII || !unicode.IsPrint(r) {
			return false
		}
	}
	return len(k) > 0 && len(k) <= MaxIdempotencyKey
}

// answerHeaders returns the headers that belong to the answer, not to the connection or the caller's rate.
func answerHeaders(h http.Header) http.Header {
	out := http.Header{}
	for _, name := range []string{"Content-Type", "Cache-Control"} {
		if v := h.Values(name); len(v) > 0 {
			out[name] = v
		}
	}
	return out
}

// recorder remembers an answer while it is given. It has Write only, so that no byte passes it by io.ReaderFrom or
// io.StringWriter.
type recorder struct {
	http.ResponseWriter
	code int
	body bytes.Buffer
}

// WriteHeader implements http.ResponseWriter.
func (w *recorder) WriteHeader(code int) {
	if w.code == 0 {
		w.code = code
	}
	w.ResponseWriter.WriteHeader(code)
}

// Write implements http.ResponseWriter.
func (w *recorder) Write(b []byte) (int, error) {
	if w.code == 0 {
		w.code = http.StatusOK
	}
	w.body.Write(b)
	return w.ResponseWriter.Write(b)
}

// Unwrap lets http.ResponseController reach the connection.
func (w *recorder) Unwrap() http.ResponseWriter { return w.ResponseWriter }
