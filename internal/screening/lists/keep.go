package lists

import (
	"context"
	"errors"
	"math/rand/v2"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// importLife is after how long without a sign of life an import counts as dead.
const importLife = 2 * time.Minute

func (k *Keeper) lives(v Version) bool { return k.now().Sub(v.BeatAt) < importLife }

// Lists returns all lists in order of their names.
func (k *Keeper) Lists(ctx context.Context) ([]List, error) { return k.store.Watchlists(ctx) }

// Find returns a list. Problems: not_found.
func (k *Keeper) Find(ctx context.Context, id idv.WatchlistID) (List, error) {
	return k.store.Watchlist(ctx, id)
}

// Versions returns the versions of a list, or of all lists if it is empty, the newest first.
func (k *Keeper) Versions(ctx context.Context, id idv.WatchlistID) ([]Version, error) {
	return k.store.WatchlistVersions(ctx, id)
}

// Version returns a version. Problems: not_found.
func (k *Keeper) Version(ctx context.Context, id idv.WatchlistVersionID) (Version, error) {
	return k.store.WatchlistVersion(ctx, id)
}

// Create makes a list without a version. Problems: request.malformed, watchlist.exists, webhook.target_refused for an address that
// no list is fetched from.
func (k *Keeper) Create(ctx context.Context, name string, s Settings) (List, error) {
	l := List{Name: name, Settings: s, CreatedBy: actor(ctx), CreatedAt: k.now()}
	if !nameForm.MatchString(name) {
		return List{}, malformed("/name", "small letters, digits and hyphens, at most 41")
	}
	if err := k.settle(ctx, &l); err != nil {
		return List{}, err
	}
	var err error
	if l.ID, err = idv.NewID[idv.WatchlistID](k.now(), k.random); err != nil {
		return List{}, err
	}
	return l, k.store.ChangeWatchlists(ctx, func(ctx context.Context, tx Tx) error {
		all, err := tx.Watchlists(ctx)
		if err != nil {
			return err
		}
		if len(all) >= mostLists || slices.ContainsFunc(all, func(o List) bool { return o.Name == name }) {
			return problem.New(problem.WatchlistExists)
		}
		if err := tx.AddWatchlist(ctx, l); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "watchlist.created", Subject: string(l.ID), After: l})
	})
}

// Change replaces the settings of a list. Problems: not_found, request.malformed, webhook.target_refused.
func (k *Keeper) Change(ctx context.Context, id idv.WatchlistID, s Settings) (List, error) {
	var l List
	return l, k.store.ChangeWatchlists(ctx, func(ctx context.Context, tx Tx) error {
		var err error
		if l, err = tx.Watchlist(ctx, id); err != nil {
			return err
		}
		before := l
		if l.Settings = s; l.Source != before.Source {
			l.Fetching = Fetching{}
		}
		if err := k.settle(ctx, &l); err != nil {
			return err
		}
		if err := tx.SaveWatchlist(ctx, l); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "watchlist.changed", Subject: string(l.ID), Before: before, After: l})
	})
}

// settle brings settings into form, and says when the list is fetched next.
func (k *Keeper) settle(ctx context.Context, l *List) error {
	l.Title, l.Licence, l.Source = strings.TrimSpace(l.Title), strings.TrimSpace(l.Licence), strings.TrimSpace(l.Source)
	if l.Title == "" {
		l.Title = l.Name
	}
	switch {
	case !line(l.Title, MaxTitle):
		return malformed("/title", "one line of at most 200 characters")
	case !line(l.Licence, MaxLicence):
		return malformed("/licence", "one line of at most 500 characters")
	case len(l.Topics) == 0 || len(l.Topics) > len(idv.ScreeningTopics()):
		return malformed("/topics", "what the list covers: sanctions, pep, watch")
	case l.MaxAge < 0 || l.MaxAge > MostMaxAge:
		return malformed("/max_age_hours", "from 0 for never to 8784")
	}
	for _, t := range l.Topics {
		if !slices.Contains(idv.ScreeningTopics(), t) {
			return malformed("/topics", "what the list covers: sanctions, pep, watch")
		}
	}
	if l.Source == "" {
		l.Every, l.Fetching = 0, Fetching{}
		return nil
	}
	if l.Every < LeastEvery || l.Every > MostEvery {
		return malformed("/every_hours", "from 1 to 744")
	}
	if k.check == nil || !strings.HasPrefix(l.Source, "https://") {
		return problem.New(problem.WebhookTargetRefused).At("/source").Saying("Lists are fetched over https from public addresses.")
	}
	if err := k.check(ctx, l.Source); err != nil {
		if p, ok := problem.As(err); ok {
			return p.At("/source")
		}
		return err
	}
	if l.NextAt.IsZero() {
		l.NextAt = k.now()
	}
	return nil
}

func line(s string, most int) bool {
	return utf8.RuneCountInString(s) <= most && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r == 0x7f })
}

func malformed(at, want string) error {
	return problem.New(problem.RequestMalformed).At(at).Saying("Expected: %s.", want)
}

// Activate puts a version in use: one that waits, one that was in use before, or one that is held and that somebody looked at. An empty
// one is never used. Problems: not_found, watchlist.conflict.
func (k *Keeper) Activate(ctx context.Context, id idv.WatchlistVersionID) (Version, error) {
	var v Version
	var gone []Version
	err := k.store.ChangeWatchlists(ctx, func(ctx context.Context, tx Tx) error {
		var err error
		if v, err = tx.WatchlistVersion(ctx, id); err != nil {
			return err
		}
		if !v.Whole() || v.State == Active {
			return problem.New(problem.WatchlistConflict).In(string(v.State))
		}
		gone, err = k.activate(ctx, tx, &v)
		return err
	})
	if err != nil {
		return Version{}, err
	}
	return v, k.drop(ctx, gone)
}

// Dismiss says that a version that waits or is held is not to be used; the one in use stays. Of the version in use it ends the use:
// then nobody is found on the list, and people are referred. Problems: not_found, watchlist.conflict.
func (k *Keeper) Dismiss(ctx context.Context, id idv.WatchlistVersionID) (Version, error) {
	var v Version
	err := k.store.ChangeWatchlists(ctx, func(ctx context.Context, tx Tx) error {
		var err error
		if v, err = tx.WatchlistVersion(ctx, id); err != nil {
			return err
		}
		if v.State != Waiting && v.State != Held && v.State != Active {
			return problem.New(problem.WatchlistConflict).In(string(v.State))
		}
		v.State = Retired
		if err := tx.SaveWatchlistVersion(ctx, v); err != nil {
			return err
		}
		return tx.Audit(ctx, audit.Record{Action: "watchlist.retired", Subject: string(v.ID)})
	})
	return v, err
}

// Difference is what a version changes against the one in use, by name.
type Difference struct {
	watchlist.Counts
	Entries []Change // at most MostShown
}

// Change is one entry that differs.
type Change struct {
	Kind  string // added, changed or removed
	ID    string
	Name  string
	Sort  watchlist.Kind
	Names int
}

// MostShown is how many entries a difference names.
const MostShown = 500

// Difference compares a version with the one in use, or the one in use with the one before it. Problems: not_found,
// watchlist.conflict where its entries are not kept.
func (k *Keeper) Difference(ctx context.Context, id idv.WatchlistVersionID) (Difference, error) {
	v, err := k.store.WatchlistVersion(ctx, id)
	if err != nil {
		return Difference{}, err
	}
	if !v.Whole() {
		return Difference{}, problem.New(problem.WatchlistConflict).In(string(v.State))
	}
	before, err := k.before(ctx, v)
	if err != nil {
		return Difference{}, err
	}
	return k.differ(ctx, before, v)
}

// before returns the version that another is compared with.
func (k *Keeper) before(ctx context.Context, v Version) (Version, error) {
	versions, err := k.store.WatchlistVersions(ctx, v.List)
	if err != nil {
		return Version{}, err
	}
	for _, o := range versions {
		switch {
		case o.ID == v.ID:
		case v.State != Active && o.State == Active, v.State == Active && o.State == Retired && !o.ActivatedAt.IsZero():
			return o, nil
		}
	}
	return Version{}, nil
}

// summary of an entry, small enough to keep all of a list's.
type brief struct {
	digest, name string
	sort         watchlist.Kind
	names        int
}

func (k *Keeper) differ(ctx context.Context, before, after Version) (Difference, error) {
	old := map[string]brief{}
	if before.Whole() {
		err := k.Entries(ctx, before.ID, func(e watchlist.Entity) error {
			old[e.ID] = briefOf(e)
			return nil
		})
		if err != nil {
			return Difference{}, err
		}
	}
	var d Difference
	err := k.Entries(ctx, after.ID, func(e watchlist.Entity) error {
		was, ok := old[e.ID]
		delete(old, e.ID)
		for _, id := range e.FormerIDs {
			if b, merged := old[id]; merged {
				if !ok {
					was, ok = b, true
				}
				delete(old, id)
			}
		}
		switch now := briefOf(e); {
		case !ok:
			d.Added++
			d.show("added", e.ID, now)
		case was.digest != now.digest:
			d.Changed++
			d.show("changed", e.ID, now)
		}
		return nil
	})
	d.Removed = len(old)
	ids := make([]string, 0, len(old))
	for id := range old {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, id := range ids {
		d.show("removed", id, old[id])
	}
	return d, err
}

func briefOf(e watchlist.Entity) brief {
	return brief{digest: e.Content()[:16], name: e.Caption(), sort: e.Kind, names: len(e.Names)}
}

func (d *Difference) show(kind, id string, b brief) {
	if len(d.Entries) < MostShown {
		d.Entries = append(d.Entries, Change{Kind: kind, ID: id, Name: b.name, Sort: b.sort, Names: b.names})
	}
}

// Sweep ends imports whose server died, and says which lists are due to be fetched. Each is due for one caller.
func (k *Keeper) Sweep(ctx context.Context) ([]idv.WatchlistID, error) {
	versions, err := k.store.WatchlistVersions(ctx, "")
	if err != nil {
		return nil, err
	}
	var errs error
	for _, v := range versions {
		if v.State == Importing && !k.lives(v) {
			_, err := k.unread(ctx, v, errDied)
			if !errors.Is(err, errDied) {
				errs = errors.Join(errs, err)
			}
		}
	}
	due, err := k.due(ctx)
	return due, errors.Join(errs, err)
}

// errDied is why an import came to nothing whose server is gone.
var errDied = errors.New("the server died over the import")

// due claims the lists whose time has come.
func (k *Keeper) due(ctx context.Context) ([]idv.WatchlistID, error) {
	all, err := k.store.Watchlists(ctx)
	if err != nil || !slices.ContainsFunc(all, k.isDue) {
		return nil, err
	}
	var out []idv.WatchlistID
	err = k.store.ChangeWatchlists(ctx, func(ctx context.Context, tx Tx) error {
		out = nil
		all, err := tx.Watchlists(ctx)
		if err != nil {
			return err
		}
		for _, l := range all {
			if !k.isDue(l) {
				continue
			}
			l.NextAt = k.now().Add(jittered(l.Every))
			if err := tx.SaveWatchlist(ctx, l); err != nil {
				return err
			}
			out = append(out, l.ID)
		}
		return nil
	})
	return out, err
}

func (k *Keeper) isDue(l List) bool {
	return l.Source != "" && !l.Disabled && !l.NextAt.After(k.now())
}

// jittered spreads fetches over a tenth of the pause, so that deployments do not all ask at once.
func jittered(every time.Duration) time.Duration {
	return every + rand.N(every/10+1) //nolint:gosec // no secret
}
