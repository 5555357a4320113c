// Package i18n embeds words of the console for what the server prints in a reader's language: a case as a document.
package i18n

import "embed"

// Console has the texts of the console, a file for each part of it: English in console, other languages in folders below it.
//
//go:embed console/app.json console/cases.json console/screening.json console/seen.json console/session.json console/workflows.json
//go:embed console/de/app.json console/de/cases.json console/de/screening.json console/de/seen.json console/de/session.json console/de/workflows.json
//go:embed console/de/catalogue.json console/de/paper.json console/de/sentences.json
var Console embed.FS
