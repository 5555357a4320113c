package edge

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// jsonBody reads a JSON body, bounded, and hands it on cleaned: every text in Unicode NFC, none with control
// characters, no name twice.
func (e *Edge) jsonBody(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		raw, err := readJSON(r)
		if err != nil {
			e.Problems.Write(w, r, err)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(raw))
		r.ContentLength = int64(len(raw))
		if len(raw) > 0 {
			r.Header.Set("Content-Type", "application/json")
		}
		next.ServeHTTP(w, r)
	})
}

func readJSON(r *http.Request) ([]byte, error) {
	raw, err := io.ReadAll(r.Body)
	if err != nil {
		var tooLarge *http.MaxBytesError
		if errors.As(err, &tooLarge) {
			return nil, problem.New(problem.RequestTooLarge).Saying("A JSON body has at most 256 KiB.")
		}
		if p, ok := problem.As(err); ok { // too slow
			return nil, p
		}
		return nil, problem.New(problem.RequestMalformed).Saying("The body ended early.")
	}
	if len(raw) == 0 {
		return nil, nil
	}
	media, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err != nil || media != "application/json" {
		return nil, problem.New(problem.RequestUnsupportedMedia).Saying("Send application/json.")
	}
	return wire.CleanJSON(raw)
}
