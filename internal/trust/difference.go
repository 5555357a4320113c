package trust

import (
	"bytes"
	"cmp"
	"slices"

	"github.com/bonafide-id/bonafide/internal/pki"
)

// Kind is how a certificate differs between two lists.
type Kind string

// The kinds of change.
const (
	Added   Kind = "added"
	Removed Kind = "removed"
	Changed Kind = "changed" // same names and key, other validity or extensions
)

// Change is one difference between two lists.
type Change struct {
	Kind    Kind
	Country string
	Before  *pki.Certificate // nil where it was added
	After   *pki.Certificate // nil where it was removed
}

// Difference compares two lists of certificates. Changes are ordered by country, kind and name.
func Difference(before, after []*pki.Certificate) []Change {
	old, fresh := missing(before, after), missing(after, before)
	var out []Change
	for _, c := range fresh {
		change := Change{Kind: Added, Country: c.Subject.Country, After: c}
		if i := slices.IndexFunc(old, func(b *pki.Certificate) bool { return sameRole(b, c) }); i >= 0 {
			change.Kind, change.Before = Changed, old[i]
			old = slices.Delete(old, i, i+1)
		}
		out = append(out, change)
	}
	for _, c := range old {
		out = append(out, Change{Kind: Removed, Country: c.Subject.Country, Before: c})
	}
	slices.SortStableFunc(out, compareChanges)
	return out
}

// missing returns the certificates of one list that the other one does not have, each once.
func missing(of, in []*pki.Certificate) []*pki.Certificate {
	seen := map[string]bool{}
	for _, c := range in {
		seen[string(c.Raw)] = true
	}
	var out []*pki.Certificate
	for _, c := range of {
		if !seen[string(c.Raw)] {
			seen[string(c.Raw)] = true
			out = append(out, c)
		}
	}
	return out
}

// sameRole reports whether two certificates state the same key of the same authority, issued by the same key.
func sameRole(a, b *pki.Certificate) bool {
	return a.Subject.Equal(b.Subject) && a.Issuer.Equal(b.Issuer) && bytes.Equal(a.KeyInfo, b.KeyInfo) &&
		bytes.Equal(a.AuthorityKeyID, b.AuthorityKeyID)
}

func compareChanges(a, b Change) int {
	name := func(c Change) string {
		if c.After != nil {
			return c.After.Subject.String()
		}
		return c.Before.Subject.String()
	}
	return cmp.Or(cmp.Compare(a.Country, b.Country), cmp.Compare(a.Kind, b.Kind), cmp.Compare(name(a), name(b)))
}
