package lists

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/screening"
)

// named is a version in use with the name of its list.
type named struct {
	Version
	name string
}

// active returns the versions in use of the lists that are not disabled, in order of the lists' names.
func (k *Keeper) active(ctx context.Context) ([]named, error) {
	lists, err := k.store.Watchlists(ctx)
	if err != nil {
		return nil, err
	}
	versions, err := k.store.WatchlistVersions(ctx, "")
	if err != nil {
		return nil, err
	}
	var out []named
	for _, l := range lists {
		if v := ofList(versions, l).active; !l.Disabled && v.ID != "" {
			out = append(out, named{v, l.Name})
		}
	}
	slices.SortFunc(out, func(a, b named) int { return cmp.Compare(a.name, b.name) })
	return out, nil
}

// versionsOf are the versions of one list.
type versionsOf struct {
	list   List
	active Version
	held   bool // a newer one than the active one is held or waits
	all    []Version
}

func ofList(versions []Version, l List) versionsOf {
	out := versionsOf{list: l}
	for _, v := range versions {
		if v.List != l.ID {
			continue
		}
		out.all = append(out.all, v)
		switch v.State {
		case Active:
			out.active = v
		case Held:
			out.held = true
		}
	}
	return out
}

// searched returns the list as the index has it; false where it has none of it.
func (o versionsOf) searched(index *nameindex.Index, now time.Time) (screening.List, bool) {
	if index == nil {
		return screening.List{}, false
	}
	lists := index.Lists()
	at := slices.IndexFunc(lists, func(l nameindex.List) bool { return l.Name == o.list.Name })
	if at < 0 {
		return screening.List{}, false
	}
	sha := lists[at].Version
	i := slices.IndexFunc(o.all, func(v Version) bool { return v.Summary.SHA256 == sha && v.Whole() })
	if i < 0 {
		return screening.List{}, false // what is compiled was removed since
	}
	v := o.all[i]
	out := screening.List{
		Name: o.list.Name, Title: o.list.Title, Topics: o.list.Topics, SHA256: sha, Held: o.held,
		Old: o.list.Old(v, now),
	}
	if !v.Summary.Published.IsZero() {
		out.Published = v.Summary.Published.Format(time.DateOnly)
	}
	return out, true
}

// AsOf returns as of when a version says who is listed: when its publisher last said that it is current, else when it was published,
// else when it came.
func (l List) AsOf(v Version) time.Time {
	at := cmp.Or(v.Summary.Published, v.AddedAt)
	if v.State == Active && l.CheckedAt.After(at) {
		return l.CheckedAt
	}
	return at
}

// Old reports whether a version is beyond the age limit of its list.
func (l List) Old(v Version, now time.Time) bool {
	return l.MaxAge > 0 && now.Sub(l.AsOf(v)) > l.MaxAge
}
