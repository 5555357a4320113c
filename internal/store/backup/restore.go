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
	"github.com/bonafide-id/bonafide/internal/audit"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/store/sessions"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// What a restore is refused for.
var (
	ErrNotEmpty     = errors.New("the database is not empty: a backup is restored only into a new one, in which bonafide never migrated anything")
	ErrBlobsThere   = errors.New("the place for blobs is not empty: a backup is restored only into a new one")
	ErrNewerBackup  = errors.New("the backup was made by a newer version of Bonafide: restore it with that version or a later one")
	ErrNotTogether  = errors.New("the archive of keys belongs to another deployment than the archive of data")
	ErrOlderKeys    = errors.New("the archive of keys is older than the archive of data: take the one that was made with it, or a newer one")
	ErrKindsSwapped = errors.New("the one file has to be the archive of data, the other that of keys")
	ErrKeysLacking  = errors.New(
		"the archive of keys lacks the keys of sessions that the archive of data holds: take the one that was made with it, or a newer one",
	)
)

// Archives opens a backup's two streams, each from its beginning; several times. Keys may be of a newer backup than Data.
type Archives struct {
	Data, Keys func() (io.ReadCloser, error)
}

// Checked is what the archives of a backup are, after each byte of them was found to be right.
type Checked struct {
	Data, Keys           archive.Head
	DataHolds, KeysHolds archive.Foot
}

// CheckArchives reads both archives to their ends and writes nothing.
func (s *Backups) CheckArchives(ctx context.Context, a Archives) (Checked, error) {
	var out Checked
	var err error
	if out.Keys, out.KeysHolds, err = s.CheckArchive(ctx, a.Keys, func(any) {}); err != nil {
		return out, fmt.Errorf("archive of keys: %w", err)
	}
	if out.Data, out.DataHolds, err = s.CheckArchive(ctx, a.Data, func(any) {}); err != nil {
		return out, fmt.Errorf("archive of data: %w", err)
	}
	newest, err := s.NewestMigration()
	if err != nil {
		return out, err
	}
	together, err := s.sameDeployment(out.Data, out.Keys)
	switch {
	case err != nil:
		return out, err
	case out.Data.Kind != archive.Data || out.Keys.Kind != archive.Keys:
		return out, ErrKindsSwapped
	case !together:
		return out, ErrNotTogether
	case out.Keys.MadeAt.Before(out.Data.MadeAt):
		return out, ErrOlderKeys
	case out.Data.Schema > newest || out.Keys.Schema > newest:
		return out, ErrNewerBackup
	}
	return out, nil
}

// sameDeployment reports whether two archives carry the same keyset of a deployment, by whichever master key it is wrapped.
func (s *Backups) sameDeployment(a, b archive.Head) (bool, error) {
	var seals [2]string
	for i, h := range []archive.Head{a, b} {
		own, err := s.db.Master.Open(database.DeploymentOwner, vault.Deployment, h.Deployment)
		if err != nil {
			return false, err
		}
		if seals[i], err = SealOf(own)([]byte("same deployment")); err != nil {
			return false, err
		}
	}
	return seals[0] == seals[1], nil
}

// CheckArchive reads an archive to its end. f sees what is in it before that is proven.
func (s *Backups) CheckArchive(ctx context.Context, open func() (io.ReadCloser, error), f func(any)) (archive.Head, archive.Foot, error) {
	r, closer, err := s.OpenArchive(open)
	if err != nil {
		return archive.Head{}, archive.Foot{}, err
	}
	defer func() { _ = closer.Close() }()
	err = Each(ctx, r, func(item any) error { f(item); return nil })
	return r.Head(), r.Foot(), err
}

// OpenArchive opens an archive whose seal is checked by the deployment's keyset, which it carries wrapped.
func (s *Backups) OpenArchive(open func() (io.ReadCloser, error)) (*archive.Reader, io.Closer, error) {
	if s.db.Master == nil {
		return nil, nil, errors.New("a master key is needed")
	}
	src, err := open()
	if err != nil {
		return nil, nil, err
	}
	r, err := archive.NewReader(src)
	if err != nil {
		return nil, nil, errors.Join(err, src.Close())
	}
	own, err := s.db.Master.Open(database.DeploymentOwner, vault.Deployment, r.Head().Deployment)
	if err != nil {
		return nil, nil, errors.Join(err, src.Close())
	}
	r.Trust(SealOf(own))
	return r, src, nil
}

// Each calls f with every item of an archive, to its proven end.
func Each(ctx context.Context, r *archive.Reader, f func(item any) error) error {
	for {
		item, err := r.Next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil {
			err = ctx.Err()
		}
		if err == nil {
			err = f(item)
		}
		if err != nil {
			return err
		}
	}
}

// destroyedIn returns the keysets (owner|purpose) that were destroyed by the time of an archive of keys, which must have been checked.
func (s *Backups) destroyedIn(ctx context.Context, open func() (io.ReadCloser, error)) (map[string]bool, error) {
	gone := map[string]bool{}
	var table archive.Table
	_, _, err := s.CheckArchive(ctx, open, func(item any) {
		switch v := item.(type) {
		case archive.Table:
			table = v
		case archive.Row:
			if table.Name == "keysets" && ValueOf(table, v, "destroyed_at") != nil {
				gone[keysetName(table, v)] = true
			}
		}
	})
	return gone, err
}

func keysetName(t archive.Table, r archive.Row) string {
	return fmt.Sprint(ValueOf(t, r, "owner"), "|", ValueOf(t, r, "purpose"))
}

// ValueOf returns the value of a column in a row of a table; nil where the table has no such column.
func ValueOf(t archive.Table, r archive.Row, name string) any {
	if i := slices.Index(t.Columns, name); i >= 0 && i < len(r) {
		return r[i]
	}
	return nil
}

// NewestMigration returns the newest schema that this binary knows.
func (s *Backups) NewestMigration() (int64, error) {
	steps, err := s.schema.Steps()
	if err != nil {
		return 0, err
	}
	newest := int64(0)
	for _, m := range steps {
		newest = max(newest, m.Version)
	}
	return newest, nil
}

// Restored says what was restored.
type Restored struct {
	Checked
	Sessions int
	Struck   []idv.SessionID // erased since the data was backed up, and erased again
	Faces    int             // sessions under way with pictures of a face, for which consent may have been taken back since
	Log      audit.Verified
}

// Restore reads a backup into an empty database and an empty place for blobs. Both archives are read to their ends before
// anything is written. Sessions whose keys were destroyed when the keys were backed up are erased again: their rows are
// reduced, their blobs are not written.
func (s *Backups) Restore(ctx context.Context, a Archives, p Progress) (Restored, error) {
	checked, err := s.CheckArchives(ctx, a)
	out := Restored{Checked: checked}
	if err != nil {
		return out, err
	}
	if err := s.Empty(ctx); err != nil {
		return out, err
	}
	gone, err := s.destroyedIn(ctx, a.Keys)
	if err != nil {
		return out, fmt.Errorf("archive of keys: %w", err)
	}
	l := s.Loader(p)
	l.gone, l.all = gone, checked.DataHolds.Rows+checked.DataHolds.Blobs+checked.KeysHolds.Rows
	if err := l.Run(ctx, checked.Data.Schema, a); err != nil {
		return out, err
	}
	out.Sessions = len(l.sessions)
	s.db.ForgetDeployment() // of before the restore
	if err := s.migrate(ctx); err != nil {
		return out, err
	}
	if out.Struck, err = s.eraseAgain(ctx); err != nil {
		return out, fmt.Errorf("erase again what was erased since: %w", err)
	}
	if out.Faces, err = s.openFaces(ctx); err != nil {
		return out, err
	}
	if err := s.log.RecordAudit(ctx, audit.Record{Action: auditRestored, Subject: checked.Data.ID}); err != nil {
		return out, err
	}
	if err := s.log.Sequence(ctx); err != nil {
		return out, err
	}
	if out.Log, err = s.log.VerifyAudit(ctx); err != nil {
		return out, fmt.Errorf("the restored audit log does not hold: %w", err)
	}
	return out, s.endRestore(ctx)
}

// openFaces counts the sessions that hold pictures of a face and are not finished: as long as they are not, consent to those
// can be taken back.
func (s *Backups) openFaces(ctx context.Context) (int, error) {
	faces := s.db.Read.NewSelect().Model((*sessions.CaptureRow)(nil)).Column("session_id").Where("step = ?", string(idv.StepSelfie))
	open := []string{string(idv.Capturing), string(idv.Processing), string(idv.InReview)}
	n, err := s.db.Read.NewSelect().Model((*sessions.SessionRow)(nil)).Where("id IN (?)", faces).Where("state IN (?)", bun.List(open)).Count(ctx)
	if err != nil {
		return 0, fmt.Errorf("count the faces that are back: %w", err)
	}
	return int(n), nil
}

// Empty refuses a target that holds anything. What an attempt that failed left behind is fine: a schema without rows but for
// the mark of the restore.
func (s *Backups) Empty(ctx context.Context) error {
	tables, err := s.allTables(ctx, s.db.Write)
	if err != nil {
		return err
	}
	for _, table := range tables {
		if !slices.Contains(DataTables, table) && !slices.Contains(KeyTables, table) {
			if !LeavesOut(table) {
				return ErrNotEmpty // of another program
			}
			continue
		}
		q := s.db.Write.NewSelect().TableExpr("?", bun.Ident(table))
		if table == "settings" {
			q = q.Where("name <> ?", SettingRestore)
		}
		there, err := q.Exists(ctx)
		if err != nil {
			return fmt.Errorf("look whether the database is empty: %w", err)
		}
		if there {
			return ErrNotEmpty
		}
	}
	return s.db.Blobs.ListPrefix(ctx, "", func(string) error { return ErrBlobsThere })
}

// Restoring reports whether a restore began and did not come to its end: such a database is not to be used.
func (s *Backups) Restoring(ctx context.Context) (bool, error) {
	columns, err := s.ColumnsOf(ctx, s.db.Read, "settings")
	if err != nil || len(columns) == 0 { // nothing was migrated yet
		return false, err
	}
	there, err := s.db.Read.NewSelect().TableExpr("settings").Where("name = ?", SettingRestore).Exists(ctx)
	if err != nil {
		return false, fmt.Errorf("look for a restore: %w", err)
	}
	return there, nil
}

// ErrHalfRestored is what a database is refused for into which a restore did not come to its end.
var ErrHalfRestored = errors.New(
	"a backup was being restored into this database and that did not come to its end: restore it again, into an empty database and an empty place for blobs",
)

// Finished refuses a database into which a restore did not come to its end.
func (s *Backups) Finished(ctx context.Context) error {
	restoring, err := s.Restoring(ctx)
	if err == nil && restoring {
		err = ErrHalfRestored
	}
	return err
}

// SettingRestore is the setting that is there while a restore is under way.
const SettingRestore = "restore"

func (s *Backups) endRestore(ctx context.Context) error {
	if _, err := s.db.Write.NewDelete().TableExpr("settings").Where("name = ?", SettingRestore).Exec(ctx); err != nil {
		return fmt.Errorf("end a restore: %w", err)
	}
	return nil
}

// backupRow is the setting that notes the newest backup.
type backupRow struct {
	bun.BaseModel `bun:"table:settings"`
	Name          string     `bun:"name"`
	Value         LastBackup `bun:"value,type:json"`
	ChangedAt     time.Time  `bun:"changed_at"`
}

// LastBackup is what is noted of the newest complete backup.
type LastBackup struct {
	ID     string    `json:"id"`
	MadeAt time.Time `json:"made_at"`
}

const settingBackup = "backup"

// NoteBackup notes that a backup was written completely.
func (s *Backups) NoteBackup(ctx context.Context, h archive.Head) error {
	row := backupRow{Name: settingBackup, Value: LastBackup{ID: h.ID, MadeAt: h.MadeAt}, ChangedAt: s.db.Now()}
	_, err := s.db.Write.NewInsert().Model(&row).On("CONFLICT (name) DO UPDATE").Set("value = EXCLUDED.value").Set("changed_at = EXCLUDED.changed_at").Exec(ctx)
	if err != nil {
		return fmt.Errorf("note a backup: %w", err)
	}
	return nil
}

// LastBackup answers the newest complete backup; zero where there never was one.
func (s *Backups) LastBackup(ctx context.Context) (LastBackup, error) {
	var rows []backupRow
	if err := s.db.Read.NewSelect().Model(&rows).Where("name = ?", settingBackup).Scan(ctx); err != nil {
		return LastBackup{}, fmt.Errorf("read the newest backup: %w", err)
	}
	if len(rows) == 0 {
		return LastBackup{}, nil
	}
	return rows[0].Value, nil
}

// sessionOf is the session whose blob has that name.
func sessionOf(blob string) string {
	id, _, _ := strings.Cut(blob, "/")
	return id
}
