package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/bonafide-id/bonafide/internal/archive"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/store/backup"
)

// restoreCommand reads a backup into an empty database and an empty place for blobs.
type restoreCommand struct {
	File     string `arg:"" help:"The archive of data."`
	Keys     string `help:"The archive of keys: the newest there is. Default: FILE.keys, of the same backup." placeholder:"FILE"`
	Identity string `help:"The private key that the backup was encrypted to, as bonafide backup-key wrote it." placeholder:"FILE"`
	Check    bool   `help:"Read the archives to their ends, say whether they are whole, and write nothing."`
	config.Storage
	config.Log
}

// Run implements the command.
func (c *restoreCommand) Run(ctx context.Context, s streams) error {
	archives, err := c.archives()
	if err != nil {
		return err
	}
	return useUnfinished(ctx, &c.Storage, c.Log, s, time.Now, func(st *store.Store) error { return c.restore(ctx, s, st, archives) })
}

func (c *restoreCommand) restore(ctx context.Context, s streams, st *store.Store, a backup.Archives) error {
	if c.Check {
		checked, err := st.CheckArchives(ctx, a)
		if err != nil {
			return err
		}
		_, err = fmt.Fprintf(s.Out, "Both archives are whole: %d rows and %d pictures of %s, keys of %s.\n",
			checked.DataHolds.Rows, checked.DataHolds.Blobs, checked.Data.MadeAt.Format(time.RFC3339), checked.Keys.MadeAt.Format(time.RFC3339))
		return err
	}
	got, err := st.Restore(ctx, a, tenths(s.Err))
	if err != nil {
		return err
	}
	return printRestored(s.Out, got)
}

// printRestored says what is there again, and what nobody can know.
func printRestored(w io.Writer, r backup.Restored) error {
	made, known := r.Data.MadeAt.Format(time.RFC3339), r.Keys.MadeAt.Format(time.RFC3339)
	_, err := fmt.Fprintf(w, "Restored %d sessions as they were at %s. The audit log holds: %d entries under its newest checkpoint.\n"+
		"Erased again, because their keys were destroyed by %s: %d sessions.\n", r.Sessions, made, r.Log.Size, known, len(r.Struck))
	if err == nil && r.Keys.ID == r.Data.ID {
		_, err = fmt.Fprintln(w, "The keys are of the same backup: whoever was erased after it is back. If a newer archive of keys exists, start again with --keys.")
	} else if err == nil {
		_, err = fmt.Fprintf(
			w, "What was erased after %s is back, and nothing in these files can tell. Erase it again from your own record of session.erased.\n",
			known,
		)
	}
	if err == nil && r.Faces > 0 {
		_, err = fmt.Fprintf(w, "%d sessions under way hold pictures of a face. Where consent to those was taken back after %s they are here again: "+
			"erase those that have session.face_declined in the old audit log, or all of them if it is lost.\n", r.Faces, made)
	}
	if err == nil && r.DataHolds.Missing > 0 {
		_, err = fmt.Fprintf(w, "%d pictures were missing already when the backup was made.\n", r.DataHolds.Missing)
	}
	if err == nil {
		_, err = fmt.Fprintf(w, "Also as they were at %s: API keys that were revoked since, members who left since, checkpoints that you kept "+
			"since. Everyone has to sign in again.\n"+
			"Before the server starts, look through keys and members; make a new backup.\n", made)
	}
	return err
}

func (c *restoreCommand) archives() (backup.Archives, error) {
	if c.Identity == "" {
		return backup.Archives{}, errors.New("--identity is missing: the file with the private key that the backup was encrypted to")
	}
	by, err := archive.Identities(c.Identity)
	if err != nil {
		return backup.Archives{}, err
	}
	keys := c.Keys
	if keys == "" {
		keys = c.File + keysSuffix
	}
	opener := func(path string) func() (io.ReadCloser, error) {
		return func() (io.ReadCloser, error) {
			f, err := os.Open(path)
			if err != nil {
				return nil, fmt.Errorf("open the backup: %w", err)
			}
			plain, err := archive.Decrypt(f, by)
			if err != nil {
				return nil, errors.Join(fmt.Errorf("%s: %w", path, err), f.Close())
			}
			return struct {
				io.Reader
				io.Closer
			}{plain, f}, nil
		}
	}
	return backup.Archives{Data: opener(c.File), Keys: opener(keys)}, nil
}
