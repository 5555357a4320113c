package pages

import (
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// unnamedEmbedder reports whether a page is loaded into a frame of a page that may not embed it, as far as the browser says so, and
// returns the origin of that page; "" where it is not known. The content policy would leave the frame empty, and nobody would know why.
func unnamedEmbedder(r *http.Request, origins []string) (string, bool) {
	if r.Header.Get("Sec-Fetch-Dest") != "iframe" || r.Header.Get("Sec-Fetch-Site") == "same-origin" {
		return "", false
	}
	page, err := url.Parse(r.Header.Get("Referer"))
	if err != nil || page.Host == "" {
		return "", len(origins) == 0
	}
	origin := page.Scheme + "://" + page.Host
	return origin, !slices.Contains(origins, origin)
}

const (
	unnamedStyle = "body{font:1rem/1.5 system-ui,sans-serif;max-width:34rem;margin:2rem auto;padding:0 1rem;color:#0b1f33;background:#fff}" +
		"code{overflow-wrap:anywhere}"
	unnamedScript = `console.error("Bonafide: " + document.querySelector("main").innerText)`
)

// unnamedPage says which setting to change. It holds nothing of a session, so that any page may show it.
var unnamedPage = template.Must(template.New("").Parse(`<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>This page may not embed the check</title><style>` + unnamedStyle + `</style></head>
<body><main><h1>This page may not embed the check</h1>
<p>If you run this page: in the console, enter <code>{{if .}}{{.}}{{else}}your page's origin, such as https://shop.example,{{end}}</code>
under “Pages that may embed it” (<code>embed_origins</code>) of the workflow, publish it, and make a new session.</p>
<p><a href="/docs/guides/embedding" target="_blank" rel="noopener">How embedding works</a></p></main>
<script>` + unnamedScript + `</script></body></html>
`))

// sourceOf returns the hash by which a content policy admits inline code.
func sourceOf(inline string) string {
	sum := sha256.Sum256([]byte(inline))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

func serveUnnamed(w http.ResponseWriter, r *http.Request, origin string) {
	var page strings.Builder
	if err := unnamedPage.Execute(&page, origin); err != nil {
		panic(err) // the template is a constant and writes into memory
	}
	h := w.Header()
	h.Del("X-Frame-Options")
	h.Set("Content-Security-Policy", "default-src 'none'; style-src "+sourceOf(unnamedStyle)+"; script-src "+sourceOf(unnamedScript)+
		"; frame-ancestors *; base-uri 'none'; form-action 'none'")
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Cache-Control", "no-store")
	w.WriteHeader(http.StatusForbidden)
	if r.Method == http.MethodGet {
		_, _ = w.Write([]byte(page.String())) // the client may have gone
	}
}
