package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/screening/lists"
)

// openLists opens the compiled watchlists of this server.
func openLists(c *config.Storage, w config.Work, k *lists.Keeper) (*lists.Live, error) {
	dir := w.WatchlistDir
	switch {
	case dir != "":
	case c.Dev:
		dir = filepath.Join(c.DataDir, "watchlists")
	default:
		cache, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("find a directory for the compiled watchlists, name one with --watchlist-dir: %w", err)
		}
		dir = filepath.Join(cache, "bonafide", "watchlists")
	}
	return lists.NewLive(k, dir)
}
