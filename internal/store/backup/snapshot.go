package backup

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/archive"
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// Actions of the audit log. The subject is the backup's id.
const (
	auditBackup     = "backup.made"
	auditKeysBackup = "backup.keys_made"
	auditRestored   = "backup.restored"
)

// Progress is called with what is being done, and how much of how much of it is done.
type Progress func(what string, done, all int64)

// Snapshot is the database as it was at one moment. It has to be closed.
type Snapshot struct {
	Head  archive.Head // without its kind
	s     *Backups
	db    bun.Tx
	open  bool
	Mac   archive.Mac
	blobs []string
}

// Snapshot begins a backup of a database that may be in use. It is on record in the audit log before: of everything, or
// only of the keys. A database that is half restored is ErrHalfRestored.
func (s *Backups) Snapshot(ctx context.Context, keysOnly bool) (*Snapshot, error) {
	if err := s.Finished(ctx); err != nil {
		return nil, err
	}
	out := &Snapshot{s: s}
	var id [16]byte
	if _, err := rand.Read(id[:]); err != nil {
		return nil, fmt.Errorf("name a backup: %w", err)
	}
	out.Head.ID = hex.EncodeToString(id[:])
	action := auditBackup
	if keysOnly {
		action = auditKeysBackup
	}
	if err := s.log.RecordAudit(ctx, audit.Record{Action: action, Subject: out.Head.ID}); err != nil {
		return nil, err
	}
	if err := s.log.Sequence(ctx); err != nil {
		return nil, err
	}
	return out, out.Begin(ctx)
}

// Begin opens the transaction whose reads are the snapshot.
func (n *Snapshot) Begin(ctx context.Context) error {
	own, err := n.s.db.Deployment(ctx)
	if err != nil {
		return err
	}
	n.Mac = SealOf(own)
	if n.db, err = n.s.db.Read.BeginTx(ctx, n.s.db.SnapshotOptions()); err != nil {
		return fmt.Errorf("begin a backup: %w", err)
	}
	n.open = true
	if err := n.readHead(ctx); err != nil {
		return errors.Join(err, n.Close())
	}
	return nil
}

// SealOf returns what seals an archive under the deployment's keyset.
func SealOf(k *vault.Keyset) archive.Mac {
	return func(sum []byte) (string, error) { return k.Digest(archive.MacLabel, sum) }
}

func (n *Snapshot) readHead(ctx context.Context) error {
	n.Head.MadeAt, n.Head.Engine = n.s.db.Now(), n.s.db.Engine() // before the first read, which fixes what is seen
	err := n.db.NewRaw("SELECT COALESCE(MAX(version_id), 0) FROM schema_versions").Scan(ctx, &n.Head.Schema)
	if err != nil {
		return fmt.Errorf("read the schema's version: %w", err)
	}
	var row database.KeysetRow
	if err := n.db.NewSelect().Model(&row).Where("owner = ? AND purpose = ?", database.DeploymentOwner, string(vault.Deployment)).Scan(ctx); err != nil {
		return fmt.Errorf("read the deployment's keyset: %w", err)
	}
	n.Head.Deployment = row.Wrapped
	for _, table := range []string{"captures", "artifacts", "upload_parts"} {
		columns, err := n.s.ColumnsOf(ctx, n.db, table)
		if err != nil {
			return err
		}
		if len(columns) == 0 {
			continue // of a schema before it
		}
		var names []string
		if err := n.db.NewSelect().TableExpr("?", bun.Ident(table)).Column("blob").Where("blob <> ''").Scan(ctx, &names); err != nil {
			return fmt.Errorf("read names of blobs: %w", err)
		}
		n.blobs = append(n.blobs, names...)
	}
	slices.Sort(n.blobs)
	n.blobs = slices.Compact(n.blobs)
	return nil
}

// Close ends the snapshot.
func (n *Snapshot) Close() error {
	if !n.open {
		return nil
	}
	n.open = false
	return n.db.Rollback()
}

// WriteKeys writes the archive of keys.
func (n *Snapshot) WriteKeys(ctx context.Context, w io.Writer, p Progress) (archive.Foot, error) {
	out, err := n.rows(ctx, w, archive.Keys, KeyTables, p)
	if err != nil {
		return archive.Foot{}, err
	}
	return out.Close()
}

// WriteData writes the archive of data: the rows of the snapshot, which ends then, and the blobs that they name. A blob that was
// erased meanwhile is counted as missing.
func (n *Snapshot) WriteData(ctx context.Context, w io.Writer, p Progress) (archive.Foot, error) {
	out, err := n.rows(ctx, w, archive.Data, DataTables, p)
	if err != nil {
		return archive.Foot{}, err
	}
	if err := n.Close(); err != nil { // SQLite cannot cut its log while somebody reads from it
		return archive.Foot{}, fmt.Errorf("end a snapshot: %w", err)
	}
	for i, name := range n.blobs {
		if err := n.copyBlob(ctx, out, name); err != nil {
			return archive.Foot{}, err
		}
		p("pictures", int64(i+1), int64(len(n.blobs)))
	}
	return out.Close()
}

// WriteDump writes all rows, and no blobs.
func (n *Snapshot) WriteDump(ctx context.Context, w io.Writer) (archive.Foot, error) {
	out, err := n.rows(ctx, w, archive.Dump, slices.Concat(DataTables, KeyTables), func(string, int64, int64) {})
	if err != nil {
		return archive.Foot{}, err
	}
	return out.Close()
}

func (n *Snapshot) copyBlob(ctx context.Context, out *archive.Writer, name string) error {
	r, size, err := n.s.db.Blobs.OpenSealed(ctx, name)
	if errors.Is(err, vault.ErrNoBlob) {
		out.Missing()
		return nil
	}
	if err != nil {
		return err
	}
	return errors.Join(out.Blob(archive.Blob{Name: name, Size: size}, r), r.Close())
}

// rows begins an archive and writes tables into it.
func (n *Snapshot) rows(ctx context.Context, w io.Writer, k archive.Kind, tables []string, p Progress) (*archive.Writer, error) {
	head := n.Head
	head.Kind = k
	out, err := archive.NewWriter(w, head, n.Mac)
	if err != nil {
		return nil, err
	}
	for i, table := range tables {
		if err := n.table(ctx, out, table); err != nil {
			return nil, err
		}
		p("tables of "+string(k), int64(i+1), int64(len(tables)))
	}
	return out, nil
}

func (n *Snapshot) table(ctx context.Context, out *archive.Writer, table string) error {
	columns, err := n.s.ColumnsOf(ctx, n.db, table)
	if err != nil || len(columns) == 0 {
		return err
	}
	if err := out.Table(archive.Table{Name: table, Columns: NamesOf(columns)}); err != nil {
		return err
	}
	parts := make([]string, len(columns))
	args := make([]any, len(columns), len(columns)+1)
	for i, c := range columns {
		parts[i], args[i] = "?", bun.Ident(c.Name)
		if c.JSON {
			parts[i] = "?::text"
		}
	}
	q := "SELECT " + strings.Join(parts, ", ") + " FROM ?"
	args = append(args, bun.Ident(table))
	if table == "settings" {
		q, args = q+" WHERE name <> ?", append(args, SettingRestore)
	}
	rows, err := n.db.QueryContext(ctx, q, args...)
	if err != nil {
		return fmt.Errorf("read %s: %w", table, err)
	}
	defer func() { _ = rows.Close() }()
	for rows.Next() {
		if err := copyRow(rows, out, columns); err != nil {
			return fmt.Errorf("copy a row of %s: %w", table, err)
		}
	}
	if err := rows.Err(); err != nil {
		return fmt.Errorf("read %s: %w", table, err)
	}
	return nil
}

func copyRow(rows *sql.Rows, out *archive.Writer, columns []column) error {
	values, into := make(archive.Row, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	if err := rows.Scan(into...); err != nil {
		return err
	}
	for i, v := range values {
		switch v := v.(type) {
		case nil, bool, string, []byte:
		case int64:
			if columns[i].Bool {
				values[i] = v != 0
			}
		case time.Time:
			values[i] = v.UTC()
		default:
			return fmt.Errorf("a value of type %T", v)
		}
	}
	return out.Row(values)
}
