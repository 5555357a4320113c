// Package masterkey holds the commands that make a master key and replace one by another.
package masterkey

import (
	"context"
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Use opens the store of a deployment for one command.
type Use func(ctx context.Context, c *config.Storage, l config.Log, do func(*store.Store) error) error

// Make writes a new master key to a file.
type Make struct {
	File string `arg:"" help:"Where the key goes. Only its owner can read it; a file that is there is never overwritten."`
}

// Run implements the command.
func (c *Make) Run(w io.Writer) error {
	made, err := vault.CreateMaster(c.File)
	if err != nil {
		return err
	}
	if !made {
		return fmt.Errorf("%s is there already: a key is never overwritten, because what it encrypted could not be read any more", c.File)
	}
	m, err := vault.OpenMaster("file:" + c.File)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "Master key %s is in %s, readable by its owner only.\n"+
		"Start the server with --master-key file:%s (or BONAFIDE_MASTER_KEY).\n"+
		"Copy the key to a second place, away from this machine and from the backups, before the first real person is verified:\n"+
		"without it nothing can be read, and nobody can make it again.\n", m.Fingerprint(), c.File, c.File)
	return err
}

// auditRotated is the action of the audit log. The subject is the fingerprint of the new key.
const auditRotated = "master_key.rotated"

// Rotate wraps every key of a deployment by the new master key.
type Rotate struct {
	config.Storage
	config.Log
	Check bool `help:"Only show how far the change has progressed."`
}

// Run implements the command.
func (c *Rotate) Run(ctx context.Context, w io.Writer, use Use) error {
	return use(ctx, &c.Storage, c.Log, func(st *store.Store) error {
		before, err := Read(ctx, st)
		if err != nil {
			return err
		}
		if c.Check {
			_, err := fmt.Fprintln(w, before.String())
			return err
		}
		if len(st.Master.Fingerprints()) == 1 && !before.Changing() {
			_, err := fmt.Fprintf(w, "%s To change it, name the new key with --master-key and this one with --other-master-key.\n", before)
			return err
		}
		return c.rotate(ctx, w, st, before)
	})
}

func (c *Rotate) rotate(ctx context.Context, w io.Writer, st *store.Store, before Progress) error {
	last := 0
	n, err := st.Rewrap(ctx, func(done int) {
		if tenth := 10 * done / max(before.Others(), 1); tenth > last {
			last = tenth
			_, _ = fmt.Fprintf(w, "%d of %d keysets\n", done, before.Others())
		}
	})
	if err != nil {
		return fmt.Errorf("%d keysets were wrapped by the new key, the others by the old one: give both keys and call this again (%w)", n, err)
	}
	if n > 0 {
		if err := st.RecordAudit(ctx, audit.Record{Action: auditRotated, Subject: st.Master.Fingerprint()}); err != nil {
			return err
		}
	}
	after, err := Read(ctx, st)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(w, after.String())
	return err
}

// Progress says how far a change of the master key has come.
type Progress struct {
	master *vault.Master
	byKey  map[string]int
}

// Read reads how far a change of the master key has come.
func Read(ctx context.Context, st *store.Store) (Progress, error) {
	byKey, err := st.WrappedBy(ctx)
	return Progress{st.Master, byKey}, err
}

// All returns how many keysets there are.
func (p Progress) All() int {
	n := 0
	for of := range maps.Values(p.byKey) {
		n += of
	}
	return n
}

// Others returns how many keysets the master key that wraps has not wrapped, as far as was noted.
func (p Progress) Others() int { return p.All() - p.byKey[p.master.Fingerprint()] }

// Changing reports whether a change of the master key is under way: two keys wrapped keysets, or two were given.
func (p Progress) Changing() bool {
	noted := slices.DeleteFunc(slices.Collect(maps.Keys(p.byKey)), func(f string) bool { return f == "" })
	return len(noted) > 1 || len(p.master.Fingerprints()) > 1
}

// String says what to do next.
func (p Progress) String() string {
	if !p.Changing() {
		return fmt.Sprintf("Master key %s wraps all %d keysets.", p.master.Fingerprint(), p.All())
	}
	if left := p.Others(); left > 0 {
		return fmt.Sprintf("Master key %s wraps %d of %d keysets; %d still need the other key. "+
			"Run bonafide rotate-master-key with the new key as --master-key.", p.master.Fingerprint(), p.All()-left, p.All(), left)
	}
	return fmt.Sprintf("Master key %s wraps all %d keysets. Once every server and worker runs with it as --master-key, "+
		"call bonafide rotate-master-key once more; then start them without --other-master-key. "+
		"Backups of before still need the old key.", p.master.Fingerprint(), p.All())
}
