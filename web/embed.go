// Package web embeds the built web app.
//
// `npm run build` fills dist with two apps that share no chunk:
//
//	applicant/index.html   answers /v/{link} and /verify/{session}; no inline script or style at all
//	console/index.html     answers /setup, /login, /console and everything below it
//	assets/applicant/…     content-hashed files of the applicant, served under /assets/applicant/
//	assets/console/…       content-hashed files of the console, served under /assets/console/
//
// The console's page carries NoncePlaceholder wherever the nonce of its Content-Security-Policy belongs; the
// server puts a fresh nonce there on every answer. Both apps need `img-src 'self' blob: data:`,
// `media-src 'self' blob:`, `connect-src 'self'`, `font-src 'self'`, and the applicant the permission camera=(self).
//
// A clone that has not built the web app compiles all the same: dist then holds only a placeholder.
package web

import (
	"embed"
	"io/fs"
)

// NoncePlaceholder is what the server replaces in console/index.html.
const NoncePlaceholder = "__CSP_NONCE__"

//go:embed all:dist
var dist embed.FS

// Languages are the languages of the applicant's pages, a file each. cmd/gen makes the lists of languages from them.
//
//go:embed src/i18n/applicant/*.json
var Languages embed.FS

// ConsentTexts has the digest of each consent text that was ever shown, by version and language. cmd/gen lists them for the server.
//
//go:embed test/consent-texts.json
var ConsentTexts []byte

// Dist is the built web app, as laid out in the package comment.
func Dist() fs.FS {
	sub, err := fs.Sub(dist, "dist")
	if err != nil { // cannot be: the path is a constant that embed has checked
		return dist
	}
	return sub
}
