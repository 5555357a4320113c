package lists

import (
	"context"
	"errors"
	"os"
	"path/filepath"

	"github.com/bonafide-id/bonafide/internal/nameindex"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/watchlist"
)

// Condition is what a process finds that starts after another was killed.
type Condition struct {
	Active   string   `json:"active"`  // digest of the file of the version in use; empty for none
	Entries  int      `json:"entries"` // that it has, counted
	Summary  int      `json:"summary"` // that it should have
	Actives  int      `json:"actives"` // versions in use
	Before   string   `json:"before"`  // digest of the file that the compiled lists hold as they were found
	Damaged  bool     `json:"damaged"` // they were found, and could not be used
	After    string   `json:"after"`   // the same once the server has started
	People   int      `json:"people"`  // who can be searched for then
	Digest   string   `json:"digest"`
	Half     int      `json:"half"`     // versions that are still being imported, by nobody
	Chunks   int      `json:"chunks"`   // stored parts of the version in use
	Orphans  int      `json:"orphans"`  // stored parts of versions that are not there or failed
	Leftover []string `json:"leftover"` // files beside the compiled lists
	Newest   string   `json:"newest"`   // state of the newest version
	Why      []string `json:"why"`      // it is held
	Fault    string   `json:"fault"`    // of the last fetch
}

// look starts as a server does, and says what it found and what it made of it.
func (s *stopping) look(ctx context.Context, st *store.Store, k *lists.Keeper) error {
	var c Condition
	path := filepath.Join(s.part.Index, "names.index")
	x, err := nameindex.Open(path)
	switch {
	case err == nil:
		c.Before = digestOf(x.Lists(), s.part.List)
		err = x.Close()
	case errors.Is(err, os.ErrNotExist):
		err = nil
	default:
		c.Damaged, err = true, nil
	}
	if err != nil {
		return err
	}
	if _, err := k.Sweep(ctx); err != nil {
		return err
	}
	live, err := lists.NewLive(k, s.part.Index)
	if err != nil {
		return err
	}
	if err := live.Refresh(ctx); err != nil {
		return errors.Join(err, live.Close())
	}
	now := live.Compiled()
	c.After, c.People, c.Digest = digestOf(now.Lists, s.part.List), now.People, now.Digest
	if err := errors.Join(s.versions(ctx, k, &c), live.Close(), s.leftovers(ctx, st, &c)); err != nil {
		return err
	}
	return s.out.Encode(Said{Seen: &c})
}

func digestOf(of []nameindex.List, name string) string {
	for _, l := range of {
		if l.Name == name {
			return l.Version
		}
	}
	return ""
}

// versions looks at the versions of the list and counts the entries of the one in use.
func (s *stopping) versions(ctx context.Context, k *lists.Keeper, c *Condition) error {
	l, err := s.list(ctx, k)
	if err != nil {
		return err
	}
	c.Fault = string(l.Fault)
	all, err := k.Versions(ctx, l.ID)
	if err != nil {
		return err
	}
	for i, v := range all {
		if i == 0 {
			c.Newest = string(v.State)
			for _, why := range v.Why {
				c.Why = append(c.Why, string(why))
			}
		}
		switch v.State {
		case lists.Importing:
			c.Half++
		case lists.Active:
			c.Actives++
			c.Active, c.Summary, c.Chunks = v.Summary.SHA256, v.Summary.Entities, 0
			if err := s.Store.WatchlistChunks(ctx, v.ID, func([]byte) error { c.Chunks++; return nil }); err != nil {
				return err
			}
			if err := k.Entries(ctx, v.ID, func(watchlist.Entity) error { c.Entries++; return nil }); err != nil {
				return err
			}
		}
	}
	return nil
}

// leftovers counts what nobody needs any more.
func (s *stopping) leftovers(ctx context.Context, st *store.Store, c *Condition) error {
	err := st.Read.NewSelect().TableExpr("watchlist_chunks AS c").ColumnExpr("COUNT(*)").
		Where("c.version_id NOT IN (SELECT v.id FROM watchlist_versions AS v WHERE v.state <> 'failed')").Scan(ctx, &c.Orphans)
	if err != nil {
		return err
	}
	all, err := os.ReadDir(s.part.Index)
	for _, one := range all {
		if one.Name() != "names.index" {
			c.Leftover = append(c.Leftover, one.Name())
		}
	}
	return err
}
