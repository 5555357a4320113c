package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/bonafide-id/bonafide/internal/archive"
	"github.com/bonafide-id/bonafide/internal/config"
	"github.com/bonafide-id/bonafide/internal/mail"
	"github.com/bonafide-id/bonafide/internal/store"
	"github.com/bonafide-id/bonafide/internal/store/backup"
)

// keysSuffix is that of the archive of keys beside the archive of data.
const keysSuffix = ".keys"

// backupCommand writes a backup, also while a server runs.
type backupCommand struct {
	File      string   `arg:"" help:"Where the backup goes: FILE holds the data, FILE.keys the keys of its sessions. Keep them in different places."`
	Recipient []string `help:"Public key that the backup is encrypted to (age1…), or @FILE with some. bonafide backup-key makes one." placeholder:"KEY"`
	KeysOnly  bool     `help:"Back up only the keys and the record of erasures: small and quick, so run it more often. FILE is then that archive."`
	PublicURL string   `help:"Public URL of the server; the link in the notice of a failed backup starts with it." placeholder:"URL"`
	Brand     string   `help:"Name of the deployment in that notice. Default: the host of --public-url." placeholder:"NAME"`
	config.Storage
	config.Mail
	config.Log
}

// Run implements the command.
func (c *backupCommand) Run(ctx context.Context, s streams) error {
	to, err := archive.Recipients(c.Recipient)
	if err != nil {
		return err
	}
	out := backupFiles{progress: tenths(s.Err)}
	out.open = func(w io.Writer) (io.WriteCloser, error) { return archive.Encrypt(w, to) }
	if _, err := c.Server(); err != nil {
		return err
	}
	return use(ctx, &c.Storage, c.Log, s, func(st *store.Store) error {
		err := c.write(ctx, s, st, &out)
		if err != nil {
			err = errors.Join(err, c.tell(ctx, st, err))
		}
		return err
	})
}

// tell has the members mailed who asked to be told of backups that fail. The server or a worker sends it.
func (c *backupCommand) tell(ctx context.Context, st *store.Store, failed error) error {
	w := workerCommand{Mail: c.Mail, PublicURL: c.PublicURL, Brand: c.Brand}
	p := w.post()
	server, err := p.Server()
	if err != nil {
		return err
	}
	office := mail.NewOffice(st, mail.Options{Server: server, Brand: p.brand, PublicURL: p.publicURL, Log: quiet()})
	return newWatch(st, office).BackupFailed(context.WithoutCancel(ctx), failed)
}

func (c *backupCommand) write(ctx context.Context, s streams, st *store.Store, out *backupFiles) (err error) {
	defer func() { err = errors.Join(err, out.clean()) }()
	data, keys := c.File, c.File+keysSuffix
	if c.KeysOnly {
		data, keys = "", c.File
	}
	if err := out.free(data, keys); err != nil {
		return err
	}
	n, err := st.Snapshot(ctx, c.KeysOnly)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, n.Close()) }()
	if _, err := out.write(keys, func(w io.Writer) (archive.Foot, error) { return n.WriteKeys(ctx, w, out.progress) }); err != nil {
		return err
	}
	var foot archive.Foot
	if data != "" {
		if foot, err = out.write(data, func(w io.Writer) (archive.Foot, error) { return n.WriteData(ctx, w, out.progress) }); err != nil {
			return err
		}
	}
	if err := out.commit(); err != nil {
		return err
	}
	if data == "" {
		_, err = fmt.Fprintf(s.Out, "Keys of %s are in %s.\n", n.Head.MadeAt.Format(time.RFC3339), keys)
		return err
	}
	if err := st.NoteBackup(ctx, n.Head); err != nil {
		return err
	}
	return printBackup(s.Out, n.Head, foot, data, keys)
}

func printBackup(w io.Writer, h archive.Head, f archive.Foot, data, keys string) error {
	_, err := fmt.Fprintf(w, "Backup of %s: %d rows and %d pictures in %s, the keys to them in %s.\n"+
		"Keep the two apart. To restore it takes both, the private half of the recipient's key, and the master key, which is in neither.\n"+
		"Of the keys only the newest are ever needed: delete older ones within the time that erasing may take.\n",
		h.MadeAt.Format(time.RFC3339), f.Rows, f.Blobs, data, keys)
	if f.Missing > 0 {
		_, err = fmt.Fprintf(
			w,
			"%d pictures were not there any more: erased while the backup was made, or lost before. bonafide doctor looks at the place they lie in.\n",
			f.Missing,
		)
	}
	return err
}

// backupFiles are the files of a backup while they are written. They get their names when all of them are complete.
type backupFiles struct {
	open     func(io.Writer) (io.WriteCloser, error)
	progress backup.Progress
	partial  []string
}

const partialSuffix = ".partial"

// free refuses names that are taken.
func (b *backupFiles) free(names ...string) error {
	for _, name := range names {
		if name == "" {
			continue
		}
		if _, err := os.Lstat(name); err == nil {
			return fmt.Errorf("%s is there already: a backup never overwrites another", name)
		}
	}
	return nil
}

func (b *backupFiles) write(name string, f func(io.Writer) (archive.Foot, error)) (archive.Foot, error) {
	file, err := os.OpenFile(name+partialSuffix, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if errors.Is(err, os.ErrExist) {
		return archive.Foot{}, fmt.Errorf("%s is there: another backup is being made, or one was interrupted; delete it then", name+partialSuffix)
	}
	if err != nil {
		return archive.Foot{}, fmt.Errorf("write the backup: %w", err)
	}
	b.partial = append(b.partial, name)
	foot, err := b.encrypt(file, f)
	if err == nil {
		err = file.Sync()
	}
	return foot, errors.Join(err, file.Close())
}

func (b *backupFiles) encrypt(file io.Writer, f func(io.Writer) (archive.Foot, error)) (archive.Foot, error) {
	w, err := b.open(file)
	if err != nil {
		return archive.Foot{}, err
	}
	foot, err := f(w)
	if err != nil {
		return foot, err
	}
	if err := w.Close(); err != nil {
		return foot, fmt.Errorf("write the backup: %w", err)
	}
	return foot, nil
}

// commit gives the files their names.
func (b *backupFiles) commit() error {
	for len(b.partial) > 0 {
		name := b.partial[0]
		if err := os.Rename(name+partialSuffix, name); err != nil {
			return fmt.Errorf("name the backup: %w", err)
		}
		b.partial = b.partial[1:]
		if dir, err := os.Open(filepath.Dir(name)); err == nil {
			_ = dir.Sync() // not every file system can
			_ = dir.Close()
		}
	}
	return nil
}

// clean removes what is not complete.
func (b *backupFiles) clean() error {
	var err error
	for _, name := range b.partial {
		err = errors.Join(err, os.Remove(name+partialSuffix))
	}
	b.partial = nil
	return err
}

// tenths says how far a long work has come, some ten times for each part of it.
func tenths(w io.Writer) backup.Progress {
	what, last := "", int64(0)
	return func(now string, done, all int64) {
		if now != what {
			what, last = now, 0
		}
		if tenth := 10 * done / max(all, 1); tenth > last {
			last = tenth
			_, _ = fmt.Fprintf(w, "%s: %d of %d\n", now, done, all)
		}
	}
}

// backupKeyCommand makes the key pair of backups.
type backupKeyCommand struct {
	File string `arg:"" help:"Where the private key goes. Take it off this machine afterwards: backups are made without it."`
}

// Run implements the command.
func (c *backupKeyCommand) Run(s streams) error {
	text, recipient, err := archive.NewIdentity()
	if err != nil {
		return err
	}
	f, err := os.OpenFile(c.File, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return fmt.Errorf("write the key: %w", err)
	}
	_, err = f.WriteString(text)
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return fmt.Errorf("write the key: %w", err)
	}
	_, err = fmt.Fprintf(
		s.Out, "%s\nThat is the public half, for bonafide backup --recipient. The private half is in %s: without it no backup can be read.\n",
		recipient, c.File,
	)
	return err
}
