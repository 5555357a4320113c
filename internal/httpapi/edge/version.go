package edge

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/httpapi/wire"
	"github.com/bonafide-id/bonafide/internal/problem"
)

// versionsPage explains the versions of the API.
const versionsPage = "/docs/guides/versions"

// versioned answers calls in the version of the API that they ask for, and says which one that was. One that is deprecated says since
// when (RFC 9745) and, where that is decided, until when it is answered (RFC 8594).
func (e *Edge) versioned(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/v1/") {
			next.ServeHTTP(w, r)
			return
		}
		row, h := wire.Versions()[0], w.Header()
		if asked := r.Header.Get(wire.VersionHeader); asked != "" {
			known, ok := wire.VersionOf(asked)
			if !ok {
				e.Problems.Write(w, r, problem.New(problem.RequestVersion).At(wire.VersionHeader))
				return
			}
			row = known
		}
		requestOf(r.Context()).version = row.Version
		h.Set(wire.VersionHeader, string(row.Version))
		if !row.Deprecated.IsZero() {
			h.Set("Deprecation", "@"+strconv.FormatInt(row.Deprecated.Unix(), 10))
			h.Add("Link", "<"+e.publicURL+versionsPage+`>; rel="deprecation"; type="text/html"`)
		}
		if !row.Ends.IsZero() {
			h.Set("Sunset", row.Ends.UTC().Format(http.TimeFormat))
		}
		next.ServeHTTP(w, r)
	})
}

// Methods answers requests of addresses that the mux knows with other methods (405, RFC 9110 §15.5.6), and hands all others on.
func (e *Edge) Methods(mux *http.ServeMux, fallback string, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var allow []string
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete} {
			other := r.Clone(r.Context())
			other.Method = method
			if _, pattern := mux.Handler(other); pattern != "" && pattern != fallback {
				allow = append(allow, method)
			}
		}
		if len(allow) == 0 {
			next.ServeHTTP(w, r)
			return
		}
		w.Header().Set("Allow", strings.Join(allow, ", "))
		e.Problems.Write(w, r, problem.New(problem.RequestMethod).Saying("It takes %s.", strings.Join(allow, ", ")))
	})
}
