// Package docs holds the pages that the program serves under /docs: the guides for integrators and operators, and the reference that is
// generated from the tables in the code.
package docs

import "embed"

// Pages are integrate/*.md, operate/*.md and reference/*.md.
//
//go:embed integrate/*.md operate/*.md reference/*.md
var Pages embed.FS
