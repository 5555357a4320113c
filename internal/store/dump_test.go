package store

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/base64"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"testing/cryptotest"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/uptrace/bun"

	"github.com/bonafide-id/bonafide/internal/account"
	"github.com/bonafide-id/bonafide/internal/archive"
	"github.com/bonafide-id/bonafide/internal/demo"
	"github.com/bonafide-id/bonafide/internal/idv"
	"github.com/bonafide-id/bonafide/internal/session"
	"github.com/bonafide-id/bonafide/internal/session/services"
	"github.com/bonafide-id/bonafide/internal/store/backup"
	"github.com/bonafide-id/bonafide/internal/store/database"
	"github.com/bonafide-id/bonafide/internal/vault"
)

// makeDumps makes the dumps that are missing. One that is there is history and stays as it is.
var makeDumps = flag.Bool("make-dumps", false, "make the missing dumps of schemas in testdata/schema (make dumps)")

// firstDump is the first schema whose dump was kept. Those before it are made from it: its rows, without the columns and tables
// that came later.
const firstDump = 15

// dumpFile is where the dump of a schema lies.
func dumpFile(schema int64) string {
	return filepath.Join("testdata", "schema", fmt.Sprintf("%04d.dump.gz", schema))
}

func schemas(t *testing.T, s *Store) []int64 {
	t.Helper()
	steps, err := s.schema.Steps()
	must(t, err)
	var out []int64
	for _, m := range steps {
		out = append(out, m.Version)
	}
	slices.Sort(out)
	return out
}

// dumpMaster is the master key of the dumps, which protects nothing.
func dumpMaster(t *testing.T) *vault.Master {
	t.Helper()
	path := filepath.Join(t.TempDir(), "master.key")
	must(t, os.WriteFile(path, []byte("bonafide-master-1:"+base64.StdEncoding.EncodeToString(bytes.Repeat([]byte("dump"), 8))), 0o600))
	m, err := vault.OpenMaster("file:" + path)
	must(t, err)
	return m
}

func TestEverySchemaHasItsDump(t *testing.T) {
	d := &deployment{master: dumpMaster(t), clock: &clock{}}
	d = d.beside(t)
	var missing []int64
	for _, schema := range schemas(t, d.store) {
		if _, err := os.Stat(dumpFile(schema)); schema >= firstDump && errors.Is(err, os.ErrNotExist) {
			missing = append(missing, schema)
		}
	}
	if !*makeDumps || len(missing) == 0 {
		for _, schema := range missing {
			t.Errorf("migration %d has no dump of its schema: run make dumps and commit what it wrote", schema)
		}
		return
	}
	whole := dumpNow(t)
	for _, schema := range missing {
		empty := (&deployment{master: dumpMaster(t), clock: &clock{}}).beside(t)
		p, err := empty.store.schema.Provider()
		must(t, err)
		_, err = p.UpTo(t.Context(), schema)
		must(t, err)
		cut, err := empty.store.cutTo(t.Context(), empty.store.Write, whole, schema)
		must(t, err)
		writeDump(t, schema, cut)
	}
}

// dumpNow fills the newest schema and dumps it. Invented people, a clock that stands and chance that is none.
func dumpNow(t *testing.T) []byte {
	t.Helper()
	cryptotest.SetGlobalRandom(t, 15)
	ctx := t.Context()
	now := demo.NewClock(time.Date(2026, 3, 4, 15, 0, 0, 0, time.UTC))
	dir := t.TempDir()
	blobs, err := vault.OpenBlobs(ctx, "file://"+filepath.Join(dir, "blobs"))
	must(t, err)
	st, err := Open(ctx, "sqlite:"+filepath.Join(dir, "dump.db"), Options{Master: dumpMaster(t), Blobs: blobs, Now: now.Now, Log: quiet()})
	must(t, err)
	defer func() { must(t, errors.Join(st.Close(), blobs.Close())) }()
	must(t, st.Migrate(ctx))
	_, err = demo.Fill(ctx, st, st.Pictures(), now, demo.Options{Sessions: dumpSessions, Days: 20, Seed: 7, People: func(seed int64) demo.Person {
		return demo.Person{Surname: fmt.Sprintf("Invented%d", seed%100), GivenNames: "Nobody", Sex: "X", Born: time.Date(1980, 1, 1, 0, 0, 0, 0, time.UTC)}
	}})
	must(t, err)
	fillRest(t, st, now.Now())
	n, err := st.Snapshot(ctx, false)
	must(t, err)
	var out bytes.Buffer
	_, err = n.WriteDump(ctx, &out)
	must(t, errors.Join(err, n.Close()))
	return out.Bytes()
}

const dumpSessions = 6

// fillRest makes what no story makes: members, a hold, an erasing, a setting.
func fillRest(t *testing.T, st *Store, now time.Time) {
	t.Helper()
	ctx := t.Context()
	must(t, st.SetSetupToken(ctx, "token", now.Add(time.Hour)))
	owner := account.User{
		ID:           "usr_1",
		Name:         "Ada",
		Email:        "ada@example.org",
		Normal:       "ada@example.org",
		PasswordHash: "hash",
		Roles:        []account.Role{account.Owner},
		CreatedAt:    now,
	}
	must(t, st.AddOwner(ctx, owner, "token", now))
	must(t, st.AddInvitation(ctx, account.Invitation{ID: "inv_1", Email: "grace@example.org", Roles: []account.Role{account.Reviewer}, InvitedBy: owner.ID,
		Hash: "invited", CreatedAt: now, ExpiresAt: now.Add(time.Hour)}))
	s := services.New(st, st.Pictures(), nil, services.Options{Now: func() time.Time { return now }, Log: quiet()})
	list, _, err := s.Sessions.List(ctx, session.Filter{Mode: idv.Test, Limit: dumpSessions})
	must(t, err)
	done := slices.DeleteFunc(list, func(v session.View) bool { return v.Session.State != idv.Approved || !v.Session.ErasedAt.IsZero() })
	if len(done) < 2 {
		t.Fatal("too few approved sessions in the stories")
	}
	_, err = s.Holds.SetHold(ctx, "", done[0].Session.ID, "a court asked")
	must(t, err)
	_, err = s.Erasures.Erase(ctx, "", done[1].Session.ID)
	must(t, err)
	must(t, st.InTx(ctx, func(ctx context.Context, tx session.Tx) error {
		return tx.SetRetention(ctx, idv.RetentionSetting{Retention: idv.Retention{Pictures: 24 * time.Hour * 60}})
	}))
}

// cutTo leaves out of a dump what the schema of this database does not have.
func (s *Store) cutTo(ctx context.Context, db bun.IDB, whole []byte, schema int64) ([]byte, error) {
	r, closer, err := s.OpenArchive(opened(whole))
	if err != nil {
		return nil, err
	}
	defer func() { _ = closer.Close() }()
	head := r.Head()
	head.Schema = schema
	own, err := s.Master.Open(database.DeploymentOwner, vault.Deployment, head.Deployment)
	if err != nil {
		return nil, err
	}
	var out bytes.Buffer
	w, err := archive.NewWriter(&out, head, backup.SealOf(own))
	if err != nil {
		return nil, err
	}
	var from archive.Table
	var known []string
	err = backup.Each(ctx, r, func(item any) error {
		switch v := item.(type) {
		case archive.Table:
			columns, err := s.ColumnsOf(ctx, db, v.Name)
			if from, known = v, backup.NamesOf(columns); err != nil || len(known) == 0 {
				return err
			}
			return w.Table(archive.Table{Name: v.Name, Columns: known})
		case archive.Row:
			if len(known) == 0 {
				return nil
			}
			row := make(archive.Row, len(known))
			for i, name := range known {
				row[i] = backup.ValueOf(from, v, name)
			}
			return w.Row(row)
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	_, err = w.Close()
	return out.Bytes(), err
}

func opened(raw []byte) func() (io.ReadCloser, error) {
	return func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(raw)), nil }
}

func writeDump(t *testing.T, schema int64, raw []byte) {
	t.Helper()
	var out bytes.Buffer
	w, err := gzip.NewWriterLevel(&out, gzip.BestCompression)
	must(t, err)
	_, err = w.Write(raw)
	must(t, errors.Join(err, w.Close(), os.MkdirAll(filepath.Dir(dumpFile(schema)), 0o755), os.WriteFile(dumpFile(schema), out.Bytes(), 0o644)))
}

func readDump(t *testing.T, schema int64) []byte {
	t.Helper()
	f, err := os.Open(dumpFile(schema))
	must(t, err)
	defer func() { _ = f.Close() }()
	z, err := gzip.NewReader(f)
	must(t, err)
	raw, err := io.ReadAll(z)
	must(t, err)
	return raw
}

// dumpsUpgraded: a database of each schema that there ever was is brought up to date, and its rows are read by this version. By day
// that is the oldest schema, the first whose dump was kept, and the three newest: the steps between are taken on the way.
func dumpsUpgraded(t *testing.T, d *deployment) {
	dumps := *d
	dumps.master = dumpMaster(t)
	all := schemas(t, d.store)
	for i, schema := range all {
		t.Run(fmt.Sprintf("of schema %d", schema), func(t *testing.T) {
			if testing.Short() && i > 0 && i < len(all)-3 && schema != firstDump {
				t.Skip("nightly: the steps from this schema on are taken from an older one, too")
			}
			x := dumps.beside(t)
			ctx := t.Context()
			raw := readDump(t, max(schema, firstDump))
			l := x.store.Loader(silent)
			must(t, l.Schema(ctx, schema))
			must(t, l.Within(ctx, func(ctx context.Context) error {
				if schema < firstDump {
					var err error
					if raw, err = x.store.cutTo(ctx, l.DB, raw, schema); err != nil {
						return err
					}
				}
				if err := l.Load(ctx, opened(raw)); err != nil {
					return err
				}
				return x.wholeSchema(ctx, l, raw)
			}))
			must(t, x.store.Migrate(ctx))
			readEverything(t, x)
		})
	}
}

// wholeSchema compares what the dump holds with the schema that it says it is of.
func (d *deployment) wholeSchema(ctx context.Context, l *backup.Loader, raw []byte) error {
	want, got := map[string][]string{}, map[string][]string{}
	for _, table := range slices.Concat(backup.DataTables, backup.KeyTables) {
		columns, err := d.store.ColumnsOf(ctx, l.DB, table)
		if err != nil {
			return err
		}
		if len(columns) > 0 {
			want[table] = backup.NamesOf(columns)
		}
	}
	_, _, err := d.store.CheckArchive(ctx, opened(raw), func(item any) {
		if t, ok := item.(archive.Table); ok {
			got[t.Name] = t.Columns
		}
	})
	if diff := cmp.Diff(want, got); diff != "" {
		err = errors.Join(err, fmt.Errorf("the dump is of another schema (-schema +dump):\n%s", diff))
	}
	return err
}

// readEverything reads what the sessions of a dump hold.
func readEverything(t *testing.T, d *deployment) {
	t.Helper()
	ctx := t.Context()
	list, _, err := d.Sessions.List(ctx, session.Filter{Mode: idv.Test, Limit: 100})
	must(t, err)
	reports, erased := 0, 0
	for _, v := range list {
		id := v.Session.ID
		_, err := d.Sessions.Timeline(ctx, "", id)
		must(t, err)
		_, err = d.store.Decisions(ctx, id)
		must(t, err)
		if !v.Session.ErasedAt.IsZero() {
			erased++
			continue
		}
		if v.Session.Claimed[idv.FamilyName] == "" && v.Session.ExternalReference == "" {
			t.Errorf("session %s says nothing of a person", id)
		}
		_, _, err = d.Sessions.Captures(ctx, "", id)
		must(t, err)
		_, err = d.Sessions.Checks(ctx, "", id)
		must(t, err)
		all, err := d.store.Reports(ctx, id)
		must(t, err)
		for _, r := range all {
			reports++
			if !r.Intact() {
				t.Errorf("a report of %s is not intact", id)
			}
		}
	}
	if len(list) != dumpSessions || reports < 3 || erased == 0 {
		t.Errorf("%d sessions, %d reports, %d erased", len(list), reports, erased)
	}
	users, err := d.store.CountUsers(ctx)
	must(t, err)
	if v, err := d.store.VerifyAudit(ctx); err != nil || v.Size == 0 || users != 1 {
		t.Errorf("the log: %+v, %v; %d users", v, err, users)
	}
	d.create(t, session.Spec{ExternalReference: "goes on"})
}
