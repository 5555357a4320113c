package lists

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/job"
	"github.com/bonafide-id/bonafide/internal/problem"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// chunkSize is how many bytes of entries, as lines of JSON, are packed into one chunk.
const chunkSize = 1 << 20

// Import reads a new version of a list from r, judges it, and activates it where nothing speaks against that. The same file as the
// version in use makes no version; that one is then known to be current. What is no list at all is refused where somebody uploads
// it, and held where it was fetched: then the publisher's address may be dead. Problems: not_found, watchlist.not_that_list,
// watchlist.broken, watchlist.busy, request.too_large.
func (k *Keeper) Import(ctx context.Context, id idv.WatchlistID, from From, r io.Reader) (Version, error) {
	l, v, err := k.begin(ctx, id, from)
	if err != nil {
		return Version{}, err
	}
	active, err := k.activeOf(ctx, k.store, l.ID)
	if err != nil {
		return Version{}, err
	}
	v.Summary, err = k.read(ctx, v.ID, active, r)
	ending := context.WithoutCancel(ctx)
	if err != nil {
		return k.unread(ending, v, err)
	}
	if active.Whole() && v.Summary.SHA256 == active.Summary.SHA256 {
		return k.same(ending, v, active)
	}
	if v.Changes, err = k.compare(ctx, active, v); err != nil {
		return k.unread(ending, v, err)
	}
	return k.finish(ending, v)
}

// begin adds a version that is being imported. One list imports one at a time.
func (k *Keeper) begin(ctx context.Context, id idv.WatchlistID, from From) (l List, v Version, err error) {
	v = Version{List: id, State: Importing, From: from, AddedBy: actor(ctx), AddedAt: k.now(), BeatAt: k.now()}
	if v.ID, err = idv.NewID[idv.WatchlistVersionID](k.now(), k.random); err != nil {
		return l, v, err
	}
	err = k.store.ChangeWatchlists(ctx, func(ctx context.Context, tx Tx) error {
		if l, err = tx.Watchlist(ctx, id); err != nil {
			return err
		}
		versions, err := tx.WatchlistVersions(ctx, id)
		if err != nil {
			return err
		}
		if slices.ContainsFunc(versions, func(o Version) bool { return o.State == Importing && k.lives(o) }) {
			return problem.New(problem.WatchlistBusy)
		}
		return tx.AddWatchlistVersion(ctx, v)
	})
	return l, v, err
}

// read keeps the entries of r as those of a version. The changes of a delta are applied to the active version.
func (k *Keeper) read(ctx context.Context, id idv.WatchlistVersionID, active Version, r io.Reader) (watchlist.Summary, error) {
	out := &packer{ctx: ctx, keeper: k, version: id}
	changed := map[string]watchlist.Change{}
	var order []string
	s, err := watchlist.Read(r, watchlist.Options{}, func(c watchlist.Change, format watchlist.Format) error {
		if format != watchlist.FtMDelta {
			return out.put(c.Entity)
		}
		if _, again := changed[c.Entity.ID]; !again {
			order = append(order, c.Entity.ID)
		}
		changed[c.Entity.ID] = c
		return nil
	})
	if err == nil && s.Format == watchlist.FtMDelta {
		err = k.apply(ctx, out, active, changed, order, &s)
	}
	if err == nil {
		err = out.flush()
	}
	return s, err
}

// apply writes the active version as a delta changes it, and counts what is then there.
func (k *Keeper) apply(
	ctx context.Context, out *packer, active Version, changed map[string]watchlist.Change, order []string, s *watchlist.Summary,
) error {
	if !active.Whole() {
		return watchlist.ErrNoBase
	}
	s.Entities, s.Persons, s.Names = 0, 0, 0
	put := func(e watchlist.Entity) error {
		s.Count(e)
		return out.put(e)
	}
	err := k.Entries(ctx, active.ID, func(e watchlist.Entity) error {
		if _, ok := changed[e.ID]; ok {
			return nil
		}
		return put(e)
	})
	for _, id := range order {
		if c := changed[id]; err == nil && c.Op == watchlist.Put {
			err = put(c.Entity)
		}
	}
	return err
}

// packer packs entries into chunks.
type packer struct {
	ctx     context.Context //nolint:containedctx // of one import
	keeper  *Keeper
	version idv.WatchlistVersionID
	lines   bytes.Buffer
	place   int
}

func (p *packer) put(e watchlist.Entity) error {
	raw, err := json.Marshal(e)
	if err != nil {
		return fmt.Errorf("encode an entry: %w", err)
	}
	p.lines.Write(raw)
	p.lines.WriteByte('\n')
	if p.lines.Len() < chunkSize {
		return nil
	}
	return p.flush()
}

func (p *packer) flush() error {
	if p.lines.Len() == 0 {
		return nil
	}
	var packed bytes.Buffer
	z, _ := gzip.NewWriterLevel(&packed, gzip.BestSpeed) // the level is valid
	if _, err := z.Write(p.lines.Bytes()); err != nil {
		return fmt.Errorf("pack entries: %w", err)
	}
	if err := z.Close(); err != nil {
		return fmt.Errorf("pack entries: %w", err)
	}
	if err := p.keeper.store.AddWatchlistChunk(p.ctx, p.version, p.place, packed.Bytes(), p.keeper.now()); err != nil {
		return err
	}
	p.place++
	p.lines.Reset()
	return nil
}

// Entries calls each for every entry of a version, in the order of its file.
func (k *Keeper) Entries(ctx context.Context, id idv.WatchlistVersionID, each func(watchlist.Entity) error) error {
	return k.store.WatchlistChunks(ctx, id, func(packed []byte) error {
		z, err := gzip.NewReader(bytes.NewReader(packed))
		if err != nil {
			return fmt.Errorf("open the entries of %s: %w", id, err)
		}
		lines := json.NewDecoder(z)
		for {
			var e watchlist.Entity
			err := lines.Decode(&e)
			if errors.Is(err, io.EOF) {
				return nil
			}
			if err != nil {
				return fmt.Errorf("read the entries of %s: %w", id, err)
			}
			if err := each(e); err != nil {
				return err
			}
		}
	})
}

// compare counts what a version changes against the active one.
func (k *Keeper) compare(ctx context.Context, active, v Version) (watchlist.Counts, error) {
	t := watchlist.NewTally(false)
	if active.Whole() {
		if err := k.Entries(ctx, active.ID, t.Before); err != nil {
			return watchlist.Counts{}, err
		}
	}
	err := k.Entries(ctx, v.ID, t.After)
	return t.Done(), err
}

// unread ends a version that could not be read.
func (k *Keeper) unread(ctx context.Context, v Version, cause error) (Version, error) {
	if err := k.store.DropWatchlistChunks(ctx, v.ID); err != nil {
		return Version{}, errors.Join(cause, err)
	}
	why, refused := refusalOf(cause)
	v.State, v.Why = Failed, nil
	v.Summary.Entities, v.Summary.Persons, v.Summary.Names = 0, 0, 0
	held := refused != nil && v.From == Fetched
	if held {
		v.State, v.Why = Held, []watchlist.Reason{why}
	}
	err := k.store.ChangeWatchlists(ctx, func(ctx context.Context, tx Tx) error {
		if err := tx.SaveWatchlistVersion(ctx, v); err != nil {
			return err
		}
		if held {
			return k.announce(ctx, tx, "watchlist.held", v)
		}
		return tx.Audit(ctx, audit.Record{Action: "watchlist.refused", Subject: string(v.ID)})
	})
	switch {
	case err != nil:
		return Version{}, errors.Join(cause, err)
	case held:
		return v, nil
	case refused != nil:
		return Version{}, refused
	}
	return Version{}, cause
}

// refusalOf returns why a file is no list that can be used; nil for an error of our own.
func refusalOf(err error) (watchlist.Reason, error) {
	switch {
	case errors.Is(err, watchlist.ErrNotAList):
		return HeldNotAList, problem.New(problem.WatchlistNotThatList)
	case errors.Is(err, watchlist.ErrNoBase):
		return HeldNotAList, problem.New(problem.WatchlistNotThatList).Saying("It is a delta, and there is no version in use that it could change.")
	case errors.Is(err, watchlist.ErrHostile):
		return HeldBroken, problem.New(problem.WatchlistBroken).Saying("It has a document type definition, or parts beyond the limits.")
	case errors.Is(err, watchlist.ErrBroken):
		return HeldBroken, problem.New(problem.WatchlistBroken).Saying("It ends or breaks off in the middle.")
	case errors.Is(err, watchlist.ErrTooLarge):
		return HeldBroken, problem.New(problem.RequestTooLarge)
	}
	return "", nil
}

// same forgets a version that is the one in use, and notes that that one is current.
func (k *Keeper) same(ctx context.Context, v, active Version) (Version, error) {
	if err := k.store.DropWatchlistChunks(ctx, v.ID); err != nil {
		return Version{}, err
	}
	return active, k.store.ChangeWatchlists(ctx, func(ctx context.Context, tx Tx) error {
		l, err := tx.Watchlist(ctx, v.List)
		if err != nil {
			return err
		}
		if v.From == Fetched {
			l.CheckedAt = k.now()
		}
		if err := tx.SaveWatchlist(ctx, l); err != nil {
			return err
		}
		return tx.RemoveWatchlistVersion(ctx, v.ID)
	})
}

// finish judges a version that was read, and activates it where nothing speaks against that.
func (k *Keeper) finish(ctx context.Context, v Version) (Version, error) {
	var gone []Version
	err := k.store.ChangeWatchlists(ctx, func(ctx context.Context, tx Tx) error {
		l, err := tx.Watchlist(ctx, v.List)
		if err != nil {
			return err
		}
		active, err := k.activeOf(ctx, tx, v.List)
		if err != nil {
			return err
		}
		v.Why = watchlist.Guard(active.Summary, v.Summary)
		switch {
		case len(v.Why) > 0:
			v.State = Held
			if err := tx.SaveWatchlistVersion(ctx, v); err != nil {
				return err
			}
			return k.announce(ctx, tx, "watchlist.held", v)
		case l.LookFirst:
			v.State = Waiting
			if err := tx.SaveWatchlistVersion(ctx, v); err != nil {
				return err
			}
			return k.announce(ctx, tx, "watchlist.waiting", v)
		}
		gone, err = k.activate(ctx, tx, &v)
		return err
	})
	if err != nil {
		return Version{}, errors.Join(err, k.store.DropWatchlistChunks(ctx, v.ID))
	}
	return v, k.drop(ctx, gone)
}

// activate puts a version in use in place of the one that is, and returns those that are too many to be kept.
func (k *Keeper) activate(ctx context.Context, tx Tx, v *Version) ([]Version, error) {
	before, gone, err := k.retire(ctx, tx, *v)
	if err != nil {
		return nil, err
	}
	v.State, v.ActivatedBy, v.ActivatedAt = Active, actor(ctx), k.now()
	if err := tx.SaveWatchlistVersion(ctx, *v); err != nil {
		return nil, err
	}
	if err := tx.Enqueue(ctx, job.Rescreen{List: v.List, Before: before, After: v.ID}); err != nil {
		return nil, err
	}
	return gone, k.announce(ctx, tx, "watchlist.activated", *v)
}

// retire ends the use of the version that is in use, and says which one that was. It removes the rows of those that are too many.
func (k *Keeper) retire(ctx context.Context, tx Tx, v Version) (before idv.WatchlistVersionID, gone []Version, err error) {
	versions, err := tx.WatchlistVersions(ctx, v.List)
	if err != nil {
		return "", nil, err
	}
	retired, older := 0, false // they come newest first
	for _, old := range versions {
		switch {
		case old.ID == v.ID:
			older = true
		case old.State == Active:
			before = old.ID
			old.State = Retired
			retired++
			if err := tx.SaveWatchlistVersion(ctx, old); err != nil {
				return "", nil, err
			}
		case (old.State == Held || old.State == Waiting) && older: // a newer one is in use: nobody needs to look at it any more
			gone = append(gone, old)
		case old.State == Retired || old.State == Failed:
			if retired++; retired > keptRetired {
				gone = append(gone, old)
			}
		}
	}
	for _, old := range gone {
		if err := tx.RemoveWatchlistVersion(ctx, old.ID); err != nil {
			return "", nil, err
		}
	}
	return before, gone, nil
}

// announce puts a change of a version on record, and tells webhooks of one that is in use or held.
func (k *Keeper) announce(ctx context.Context, tx Tx, action string, v Version) error {
	k.log.InfoContext(ctx, action, "list", v.List, "version", v.ID, "entries", v.Summary.Entities, "why", v.Why)
	typ := map[string]string{"watchlist.activated": EventActivated, "watchlist.held": EventHeld}[action]
	if typ != "" {
		if err := k.tell(ctx, tx, typ, v); err != nil {
			return err
		}
	}
	return tx.Audit(ctx, audit.Record{Action: action, Subject: string(v.ID)})
}

func (k *Keeper) tell(ctx context.Context, tx Tx, typ string, v Version) error {
	e := Event{
		IDs: map[idv.Mode]idv.EventID{}, Type: typ, List: v.List, Version: v.ID, Actor: string(audit.ActorFrom(ctx).Kind), At: k.now(),
	}
	for _, mode := range []idv.Mode{idv.Live, idv.Test} {
		var err error
		if e.IDs[mode], err = idv.NewID[idv.EventID](k.now(), k.random); err != nil {
			return err
		}
	}
	return tx.AddWatchlistEvent(ctx, e)
}

// drop removes what is left of versions that are no longer kept.
func (k *Keeper) drop(ctx context.Context, gone []Version) error {
	for _, v := range gone {
		if err := k.store.DropWatchlistChunks(ctx, v.ID); err != nil {
			return err
		}
	}
	return nil
}

// activeOf returns the version of a list that is in use; the zero Version where none is.
func (k *Keeper) activeOf(ctx context.Context, r Reader, id idv.WatchlistID) (Version, error) {
	versions, err := r.WatchlistVersions(ctx, id)
	if err != nil {
		return Version{}, err
	}
	for _, v := range versions {
		if v.State == Active {
			return v, nil
		}
	}
	return Version{}, nil
}
