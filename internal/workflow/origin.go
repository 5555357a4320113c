package workflow

import (
	"net/url"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// MaxEmbedOrigins is how many origins a workflow can name.
const MaxEmbedOrigins = 20

// hostForm is a host as browsers spell it in an origin: letters of other scripts stand in punycode. No star, no IPv6, for which a
// content policy has no form.
var hostForm = regexp.MustCompile(`^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$`)

// normalizedOrigin brings an origin into the form that browsers give it.
func normalizedOrigin(s string) string {
	return strings.TrimSuffix(strings.ToLower(strings.TrimSpace(s)), "/")
}

// EmbedOrigin reports whether s is an origin whose pages a workflow of that mode can let show the applicant's pages: https, host and
// port, spelt as browsers spell it (RFC 6454 §6.2); in test mode http, too, of localhost and 127.0.0.1.
func EmbedOrigin(s string, mode idv.Mode) bool {
	scheme, rest, _ := strings.Cut(s, "://")
	host, port, ported := strings.Cut(rest, ":")
	if ported {
		n, err := strconv.Atoi(port)
		if err != nil || n < 1 || n > 65535 || strconv.Itoa(n) != port || n == map[string]int{"https": 443, "http": 80}[scheme] {
			return false
		}
	}
	if u, err := url.Parse(s); err != nil || u.Host != rest || len(host) > 253 || !hostForm.MatchString(host) {
		return false
	}
	near := host == "localhost" || host == "127.0.0.1"
	return scheme == "https" || scheme == "http" && mode == idv.Test && near
}

func (l *issues) origins(w idv.WorkflowVersion) {
	if len(w.EmbedOrigins) > MaxEmbedOrigins {
		l.add("/embed_origins", "At most %d.", MaxEmbedOrigins)
		return
	}
	for i, o := range w.EmbedOrigins {
		switch {
		case !EmbedOrigin(o, w.Mode):
			l.add(
				pointer("/embed_origins", i),
				"An origin such as https://shop.example: https, host and port, without a path or a star; in test mode also http://localhost:3000.",
			)
		case slices.Index(w.EmbedOrigins, o) != i:
			l.add(pointer("/embed_origins", i), "It is listed twice.")
		}
	}
}

// origins says whose pages may show the applicant's pages now, and whose no longer.
func (c *comparison) origins() {
	missing := func(of, in []string) string {
		return strings.Join(slices.DeleteFunc(slices.Clone(of), func(o string) bool { return slices.Contains(in, o) }), ", ")
	}
	if more := missing(c.b.EmbedOrigins, c.a.EmbedOrigins); more != "" {
		c.add("/embed_origins", Neither, "Pages on %s can now embed it.", more)
	}
	if fewer := missing(c.a.EmbedOrigins, c.b.EmbedOrigins); fewer != "" {
		c.add("/embed_origins", Neither, "Pages on %s can no longer embed it.", fewer)
	}
}
