package pages

import (
	"net/http"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
)

// ServeDescription returns a handler of the OpenAPI file that made returns.
func (p *Pages) ServeDescription(made func() ([]byte, error)) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		edge.SetRoute(r.Context(), r.URL.Path) // the router matched it whole
		raw, err := made()
		if err != nil {
			p.problems.Write(w, r, err)
			return
		}
		w.Header().Set("Content-Type", "application/openapi+json")
		_, _ = w.Write(raw) // the client may have gone
	}
}
