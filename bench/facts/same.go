package facts

import (
	"slices"

	"github.com/bonafide-id/bonafide/internal/idv"
)

// Same reports whether a value is what the page prints, letter for letter: as pages whose truth is known are scored.
func Same(name idv.ClaimName, got string, want Truth) bool { return equal(name, got, want) }

// Asked reports whether a fact is scored.
func Asked(name idv.ClaimName) bool { return slices.Contains(asked, name) }
