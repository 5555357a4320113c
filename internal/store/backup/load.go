package backup

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/archive"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Loader reads archives into a schema of their own age. All rows commit together, after the blobs are written.
type Loader struct {
	backups  *Backups
	DB       bun.Tx
	progress Progress
	gone     map[string]bool // keysets that were destroyed
	sessions map[string]bool // that the data holds
	written  []string        // blobs
	done     int64
	all      int64

	table   archive.Table
	columns []string
	skip    bool // this database has no such table
	rows    []archive.Row
	size    int
}

// Loader returns a Loader that tells how far it has come.
func (s *Backups) Loader(p Progress) *Loader {
	return &Loader{backups: s, progress: p, sessions: map[string]bool{}, gone: map[string]bool{}}
}

// Run restores the archives at the schema of the data.
func (l *Loader) Run(ctx context.Context, schema int64, a Archives) error {
	if err := l.Schema(ctx, schema); err != nil {
		return err
	}
	if err := l.Mark(ctx); err != nil {
		return err
	}
	return l.Within(ctx, func(ctx context.Context) error {
		if err := l.Load(ctx, a.Data); err != nil {
			return err
		}
		if err := l.Load(ctx, a.Keys); err != nil {
			return err
		}
		return l.checkKeys(ctx)
	})
}

// Schema makes the schema of a backup. One that is newer already would not get what migrations do to rows.
func (l *Loader) Schema(ctx context.Context, schema int64) error {
	p, err := l.backups.schema.Provider()
	if err != nil {
		return err
	}
	if _, err := p.UpTo(ctx, schema); err != nil {
		return fmt.Errorf("make the schema of the backup: %w", err)
	}
	got, err := p.GetDBVersion(ctx)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	if got != schema {
		return ErrNotEmpty
	}
	return nil
}

// Within calls f in a transaction. Blobs that were written go again if it fails.
func (l *Loader) Within(ctx context.Context, f func(context.Context) error) error {
	err := l.backups.db.Write.RunInTx(ctx, nil, func(ctx context.Context, db bun.Tx) error {
		l.DB = db
		if err := f(ctx); err != nil {
			return err
		}
		return l.count(ctx)
	})
	if err == nil {
		return nil
	}
	for _, name := range l.written {
		err = errors.Join(err, l.backups.db.Blobs.Delete(context.WithoutCancel(ctx), name))
	}
	return err
}

// Mark notes, before anything is read in, that a restore is under way. It stays until all of it is done: one that is killed or
// fails in between leaves a database that is refused.
func (l *Loader) Mark(ctx context.Context) error {
	columns, err := l.backups.ColumnsOf(ctx, l.backups.db.Write, "settings")
	if err != nil || len(columns) == 0 { // a schema before settings
		return err
	}
	_, err = l.backups.db.Write.NewRaw("INSERT INTO settings (name, value, changed_at) VALUES (?, '{}', ?) ON CONFLICT (name) DO NOTHING",
		SettingRestore, l.backups.db.Now()).Exec(ctx)
	if err != nil {
		return fmt.Errorf("note a restore: %w", err)
	}
	return nil
}

// checkKeys returns ErrKeysLacking if a session has no keys. Until here only clocks said that the keys are not older than the data.
func (l *Loader) checkKeys(ctx context.Context) error {
	for _, p := range []vault.Purpose{vault.Pictures, vault.Facts} {
		lacking, err := l.DB.NewSelect().TableExpr("sessions AS s").
			Where("s.erased_at IS NULL AND NOT EXISTS (SELECT 1 FROM keysets AS k WHERE k.owner = s.id AND k.purpose = ?)", string(p)).Exists(ctx)
		if err != nil {
			return fmt.Errorf("look whether the keys fit the data: %w", err)
		}
		if lacking {
			return ErrKeysLacking
		}
	}
	return nil
}

// Load reads an archive into the database. It must be called by the function that Within runs.
func (l *Loader) Load(ctx context.Context, open func() (io.ReadCloser, error)) error {
	r, closer, err := l.backups.OpenArchive(open)
	if err != nil {
		return err
	}
	defer func() { _ = closer.Close() }()
	if err := Each(ctx, r, func(item any) error { return l.item(ctx, r, item) }); err != nil {
		return err
	}
	return l.flush(ctx)
}

func (l *Loader) item(ctx context.Context, r *archive.Reader, item any) error {
	switch v := item.(type) {
	case archive.Table:
		if err := l.flush(ctx); err != nil {
			return err
		}
		return l.begin(ctx, v)
	case archive.Row:
		l.step("rows")
		return l.row(ctx, v)
	case archive.Blob:
		l.step("pictures")
		return l.blob(ctx, v, r)
	default:
		return fmt.Errorf("%w: an item of type %T", archive.ErrBroken, item)
	}
}

func (l *Loader) step(what string) {
	l.done++
	l.progress(what, l.done, l.all)
}

// begin takes a table up. What its columns are is for the schema to say: the archive may only name them.
func (l *Loader) begin(ctx context.Context, t archive.Table) error {
	if !slices.Contains(DataTables, t.Name) && !slices.Contains(KeyTables, t.Name) {
		return fmt.Errorf("%w: a table that no backup holds", archive.ErrBroken)
	}
	columns, err := l.backups.ColumnsOf(ctx, l.DB, t.Name)
	if err != nil {
		return err
	}
	known := NamesOf(columns)
	l.skip = len(known) == 0 && slices.Contains(KeyTables, t.Name) // keys may be of a newer schema than the data
	l.table, l.columns = t, t.Columns
	if l.skip {
		return nil
	}
	for _, c := range t.Columns {
		if !slices.Contains(known, c) {
			return fmt.Errorf("%w: table %s has no column %s", archive.ErrBroken, t.Name, c)
		}
	}
	return nil
}

// timeForm is how times are written, also the zero one, which bun would make NULL.
const timeForm = "2006-01-02 15:04:05.999999-07:00"

// Rows that are written at once.
const (
	loadRows  = 200
	loadBytes = 1 << 20
)

func (l *Loader) row(ctx context.Context, r archive.Row) error {
	if l.skip || !l.belongs(r) {
		return nil
	}
	l.rows = append(l.rows, r)
	for _, v := range r {
		switch v := v.(type) {
		case string:
			l.size += len(v)
		case []byte:
			l.size += len(v)
		}
	}
	if len(l.rows) < loadRows && l.size < loadBytes {
		return nil
	}
	return l.flush(ctx)
}

// belongs leaves out the keys of sessions that began after the data was backed up, and the mark of another restore.
func (l *Loader) belongs(r archive.Row) bool {
	switch l.table.Name {
	case "sessions":
		if id, ok := ValueOf(l.table, r, "id").(string); ok {
			l.sessions[id] = true
		}
	case "settings":
		return ValueOf(l.table, r, "name") != SettingRestore
	case "keysets":
		owner := fmt.Sprint(ValueOf(l.table, r, "owner"))
		return owner == database.DeploymentOwner || l.sessions[owner]
	case "erasures":
		return l.sessions[fmt.Sprint(ValueOf(l.table, r, "session_id"))]
	}
	return true
}

func (l *Loader) flush(ctx context.Context) error {
	if len(l.rows) == 0 {
		return nil
	}
	args := []any{bun.Ident(l.table.Name)}
	for _, c := range l.columns {
		args = append(args, bun.Ident(c))
	}
	marks := "(" + strings.TrimSuffix(strings.Repeat("?, ", len(l.columns)), ", ") + ")"
	q := "INSERT INTO ? " + marks
	if l.backups.db.Pool != nil {
		q += " OVERRIDING SYSTEM VALUE"
	}
	q += " VALUES " + strings.TrimSuffix(strings.Repeat(marks+", ", len(l.rows)), ", ")
	for _, r := range l.rows {
		for _, v := range r {
			if t, ok := v.(time.Time); ok {
				v = t.UTC().Format(timeForm)
			}
			args = append(args, v)
		}
	}
	l.rows, l.size = l.rows[:0], 0
	if _, err := l.DB.NewRaw(q, args...).Exec(ctx); err != nil {
		return fmt.Errorf("restore rows of %s: %w", l.table.Name, err)
	}
	return nil
}

// blob writes a blob unless it belongs to nobody, or to keys that were destroyed.
func (l *Loader) blob(ctx context.Context, b archive.Blob, r io.Reader) error {
	id := sessionOf(b.Name)
	if !l.sessions[id] || l.gone[id+"|"+string(vault.Pictures)] {
		return nil
	}
	if _, ok := idv.ParseID[idv.SessionID](id); !ok {
		return fmt.Errorf("%w: a blob of no session", archive.ErrBroken)
	}
	l.written = append(l.written, b.Name)
	return l.backups.db.Blobs.WriteSealed(ctx, b.Name, r)
}

// count tells PostgreSQL how far its counting columns are. SQLite sees it from the rows.
func (l *Loader) count(ctx context.Context) error {
	if l.backups.db.Pool == nil {
		return nil
	}
	for _, table := range DataTables {
		columns, err := l.backups.ColumnsOf(ctx, l.DB, table)
		if err != nil {
			return err
		}
		for _, c := range columns {
			if !c.Identity {
				continue
			}
			_, err := l.DB.NewRaw("SELECT setval(pg_get_serial_sequence(?, ?), COALESCE(MAX(?), 0) + 1, false) FROM ?",
				table, c.Name, bun.Ident(c.Name), bun.Ident(table)).Exec(ctx)
			if err != nil {
				return fmt.Errorf("set the counter of %s: %w", table, err)
			}
		}
	}
	return nil
}
