package watchlist

import (
	"cmp"
	"slices"
)

// Difference is what changed from one version to another.
type Difference struct {
	Added, Removed []Entity
	Changed        []Changed
}

// Changed is an entry whose names, births, documents or other facts changed.
type Changed struct {
	Before, After Entity
}

// Diff compares two versions by the ids of their entries, former ids included: an entry that was merged into another is changed,
// not new. The results are in order of their ids.
func Diff(before, after []Entity) Difference {
	old := make(map[string]Entity, len(before))
	for _, e := range before {
		old[e.ID] = e
	}
	var d Difference
	for _, e := range after {
		was, ok := old[e.ID]
		for i := 0; !ok && i < len(e.FormerIDs); i++ {
			was, ok = old[e.FormerIDs[i]]
		}
		switch {
		case !ok:
			d.Added = append(d.Added, e)
		case was.Digest() != withID(e, was.ID).Digest():
			d.Changed = append(d.Changed, Changed{was, e})
		}
		delete(old, was.ID)
		for _, id := range e.FormerIDs {
			delete(old, id)
		}
	}
	for _, e := range old {
		d.Removed = append(d.Removed, e)
	}
	byID := func(a, b Entity) int { return cmp.Compare(a.ID, b.ID) }
	slices.SortFunc(d.Added, byID)
	slices.SortFunc(d.Removed, byID)
	slices.SortFunc(d.Changed, func(a, b Changed) int { return byID(a.After, b.After) })
	return d
}

func withID(e Entity, id string) Entity {
	e.ID = id
	return e
}
