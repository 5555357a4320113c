package pages

import (
	"bytes"
	"context"
	"net/http"
	"slices"
	"strings"

	"github.com/bonafide-id/bonafide/internal/httpapi/edge"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/session/applicant"
	"github.com/bonafide-id/bonafide/internal/workflow"
)

// self is this deployment's own origin, in a content policy.
const self = "'self'"

// embedders returns the origins whose pages may embed this page of the applicant: those of the workflow version that its session
// follows, and this deployment's own where a member walks through a workflow in test mode. None where there is no such session, where
// it cannot be read, and for links of hand-offs.
func (p *Pages) embedders(ctx context.Context, page string) []string {
	var e applicant.Embedding
	var err error
	if link, ok := strings.CutPrefix(page, "/v/"); ok {
		e, err = p.applicants.EmbeddingOfLink(ctx, link)
	} else if id, ok := idv.ParseID[idv.SessionID](strings.TrimPrefix(page, "/verify/")); ok {
		e, err = p.applicants.EmbeddingOf(ctx, id)
	}
	if err != nil && !problem.Has(err, problem.NotFound) {
		p.log.WarnContext(ctx, "whose pages may show this one is not known: nobody's may", "request_id", edge.RequestID(ctx), "error", err)
	}
	if err != nil {
		return nil
	}
	var out []string
	if e.Trial {
		out = append(out, self)
	}
	for _, o := range e.Origins { // into headers goes nothing that was not checked here
		if workflow.EmbedOrigin(o, e.Mode) {
			out = append(out, o)
		}
	}
	return out
}

// admit allows pages of these origins to embed this one in a frame, or in a window that they opened, and names them in the page. Without
// origins the page is as closed as every other.
func admit(h http.Header, page []byte, origins []string) []byte {
	h.Set("Content-Security-Policy", contentPolicy("", origins...))
	if len(origins) == 0 {
		return page
	}
	h.Del("X-Frame-Options") // it knows no list; the content policy's frame-ancestors stands for it
	h.Set("Cross-Origin-Opener-Policy", "unsafe-none")
	// The console is told nothing: it watches the session by its own calls.
	named := slices.DeleteFunc(slices.Clone(origins), func(o string) bool { return o == self })
	if len(named) == 0 {
		return page
	}
	meta := `<meta name="bonafide-embed" content="` + strings.Join(named, " ") + `"></head>`
	return bytes.Replace(page, []byte("</head>"), []byte(meta), 1)
}
